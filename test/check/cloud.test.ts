import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { LOCAL_TOKEN, type LocalCloud } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type StoredSet } from '../../scripts/local-cloud/store.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { lookUpDeploy } from '../../src/deploy/agent-session.ts';
import { type Checked, check, filledProject, summarize } from '../support/check.ts';
import { type CloudSession, cloudIt } from '../support/cloud-session.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { expectations, finds } from './finds.ts';

const KEY = 'OPENAI_API_KEY';
const HOSTED: RawConfig = { ...CASCADE, transports: ['rtc_hosted', 'rtc_local'] };
const project = await filledProject(resolveFlags(HOSTED));
const local = await filledProject(resolveFlags(CASCADE));
const dialOut = await filledProject(resolveFlags({ ...CASCADE, transports: ['rtc_hosted_pstn_dialout'] }));
const withoutCloud = await filledProject(resolveFlags({ ...HOSTED, deploy_to_cloud: false }));

const DEPLOY = 'server/cloud-deploy.toml';
const SET = 'my-bot-secrets';

type Sets = Record<string, Partial<StoredSet> & { keys?: string[] }>;

/** An account with these sets. */
function accountWith(sets: Sets = {}, others: string[] = []) {
  const stored = Object.entries(sets).map(([name, { keys = [KEY], ...more }]): [string, StoredSet] => [
    name,
    { name, type: 'secret', region: 'us-west', values: new Map(keys.map(key => [key, 'x'])), readyAt: 0, ...more },
  ]);
  const acme = newOrganization('acme', { sets: new Map(stored) });
  return { accounts: { [LOCAL_TOKEN]: [acme, ...others.map(name => newOrganization(name))] } };
}

/** Checks the project of a session. */
const checkCloud = (session: CloudSession, env: Record<string, string> = {}, organization?: string): Promise<Checked> =>
  check(session.directory, {
    options: { cloud: true, ...(organization && { organization }) },
    askPlatform: lookUpDeploy,
    env: { ...session.env, ...env },
  });

interface Settings {
  sets?: Sets;
  files?: typeof project;
  env?: Record<string, string>;
  organization?: string;
  fault?: Parameters<LocalCloud['fault']>[0];
  others?: string[];
}

const edit = (before: string | RegExp, after: string) => (session: CloudSession) => {
  const text = session.read(DEPLOY);
  assert.match(text, typeof before === 'string' ? new RegExp(before) : before);
  session.write(DEPLOY, text.replace(before, after));
};
/** The image was built elsewhere. */
const ELSEWHERE = edit(/\[build\][\s\S]*?\n\n/, 'image = "hub/my-bot:1"\n');
const answers = (status: number) => ({ fault: { kind: 'answer', status } }) as const;
const READY: Settings = { sets: { [SET]: {} } };
const NOT_READY = 'The secret could not be provisioned in its region.';

/** The texts of errors belong to the cloud commands, whose tests compare them. */
function brief(finding: Checked['findings'][number]): string {
  const isOfPlatform =
    finding.group === 'cloud' &&
    !/^(?:(?:secret|deploy|build|transport|pull|missing|value|agent)-|context$)/.test(finding.code);
  if (!isOfPlatform) return summarize(finding);
  const target = finding.fix && 'command' in finding.fix ? finding.fix.command : 'hint';
  return `${finding.level} ${finding.code}: -> ${target}`;
}

/** A test of what is done to a project, with settings. What `finds` says follows. */
function given(title: string, ...parts: readonly (Settings | ((session: CloudSession) => void))[]): void {
  const expected = expectations();
  const settings: Settings = Object.assign({}, ...parts.filter(part => typeof part === 'object'));
  const { sets, files = project, env, organization, fault, others } = settings;
  cloudIt(title, { files, cloud: accountWith(sets, others) }, async session => {
    for (const part of parts) if (typeof part === 'function') part(session);
    if (fault) session.cloud.fault(fault);
    const found = await checkCloud(session, env, organization);
    assert.deepEqual(found.findings.map(brief), expected);
    assert(session.cloud.journal.every(({ method }) => method === 'GET'));
  });
}

