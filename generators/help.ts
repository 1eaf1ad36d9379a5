import type Generator from 'yeoman-generator';
import { describeOption, runOptions, type ScaffoldOption, scaffoldOptions } from '../src/config/options.ts';
import { renderPage } from '../src/shell/command-line/help.ts';
import { argumentLabel, type OptionSpec } from '../src/shell/command-line/specs.ts';
import { DIRECTORY_FIRST } from './passed.ts';

/** Options that Yeoman declares for every generator and ours don't use: they install nothing and remember nothing. */
const YEOMANS = ['skip-cache', 'skip-install', 'force-install', 'ask-answered'];

/** Our options; those of `botcli init` have the same help text. */
const ours: readonly OptionSpec[] = [
  ...scaffoldOptions.map((option: ScaffoldOption) => {
    const { flag, short, kind, placeholder, group } = option;
    return { flag, short, kind, placeholder, group, help: describeOption(option) };
  }),
  ...Object.values(runOptions),
  { flag: 'help', short: 'h', kind: 'switch', help: 'Show this help' },
];

/** An example: the words after the generator's name, and what the command does. */
export type UsageExample = readonly [line: string, description: string];

/**
 * What `yo … --help` prints for our generators, and for those that extend them. Yeoman's own table is wider than a
 * terminal, and shows neither which options take a value nor which belong together.
 */
export function helpOf(generator: Generator, examples: readonly UsageExample[]): string {
  const { _options: options, _namespace: namespace, description } = generator;
  const line = `yo ${namespace.replace(/:app$/, '')}`;
  const places = placesOf(generator);
  const isOurs = generator._arguments.length === 0;
  const inLine = ([words, description]: UsageExample) => ({ line: `${line} ${words}`.trim(), description });
  const shown = Object.values(options).filter(({ name, hide }) => !hide && !YEOMANS.includes(name));
  return renderPage(
    {
      usage: [line, ...places.map(([label]) => label), '[options]'].join(' '),
      paragraphs: description.split('\n'),
      sections: [{ title: 'Arguments', rows: places }],
      options: inOrder(shown.map(specOf)),
      ...(isOurs ? { footer: DIRECTORY_FIRST, examples: examples.map(inLine) } : {}),
    },
    { columns: process.stdout.columns },
  );
}

/** The arguments: those that a subclass declares, else the directory. */
function placesOf({ _arguments: declared }: Generator): [label: string, help: string][] {
  if (declared.length === 0) return [['[directory]', runOptions.directory.help]];
  return declared.map(({ name, required, description = '' }) => [
    argumentLabel({ name, required, help: '' }),
    description,
  ]);
}

function specOf({ name, type, alias, description = '' }: Generator['_options'][string]): OptionSpec {
  const row = ours.find(({ flag }) => flag === name);
  return row ?? { flag: name, short: alias, kind: type === Boolean ? 'boolean' : 'text', help: description };
}

/** Our options in our order, then those of a subclass. */
function inOrder(options: readonly OptionSpec[]): OptionSpec[] {
  return [...ours.filter(row => options.includes(row)), ...options.filter(option => !ours.includes(option))];
}
