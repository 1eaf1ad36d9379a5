import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npxOf } from '../src/about.ts';
import { FINDING_CODES } from '../src/check/checks/finding.ts';
import { describeOption, type ScaffoldOption, scaffoldOptions } from '../src/config/options.ts';
import { ERROR_CODES } from '../src/errors.ts';
import { unique } from '../src/std.ts';

/** A file of the repository that is generated from the sources, and its expected contents. */
interface GeneratedFile {
  path: string;
  contents: () => string;
}

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

/**
 * Every file that `npm run generate` writes: the JSON Schema, the tables of the reference, and what has the version of
 * package.json. `npm version` runs it.
 */
export function generatedFiles(): GeneratedFile[] {
  const manifest = JSON.parse(read('package.json'));
  return [
    { path: 'src/version.ts', contents: () => versionModule(manifest) },
    ...ALIASES.map(alias => ({
      path: `packages/${alias.name}/package.json`,
      contents: () => `${JSON.stringify(aliasManifest(alias, manifest), null, 2)}\n`,
    })),
    ...ALIASES.map(({ name }) => ({ path: `packages/${name}/LICENSE`, contents: () => read('LICENSE') })),
    { path: 'schema/config.schema.json', contents: () => `${JSON.stringify(configSchema(), null, 2)}\n` },
    { path: 'docs/reference.md', contents: () => fillAll(read('docs/reference.md')) },
    // Lines that people paste, and what botcli prints.
    ...['README.md', 'docs/check.md', 'docs/deploy.md', 'docs/secrets.md'].map(path => ({
      path,
      contents: () => nameProgram(read(path), manifest.version),
    })),
  ];
}

const fillAll = (readme: string): string =>
  Object.entries({
    options: optionTable(),
    'finding-codes': codeTable('code', 'what `botcli check` found', FINDING_CODES),
    'error-codes': codeTable('error.code', 'what happened', ERROR_CODES),
  }).reduce((document, [name, table]) => fill(document, name, table), readme);

/** Commands in documents that a release names with its version: in workflows, and in the next steps after `npx botcli`. */
function nameProgram(document: string, version: string): string {
  const npx = npxOf(version, version);
  return document
    .replace(/(?<=made by botcli )[\w.-]+/g, version)
    .replace(/(?<=^ {2})(?:npx botcli@\S+|botcli)(?= dev$)/gm, npx ?? 'botcli')
    .replace(
      /(?<=^ {6,}(?:- run: )?)(?:npx --yes botcli@\S+|botcli)(?= cloud )/gm,
      npx?.replace('npx', 'npx --yes') ?? 'botcli',
    );
}

const versionModule = ({ version }: { version: string }): string =>
  `/** This package's version, from package.json. */\nexport const VERSION = '${version}';\n`;

/** The packages that only run botcli under a shorter name, each a command of the same name. */
export const ALIASES = [
  { name: 'botcli', description: 'Create voice and video bots in Python, run them, and deploy them.' },
  { name: 'create-botcli', description: 'Create a voice or video bot in Python: npm create botcli@latest' },
];

/** An alias runs exactly the version of botcli that it was published with. */
const aliasManifest = (
  { name, description }: (typeof ALIASES)[number],
  { name: botcli, version, license, engines, keywords, repository, homepage, bugs }: Record<string, unknown>,
): object => ({
  name,
  version,
  description,
  license,
  ...(repository ? { repository: { ...repository, directory: `packages/${name}` }, homepage, bugs } : {}),
  // Yeoman's list of generators shows packages with its keyword.
  keywords: (keywords as string[]).filter(word => word !== 'yeoman-generator'),
  type: 'commonjs',
  bin: { [name]: `${name}.js` },
  files: [`${name}.js`],
  engines,
  dependencies: { [String(botcli)]: version },
});

/** Replaces the table between the two comments with this name. */
const fill = (document: string, name: string, table: string): string =>
  document.replace(new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`), () =>
    [`<!-- ${name} -->`, table, `<!-- /${name} -->`].join('\n'),
  );

function optionTable(): string {
  const rows = scaffoldOptions.map((option: ScaffoldOption) => {
    const { flag, short, kind, key } = option;
    const long = kind === 'boolean' ? `--[no-]${flag}` : `--${flag}`;
    const repeatable = kind === 'list' ? ' (repeatable)' : '';
    const flags = short ? `\`${long}\`, \`-${short}\`` : `\`${long}\``;
    return `| ${flags} | \`${key}\` | ${describeOption(option)}${repeatable} |`;
  });
  return ['| flag | key in the file | meaning |', '|---|---|---|', ...rows].join('\n');
}

function codeTable(key: string, title: string, codes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(codes).map(([code, description]) => `| \`${code}\` | ${description} |`);
  return [`| \`${key}\` | ${title} |`, '|---|---|', ...rows].join('\n');
}

/** The JSON Schema of the file that `--config` takes, for editors to complete and check. */
function configSchema(): object {
  const keys = scaffoldOptions.flatMap((option: ScaffoldOption) => [
    [option.key, schemaOf(option)],
    // The flag's name is also accepted.
    [option.flag.replaceAll('-', '_'), schemaOf(option)],
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'botcli scaffold configuration',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'The address of this schema' },
      ...Object.fromEntries(keys),
      generate_client: {
        type: 'boolean',
        description: 'Ignored: a dry run prints it, and client_framework determines it',
      },
      botcli: { type: 'object', description: 'Ignored: what botcli remembers about the project, for botcli update' },
    },
    additionalProperties: false,
  };
}

function schemaOf(option: ScaffoldOption): object {
  const { kind, values, default: preset, isRemovable } = option;
  if (kind === 'boolean') return { type: ['boolean', 'null'], default: preset, description: option.help };
  const description = describeOption(option);
  if (kind === 'list') {
    return { type: ['array', 'null'], items: { enum: values }, minItems: 1, description };
  }
  // The only free text is the project's name.
  if (!values) return { type: ['string', 'null'], maxLength: 100, description };
  return { enum: unique([...values, ...(isRemovable ? ['none'] : []), null]), description };
}
