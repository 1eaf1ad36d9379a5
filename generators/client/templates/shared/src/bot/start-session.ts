import type { StartAnswer } from "./bot-transport";

/** Requests a session with POST /start, which the client's server forwards to the bot. */
export async function startSession(request: object, signal: AbortSignal): Promise<StartAnswer> {
  const response = await fetch("/start", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(refusal(response.status, text));
  return JSON.parse(text);
}

/** The explanation from the bot's server, if any. A proxy that can't reach the bot gives none. */
function refusal(status: number, text: string): string {
  const { detail } = parse(text);
  if (typeof detail === "string") return detail;
  if (status === 502 || status === 504 || text === "") {
    return "The bot isn't responding. Start it with `uv run bot.py`, then try again.";
  }
  return `The bot's server returned an error (${status}). Check its log.`;
}

function parse(text: string): { detail?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
