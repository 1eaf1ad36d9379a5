import type { SecretRow } from '../platform/answers.ts';
import type { Terminal } from '../shell/terminal.ts';
import { organizationOf } from './lookup.ts';
import { type SessionOptions, withCloud } from './session.ts';

/** An organization's secrets, and the keys of one set. */
interface Overview {
  organization: string;
  defaultRegion: string | undefined;
  secrets: SecretRow[];
  /** Undefined if there is no such set, or its keys are in another cluster. */
  keys: string[] | undefined;
}

/** Looks up an organization's secrets, and the keys of one set. */
export async function lookUpSecrets(
  set: string | undefined,
  options: SessionOptions,
  terminal: Terminal,
): Promise<Overview> {
  const { organization: name } = options;
  if (name !== undefined) (await import('./input/checks.ts')).checkInputs({ organization: name });
  return withCloud(options, terminal, async session => {
    const { cloud } = session;
    const organization = await organizationOf(session, terminal);
    const secrets = await cloud.list(organization);
    const isListed = secrets.some(one => one.name === set && one.type === 'secret');
    const found = set !== undefined && isListed ? await cloud.find({ organization, name: set }) : undefined;
    const keys = found?.type === 'secret' && found.set.source !== 'referenced' ? found.set.keys : undefined;
    return { organization, defaultRegion: await cloud.defaultRegion(organization), secrets, keys };
  });
}
