import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN, type LocalCloud } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type StoredSet } from '../../scripts/local-cloud/store.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { lookUpSecrets } from '../../src/secrets-cli/overview.ts';
import { type Checked, check, filledProject, summarize } from '../support/check.ts';
import { type CloudSession, cloudSession } from '../support/cloud-session.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

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
function accountWith(sets: Sets, others: string[] = []) {
  const stored = Object.entries(sets).map(([name, { keys = [KEY], ...more }]): [string, StoredSet] => [
    name,
    { name, type: 'secret', region: 'us-west', values: new Map(keys.map(key => [key, 'x'])), readyAt: 0, ...more },
  ]);
  const organizations = [
    newOrganization('acme', { sets: new Map(stored) }),
    ...others.map(name => newOrganization(name)),
  ];
  return { accounts: { [LOCAL_TOKEN]: organizations } };
}

/** Checks the project of a session. */
const checkCloud = (session: CloudSession, env: Record<string, string> = {}, organization?: string): Promise<Checked> =>
  check(session.directory, {
    options: { cloud: true, ...(organization && { organization }) },
    askPlatform: lookUpSecrets,
    env: { ...session.env, ...env },
  });

interface Case {
  sets?: Sets;
  files?: typeof project;
  change?(session: CloudSession): void;
  env?: Record<string, string>;
  organization?: string;
  fault?: Parameters<LocalCloud['fault']>[0];
  others?: string[];
  expected: string[];
}

const edit = (before: string | RegExp, after: string) => (session: CloudSession) => {
  const text = session.read(DEPLOY);
  assert.match(text, typeof before === 'string' ? new RegExp(before) : before);
  session.write(DEPLOY, text.replace(before, after));
};
const answers = (status: number) => ({ fault: { kind: 'answer', status } }) as const;
const READY: Sets = { [SET]: {} };
const NOT_READY = 'The secret could not be provisioned in its region.';

