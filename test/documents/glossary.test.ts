import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCUMENTS } from '../support/documents.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Words that read as translated in any text for people, and what to write instead. */
const GLOSSARY: readonly [pattern: RegExp, instead: string][] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\btold\b/i, 'printed, reported'],
  [/\btaken back\b/i, 'undone'],
  [/\bno way leads\b/i, 'no route'],
  [/\bstands for\b/i, 'means'],
  [/\bleft out\b/i, 'if omitted, by default'],
  [/\bin words\b/i, 'in plain language, as a message'],
  [/\bbelongs into\b/i, 'belongs in'],
  [/\bnothing says\b/i, 'name what is missing'],
  [/\bshall\b/i, 'should, must'],
];

/** The translated words in a text, each with what to write instead. */
const translated = (text: string): string[] =>
  GLOSSARY.flatMap(([pattern, instead]) => {
    const [word] = pattern.exec(text) ?? [];
    return word ? [`"${word}": write ${instead}`] : [];
  });

const filesIn = (folder: string, isRead: (path: string) => boolean): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter(isRead);

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The strings of a module, which people may read when it runs. */
const literals = (module: string): string[] =>
  (module.replaceAll(COMMENT, '').match(LITERAL) ?? []).map(literal => literal.replaceAll(/\$\{[^}]*\}/g, '…'));

const isTemplate = (path: string) => path.includes('/templates/') && !path.endsWith('.svg');
const isModule = (path: string) => path.endsWith('.ts') && !path.includes('/templates/');

const texts: [path: string, lines: string[]][] = [
  ...[...DOCUMENTS, ...filesIn('generators', isTemplate)].map(
    path => [path, read(path).split('\n')] as [string, string[]],
  ),
  ...[...filesIn('src', isModule), ...filesIn('generators', isModule)].map(
    path => [path, literals(read(path))] as [string, string[]],
  ),
];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('what people read', () => {
  it('has no word that reads as translated: messages, documents, generated files', () => {
    const found = texts.flatMap(([path, lines]) =>
      lines.flatMap(line => translated(line).map(what => `${path}: ${what}, in ${line.trim().slice(0, 100)}`)),
    );
    assert.deepEqual(found, []);
  });

  it('includes documents, templates and the strings of modules', () => {
    for (const part of ['README.md', 'bot.py.ejs', 'connection.ts', 'rules.ts', 'set.ts']) {
      assert(
        texts.some(([path, lines]) => path.endsWith(part) && lines.length > 5),
        part,
      );
    }
    const module = ["const a = 'mend it';", '/* beside */ f(`x $', '{told}`);'];
    assert.deepEqual(literals(module.join('')), ["'mend it'", '`x …`']);
  });

  it('is checked word by word', () => {
    assert.deepEqual(translated('Mended, and besides marshalled'), ['"Mended": write fix']);
  });
});
