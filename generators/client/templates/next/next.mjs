// The `next` command, with its telemetry turned off.
process.env.NEXT_TELEMETRY_DISABLED = "1";
await import("next/dist/bin/next");
