import { join } from 'node:path';
import { isSecret } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { emptyIn, fillIn, valueProblem } from '../formats/dotenv.ts';
import { exists, readBytes, readEnvFile } from '../paths/read.ts';
import { requiredBy, variableGroups } from '../project/variables.ts';
import { Cancelled, WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { changeEnvFile, obstacleTo } from '../writing/changes.ts';

const DOTENV = 'server/.env';

/** Whether a project has a `.env`, and which required variables have no value in it. */
export function readDotEnv(directory: string, config: ScaffoldConfig) {
  const isThere = exists(directory, DOTENV);
  const contents = isThere ? readEnvFile(join(directory, 'server')) : '';
  // Each byte is read as a character.
  const text = typeof contents === 'string' ? '' : contents.toString('latin1');
  return { exists: isThere, empty: emptyIn(text, requiredBy(config).project) };
}

const INSTEAD = `Put the keys into ${DOTENV} yourself.`;
const COMMON = { instead: INSTEAD, isJoined: true };

/** Asks for the keys that a new bot needs, puts them into its `.env`, and returns their names. Existing values stay. */
export async function offerKeys(
  config: ScaffoldConfig,
  directory: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { empty } = readDotEnv(directory, config);
  if (empty.length === 0) return [];
  const obstacle = obstacleTo(directory, DOTENV);
  if (obstacle) {
    terminal.note(`${obstacle}, so botcli can't put your keys there.`);
    return [];
  }
  try {
    const question = `Enter your keys now?\nThey're saved in ${DOTENV} and never shown.\nPress Enter to skip one.`;
    if (!(await terminal.confirm(question, { ...COMMON, initial: true, isFresh: true }))) return [];
    return await askForKeys({ config, directory, names: empty }, terminal);
  } catch (error) {
    if (error instanceof WentBack) return [];
    if (!(error instanceof Cancelled)) throw error;
    const { exitCode } = error;
    throw new UserError(`Cancelled. The bot was created; ${DOTENV} was not changed.`, {
      exitCode,
      reason: 'interrupted',
    });
  }
}

/**
 * Asks for variables that a project needs, puts them into its `.env`, and returns their names. Enter skips one, Esc the
 * rest, Ctrl-C all.
 *
 * @param needed `replaces`: whether they have values that others replace.
 */
export async function askForKeys(
  needed: { config: ScaffoldConfig; directory: string; names: readonly string[]; replaces?: boolean },
  terminal: Terminal,
): Promise<readonly string[]> {
  const { config, directory, names, replaces = false } = needed;
  const values = new Map<string, string>();
  try {
    for (const name of names) {
      const value = await askValue(name, describe(name, config), terminal);
      if (value !== '') values.set(name, value);
    }
  } catch (error) {
    if (!(error instanceof WentBack)) throw error;
  }
  const typed = [...values.keys()];
  if (typed.length === 0) return [];
  // The file is read again, because it may have changed during the questions. Latin-1 keeps each of its bytes.
  changeEnvFile(directory, DOTENV, old => {
    const text = (old ?? readBytes(directory, `${DOTENV}.example`) ?? Buffer.alloc(0)).toString('latin1');
    return Buffer.from(fillIn(replaces ? typed.reduce(withoutValue, text) : text, values), 'latin1');
  });
  terminal.note(`\n${terminal.noteStyle.green('✓')} ${DOTENV} has ${typed.join(', ')}`);
  return typed;
}

/** Asks for a value, which may be pasted with its name and in quotes. Asks again if several lines are pasted. */
async function askValue(name: string, question: string, terminal: Terminal): Promise<string> {
  const line = new RegExp(`^(?:export )?${name}=`);
  const keyIn = (typed: string) =>
    typed
      .trim()
      .replace(line, '')
      .replace(/^(["'])(.*)\1$/, '$2')
      .trim();
  const validate = (typed: string) => keyProblem(name, keyIn(typed));
  const countedLength = (typed: string) => keyIn(typed).length;
  try {
    return keyIn(await terminal.askHidden(question, { ...COMMON, countedLength, validate }));
  } catch (error) {
    if (!(error instanceof UserError && error.reason === 'usage')) throw error;
    terminal.note(`${error.message}, so nothing was taken. Paste only the key.`);
    return askValue(name, question, terminal);
  }
}

/** Why a text can't be the value of a variable: it's another variable's line, or what no key looks like. */
export function keyProblem(name: string, value: string): string | undefined {
  const [, other] = /^(?:export )?([A-Z][A-Z0-9_]*_[A-Z0-9_]*)=/.exec(value) ?? [];
  if (other) return `That is ${other}; this is ${name}. Paste it again`;
  if (isSecret(name) && /\s/.test(value)) return 'Keys have no spaces: paste it again';
  return valueProblem(value);
}

/** A variable with what it is: a key by the page that issues it, if that is known. */
function describe(name: string, config: ScaffoldConfig): string {
  const variable = variableGroups(config)
    .flatMap(({ variables }) => variables)
    .find(one => one.name === name);
  if (variable?.issuer) return `${name}, from ${variable.issuer}`;
  return [name, ...(variable ? [variable.description] : [])].join(': ');
}

/** A text without the value that botcli has written for a name. */
const withoutValue = (text: string, name: string): string =>
  text.replace(new RegExp(`^((?:export )?${name}=)(?:'[^'\\r\\n]*'|[\\w./:+=@,%-]*)(?=\\r?$)`, 'gm'), '$1');
