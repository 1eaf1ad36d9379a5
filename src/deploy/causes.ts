import { onOneLine } from '../text.ts';
import type { Verdict } from './verdict.ts';

// Causes of failures that a log shows, and how to fix them. Each is a sentence, with a command if there is one.

/** The most lines of a build's log to show. */
const MOST_LINES = 30;

/** The lines of the failed step, without the builder's prefixes; the last lines if no step says that it failed. */
export function failedStep(log: readonly string[]): string[] {
  const lines = log.flatMap(text => text.split('\n'));
  const step = lines.map(line => /^(#\d+) (?:[\d.]+ )?(?:ERROR|error:)/.exec(line)?.[1]).findLast(Boolean);
  const own = step === undefined ? lines : lines.filter(line => line.startsWith(`${step} `));
  return own.map(line => line.replace(/^#\d+ (?:\d+\.\d+ )?/, '')).slice(-MOST_LINES);
}

/**
 * Why a build failed, if its log shows that.
 *
 * @param leftOutBy Says which line leaves a path out of the context; undefined if none does.
 */
export function buildCause(
  lines: readonly string[],
  leftOutBy: (path: string) => string | undefined,
): string | undefined {
  const text = lines.join('\n');
  if (/lockfile[^\n]*needs to be updated|uv\.lock[^\n]*(?:outdated|needs to be updated)/i.test(text)) {
    return 'uv.lock is outdated. Run `uv lock` in server/, then deploy again.';
  }
  const [, absent] = /"?\/([^\s"]+)"?: not found/.exec(text) ?? [];
  const by = absent === undefined ? undefined : leftOutBy(absent);
  if (by !== undefined) return `${absent} is excluded by ${by}.`;
  if (/exec format error|no match for platform|linux\/arm64/i.test(text)) {
    return 'The cloud runs arm64 only. Use base images and packages that exist for arm64.';
  }
  return undefined;
}

/** What is known about a deployment that failed. */
interface Crash {
  failure: (Verdict & { kind: 'failed' })['failure'];
  log: readonly string[];
  secretSet: string | undefined;
  /** The keys of the set; undefined if they can't be known. */
  keys: readonly string[] | undefined;
  organization: string;
  /** The image, if it isn't from a build, and what has its registry's credentials. */
  image: string | undefined;
  pullSecret: string | undefined;
  /** The name of the deploy file. */
  deployFile: string;
  /** The paths of the project's own Python files, which take a moment to find. */
  ownFiles: () => readonly string[];
  /** Says which rule leaves a path of the project out of the image; undefined if none does. */
  excludedBy: (path: string) => string | undefined;
}

/** Why a deployment failed, if that is known. */
export function crashCause(crash: Crash): string | undefined {
  const { failure, log, secretSet, keys, organization } = crash;
  const text = [...log, failure.message ?? ''].join('\n');
  const name = /KeyError: ['"]([A-Za-z_][A-Za-z0-9_]{0,63})['"]/.exec(text)?.[1];
  if (name !== undefined && secretSet !== undefined && keys?.includes(name) === false) {
    return `The bot needs ${name}, which ${secretSet} lacks. Run: botcli cloud secrets set ${secretSet} ${name} -o ${organization}`;
  }
  const module = /ModuleNotFoundError: No module named ['"]([A-Za-z_][\w.-]{0,99})['"]/.exec(text)?.[1];
  if (module !== undefined) return moduleCause(module, crash);
  if (failure.exitCode === 137 || failure.code === 'OOMKilled') {
    return `It ran out of memory. Set a larger agent_profile in ${crash.deployFile}, such as agent-2x.`;
  }
  return imageCause(crash);
}

/** A module that Python doesn't find may be the project's own, or one of a package. */
function moduleCause(module: string, { ownFiles, excludedBy }: Crash): string {
  const [name = module] = module.split('.');
  const isPart = name !== module;
  const files = ownFiles();
  const own = placeOf(module, files);
  // Python has found the first part of `tools.weather`.
  const first = isPart ? placeOf(name, files, '/server') : undefined;
  const missing = `The image lacks the module ${module}.`;
  if (!own && first) return `${missing} Python looks for it in ${first.place}, which is named ${name}.`;
  const fromPackage = isPart
    ? 'If a package has it, add that package: run `uv add PACKAGE` in server/.'
    : `If it's in a package named like that, run \`uv add ${name}\` in server/.`;
  if (!own) return `${missing} ${fromPackage}`;
  const rule = excludedBy(own.file);
  const way = rule === undefined ? 'it must be next to bot.py in the image' : `it's excluded by ${rule}`;
  return `${missing} If it's your ${own.place}: ${way}. ${fromPackage}`;
}

/** The first file of a module, or of one in it, and how to name it. */
function placeOf(module: string, files: readonly string[], folder = ''): { file: string; place: string } | undefined {
  const part = `${folder}/${module.replaceAll('.', '/')}`;
  for (const file of files) {
    const at = `/${file}`.replace(/(?:\/__init__)?\.py$/, '/').indexOf(`${part}/`);
    const end = at + part.length - 1;
    if (at >= 0 && (folder === '' || at === 0)) {
      return { file, place: onOneLine(file === `${file.slice(0, end)}.py` ? file : file.slice(0, end)) };
    }
  }
  return undefined;
}

function imageCause({
  failure: { code = '' },
  image,
  pullSecret,
  organization,
  deployFile,
}: Crash): string | undefined {
  if (image === undefined || !/^PCC_.*IMAGE/.test(code)) return undefined;
  if (code === 'PCC_INVALID_IMAGE_PLATFORM') return 'The image must be for arm64.';
  if (code !== 'PCC_IMAGE_PULL_UNAUTHORIZED') return `Check image and its tag in ${deployFile}.`;
  if (pullSecret === undefined) {
    return `The registry wants credentials, and ${deployFile} names no image_credentials.`;
  }
  return `The registry rejects the credentials. Set them again: ${pullSecretCommand(pullSecret, image, organization)}`;
}

/** The command that sets the credentials for the registry of an image. */
export function pullSecretCommand(name: string, image: string, organization: string): string {
  const registry = /^([\w-]*[.:][\w.:-]*|localhost)\//.exec(image)?.[1] ?? 'https://index.docker.io/v1/';
  return `botcli cloud secrets image-pull-secret ${name} ${registry} -o ${organization}`;
}
