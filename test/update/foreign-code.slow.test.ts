import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openProject } from '../../src/existing/open-project.ts';
import { npmEnvironment, renderBase } from '../../src/update/base.ts';
import { VERSION } from '../../src/version.ts';
import { BIN, RELEASE, releasedBin } from '../support/program.ts';
import { openRecorded } from '../support/session.ts';
import { type OwnedProject, ownedIt } from './project.ts';

/** Texts that aren't a version, but that npm would fetch, or that a shell would run. */
const NO_VERSIONS = [
  ...['http://localhost:8000/evil.tgz', 'file:/tmp/evil.tgz', 'npm:other-package@1.0.0'],
  ...['git+ssh://git@example.com/evil.git', 'latest', '^0.0.9', '0.0.x', '0.0.9+build', '00.0.9', '0.0.9-'],
  ...['99999999999999999999.0.0', `0.0.9-${'x'.repeat(300)}`, '0.0.9;touch$IFS`owned`', '0.0.9"&calc&"', '%PATH%'],
  ...['$(id)', '0.0.9\u001b[2J', '--registry=http://localhost:8000'],
];

/** Puts an `npm` first on the PATH, which does this after it has noted how it was called. */
function plantNpm(directory: string, script: string, where = 'bin') {
  const bin = join(directory, where);
  mkdirSync(bin, { recursive: true });
  const note = `{ echo "$*"; pwd; ls -A; cat package.json .npmrc; env | grep -i '^npm_config' | sort; } >> '${directory}/npm.log'`;
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n${note}\ncase "$*" in config*) echo "ERROR: a warning" >&2; echo "$REGISTRY"; exit $REFUSED;; esac\n${script}\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  return {
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, REGISTRY: 'https://registry.example.com/' },
    calls: () => (existsSync(join(directory, 'npm.log')) ? readFileSync(join(directory, 'npm.log'), 'utf8') : ''),
  };
}

/** A project whose state file names this version, and an edited file, for which botcli needs what it wrote. */
function nameInState({ record, edit }: OwnedProject, version: string): void {
  record({ version });
  edit('server/bot.py', 'friendly', 'patient');
}

describe('botcli update runs no release that a project makes up:', () => {
  ownedIt('texts that are no version', async project => {
    const before = project.read('bot/.botcli.json');
    for (const version of NO_VERSIONS) {
      project.write('bot/.botcli.json', before);
      project.record({ version });
      const { env, calls } = plantNpm(project.directory, 'exit 0');
      for (const line of ['update bot --recording', 'update bot --dry-run']) {
        const stderr = await project.fail(2, line, { env });
        assert.match(stderr, /has no valid "version"|names a file/, version);
      }
      assert.equal(calls(), '', version);
    }
  });

  for (const version of ['0.1.1', '0.2.0-beta.1', '9.9.9', '1.0.0-0'])
    ownedIt(`${version}, which is newer`, async project => {
      nameInState(project, version);
      const { env, calls } = plantNpm(project.directory, 'exit 0');
      const stderr = await project.fail(2, 'update bot --recording', { env });
      const written = `error: bot/.botcli.json was written by botcli ${version}, and this is ${VERSION}\n`;
      assert.deepEqual([stderr.slice(0, written.length), calls()], [written, '']);
    });
});

/** Renders as the older release would. */
const RENDER = `shift $#; exec '${process.execPath}' '${BIN}' init project --config choices.json`;

/** Runs the program as a process of its own, in which nothing is faster than in life. */
function launch({ directory }: OwnedProject, line: string, env: object) {
  const settings = { cwd: directory, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [releasedBin(), ...line.split(' ')], settings);
  return { code: status, stdout, stderr };
}

