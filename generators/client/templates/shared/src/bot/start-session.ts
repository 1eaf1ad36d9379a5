import type { StartAnswer } from "./bot-transport";

/** Asks for a session at POST /start, which the server of this page forwards to the bot. */
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

/** What the bot's server says, when it says why. A proxy that reaches no bot says nothing. */
function refusal(status: number, text: string): string {
  const { detail } = parse(text);
  if (typeof detail === "string") return detail;
  if (status === 502 || status === 504 || text === "") {
    return "No bot answers. Start it with `uv run bot.py`, then try again.";
  }
  return `The bot's server answered ${status}. Its log says why.`;
}

function parse(text: string): { detail?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