const cases: Record<string, Case> = {
  'nothing: the set is ready': { sets: READY, expected: [] },
  'nothing: the set has more keys': { sets: { [SET]: { keys: [KEY, 'OTHER'] } }, expected: [] },
  'nothing: the set is in a cluster of the customer': {
    sets: { [SET]: { keys: [], source: 'referenced' } },
    expected: [],
  },
  'nothing: the variables of server.py and Daily are not for the bot': { sets: READY, files: dialOut, expected: [] },
  'no set': {
    expected: [
      `error secret-set-missing: Organization acme has no secret set ${SET} -> botcli cloud secrets set ${SET} --file server/.env`,
    ],
  },
  'no set in the organization on the command line, which the command repeats': {
    sets: READY,
    organization: 'beta',
    others: ['beta'],
    expected: [
      `error secret-set-missing: Organization beta has no secret set ${SET} -> botcli cloud secrets set ${SET} --file server/.env -o beta`,
    ],
  },
  'no set, in the region of the deploy': {
    change: edit(/^/, 'region = "eu-central"\n'),
    expected: [
      `error secret-set-missing: Organization acme has no secret set ${SET} -> botcli cloud secrets set ${SET} --file server/.env --region eu-central`,
    ],
  },
  'no set, and no key in .env': {
    change: session => session.write('server/.env', ''),
    env: { [KEY]: 'x' },
    expected: [
      `error secret-set-missing: Organization acme has no secret set ${SET} -> botcli cloud secrets set ${SET} ${KEY}`,
    ],
  },
  'no name of a set': {
    sets: READY,
    change: edit(/^secret_set.*$/m, ''),
    expected: [`error secret-set-missing: ${DEPLOY} names no secret_set -> The bot needs ${KEY}.`],
  },
  'an image pull secret instead of a set': {
    sets: { [SET]: { type: 'imagePullSecret' } },
    expected: [
      `error secret-set-type: ${SET} is an image pull secret, not a secret set -> Change secret_set in ${DEPLOY}, and create a set of that name.`,
    ],
  },
  'a set that is pending': {
    sets: { [SET]: { readyAt: Number.POSITIVE_INFINITY } },
    expected: [
      `warning secret-not-ready: ${SET} isn't ready yet, and a deploy would be refused -> botcli cloud secrets list ${SET}`,
    ],
  },
  'a set that failed': {
    sets: { 'x-fail': {} },
    change: edit(SET, 'x-fail'),
    expected: [
      `error secret-not-ready: x-fail failed: ${NOT_READY} -> botcli cloud secrets set x-fail --file server/.env`,
    ],
  },
  'a set in another region than the default': {
    sets: { [SET]: { region: 'eu-central' } },
    expected: [
      `error secret-region: ${SET} is in eu-central, but deploys go to us-west -> Set region = "eu-central" in ${DEPLOY}, or create the secret there under another name.`,
    ],
  },
  'nothing: a set in the region that the file names': {
    sets: { [SET]: { region: 'eu-central' } },
    change: edit(/^/, 'region = "eu-central"\n'),
    expected: [],
  },
  'a set without a key': {
    sets: { [SET]: { keys: ['OTHER'] } },
    expected: [
      `error secret-key-missing: Secret set ${SET} lacks ${KEY} -> botcli cloud secrets set ${SET} --file server/.env`,
    ],
  },
  'no image pull secret': {
    sets: READY,
    change: edit(/^/, 'image_credentials = "hub"\n'),
    expected: [
      'error pull-secret-missing: Organization acme has no image pull secret hub -> botcli cloud secrets image-pull-secret hub REGISTRY',
    ],
  },
  'an image pull secret in another region': {
    sets: { ...READY, hub: { type: 'imagePullSecret', region: 'us-east' } },
    change: edit(/^/, 'image_credentials = "hub"\n'),
    expected: [
      `error secret-region: hub is in us-east, but deploys go to us-west -> Set region = "us-east" in ${DEPLOY}, or create the secret there under another name.`,
    ],
  },
  'a file that is not TOML': {
    sets: READY,
    change: session => session.write(DEPLOY, 'agent_name = my bot'),
    expected: [`error deploy-file: ${DEPLOY} is not valid TOML -> Fix it, or restore it from git.`],
  },
  'no cloud files': {
    sets: READY,
    files: withoutCloud,
    expected: [`error deploy-file: There is no ${DEPLOY} -> botcli update --deploy-to-cloud`],
  },
  'no build file of that name': {
    sets: READY,
    change: edit('container-file', 'Dockerfile'),
    expected: [
      `error build-file: server/Dockerfile, which ${DEPLOY} names, doesn't exist -> Set dockerfile in its [build] section to container-file.`,
    ],
  },
  'nothing: an image is deployed that was built elsewhere': {
    sets: READY,
    change: edit(/\[build\][\s\S]*?\n\n/, 'image = "hub/my-bot:1"\n'),
    expected: [],
  },
  'a transport that the cloud cannot serve': {
    sets: READY,
    files: local,
    expected: [
      'error transport-not-in-cloud: Nobody can reach this bot in the cloud: SmallWebRTC, peer to peer only works locally -> botcli update -t rtc_local -t rtc_hosted',
    ],
  },
  'a file that a deploy needs is missing': {
    sets: READY,
    change: session => rmSync(join(session.directory, 'server/container-file')),
    expected: ['error missing-files: Missing: server/container-file -> botcli init fresh-copy --config .botcli.json'],
  },
  'a value points to this computer': {
    sets: READY,
    change: session =>
      session.write('server/.env', `${session.read('server/.env')}OPENAI_BASE_URL=http://localhost:11434/v1\n`),
    expected: [
      "warning value-local: server/.env, line 23: OPENAI_BASE_URL points to this computer, which the cloud can't reach -> Give the secret set an address that works from the cloud.",
    ],
  },
  'no login': { env: { BOTCLI_TOKEN: '' }, expected: ['error not-logged-in: -> botcli cloud auth login'] },
  'a token that the platform rejects': {
    env: { BOTCLI_TOKEN: 'pcc_pat_unknown' },
    expected: ['error unauthorized: -> botcli cloud auth login'],
  },
  'several organizations, and none selected': {
    env: { BOTCLI_ORG: '' },
    others: ['beta'],
    expected: ['error no-organization: -> botcli cloud organizations select'],
  },
  'an organization of somebody else': { organization: 'other', expected: ['error forbidden: -> hint'] },
  'an error of the platform': { fault: answers(500), expected: ['error platform-problem: -> hint'] },
  'too many requests': { fault: answers(429), expected: ['error rate-limited: -> hint'] },
  'a web page instead of the platform': { fault: { fault: { kind: 'html' } }, expected: ['error bad-answer: -> hint'] },
  'a connection that is closed': { fault: { fault: { kind: 'reset' } }, expected: ['error unreachable: -> hint'] },
  'a platform that is silent': {
    fault: { fault: { kind: 'hang' } },
    env: { BOTCLI_HTTP_TIMEOUT: '0.2' },
    expected: ['error timeout: -> hint'],
  },
  'an address where nobody listens': {
    env: { BOTCLI_API_URL: 'http://127.0.0.1:1' },
    expected: ['error unreachable: -> hint'],
  },
};

/** The texts of errors belong to the cloud commands, whose tests compare them. */
function brief(finding: Checked['findings'][number]): string {
  const isOfPlatform =
    finding.group === 'cloud' && !/^(?:secret|deploy|build|transport|pull|missing|value)-/.test(finding.code);
  if (!isOfPlatform) return summarize(finding);
  const target = finding.fix && 'command' in finding.fix ? finding.fix.command : 'hint';
  return `${finding.level} ${finding.code}: -> ${target}`;
}

describe('botcli check --cloud finds', () => {
  for (const [
    title,
    { sets = {}, files = project, change, env, organization, fault, others, expected },
  ] of Object.entries(cases)) {
    it(
      title,
      cloudSession({ files, cloud: accountWith(sets, others) }, async session => {
        change?.(session);
        if (fault) session.cloud.fault(fault);
        const found = await checkCloud(session, env, organization);
        assert.deepEqual(found.findings.map(brief), expected);
        assert(session.cloud.journal.every(({ method }) => method === 'GET'));
      }),
    );
  }

  it(
    "nothing, and says that values can't be compared",
    cloudSession({ files: project, cloud: accountWith(READY) }, async session => {
      const { stdout } = await checkCloud(session);
      assert.match(
        stdout,
        /^✓ Cloud: secret set my-bot-secrets is ready in us-west and has 1 key; botcli can't compare its values with \.env$/m,
      );
    }),
  );
});
