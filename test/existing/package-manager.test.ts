import assert from 'node:assert/strict';
import { join } from 'node:path';
import { forDevelopment, installIn, packageManagerOf } from '../../src/existing/package-manager.ts';
import { inTree, type Tree } from '../support/trees.ts';

const COMMANDS = {
  npm: 'npm --prefix client install',
  pnpm: 'pnpm --dir client install',
  yarn: 'yarn --cwd client install',
  bun: 'bun --cwd client install',
};
const CLIENT = 'bots/mine/client';
const npmWorkspace = (workspaces: unknown): Tree => ({ 'package.json': JSON.stringify({ workspaces }) });
const pnpmWorkspace = (...lines: string[]): Tree => ({
  'pnpm-lock.yaml': '',
  'pnpm-workspace.yaml': ['packages:', ...lines, ''].join('\n'),
});

const yaml = (list: string): Tree => ({ 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': `# mine\npackages: ${list}\n` });

const manifest = (packageManager: unknown): Tree => ({
  [`${CLIENT}/package.json`]: JSON.stringify({ packageManager }),
});

describe('the package manager of a web client', () => {
  const cases: Record<string, [files: Tree, manager: keyof typeof COMMANDS]> = {
    'no lock file': [{}, 'npm'],
    "npm's": [{ [`${CLIENT}/package-lock.json`]: '' }, 'npm'],
    "pnpm's": [{ [`${CLIENT}/pnpm-lock.yaml`]: '' }, 'pnpm'],
    "yarn's": [{ [`${CLIENT}/yarn.lock`]: '' }, 'yarn'],
    "bun's": [{ [`${CLIENT}/bun.lock`]: '' }, 'bun'],
    'the root of a workspace': [{ ...npmWorkspace(['bots/*/client']), 'yarn.lock': '' }, 'yarn'],
    'with its members in an object': [{ ...npmWorkspace({ packages: ['bots/**'] }), 'bun.lock': '' }, 'bun'],
    'in pnpm-workspace.yaml': [pnpmWorkspace('  - "bots/mine/client"'), 'pnpm'],
    'in pnpm-workspace.yaml, in brackets': [yaml('["bots/mine/client", \'apps/*\']'), 'pnpm'],
    'in pnpm-workspace.yaml, in brackets on lines': [yaml('[\n  apps/*, # all\n  bots/*/*,\n]'), 'pnpm'],
    'a workspace in brackets that leaves the client out': [
      yaml('["bots/**", "!bots/mine/*"]\nother: [bots/mine/client]'),
      'npm',
    ],
    'in pnpm-workspace.yaml, where tests are left out': [pnpmWorkspace("  - 'bots/**'", "  - '!**/test/**'"), 'pnpm'],
    'a workspace with other directories, and packages that it keeps at its root': [
      { ...npmWorkspace({ packages: ['bots/*/web-*'], nohoist: ['**/react'] }), 'bun.lock': '' },
      'npm',
    ],
    'a workspace without the client': [{ ...npmWorkspace(['apps/*', 'bots/*']), 'yarn.lock': '' }, 'npm'],
    'a workspace that leaves the client out': [pnpmWorkspace("  - 'bots/**'", "  - '!bots/mine/*'"), 'npm'],
    'a directory above that is no workspace': [{ 'yarn.lock': '' }, 'npm'],
    'in the client, although it is in a workspace': [
      { ...pnpmWorkspace('- bots/*/*'), [`${CLIENT}/package-lock.json`]: '' },
      'npm',
    ],
    'none, but a field': [manifest('pnpm@9.1.0'), 'pnpm'],
    'next to a field': [{ ...manifest('pnpm@9.1.0'), [`${CLIENT}/yarn.lock`]: '' }, 'yarn'],
    'none, but a field at the root of a workspace': [
      { 'package.json': '{"workspaces":["bots/*/client"],"packageManager":"yarn@4.1.0"}' },
      'yarn',
    ],
    'none, but a field next to the client': [{ 'bots/mine/package.json': '{"packageManager":"pnpm@9.1.0"}' }, 'pnpm'],
    'none, and an unknown field': [manifest('deno@2.1.0'), 'npm'],
    'none, and a field that is no text': [manifest(['pnpm']), 'npm'],
    'patterns that are no text': [npmWorkspace([1, null, '*'.repeat(300)]), 'npm'],
  };
  for (const [about, [files, manager]] of Object.entries(cases)) {
    it(`is known from its lock file: ${about}`, () =>
      inTree({ [`${CLIENT}/package.json`]: '{}', ...files }, async root =>
        assert.equal(installIn(packageManagerOf(join(root, CLIENT)).manager, 'client'), COMMANDS[manager]),
      ));
  }

  it('installs packages for development, whatever the environment says', () => {
    const names = ['NODE_ENV', 'npm_config_omit', 'NPM_CONFIG_PRODUCTION', 'npm_config_only', 'YARN_PRODUCTION'];
    const env = { ...Object.fromEntries(names.map(name => [name, 'production'])), npm_config_registry: 'mine' };
    const expected = { npm_config_registry: 'mine', NODE_ENV: 'development', COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' };
    assert.deepEqual(forDevelopment(env, 'npm'), expected);
    assert.deepEqual(forDevelopment(env, 'yarn'), { ...expected, npm_config_ignore_engines: 'true' });
  });
});
