import type { NextConfig } from "next";

const config: NextConfig = {
  // Next.js would take a folder further up that has a lock file for the project's own.
  turbopack: { root: import.meta.dirname },
};

export default config;
