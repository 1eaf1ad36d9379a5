// The command `next`, which reports to its makers how it is used, unless it is told not to.
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
