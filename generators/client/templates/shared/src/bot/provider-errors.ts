/**
 * Describes an error that the bot reports, for the person at the browser: the sentence of the provider that refused, and
 * what to do.
 *
 * @param keys The variables in server/.env that hold the bot's keys, each with its provider.
 */
export function describeProviderError(report: string, keys: Record<string, string>): string {
  const advise = ADVICE.find(([pattern]) => pattern.test(report))?.[1] ?? readLog;
  return `${sentenceIn(report)} ${advise(keysFor(report, keys))}`;
}

const readLog = () => "See the bot's log.";

/** What to do about an error. The first row that matches counts. */
const ADVICE: readonly [pattern: RegExp, advise: (keys: string) => string][] = [
  [
    /insufficient_quota|\b402\b|\bcredits?\b|billing|exceeded your (current )?quota/i,
    () => "Add credit to your account with the provider, then call again.",
  ],
  [
    /model_not_found|model\b.{0,80}(not exist|not found|not supported|deprecated)/i,
    () => "Check the model in server/bot.py, then restart the bot.",
  ],
  [
    /\b40[13]\b|unauthori[sz]ed|forbidden|api.?key|authenticat/i,
    (keys) => `Check ${keys} in server/.env, then restart the bot.`,
  ],
  [/voice/i, () => "Check the voice in server/.env, then restart the bot."],
  [/\b429\b|rate.?limit/i, () => "Too many requests: wait a moment, then try again."],
  [
    /\b5\d\d\b|connect|timed? ?out|unavailable|overloaded/i,
    () => "The provider isn't available right now. Try again in a moment.",
  ],
];

/** The provider's own sentence, out of what its library makes of it: a line with the response as Python or JSON. */
function sentenceIn(report: string): string {
  const [, , quoted] = /["'](?:message|detail)["']: ?(["'])(.+?)\1(?=[,}])/s.exec(report) ?? [];
  const sentence = (quoted ?? report.replace(PREFIXES, "")).trim().slice(0, LONGEST);
  // Some providers repeat the key that they refuse.
  const safe = sentence.replace(/\bkey( provided)?: ?[^\s,;]*[^\s,;.]/gi, "key$1");
  return /[.!?]$/.test(safe) ? safe : `${safe}.`;
}

const PREFIXES = /^((unknown error occurred|error( during completion)?|error code: \d+)( -|:) ?)+/i;
const LONGEST = 300;

/** The key of the provider that the report names, or else all keys. */
function keysFor(report: string, keys: Record<string, string>): string {
  const names = Object.keys(keys);
  const named = names.filter((name) => mentions(report, keys[name] ?? ""));
  const [last, ...others] = (named.length > 0 ? named : names)
    .map((name) => `\`${name}\``)
    .reverse();
  if (!last) return "the keys";
  return others.length > 0 ? `${others.reverse().join(", ")} and ${last}` : last;
}

/** A provider's product has its name first, such as "Deepgram Flux". */
function mentions(report: string, provider: string): boolean {
  const [name = ""] = provider.toLowerCase().split(" ");
  return report.toLowerCase().includes(name);
}
