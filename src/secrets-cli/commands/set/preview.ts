import type { SecretSet } from '../../../platform/answers.ts';
import type { Cloud } from '../../../platform/cloud.ts';
import type { Location } from '../../../platform/location.ts';
import type { Plan } from '../../../secret-sets/plan.ts';
import type { Style, Terminal } from '../../../shell/terminal.ts';

/** How each part of a plan is shown. */
const FATES = [
  ['add', '+', 'green'],
  ['replace', '~', 'yellow'],
  ['remove', '-', 'red'],
  ['keep', ' ', 'dim'],
] as const;

/** A planned change, and where it happens. */
type Preview = Awaited<ReturnType<typeof previewChange>>;

/** Completes a plan with the region, which may need a request. It's undefined if the platform doesn't name the default. */
export async function previewChange(plan: Plan, location: Location, existing: SecretSet | undefined, cloud: Cloud) {
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

/** Reports what a dry run would have changed. */
export function reportTrial(
  preview: Preview,
  { warnings, json }: { warnings: readonly string[]; json: boolean },
  terminal: Terminal,
): void {
  const { plan, location, region = null } = preview;
  if (json) {
    const { organization, name } = location;
    terminal.printJson({ organization, region, name, ...plan, warnings });
    return;
  }
  terminal.print(describePreview(preview, terminal.style).join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
}
