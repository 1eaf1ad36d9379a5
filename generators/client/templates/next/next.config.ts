import type { NextConfig } from "next";

const config: NextConfig = {
  // Otherwise, Next.js may take a parent directory with a lock file for the project root.
  turbopack: { root: import.meta.dirname },
};

export default config;
