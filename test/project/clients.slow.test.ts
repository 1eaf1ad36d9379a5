import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { titleOf } from '../../src/project/names.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';
import { CASCADE, CLIENTS, clientMatrix, generateProject, type Project } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree } from '../support/trees.ts';

const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));

/** A client's files by their path below `client/`. */
const clientOf = (project: Project): Project =>
  Object.fromEntries(
    Object.entries(project)
      .filter(([path]) => path.startsWith('client/'))
      .map(([path, text]) => [path.slice('client/'.length), text]),
  );

/** The imports of a module, in any form. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^"]+)"/g)].map(([, name = '']) => name);

/** The package of an import, with its scope but without a path. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

/** A relative import resolves to a file. */
function isThere(client: Project, path: string, name: string): boolean {
  const target = posix.join(posix.dirname(path), name);
  return ['', '.ts', '.tsx'].some(ending => target + ending in client);
}

const manifestOf = (client: Project) => JSON.parse(client['package.json'] ?? '');

describe('every web client', () => {
  const clients: { config: ScaffoldConfig; client: Project; about: string }[] = [];
  before(async () => {
    for (const config of clientMatrix()) {
      const about = [config.client_framework, config.client_server, ...config.transports, config.video_service].join(
        ' ',
      );
      clients.push({ config, client: clientOf(generateProject(config)), about });
    }
    assert.equal(clients.length, 60);
  });

  it('imports only existing files, and has no unused package', () => {
    for (const { client, about } of clients) {
      const { dependencies, devDependencies, scripts } = manifestOf(client);
      const inPage = new Set<string>();
      const inTools = new Set(['typescript', ...Object.values<string>(scripts).flatMap(line => line.split(' '))]);
      for (const [path, text] of Object.entries(client).filter(([name]) => /\.(m?js|tsx?)$/.test(name))) {
        for (const name of importsOf(text)) {
          if (name.startsWith('.')) assert(isThere(client, path, name), `${path} imports ${name}: ${about}`);
          else if (path.startsWith('src/') || path === 'next.mjs') inPage.add(packageOf(name));
          else inTools.add(packageOf(name));
        }
      }
      // Next.js uses it to render pages.
      if (inPage.has('next')) inPage.add('react-dom');
      assert.deepEqual(Object.keys(dependencies).sort(), [...inPage].sort(), about);
      for (const name of Object.keys(devDependencies)) {
        const isType = /^@types\/(node|react|react-dom)$/.test(name);
        assert(isType || inTools.has(name), `${name} is not used: ${about}`);
      }
      const known = { ...dependencies, ...devDependencies };
      for (const name of inTools) assert(!/^[@a-z-]+\/|^(vite|next|eslint|globals)$/.test(name) || name in known, name);
    }
  });

  it('has pages whose scripts, styles and icons exist', () => {
    for (const { client, about } of clients) {
      const page = client['index.html'];
      if (page === undefined) continue;
      const sources = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = '']) => path);
      assert(sources.length >= 2, about);
      for (const path of sources) assert(path in client || `public/${path}` in client, `${path}: ${about}`);
    }
  });

  it('finds every element that its scripts look for', () => {
    for (const { client, about } of clients.filter(({ config }) => config.client_framework === 'vanilla')) {
      const scripts = Object.entries(client).filter(([path]) => path.startsWith('src/'));
      const calls = scripts.flatMap(([, text]) =>
        [...text.matchAll(/(?<!\.)\b(?:find(?:<\w+>)?|showSelect|onChoice)\(([^)]*)/g)].map(([, call = '']) => call),
      );
      const wanted = calls.flatMap(call => [...call.matchAll(/"([\w-]+)"/g)].map(([, id]) => id));
      const page = client['index.html'] ?? '';
      wanted.push(...[...page.matchAll(/popovertarget="([\w-]+)"/g)].map(([, id]) => id));
      const there = [...page.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id);
      assert.deepEqual([...new Set(wanted)].sort(), there.sort(), about);
    }
  });

  it("has no code for a transport or picture that the bot doesn't have", () => {
    for (const { config, client, about } of clients) {
      const text = Object.values(client).join('\n');
      const has = (pattern: RegExp) => pattern.test(text);
      const isLocal = config.transports.includes('rtc_local');
      const isHosted = config.transports.includes('rtc_hosted');
      assert.equal(has(/small-webrtc/), isLocal, about);
      assert.equal(has(/daily-transport/), isHosted, about);
      assert.equal(has(/Connection<\/span>/), isLocal && isHosted, about);
      assert.equal(has(/Camera|videoinput|"cam"/), config.video_input, about);
      assert.equal(has(/\.picture|"picture"/), config.video_output, about);
      assert.equal(has(/<video|PipecatClientVideo/), config.video_input || config.video_output, about);
    }
  });

  it("hides the bot's address and key from the browser", () => {
    for (const { client } of clients) {
      for (const [path, text] of Object.entries(client)) {
        const isServers = ['.env.example', 'vite.config.ts', 'src/server/forward-to-bot.ts'].includes(path);
        assert.equal(/BOT_URL|BOT_API_KEY/.test(text), isServers, path);
      }
    }
  });

  it('is formatted in one style', async () => {
    await inTree({}, async directory => {
      const settings = { formatter: { indentStyle: 'space', lineWidth: 100 }, json: { formatter: { enabled: false } } };
      writeFileSync(join(directory, 'biome.json'), JSON.stringify(settings));
      for (const [at, { client }] of clients.entries()) {
        for (const [path, text] of Object.entries(client)) {
          const target = join(directory, `${at}`, path);
          mkdirSync(dirname(target), { recursive: true });
          writeFileSync(target, text);
        }
      }
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIOME, 'format', '.'], { cwd: directory });
      assert.equal(status, 0, `${stdout}${stderr}`);
    });
  });
});

describe('a web client with a hostile name', () => {
  for (const name of HOSTILE_NAMES) {
    it(name, async () => {
      for (const choice of [CLIENTS.vanilla, CLIENTS['Next.js']]) {
        const client = clientOf(generateProject(resolveFlags({ ...CASCADE, ...choice, project_name: name })));
        const [, literal = ''] = /^export const BOT_NAME = (.*);$/m.exec(client['src/config.ts'] ?? '') ?? [];
        assert.equal(runInNewContext(literal), titleOf(name));
        assert.match(manifestOf(client).name, /^[a-z0-9][a-z0-9-]{0,55}-client$/);
        const page = client['index.html'];
        if (page !== undefined) assert.match(page, /<title>[^<>]+<\/title>\n/);
      }
    });
  }
});
