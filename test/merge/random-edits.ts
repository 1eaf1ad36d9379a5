/** Changes a text. It has several results where people may do it at several places, and none where it can't be done. */
export type Edit = (text: string) => string[];

type Random = (limit: number) => number;

/** Lines of a text that belong together, because the others are further in: a statement, a rule, an element, a table. */
interface Piece {
  start: number;
  end: number;
  indent: string;
  text: string;
  parent: string;
  after?: string;
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';
const closes = (line: string): boolean => /^\s*([)\]}]|<\/|\/>|>)/.test(line);

const keyOf = ({ parent, indent }: Piece): string => `${indent}${parent}`;

const known = new Map<string, Piece[]>();

function piecesIn(text: string): Piece[] {
  const pieces = known.get(text) ?? readPieces(text);
  if (known.size > 100) known.clear();
  known.set(text, pieces);
  return pieces;
}

function readPieces(text: string): Piece[] {
  const lines = text.split('\n');
  const open: Piece[] = [];
  const pieces = lines.flatMap((line, start): Piece[] => {
    if (line.trim() === '' || closes(line)) return [];
    const indent = indentOf(line);
    let end = start + 1;
    for (let at = end; at < lines.length; at += 1) {
      const next = lines[at] ?? '';
      const isIn = indentOf(next).length > indent.length || (indentOf(next) === indent && closes(next));
      if (next.trim() === '') continue;
      if (!isIn) break;
      end = at + 1;
    }
    while ((open.at(-1)?.indent.length ?? -1) >= indent.length) open.pop();
    const piece = { start, end, indent, text: line.trim(), parent: open.at(-1)?.text ?? '' };
    open.push(piece);
    return [piece];
  });
  const last = new Map<string, Piece>();
  for (const piece of pieces) {
    const before = last.get(keyOf(piece));
    if (before) before.after = piece.text;
    last.set(keyOf(piece), piece);
  }
  return pieces;
}

/** The only piece with a text below a parent. */
function find(text: string, wanted: string | undefined, parent: string): Piece | undefined {
  const found = wanted === undefined ? [] : piecesIn(text).filter(one => one.text === wanted && one.parent === parent);
  return found.length === 1 ? found[0] : undefined;
}

const splice = (text: string, start: number, end: number, rows: readonly string[]): string =>
  text
    .split('\n')
    .toSpliced(start, end - start, ...rows)
    .join('\n');

