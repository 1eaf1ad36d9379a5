import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cloudIt } from '../support/cloud-session.ts';
import { BIN } from '../support/program.ts';
import { BOT } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';
import { writeProgram } from '../support/systems.ts';

/** Modules that are slow to load, each with a string in its code. */
const HEAVY = {
  catalog: 'ElevenLabsTTSService',
  python: 'NUMBER = /0[xX]',
  joi: 'class AssertError',
  axios: 'AxiosError',
  yeoman: 'sharedFs',
  clack: 'clack:cancel',
  git: 'GitConstructError',
};

/** Which of them a command line loads. */
async function load(line: string, cwd: string, env: Record<string, string>): Promise<string[]> {
  const NODE_V8_COVERAGE = join(cwd, 'coverage');
  const surroundings = { cwd, env: { ...process.env, ...env, NODE_V8_COVERAGE } };
  await promisify(execFile)(process.execPath, [BIN, ...shellWords(line)], surroundings);
  const [report = ''] = readdirSync(NODE_V8_COVERAGE);
  const { result } = JSON.parse(readFileSync(join(NODE_V8_COVERAGE, report), 'utf8')) as { result: { url: string }[] };
  const files = result.map(({ url }) => url).filter(url => url.startsWith('file:'));
  assert(files.length > 0);
  const code = files.map(url => readFileSync(fileURLToPath(url), 'utf8')).join('\n');
  return Object.entries(HEAVY).flatMap(([name, mark]) => (code.includes(mark) ? [name] : []));
}

describe('the modules that a command line loads', () => {
  const lines: [line: string, loaded: string[]][] = [
    ['--version', []],
    ['--help', []],
    ['init --help', ['catalog']],
    ['init --list-options', ['catalog']],
    ['completion bash', []],
    ['guide calls', []],
    ['cloud secrets --help', []],
    [`init my-bot ${BOT} --dry-run`, ['catalog']],
    ['init quickstart', ['catalog', 'yeoman']],
    ['init guides', ['catalog', 'yeoman']],
    [`init my-bot ${BOT}`, ['catalog', 'yeoman']],
    [`init my-bot ${BOT} --name 'Ann’s bot' --dry-run`, ['catalog']],
    ['cloud secrets list', ['joi', 'axios']],
  ];
  for (const [line, loaded] of lines) {
    cloudIt(`${line}: ${loaded.join(' and ') || 'nothing heavy'}`, {}, async ({ directory, env }) =>
      assert.deepEqual(await load(line, directory, env), loaded),
    );
  }

  for (const line of ['update --recording', 'update --recording --dry-run', 'check']) {
    cloudIt(`${line}, after an edit: catalog and python`, {}, async ({ directory, env, succeed, read, write }) => {
      await succeed(`init . ${BOT}`);
      write('server/bot.py', read('server/bot.py').replace('friendly', 'patient'));
      write('server/.env', 'OPENAI_API_KEY=x\n');
      writeProgram(join(directory, 'uv'), 'echo uv 0.9.1');
      const PATH = `${directory}:${process.env.PATH}`;
      assert.deepEqual(await load(line, directory, { ...env, PATH }), ['catalog', 'python']);
    });
  }
});
