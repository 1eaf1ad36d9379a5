import assert from 'node:assert/strict';
import { createEnv } from 'yeoman-environment';
import type Generator from 'yeoman-generator';
import AppGenerator from '../../generators/app/index.ts';
import BotGenerator from '../../generators/bot/index.ts';
import ClientGenerator from '../../generators/client/index.ts';
import GuideGenerator from '../../generators/guide/index.ts';
import QuickstartGenerator from '../../generators/quickstart/index.ts';
import { scaffoldOptions } from '../../src/config/options.ts';
import { generatorModule } from '../../src/package-root.ts';
import { itIn } from '../support/session.ts';

const SCAFFOLD = [...scaffoldOptions.map(({ flag }) => flag), 'force'];

const GENERATORS: readonly [name: Parameters<typeof generatorModule>[0], type: unknown, options: readonly string[]][] =
  [
    ['app', AppGenerator, [...SCAFFOLD, 'overwrite-guide']],
    ['bot', BotGenerator, SCAFFOLD],
    ['client', ClientGenerator, SCAFFOLD],
    ['guide', GuideGenerator, ['overwrite-guide', 'getting-started']],
    ['quickstart', QuickstartGenerator, ['overwrite-guide', 'force']],
  ];

/** The output of `yo botcli:<name> --help`. */
async function helpOf(type: unknown, namespace: string, resolved: string): Promise<string> {
  const env = createEnv();
  env.register(type as never, { namespace, resolved });
  const generator = await env.create<Generator>(namespace, { generatorOptions: { help: true } as never });
  return generator.help();
}

/** The rows of the help: each option and argument with its description in one line. */
function rowsOf(help: string): Map<string, string> {
  const rows = new Map<string, string>();
  let flag: string | undefined;
  for (const line of help.split('\n')) {
    const [, label, text = ''] = /^ {2}(?:-\w, | {4})?((?:--|\[)\S+(?: <\w+>)?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (label) {
      flag = label;
      rows.set(flag, text);
    } else if (flag && /^ {6}/.test(line)) rows.set(flag, `${rows.get(flag)} ${line.trim()}`.trim());
    else flag = undefined;
  }
  return rows;
}

const nameOf = (label: string): string => label.replace(/^--(\[no-\])?/, '').replace(/ <.*/, '');

describe('help of the generators', () => {
  for (const [name, type, options] of GENERATORS) {
    itIn(`${name} shows its own options, described as in \`botcli init --help\``, {}, async ({ succeed }) => {
      const init = rowsOf(await succeed('init --help'));
      const rows = rowsOf(await helpOf(type, `botcli:${name}`, generatorModule(name)));
      assert.deepEqual([...rows.keys()].map(nameOf).sort(), [...options, 'help', '[directory]'].sort());
      for (const [label, text] of rows) {
        if (label !== '--[no-]getting-started') assert.equal(text, init.get(label), label);
      }
    });

    it(`${name} shows usage, a description and examples`, async () => {
      const help = await helpOf(type, `botcli:${name}`, generatorModule(name));
      const line = name === 'app' ? 'yo botcli' : `yo botcli:${name}`;
      assert.ok(help.startsWith(`Usage: ${line} [directory] [options]\n\n`), help);
      assert.match(help, /\n\n(Create|Write) /);
      assert.ok(help.includes(`\nExamples:\n  # `) && help.includes(`\n  ${line}`), help);
      assert.ok(
        help.split('\n').every(row => row.length <= 80),
        'every line fits into 80 columns',
      );
    });
  }

  it('of a generator that extends one is the one of Yeoman, with its own options and arguments', async () => {
    class Theirs extends GuideGenerator {
      constructor(args: string[], options: object) {
        super(args, options);
        this.argument('team', { type: String, required: true, description: 'Whose rules' });
        this.option('strict', { type: Boolean, description: 'More rules' });
      }
    }
    const help = await helpOf(Theirs, 'theirs:app', '/elsewhere/generators/app/index.js');
    assert.match(
      help,
      /--overwrite-guide +# Overwrite existing guide files\n[\s\S]* --strict +# More rules\n[\s\S]* team +# Whose rules/,
    );
  });
});
