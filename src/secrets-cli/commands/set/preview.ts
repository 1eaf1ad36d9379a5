import type { SecretSet } from '../../../platform/answers.ts';
import type { Cloud } from '../../../platform/cloud.ts';
import type { Location } from '../../../platform/location.ts';
import type { Style } from '../../../shell/terminal.ts';
import type { Plan } from '../../plan.ts';

/** How each part of a plan is shown. */
const FATES = [
  ['add', '+', 'green'],
  ['replace', '~', 'yellow'],
  ['remove', '-', 'red'],
  ['keep', ' ', 'dim'],
] as const;

/** A planned change, and where it happens. */
export interface Preview {
  plan: Plan;
  location: Location;
  /** The region of the set, or the one for a new set; undefined if the platform doesn't say. */
  region: string | undefined;
  /** Whether the region is the organization's default, for a new set. */
  isDefault: boolean;
  isNew: boolean;
}

/** Completes a plan with the region, which may need a request. */
export async function previewChange(
  plan: Plan,
  location: Location,
  existing: SecretSet | undefined,
  cloud: Cloud,
): Promise<Preview> {
  const known = existing?.region ?? location.region;
  const region = known ?? (await cloud.defaultRegion(location.organization));
  return { plan, location, region, isDefault: known === undefined, isNew: existing === undefined };
}

/** A change in detail, as lines. */
export function describePreview({ plan, location, region, isDefault, isNew }: Preview, style: Style): string[] {
  const width = Object.values(plan)
    .flat()
    .reduce((most, key) => Math.max(most, key.length), 0);
  return [
    `Organization: ${style.bold(location.organization)}`,
    `Region:       ${style.bold(describeRegion(region, isDefault))}`,
    `Secret set:   ${style.bold(location.name)} (${isNew ? 'new' : 'exists'})`,
    ...FATES.flatMap(([fate, sign, color]) =>
      plan[fate].map(key => style[color](`  ${sign} ${key.padEnd(width)}  ${fate}`)),
    ),
  ];
}

function describeRegion(region: string | undefined, isDefault: boolean): string {
  const ofDefault = "the organization's default";
  if (region === undefined) return ofDefault;
  return isDefault ? `${region} (${ofDefault})` : region;
}

/** A change for programs. */
export function previewFacts({ plan, location: { organization, name }, region }: Preview): object {
  return { organization, region: region ?? null, name, ...plan };
}
