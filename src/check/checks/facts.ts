import type { MachineCredentials } from '../../catalog/index.ts';
import type { RevealedSecret } from '../../deploy/context/contents.ts';
import type { requirementsOf } from '../../existing/needs.ts';
import type { openResolved } from '../../existing/open-project.ts';
import type { PackageManager } from '../../existing/package-manager.ts';
import type { readPyproject } from '../../existing/pyproject.ts';
import type { parseDotEnv } from '../../formats/dotenv.ts';
import type { NoContents } from '../../paths/read.ts';
import type { PartName } from '../../project/client.ts';
import { type Environment, shellPath } from '../../shells.ts';

/** What the checks look at. Everything is gathered first, so that a check is a function. */
export interface Facts {
  project: ReturnType<typeof openResolved>;
  /** The project's text files that botcli wrote, and its Python files, by path. */
  texts: ReadonlyMap<string, string>;
  /** Why there is no text of some Python files and directories: words that follow the name. */
  unread: ReadonlyMap<string, string>;
  pyproject: ReturnType<typeof readPyproject>;
  /** The files that belong to the project's choices, and don't exist. Each as a path in the project. */
  missing: readonly string[];
  /** Those of them that git can restore. */
  restorable: ReadonlySet<string>;
  /**
   * The files with a secret that git tracks or doesn't ignore; or the repository, if git refuses to read it because it
   * is another user's. Absent: git wasn't asked.
   */
  git?: { revealing: readonly (RevealedSecret & { path: string; isTracked: boolean })[] } | { refused: string };
  /** Whether a deploy is checked, too. */
  isDeploying: boolean;
  /** The directories that interrupted runs of botcli have left. */
  remains: readonly string[];
  requirements: ReturnType<typeof requirementsOf>;
  /** The Python files that Python can't compile. */
  refused: ReadonlyMap<string, Refusal>;
  /** What the user's own code names that the framework will drop. */
  going: readonly string[];
  env: EnvFacts;
  machine: MachineFacts;
  client: ClientFacts | undefined;
  /** Writes a path in the project as seen from the working directory, for messages and commands. */
  place(path: string): string;
}

/** The env file, and the shell's own variables. */
interface EnvFacts {
  /** Its path in the project; where it belongs if there is none. */
  path: string;
  /** Why it can't be read: absent, or something else that follows its name. */
  problem: NoContents | 'is not UTF-8 text' | 'contains NUL bytes' | undefined;
  /** Empty if it can't be read. */
  file: ReturnType<typeof parseDotEnv>;
  /** Other env files that the code names. */
  more: readonly EnvFacts['file'][];
  /** The files of the code that get values from elsewhere. */
  sources: readonly string[];
  /** The env files that git tracks. */
  tracked: readonly string[];
  shell: Environment;
}

/** Why Python can't compile a file. */
export interface Refusal {
  /** Counted from 1; undefined if Python doesn't say. */
  line: number | undefined;
  why: string;
}

interface MachineFacts {
  /** The version of Node.js. */
  node: string;
  /** The version of uv; empty if it doesn't say, why it can't be asked, or undefined if there is no uv. */
  uv: string | { problem: string } | undefined;
  /** Which of the credentials that services look for it has. */
  credentials: readonly MachineCredentials[];
  /** What to listen on, and whether something else does. */
  ports: readonly Port[];
  /** The Ollama on this machine that the code uses, and the models that it has: undefined if it doesn't answer. */
  ollama: { isUsual: boolean; model: string; models: readonly string[] | undefined } | undefined;
}

interface Port {
  number: number;
  part: PartName;
  /** Whether a variable sets it. Such a port isn't named. */
  isSet: boolean;
  isFree: boolean;
}

interface ClientFacts {
  /** Whether its package.json is a JSON object. */
  isReadable: boolean;
  /** `engines.node` of its package.json. */
  engines: string | undefined;
  /** The program that installs its packages. */
  manager: PackageManager;
  /** Whether that has run. */
  isInstalled: boolean;
  /** The packages in package.json that aren't installed, or not in a version that it accepts. */
  mismatched: readonly string[];
}

/** The value of a variable that the bot will see: of an env file, or of the shell if it is empty there. */
export function valueFor(
  name: string,
  { file, more = [], shell }: Pick<EnvFacts, 'file' | 'shell'> & Partial<EnvFacts>,
): string | undefined {
  const written = [file, ...more].map(({ entries }) => entries.get(name)?.value).find(Boolean);
  return written || shell[name] || undefined;
}

/** A command with the project's directory as its argument, unless that is the current one. */
export const inDirectory = (command: string, directory: string): string =>
  directory === '.' ? command : `${command} ${shellPath(directory)}`;
