import { join } from 'node:path';
import { OLLAMA } from '../catalog/llm.ts';
import { revealedIn } from '../deploy/context/contents.ts';
import { findTouched, loadFrameworkTable, readCode } from '../existing/framework.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { committedFiles, trackedFiles } from '../git.ts';
import { usualPorts } from '../project/client.ts';
import { featuresOf } from '../project/features.ts';
import { textHashOf } from '../project/files/state.ts';
import { frameworkPin, PIPECAT_RELEASE } from '../project/release.ts';
import type { Terminal } from '../shell/terminal.ts';
import { portIn, unique } from '../std.ts';
import { isLoopback } from '../this-computer.ts';
import { type Facts, valueFor } from './checks/facts.ts';
import { type Finding, runChecks } from './checks/finding.ts';
import { ollamaChecks } from './checks/machine.ts';
import { type FileFacts, readFacts } from './read.ts';
import { type Machine, thisMachine } from './this-machine.ts';

/** The env files that people commit by mistake. */
const ENV_FILES = ['server/.env', '.env', 'client/.env'];

/**
 * Adds what git and the machine know: it tries ports, asks uv for its version, and has Python
 * compile the project's files. It runs no code of the project.
 *
 * @param botPort The port of the bot that is about to start: a number, or any that is free if only the bot starts. Default: the usual one.
 */
export async function gatherFacts(
  files: FileFacts,
  machine: Machine,
  { env: shell }: Terminal,
  botPort?: number | 'any',
): Promise<Facts> {
  const { project, texts, missing, requirements, env } = files;
  const [restorable, committed, uv, refused, going, ports, ollama] = await Promise.all([
    trackedFiles(project.root, [...ENV_FILES, ...missing], shell),
    committedFiles(project.root, shell),
    machine.uvVersion(project.root),
    machine.refusedByPython(project.root, editedPython(files)),
    namesThatGo(files),
    botPort === 'any' ? [] : tryPorts(project, env, machine, botPort),
    askOllama(texts, env, machine),
  ]);
  const credentials = [...requirements.credentials.keys()].filter(({ files }) => files.some(machine.hasAtHome));
  const tracked = ENV_FILES.filter(path => restorable.has(path));
  return {
    ...files,
    restorable,
    refused,
    going,
    git: 'refused' in committed ? committed : { revealing: revealingAmong(committed.files, project.root, tracked) },
    env: { ...env, tracked },
    machine: { node: machine.node, uv, credentials, ports, ollama },
  };
}

/** The Python files that aren't as botcli wrote them. It wrote no other that Python refuses, and starting one takes time. */
const editedPython = ({ texts, project }: FileFacts): string[] =>
  [...texts].flatMap(([path, text]) =>
    path.endsWith('.py') && textHashOf(Buffer.from(text)) !== project.state.files.get(path) ? path : [],
  );

/** What the user's own code names that the framework will drop, as far as the release that the project has says so. */
async function namesThatGo(files: FileFacts): Promise<string[]> {
  const texts = editedPython(files).map(path => [path, files.texts.get(path) ?? ''] as const);
  const { code } = readCode(new Map(texts));
  if (code.length === 0) return [];
  const release = frameworkPin(files.texts.get(PYPROJECT) ?? '') ?? PIPECAT_RELEASE;
  const touched = findTouched(code, await loadFrameworkTable(), release, release);
  return unique(touched.map(({ change: { name, argument = '' } }) => `${name} ${argument}`));
}

/** The most files to look into. A project has fewer, or its data are in git, too. */
const MOST_FILES = 2000;

/** The files in which there is a secret. */
function revealingAmong(
  files: Exclude<Awaited<ReturnType<typeof committedFiles>>, { refused: string }>['files'],
  root: string,
  known: readonly string[],
) {
  return files
    .slice(0, MOST_FILES)
    .filter(({ path }) => !known.includes(path))
    .flatMap(file => {
      const secret = revealedIn(join(root, file.path));
      return secret ? [{ ...file, ...secret }] : [];
    });
}

/** Whether an address is this computer's. */
const isOwn = (address: URL): boolean => address.protocol === 'http:' && isLoopback(address);

/** Asks Ollama, if the code uses it and it is on this machine: a project doesn't decide who else gets a request. */
async function askOllama(
  texts: ReadonlyMap<string, string>,
  env: Parameters<typeof valueFor>[1],
  machine: Pick<Machine, 'ollamaModels'>,
): Promise<Facts['machine']['ollama']> {
  if (![...texts].some(([path, text]) => path.endsWith('.py') && text.includes(OLLAMA.modelEnv))) return undefined;
  const address = valueFor(OLLAMA.addressEnv, env) ?? OLLAMA.address;
  if (!URL.canParse(address) || !isOwn(new URL(address))) return undefined;
  const model = valueFor(OLLAMA.modelEnv, env) ?? OLLAMA.model;
  return { isUsual: address === OLLAMA.address, model, models: await machine.ollamaModels(new URL(address)) };
}

/** What keeps a project's language model from answering, if it runs on this machine. */
export async function findInOllama(directory: string, terminal: Terminal): Promise<Finding[]> {
  const { texts, env } = readFacts(directory, terminal);
  const ollama = await askOllama(texts, env, thisMachine(terminal));
  return runChecks('machine', ollamaChecks, { machine: { ollama } });
}

async function tryPorts(
  { config }: Facts['project'],
  env: Parameters<typeof valueFor>[1],
  machine: Machine,
  botPort?: number,
): Promise<Facts['machine']['ports']> {
  const usual = usualPorts(config);
  const ownPort = portIn(valueFor('PORT', env));
  const ports = [
    { part: 'bot' as const, number: botPort ?? usual.bot, isSet: false },
    ...(featuresOf(config).hasCallServer
      ? [{ part: 'call server' as const, number: ownPort ?? usual.calls, isSet: ownPort !== undefined }]
      : []),
    ...(config.generate_client ? [{ part: 'client' as const, number: usual.client, isSet: false }] : []),
  ];
  return Promise.all(ports.map(async port => ({ ...port, isFree: await machine.isFree(port.number) })));
}
