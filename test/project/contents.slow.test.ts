import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import GuideGenerator from '../../generators/guide/index.ts';
import { findTransport } from '../../src/catalog/index.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { readRules } from '../../src/deploy/context/rules.ts';
import { planDeploy } from '../../src/deploy/plan.ts';
import { parseDeployFile } from '../../src/existing/deploy-file.ts';
import { readModules, requirementsOf } from '../../src/existing/needs.ts';
import { readPython } from '../../src/formats/python/module.ts';
import { readableName } from '../../src/project/names.ts';
import { SECRET_NAMES } from '../../src/project/protected.ts';
import { chosenServices } from '../../src/project/variables.ts';
import { unique } from '../../src/std.ts';
import { runGenerator } from '../generators/running.ts';
import { generateProject, type Project, projectMatrix } from '../support/projects.ts';

type Table = Record<string, unknown>;

const projects: { config: ScaffoldConfig; files: Project; about: string }[] = [];

/** The matching files of all projects. */
function* filesOf(pattern: RegExp): Generator<{
  path: string;
  text: string;
  files: Project;
  config: ScaffoldConfig;
  about: string;
}> {
  let count = 0;
  for (const { files, config, about } of projects) {
    for (const [path, text] of Object.entries(files)) {
      if (!pattern.test(path)) continue;
      count += 1;
      yield { path, text, files, config, about: `${path} of ${about}` };
    }
  }
  assert(count > 10, `there are ${count} files like ${pattern}`);
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** What Python itself defines, of what projects use. */
const BUILT_IN =
  /^(?:__(?:file|name)__|any|bool|bytearray|bytes|callable|dict|filter|float|getattr|hasattr|int|isinstance|list|map|min|next|range|round|set|str|super|tuple|type|\w*(?:Error|Exception))$/;

const variablesIn = (example: string) => matches(example, /^(?:# )?([A-Z][A-Z0-9_]+)=$/gm);

/** The keys that the first deploy of a project proposes to send, if its `.env` sets every variable. */
function keysSent(files: Project, config: ScaffoldConfig): string[] {
  const deploy = parseDeployFile(files['server/cloud-deploy.toml'] ?? '');
  assert(deploy?.agentName);
  const python = new Map(Object.entries(files).filter(([path, text]) => path.endsWith('.py') && /env/i.test(text)));
  const own = variablesIn(files['server/.env.example'] ?? '');
  const wanted = {
    root: '',
    deploy: { ...deploy, agentName: deploy.agentName, image: 'example/bot:1', path: '' },
    folder: 'server',
    deployFile: 'cloud-deploy.toml',
    requirements: requirementsOf(readModules(python), config),
    transports: config.transports,
    transport: undefined,
    upload: undefined,
    ownValues: own.map(key => ({ key, value: 'x' })),
    fileValues: undefined,
    blank: undefined,
    ownFile: 'server/.env',
  };
  const empty = { agent: undefined, next: undefined, set: undefined, pullSecret: undefined, profiles: undefined };
  const builds = { running: undefined, chosen: undefined, builds: [] };
  const seen = { organization: 'acme', region: 'us-west', regions: ['us-west'], ...empty, ...builds };
  return planDeploy(wanted, seen, { force: false, mayAsk: true }).secrets.map(({ key }) => key);
}

describe('every generated project', () => {
  before(async () => {
    for (const config of projectMatrix()) {
      projects.push({ config, files: generateProject(config), about: JSON.stringify(config) });
    }
  });

  it('has Python formatted like ruff format', () => {
    const texts = new Map([...filesOf(/\.py$/)].map(({ text, path, about }) => [text, { path, about }]));
    for (const [text, { path, about }] of texts) {
      assert.equal(text, format(text, path, { line_width: 100, line_ending: 'lf' }), about);
    }
  });

  it('has Python that imports exactly what it uses', () => {
    const texts = new Map([...filesOf(/\.py$/)].map(({ text, about }) => [text, about]));
    for (const [text, about] of texts) {
      const { scopes } = readPython(text);
      const used = scopes.flatMap(scope => [...scope.uses.keys()].map(name => ({ name, from: scope.resolve(name) })));
      const unknown = used.flatMap(({ name, from }) => (from || BUILT_IN.test(name) ? [] : name));
      assert.deepEqual(unknown, [], about);
      for (const scope of scopes) {
        for (const [name, [binding]] of scope.defines) {
          const isUsed = used.some(one => one.name === name && one.from === scope);
          assert(binding?.by !== 'import' || isUsed, `${name}: ${about}`);
        }
      }
    }
  });

  it('has TOML that parses, with slugs for names and the readable name in the description', () => {
    for (const { text, config, about } of filesOf(/pyproject\.toml$/)) {
      const { project } = parseToml(text) as { project: Table };
      assert.match(String(project.name), /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, about);
      assert.equal(project.description, `${readableName(config.project_name)}: a voice bot built on Pipecat`);
      for (const requirement of project.dependencies as string[])
        assert.match(requirement, /^[a-z-]+(\[[a-z0-9,-]+\])?(==[\d.]+|>=[\d.]+,<\d+)$/, 'has an upper bound');
    }
    for (const { text, about } of filesOf(/cloud-deploy\.toml$/)) {
      const { agent_name: agent, secret_set: secrets } = parseToml(text);
      assert.match(String(agent), /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, about);
      assert.equal(secrets, `${agent}-secrets`);
    }
  });

  it('keeps what git ignores, and the evals, out of the cloud, but uv.lock in git and in the cloud', () => {
    for (const { text, files, about } of filesOf(/dockerignore$/)) {
      const linesOf = (list = '') => list.split('\n').flatMap(line => /^[^#!].*?(?=\/?$)/.exec(line) ?? []);
      // Compiled Python is in a cache. Docker needs a pattern of its own for other directories.
      const ignored = linesOf(files['.gitignore'])
        .filter(pattern => pattern !== '*.py[cod]')
        .map(pattern => pattern.replace(/^(\*\*|server)\//, ''));
      assert(!ignored.some(pattern => pattern.includes('lock')), about);
      const kept = linesOf(text).filter(pattern => !pattern.startsWith('**/'));
      // The platform reads the deploy file, but no bot does.
      const local = ['evals', '.git', 'node_modules', 'cloud-deploy.toml'];
      // A deploy leaves these out, too.
      for (const name of SECRET_NAMES) assert.ok(readRules('').judge(name.replaceAll('*', 'x')).by, name);
      assert.deepEqual(sorted(kept), sorted(unique([...ignored, ...local])), about);
      const deep = linesOf(text).filter(pattern => pattern.startsWith('**/'));
      for (const pattern of deep) assert(kept.includes(pattern.slice(3)), pattern);
    }
  });

  it('has scenarios that parse, and need no model but the one that judge.py creates', () => {
    for (const { text, path, files, about } of filesOf(/\.yaml$/)) {
      const scenario = parseYaml(text) as { name: string; judge?: { eval?: Table }; scenarios: Table[] };
      assert(path.endsWith(`/${scenario.name}.yaml`));
      assert.equal(scenario.scenarios.length, 1, about);
      const hasJudge = 'server/evals/judge.py' in files;
      const judge = hasJudge ? { factory: 'evals.judge.language_model' } : undefined;
      assert.deepEqual(scenario.judge?.eval, judge, about);
      assert.equal(/^ +(eval: the bot|persona: )/m.test(text), hasJudge, about);
    }
    for (const { text, about } of filesOf(/judge\.py$/)) assert.match(text, /^def language_model\(config: /m, about);
  });

  it('lists in .env.example exactly what its bot, services and transports read', () => {
    for (const { files, config, about } of projects) {
      const code = Object.entries(files).flatMap(([path, text]) => (path.endsWith('.py') ? text : []));
      const python = code.join('\n');
      const example = files['server/.env.example'] ?? '';
      const direct = matches(python, /os\.environ\[["']([A-Z0-9_]+)["']\]/g);
      const gotten = matches(python, /os\.getenv\(["']([A-Z_]+)["']\)/g).filter(
        name => !['ENV', 'BOTCLI_STARTED_BY'].includes(name),
      );
      const omitted = matches(python, /\*\*optional_env\(([^)]*)\)/g).flatMap(list => matches(list, /="([^"]+)"/g));
      const optional = [...gotten, ...omitted];
      const rows = config.transports.map(findTransport);
      const hasFlow = rows.some(({ family }) => family === 'flow');
      const ambient = [
        ...chosenServices(config).flatMap(({ row }) => row.ambient ?? []),
        ...rows.flatMap(({ ambient, withoutCalls = [] }) => [...ambient, ...(hasFlow ? [] : withoutCalls)]),
      ];
      const named = variablesIn(example);
      assert.deepEqual(named, [...new Set(named)], `once each: ${about}`);
      assert.deepEqual(sorted(named), sorted([...direct, ...optional, ...ambient.map(({ env }) => env)]), about);

      // The variables without a "#" are those that the bot requires, on some of its transports perhaps only for calls.
      const quoted = (lists: readonly string[]) => lists.flatMap(list => matches(list, /"([^"]+)"/g));
      const always = quoted(matches(python, /^(?:REQUIRED|CALL)_ENV = \[([^\]]*)\]/gm));
      const [dictionary = ''] = matches(python, /^TRANSPORT_ENV: .* = \{([^}]*)\}/gm);
      const transports = matches(dictionary, /\[([^\]]*)\]/g);
      const set = matches(example, /^([A-Z][A-Z0-9_]+)=$/gm);
      assert.deepEqual(sorted(always.filter(name => !set.includes(name))), [], about);
      const isReady = (list: string) => quoted([list]).every(name => set.includes(name));
      assert(transports.length === 0 || transports.some(isReady), about);
      const listed = [...always, ...quoted(transports)];
      assert.deepEqual(sorted([...set, ...direct].filter(name => !listed.includes(name))), [], about);
      for (const line of example.split('\n')) assert.match(line, /^(#.*|[A-Z][A-Z0-9_]+=|)$/, about);
    }
  });

  it('has no comments in the lines to paste, since zsh would read them as arguments', async () => {
    const { 'GETTING_STARTED.md': started = '' } = await runGenerator(GuideGenerator, { gettingStarted: true });
    const guide = { text: started, about: 'GETTING_STARTED.md' };
    for (const { text, about } of [guide, ...filesOf(/\.md$/)]) {
      for (const block of matches(text, /^ *```bash\n(.*?)^ *```$/gms)) {
        assert(!/(^|\s)#/.test(block.replaceAll(/'[^']*'/g, '')), `${block} in ${about}`);
      }
    }
  });

  it('sends the deployed bot what it reads, without what only server.py reads', () => {
    let count = 0;
    // The test above compares the code of all projects with these files. So one project of each is enough.
    const seen = new Set<string | undefined>();
    for (const { files, config, about } of projects) {
      if (!config.deploy_to_cloud || seen.has(files['server/.env.example'])) continue;
      seen.add(files['server/.env.example']);
      assert.match(files['README.md'] ?? '', /^\S.* cloud deploy --secrets server\/\.env$/m, about);
      const [bots = '', servers = ''] = (files['server/.env.example'] ?? '').split(/^# --- server\.py only: .*$/m);
      // The framework reads the room on one's own machine. The cloud makes a room for each call.
      const read = variablesIn(bots).filter(name => name !== 'DAILY_ROOM_URL');
      assert.deepEqual(sorted(keysSent(files, config)), sorted(read), about);
      if (!('server/server.py' in files)) continue;
      count += 1;
      assert(variablesIn(servers).includes('PIPECAT_API_KEY'), about);
    }
    assert(count > 10, `${count} projects have a server`);
  });

  it('says that a web client has no authentication', () => {
    for (const { files, config, about } of projects)
      assert.equal(/Put your own sign-in in front of it/.test(files['README.md'] ?? ''), config.generate_client, about);
  });

  it('lists exactly its files in the README', () => {
    for (const { files, about } of projects) {
      const [, list = ''] = /^## Project files\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(files['README.md'] ?? '') ?? [];
      const listed = matches(list, /^- `([^`]+)`/gm);
      const folderOf = (path: string) => listed.find(one => one.endsWith('/') && path.startsWith(one)) ?? path;
      assert.deepEqual(listed.sort(), unique(Object.keys(files).map(folderOf)).sort(), about);
    }
  });

  it('contains no trace of a template', () => {
    for (const { path, text, config, about } of filesOf(/./)) {
      const own = text.replaceAll(config.project_name, '').replaceAll('<%= 1 %\\>', '');
      assert(!/<%|%>|\bNaN\b|\[object /.test(own), about);
      // TypeScript uses the word as well; only the name is inserted there.
      assert(/\.tsx?$/.test(path) || !/\bundefined\b/.test(own), about);
    }
  });

  it('ends every file with one line feed, and has no carriage returns or trailing spaces', () => {
    for (const { text, about } of filesOf(/./)) {
      assert(text.endsWith('\n') && !text.endsWith('\n\n'), about);
      assert(!/\r|[ \t]\n|\n\n\n\n/.test(text), about);
    }
  });

  it("always installs the platform's tool with the same line, since a different one would undo it", async () => {
    const { 'GETTING_STARTED.md': started = '' } = await runGenerator(GuideGenerator, { gettingStarted: true });
    for (const { files, about } of projects) {
      const lines = Object.values({ ...files, started }).flatMap(text => matches(text, /^ *(uv tool install .*)$/gm));
      assert(lines.length >= 3, about);
      assert.deepEqual(sorted(lines), ['uv tool install "pipecat-ai[cli]" --with pipecatcloud'], about);
    }
  });

  it('names only existing files in commands, from server/', () => {
    for (const { files, about } of projects) {
      for (const path of matches(files['README.md'] ?? '', /uv run (?:pipecat eval run )?([\w/.]+\.(?:py|yaml))/g)) {
        assert(`server/${path}` in files, `${path}: ${about}`);
      }
    }
  });
});
