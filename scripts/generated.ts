import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/config/json-schema.ts';
import { type ScaffoldOption, scaffoldOptions } from '../src/config/options.ts';
import { ERROR_CODES } from '../src/error-codes.ts';

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
    { path: 'README.md', contents: fill(fill(readme, 'options', optionTable()), 'error-codes', errorTable()) },
  ];
}

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

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, description]) => `| \`${code}\` | ${description} |`);
  return ['| `error.code` | what happened |', '|---|---|', ...rows].join('\n');
}