describe('botcli check --cloud finds', () => {
  given('nothing: the set is ready', READY);
  given('nothing: the set has more keys', { sets: { [SET]: { keys: [KEY, 'OTHER'] } } });
  given('nothing: the set is in a cluster of the customer', { sets: { [SET]: { keys: [], source: 'referenced' } } });
  given('nothing: the variables of server.py and Daily are not for the bot', { ...READY, files: dialOut });
  given('no set');
  finds`error secret-set-missing: Organization acme has no secret set ${SET} -> botcli cloud secrets set ${SET} --file server/.env`;
  const beta = { organization: 'beta', others: ['beta'] };
  given('no set in the organization on the command line, which the command repeats', READY, beta);
  finds`error secret-set-missing: Organization beta has no secret set ${SET} -> botcli cloud secrets set ${SET} --file server/.env -o beta`;
  given('no set, and no key in .env', { env: { [KEY]: 'x' } }, session => session.write('server/.env', ''));
  finds`error secret-set-missing: Organization acme has no secret set ${SET} -> botcli cloud secrets set ${SET} ${KEY}`;
  given('no name of a set', READY, edit(/^secret_set.*$/m, ''));
  finds`error secret-set-missing: ${DEPLOY} names no secret_set -> The bot needs ${KEY}.`;
  given('an image pull secret instead of a set', { sets: { [SET]: { type: 'imagePullSecret' } } });
  finds`error secret-set-type: ${SET} is an image pull secret, not a secret set -> Change secret_set in ${DEPLOY}, and create a set of that name.`;
  given('a set that is pending', { sets: { [SET]: { readyAt: Number.POSITIVE_INFINITY } } });
  finds`warning secret-not-ready: ${SET} isn't ready yet, and a deploy would be refused -> botcli cloud secrets list ${SET}`;
  given('a set that failed', { sets: { 'x-fail': {} } }, edit(SET, 'x-fail'));
  finds`error secret-not-ready: x-fail failed: ${NOT_READY} -> botcli cloud secrets set x-fail --file server/.env`;
  const abroad = { sets: { [SET]: { region: 'eu-central' } } };
  given('nothing: a set in another region than the default, where a new agent goes, too', abroad);
  given('a set in another region than the file says', abroad, edit(/^/, 'region = "us-west"\n'));
  finds`error secret-region: ${SET} is in eu-central, but deploys go to us-west -> Set region = "eu-central" in ${DEPLOY}, or create the secret there under another name.`;
  given('a set without a key', { sets: { [SET]: { keys: ['OTHER'] } } });
  finds`error secret-key-missing: Secret set ${SET} lacks ${KEY} -> botcli cloud secrets set ${SET} --file server/.env`;
  given('no image pull secret', READY, edit(/^/, 'image_credentials = "hub"\n'));
  finds`error pull-secret-missing: Organization acme has no image pull secret hub -> botcli cloud secrets image-pull-secret hub REGISTRY`;
  given('a file that is not TOML', READY, session => session.write(DEPLOY, '# Mine\nagent_name = my bot'));
  finds`error deploy-file: ${DEPLOY}, line 2: this isn't valid TOML -> Fix it, or restore it from git.`;
  given('no cloud files', { ...READY, files: withoutCloud });
  finds`error deploy-file: There is no ${DEPLOY} -> botcli update --deploy-to-cloud`;
  given('no build file of that name', READY, edit('container-file', 'Dockerfile'));
  finds`error build-file: server/Dockerfile, which ${DEPLOY} names, doesn't exist -> Set dockerfile in its [build] section to container-file.`;
  const ignore = (lines: string) => (session: CloudSession) => session.write('server/.dockerignore', lines);
  const SENT = "A deploy uploads every file that .dockerignore doesn't exclude.";
  given('a file that .dockerignore keeps from the image', READY, ignore('*.toml\n*.py\n'));
  finds`error context: server: bot.py is excluded by line 2 of .dockerignore (*.py) -> ${SENT}`;
  finds`error context: server: pyproject.toml is excluded by line 1 of .dockerignore (*.toml) -> ${SENT}`;
  finds`error context: server: env.py, which bot.py imports, is excluded by line 2 of .dockerignore (*.py) -> ${SENT}`;
  finds`error context: server: shutdown.py, which bot.py imports, is excluded by line 2 of .dockerignore (*.py) -> ${SENT}`;
  given('a line of .dockerignore that Docker refuses', READY, ignore('*.wav\n[a-\n'));
  finds`warning context: server: Line 2 of .dockerignore ([a-) isn't a valid pattern: Docker builds no image with this file -> ${SENT}`;
  const link = ({ directory }: CloudSession) => symlinkSync('/etc/hosts', join(directory, 'server/hosts'));
  given('a link that leads out of the files to upload', READY, link);
  finds`warning context: server: hosts isn't uploaded: it leads outside the directory, through a symbolic link -> ${SENT}`;
  given('a name that no agent may have', READY, edit(/^agent_name.*$/m, 'agent_name = "My Bot"'));
  finds`error agent-name: ${DEPLOY}: agent_name must be 2 to 54 lowercase letters, digits, and hyphens, and begin and end with a letter or digit -> Fix it before you deploy.`;
  given('no name of an agent, and a misspelled setting', READY, edit(/^agent_name/m, 'agent_nam'));
  finds`error agent-name: ${DEPLOY}: agent_name is missing -> Fix it before you deploy.`;
  finds`error deploy-key: ${DEPLOY}: agent_nam isn't a setting. Did you mean agent_name? -> Fix it before you deploy.`;
  given('nothing: an image is deployed that was built elsewhere', READY, ELSEWHERE);
  given('a transport that the cloud cannot serve', { ...READY, files: local });
  finds`error transport-not-in-cloud: Nobody can reach this bot in the cloud: SmallWebRTC (peer to peer) only works locally -> botcli update -t rtc_local -t rtc_hosted`;
  given('a file that a deploy needs is missing', READY, session => session.remove('server/container-file'));
  finds`error missing-files: Missing: server/container-file -> botcli init fresh-copy --config .botcli.json`;
  given('a value points to this computer', READY, session =>
    session.write('server/.env', `${session.read('server/.env')}OPENAI_BASE_URL=http://localhost:11434/v1\n`),
  );
  finds`warning value-local: server/.env, line 23: OPENAI_BASE_URL points to this computer or its network, which the cloud can't reach -> Give the secret set an address that works from the cloud.`;
  given('no login', { env: { BOTCLI_TOKEN: '' } });
  finds`error not-logged-in: -> botcli cloud auth login`;
  given('a token that the platform rejects', { env: { BOTCLI_TOKEN: 'pcc_pat_unknown' } });
  finds`error unauthorized: -> botcli cloud auth login`;
  given('several organizations, and none selected', { env: { BOTCLI_ORG: '' }, others: ['beta'] });
  finds`error no-organization: -> botcli cloud organizations select`;
  given('an organization of somebody else', { organization: 'other' });
  finds`error forbidden: -> hint`;
  given('an error of the platform', { fault: answers(500) });
  finds`error platform-problem: -> hint`;
  given('a platform that is silent', { fault: { fault: { kind: 'hang' } }, env: { BOTCLI_HTTP_TIMEOUT: '1' } });
  finds`error timeout: -> hint`;
  given('an address where nobody listens', { env: { BOTCLI_API_URL: 'http://127.0.0.1:1' } });
  finds`error unreachable: -> hint`;

  const ready = { files: project, cloud: accountWith(READY.sets) };
  cloudIt("nothing, and says that values can't be compared", ready, async session => {
    const { stdout } = await checkCloud(session);
    assert.match(
      stdout,
      /^✓ Cloud: secret set my-bot-secrets is ready in us-west and has 1 key; botcli can't compare its values with \.env$/m,
    );
  });
});

