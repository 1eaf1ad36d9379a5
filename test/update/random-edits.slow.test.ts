import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { BOT, type Session, sessionIt } from '../support/session.ts';

/** An edit of one place, which is a fraction of the file's lines. */
interface Edit {
  path: string;
  place: number;
  deed: keyof typeof DEEDS;
}

/** What may happen to the lines of a file. */
const DEEDS = {
  insert: (lines: string[], at: number, mark: string) => lines.splice(at, 0, mark),
  change: (lines: string[], at: number, mark: string) => lines.splice(at, 1, `${lines[at]}  ${mark}`),
  remove: (lines: string[], at: number) => lines.splice(at, 1),
  'remove a block': (lines: string[], at: number) => lines.splice(at, 6),
  repeat: (lines: string[], at: number) => lines.splice(at, 0, lines[at] ?? ''),
  move: (lines: string[], at: number) => lines.push(...lines.splice(at, 1)),
};

const FILES = ['server/bot.py', 'server/pyproject.toml', 'server/.env.example', 'README.md', '.gitignore'];

const OPTIONS = [
  ...['--eval', '--recording', '--observability', '--tts cartesia_tts', '--realtime openai_realtime', '--language de'],
  ...['-t rtc_local -t tel_a', '-t rtc_hosted', '--client-framework vanilla', '--no-deploy-to-cloud', '--name Other'],
];

const edits = fc.array(
  fc.record<Edit>({
    path: fc.constantFrom(...FILES),
    place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    deed: fc.constantFrom(...(Object.keys(DEEDS) as (keyof typeof DEEDS)[])),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Edits the project, and returns the marks that must stay in each file. */
function apply({ read, write }: Session, made: readonly Edit[]): [path: string, mark: string][] {
  for (const [number, { path, place, deed }] of made.entries()) {
    const lines = read(`bot/${path}`).split('\n');
    DEEDS[deed](lines, Math.floor(place * lines.length), `# mine-${number}-`);
    write(`bot/${path}`, lines.join('\n'));
  }
  return FILES.flatMap(path =>
    (read(`bot/${path}`).match(/# mine-\d+-/g) ?? []).map((mark): [string, string] => [path, mark]),
  );
}

/** Updates the project. Either it is updated with all edits, or nothing is written. */
async function updateOnce(opened: Session, options: string, marks: readonly [string, string][]): Promise<void> {
  const { run, read, disk } = opened;
  const before = disk();
  const dry = await run(`update bot ${options} --dry-run`);
  assert.deepEqual(disk(), before);
  const { code, stderr } = await run(`update bot ${options}`);
  assert.equal(code, dry.code);
  if (code !== 0) {
    assert.equal(code, 1, stderr);
    assert.match(stderr, /between your edits and this update\. Nothing was written\./);
    assert.deepEqual(disk(), before);
    await run(`update bot ${options} --conflicts markers`);
  }
  for (const [path, mark] of marks) assert(read(`bot/${path}`).includes(mark), `${path} has lost ${mark}`);
  if (code !== 0) return;
  const after = disk();
  await opened.succeed('update bot');
  assert.deepEqual(disk(), after, 'the second run changed something');
}

describe('botcli update', () => {
  sessionIt('keeps any edits, or changes nothing', async opened => {
    const { directory, succeed } = opened;
    await succeed(`init made ${BOT} --name bot`);
    await fc.assert(
      fc.asyncProperty(edits, fc.constantFrom(...OPTIONS), async (made, options) => {
        rmSync(join(directory, 'bot'), { recursive: true, force: true });
        cpSync(join(directory, 'made'), join(directory, 'bot'), { recursive: true });
        await updateOnce(opened, options, apply(opened, made));
      }),
      { numRuns: 10, interruptAfterTimeLimit: 20_000 },
    );
  });
});
