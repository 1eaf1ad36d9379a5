import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFacts } from '../../../src/check/gather.ts';
import { prepare } from '../../../src/dev/prepare.ts';
import type { Turn } from '../../../src/dev/talk/conversation.ts';
import { keepConversation } from '../../../src/dev/talk/keep.ts';
import { UserError } from '../../../src/errors.ts';
import { processesWith } from '../../support/left.ts';
import { readIfThere } from '../../support/running-dev.ts';
import { openRecorded } from '../../support/session.ts';
import { projectSaying, TOOLS } from '../../support/tools.ts';
import { inTree, readTree } from '../../support/trees.ts';

type ToolCall = Turn['calls'][number];

// Conversations are kept in a project, with a stand-in for uv.

type Kept = Awaited<ReturnType<typeof keepConversation>>;

interface Setting {
  name?: string;
  turns?: readonly Turn[];
  plain?: boolean;
  saying?: Record<string, string>;
  /** More files of the project. */
  files?: Record<string, string>;
  /** Stop as soon as the stand-in's journal contains this. */
  stopAt?: string;
}

const turn = (said: string, answer: string, ...calls: ToolCall[]): Turn => {
  return { said, answer, written: answer, last: answer, calls };
};

const CALL = { name: 'check', arguments: { day: 'friday' }, result: 1, seconds: 0 };
const TURNS = [turn('hello', 'Hello!'), turn('friday?', 'At six.', CALL)];
const KEY = 'sk-proj-Zx81kQm0LrT5vB2nY7wC4pJ9';
const ORDER = turn('where is order Zx81kQm0LrT5vB2n?', 'Sent.');

/** Keeps a conversation, and uses the result and the files that are new. */
const itKeeps = (
  title: string,
  { name = 'booking', turns = TURNS, plain = false, saying, files = {}, stopAt }: Setting,
  use: (kept: Kept | UserError, added: Record<string, string>) => void,
) => {
  const keep = async (root: string) => {
    const before = readTree(root);
    const journal = join(root, 'journal');
    const path = `${TOOLS}:${process.env.PATH}`;
    const env = { ...process.env, PATH: path, HOME: root, TMPDIR: root, FAKE_JOURNAL: journal };
    const { terminal, written } = openRecorded(root, { env });
    // As if something in it, which was typed as an option, were like a key.
    terminal.hidden.hide([ORDER.said]);
    const asked = new AbortController();
    const stop = { signal: asked.signal, hurry: new AbortController().signal };
    const watch = async () => {
      if (stopAt === undefined) return;
      while (!readIfThere(journal).includes(stopAt)) await sleep(50);
      asked.abort(new UserError('Stopped.', { reason: 'interrupted' }));
    };
    const watching = watch();
    const preparation = { files: readFacts('.', terminal), json: true, asks: false, port: 'any' } as const;
    const facts = await prepare(preparation, stop, terminal);
    assert(facts);
    // In the usual place, other tests have theirs.
    const { TMPDIR } = process.env;
    process.env.TMPDIR = root;
    const keeping = keepConversation({ facts, name, greeting: 'Hi!', turns, plain }, stop, terminal);
    const kept = await keeping.catch((error: UserError) => error);
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await watching;
    assert.deepEqual(written, { stdout: '', stderr: '' });
    assert(!readdirSync(root).some(one => one.startsWith('botcli-test-')));
    assert.deepEqual(processesWith(`HOME=${root}`), []);
    const { journal: _, ...after } = readTree(root) as Record<string, string>;
    for (const [path, text] of Object.entries(before)) assert.equal(after[path], text);
    use(kept, Object.fromEntries(Object.entries(after).filter(([path]) => !(path in before))));
  };
  it(title, async () => inTree({ ...(await projectSaying(saying, { enable_eval: true })), ...files }, keep));
};

const PATH = 'server/evals/booking.yaml';
const KEPT = { path: PATH, turns: 2, calls: 1, quoted: 0, failed: 0, tried: true, passed: true };
const criteriaIn = (text = '') => text.match(/(?<=eval: )[^\n]+/g);

