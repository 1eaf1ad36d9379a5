import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { type Session, type Surroundings, session } from '../support/session.ts';
import { projectSaying, TOOLS } from '../support/tools.ts';

const NAME = '2026-11-27T02-29-52Z-c19c';
const recorded = (name: string) => readFileSync(join(import.meta.dirname, `../calls/recorded/${name}.jsonl`), 'utf8');

/** Runs lines in a project with a recorded call, with a stand-in for uv. */
const inProject =
  (
    use: (here: Session, around: Surroundings) => Promise<void>,
    {
      saying = {},
      config = {},
      call = recorded('phone-with-a-tool'),
    }: { saying?: Record<string, string>; config?: RawConfig; call?: string } = {},
  ) =>
  async () => {
    const project = await projectSaying(saying, { enable_eval: true, journal: true, ...config });
    return session({ ...project, [`server/calls/${NAME}.jsonl`]: call }, async here => {
      const path = `${TOOLS}:${process.env.PATH}`;
      const env = { ...process.env, PATH: path, HOME: here.directory, FAKE_JOURNAL: join(here.directory, 'journal') };
      await use(here, { env });
    })();
  };

const itInProject = (title: string, ...rest: Parameters<typeof inProject>) => it(title, inProject(...rest));

describe('botcli calls pin', () => {
  itInProject('makes a test of a call up to a turn, with its tools, and runs it', async ({ succeed, read }, around) => {
    const kept = JSON.parse(await succeed('calls pin last parking --json', around));
    assert.deepEqual(
      [kept.path, kept.turns, kept.calls, kept.tried, kept.passed],
      ['server/evals/parking.yaml', 2, 1, true, true],
    );
    const text = read('server/evals/parking.yaml');
    assert.match(text, /^# Kept from `botcli calls pin`\. `botcli test parking` runs it\./);
    assert.match(text, /user: Are you open\?\n.*user: Please find parking\n.*name: find_parking\n/s);
    await succeed('calls pin 1 first --turn 2', around);
    assert.doesNotMatch(read('server/evals/first.yaml'), /parking/);
  });

  itInProject('says what is wrong with the line, and that words are missing', async ({ fail, write }, around) => {
    assert.match(
      await fail(2, 'calls pin 1 a --turn 9', around),
      /^error: --turn is "9"\. The call has turns 1 to 3\n/,
    );
    assert.match(await fail(2, 'calls pin 1 a/b', around), /^error: "a\/b" can't be the name of a scenario/);
    write(`server/calls/${NAME}.jsonl`, recorded('phone-with-a-tool').replaceAll(/"text": "[^"]*"/g, '"text": null'));
    assert.match(await fail(2, 'calls pin 1 a', around), /^error: What was said in this call is not written down/);
  });

  itInProject(
    'needs evals',
    async ({ run }, around) => {
      const { code, stderr } = await run('calls pin 1 a', around);
      assert.equal(code, 2);
      assert.match(stderr, /error: This bot has no test conversations yet\nAdd what it needs: botcli update --eval/);
    },
    { config: { enable_eval: false } },
  );
});

describe('botcli calls judge', () => {
  itInProject('hands the words and tools of a call to the judge, with the only simulation', async ({ run }, around) => {
    const { code, stdout } = await run('calls judge', around);
    assert.deepEqual([code, /starter_simulation/.test(stdout)], [0, true]);
  });

  itInProject(
    'exits with 1 if the judge says no, and knows which scenarios are simulations',
    async ({ run, fail }, around) => {
      assert.equal((await run('calls judge 1 starter_simulation', around)).code, 1);
      assert.match(await fail(2, 'calls judge 1 starter_text', around), /^error: There is no simulation to judge by/);
    },
    { saying: { 'server/evals/starter_simulation.yaml': 'fails' } },
  );
});
