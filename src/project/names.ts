import { capitalize } from '../text.ts';

const MOST_SLUG_CHARACTERS = 50;

/** Words in names of directories that say nothing about a bot. */
const GENERIC = /^(my|the|new|voice|bot|botcli|assistant|agent|quickstart|demo|test|app|project|\d+)$/;

/**
 * The project's name for machines (pyproject.toml, package.json, cloud-deploy.toml): lowercase letters, digits and single
 * hyphens, starting and ending with a letter or digit, from 2 to 54 characters. It's `bot` if nothing is left, and ends in
 * `-bot` if it would otherwise be one character, which the cloud refuses, or the name of a required package: the project
 * would require itself. Then comes the hash of a name in another script.
 */
export function slugOf(name: string, requirements: readonly string[] = []): string {
  const slug = inLatin(name) || 'bot';
  const isTaken = slug.length === 1 || requirements.some(one => one.split(/[^a-z0-9-]/, 1)[0] === slug);
  return slug + (isTaken ? '-bot' : '') + hashIn(name);
}

const inLatin = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MOST_SLUG_CHARACTERS)
    .replace(/-+$/, '');

/**
 * What tells a name in another script from others, such as `-1x2y3z4`, if its Latin letters don't: two bots with one name
 * would be one agent. Nothing for other names.
 */
function hashIn(name: string): string {
  const isForeign = /[^\p{Script=Latin}\P{L}]|\p{So}/u.test(name);
  const saysLittle = (word: string) => word.length <= 2 || GENERIC.test(word);
  if (!isForeign || !inLatin(name).split('-').every(saysLittle)) return '';
  // FNV-1a. Letters with accents have two forms.
  const bytes = [...Buffer.from(name.normalize('NFKC'))];
  const hash = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
  return `-${hash.toString(36).padStart(7, '0')}`;
}

const PATH = /^(?:\.{1,2}|~|[a-z]:|(?=[/\\]))(?:[/\\]|$)/i;

/** The name that people read: of a path, such as `../my-bot`, its last part. Slashes in other names stay, as in `24/7`. */
export function readableName(name: string): string {
  if (!PATH.test(name)) return name;
  const parts = name.split(/[/\\]/).map(part => part.trim());
  return parts.findLast(part => !/^(?:\.*|~|[a-z]:)$/i.test(part)) ?? 'bot';
}

/**
 * The bot's name for people. A name made for directories becomes words, such as `Harbor Dental`, or `Assistant` if it says
 * nothing, such as `my-bot`.
 */
export function titleOf(given: string): string {
  const name = readableName(given);
  if (!/^[a-z0-9]+([-_][a-z0-9]+)*$/.test(name)) return name;
  const words = name.split(/[-_]/);
  if (words.every(word => GENERIC.test(word))) return 'Assistant';
  return words.map(capitalize).join(' ');
}
