import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { isAbsolute, join } from 'node:path';
import valid from 'semver/functions/valid.js';
import { readPyproject } from '../existing/pyproject.ts';
import { readText } from '../paths/read.ts';
import { findProgram, onlyIn, shortAnswer, withOwnPrograms } from '../programs.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Environment } from '../shells.ts';
import { parsedJson } from '../std.ts';
import type { Facts, Refusal } from './checks/facts.ts';

/** What the checks ask of a machine. Tests pass their own. */
export type Machine = ReturnType<typeof thisMachine>;

/** How long uv and Python may take, in milliseconds. */
const PATIENCE = 20_000;

/** @param signal Ends what is asked. */
export const thisMachine = ({ env }: Pick<Terminal, 'env'>, signal?: AbortSignal) => ({
  /** The version of Node.js, without a `v`. */
  node: process.versions.node,
  /**
   * The version of uv on the PATH; empty if it doesn't say, or is in the project at `root`, where botcli runs nothing.
   * Undefined if there is no uv.
   */
  async uvVersion(root: string): Promise<Facts['machine']['uv']> {
    const program = findProgram('uv', env, root);
    if (!program) return onlyIn('uv', env, root) ? '' : undefined;
    const settings = { env: withOwnPrograms(env, root), patience: PATIENCE, signal };
    const answer = await shortAnswer([program, '--version'], settings);
    return 'output' in answer ? (valid(/^uv (\S+)/.exec(answer.output)?.[1]) ?? '') : answer;
  },
  /** The Python files of a project that Python can't compile. */
  refusedByPython: (root: string, paths: readonly string[]) => refusedByPython(root, paths, { env, signal }),
  /** Whether there is something at this path below the home directory. */
  hasAtHome: (path: string) => [env.HOME, env.USERPROFILE].some(home => home && existsSync(join(home, path))),
  isFree,
  ollamaModels,
});

/** The addresses that `localhost` may mean. */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Whether a program can listen on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of LOOPBACK) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** How many files to name. */
const MOST = 200;

/**
 * Compiles files as an import does, but keeps nothing and runs nothing. An older Python than the project's own says
 * nothing, since it may refuse what that one accepts.
 */
const COMPILE = `
import json, sys
request = json.loads(sys.stdin.buffer.read())
found = []
for path in request["paths"] if sys.version_info[:2] >= tuple(request["oldest"]) else []:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        found.append([path, getattr(error, "lineno", None), getattr(error, "msg", None) or str(error)])
    except Exception:
        pass
print(json.dumps(found[:${MOST}]))
`;

/**
 * Asks Python which files of a project it can't compile. Nothing is written, and nothing of the project runs, not even
 * the Python in its virtual environment. Without a Python that is new enough, there are none.
 *
 * @param paths Files in the project.
 */
export async function refusedByPython(
  root: string,
  paths: readonly string[],
  { env, signal }: { env: Environment; signal?: AbortSignal | undefined },
): Promise<Map<string, Refusal>> {
  if (paths.length === 0) return new Map();
  const release = releaseOf(root);
  const settings = { env: withOwnPrograms(env, root), patience: PATIENCE, signal };
  const python = (await foundByUv(release, root, settings)) ?? findProgram('python3', env, root);
  if (!python) return new Map();
  const places = new Map(paths.map(path => [join(root, path), path]));
  const input = JSON.stringify({ paths: [...places.keys()], oldest: release.split('.').map(Number) });
  // Without the directories of users and projects, and without what packages run when Python starts.
  const answer = await shortAnswer([python, '-I', '-S', '-B', '-W', 'ignore', '-c', COMPILE], { ...settings, input });
  const found = 'output' in answer ? parsedJson(answer.output) : undefined;
  return new Map(
    (Array.isArray(found) ? found : []).flatMap(([place, line, why]) => {
      const path = places.get(place);
      return path === undefined ? [] : [[path, { line: line || undefined, why: withoutValues(String(why)) }] as const];
    }),
  );
}

/** The Python that uv would install a project for. It isn't asked in the project, whose files can name any program. */
async function foundByUv(
  release: string,
  root: string,
  settings: Parameters<typeof shortAnswer>[1],
): Promise<string | undefined> {
  const uv = findProgram('uv', settings.env, root);
  if (!uv) return undefined;
  const words = ['--offline', '--no-config', 'python', 'find', '--system', '--no-project', `>=${release}`];
  const answer = await shortAnswer([uv, ...words], settings);
  const path = 'output' in answer ? answer.output.trim() : '';
  return isAbsolute(path) ? path : undefined;
}

/** The oldest Python that the framework runs on. */
const OLDEST_PYTHON = '3.11';

/** The release of Python that a project runs on, at least: that of its virtual environment, or the one it asks for. */
function releaseOf(root: string): string {
  const { python, pinned } = readPyproject(root);
  const installed = /^version(?:_info)?\s*=\s*(3\.\d+)/m.exec(readText(root, 'server/.venv/pyvenv.cfg') ?? '')?.[1];
  const asked = pinned ?? /(?:>=|==|~=)\s*(3\.\d+)/.exec(python ?? '')?.[1];
  return /^3\.\d+/.exec(installed ?? asked ?? '')?.[0] ?? OLDEST_PYTHON;
}

/** What Python says, unless a word in it may be a part of a key: it names arguments, for example. */
const withoutValues = (why: string): string => (/\w{25}|(?=[A-Za-z_]*\d)\w{8}/.test(why) ? 'invalid syntax' : why);

/** How long Ollama may take, in milliseconds. It lists its models at once. */
const OLLAMA_PATIENCE = 3000;

/** More bytes than a list of models has. */
const LARGEST_ANSWER = 2 ** 20;

/**
 * Asks Ollama for its models. No proxy gets the request, and no redirect is followed.
 *
 * @param address Any address of it, such as its `OLLAMA_BASE_URL`.
 * @returns Their names, such as `llama3.2:latest`; undefined if it doesn't answer as Ollama does.
 */
async function ollamaModels(address: URL): Promise<string[] | undefined> {
  // It takes time to load, and few bots need it.
  const { get } = await import('node:http');
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const signal = AbortSignal.timeout(OLLAMA_PATIENCE);
      get(new URL('/api/tags', address.origin), { agent: false, signal }, resolve).on('error', reject);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LARGEST_ANSWER) return undefined;
      chunks.push(chunk);
    }
    const { models } = JSON.parse(Buffer.concat(chunks).toString()) as { models: readonly { name: unknown }[] };
    return models.map(({ name }) => String(name));
  } catch {
    return undefined;
  }
}