describe('botcli update runs an older release', () => {
  ownedIt('in a directory where nothing of a project counts, after it said so', async project => {
    nameInState(project, '0.0.9');
    const { env, calls } = plantNpm(project.directory, RENDER);
    const outer = {
      npm_config_call: 'botcli update',
      npm_config_package: 'evil',
      NPM_CONFIG_WORKSPACE: 'evil',
      npm_config_loglevel: 'silent',
    };
    const { code, stdout, stderr } = launch(project, 'update bot --recording', { ...env, ...outer });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /merged {4}server\/bot\.py/);
    assert.equal(
      stderr,
      'botcli 0.0.9 wrote this project. npm now fetches generator-botcli@0.0.9 from https://registry.example.com/, ' +
        'unless it is cached, and runs it to see what it wrote.\n',
    );
    const [asked, ran] = calls().split(/(?=^exec )/m);
    assert.match(asked ?? '', /^config --workspaces=false get registry\n/);
    assert.match(
      ran ?? '',
      /^exec --workspaces=false .*--fetch-timeout=7000 .*--package=generator-botcli@0\.0\.9 -- botcli init project --config choices\.json\n/,
    );
    assert.match(ran ?? '', /\n\S+\/botcli-base-\w{6}\n\.npmrc\nchoices\.json\npackage\.json\n\{\}\n/);
    assert.doesNotMatch(ran ?? '', /evil|npm_config_(call|loglevel)/i);
  });

  const registries: [url: string, shown: string, more?: object][] = [
    ['https://user:secret@registry.example.com/npm/', 'https://registry.example.com/npm/'],
    ['http://secret@127.0.0.1:4873', 'http://127.0.0.1:4873/'],
    ['https://registry.example.com/?token=secret#secret', 'https://registry.example.com/'],
    ['secret', 'the registry in your npm settings'],
    // As npm refuses to print it.
    ['https://user:secret@mine.example.com/npm/', 'https://mine.example.com/npm/', { REFUSED: '1' }],
    ['', 'the registry in your npm settings'],
  ];
  for (const [url, shown, more] of registries) {
    ownedIt(`and names its registry: ${shown}, from ${url || 'nothing'}`, async project => {
      nameInState(project, '0.0.9');
      const failure = `echo "npm error request to $REGISTRY failed: https://u:secret@example.com/x" >&2; exit 1`;
      const { env } = plantNpm(project.directory, failure.replace('$REGISTRY ', ''));
      const { code, stderr } = launch(project, 'update bot --recording', {
        ...env,
        REGISTRY: url,
        ...(more && { ...more, REGISTRY: 'error', npm_config_registry: url }),
      });
      assert.equal(code, 1);
      assert(stderr.includes(` from ${shown}, unless`), stderr);
      assert(!stderr.includes('secret'), stderr);
    });
  }

  ownedIt('never that the working directory has, as npx would find it', async project => {
    nameInState(project, '0.0.9');
    const { env, calls } = plantNpm(project.directory, 'exit 1', 'bot/node_modules/.bin');
    launch(project, 'update bot --recording', { ...env, npm_config_registry: 'http://127.0.0.1:9' });
    assert.equal(calls(), '');
  });

  ownedIt('only for a limited time, and with everything that it started', async project => {
    nameInState(project, '0.0.9');
    const { env } = plantNpm(project.directory, `sleep 1000 & echo $! > '${project.directory}/pid'; wait`);
    const { terminal, waits } = openRecorded(project.directory, { env });
    const opened = openProject('bot', { ...terminal, command: 'update' });
    assert.match(
      String(await renderBase(opened, terminal, RELEASE)),
      /^botcli 0\.0\.9 can't be run: npm took longer than 120 seconds\. Check your network, and the/,
    );
    assert(waits.includes(120_000));
    // On a slow machine, the time may be over before it starts anything.
    const pid = project.exists('pid') ? project.read('pid').trim() : '0';
    const isAlive = () => /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout);
    while (isAlive()) await project.run('--version');
  });

  ownedIt('and leaves nothing behind, even if the temporary directory is missing', async project => {
    nameInState(project, '0.0.9');
    const temporary = join(project.directory, 'tmp');
    const env = { ...plantNpm(project.directory, 'exit 1').env, TMPDIR: temporary };
    assert.match(
      launch(project, 'update bot --recording', env).stderr,
      /^error: Cannot create a directory in \S+\/tmp: no such file or directory\. Nothing was changed\.\nSet TMPDIR/,
    );
    mkdirSync(temporary);
    launch(project, 'update bot --recording', env);
    assert.deepEqual(readdirSync(temporary), []);
  });
});

describe('botcli update of a project whose version npm may not have', () => {
  // What wrote it, and what updates it.
  const pairs: [written: string, running: string, why: string][] = [
    ['0.0.9-dev', RELEASE, "botcli 0.0.9-dev isn't a release, so npm doesn't have it"],
    ['0.0.9-rc.1', `${RELEASE}-dev`, `this botcli, ${RELEASE}-dev, isn't a release, so it fetches no others`],
    ['0.0.9', `${RELEASE}-dev`, `this botcli, ${RELEASE}-dev, isn't a release, so it fetches no others`],
  ];
  for (const [written, running, why] of pairs) {
    ownedIt(`${written}, by ${running}: says so, and fetches nothing`, async project => {
      nameInState(project, written);
      const { env, calls } = plantNpm(project.directory, 'exit 1');
      const { terminal, written: said } = openRecorded(project.directory, { env });
      const opened = openProject('bot', { ...terminal, command: 'update' });
      assert(typeof (await renderBase(opened, terminal, running)) !== 'string');
      assert(said.stderr.endsWith(`botcli can't merge your edits: ${why}.\n`), said.stderr);
      assert.equal(calls(), '');
    });
  }

  ownedIt('merges what this one writes alike, and calls everything else a conflict', async project => {
    nameInState(project, '0.0.9-dev');
    const { env, calls } = plantNpm(project.directory, 'exit 1');
    const stdout = await project.succeed('update bot --recording', { env });
    assert.match(stdout, /merged {4}server\/bot\.py/);
    assert.equal(JSON.parse(project.read('bot/.botcli.json')).botcli.version, VERSION);
    project.record({ version: '0.0.9-dev', files: { 'server/bot.py': '0'.repeat(64) } });
    const stderr = await project.fail(1, 'update bot --tts elevenlabs_tts', { env });
    assert.match(stderr, /What botcli wrote isn't available: this botcli writes another text for the recorded choices/);
    assert.equal(calls(), '');
  });
});

describe('the environment of npm', () => {
  const mine = 'https://mine.example.com';
  const rows: [about: string, prefix: string | undefined, hasSettings: boolean, expected: string | undefined][] = [
    ["the user's registry, if no npm runs botcli", undefined, true, mine],
    ['the registry of an npm that runs botcli elsewhere', 'other', true, mine],
    ['the registry of an npm that found no settings here', 'bot', false, mine],
    ['no registry of an npm that read the settings of the project', 'bot', true, undefined],
    ['no registry of an npm that read settings around the project', '.', true, undefined],
    ['no registry of an npm that read settings in the project', 'bot/server', true, undefined],
  ];
  for (const [about, prefix, hasSettings, expected] of rows) {
    ownedIt(`has ${about}`, async ({ directory }) => {
      mkdirSync(join(directory, 'other'));
      const around = prefix && join(directory, prefix);
      if (hasSettings) writeFileSync(join(around ?? directory, '.npmrc'), 'registry=http://evil.example.com');
      const env = { npm_config_local_prefix: around, npm_config_registry: mine, HOME: '/root' };
      assert.equal(npmEnvironment(env, join(directory, 'bot')).npm_config_registry, expected);
    });
  }
});
