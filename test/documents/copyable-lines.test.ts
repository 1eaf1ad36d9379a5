import assert from 'node:assert/strict';
import { SERVICE_KINDS, serviceIds } from '../../src/catalog/index.ts';
import { findOption } from '../../src/config/options.ts';
import { cloudSession, SECRET } from '../support/cloud-session.ts';
import { BOT, itIn, session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

// People and coding agents copy commands from help, guides and messages, so each one must run. The documents of this
// repository are tested in test/documents.

/** The `botcli init` and `botcli update` lines of a text, in code blocks, in code within a sentence, and after "with:". */
function linesOf(text: string): string[] {
  const joined = text.replaceAll(/ \\\n\s*/g, ' ');
  const program =
    /(?:npx botcli(?:@[\w.-]+)?|botcli) ((?:init|update)\b[^`\n]*?)(?=, botcli|(?<=\S)\.(?= |$)| -->|`|$)/gm;
  return [...joined.matchAll(program)].map(([, line = '']) => line.trim());
}

/** A line with placeholders can't be run. */
const isComplete = (line: string) => !/…|DIRECTORY|FILE|OPTIONS|\bDIR\b/.test(line);

/** Runs a line in a directory within the session's own, since it may write next to it. */
async function checkLine(line: string): Promise<void> {
  await session({ 'here/.gitkeep': '' }, async ({ run, succeed }) => {
    if (line.startsWith('update')) await succeed(`init ${BOT}`, { cwd: 'here' });
    const { code, stdout, stderr } = await run(shellWords(line), { cwd: 'here' });
    if (line === 'init') assert.match(stderr, /Nothing to do: pass a directory or options/);
    else assert.deepEqual({ line, code, stderr }, { line, code: 0, stderr: '' });
    if (code === 0) assert(stdout.length > 0);
  })();
}

async function checkText(text: string, count: number): Promise<void> {
  const lines = [...new Set(linesOf(text).filter(isComplete))];
  assert(lines.length >= count, `only ${lines.length} lines were found: ${lines.join(', ')}`);
  for (const line of lines) await checkLine(line);
}

describe('each copyable command runs', () => {
  for (const [line, count] of [
    ['--help', 2],
    ['init --help', 4],
  ] as const) {
    itIn(`of ${line}`, {}, async ({ succeed }) => {
      const help = await succeed(line);
      await checkText(help.slice(help.indexOf('\nExamples:')), count);
    });
  }

  for (const [file, count] of [
    ['AGENTS.md', 4],
    ['GETTING_STARTED.md', 3],
  ] as const) {
    itIn(`of ${file}`, {}, async ({ succeed, read }) => {
      await succeed('init .');
      await checkText(read(file), count);
    });
  }

  for (const [about, options, count] of [
    ['a README', `--name "it's mine" --eval`, 2],
    ['the README of a phone bot', '-t tel_a --recording', 1],
    ['the README of a bot with a client', '--client-framework vanilla', 1],
    ['the README of a bot that speaks another language', '--language de --video-output', 2],
  ] as const) {
    itIn(`of ${about}`, {}, async ({ succeed, read }) => {
      await succeed(`init . ${BOT} ${options}`);
      await checkText(read('README.md'), count);
    });
  }

  it(
    'of AGENTS.md and a README, about the cloud',
    cloudSession({}, async ({ succeed, fail, read, run, write, cloud }) => {
      await succeed(`init . ${BOT}`);
      write('server/.env', `OPENAI_API_KEY=${SECRET}\n`);
      const text = read('AGENTS.md') + read('README.md');
      const found = text.matchAll(/(?:npx botcli(?:@[\w.-]+)?|(?<!-)botcli) ((?:cloud|check)\b[^`\n#]*)/g);
      const lines = [...new Set([...found].map(([, line = '']) => line.trim()))];
      assert(lines.length >= 4, lines.join());
      for (const line of lines) {
        // Logging in and confirming a change need a terminal.
        if (line.startsWith('check')) {
          // What it finds depends on the machine.
          assert.match((await run(line)).stdout, /Project: /, line);
          continue;
        }
        const asks = /auth login|(?:set|deploy)(?!.*--skip)/.test(line);
        // Following a log ends with the login.
        if (line.includes('--follow')) cloud.fault({ path: '/logs', after: 2, fault: { kind: 'answer', status: 401 } });
        if (asks) assert.match(await fail(2, line), /--token-stdin|--skip/, line);
        else assert.equal((await run(line)).code, line.includes('--follow') ? 1 : 0, line);
      }
    }),
  );

  itIn('of what a run prints, and of what a refusal says', {}, async ({ succeed, run }) => {
    await checkText(await succeed('init .'), 1);
    await checkText((await run('init')).stderr, 2);
    await checkText((await run('init . --mode x')).stderr, 2);
  });
});

describe('each copyable word exists', () => {
  itIn('in the guides: services, transports, modes and files', {}, async ({ succeed, read }) => {
    await succeed('init .');
    const text = read('AGENTS.md') + read('GETTING_STARTED.md');
    const ids = [...SERVICE_KINDS.flatMap(serviceIds), ...(findOption('transports').values ?? [])];
    const named = text.match(/\b[a-z_]+_(?:stt|llm|tts|realtime|video)\b|\b(?:rtc|tel)_[a-z_]+\b/g) ?? [];
    assert(named.length > 15);
    for (const word of named) assert(ids.includes(word), word);
  });

  itIn('in the guides: the options of botcli', {}, async ({ succeed, read }) => {
    const help = (await succeed('init --help')) + (await succeed('update --help'));
    await succeed('init .');
    const [, section = ''] = /\n## Scaffold\n([\s\S]*?)\n## /.exec(read('AGENTS.md')) ?? [];
    const flags = section.match(/--[a-z][a-z-]+/g) ?? [];
    assert(flags.length > 10);
    for (const flag of flags)
      assert(help.includes(flag.replace('--no-', '--[no-]')) || help.includes(`--[no-]${flag.slice(2)}`), flag);
  });
});
