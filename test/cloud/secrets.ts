import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_TOKEN, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { fingerprint } from '../../scripts/local-cloud/store.ts';
import { run } from '../bots/processes.ts';
import type { Report } from '../bots/report.ts';
import { ROOT } from '../bots/workshop.ts';
import { BIN } from '../support/program.ts';
import { runClient, WORKSHOP } from './client.ts';

const ENV_FILE = join(WORKSHOP, 'pruned.env');

/** Command lines of both clients, in order, with the exit code and the expected output. */
const SESSION: [client: 'theirs' | 'ours', line: string, code: number, output: RegExp][] = [
  ['theirs', 'secrets set demo API_KEY=one OTHER=two --skip', 0, /'?demo'? created successfully in us-west/],
  ['ours', 'cloud secrets list demo', 0, /^demo: secret set in us-west, ready\n {2}API_KEY\n {2}OTHER\n/],
  ['ours', 'cloud secrets set demo API_KEY=three --skip', 0, /0 added, 1 replaced, 1 kept/],
  ['theirs', 'secrets set demo API_KEY=four --region us-east --skip', 1, /Cannot change region to 'us-east'/],
  ['theirs', 'secrets set demo API_KEY=five --region us-wst --skip', 1, /Invalid region/],
  ['theirs', 'secrets list', 0, /demo/],
  ['theirs', 'secrets list demo', 0, /API_KEY[\s\S]*OTHER/],
  ['theirs', 'secrets image-pull-secret hub https://index.docker.io/v1/ user:token --skip', 0, /hub[\s\S]*created/],
  ['ours', 'cloud secrets list hub', 0, /^hub: image pull secret in us-west, ready\n/],
  ['theirs', 'secrets list hub', 1, /Cannot retrieve image pull secrets by name/],
  ['theirs', 'secrets unset demo OTHER --skip', 0, /deleted successfully/],
  ['theirs', 'secrets unset demo OTHER --skip', 1, /not found/i],
  ['ours', 'cloud secrets set mine KEY=one --region eu-central --skip', 0, /region eu-central/],
  ['theirs', 'secrets list --region eu-central', 0, /mine/],
  ['theirs', 'secrets delete mine --skip', 0, /deleted successfully/],
  ['ours', `cloud secrets set demo --from-env HOME PATH --skip`, 0, /2 added, 0 replaced, 1 kept/],
  ['theirs', 'secrets list demo', 0, /HOME[\s\S]*PATH/],
  ['ours', 'cloud secrets unset demo HOME PATH --skip', 0, /Removed HOME, PATH/],
  ['theirs', 'secrets set demo OTHER=eight --skip', 0, /successfully/],
  ['ours', `cloud secrets set demo --file ${ENV_FILE} --prune --skip`, 0, /1 added, 1 replaced, 1 removed, 0 kept/],
  ['theirs', 'secrets list demo', 0, /^(?![\s\S]*OTHER)[\s\S]*API_KEY[\s\S]*NEW/],
  ['ours', 'cloud secrets image-pull-secret hub ghcr.io me:token --skip', 0, /updated for ghcr\.io/],
  ['theirs', 'secrets delete demo --skip', 0, /deleted successfully/],
  ['theirs', 'secrets delete demo --skip', 1, /No set found/],
  ['theirs', 'organizations list', 0, /acme/i],
  ['theirs', 'regions list', 0, /us-west[\s\S]*arm64[\s\S]*pce-acme-us-east[\s\S]*amd64, arm64/],
  ['ours', 'cloud regions list', 0, /^us-west\tUS West \(Oregon\)\tarm64\tthe organization's default\n/],
  ['theirs', 'organizations default-region eu-central', 0, /eu-central/],
  ['ours', 'cloud secrets set nearby KEY=one --skip', 0, /region eu-central: 1 added/],
  ['theirs', 'secrets reference kube --region pce-acme-us-east', 0, /referenced in pce-acme-us-east/],
  ['theirs', 'secrets reference kube2 --region us-west', 1, /self-hosted/],
  ['theirs', 'secrets list kube', 0, /Secret keys for set kube \(status: ready\)/],
  ['theirs', 'secrets set kube KEY=one --skip', 1, /referenced secret set/],
  ['ours', 'cloud secrets list kube', 0, /^kube: secret set in pce-\S+, ready\n[\s\S]*Its keys are stored in your own/],
  ['ours', 'cloud secrets set kube KEY=one --skip', 1, /managed in your own cluster/],
  ['ours', 'cloud secrets delete kube --skip', 0, /✓ Deleted kube/],
  ['theirs', 'secrets list kube', 1, /No secrets sets with name/],
  ['theirs', 'secrets set an-unknown KEY=one --skip --region pce-acme-us-east', 0, /created successfully/],
  ['theirs', 'secrets list', 0, /an-unknown[\s\S]*unknown/],
  ['ours', 'cloud secrets set an-unknown KEY=two --skip --wait', 0, /0 added, 1 replaced, 0 kept\. Its status is/],
  ['ours', 'cloud secrets unset an-unknown KEY --skip', 0, /✓ Removed KEY/],
  ['theirs', 'secrets list an-unknown', 0, /status: unknown/],
];

/** Both clients work on the same secrets in our local cloud: it behaves like the platform. */
export async function checkSecrets(report: Report): Promise<void> {
  await writeFile(ENV_FILE, 'API_KEY=six\nNEW=seven\n');
  const cloud = await startLocalCloud();
  const env = { PATH: process.env.PATH, HOME: WORKSHOP, BOTCLI_API_URL: cloud.url, BOTCLI_TOKEN: LOCAL_TOKEN };
  const runOurs = (line: string) => run([process.execPath, BIN, ...line.split(' ')], { cwd: ROOT, env });
  for (const [client, line, code, output] of SESSION) {
    await report.check(client, line, async () => {
      const ending = await (client === 'ours' ? runOurs(line) : runClient(line, cloud.url));
      const printed = ending.stdout + ending.stderr;
      assert.equal(ending.code, code, printed);
      assert.match(printed, output);
      return `exit code ${code}`;
    });
  }
  await report.check('the local cloud', 'records fingerprints', async () => {
    const sent = JSON.stringify(cloud.journal);
    const values = ['three', Buffer.from('user:token').toString('base64')];
    for (const value of values) assert(sent.includes(fingerprint(value)));
    await cloud.close();
    return `${values.length} values`;
  });
}
