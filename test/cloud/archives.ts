import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { archiveOf } from '../../src/deploy/context/archive.ts';
import { readContext } from '../../src/deploy/context/context.ts';
import { runWell } from '../bots/processes.ts';
import { expectNone, type Report } from '../bots/report.ts';
import { PYTHON, WORKSHOP } from './client.ts';
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

/**
 * Packs 200 hostile directories with the platform's own client and with botcli. The archives must be the same,
 * decompressed. Where botcli packs less on purpose, the client gets the directory without it.
 */
export const checkArchives = (report: Report) =>
  report.check('archives', 'are those of the client', async () => {
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
    const env = { ...process.env, PYTHONUTF8: '1' };
    await runWell([PYTHON, '-c', CLIENT, join(place, 'jobs.json')], { cwd: place, env });
    const problems: string[] = [];
    const reasons = new Set<string>();
    for (const { number, patterns, exceptions } of trees) {
      const project = join(place, `${number}-ours`);
      const names = { deployFile: 'deploy.toml', contextDir: '.', dockerfile: 'Dockerfile', imports: [] };
      const { content } = await archiveOf(readContext({ ...names, project, exclude: patterns }).files);
      const ours = gunzipSync(Buffer.concat([...content()].map(chunk => Buffer.from(chunk))));
      for (const reason of exceptions) reasons.add(reason);
      if (ours.equals(readFileSync(join(place, `${number}-theirs.tar`)))) continue;
      writeFileSync(`${project}.tar`, ours);
      problems.push(`${exceptions.join(', ')}: ${project}.tar isn't ${number}-theirs.tar`);
    }
    const seen = expectNone(problems, `${TREES} trees; exceptions: ${[...reasons].join('; ')}`);
    rmSync(PLACE, { recursive: true });
    return seen;
  });