describe('keeping a conversation', () => {
  itKeeps('writes a scenario whose criteria the model of the bot wrote, and runs it once', {}, (kept, added) => {
    assert.deepEqual(kept, KEPT);
    assert.deepEqual(Object.keys(added), [PATH]);
    const comes = (said: string) => `"The bot says what comes after: ${said}"`;
    assert.deepEqual(criteriaIn(added[PATH]), [comes('hello'), comes('friday?')]);
  });

  const quoting: [about: string, setting: Setting][] = [
    ['if that is asked for', { plain: true, saying: { 'server/evals/judge.py': 'hangs' } }],
    ['if the model fails', { saying: { 'server/evals/judge.py': 'fails' } }],
    ['if the model says nothing', { saying: { 'server/evals/judge.py': 'is silent' } }],
  ];
  for (const [about, setting] of quoting) {
    itKeeps(`quotes the bot ${about}`, setting, (kept, added) => {
      assert.deepEqual(kept, { ...KEPT, quoted: 2 });
      assert.deepEqual(criteriaIn(added[PATH]), ['"says the same as: Hello!"', '"says the same as: At six."']);
    });
  }

  for (const [name, id] of Object.entries({ 'booking.yaml': 'x', 'Booking.yml': 'x', 'other.yaml': 'booking' })) {
    const path = `server/evals/${name}`;
    const files = { [path]: `name: ${id}\n`, 'server/evals/booking-2.yaml': '' };
    itKeeps(`takes the next name if ${path} has it`, { files }, (kept, added) => {
      assert.deepEqual(kept, { ...KEPT, path: 'server/evals/booking-3.yaml', wanted: 'booking' });
      assert.match(added['server/evals/booking-3.yaml'] ?? '', /^name: booking-3$/m);
    });
  }

  for (const flaw of ['failed', 'interrupted'] as const) {
    itKeeps(`leaves out one that ${flaw}`, { turns: [...TURNS, { ...turn('and?', 'Wel'), flaw }] }, (kept, added) => {
      assert(!(kept instanceof UserError) && kept.turns === 2 && kept.failed === 1);
      assert.doesNotMatch(added[PATH] ?? '', /and\?|Wel/);
    });
  }

  itKeeps('keeps what only looks like a key', { turns: [ORDER] }, (_, added) =>
    assert.match(added[PATH] ?? '', /user: where is order Zx81kQm0LrT5vB2n\?\n/),
  );

  const logIn = { ...CALL, name: 'log_in', arguments: { key: KEY, day: 'friday' } };
  const telling = {
    plain: true,
    turns: [turn(`it is ${KEY}`, `Thanks: ${KEY}.`, logIn)],
    files: { 'server/.env': `OPENAI_API_KEY=${KEY}\n` },
  };
  itKeeps('keeps no key of .env, whoever says it', telling, (_, { [PATH]: text = '' }) => {
    assert.match(text, /user: it is …\n/);
    assert.match(text, /# Not compared: key\n +- name: log_in\n +args:\n +day: friday\n/);
    assert.deepEqual(criteriaIn(text), ['"says the same as: Thanks: …."']);
    assert.doesNotMatch(text, /Zx81kQ/);
  });

  const crashing = { saying: { 'server/bot.py': 'crashes' } };
  itKeeps('says why it does not pass with a bot that crashes', crashing, (kept, added) => {
    assert.deepEqual(kept, { ...KEPT, passed: false, why: 'The bot ended before it was ready, with exit code 3' });
    assert.deepEqual(Object.keys(added), [PATH]);
  });

  itKeeps('writes nothing under another kind of name', { name: '../booking' }, (kept, added) => {
    assert(kept instanceof UserError && kept.exitCode === 2);
    assert.deepEqual(added, {});
  });

  const asking = { saying: { 'server/evals/judge.py': 'hangs' }, stopAt: 'uv run python' };
  itKeeps('stops before it has written anything', asking, (kept, added) => {
    assert(kept instanceof UserError && kept.message === 'Stopped.');
    assert.deepEqual(added, {});
  });

  const trying = { saying: { 'server/bot.py': 'never gets ready' }, stopAt: 'uv run bot.py' };
  itKeeps('stops while the scenario runs, keeps it, and says that it was not tried', trying, (kept, added) => {
    assert.deepEqual(kept, { ...KEPT, tried: false, passed: false });
    assert.deepEqual(Object.keys(added), [PATH]);
  });
});
