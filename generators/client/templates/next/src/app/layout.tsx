import type { Metadata } from "next";
import type { ReactNode } from "react";
import { BOT_NAME } from "../config";
import "../styles.css";

export const metadata: Metadata = { title: BOT_NAME };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
