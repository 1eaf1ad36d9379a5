/**
 * Part of `npm run test:cloud`: packs 200 hostile directories with the platform's own client and with botcli. The
 * archives must be the same, decompressed. Where botcli packs less on purpose, the client gets the directory without it.
 */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashArchive, readArchive } from '../../src/deploy/context/archive.ts';
import { readContext } from '../../src/deploy/context/context.ts';
import { runWell } from '../bots/processes.ts';
import { installClient, PYTHON, WORKSHOP } from './client.ts';
import { growHostileTree, hostileTree } from './hostile-trees.ts';

const TREES = 200;
const PLACE = join(WORKSHOP, 'archives');

/** Packs each directory of the list as the client does, without its compression. */
const CLIENT = `
import gzip, json, sys
from pathlib import Path
from pipecatcloud._utils import build_utils
for directory, patterns, has_rules, target in json.load(open(sys.argv[1])):
    rules = build_utils.get_exclusions(Path(directory), patterns) if has_rules else set()
    context = build_utils.create_deterministic_tarball(directory, rules, "Dockerfile")
    Path(target).write_bytes(gzip.decompress(context.tarball))
`;

await installClient();
rmSync(PLACE, { recursive: true, force: true });
mkdirSync(PLACE, { recursive: true });
const place = realpathSync(PLACE);
writeFileSync(join(place, 'outside.txt'), 'outside');

const trees = Array.from({ length: TREES }, (_, number) => ({ number, ...hostileTree(number) }));
const jobs = trees.map(tree => {
  const [ours, theirs] = [join(place, `${tree.number}-ours`), join(place, `${tree.number}-theirs`)];
  growHostileTree(ours, tree, true);
  growHostileTree(theirs, tree, false);
  return [theirs, tree.patterns, !tree.isWithoutRules, `${theirs}.tar`] as const;
});
writeFileSync(join(place, 'jobs.json'), JSON.stringify(jobs));
await runWell([PYTHON, '-c', CLIENT, join(place, 'jobs.json')], {
  cwd: place,
  env: { ...process.env, PYTHONUTF8: '1' },
});

const reasons = new Map<string, number>();
let [files, failed] = [0, 0];
for (const { number, patterns, exceptions } of trees) {
  const project = join(place, `${number}-ours`);
  const context = readContext({
    project,
    deployFile: 'deploy.toml',
    directory: '.',
    buildFile: 'Dockerfile',
    patterns,
    imports: [],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of readArchive(context.files, await hashArchive(context.files))) chunks.push(chunk);
  const ours = gunzipSync(Buffer.concat(chunks));
  const theirs = readFileSync(join(place, `${number}-theirs.tar`));
  files += context.files.length;
  for (const reason of exceptions) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (ours.equals(theirs)) continue;
  failed += 1;
  writeFileSync(`${project}.tar`, ours);
  console.log(`✗ ${number} ${exceptions.join(', ')}: ${project}.tar isn't ${number}-theirs.tar`);
}
console.log(`${TREES - failed} of ${TREES} archives are those of the client, with ${files} files. Exceptions:`);
for (const [reason, count] of reasons) console.log(`  ${reason}: ${count} trees`);
if (failed === 0) rmSync(PLACE, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