/** The first line of a piece with the comments above it. */
function aboveOf(text: string, { start }: Piece): number {
  const lines = text.split('\n');
  let at = start;
  while (at > 0 && /^\s*(\/\/|\/\*.*\*\/$|# (?!---))/.test(lines[at - 1] ?? '')) at -= 1;
  return at;
}

/** Lines that may be next to a piece; nothing if it isn't clear. */
function linesNextTo(path: string, { text, indent }: Piece, last: string, name: string): string[] | undefined {
  if (/\.[jt]sx?$/.test(path)) {
    if (text.startsWith('import ')) return [`import { ${name} } from './${name}';`];
    if (/^<|^\{/.test(text)) return [`<p>${name}</p>`];
    if (/,$/.test(last)) return /^\w+:/.test(text) ? [`${name}: 1,`] : undefined;
    const isStatement = /^(const|let|return|if|for|await|export|function|async|\w+\()/.test(text) && /[;}]$/.test(last);
    if (!isStatement) return undefined;
    return indent === '' ? ['', `export const ${name} = 1;`, ''] : [`if (${name}) {`, `  ${name}.go();`, '}'];
  }
  if (path.endsWith('.css')) {
    if (/^[^@].*\{$/.test(text)) return ['', `.${name} {`, '  color: red;', '}', ''];
    return /^[\w-]+:.*;$/.test(text) ? [`--${name}: 1px;`] : undefined;
  }
  if (path.endsWith('.html'))
    return /^<(meta|link|title|script|div|main)/.test(text) ? [`<div id="${name}"></div>`] : undefined;
  if (path.endsWith('.toml')) {
    if (text.startsWith('"')) return [`"${name}>=1",`];
    return /^[\w.-]+ = /.test(text) && indent === '' ? [`${name} = 1`] : undefined;
  }
  if (path.endsWith('.env.example'))
    return text.startsWith('# ---') ? undefined : [`# About ${name}`, `${name.toUpperCase()}=`];
  if (path.endsWith('.json')) return /^"/.test(text) && /,$/.test(last) ? [`"${name}": 1,`] : undefined;
  return /^- /.test(text) ? [`- ${name} is here`] : undefined;
}

/** What to change in a line, by the kind of its file. */
const VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/\.env\.example$/, /(?<==).*$/],
  [/\.md$/, /\b[a-z]{4,}\b/],
  [/\.css$/, /(?<=: )[^;{}]+(?=;)/],
  [/\.(?:[jt]sx?|toml|html)$/, /(?<=["'])[\w .-]+(?=["'])|\b\d+\b/],
];

type Maker = (path: string, piece: Piece, lines: readonly string[], name: string) => Edit | undefined;

const insert: Maker = (path, piece, lines, name) => {
  const rows = linesNextTo(path, piece, lines[piece.end - 1]?.trim() ?? '', name);
  return (
    rows &&
    (text => {
      const put = (at: number, indent: string) =>
        splice(
          text,
          at,
          at,
          rows.map(row => row && indent + row),
        );
      const [one, next] = [find(text, piece.text, piece.parent), find(text, piece.after, piece.parent)];
      return [...(one ? [put(one.end, one.indent)] : []), ...(next ? [put(aboveOf(text, next), next.indent)] : [])];
    })
  );
};

const remove: Maker = (path, piece, lines) => {
  const isCode = /\.[jt]sx?$/.test(path);
  if (isCode && /^(import|function|export|return|const .*\{$)|[{(]$/.test(piece.text)) return undefined;
  if (path.endsWith('.json') && !/,$/.test(lines[piece.end - 1] ?? '')) return undefined;
  const own = lines.slice(piece.start, piece.end).join('\n');
  return text => {
    const one = find(text, piece.text, piece.parent);
    const isSame = one && text.split('\n').slice(one.start, one.end).join('\n') === own;
    return isSame ? [splice(text, path.endsWith('.md') ? one.start : aboveOf(text, one), one.end, [])] : [];
  };
};

const change: Maker = (path, piece, _, name) => {
  const found = VALUES.find(([files]) => files.test(path))?.[1].exec(piece.text);
  if (!found || /^(import|export \*|\[)/.test(piece.text) || (path.endsWith('.toml') && /^"/.test(piece.text)))
    return undefined;
  const now = /^\d+$/.test(found[0]) ? '77' : path.endsWith('.css') ? '77px' : name;
  const row = piece.text.slice(0, found.index) + now + piece.text.slice(found.index + found[0].length);
  return text => {
    const one = find(text, piece.text, piece.parent);
    return one ? [splice(text, one.start, one.start + 1, [one.indent + row])] : [];
  };
};

const wrap: Maker = (path, piece, lines, name) => {
  const last = lines[piece.end - 1]?.trim() ?? '';
  const isTag = /^<\w/.test(piece.text) && /(^<\/|\/>|<\/\w+>)/.test(last);
  const isStatement = piece.indent !== '' && /^(if|for|\w+\(|await|\w+\.\w+\()/.test(piece.text) && /[;}]$/.test(last);
  const around =
    /\.[jt]sx$/.test(path) && isTag
      ? [`<div className="${name}">`, '</div>']
      : /\.[jt]sx?$/.test(path) && isStatement
        ? [`if (${name}) {`, '}']
        : path.endsWith('.css') && /^[^@].*\{$/.test(piece.text) && piece.indent === ''
          ? [`@media (${name}) {`, '}']
          : undefined;
  return (
    around &&
    (text => {
      const one = find(text, piece.text, piece.parent);
      if (!one) return [];
      const inner = text
        .split('\n')
        .slice(one.start, one.end)
        .map(line => line && `  ${line}`);
      return [splice(text, one.start, one.end, [one.indent + around[0], ...inner, one.indent + around[1]])];
    })
  );
};

const comment: Maker = (path, piece, _, name) => {
  const words =
    /\.[jt]sx?$/.test(path) && /[;{}]$/.test(piece.text) && !/^[<{.?:&|]/.test(piece.text)
      ? `// ${name}`
      : path.endsWith('.css')
        ? `/* ${name} */`
        : path.endsWith('.toml')
          ? `# ${name}`
          : undefined;
  return words === undefined || /^<|\/>/.test(piece.parent)
    ? undefined
    : text => {
        const one = find(text, piece.text, piece.parent);
        return one ? [splice(text, one.start, one.start, [one.indent + words])] : [];
      };
};

const rename: Maker = (path, piece, lines, name) => {
  const [, old] = /^(?:async )?(?:function|const|let) (\w{3,})\b/.exec(piece.text) ?? [];
  if (old === undefined || !/\.[jt]sx?$/.test(path)) return undefined;
  // Only where each word is surely the name.
  const other = new RegExp(
    `\\.${old}\\b|['"\`>][^'"\`<>\\n]*\\b${old}\\b|\\b${old}\\b\\s*[:,]|\\{[^}\\n]*\\b${old}\\b`,
  );
  const isSure = (text: string) =>
    !other.test(text) && text.match(new RegExp(`\\b(const|let|function) ${old}\\b`, 'g'))?.length === 1;
  return isSure(lines.join('\n'))
    ? text => (isSure(text) ? [text.replace(new RegExp(`\\b${old}\\b`, 'g'), `${old}_${name}`)] : [])
    : undefined;
};

/** What a formatter does. */
const format: Maker = (path, piece) => {
  const styles: readonly ((text: string) => string)[] = /\.[jt]sx?$|\.css$/.test(path)
    ? [
        text => text.replace(/^(?: {2})+/gm, spaces => '\t'.repeat(spaces.length / 2)),
        text => text.replace(/^(?: {2})+/gm, spaces => spaces + spaces),
      ]
    : path.endsWith('.md')
      ? [text => text.replace(/^- /gm, '* ')]
      : [text => text.replace(/\n\n+/g, '\n')];
  const style = styles[piece.start % styles.length];
  return style && (text => [style(text)]);
};

const MAKERS = [insert, insert, insert, remove, change, change, wrap, wrap, comment, rename, format];

/** Makes some edits of a text. Returns them with the text that they give. */
export function makeEdits(path: string, text: string, random: Random, who: string): { text: string; edits: Edit[] } {
  const edits: Edit[] = [];
  let now = text;
  const wanted = 1 + random(3);
  for (let tries = 0; tries < 20 && edits.length < wanted; tries += 1) {
    const times = new Map<string, number>();
    for (const { text: own, parent } of piecesIn(now))
      times.set(`${parent}/${own}`, (times.get(`${parent}/${own}`) ?? 0) + 1);
    const pieces = piecesIn(now).filter(({ text: own, parent }) => times.get(`${parent}/${own}`) === 1);
    const [piece, make] = [pieces[random(pieces.length)], MAKERS[random(MAKERS.length)]];
    if (!piece || !make || (make === format && edits.length < wanted - 1)) continue;
    const edit = make(path, piece, now.split('\n'), `${who}${random(1000)}`);
    const edited = edit?.(now)[0];
    if (!edit || edited === undefined || edited === now) continue;
    now = edited;
    edits.push(edit);
  }
  return { text: now, edits };
}

/** The texts that edits give when they're made in another text. */
export const replay = (text: string, edits: readonly Edit[]): string[] =>
  edits.reduce<string[]>((texts, edit) => [...new Set(texts.flatMap(edit))].slice(0, 8), [text]);
