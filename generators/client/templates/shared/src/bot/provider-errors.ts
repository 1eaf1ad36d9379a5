/** A provider of the bot's services, and the page where it issues keys, or "". */
export interface Provider {
  name: string;
  page: string;
}

/**
 * Describes an error that the bot reports, for the person at the browser: the sentence of the provider that refused, and
 * what to do.
 *
 * @param keys The variables in server/.env that hold the bot's keys, each with its provider.
 */
export function describeProviderError(report: string, keys: Record<string, Provider>): string {
  const advise = ADVICE.find(([pattern]) => pattern.test(report))?.[1] ?? readLog;
  const sentence = sentenceIn(report);
  const suspects = suspectsIn(report, keys);
  const page = suspects.length === 1 && !sentence.includes("://") ? suspects[0]![1].page : "";
  return `${sentence} ${advise(listOf(suspects.map(([name]) => `\`${name}\``)), page)}`;
}

const readLog = () => "See the bot's log.";

/** Only some ways to run the bot restart it. */
const RESTART = "If the bot doesn't restart when you save, restart it.";

/** What to do about an error. The first row that matches counts. */
const ADVICE: readonly [pattern: RegExp, advise: (keys: string, page: string) => string][] = [
  [
    /insufficient_quota|\b402\b|\bcredits?\b|billing|exceeded your (current )?quota/i,
    () => "Add credit to your account with the provider, then call again.",
  ],
  [
    /model_not_found|model\b.{0,80}(not exist|not found|not supported|deprecated)/i,
    () => `Check the model in server/bot.py. ${RESTART}`,
  ],
  [
    /\b40[13]\b|unauthori[sz]ed|forbidden|api.?key|authenticat/i,
    (keys, page) => `Check ${keys} in server/.env${page && ` against ${page}`}. ${RESTART}`,
  ],
  [/voice/i, () => `Check the voice in server/.env. ${RESTART}`],
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
function suspectsIn(report: string, keys: Record<string, Provider>): [key: string, Provider][] {
  const all = Object.entries(keys);
  const named = all.filter(([, { name }]) => mentions(report, name));
  return named.length > 0 ? named : all;
}

/** A provider's product has its name first, such as "Deepgram Flux". */
function mentions(report: string, provider: string): boolean {
  const [name = ""] = provider.toLowerCase().split(" ");
  return report.toLowerCase().includes(name);
}

function listOf(names: string[]): string {
  const last = names.pop();
  if (!last) return "the keys";
  return names.length > 0 ? `${names.join(", ")} and ${last}` : last;
}
