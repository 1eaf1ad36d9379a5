import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { botParts } from '../../src/project/bot/facts.ts';
import { planClient } from '../../src/project/client.ts';
import { type Features, featuresOf, type PlannedFile } from '../../src/project/features.ts';
import { listFiles, planBot, projectTree } from '../../src/project/files/files.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';

const ALWAYS =
  '.gitattributes .gitignore README.md server/bot.py server/env.py server/shutdown.py server/pyproject.toml server/.env.example';
const TEXT_EVAL = 'server/evals/starter_text.yaml';
const AUDIO_EVAL = 'server/evals/starter_audio.yaml';
const SIMULATION = 'server/evals/starter_simulation.yaml server/evals/judge.py';
const CALL_SERVER = 'server/server.py server/server_utils.py';
const CLOUD = 'server/container-file server/.dockerignore server/cloud-deploy.toml';

const BARE: Features = featuresOf(resolveFlags({ ...LOCAL, deploy_to_cloud: false }));

const plans: [about: string, facts: Features, files: string][] = [
  ['a bare bot', BARE, ALWAYS],
  ['a bot for the cloud', { ...BARE, hasCloud: true }, `${ALWAYS} ${CLOUD}`],
  ['a cascade with evals', { ...BARE, hasEvals: true }, `${ALWAYS} ${TEXT_EVAL} ${AUDIO_EVAL} ${SIMULATION}`],
  [
    'a speech-to-speech bot with evals that nobody can type to: it has no text to test',
    { ...BARE, hasCloud: true, hasEvals: true, isCascade: false, takesText: false },
    `${ALWAYS} ${AUDIO_EVAL} ${SIMULATION} ${CLOUD}`,
  ],
  ['a bot that places calls', { ...BARE, hasCallServer: true, placesCalls: true }, `${ALWAYS} ${CALL_SERVER}`],
  ['a speech-to-speech bot', { ...BARE, guardsSessions: true }, `${ALWAYS} server/guard.py`],
];

describe('the files of', () => {
  for (const [about, facts, files] of plans) {
    it(about, () => {
      const planned = [...planBot(facts), ...planClient(facts)].map(({ destination }) => destination);
      assert.deepEqual(planned.sort(), files.split(' ').sort());
      const named = projectTree(facts).map(line => line.split('`')[1] ?? '');
      assert.deepEqual(named.sort(), [...planned, '.botcli.json', 'AGENTS.md', 'ASSISTANT.md'].sort());
    });
  }

  it('a web client, in the README: its own, and the directories of the others', () => {
    const facts = featuresOf(resolveFlags({ ...LOCAL, client_framework: 'component', client_server: 'fullstack' }));
    const lines = projectTree(facts).filter(line => line.includes('`client/'));
    assert(lines.length < 16, `${lines.length}`);
    assert(lines.includes("- `client/src/config.ts`: the bot's name, transport and keys"));
    assert(lines.includes('- `client/src/bot/`: the call: its connection, transports, transcript and texts'));
  });
});

it('the files of a project are sorted for programs, each with its note', () => {
  const files = listFiles(resolveFlags({ ...LOCAL, deploy_to_cloud: false }));
  assert.deepEqual(
    files.map(({ path }) => path),
    [...ALWAYS.split(' '), '.botcli.json', 'AGENTS.md', 'ASSISTANT.md'].sort(),
  );
  assert.deepEqual(files.slice(0, 2), [
    { path: '.botcli.json', note: 'how this project was made, for botcli update' },
    { path: '.gitattributes', note: 'line endings: the same on every system' },
  ]);
});

/** The paths of a generator's templates, with the names of the templates that each one includes. */
function templatesOf(generator: string): Map<string, string[]> {
  const directory = fileURLToPath(new URL(`../../generators/${generator}/templates`, import.meta.url));
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .map(path => path.replaceAll(sep, '/'));
  const includedBy = (path: string) =>
    [...readFileSync(join(directory, path), 'utf8').matchAll(/include\('([^']+)'\)/g)].map(([, part = '']) =>
      posix.join(dirname(path), part),
    );
  return new Map(paths.sort().map(path => [path, includedBy(path)]));
}

/** Parts have no row: other templates include them. */
const isPart = (path: string) => /-parts\//.test(path);
const pagesOf = (generator: string) => [...templatesOf(generator).keys()].filter(path => !isPart(path));

/** A template's destination, from its path: npm omits dotfiles from packages, or reads them as its own. */
const undotted = (destination: string) => destination.replace(/(^|\/)\.(?=\w)/, '$1');

/** Every feature at once. */
const ALL = Object.fromEntries(Object.keys(BARE).map(name => [name, true])) as Features;

describe('the table of files', () => {
  it('has a row for every template, and a template for every row', () => {
    const templates = (files: PlannedFile[]) => [...new Set(files.map(({ template }) => template))].sort();
    assert.deepEqual(templates(planBot(ALL)), pagesOf('bot'));
    assert.deepEqual(templates(planClient(ALL)), pagesOf('client'));
  });

  it('has no part that no template includes, and no template that includes another page', () => {
    for (const generator of ['bot', 'client']) {
      const templates = templatesOf(generator);
      const rows = generator === 'bot' ? botParts.map(({ template }) => `server/${template}`) : [];
      const included = [...new Set([...rows, ...[...templates.values()].flat()])];
      assert.deepEqual(included.sort(), [...templates.keys()].filter(isPart));
    }
  });

  it('has a template tree that mirrors its output', () => {
    const shared = planBot(ALL)
      .map(file => file.destination)
      .filter((path, at, all) => all.indexOf(path) !== at);
    assert.deepEqual([...new Set(shared)], ['server/guard.py', 'server/typed_text.py', 'server/server.py']);
    for (const { template, destination } of planBot(ALL)) {
      const page = template.replace(/\.ejs$/, '');
      assert.equal(shared.includes(destination) ? page.replace(/-[\w-]+(?=\.)/, '') : page, undotted(destination));
    }
    // A client's templates are in the folder of the clients that share them. The icon's path depends on the server.
    for (const { template, destination } of planClient(ALL)) {
      if (template === 'shared/favicon.svg') continue;
      const [, path = ''] = /^[\w-]+\/(.*?)(\.ejs)?$/.exec(template) ?? [];
      assert.equal(`client/${path}`, undotted(destination));
    }
  });

  it('never has two files of a client at the same path', () => {
    const clients = [
      { isReact: true, isVite: true },
      { isReact: true, isNext: true },
      { isVanilla: true, isVite: true },
    ];
    for (const client of clients) {
      const places = planClient({ ...BARE, hasClient: true, ...client }).map(({ destination }) => destination);
      assert.deepEqual(places, [...new Set(places)]);
      assert(places.length > 15);
    }
  });
});
