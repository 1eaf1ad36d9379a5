import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { cloud } from '../../src/secrets-cli/tree.ts';
import {
  type Child,
  type Command,
  type CommandNode,
  type Group,
  parseCommandLine,
  reach,
} from '../../src/shell/command-line.ts';
import { cloudIt } from '../support/cloud-session.ts';

const root: Group = { name: 'botcli', summary: 'Bots.', children: [cloud] };

async function walk(child: Child, line: string): Promise<[line: string, node: CommandNode][]> {
  const node = await reach(child);
  if (!('children' in node)) return [[line, node]];
  const below = await Promise.all(node.children.map(child => walk(child, `${line} ${child.name}`)));
  return [[line, node], ...below.flat()];
}

/** Those about deployed bots have tests of their own. */
const OURS = /^botcli cloud(?: (?:secrets|auth|organizations|regions)\b.*)?$/;
const nodes = (await walk(cloud, 'botcli cloud')).filter(([line]) => OURS.test(line));
const commands = nodes.filter((entry): entry is [string, Command] => !('children' in entry[1]));
const examples = nodes.flatMap(([, node]) => (node.examples ?? []).map(({ line }) => line));

describe('botcli cloud', () => {
  it('has the specified commands, each with an example and the common options', () => {
    const secrets = 'secrets list,secrets set,secrets unset,secrets delete,secrets image-pull-secret';
    const account = 'auth login,auth logout,auth whoami,organizations list,organizations select,regions list';
    assert.equal(commands.map(([line]) => line.replace('botcli cloud ', '')).join(), `${secrets},${account}`);
    for (const [line, { options = [], examples = [] }] of commands) {
      const flags = options.map(({ flag }) => flag);
      assert(flags.includes('json') && flags.includes('debug') && examples.length > 0, line);
    }
  });

  /** Arguments and options as specified, with short forms. `=` marks options with a value. */
  const specified: [command: string, usage: string, options: string[]][] = [
    ['secrets list', 'name?', ['s sets', 'o organization =', 'r region =']],
    [
      'secrets set',
      'name secrets…?',
      ['f file =', ' from-env', ' prune', ' dry-run', 's skip', 'o organization =', 'r region ='],
    ],
    ['secrets unset', 'name secret_key…', ['s skip', 'o organization =']],
    ['secrets delete', 'name', ['s skip', 'o organization =']],
    ['secrets image-pull-secret', 'name host credentials?', [' encode', 's skip', 'o organization =', 'r region =']],
  ];
  for (const [name, usage, options] of specified) {
    it(`${name} takes the specified arguments and options`, () => {
      const [, command] = commands.find(([line]) => line === `botcli cloud ${name}`) ?? assert.fail();
      const { arguments: args = [], options: actual = [] } = command;
      assert.equal(args.map(arg => arg.name + (arg.variadic ? '…' : '') + (arg.required ? '' : '?')).join(' '), usage);
      const listed = actual.map(({ short = '', flag, kind }) => `${short} ${flag}${kind === 'text' ? ' =' : ''}`);
      for (const option of options) assert(listed.includes(option), `${option} in ${listed.join(', ')}`);
    });
  }

  for (const [line, node] of nodes) {
    it(`${line} --help`, async () => {
      const parsed = await parseCommandLine(root, [...line.split(' ').slice(1), '--help']);
      assert(parsed.kind === 'help');
      assert(parsed.text.includes(node.summary.split(' ')[0] as string));
      for (const width of [60, 80]) {
        const narrow = await parseCommandLine(root, [...line.split(' ').slice(1), '-h'], { columns: width });
        assert(narrow.kind === 'help' && narrow.text.split('\n').every(one => one.length <= width), narrow.kind);
      }
    });
  }

  for (const line of [...new Set(examples)]) {
    const files = { '.env': 'OPENAI_API_KEY=x\nOLD_API_KEY=y\n' };
    cloudIt(`the example runs: ${line}`, { files }, async ({ run, succeed }) => {
      await succeed('cloud secrets set my-bot-secrets --file .env --skip');
      // The input that a shell would pipe in: credentials, or the token of this account.
      const command = line.replace(/^(?:.*\| *)?botcli |\s*<.*$/g, '');
      const input = line.includes('<') ? LOCAL_TOKEN : 'me:token';
      const env = { OPENAI_API_KEY: 'x', DATABASE_URL: 'y' };
      const { code, stderr } = await run(command, line === `botcli ${command}` ? { env } : { env, input });
      // A command that needs an answer says how to avoid the question.
      const refused = /this isn't a terminal|can't ask for a value here/.test(stderr);
      assert.equal(code, refused ? 2 : 0, stderr);
      if (refused) assert.match(stderr, /Pass --skip|Pass <credentials>|Pipe the token|KEY=- for stdin|select NAME/);
      assert.equal(refused && /--skip|--json|list|whoami|logout/.test(command), false, stderr);
    });
  }
});
