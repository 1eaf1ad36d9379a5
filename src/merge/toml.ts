import type { Lines, Versions } from './lines.ts';
import { followOmissions } from './omissions.ts';

/** Settles what TOML needs no lines for: values that both sides have set alike, and what the user has removed. */
export function settleToml({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const agreed = agreeOnValues({ user, base, botcli });
  return followOmissions({ user, base: agreed, botcli }, line => /^\s*(?:#|$)/.test(agreed[line] ?? ''));
}

/** The base with values that both sides have changed, in the same way. */
function agreeOnValues({ user, base, botcli }: Versions<Lines>): Lines {
  const [mine, old, ours] = [user, base, botcli].map(valuesIn) as [Values, Values, Values];
  return base.map(line => {
    const key = keyOf(line);
    const now = mine.get(key);
    return old.get(key) !== undefined && now !== undefined && now === ours.get(key) ? now : line;
  });
}

type Values = ReadonlyMap<string | undefined, string | undefined>;

const keyOf = (line: string): string | undefined => /^\s*([\w.-]+)\s*=/.exec(line)?.[1];

/** The lines with a value, by its key; nothing for a key that several have. */
function valuesIn(lines: Lines): Values {
  const values = new Map<string, string | undefined>();
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== undefined) values.set(key, values.has(key) ? undefined : line);
  }
  return values;
}
