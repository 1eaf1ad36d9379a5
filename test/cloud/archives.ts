import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { archiveOf } from '../../src/deploy/context/archive.ts';
import { readContext } from '../../src/deploy/context/context.ts';
import { runWell } from '../bots/processes.ts';
import { expectNone, type Report } from '../bots/report.ts';
import { randomOf } from '../support/random.ts';
import { PYTHON, WORKSHOP } from './client.ts';

const TREES = 200;
const PLACE = join(WORKSHOP, 'archives');

/** Packs each directory of the list as the client does, without its compression. */
const CLIENT = `
import gzip, json, sys
from pathlib import Path
from pipecatcloud._utils import build_utils
for directory, patterns, target in json.load(open(sys.argv[1])):
    rules = build_utils.get_exclusions(Path(directory), patterns)
    context = build_utils.create_deterministic_tarball(directory, rules, "Dockerfile")
    Path(target).write_bytes(gzip.decompress(context.tarball))
`;

const PARTS = [
  'a B bot.py src Data x.log x.pyc __pycache__ build .cache node_modules .hidden CON ..a ... a. 000000 ustar',
  `GNUSparseFile.0 @PaxHeader -rf -- $(x) it's a"b a\\b a:b #x !x ~ [a] [!a] * ? a*b {a,b} a|b %20`,
  'grüße gru\u0308ße ß 日本 😀 \uE000 \uFF5E \u200D \u202Ex a\u007Fb',
]
  .flatMap(names => names.split(' '))
  .concat(' ', 'with space', 'a\nb', 'a\tb', 'é'.repeat(100), 'w'.repeat(255))
  .concat([99, 100, 101].map(size => 'n'.repeat(size)));
const SIZES = [0, 1, 100, 511, 512, 513, 1023, 4096, 10_239, 10_240, 65_535, 65_536, 262_144, 262_145];

/** Grows the directory with this number, and returns its `patterns` of `[build.exclude]`, which can replace rules. */
function growHostileTree(directory: string, number: number): string[] {
  const dice = randomOf(number + 1);
  const pick = <One>(some: readonly One[]): One => some[dice(some.length)] as One;
  const path = () => Array.from({ length: 1 + dice(dice(8) === 0 ? 12 : 4) }, () => pick(PARTS)).join('/');
  const names = ['Dockerfile'];
  mkdirSync(directory);
  writeFileSync(join(directory, 'Dockerfile'), 'FROM base\n');
  const add = (name: string, make: (path: string) => void): void => {
    if (names.some(other => `${name}/`.startsWith(`${other}/`) || other.startsWith(`${name}/`))) return;
    names.push(name);
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    make(join(directory, name));
  };
  for (let count = 5 + dice(80); count > 0; count -= 1) {
    const name = path();
    const chance = dice(12);
    const text = pick(['x', '\0', 'ü']).repeat(pick(SIZES));
    if (chance === 0) add(name, mkdirSync);
    else if (chance === 1) add(name, path => symlinkSync('..', path));
    else if (chance <= 3) add(pick(PARTS), path => symlinkSync('Dockerfile', path));
    else if (chance === 4) add(name, path => linkSync(join(directory, 'Dockerfile'), path));
    else {
      add(name, path => {
        writeFileSync(path, text);
        chmodSync(path, dice(4) === 0 ? 0o755 : 0o644);
      });
    }
  }
  const rules = Array.from({ length: dice(6) }, () => ruleFor(pick(pick(names).split('/')), dice));
  if (dice(3) === 0) return rules;
  writeFileSync(join(directory, '.dockerignore'), rules.join('\r\n'));
  return [];
}

/** A pattern that may match this name, and that the client and Docker read alike. */
function ruleFor(part: string, dice: ReturnType<typeof randomOf>): string {
  const at = dice(part.length);
  const rule = [
    part,
    `${part}/`,
    `./${part}`,
    `  ${part} \t`,
    `*${part.slice(1)}`,
    `${part.slice(0, at)}*`,
    `${part.slice(0, at)}?${part.slice(at + 1)}`,
    `${part.slice(0, at)}[a-z]${part.slice(at + 1)}`,
    `[!${part[0]}]${part.slice(1)}`,
    `${part}/*`,
    `*/${part}`,
    `# ${part}`,
  ][dice(12)] as string;
  // botcli reads what follows as Docker does: see the tests of its rules.
  return rule
    .replace(/^(\s*)[!/]+/, '$1')
    .replace(/\\/g, '')
    .replace(/\*{2,}/g, '*');
}

/**
 * Packs 200 hostile directories with the platform's own client and with botcli. The archives must be the same,
 * decompressed. What botcli leaves out on purpose isn't in them.
 */
export const checkArchives = (report: Report) =>
  report.check('archives', 'are those of the client', async () => {
    rmSync(PLACE, { recursive: true, force: true });
    mkdirSync(PLACE, { recursive: true });
    const place = realpathSync(PLACE);
    const trees = Array.from({ length: TREES }, (_, number) => {
      const project = join(place, `${number}`);
      return { project, patterns: growHostileTree(project, number) };
    });
    const jobs = trees.map(({ project, patterns }) => [project, patterns, `${project}-theirs.tar`]);
    writeFileSync(join(place, 'jobs.json'), JSON.stringify(jobs));
    const env = { ...process.env, PYTHONUTF8: '1' };
    await runWell([PYTHON, '-c', CLIENT, join(place, 'jobs.json')], { cwd: place, env });
    const problems: string[] = [];
    for (const { project, patterns } of trees) {
      const names = { deployFile: 'deploy.toml', contextDir: '.', dockerfile: 'Dockerfile', imports: [] };
      const { content } = await archiveOf(readContext({ ...names, project, exclude: patterns }).files);
      const ours = gunzipSync(Buffer.concat([...content()].map(chunk => Buffer.from(chunk))));
      if (ours.equals(readFileSync(`${project}-theirs.tar`))) continue;
      writeFileSync(`${project}-ours.tar`, ours);
      problems.push(`${project}-ours.tar isn't that of the client`);
    }
    const seen = expectNone(problems, `${TREES} trees`);
    rmSync(PLACE, { recursive: true });
    return seen;
  });
