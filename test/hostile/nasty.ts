// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells and env files have references, too
/** A text that grows with a number, out of parts that readers stumble over: a beginning, a part that repeats, an end. */
type Recipe = readonly [begin: string, part: string, end?: string];

/** Texts that have made some reader slow, or might: each part repeats until the text has the wanted size. */
const RECIPES: readonly Recipe[] = [
  ...[...' \t\r\n\\"\'`#=-./,:@0_', '\r\n', '\\\n', '#\n'],
  ...['a', 'A', 'é', '🎉', '\u200B', '\0', '\uFEFF', 'a ', 'a\n', 'a=\n', 'A=1\n', ' \n', 'a.', 'a-', '.1', '1e', '1.'],
  ...['(', '[', '{', '<', '((', '[{', '{"a":', '[1,', ')', ']', '}', '>', '()', '[]', '{}', '${', '${a:', '${A}', '$('],
  ...['"a\\', "'a\\'", '"""', "'''", 'f"{', 'f"{a:{', "f'{a!r:", '\\N{', 'r"', 'b"\\x'],
  ...['lambda:', 'lambda a:', 'for a in ', '[a for a in ', 'if ', 'a;', 'a if b else ', 'import a,', '.a'],
  ...['@', 'a:=', 'in '],
  ...['A_ENV=["a",', 'os.environ["A"],', 'os.getenv(', 'a=b=', '(a,', '*a,', 'def f(a=', '"a" in os.environ '],
  ...['<<<<<<< a\n', '=======\n', '||||||| a\n', '>>>>>>> a\n', '<<<<<<<\n=======\n', '<', '=', '>'],
  ...['*', '!', '!a\n', '**/', '[!', '\\ ', '# ---\n', '# --- a\n\nA=\n', '# A=\n', 'export ', 'export A='],
  ...['A="\\', "A='", 'A="\n'],
  ...['[a]\n', '[[a]]\n', 'a=[\n', 'a = ["b",\n', 'a="""\n', 'a.b.', '{a=', '"a",\n', 'dependencies = ["a"]\n'],
  ...['Value=', 'password=', '--a-key ', 'mysql -p', 'eyJhbGci', 'encryptedData:\n ', 'API key: '],
  ...['<!-- Written by botcli ', 'npx botcli@1.0.0 init . -', "npx botcli@1 init . 'a'\n", '<!--', '-->'],
].map(part => ['', part] as const);

const FRAMED: readonly Recipe[] = [
  ['X=a', ' ', 'b'],
  ['X=', '${', ''],
  ['X=', '${', ':x'],
  ['A=', 'a', '\nB=${A}${A}\n'],
  ['"', '\\"', ''],
  ['"aiohttp', ' ', '@x;y"'],
  ['aiohttp', ' ', '@x;y'],
  ['aiohttp @ x', ' ', 'y'],
  ['aiohttp[', 'a,', ''],
  ['aiohttp>=1', ' ', ';'],
  ['aiohttp;', ' ', 'x'],
  ['(', 'a ', ''],
  ['[', ' ', 'x'],
  ['[', 'a ', '#'],
  ['a = """\n[', ' ', 'x\n"""'],
  ['[project]\ndependencies = [', ' ', 'x'],
  ['[project]\ndependencies = [\n', '"a",\n', ']\n'],
  ['[project.optional-dependencies]\n', 'a = ["b"]\n', ''],
  ['<<<<<<< a\n', '=======\n', '>>>>>>> a\n'],
  ['<<<<<<< a\n', '=======\n', ''],
  ['', '>>>>>>> botcli 1\n', ''],
  ['<!-- Written by botcli ', '.', ' -->'],
  ['<!-- Written by botcli 1', ' ', '-->x'],
  ['\u001b', ';#', ''],
  ['\u001b[', '1;', ''],
  ['', '\u001b]0;', ''],
  ['', '\u009d', ''],
  ['https://', 'a.', '!'],
  ['https://a/', '/', '!'],
  ['x = ', '(', ''],
  ['x = f"', '{', '"'],
  ['x = """', '"" ', ''],
  ['x = "', 'a\\', '"'],
  ['def f(', 'a: int = 1, ', '): pass\n'],
  ['{"a": "', '\\u0041', '"}'],
  ['{', '"A": "b",', '"z": ""}'],
  ['', '[', '1'],
  ...[
    ...['import a,', 'const {', 'const [', 'const {a:{', 'function a', '(a) ', '({a}', 'a=>', '} a', '&& ', '/*'],
    ...['<a>', '{a}\n ', 'if (a) ', 'a(b)', 'a<b>(', 'a {', '&a', '<p>'],
  ].map(part => ['', part] as const),
  ['const {', '{}', ''],
  ['const [', '[a],', ''],
  ['a = ["A"]\n', 'a = a + a\n'],
  ['REQUIRED_ENV = ["A"]\n', 'REQUIRED_ENV += REQUIRED_ENV\n'],
  ['import a\na', '.b'],
];

/** What the numbers in a text count: rows that all differ. */
const NUMBERED: readonly ((at: number) => string)[] = [
  at => `A${at}=${at}\n`,
  at => `A${at}=$\{A${at - 1}}$\{A${at - 1}}\n`,
  at => `os.environ["A${at}"]\n`,
  at => `a${at} = ["b${at}"]\n`,
  at => (at === 0 ? 'a0 = ["A"]\n' : `a${at} = [*a${at - 1}, *a${at - 1}]\n`),
  at => (at === 0 ? 'a0 = []\n' : `a${at} = [*a${at - 1}, "A${at}"]\n`),
  at => `import a${at}\n`,
  at => `from a${at} import *\nb${at}.c\n`,
  at => `from a${at} import b\n`,
  at => `def f${at}(a): return a${at}\n`,
  at => (at === 0 ? 'class A0(BaseSettings): a: str\n' : `class A${at}(A${at - 1}): a${at}: str\n`),
  at => `[a${at}]\nb = ${at}\n`,
  at => `# --- ${at}\n# a\nA${at}=\n`,
  at => `a${at}/\n!b${at}\n`,
  at => `const a${at} = ${at};\n`,
  at => `${' '.repeat(at % 40)}const {a${at}} = b(${at} => a${at});\n`,
  at => `"a${at}": ["b"],\n`,
];

/** A kind of text, as a function of its length. */
export interface Nasty {
  name: string;
  text(length: number): string;
}

const shown = (text: string) => JSON.stringify(text).slice(1, -1);

/** Many rows that all differ. */
export const ROWS: readonly Nasty[] = NUMBERED.map(row => ({
  name: shown(row(7)),
  text: length => Array.from({ length: Math.ceil(length / row(1000).length) }, (_, at) => row(at)).join(''),
}));

export const NASTY: readonly Nasty[] = [
  ...[...RECIPES, ...FRAMED].map(([begin, part, end = '']) => ({
    name: `${shown(begin)}…${shown(part)}…${shown(end)}`,
    // An even number of quotes, at each length: open ones take another path than closed ones.
    text: (length: number) => begin + part.repeat(2 * Math.ceil(length / part.length / 2)) + end,
  })),
  ...ROWS,
];
