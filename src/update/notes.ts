import { DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import { isImport } from '../formats/python/imports.ts';
import { readPython } from '../formats/python/module.ts';
import type { Token } from '../formats/python/tokens.ts';
import { findCopies } from '../merge/index.ts';
import { onOneLine } from '../printable.ts';
import { unique } from '../unique.ts';
import { type FileUpdate, type Situation, writtenText } from './files.ts';
import { findOwnCode } from './uses.ts';

/** What the user should look at after an update, because botcli leaves it alone: a sentence without a full stop each. */
export const findNotes = (root: string, updates: readonly FileUpdate[], situation: Situation): string[] => [
  ...updates.flatMap(update => copiesIn(update, situation)),
  ...findStale(root, updates, situation),
  ...updates.flatMap(leftInCloud),
];

/** An agent that the project no longer names. It may be deployed, and an update asks no platform. */
function leftInCloud({ path, change }: FileUpdate): string[] {
  if (path !== DEPLOY_FILE) return [];
  const [before, after] = [change?.before, change?.after].map(text => text && parseDeployFile(text.toString()));
  const [old, next, secrets] = [before?.agentName, after?.agentName, after?.secretSet].map(
    name => name && onOneLine(name),
  );
  if (old === undefined || old === next) return [];
  const withSecrets = secrets ? `, with the secret set ${secrets}` : '';
  const what = next ? `the next deploy makes the agent ${next}${withSecrets}` : 'no longer names an agent';
  return [`${path}: ${what}. If ${old} is deployed, it stays until you delete it`];
}

/** Copies of a function that changes. */
function copiesIn(update: FileUpdate, situation: Situation): string[] {
  const { path, action, change } = update;
  const [base, botcli] = [writtenText(update, situation), situation.botcli.get(path)];
  if (action !== 'merged' || !path.endsWith('.py') || !change?.before || !change.after || !base || !botcli) return [];
  if (!mayHaveCopies(change.before, base)) return [];
  const versions = { user: change.before.toString(), base: base.toString(), botcli: botcli.toString() };
  return findCopies(versions, change.after.toString()).map(
    ({ copy, original }) => `${path}: ${copy} looks like ${original}, and stays as it is`,
  );
}

/** Whether some of botcli's lines are in the user's text again, which takes less time than to read it. */
function mayHaveCopies(user: Buffer, base: Buffer): boolean {
  const [mine, before] = [user, base].map(text =>
    text
      .toString()
      .split('\n')
      .map(line => line.trim()),
  );
  const old = new Set(before?.filter(line => line.length > 20));
  const again = mine?.filter(line => old.has(line)) ?? [];
  return again.length - unique(again).length >= FEWEST_LINES;
}

const FEWEST_LINES = 8;

/** An import of services, as botcli writes it. */
const SERVICES = /^from pipecat\.services\.\S+ import (?:\(([^)]*)\)|(.*))$/gm;

/** Where the user's code has the class of a service that the bot no longer has. */
function findStale(root: string, updates: readonly FileUpdate[], situation: Situation): string[] {
  const changed = updates.filter(({ path, change }) => path.endsWith('.py') && change);
  const before = changed.flatMap(update => servicesIn(writtenText(update, situation)));
  const now = new Set([...situation.botcli].flatMap(([path, text]) => (path.endsWith('.py') ? servicesIn(text) : [])));
  const gone = unique(before).filter(name => !now.has(name));
  return findOwnCode(root, updates, gone).flatMap(({ path, text }) =>
    gone.flatMap(name => {
      const lines = unique(linesWith(name, text));
      const more = lines.length > 1 ? ` (and in ${lines.length - 1} more lines)` : '';
      return lines.length === 0
        ? []
        : [`${onOneLine(path)}:${lines[0]} still uses ${name}, and the bot no longer does${more}`];
    }),
  );
}

/** The classes of services that a text of botcli's imports. */
const servicesIn = (text: Buffer | undefined): string[] =>
  [...(text?.toString() ?? '').matchAll(SERVICES)].flatMap(([, spread = '', line = '']) =>
    (spread || line).split(',').flatMap(name => (/Service\w*$/.test(name.trim()) ? name.trim() : [])),
  );

const linesWith = (name: string, text: string): number[] =>
  statementsOf(text)
    .filter(tokens => !isImport(tokens))
    .flat()
    .flatMap(({ kind, code, line }) => (kind === 'name' && code === name ? [line + 1] : []));

const statementsOf = (text: string): Token[][] => readPython(text).statements.map(({ tokens }) => tokens);
