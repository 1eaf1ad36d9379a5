import coerce from 'semver/functions/coerce.js';
import lt from 'semver/functions/lt.js';
import satisfies from 'semver/functions/satisfies.js';
import { OLLAMA } from '../../catalog/llm.ts';
import { installIn } from '../../existing/package-manager.ts';
import { PINNED, PYPROJECT } from '../../existing/pyproject.ts';
import { onOneLine } from '../../text.ts';
import type { Facts } from './facts.ts';
import { type Checks, type Detail, type GroupResult, runChecks, warning } from './finding.ts';

/** The first release of uv that reads the dependency groups in a project's pyproject.toml. */
const OLDEST_UV = '0.4.27';

/** The line that installs uv, as its documentation has it. */
export const INSTALL_UV =
  process.platform === 'win32'
    ? 'powershell -ExecutionPolicy ByPass -c "irm https://astral.sh/uv/install.ps1 | iex"'
    : 'curl -LsSf https://astral.sh/uv/install.sh | sh';

/** Whether the language model of a bot answers, if it runs on this machine. */
export const ollamaChecks: Checks<{ machine: Pick<Facts['machine'], 'ollama'> }> = {
  'ollama-silent': ({ machine: { ollama } }) =>
    ollama &&
    !ollama.models && {
      message: `Ollama doesn't answer at ${ollama.isUsual ? OLLAMA.address : `the address of ${OLLAMA.addressEnv}`}`,
      hint: `If it isn't installed, get it from ${OLLAMA.install}.`,
      fix: { command: 'ollama serve' },
    },
  'ollama-model-missing'({ machine: { ollama } }) {
    if (!ollama?.models || ollama.models.includes(withTag(ollama.model))) return undefined;
    const isUsual = ollama.model === OLLAMA.model;
    return {
      message: `Ollama doesn't have ${isUsual ? OLLAMA.model : `the model of ${OLLAMA.modelEnv}`}`,
      ...(isUsual
        ? { fix: { command: `ollama pull ${OLLAMA.model}` } }
        : { hint: 'Download it with ollama pull, or choose one of ollama list.' }),
    };
  },
};

/** Whether this machine can run the project. */
export const checkMachine = (facts: Facts): GroupResult => {
  const findings = runChecks('machine', machineChecks, facts);
  return { group: 'machine', findings, passed: passedMachine(facts), isPartial: true };
};

/** What is right about a machine, also if something else isn't. */
function passedMachine({ machine: { uv, ports } }: Facts): string {
  if (typeof uv !== 'string' || (uv !== '' && lt(uv, OLDEST_UV))) return '';
  const free = ports.filter(({ isFree }) => isFree).map(({ isSet, number }) => (isSet ? 'PORT' : number));
  const named = free.length === 1 ? `port ${free[0]} is free` : `ports ${free.join(', ')} are free`;
  const installed = ['uv', uv, 'is installed'].filter(Boolean).join(' ');
  return free.length > 0 ? `${installed}, ${named}` : installed;
}

const machineChecks: Checks<Facts> = {
  'uv-missing': ({ machine }) =>
    machine.uv === undefined && {
      message: "uv isn't installed, or isn't on the PATH",
      hint: `Install it, and open a new terminal: ${INSTALL_UV}`,
      fix: { command: INSTALL_UV },
    },
  'uv-broken': ({ machine: { uv } }) =>
    typeof uv === 'object' && { message: `uv ${uv.problem}`, hint: 'See what it says to: uv --version' },
  'uv-too-old': ({ machine: { uv } }) =>
    typeof uv === 'string' &&
    uv !== '' &&
    lt(uv, OLDEST_UV) && {
      message: `uv ${uv} is too old: projects need ${OLDEST_UV} or newer`,
      hint: 'If a package manager installed uv, update it with that instead.',
      fix: { command: 'uv self update' },
    },
  'python-version'({ pyproject: { python = '', pinned }, place }) {
    const range = python.replaceAll(',', ' ');
    const version = pinned && coerce(pinned);
    if (!version || !/^[\d.<>= ]+$/.test(range) || satisfies(version, range)) return undefined;
    const message = `${place(PINNED)} asks for Python ${pinned}, but ${place(PYPROJECT)} requires ${python}`;
    return { message, hint: 'Change one of them.' };
  },
  'port-in-use': warning(facts =>
    facts.machine.ports.filter(({ isFree }) => !isFree).map(port => describePort(port, facts)),
  ),
  ...ollamaChecks,
  'node-version': ({ client, machine: { node } }) =>
    client?.engines !== undefined &&
    !satisfies(node, client.engines) && {
      message: `The web client doesn't run on Node.js ${node}: its package.json requires ${client.engines}`,
      hint: 'Install another version: https://nodejs.org',
      fix: { url: 'https://nodejs.org' },
    },
  'client-packages'({ client, place }) {
    if (client?.isReadable === false) {
      return { message: `${place('client/package.json')} is not valid JSON`, hint: 'Fix it, or restore it from git.' };
    }
    if (!client || (client.isInstalled && client.mismatched.length === 0)) return undefined;
    const modules = place('client/node_modules');
    const message = client.isInstalled
      ? `${modules} doesn't match package.json: ${client.mismatched.join(', ')}`
      : `The web client's packages aren't installed: there is no ${modules}`;
    const fix = { command: installIn(client.manager, place('client')) };
    return { level: 'warning', message, hint: 'botcli dev installs them, too.', fix };
  },
};

/** A model's name as Ollama lists it. */
const withTag = (model: string): string => (model.includes(':') ? model : `${model}:latest`);

function describePort({ part, number, isSet }: Facts['machine']['ports'][number], { client, place }: Facts): Detail {
  const name = part === 'calls' ? 'call server' : part;
  const message = `Something already listens on ${isSet ? 'the port of PORT' : `port ${number}`}, which the ${name} uses`;
  const hints = {
    bot: "If it isn't the bot itself, stop it, or start the bot on another port, as botcli dev does.",
    calls: `If it isn't server.py itself, stop it, or set PORT in ${onOneLine(place('server/.env'))}.`,
    client: `If it isn't the client itself, ${client?.manager.name ?? 'npm'} run dev chooses another one and prints its address.`,
  };
  const fix = part === 'bot' && { fix: { command: `uv run bot.py --port ${number + 1}` } };
  return { message, hint: hints[part], ...fix };
}
