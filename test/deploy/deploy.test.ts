import assert from 'node:assert/strict';
import { openSession } from '../../scripts/local-cloud/sessions.ts';
import { SECRET } from '../support/cloud-session.ts';
import {
  acmeWith,
  answer,
  changesOf,
  DEPLOY_FILE,
  type DeploySession,
  deployable,
  deployIt,
  deploySession,
  KEY,
  SET,
  storedSet,
} from '../support/deploys.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { posixIt } from '../support/systems.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HASH = /contextHash=[0-9a-f]{16}/;

/** Requests without what differs each time. */
const plain = (requests: readonly string[]) =>
  requests.map(line => line.replace(UUID, 'ID').replace(HASH, 'contextHash=HASH'));

const LOOK = [
  'GET /services/bot 404',
  `GET /secrets/${SET} 200`,
  'GET /regions 200',
  'GET /builds?contextHash=HASH&region=us-west&limit=20 200',
];

describe('cloud deploy', () => {
  deployIt('builds a new agent, and waits until it is ready and stays so', {}, async session => {
    const { code, stdout, stderr, waits } = await session.run('cloud deploy --skip');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^bot runs deployment [0-9a-f]{8}\n$/);
    for (const part of [
      /^Organization: acme\nAgent: {8}bot \(new\) in us-west\nImage: {8}server\/container-file, \d files, /,
      /\n✓ Uploaded \d+ kB\n✓ Built in 1m 42s \([0-9a-f]{8}\)\n✓ bot is ready: deployment [0-9a-f]{8}, after \d+s\n/,
      /\nReady means that the platform could start it\. botcli hasn't called it\.\nNext:\n {2}botcli cloud call bot -o acme\n {2}botcli cloud status bot -o acme\n/,
    ])
      assert.match(stderr, part);
    assert.deepEqual(plain(session.requests()), [
      ...LOOK,
      'POST /builds/upload-url 200',
      'POST /_uploads 204',
      'POST /builds 201',
      'GET /builds/ID 200',
      'GET /builds/ID 200',
      'GET /services/bot 404',
      'POST /services 200',
      ...Array(4).fill('GET /services/bot 200'),
    ]);
    assert.ok(waits.includes(10_000));
  });

  deployIt('names the only organization of an account once', {}, async session => {
    const { stderr } = await session.run('cloud deploy --skip', { env: { BOTCLI_ORG: undefined } });
    assert.equal(stderr.match(/Organization: acme/g)?.length, 1, stderr);
  });

  const settings = { files: deployable('bot', 'max_session_duration = 600\nwebsocket_auth = "none"') };
  deployIt('sends the settings of the deploy file', settings, async ({ succeed, sent }) => {
    await succeed('cloud deploy --skip');
    const { buildId, ...others } = sent('POST') as { buildId: string };
    assert.match(buildId, UUID);
    const usual = { serviceName: 'bot', region: 'us-west', secretSet: SET, agentProfile: 'agent-1x' };
    const more = { autoScaling: { minAgents: 0 }, websocketAuth: 'none', maxSessionDuration: 600 };
    assert.deepEqual(others, { ...usual, ...more });
  });

  deployIt('changes nothing if nothing changed, with at most 9 requests', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    const stdout = await session.succeed('cloud deploy --skip');
    assert.match(stdout, /^Nothing to deploy: bot already runs this \(deployment [0-9a-f]{8}\)\n$/);
    const requests = session.requests();
    assert.ok(requests.length <= 9 && requests.every(line => line.startsWith('GET')));
  });

  for (const name of ['bot-idle', 'bot-idle-unsaid', 'bot-idle-ready']) {
    const title = `ends if nothing runs while idle, whatever the platform says about its health (${name})`;
    deployIt(title, { files: deployable(name) }, async session => {
      const { code, stdout, stderr } = await session.run('cloud deploy --skip');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^bot-\S+ is ready; nothing runs while idle \(deployment [0-9a-f]{8}\)\n$/);
      assert.match(stderr, /\n✓ bot-\S+ is ready; nothing runs while idle: deployment [0-9a-f]{8}, after \d+s\n/);
      assert.match(stderr, /\nThe first call starts an instance\. botcli hasn't called it\.\n/);
      assert.match(await session.succeed('cloud deploy --skip'), /^Nothing to deploy: /);
      assert.match(await session.succeed('cloud status'), /^bot-\S+: ready; nothing runs while idle, in us-west\n/);
      assert.equal((await session.json('cloud status')).state, 'ready');
      session.write('server/extra.py', 'X = 1\n');
      await session.succeed('cloud deploy --skip');
      assert.match(
        await session.succeed('cloud rollback --skip'),
        /^bot-\S+ is ready; nothing runs while idle \(deployment [0-9a-f]{8}\), with the image of [0-9a-f]{8}\n$/,
      );
      openSession(session.agent(name));
      assert.match(await session.succeed('cloud status'), /^bot-\S+: ready, in us-west\n/);
    });
  }

  deployIt('deploys the same build again with --force, and says so to the platform', {}, async session => {
    await session.succeed('cloud deploy --skip');
    const { outcome, deployment, previous_deployment, build } = await session.json('cloud deploy --skip --force');
    assert.deepEqual([outcome, build.cached], ['updated', true]);
    assert.notEqual(deployment, previous_deployment);
    const { forceRedeploy, region } = session.sent('PUT') as Record<string, unknown>;
    assert.deepEqual({ forceRedeploy, region }, { forceRedeploy: true, region: undefined });
  });

  deployIt('builds again only if files of the image change', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    session.write('server/extra.py', 'X = 1\n');
    await session.succeed('cloud deploy --skip');
    assert.equal(session.requests().filter(line => line.startsWith('POST /builds 201')).length, 1);
  });

  deployIt('joins a build of the same files that runs already', {}, async session => {
    session.cloud.fault({ path: /\/builds\/[0-9a-f-]{36}$/, fault: answer(403) });
    assert.match(await session.fail(1, 'cloud deploy --skip'), /has no access/);
    session.requests();
    session.cloud.clearFaults();
    const { stderr, code } = await session.run('cloud deploy --skip');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /; being built \([0-9a-f]{8}\)\n/);
    assert.match(stderr, /A build of these files is running: [0-9a-f]{8}\./);
    assert.deepEqual(changesOf(session), ['POST /services 200']);
  });

  deployIt('sets the keys of --secrets that the bot reads, and no others', { acme: acmeWith([]) }, async session => {
    session.write('keys', `${KEY}=${SECRET}\nOTHER=${SECRET}-2\n`);
    const { stderr, stdout, code } = await session.run('cloud deploy --secrets keys --skip --json');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Secret set: {3}bot-secrets \(new\)\n {2}\+ OPENAI_API_KEY {2}add\n/);
    assert.match(stderr, /✓ Secrets: 1 added, ready\n/);
    assert.deepEqual(JSON.parse(stdout).secrets, { added: [KEY], replaced: [], kept: [] });
    assert.deepEqual([...(session.acme.sets.get(SET)?.values.keys() ?? [])], [KEY]);
  });

  deployIt('accepts the old name of --secrets, and says why to change it', { acme: acmeWith([]) }, async session => {
    session.write('keys', `${KEY}=${SECRET}\n`);
    const { stderr, stdout } = await session.run('cloud deploy --env-file keys --skip --json');
    const why = 'Node.js reads that option, too, and lets the file change how botcli runs';
    assert(stderr.startsWith(`Use --secrets instead of --env-file: ${why}.\n`), stderr);
    assert.deepEqual(JSON.parse(stdout).secrets.added, [KEY]);
    for (const [line, message] of [
      ['--env-file keys --secrets keys', /^error: Pass --secrets or --env-file, not both\n/],
      ['--env-fil keys', /^error: Unknown option --env-fil\n(?!Did you mean --env-file)/],
    ] as const)
      assert.match(await session.fail(2, `cloud deploy ${line} --skip`), message);
    assert.match(await session.succeed('cloud deploy --help'), /^(?![\s\S]*env-file)[\s\S]*--secrets <file>/);
  });

  deployIt('warns in the plan about an address that the cloud cannot reach', {}, async session => {
    const warning = "OPENAI_API_KEY points to this computer or its network, which the cloud can't reach.";
    session.write('keys', `${KEY}=http://localhost:11434/v1\n`);
    const { stderr, stdout } = await session.run('cloud deploy --secrets keys --skip --json');
    assert.deepEqual(JSON.parse(stdout).warnings, [warning]);
    assert.ok(stderr.indexOf(warning) > 0 && stderr.indexOf(warning) < stderr.indexOf('✓ Secrets'), stderr);
    session.write('keys', `${KEY}=x\nOTHER=http://localhost\n`);
    assert.doesNotMatch(await session.succeed('cloud deploy --secrets keys --dry-run'), /points to/);
  });

  deployIt('warns in the plan about a value that a bot reads otherwise from the same file', {}, async session => {
    session.write('keys', `${KEY}=\${HOST}/v1\nOTHER="\\$5"\n`);
    const { warnings } = await session.json('cloud deploy --secrets keys --skip');
    const [warning, ...others] = warnings;
    assert.match(warning, /^The platform gets these values as written: OPENAI_API_KEY \(line 1\)\./);
    assert.deepEqual(others, []);
  });

  const blank = 'leaves out blank lines of --secrets, but not of keys that the bot needs';
  deployIt(blank, { acme: acmeWith([]) }, async session => {
    session.write('keys', `${KEY}=${SECRET}\nOPENAI_LLM_MODEL=\n`);
    const { warnings, secrets } = await session.json('cloud deploy --secrets keys --skip');
    assert.deepEqual(warnings, ['Not set, because the file has no value: OPENAI_LLM_MODEL (line 2)']);
    assert.deepEqual(secrets, { added: [KEY], replaced: [], kept: [] });
    session.write('keys', `${KEY}=\nOPENAI_LLM_MODEL=x\n`);
    const empty = /in keys: line 1: the value is empty, and the bot needs it; fill it in \(OPENAI_API_KEY\)\n/;
    assert.match(await session.fail(2, 'cloud deploy --secrets keys --skip'), empty);
  });

  const elsewhere = acmeWith();
  const move = () => {
    for (const agent of elsewhere.agents.values()) agent.region = 'us-east';
  };
  const moving = { acme: elsewhere, cloud: { onRequest: move } };
  deployIt('says so if the platform creates the agent elsewhere', moving, async session => {
    const { code, stderr } = await session.run('cloud deploy --skip');
    assert.equal(code, 0);
    assert.match(stderr, /\nThe platform runs bot in us-east, not in us-west\.\n/);
  });

  const isForced = ({ sent }: DeploySession) => (sent('PUT') as { forceRedeploy?: boolean }).forceRedeploy;

  deployIt('makes a new deployment after it changed secrets', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.write('keys', `${KEY}=${SECRET}-3\n`);
    assert.equal((await session.json('cloud deploy --secrets keys --skip')).outcome, 'updated');
    assert.equal(isForced(session), true);
  });

  const image = { files: deployable('bot', 'image = "me/bot:1.0"') };

  deployIt('deploys an image without a build', image, async session => {
    const { build, context, outcome } = await session.json('cloud deploy --skip');
    assert.deepEqual([build, context, outcome], [null, null, 'created']);
    assert(!session.requests().some(line => line.includes('/builds')));
    assert.match(await session.succeed('cloud deploy --skip'), /^Nothing to deploy/);
  });

  deployIt('accepts that a change of the scaling alone makes no new deployment', image, async session => {
    await session.succeed('cloud deploy --skip');
    session.write(DEPLOY_FILE, session.read(DEPLOY_FILE).replace('min_agents = 0', 'min_agents = 1'));
    const { outcome, deployment, previous_deployment } = await session.json('cloud deploy --skip');
    assert.deepEqual([outcome, deployment], ['updated', previous_deployment]);
  });

  const resources = 'resources = { cpu = "500m", memory = "1Gi" }';
  for (const line of ['websocket_auth = "none"', resources, 'architecture = "arm64"']) {
    const title = `makes a new deployment if the platform doesn't show whether it changed: ${line}`;
    deployIt(title, { files: deployable('bot', line) }, async session => {
      const first = await session.json('cloud deploy --skip');
      const { outcome, previous_deployment, deployment, build } = await session.json('cloud deploy --skip');
      assert.deepEqual([outcome, previous_deployment, build.cached], ['updated', first.deployment, true]);
      assert.notEqual(deployment, first.deployment);
    });
  }

  deployIt('makes a new deployment of an image that was deployed before', image, async session => {
    for (const tag of ['1.0', '2.0', '1.0']) {
      session.write(DEPLOY_FILE, session.read(DEPLOY_FILE).replace(/me\/bot:[\d.]+/, `me/bot:${tag}`));
      await session.succeed('cloud deploy --skip');
    }
    assert.equal((session.sent('PUT') as { image?: string }).image, 'me/bot:1.0');
    assert.equal(isForced(session), true);
  });

  deployIt('makes a new deployment of a build that was deployed before', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.write('server/extra.py', 'X = 1\n');
    await session.succeed('cloud deploy --skip');
    session.remove('server/extra.py');
    await session.succeed('cloud deploy --skip');
    assert.equal(isForced(session), true);
  });

  deployIt('shows in a dry run the plan, every file, and what leaves others out, without --skip', {}, async session => {
    const stdout = await session.succeed('cloud deploy --dry-run');
    assert.match(stdout, /\nFiles:\n[\s\S]*\n {2}bot\.py {2}\d+ kB\n/);
    assert.match(stdout, /\nExcluded:\n {2}\.env {2}by the built-in rule/);
    const planned = await session.json('cloud deploy --dry-run');
    const keys =
      'agent build context deployment next organization outcome previous_deployment region seconds secrets warnings';
    assert.equal(Object.keys(planned).sort().join(' '), keys);
    assert.equal(planned.outcome, 'planned');
    assert.deepEqual(changesOf(session), []);
  });

  const lackingKeys: [about: string, sets: Parameters<typeof acmeWith>[0], state: string, message: string][] = [
    ['the set is missing', [], 'new', 'There is no secret set bot-secrets. The bot needs OPENAI_API_KEY'],
    ['keys are missing', [storedSet(SET, ['OTHER'])], 'exists', 'Secret set bot-secrets lacks OPENAI_API_KEY'],
  ];
  for (const [about, sets, state, message] of lackingKeys) {
    const title = `shows all of that in a dry run if ${about}, and says so at the end`;
    deployIt(title, { acme: acmeWith(sets) }, async session => {
      const { code, stdout, stderr } = await session.run('cloud deploy --dry-run');
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`\\nSecret set: {3}bot-secrets \\(${state}\\)\\n`));
      assert.match(stdout, /\nFiles:\n[\s\S]*\n {2}bot\.py {2}\d+ kB\n/);
      assert(stderr.startsWith(`This was a dry run: nothing was changed.\nerror: ${message}\n`), stderr);
      const error = await session.error('cloud deploy --dry-run');
      assert.deepEqual([error.code, error.message, error.outcome], ['not-found', message, 'planned']);
      assert(error.context.files > 0);
      assert(session.requests().every(line => line.startsWith('GET')));
      assert.deepEqual((await session.run('cloud deploy --skip')).stdout, '');
    });
  }

  const odd = { 'server/a\nb.py': '', 'server/c\u2028d/e.py': '', 'server/.env\nX': '' };
  posixIt(
    'names each file on one line, whatever its name',
    deploySession({ files: deployable('bot', '', odd) }, async session => {
      const stdout = await session.succeed('cloud deploy --dry-run');
      assert.match(stdout, /; excluded: \.env, \.env\uFFFDX(?: and \d+ more)?\n/);
      assert.match(stdout, /\n {2}a\uFFFDb\.py {2}0 /);
      assert.match(stdout, /\n {2}c\uFFFDd\/e\.py {2}0 /);
      assert.match(stdout, /\n {2}\.env\uFFFDX {2}by the built-in rule/);
    }),
  );

  /** A project in a directory. */
  const inFolder = (folder: string, files: object = deployable()) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  const unset =
    'error: There is no secret set bot-secrets. The bot needs OPENAI_API_KEY\nRun: botcli cloud secrets set';
  const quoted = "'my bot'\\''s/server/.env'";
  const folders: [title: string, folder: string, end: string, onSystems: typeof posixIt][] = [
    ['quotes the path of the keys', "my bot's", `--file ${quoted} -o acme\nOr add --secrets ${quoted}.\n`, it],
    ['suggests no path that has a line break', 'a\nb', 'OPENAI_API_KEY -o acme\n', posixIt],
  ];
  for (const [title, folder, end, onSystems] of folders) {
    const start = { acme: acmeWith([]), files: inFolder(folder) };
    const refuse = async (session: DeploySession) => {
      const stderr = await session.fail(1, ['cloud', 'deploy', folder, '--skip']);
      assert.equal(stderr, `${unset} bot-secrets ${end}`);
    };
    onSystems(`${title} in a command`, deploySession(start, refuse));
  }

  const { 'server/.env': _, ...withoutEnv } = deployable();
  const needless = { ...withoutEnv, 'server/bot.py': 'async def bot(arguments): pass\n' };
  const command = 'Run: botcli cloud secrets set bot-secrets --file server/.env';
  const inRegion = `${command} --region eu-central -o acme\nOr add --secrets server/.env.\n`;
  const unneeded = 'If the bot needs no secrets, remove secret_set from cloud-deploy.toml.\n';
  const other = deployable('bot', '', { 'prod.env': 'OTHER=x\n' });
  const advice: [about: string, files: ReturnType<typeof deployable>, line: string, hint: string][] = [
    ['no second file next to --secrets', other, '--secrets prod.env', `${command} -o acme\n`],
    ['the region that the deploy file names', deployable('bot', 'region = "eu-central"'), '', inRegion],
    ['nothing to set if the bot needs nothing', needless, '', unneeded],
  ];
  for (const [about, files, line, hint] of advice) {
    deployIt(`suggests ${about}, without the secret set`, { files, acme: acmeWith([]) }, async session => {
      const stderr = await session.fail(1, `cloud deploy --skip ${line}`);
      assert.equal(stderr.replace(/^error: There is no secret set bot-secrets\b.*\n/, ''), hint);
    });
  }

  const { [DEPLOY_FILE]: __, ...deleted } = deployable();
  const local = generateProject(resolveFlags({ ...CASCADE, transports: ['rtc_hosted'], deploy_to_cloud: false }));
  const update = /^To create it, run: botcli (update 'my bot' --deploy-to-cloud)\n$/;
  const restore =
    /^Restore it from git, or copy it from a new project: botcli (init fresh-copy --config 'my bot\/\.botcli\.json')\n$/;
  const creating: [about: string, files: object, hint: RegExp, created: string][] = [
    ['of a project without cloud files', local, update, `my bot/${DEPLOY_FILE}`],
    ['that somebody deleted', deleted, restore, `fresh-copy/${DEPLOY_FILE}`],
  ];
  for (const [about, files, hint, created] of creating) {
    deployIt(
      `suggests a command that creates the deploy file ${about}`,
      { files: inFolder('my bot', files) },
      async session => {
        const stderr = await session.fail(2, ['cloud', 'deploy', 'my bot', '--skip']);
        const [, command = ''] = hint.exec(stderr.replace(`error: There is no my bot/${DEPLOY_FILE}\n`, '')) ?? [];
        assert.notEqual(command, '', stderr);
        await session.succeed(command);
        assert.ok(session.exists(created));
      },
    );
  }

  const withFile = (more: string, changes = {}) => deployable('bot', more, changes);
  const withRules = (lines: string, changes = {}) => withFile('', { 'server/.dockerignore': lines, ...changes });
  const withoutModule = withRules('recordings\n', {
    'server/bot.py': 'import recordings\n',
    'server/recordings/__init__.py': '',
  });
  const lostModule =
    /^error: recordings\/__init__\.py, which bot\.py imports, is excluded by line 1 of \.dockerignore \(recordings\)\.?\nNothing was sent\.\n$/;
  const untouchable =
    /^error: server\/\.env can't be read: it is a path that botcli never touches\n--config takes a deploy file/;
  const noToml =
    /^error: server\/cloud-deploy\.toml, line 2: this isn't valid TOML\nFix it, or restore it from git\.\n$/;
  const noTable = withFile('', { [DEPLOY_FILE]: 'agent_name = "bot"\nregion = us west\n' });
  const several = new RegExp(
    '^error: \\d problems; nothing was sent:\n {2}--organization must be .*\n {2}--build must be the ID of a build\n' +
      ' {2}--timeout must be .*\n {2}This command asks for confirmation\\. .*\n' +
      " {2}server/cloud-deploy\\.toml: .*agent_name must .*\n {2}server/cloud-deploy\\.toml: .*secret_sett isn't .*\n" +
      ' {2}prod\\.env: line 1: .*\nThe plan of cloud deploy names it, and so does cloud status\\.\nPass --skip to .*\n$',
  );
  const faulty = deployable('My_Bot', 'secret_sett = "x"', { 'prod.env': 'OTHER="x\n' });
  const list = (...lines: string[]) =>
    new RegExp(`^error: ${lines.length} problems; nothing was sent:\n {2}${lines.join('\n {2}')}\n$`);
  const noFiles = list('There is no server/other\\.toml', "prod\\.env can't be read: no such file or directory");
  const noLines = list('--timeout .*', 'prod\\.env: line 1: .*', 'prod\\.env: line 2: .*');
  const noBuildFile = list('--timeout must be .*', 'The build file container-file is excluded .*');
  const excluded = /The build file container-file is excluded by line 1 of \.dockerignore/;
  const typo = /secret_sett isn't a setting\. Did you mean secret_set\?/;
  const beforeAnything: [name: string, message: RegExp, line?: string, files?: ReturnType<typeof deployable>][] = [
    ['a question nobody can answer', /^error: This command asks for confirmation\./, ''],
    ['an unknown key', typo, '--skip', withFile('secret_sett = "x"')],
    ['a deploy file that is not TOML', noToml, '--skip', noTable],
    ['a bad name', /agent_name must be 2 to 54 lowercase letters/, '--skip', deployable('My_Bot')],
    ['a build file that is left out', excluded, '--skip', withRules('container*\n')],
    ['a module that is left out', lostModule, '--skip', withoutModule],
    ['a module that is left out, in a dry run', lostModule, '--dry-run', withoutModule],
    ['a missing deploy file', /^error: There is no server\/other\.toml\n/, '--skip --config server/other.toml'],
    ['an env file as the deploy file', untouchable, '--skip --config server/.env'],
    ['a directory as the deploy file', /^error: server is a directory\n/, '--skip --config server'],
    ['a timeout that is no number', /^error: --timeout must be a number of minutes/, '--skip --timeout soon'],
    ['a build that is no ID', /^error: --build must be the ID of a build/, '--skip --build latest'],
    ['an organization in a path', /^error: --organization must be/, '--skip -o ../acme'],
    ['several faults', several, '-o ../acme --build latest --timeout soon --secrets prod.env', faulty],
    ['no deploy file, and no file of secrets', noFiles, '--skip --config server/other.toml --secrets prod.env'],
    ['bad secrets', noLines, '--skip --timeout 0 --secrets prod.env', withFile('', { 'prod.env': 'A\nB\n' })],
    ['a build file that is left out, and no time', noBuildFile, '--skip --timeout 0', withRules('container*\n')],
  ];
  for (const [name, message, line = '--skip', files] of beforeAnything) {
    deployIt(`sends nothing with ${name}`, { files: files ?? deployable() }, async session => {
      assert.match(await session.fail(2, `cloud deploy ${line}`), message);
      assert.deepEqual(session.requests(), []);
    });
  }

  const noSet =
    /^error: There is no secret set bot-secrets\. The bot needs OPENAI_API_KEY\nRun: botcli cloud secrets set bot-secrets --file server\/\.env -o acme\nOr add --secrets server\/\.env\.\n/;
  const inEast = /^error: Secret set bot-secrets is in us-east, but the deploy goes to us-west\n/;
  const notSet = /is an image pull secret, not a secret set/;
  const noRegion = /has no region "us-wst"\. Did you mean us-west\?/;
  const [eastern, pulling] = [{ region: 'us-east' }, { type: 'imagePullSecret' as const }];
  const profile = { [DEPLOY_FILE]: `${deployable()[DEPLOY_FILE]}`.replace('agent-1x', 'agent-9x') };
  type Refused = { sets?: ReturnType<typeof storedSet>[]; files?: ReturnType<typeof deployable>; line?: string };
  const lacking = /^error: Secret set bot-secrets lacks OPENAI_API_KEY\n/;
  const noPull = /^error: There is no image pull secret hub\n/;
  const noBuild = /^error: There is no build with this ID\n/;
  const withHub = withFile('image = "me/bot:1"\nimage_credentials = "hub"');
  const east = { sets: [storedSet(SET, [KEY], eastern)], files: withFile('region = "us-west"') };
  const refusals: [name: string, message: RegExp, start: Refused][] = [
    ['the set is missing', noSet, { sets: [] }],
    ['keys are missing', lacking, { sets: [storedSet(SET, ['OTHER'])] }],
    ['the set is in another region', inEast, east],
    ['the set is an image pull secret', notSet, { sets: [storedSet(SET, [''], pulling)] }],
    ['the region is unknown', noRegion, { files: withFile('region = "us-wst"') }],
    ['the pull secret is missing', noPull, { files: withHub }],
    ['the profile is unknown', /no agent profile "agent-9x"/, { files: withFile('', profile) }],
    ['the build is unknown', noBuild, { line: '--build 3f1c09aa-0000-4000-8000-000000000000' }],
  ];
  for (const [name, message, { sets, files = deployable(), line = '' }] of refusals) {
    deployIt(`changes nothing if ${name}`, { files, acme: acmeWith(sets) }, async session => {
      assert.match(await session.fail(1, `cloud deploy --skip ${line}`), message);
      assert.deepEqual(changesOf(session), []);
    });
  }

  deployIt('does not move an agent, and asks for its region if the platform does not say it', {}, async session => {
    await session.succeed('cloud deploy --skip');
    const file = session.read(DEPLOY_FILE);
    session.write(DEPLOY_FILE, `region = "us-east"\n${file}`);
    assert.match(await session.fail(1, 'cloud deploy --skip'), /bot is in us-west, and agents can't move to us-east/);
    const body = { name: 'bot', region: null };
    session.cloud.fault({ method: 'GET', path: '/services/bot', fault: answer(200, body) });
    session.write(DEPLOY_FILE, file);
    const unknown = "The platform doesn't say in which region bot is\nSet region in cloud-deploy.toml";
    assert((await session.fail(1, 'cloud deploy --skip')).startsWith(`error: ${unknown}`));
    session.write(DEPLOY_FILE, `region = "us-west"\n${file}`);
    assert.match(await session.succeed('cloud deploy --dry-run'), /in us-west\n/);
  });
});
