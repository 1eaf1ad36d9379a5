import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Ending, run as runProgram } from '../bots/processes.ts';
import { RELEASE, releasedBin } from '../support/program.ts';
import { readTree } from '../support/trees.ts';
import { BIN, broken, type Change, cheerful, gloomy, packOlder } from './older-release.ts';
import { type Published, startRegistry } from './registry.ts';
import { check, makeDirectory, run } from './workshop.ts';

const BOT = ['-t', 'rtc_local', '-m', 'cascade', '--stt', 'openai_stt', '--llm', 'openai_llm', '--tts', 'openai_tts'];

/** Runs this release's `botcli`. The registry is in this process, so it must not wait in `spawnSync`. */
const botcli = (line: readonly string[], cwd: string, registry: string, more = {}): Promise<Ending> =>
  runProgram([process.execPath, releasedBin(), ...line], { cwd, env: { ...surroundings(cwd, registry), ...more } });

/** An environment in which npm knows this registry, and has cached nothing. */
const surroundings = (home: string, registry: string): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_config_registry: registry,
  npm_config_cache: join(home, '.npm'),
  HOME: home,
});

const UNREACHABLE = 'http://127.0.0.1:9';
const EDITED = 'bot/server/bot.py';

/** Checks that a project of an older release, which npm fetches, becomes one of this release with its edits. */
export async function checkUpgrade(): Promise<void> {
  const old = packOlder('release-0.0.9', '0.0.9', cheerful);
  /** A directory with a project that the older release wrote, and that its owner edited. */
  const makeOld = (name: string, edits: Change = text => text.replace('Greet the person', 'Greet the guest')) => {
    const directory = makeDirectory(name);
    run(process.execPath, [join(old.directory, BIN), 'init', 'bot', ...BOT], directory);
    writeFileSync(join(directory, EDITED), edits(readFileSync(join(directory, EDITED), 'utf8')));
    return directory;
  };
  /** Serves packages, and updates a project. */
  const updateWith = async (packages: readonly Published[], directory: string, line: readonly string[], more = {}) => {
    const registry = await startRegistry(packages);
    try {
      const outcome = await botcli(['update', 'bot', ...line], directory, registry.url, more);
      return { ...outcome, requests: registry.requests };
    } finally {
      registry.close();
    }
  };

  await check('botcli update: a project of an older release, with edits', async () => {
    const directory = makeOld('upgrade');
    const { code, stdout, stderr, requests } = await updateWith([old], directory, ['--recording']);
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^botcli 0\.0\.9 wrote this project\. npm now fetches generator-botcli@0\.0\.9 from http:\S+,/,
    );
    assert.match(
      stdout,
      new RegExp(`^✓ bot is updated from botcli 0\\.0\\.9 to ${RELEASE}\n[\\s\\S]*merged {4}server/bot\\.py`),
    );
    const text = readFileSync(join(directory, EDITED), 'utf8');
    assert.match(text, /friendly[\s\S]*Greet the guest[\s\S]*READY = 3[\s\S]*Recorder\(\)/);
    assert(requests.includes('/generator-botcli'), requests.join());
    run(process.execPath, [releasedBin(), 'init', 'like', ...BOT, '--recording', '--name', 'bot'], directory);
    const { 'server/bot.py': fresh = '', ...like } = readTree(join(directory, 'like'));
    const edited = fresh.replace('Greet the person', 'Greet the guest');
    assert.deepEqual(readTree(join(directory, 'bot')), { ...like, 'server/bot.py': edited });
    const again = await botcli(['update', 'bot'], directory, UNREACHABLE);
    assert.deepEqual(again, { code: 0, stdout: 'bot is up to date.\n', stderr: '' });
  });

  await check('botcli update: a project of an older release, without edits, needs no registry', async () => {
    const directory = makeOld('upgrade-unedited', text => text);
    const { code, stdout, stderr } = await botcli(['update', 'bot', '--eval'], directory, UNREACHABLE);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.match(stdout, /updated {3}AGENTS\.md/);
    assert.match(readFileSync(join(directory, EDITED), 'utf8'), /friendly/);
  });

  await check('botcli update: an older release, with what others put next to temporary directories', async () => {
    const directory = makeOld('upgrade-shared');
    const evil = { name: 'generator-botcli', version: '0.0.9', bin: { botcli: 'evil.js' } };
    const shared = makeDirectory('upgrade-shared-tmp', {
      '.npmrc': `registry=${UNREACHABLE}\noffline=true\nignore-scripts=false\n`,
      'package.json': JSON.stringify({ name: 'evil', workspaces: ['botcli-base-*'] }),
      'node_modules/generator-botcli/package.json': JSON.stringify(evil),
      'node_modules/generator-botcli/evil.js': '#!/usr/bin/env node\nrequire("fs").writeFileSync("../owned", "");\n',
      'node_modules/.bin/botcli': '#!/bin/sh\ntouch ../owned\n',
    });
    for (const name of ['generator-botcli/evil.js', '.bin/botcli'])
      chmodSync(join(shared, 'node_modules', name), 0o755);
    const before = readdirSync(shared);
    // As settings of the user, so that those of the directory would win.
    const registry = await startRegistry([old]);
    writeFileSync(join(directory, '.npmrc'), `registry=${registry.url}\n`);
    const mine = { TMPDIR: shared, npm_config_registry: undefined, npm_config_userconfig: join(directory, '.npmrc') };
    const line = ['update', 'bot', '--recording'];
    const { code, stdout, stderr } = await botcli(line, directory, registry.url, mine).finally(() => registry.close());
    assert.equal(code, 0, stderr);
    assert(stderr.includes(registry.url), stderr);
    assert.match(stdout, /merged {4}server\/bot\.py/);
    assert.deepEqual(readdirSync(shared), before);
  });

  await check('botcli update: an older release, from npm exec -c', async () => {
    const outer = { npm_config_call: 'botcli update --recording', npm_config_package: 'evil', npm_command: 'exec' };
    const { code, stdout, stderr } = await updateWith([old], makeOld('upgrade-call'), ['--recording'], outer);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /merged {4}server\/bot\.py/);
  });

  const impossible: [about: string, packages: () => Published[], reason: RegExp][] = [
    [
      'that the registry lacks',
      () => [packOlder('release-0.0.8', '0.0.8', cheerful)],
      /botcli 0\.0\.9 can't be run: .*(No matching version|notarget|ETARGET)/,
    ],
    [
      "that can't run here",
      () => [packOlder('release-broken', '0.0.9', broken)],
      /botcli 0\.0\.9 can't be run: error: botcli needs Node\.js 18/,
    ],
    [
      'that renders something else',
      () => [packOlder('release-gloomy', '0.0.9', gloomy)],
      /What botcli wrote isn't available: this botcli writes another text for the recorded choices\./,
    ],
    ['whose registry is unreachable', () => [], /botcli 0\.0\.9 can't be run: .*ECONNREFUSED/],
  ];
  for (const [about, packages, reason] of impossible) {
    await check(`botcli update: an older release ${about}`, async () => {
      const directory = makeOld(`upgrade-${about.replaceAll(/\W+/g, '-')}`);
      const before = readTree(join(directory, 'bot'));
      const served = packages();
      const more = served.length > 0 ? {} : { npm_config_registry: UNREACHABLE };
      const start = Date.now();
      const { code, stdout, stderr } = await updateWith(served, directory, [], more);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, reason);
      assert.match(stderr, /Nothing was written\./);
      assert.deepEqual(readTree(join(directory, 'bot')), before);
      assert(Date.now() - start < 60_000, `it took ${Date.now() - start} ms`);
    });
  }

  await check('botcli update: Ctrl-C while npm waits for the registry', async () => {
    const directory = makeOld('upgrade-interrupted');
    const before = readTree(join(directory, 'bot'));
    const temporary = makeDirectory('upgrade-interrupted-tmp');
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const running = spawn(process.execPath, [releasedBin(), 'update', 'bot'], {
      cwd: directory,
      env: { ...surroundings(directory, registry), TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    running.stderr.on('data', chunk => {
      printed += chunk;
    });
    await once(silent, 'connection');
    running.kill('SIGINT');
    const [code] = await once(running, 'close');
    silent.closeAllConnections();
    silent.close();
    assert.equal(code, 130, printed);
    assert.match(printed, /Interrupted\. Nothing was changed\.\n$/);
    assert.deepEqual(readTree(join(directory, 'bot')), before);
    assert.deepEqual(readdirSync(temporary), []);
  });
}
