import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDotEnv } from '../../src/formats/dotenv.ts';
import { randomOf } from '../support/random.ts';
import { expectNone, type Report } from './report.ts';
import { runUv, WORKSHOP } from './workshop.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in env files
/** What env files are made of here: parts of lines, and what Python or JavaScript takes for white space or a line end. */
const PARTS = [
  ...['A', 'B', 'KEY', 'x', 'y z', 'é', '😀', '=', '=', '=', '#', ':-', 'export ', 'export', '\\', '\\n', '\\"', "\\'"],
  ...['\\\\', '\\$', '\\a', '\\x', '${A:=x}', '${A?x}', '${A:-${B}}'],
  ...['"', "'", '"a"', "'b'", '`', '$A', '${', '}', '${A}', '${B:-x}', '\n', '\n', '\n', '\r\n', '\r', '\f', '\v'],
  ...[' ', '\t', '\0', '\x1C', '\x1F', '\x85', '\u00A0', '\u180E', '\u200B', '\u2028', '\uFEFF'],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same

/** Prints the names and values of each text in a JSON file. */
const READ = `
import json, logging, os, sys
from io import StringIO
from dotenv import dotenv_values
logging.disable()
os.environ.clear()
with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([dotenv_values(stream=StringIO(text, newline=None)) for text in json.load(file)]))
`;

/** Checks that our reader of env files finds the variables that python-dotenv finds, in random texts. */
export async function checkEnvReader(report: Report, only?: string): Promise<void> {
  if (only !== undefined && only !== 'env-reader') return;
  await report.check('env-reader', 'agrees with python-dotenv', async () => {
    const random = randomOf(1);
    const text = () => Array.from({ length: 1 + random(14) }, () => PARTS[random(PARTS.length)]).join('');
    const texts = Array.from({ length: 20_000 }, text);
    await mkdir(WORKSHOP, { recursive: true });
    await writeFile(join(WORKSHOP, 'env-files.json'), JSON.stringify(texts));
    const python = ['run', '--no-project', '--with', 'python-dotenv==1.2.4', 'python', '-c', READ, 'env-files.json'];
    const values: Record<string, string | null>[] = JSON.parse((await runUv(python)).stdout);
    const differences = texts.flatMap((text, at) => {
      const ours = [...parseDotEnv(text).entries.values()].map(({ name, value = null }) => [name, value]);
      const [theirs, read] = [Object.entries(values[at] ?? {}), ours].map(all => JSON.stringify(all.sort()));
      return read === theirs ? [] : [`${JSON.stringify(text)}: ${read}, but ${theirs}`];
    });
    return expectNone(differences.slice(0, 10), `${texts.length} texts`);
  });
}
