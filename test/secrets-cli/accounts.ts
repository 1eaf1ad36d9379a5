import assert from 'node:assert/strict';
import { LOCAL_TOKEN, type LocalCloudOptions } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type StoredSet } from '../../scripts/local-cloud/store.ts';
import { cloudIt, SECRET } from '../support/cloud-session.ts';
import type { Tree } from '../support/trees.ts';

type Details = NonNullable<Parameters<typeof newOrganization>[1]>;

/** A secret that is ready. A new one for each test, because commands change it. */
export const stored = (
  name: string,
  keys: readonly string[] = ['OLD'],
  more: Partial<StoredSet> = {},
): [string, StoredSet] => [
  name,
  { name, type: 'secret', region: 'us-west', values: new Map(keys.map(key => [key, 'x'])), readyAt: 0, ...more },
];

/** An account with these secrets in its organization `acme`, and with `other`, which is empty. */
export const accountWith = (sets: readonly [string, StoredSet][], details: Details = {}): LocalCloudOptions => ({
  accounts: { [LOCAL_TOKEN]: [newOrganization('acme', { sets: new Map(sets), ...details }), newOrganization('other')] },
});

/** The account of the tests of `secrets set`. */
export const account = (): LocalCloudOptions => {
  const hub = stored('hub', ['OLD'], { type: 'imagePullSecret' });
  const eu = stored('eu', ['OLD'], { region: 'eu-central' });
  const theirs = stored('theirs', ['OLD'], { source: 'referenced' });
  return accountWith([stored('prod'), hub, eu, theirs], { defaultRegion: 'us-east' });
};

interface Refused {
  code?: 1 | 2;
  cloud?: () => LocalCloudOptions;
  files?: Tree;
  env?: Record<string, string>;
  input?: string | Buffer;
  /** Whether it's refused before anything is sent, rather than before anything is changed. */
  isEarly?: boolean;
  /** By the rest of the line. */
  messages: Readonly<Record<string, RegExp>>;
}

/** Tests that a command refuses lines with these messages. */
export function refuses(
  command: string,
  { code = 2, cloud = account, files = {}, isEarly, messages, ...surroundings }: Refused,
): void {
  for (const [line, message] of Object.entries(messages)) {
    const title = `refuses ${command} ${line}`.replaceAll(SECRET, '…');
    cloudIt(title, { cloud: cloud(), files }, async ({ fail, cloud, requests }) => {
      assert.match(await fail(code, `cloud ${command} ${line}`, surroundings), message);
      if (isEarly) assert.deepEqual(requests(), []);
      else assert(!cloud.journal.some(({ method }) => method !== 'GET'));
    });
  }
}
