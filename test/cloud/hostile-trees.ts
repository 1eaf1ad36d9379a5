import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomOf } from '../support/random.ts';

interface Entry {
  name: string;
  /** Default: a file. A link's text is its target, as a symbolic or a hard link. */
  kind?: 'link' | 'hard' | 'pipe' | 'directory';
  text?: string;
  isExecutable?: boolean;
  /** botcli doesn't pack it, and the client would: why. The client gets the directory without it. */
  isOnlyOurs?: true;
}

/** A directory to upload. */
export interface HostileTree {
  entries: Entry[];
  /** The lines of `.dockerignore`, if there is one. */
  lines?: string[];
  /** `patterns` of `[build.exclude]`. */
  patterns: string[];
  /** The client ignores the rules: the exception says what it gets. */
  isWithoutRules?: true;
  /** Why the client's directory isn't exactly ours. */
  exceptions: string[];
}

const PARTS = [
  'a B bot.py src Data x.log x.pyc __pycache__ build .cache node_modules .hidden CON ..a ... a. 000000 ustar',
  `GNUSparseFile.0 @PaxHeader -rf -- $(x) it's a"b a\\b a:b #x !x ~ [a] [!a] * ? a*b {a,b} a|b %20`,
  'grüße gru\u0308ße ß 日本 😀 \uE000 \uFF5E \u200D \u202Ex a\u007Fb',
]
  .flatMap(names => names.split(' '))
  .concat(' ', 'with space', 'a\nb', 'a\tb', 'é'.repeat(100), 'w'.repeat(255))
  .concat([99, 100, 101].map(size => 'n'.repeat(size)));
const SIZES = [0, 1, 100, 511, 512, 513, 1023, 4096, 10_239, 10_240, 65_535, 65_536, 262_144, 262_145];

/** The tree with this number. Every third one has an exception. */
export function hostileTree(number: number): HostileTree {
  const dice = randomOf(number + 1);
  const pick = <One>(some: readonly One[]): One => some[dice(some.length)] as One;
  const path = () => Array.from({ length: 1 + dice(dice(8) === 0 ? 12 : 4) }, () => pick(PARTS)).join('/');
  const entries: Entry[] = [{ name: 'Dockerfile', text: 'FROM base\n' }];
  const add = (entry: Entry): void => {
    const path = `${entry.name}/`;
    const isTaken = ({ name }: Entry) => path.startsWith(`${name}/`) || name.startsWith(path);
    if (!entries.some(isTaken)) entries.push(entry);
  };
  for (let count = 5 + dice(80); count > 0; count -= 1) {
    const name = path();
    const chance = dice(12);
    if (chance === 0) add({ name, kind: 'directory' });
    else if (chance === 1) add({ name, kind: 'link', text: '..' });
    else if (chance <= 3) add({ name: pick(PARTS), kind: 'link', text: 'Dockerfile' });
    else if (chance === 4) add({ name, kind: 'hard', text: 'Dockerfile' });
    else add({ name, text: pick(['x', '\0', 'ü']).repeat(pick(SIZES)), isExecutable: dice(4) === 0 });
  }
  const rules = Array.from({ length: dice(6) }, () => ruleFor(pick(pick(entries).name.split('/')), dice));
  const tree: HostileTree = { entries, patterns: [], exceptions: [] };
  if (dice(3) > 0) tree.lines = rules;
  else tree.patterns = rules;
  if (number % 3 === 0) EXCEPTIONS[(number / 3) % EXCEPTIONS.length]?.(tree);
  return tree;
}

/** A pattern that may match this name, and that the client and Docker read alike. */
function ruleFor(part: string, dice: ReturnType<typeof randomOf>): string {
  const at = dice(part.length);
  const rule = [
    part,
    `${part}/`,
    `./${part}`,
    `  ${part} \t`,
    `*${part.slice(1)}`,
    `${part.slice(0, at)}*`,
    `${part.slice(0, at)}?${part.slice(at + 1)}`,
    `${part.slice(0, at)}[a-z]${part.slice(at + 1)}`,
    `[!${part[0]}]${part.slice(1)}`,
    `${part}/*`,
    `*/${part}`,
    `# ${part}`,
  ][dice(12)] as string;
  // What follows is read differently, on purpose: see the exceptions.
  return rule
    .replace(/^(\s*)[!/]+/, '$1')
    .replace(/\\/g, '')
    .replace(/\*{2,}/g, '*');
}

