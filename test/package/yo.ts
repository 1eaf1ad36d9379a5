import assert from 'node:assert/strict';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../support/trees.ts';
import { attempt, check, makeDirectory, place, run } from './workshop.ts';

export const SERVICES = '-m cascade --stt openai_stt --llm openai_llm --tts openai_tts'.split(' ');
const CLIENT = '--client-framework component --client-server fullstack'.split(' ');
export const BOT = ['-t', 'rtc_local', '-t', 'rtc_hosted', ...SERVICES, ...CLIENT, '--eval'];
/** The name of the project that `botcli init` creates from these options, in `by-botcli`. */
export const made = 'my-bot';

const yo = (cwd: string, ...words: string[]) => run('yo', words, cwd);
const only = (tree: Record<string, string>, keeps: (path: string) => boolean) =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => keeps(path)));

/** Checks `yo botcli` and the generators of its parts without a terminal. */
export async function checkYo(version: string): Promise<void> {
  await checkHelp(version);
  await checkParts(version);
  await checkRefusals(version);
  await checkTraps(version);
}

async function checkHelp(version: string): Promise<void> {
  await check(`${version}: help describes the same options as botcli init --help`, () => {
    const init = run('botcli', ['init', '--help'], place);
    const options = (help: string) => help.slice(help.indexOf('\nProject:'), help.indexOf('\nGeneral:'));
    for (const name of ['botcli', 'botcli:bot', 'botcli:client']) {
      const help = yo(place, name, '--help');
      assert.match(help, new RegExp(`^Usage: yo ${name} \\[directory\\] \\[options\\]\n\nCreate `));
      assert.equal(options(help), options(init), name);
    }
    const row = /--\[no-\]overwrite-guide +Overwrite existing guide files\n/;
    for (const name of ['botcli:guide', 'botcli:quickstart']) {
      const help = yo(place, name, '--help');
      assert.match(help, new RegExp(`^Usage: yo ${name} \\[directory\\] \\[options\\]\n\n(Write|Create) `));
      assert.match(help, row, name);
      assert.match(init, row);
      assert.doesNotMatch(help, /--(stt|skip-install)/, name);
    }
  });
}

async function checkParts(version: string): Promise<void> {
  const expected = () => readTree(join(place, 'by-botcli', made));
  const isClient = (path: string) => path.startsWith('client/');
  const isGuide = (path: string) => ['AGENTS.md', 'ASSISTANT.md'].includes(path);

  await check(`${version}: yo botcli creates the same project, and keeps its guides`, () => {
    const directory = makeDirectory(`${version}/whole/${made}`);
    yo(directory, 'botcli', ...BOT);
    assert.deepEqual(readTree(directory), expected());
    yo(directory, 'botcli:guide');
    assert.deepEqual(readTree(directory), expected());
  });
  await check(`${version}: bot, client and guide write only their part, into the given directory`, () => {
    const directory = makeDirectory(`${version}/parts`);
    const makes = (part: string, keeps: (path: string) => boolean, options: readonly string[] = BOT) => {
      yo(directory, `botcli:${part}`, join(part, made), ...options);
      assert.deepEqual(readTree(join(directory, part, made)), only(expected(), keeps), part);
    };
    makes('bot', path => !isClient(path) && !isGuide(path) && path !== '.botcli.json');
    makes('client', isClient);
    makes('guide', isGuide, []);
  });
  await check(`${version}: yo botcli:quickstart`, () => {
    const directory = makeDirectory(`${version}/quickstart`);
    const { stdout, stderr } = attempt('yo', ['botcli:quickstart'], directory);
    assert.match(stdout + stderr, /\nNext:\n {2}cd botcli-quickstart\n {2}botcli dev\n/);
    run('botcli', ['init', 'quickstart'], makeDirectory(`${version}/by-botcli`));
    assert.deepEqual(readTree(directory), readTree(join(place, version, 'by-botcli')));
  });
}

async function checkRefusals(version: string): Promise<void> {
  const refusals: readonly [words: string[], message: RegExp][] = [
    [['botcli'], /Nothing to do: pass options\.\nbotcli can't ask, because .*\. For a bot: -t rtc_local /],
    [['botcli:client', '-t', 'rtc_local', ...SERVICES], /pass --client-framework component or vanilla/],
    [
      ['botcli', '-t', 'rtc_local', ...SERVICES, '--recording', 'x'],
      /--recording must be true or false, not "x"\nPut the directory/,
    ],
    [['botcli:guide', 'a', 'b'], /Pass one directory, not a and b\./],
  ];
  await check(`${version}: invalid options are refused with a message, and nothing is written`, () => {
    const directory = makeDirectory(`${version}/refusals`);
    for (const [words, message] of refusals) {
      const { code, stderr } = attempt('yo', words, directory);
      assert.match(stderr, message);
      assert.equal(code, 2, words.join(' '));
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
      assert.deepEqual(readdirSync(directory), []);
    }
  });
  await check(`${version}: a read-only directory results in an error message`, () => {
    const directory = makeDirectory(`${version}/closed`);
    chmodSync(directory, 0o555);
    const { code, stderr } = attempt('yo', ['botcli:guide'], directory);
    chmodSync(directory, 0o777);
    assert.match(stderr, /\n\nEACCES: permission denied, open '.*AGENTS\.md'\n$/);
    assert.equal(code, 1);
  });
}

async function checkTraps(version: string): Promise<void> {
  const titleOf = (tree: Record<string, string>, path: string) => tree[path]?.split('\n')[0];

  await check(`${version}: values and directories stay exactly as typed`, () => {
    const directory = makeDirectory(`${version}/typed`);
    yo(directory, 'botcli', '007', '-t', 'rtc_local', ...SERVICES, '--no-deploy-to-cloud');
    yo(directory, 'botcli:bot', 'named', '--name', '007', '-t', 'rtc_local', '-t', 'tel_a', ...SERVICES);
    const tree = readTree(directory);
    assert.equal(titleOf(tree, '007/README.md'), '# 007');
    assert.ok(!('007/server/cloud-deploy.toml' in tree));
    assert.equal(titleOf(tree, 'named/README.md'), '# 007');
    assert.match(tree['named/README.md'] ?? '', /-t rtc_local -t tel_a/);
  });
  await check(`${version}: hostile directory names and a package.json that isn't JSON do no harm`, () => {
    const [odd, broken] = ['a[b] <%= c', 'broken'].map(name =>
      makeDirectory(`${version}/${name}`, name === 'broken' ? { 'package.json': '{' } : {}),
    ) as [string, string];
    const words = ['botcli', '-t', 'rtc_local', ...SERVICES, '--name', 'x'];
    yo(odd, ...words);
    yo(odd, ...words.with(0, 'botcli:bot').toSpliced(1, 0, 'd[e] <% f'));
    yo(broken, ...words);
    const { 'package.json': kept, ...tree } = readTree(broken);
    assert.equal(kept, '{');
    assert.ok('server/bot.py' in tree);
    assert.deepEqual(
      only(readTree(odd), path => !path.startsWith('d[e]')),
      tree,
    );
    assert.equal(readTree(odd)['d[e] <% f/server/bot.py'], tree['server/bot.py']);
  });
}
