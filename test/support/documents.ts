import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The absolute path of a file in the repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const readText = (path: string): string => readFileSync(inRepository(path), 'utf8');

/** The documents in this repository. */
export const DOCUMENTS = [
  'README.md',
  'docs/create.md',
  'docs/update.md',
  'docs/check.md',
  'docs/dev.md',
  'docs/programs.md',
  'docs/reference.md',
  'docs/deploy.md',
  'docs/secrets.md',
  'docs/generators.md',
  'packages/botcli/README.md',
  'packages/create-botcli/README.md',
  'CONTRIBUTING.md',
  'docs/layout.md',
  'docs/decisions.md',
  'CHANGELOG.md',
] as const;

interface Block {
  language: string;
  text: string;
}

const FENCE = /^( *)```(\S*)\n([\s\S]*?)^\1```$/gm;
const SHELLS = ['bash', 'sh', 'zsh', 'fish', 'powershell'];

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(FENCE)].map(([, , language = '', text = '']) => ({ language, text }));

/** The text without its fenced blocks. */
export const proseOf = (markdown: string): string => markdown.replace(FENCE, '');

/** The inline code in sentences and tables. Line breaks in it become spaces. */
export const inlineCodeOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, code = '']) => code.replace(/\s*\n\s*/g, ' '));

/** A command typed at a prompt, and the output that the document shows. */
interface Exchange {
  line: string;
  output: string;
}

/** The commands in `console` blocks: after each `$`, a line and its output. */
export function exchangesOf(markdown: string): Exchange[] {
  const consoles = blocksOf(markdown).filter(({ language }) => language === 'console');
  return consoles.flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map(part => ({ line: part.slice(0, part.indexOf('\n')), output: part.slice(part.indexOf('\n') + 1) })),
  );
}

/** The command lines in shell blocks, with continued lines joined. */
export function shellLinesOf(markdown: string): string[] {
  const shells = blocksOf(markdown).filter(({ language }) => SHELLS.includes(language));
  return shells.flatMap(({ text }) => linesOfScript(text));
}

export const linesOfScript = (script: string): string[] =>
  script
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

export function commandsOf(markdown: string): string[] {
  const inline = inlineCodeOf(markdown).filter(looksLikeCommand);
  const lines = [...shellLinesOf(markdown), ...exchangesOf(markdown).map(({ line }) => line), ...inline];
  return [...new Set(lines.flatMap(line => line.split(' && ')))];
}

/** Whether inline code is a command: a program's name, possibly after variables, followed by more words. */
const looksLikeCommand = (code: string): boolean => /^(?:[A-Z_]+=\S+ )*[a-z.][\w./@-]* \S/.test(code);