/** Each changes a tree so that the archives differ, and takes from the client's what makes the difference. */
const EXCEPTIONS: ((tree: HostileTree) => void)[] = [
  only(
    'env files and git are never packed',
    named('.env', '.env.example', 'sub/.env.local', '.ENV', '.envrc', '.git/config', 'sub/.git'),
  ),
  only('private keys need a ! line', named('x.pem', 'sub/x.key', 'ca.PEM/x')),
  only('other secrets need a ! line', named('id_rsa', 'sub/.netrc', 'prod.env')),
  only('so do files with a secret in them', [
    { name: 'app.json', text: '{"type": "service_account"}' },
    { name: 'sub/env.local', text: `OPENAI_API_KEY=${'a1B2c3D4e5F6g7H8'.repeat(2)}` },
  ]),
  only('links must not leave the context', [
    { name: 'outside', kind: 'link', text: '../outside.txt' },
    { name: 'sub/passwd', kind: 'link', text: '/etc/passwd' },
  ]),
  only('a link, too, must not lead to a secret', [
    { name: '.env', text: 'KEY=1' },
    { name: 'server.key', text: 'secret' },
    { name: 'to-env', kind: 'link', text: '.env' },
    { name: 'to-key', kind: 'link', text: 'server.key' },
    { name: 'again', kind: 'hard', text: '.env' },
  ]),
  only('nobody waits for a pipe', [
    { name: 'pipe', kind: 'pipe' },
    { name: 'to-pipe', kind: 'link', text: 'pipe' },
  ]),
  tree => {
    tree.lines = [...(tree.lines ?? []), '/top', '**/any', 'data/**/tmp'];
    only('Docker reads more patterns', named('top/x', 'any', 'data/tmp'))(tree);
    tree.entries.push({ name: 'sub/top' });
  },
  tree => {
    for (const entry of tree.entries) entry.isOnlyOurs = true;
    tree.lines = ['*', '!Dockerfile', '!kept', '!data/x/*.csv', '!ca.pem', 'kept/old'];
    tree.entries = tree.entries.filter(({ name }) => !/^(kept|data|ca\.pem)(\/|$)/.test(name));
    only('the client knows no ! lines', named('kept/old', 'data/x/y.txt', 'data/y.csv', 'a.pem'))(tree);
    tree.entries.push(...named('kept/x', 'kept/y/z', 'data/x/y.csv', 'ca.pem'));
    for (const entry of tree.entries) if (entry.name === 'Dockerfile') delete entry.isOnlyOurs;
    tree.isWithoutRules = true;
  },
];

function named(...names: string[]): Entry[] {
  return names.map(name => ({ name }));
}

function only(reason: string, entries: readonly Entry[]): (tree: HostileTree) => void {
  return tree => {
    const names = entries.map(({ name }) => name.split('/')[0]);
    tree.entries = tree.entries.filter(({ name }) => ![...names, 'sub'].includes(name.split('/')[0]));
    for (const entry of entries) tree.entries.push({ ...entry, isOnlyOurs: true });
    tree.exceptions.push(reason);
  };
}

/** Writes a tree, as botcli gets it or as the client does. */
export function growHostileTree(directory: string, tree: HostileTree, isOurs: boolean): void {
  mkdirSync(directory, { recursive: true });
  if (tree.lines && (isOurs || !tree.isWithoutRules)) {
    writeFileSync(join(directory, '.dockerignore'), tree.lines.join('\r\n'));
  }
  for (const { name, kind, text = name, isExecutable, isOnlyOurs } of tree.entries) {
    if (isOnlyOurs && !isOurs) continue;
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (kind === 'directory') mkdirSync(path);
    else if (kind === 'link') symlinkSync(text, path);
    else if (kind === 'hard') linkSync(join(directory, text), path);
    else if (kind === 'pipe') execFileSync('mkfifo', ['--', path]);
    else writeFileSync(path, text);
    if (!kind) chmodSync(path, isExecutable ? 0o755 : 0o644);
  }
}
