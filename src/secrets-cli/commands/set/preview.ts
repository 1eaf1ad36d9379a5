import type { Terminal } from '../../../shell/terminal.ts';
import { describeLocation, type Location } from '../../input/location.ts';
import type { Secret } from '../../input/secret.ts';
import type { SecretSet } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';

/** What happens to each key of a set. Neither values nor their lengths are ever shown. */
export interface Change {
  added: string[];
  replaced: string[];
  kept: string[];
}

export function planChange(secrets: readonly Secret[], existing: SecretSet | undefined): Change {
  const before = new Set(existing?.keys);
  const named = secrets.map(({ key }) => key);
  return {
    added: named.filter(key => !before.has(key)),
    replaced: named.filter(key => before.has(key)),
    kept: [...before].filter(key => !named.includes(key)),
  };
}

/** Describes a change in one line, for a log. */
export function summarize(
  { added, replaced, kept }: Change,
  location: Location,
  existing: SecretSet | undefined,
): string {
  const region = existing?.region ?? location.region;
  const effects = [
    ...(added.length > 0 ? [`adding ${added.join(', ')}`] : []),
    ...(replaced.length > 0 ? [`replacing ${replaced.join(', ')}`] : []),
    kept.length === 1 ? 'keeping 1 other key' : `keeping ${kept.length} other keys`,
  ];
  return `${describeLocation(location)}${region ? `, region ${region}` : ''}: ${effects.join('; ')}.`;
}

/** Shows a change in detail, before the confirmation. */
export async function showPlan(
  { added, replaced, kept }: Change,
  location: Location,
  existing: SecretSet | undefined,
  cloud: Cloud,
  terminal: Terminal,
): Promise<void> {
  const { bold, green, yellow, dim } = terminal.noteStyle;
  const region = existing?.region ?? location.region ?? (await defaultRegion(cloud, location.organization));
  const keys = [...added, ...replaced, ...kept];
  const width = keys.reduce((longest, { length }) => Math.max(longest, length), 0);
  const line = (sign: string, key: string, fate: string) => `  ${sign} ${key.padEnd(width)}  ${fate}`;
  terminal.note(`Organization: ${bold(location.organization)}`);
  terminal.note(`Region:       ${bold(region)}`);
  terminal.note(`Secret set:   ${bold(location.name)} (${existing ? 'exists' : 'new'})`);
  for (const key of added) terminal.note(green(line('+', key, 'add')));
  for (const key of replaced) terminal.note(yellow(line('~', key, 'replace')));
  for (const key of kept) terminal.note(dim(line(' ', key, 'keep')));
}

async function defaultRegion(cloud: Cloud, organization: string): Promise<string> {
  const region = await cloud.defaultRegion(organization);
  return region ? `${region} (the organization's default)` : "the organization's default";
}
