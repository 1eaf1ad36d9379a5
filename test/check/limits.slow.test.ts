import assert from 'node:assert/strict';
import { check, filledProject, summarize } from '../support/check.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree } from '../support/trees.ts';

const HINT = "botcli doesn't know what this code needs.";
const MIB = 2 ** 20;

const TOO_MUCH = `warning file-unreadable: server has over 2,000 Python files or directories, 20 MiB or 500,000 words of Python, so botcli read only some -> ${HINT}`;

/** A directory in 30 others. */
const DEEP = `server${'/a'.repeat(30)}`;

/** Files of a size, filled with a text. */
const many = (length: number, size: number, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`server/m${at}.py`, text.repeat(size / text.length)]));

/** What is too large, and what is said about it. */
const cases: Record<string, [files: Record<string, string>, finding?: string]> = {
  'one file': [
    { 'server/a.py': '#'.repeat(MIB + 1) },
    `warning file-unreadable: server/a.py is larger than 1 MiB -> ${HINT}`,
  ],
  'all files together': [many(21, MIB, ' ')],
  'many files full of brackets': [many(300, MIB, '(')],
  'one file with too many statements': [many(1, 960_000, 'x=1;')],
  'too many files': [many(2000, 1, '#')],
  'directories in directories': [
    { [`${DEEP}/b.py`]: 'import os' },
    `warning file-unreadable: ${DEEP} can't be read: it is more directories deep than botcli goes -> ${HINT}`,
  ],
  'the bot, which is read first': [
    { 'server/bot.py': 'x=1;'.repeat(240_000) },
    `error file-unreadable: server/bot.py has over 500,000 words of Python, so botcli didn't read it -> ${HINT}`,
  ],
  'more directories than a bot has': [
    Object.fromEntries(Array.from({ length: 2100 }, (_, at) => [`server/d${at}/a.txt`, ''])),
  ],
};
const project = await filledProject(resolveFlags({ ...CASCADE, deploy_to_cloud: true }));

describe('botcli check names what is too large to read:', () => {
  for (const [about, [files, finding = TOO_MUCH]] of Object.entries(cases)) {
    it(about, async () => {
      const { findings } = await inTree({ ...project, ...files }, root => check(root));
      assert.deepEqual(findings.map(summarize), [finding]);
    });
  }
});

describe('botcli check names no more than 20 lines of .env of a kind:', () => {
  const lines = Array.from({ length: 50 }, (_, at) => at);
  for (const [about, text] of [
    ['that the bot cannot read', lines.map(at => `A${at} B\n`)],
    ['that set a variable twice', lines.map(at => `OTHER_${at}=1\nOTHER_${at}=2\n`)],
  ] as const) {
    it(about, async () => {
      await inTree({ ...project, 'server/.env': project['server/.env'] + text.join('') }, async root => {
        const codes = (await check(root)).findings.map(({ code }) => code);
        for (const code of new Set(codes)) assert.equal(codes.filter(one => one === code).length, 20, code);
      });
    });
  }
});

describe('a command that botcli check suggests', () => {
  const SECRETS = { organization: 'acme', defaultRegion: 'us-west', secrets: [], keys: undefined, agent: undefined };

  for (const name of ['demo-secrets', '--organization=other', 'a b']) {
    const hasCommand = name === 'demo-secrets';
    it(`${hasCommand ? 'has' : "isn't there for"} the name ${JSON.stringify(name)}`, async () => {
      const path = 'server/cloud-deploy.toml';
      const deploy = project[path]?.replace(/^secret_set = .*$/m, `secret_set = ${JSON.stringify(name)}`) ?? '';
      const settings = { options: { cloud: true }, askPlatform: async () => SECRETS };
      const { findings } = await inTree({ ...project, [path]: deploy }, root => check(root, settings));
      const finding = findings.find(({ code }) => code === 'secret-set-missing');
      assert.equal(finding && 'fix' in finding, hasCommand);
    });
  }

  it('is quoted for the shell of the user', async () => {
    const { 'server/.env': _, ...others } = project;
    const moved = Object.fromEntries(Object.entries(others).map(([name, text]) => [`it's mine/${name}`, text]));
    await inTree(moved, async root => {
      const settings = { directory: "it's mine", env: { OS: 'Windows_NT' } };
      const { findings } = await check(root, settings);
      const [command] = findings.flatMap(({ fix }) => (fix && 'command' in fix ? fix.command : []));
      assert.equal(command, `copy "it's mine\\server\\.env.example" "it's mine\\server\\.env"`);
    });
  });
});
