import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, filledProject, summarize } from '../support/check.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree } from '../support/trees.ts';

const HINT = "botcli doesn't know what this code needs.";
const MIB = 2 ** 20;

/** What is too large, and what is said about it. */
const cases: [about: string, files: Record<string, number>, finding: string][] = [
  ['one file', { 'server/a.py': MIB + 1 }, `warning file-unreadable: server/a.py is larger than 1 MiB -> ${HINT}`],
  [
    'all files together',
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`server/m${at}.py`, MIB])),
    `warning file-unreadable: server has over 2,000 Python files or 20 MiB of them, so botcli read only some -> ${HINT}`,
  ],
];

describe('botcli check names what is too large to read:', () => {
  for (const [about, files, finding] of cases) {
    it(about, async () => {
      await inTree(await filledProject(resolveFlags({ ...CASCADE, deploy_to_cloud: true })), async root => {
        mkdirSync(join(root, 'server'), { recursive: true });
        for (const [path, size] of Object.entries(files)) writeFileSync(join(root, path), Buffer.alloc(size, '#'));
        const { findings } = await check(root);
        assert.deepEqual(findings.map(summarize), [finding]);
      });
    });
  }
});

describe('a command that botcli check suggests', () => {
  const SECRETS = { organization: 'acme', defaultRegion: 'us-west', secrets: [], keys: undefined };

  for (const [name, hasCommand] of [
    ['demo-secrets', true],
    ['--organization=other', false],
    ['a b', false],
  ] as const) {
    it(`${hasCommand ? 'has' : "isn't there for"} the name ${JSON.stringify(name)}`, async () => {
      const project = await filledProject(resolveFlags({ ...CASCADE, deploy_to_cloud: true }));
      const path = 'server/cloud-deploy.toml';
      const deploy = project[path]?.replace(/^secret_set = .*$/m, `secret_set = ${JSON.stringify(name)}`) ?? '';
      await inTree({ ...project, [path]: deploy }, async root => {
        const { findings } = await check(root, { options: { cloud: true }, askPlatform: async () => SECRETS });
        const finding = findings.find(({ code }) => code === 'secret-set-missing');
        assert(finding);
        assert.equal('fix' in finding, hasCommand);
      });
    });
  }

  it('is quoted for the shell of the user', async () => {
    const project = await filledProject(resolveFlags({ ...CASCADE, deploy_to_cloud: true }));
    const { 'server/.env': _, ...others } = project;
    const moved = Object.fromEntries(Object.entries(others).map(([name, text]) => [`it's mine/${name}`, text]));
    await inTree(moved, async root => {
      const settings = { directory: "it's mine", env: { OS: 'Windows_NT' } };
      const { findings } = await check(root, settings);
      const [command] = findings.flatMap(({ fix }) => (fix && 'command' in fix ? fix.command : []));
      assert.equal(command, `copy "it's mine/server/.env.example" "it's mine/server/.env"`);
    });
  });
});
