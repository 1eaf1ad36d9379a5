import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/config/json-schema.ts';
import { type ScaffoldOption, scaffoldOptions } from '../src/config/options.ts';
import { ERROR_CODES } from '../src/error-codes.ts';
import { FINDING_CODES } from '../src/finding-codes.ts';

/** A file of the repository that is generated from the sources, and its expected contents. */
export interface GeneratedFile {
  path: string;
  contents: string;
}

/** Every file that `npm run generate` writes: the JSON Schema, and the README with its tables. */
export function generatedFiles(): GeneratedFile[] {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
  return [
    { path: 'schema/config.schema.json', contents: `${JSON.stringify(configSchema(), null, 2)}\n` },
    { path: 'README.md', contents: fillAll(readme) },
  ];
}

const fillAll = (readme: string): string =>
  Object.entries({
    options: optionTable(),
    'finding-codes': codeTable('code', 'what `botcli check` found', FINDING_CODES),
    'error-codes': codeTable('error.code', 'what happened', ERROR_CODES),
  }).reduce((document, [name, table]) => fill(document, name, table), readme);

/** Replaces the table between the two comments with this name. */
const fill = (document: string, name: string, table: string): string =>
  document.replace(new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`), () =>
    [`<!-- ${name} -->`, table, `<!-- /${name} -->`].join('\n'),
  );

function optionTable(): string {
  const rows = scaffoldOptions.map(({ flag, short, kind, key, help, default: preset }: ScaffoldOption) => {
    const long = kind === 'boolean' ? `--[no-]${flag}` : `--${flag}`;
    const repeatable = kind === 'list' ? ' (repeatable)' : '';
    const flags = short ? `\`${long}\`, \`-${short}\`` : `\`${long}\``;
    return `| ${flags} | \`${key}\` | ${help}${repeatable}${preset ? '; on by default' : ''} |`;
  });
  return ['| flag | key in the file | meaning |', '|---|---|---|', ...rows].join('\n');
}

function codeTable(key: string, title: string, codes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(codes).map(([code, description]) => `| \`${code}\` | ${description} |`);
  return [`| \`${key}\` | ${title} |`, '|---|---|', ...rows].join('\n');
}
