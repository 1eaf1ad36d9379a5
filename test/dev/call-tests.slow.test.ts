import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { type Session, type Surroundings, session } from '../support/session.ts';
import { projectSaying, TOOLS } from '../support/tools.ts';

const NAME = '2026-11-27T02-29-52Z-c19c';
const CALL = readFileSync(join(import.meta.dirname, '../calls/recorded/phone-with-a-tool.jsonl'), 'utf8');

type Setting = { saying?: Record<string, string>; config?: RawConfig };
type Use = (here: Session, around: Surroundings) => Promise<void>;

/** Runs lines in a project with a recorded call, with a stand-in for uv. */
const itInProject = (title: string, { saying, config }: Setting, use: Use) =>
  it(title, async () => {
    const project = await projectSaying(saying, { enable_eval: true, journal: true, ...config });
    await session({ ...project, [`server/calls/${NAME}.jsonl`]: CALL }, here => {
      const path = `${TOOLS}:${process.env.PATH}`;
      const env = { ...process.env, PATH: path, HOME: here.directory, FAKE_JOURNAL: join(here.directory, 'journal') };
      return use(here, { env });
    })();
  });

describe('botcli calls pin', () => {
  itInProject('makes a test of a call up to a turn, and runs it', {}, async ({ succeed, read }, around) => {
    const kept = JSON.parse(await succeed('calls pin last parking --json', around));
    const path = 'server/evals/parking.yaml';
    assert.deepEqual([kept.path, kept.turns, kept.calls, kept.tried, kept.passed], [path, 2, 1, true, true]);
    assert.match(read(path), /^# Kept from `botcli calls pin`\. `botcli test parking` runs it\./);
    assert.match(read(path), /user: Are you open\?\n.*user: Please find parking\n.*name: find_parking\n/s);
    await succeed('calls pin 1 first --turn 2', around);
    assert.doesNotMatch(read('server/evals/first.yaml'), /parking/);
  });

  itInProject('says what is wrong with the line, and that words are missing', {}, async ({ fail, write }, around) => {
    const turns = await fail(2, 'calls pin 1 a --turn 9', around);
    assert.match(turns, /^error: --turn is "9"\. The call has turns 1 to 3\n/);
    assert.match(await fail(2, 'calls pin 1 a/b', around), /^error: "a\/b" can't be the name of a scenario/);
    write(`server/calls/${NAME}.jsonl`, CALL.replaceAll(/"text": "[^"]*"/g, '"text": null'));
    assert.match(await fail(2, 'calls pin 1 a', around), /^error: What was said in this call is not written down/);
  });

  itInProject('needs evals', { config: { enable_eval: false } }, async ({ run }, around) => {
    const { code, stderr } = await run('calls pin 1 a', around);
    assert.equal(code, 2);
    assert.match(stderr, /error: This bot has no test conversations yet\nAdd what it needs: botcli update --eval/);
  });
});

describe('botcli calls judge', () => {
  itInProject('hands the words and tools of a call to the only simulation', {}, async ({ run }, around) => {
    const { code, stdout } = await run('calls judge', around);
    assert.deepEqual([code, /starter_simulation/.test(stdout)], [0, true]);
  });

  const failing = { saying: { 'server/evals/starter_simulation.yaml': 'fails' } };
  itInProject('exits with 1 if the judge says no, and knows simulations', failing, async ({ run, fail }, around) => {
    assert.equal((await run('calls judge 1 starter_simulation', around)).code, 1);
    assert.match(await fail(2, 'calls judge 1 starter_text', around), /^error: There is no simulation to judge by/);
  });
});
