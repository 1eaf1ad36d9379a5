import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type StoredSet } from '../../scripts/local-cloud/store.ts';

const stored = (name: string, more: Partial<StoredSet> = {}): [string, StoredSet] => [
  name,
  { name, type: 'secret', region: 'us-west', values: new Map([['OLD', 'x']]), readyAt: 0, ...more },
];
/** A new account for each test. */
export const account = () => {
  const sets = new Map([
    stored('prod'),
    stored('hub', { type: 'imagePullSecret' }),
    stored('eu', { region: 'eu-central' }),
    stored('theirs', { source: 'referenced' }),
  ]);
  const organizations = [newOrganization('acme', { sets, defaultRegion: 'us-east' }), newOrganization('other')];
  return { accounts: { [LOCAL_TOKEN]: organizations } };
};
