import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALIASES } from './generated.ts';

/**
 * `npm run release`, for the release workflow.
 *
 * - `prepare` makes this checkout the release: its version without a suffix, and the repository that npm shows and
 *   compares with the provenance.
 * - `publish` publishes what npm doesn't have yet, so that a run that failed can be repeated.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const STEPS: Readonly<Record<string, () => void>> = { prepare, publish };
const step = STEPS[process.argv[2] ?? ''];
if (!step) throw new Error(`Usage: npm run release -- ${Object.keys(STEPS).join('|')}`);
step();

function prepare(): void {
  const { version: current, license, scripts, ...manifest } = readJson('package.json');
  const version = String(current).replace(/-.*/, '');
  const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL = 'https://github.com' } = process.env;
  if (tag !== `v${version}`) throw new Error(`The tag is "${tag}", but package.json says ${version}`);
  if (!repository) throw new Error('GITHUB_REPOSITORY must be set, as OWNER/NAME');
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - (.*)$`, 'm');
  const [, date = 'no heading'] = heading.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  if (!isDate(date)) throw new Error(`CHANGELOG.md needs a date for ${version}: it says "${date}"`);
  const page = `${GITHUB_SERVER_URL}/${repository}`;
  const links = {
    repository: { type: 'git', url: `git+${page}.git` },
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
  };
  const { prepare: _, ...rest } = scripts as Record<string, string>;
  const { name, ...others } = manifest;
  writeJson('package.json', { name, version, license, ...links, ...others, scripts: rest });
  const lock = readJson('package-lock.json');
  const packages = lock.packages as Record<string, object>;
  writeJson('package-lock.json', { ...lock, version, packages: { ...packages, '': { ...packages[''], version } } });
  const note = /<!-- until the release -->[\s\S]*?<!-- \/until the release -->\n\n/g;
  const documents = ['README.md', ...readdirSync('docs').map(name => `docs/${name}`)];
  const pages = [...documents, ...ALIASES.map(({ name }) => `packages/${name}/README.md`)];
  for (const page of pages.filter(name => name.endsWith('.md')))
    writeFileSync(page, readFileSync(page, 'utf8').replace(note, ''));
  execFileSync(process.execPath, ['--import', 'tsx/esm', 'scripts/generate.ts'], { stdio: 'inherit' });
}

function publish(): void {
  // The others need the first.
  for (const directory of ['.', ...ALIASES.map(({ name }) => `./packages/${name}`)]) {
    const { name, version } = readJson(`${directory}/package.json`);
    if (isThere(`${name}@${version}`)) console.log(`${name} ${version} is published already`);
    else execFileSync('npm', ['publish', directory, '--provenance', '--access', 'public'], { stdio: 'inherit' });
  }
}

/** Whether npm has exactly this version. It prints nothing for another version, and an error without any. */
function isThere(wanted: string): boolean {
  const { status, stdout, stderr } = spawnSync('npm', ['view', wanted, 'version'], { encoding: 'utf8' });
  if (status === 0) return stdout.trim() !== '';
  if (/\bE404\b/.test(stderr)) return false;
  throw new Error(`npm doesn't say whether ${wanted} is published: ${stderr}`);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