describe('botcli check --cloud says about a deployed bot', () => {
  const AGENT = 'my-bot';

  /** A test whose bot is deployed, as it is now. */
  const deployedIt = (title: string, use: (session: CloudSession, agent: StoredAgent) => Promise<void>) => {
    const cloud = accountWith(READY.sets);
    cloudIt(title, { files: project, cloud }, async session => {
      await session.succeed('cloud deploy --skip');
      const agent = cloud.accounts[LOCAL_TOKEN]?.[0]?.agents.get(AGENT);
      assert(agent);
      await use(session, agent);
    });
  };

  const found = async (session: CloudSession, organization?: string) =>
    (await checkCloud(session, {}, organization)).findings.map(summarize);

  deployedIt('nothing if it runs these files, or would at the next call', async (session, agent) => {
    for (const trouble of ['none', 'x-idle', 'x-idle-unsaid', 'x-idle-ready']) {
      agent.trouble = trouble;
      assert.deepEqual(await found(session), [], trouble);
    }
  });

  deployedIt('that it runs another image', async session => {
    session.write('server/extra.py', 'X = 1\n');
    const message = `warning deploy-outdated: ${AGENT} runs another image than that of these files`;
    assert.deepEqual(await found(session, 'acme'), [`${message} -> botcli cloud deploy -o acme`]);
    ELSEWHERE(session);
    assert.deepEqual(await found(session), [`${message} -> botcli cloud deploy`]);
  });

  deployedIt('that it failed, or is not ready', async (session, agent) => {
    agent.trouble = 'x-pull';
    delete agent.ready;
    for (let look = 0; look < 3; look += 1) await session.succeed('cloud status my-bot');
    assert.deepEqual(await found(session), [
      'error agent-not-ready: my-bot failed: PCC_IMAGE_PULL_UNAUTHORIZED: Not authorized to pull the image -> botcli cloud logs my-bot',
    ]);
    agent.trouble = 'x-stuck';
    assert.deepEqual(await found(session), [
      'warning agent-not-ready: my-bot is not ready (creating) -> botcli cloud logs my-bot',
    ]);
  });

  deployedIt('that it is in another region', async session => {
    edit(/^/, 'region = "us-east"\n')(session);
    assert.deepEqual(await found(session), [
      `error agent-region: ${AGENT} is in us-west, and agents can't move to us-east -> Set region = "us-west" in ${DEPLOY}, or deploy under another agent_name.`,
    ]);
  });
});
