import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { COMMANDS, main } from '../../src/bin/main.ts';
import { createTerminal, type Terminal } from '../../src/shell/terminal.ts';
import { shellWords } from './shell-words.ts';
import { fingerprint, inTree, readTree, type Tree } from './trees.ts';

export type { Tree } from './trees.ts';

/** The options of a bot that needs one key, for tests that don't care which bot they create. */
export const BOT = '-t rtc_local -m cascade --stt openai_stt --llm openai_llm --tts openai_tts';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The result of a command line in a session. */
export interface SessionOutcome extends Outcome {
  /** The waits that the program asked for, in milliseconds. Tests wait only a hundredth of that. */
  waits: number[];
}

/** The environment of a command line. Without `input`, reading stdin fails the test. */
export interface Surroundings {
  /** The working directory, relative to the session's directory. */
  cwd?: string;
  input?: string | Buffer;
  env?: Terminal['env'];
  /** Called instead of waiting, with the time in milliseconds. */
  onWait?(ms: number): void;
}

/** A separate working directory, in which command lines run one after another. */
export interface Session {
  readonly directory: string;
  /** Runs a command line without the program's name. A string is split as in a shell; an array is used as is. */
  run(line: string | readonly string[], surroundings?: Surroundings): Promise<SessionOutcome>;
  /** Runs a line that must succeed, and returns its stdout. */
  succeed(line: string | readonly string[], surroundings?: Surroundings): Promise<string>;
  /** Runs a line that must fail with this exit code, print nothing to stdout and change no file. Returns stderr. */
  fail(code: 1 | 2, line: string | readonly string[], surroundings?: Surroundings): Promise<string>;
  read(path: string): string;
  write(path: string, contents: string): void;
  remove(path: string): void;
  exists(path: string): boolean;
  /** Every file with its content. */
  tree(): Tree;
  /** The state of the disk, for comparing: names, contents, links, modes, inodes, times. */
  disk(): Record<string, string>;
}

/** A test that runs in a new directory with the files in `before`. */
export function session(before: Tree, use: (session: Session) => Promise<void>): () => Promise<void> {
  return () => inTree(before, directory => use(openSession(directory, (...line) => typeLine(directory, ...line))));
}

/** A test with this title that runs in a new directory with the files in `before`. */
export const itIn = (title: string, before: Tree, use: Parameters<typeof session>[1]) =>
  it(title, session(before, use));

/** Such a test in an empty directory. */
export const sessionIt = (title: string, use: Parameters<typeof session>[1]) => itIn(title, {}, use);

/** A session in this directory, which runs lines with `run`. */
export function openSession(directory: string, run: Session['run']): Session {
  const disk = () => fingerprint(directory);
  return {
    directory,
    run,
    async succeed(line, surroundings) {
      const { code, stdout, stderr } = await run(line, surroundings);
      assert.equal(code, 0, stderr);
      return stdout;
    },
    async fail(code, line, surroundings) {
      const before = disk();
      const outcome = await run(line, surroundings);
      assert.deepEqual({ code: outcome.code, stdout: outcome.stdout }, { code, stdout: '' }, outcome.stderr);
      assert.deepEqual(disk(), before);
      return outcome.stderr;
    },
    read: path => readFileSync(join(directory, path), 'utf8'),
    write: (path, contents) => writeFileSync(join(directory, path), contents),
    remove: path => rmSync(join(directory, path)),
    exists: path => existsSync(join(directory, path)),
    tree: () => readTree(directory),
    disk,
  };
}

export async function typeLine(directory: string, line: string | readonly string[], surroundings: Surroundings = {}) {
  const { terminal, written, waits } = openRecorded(directory, surroundings);
  const code = await main(typeof line === 'string' ? shellWords(line) : line, terminal);
  return { code, ...written, waits };
}

/** A terminal in this directory, what is written to it, and the waits that the program asked for. */
export function openRecorded(directory: string, { cwd = '.', input, env = {}, onWait }: Surroundings = {}) {
  const written = { stdout: '', stderr: '' };
  const collect = (stream: keyof typeof written) =>
    new Writable({
      decodeStrings: false,
      write(chunk, _, done) {
        written[stream] += chunk;
        done();
      },
    });
  const stdin =
    input === undefined
      ? new Readable({ read: () => assert.fail('stdin was read, but the test provides no input') })
      : Readable.from([Buffer.from(input)]);
  const streams = { env, cwd: () => join(directory, cwd), stdin, stdout: collect('stdout'), stderr: collect('stderr') };
  const waits: number[] = [];
  const sleep: Terminal['sleep'] = async (ms, signal) => {
    waits.push(ms);
    onWait?.(ms);
    // Give concurrent work a chance to run.
    await sleepFor(onWait ? 0 : ms / 100, undefined, { signal }).catch(() => signal?.throwIfAborted());
  };
  return { terminal: createTerminal(streams as never, { commands: COMMANDS, sleep }), written, waits };
}
