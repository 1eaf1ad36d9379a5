import type { Answer, Found, SecretRow } from './answers.ts';
import { Connection, isAbsence, NOT_SHOWN, pathOf } from './connection.ts';
import { describeLocation, type Location } from './location.ts';
import type { Secret } from './secret.ts';

export { proxyFor } from '../network/proxy.ts';

/** The parts of the platform's API that manage secrets. Every method throws `CloudError`. */
export class Cloud extends Connection {
  /** Another connection to the same platform. What was sent on one decides what may be shown on it. */
  sibling(): Cloud {
    return new Cloud(this.options);
  }

  async organizations(): Promise<Answer<'organizations'>['organizations']> {
    return (await this.get('/v1/organizations', 'organizations', 'the organizations')).organizations;
  }

  /** The account's email address, if it has one. */
  async user(): Promise<string | undefined> {
    return (await this.get('/v1/users', 'user', 'the account')).user.emails?.[0]?.emailAddress;
  }

  async regions(organization: string): Promise<Answer<'regions'>['regions']> {
    const { regions } = await this.get(pathOf(organization, 'regions'), 'regions', named(organization));
    this.texts.allow(regions.map(({ code }) => code));
    return regions;
  }

  async defaultRegion(organization: string): Promise<string | undefined> {
    const reply = await this.send({ method: 'GET', path: pathOf(organization, 'properties') });
    if (isAbsence(reply)) return undefined;
    const { defaultRegion } = (await this.read(reply, 'properties', named(organization))).properties;
    this.texts.allow([defaultRegion]);
    return defaultRegion;
  }

  /** Secret sets and image pull secrets in all regions. */
  async list(organization: string): Promise<SecretRow[]> {
    const reply = await this.send({ method: 'GET', path: pathOf(organization, 'secrets') });
    if (isAbsence(reply) && (await this.organizations()).some(({ name }) => name === organization)) return [];
    const { sets } = await this.read(reply, 'sets', named(organization));
    await this.allowRegions(organization, sets);
    return sets.map(row => this.shown(row));
  }

  async find({ organization, name }: Location): Promise<Found | undefined> {
    const reply = await this.send({ method: 'GET', path: pathOf(organization, 'secrets', name) });
    if (isAbsence(reply)) return undefined;
    if (reply.status === 400) {
      // The platform responds like this for image pull secrets, which it only lists.
      const row = await this.findPullSecret({ organization, name });
      if (row) return { type: 'imagePullSecret', row };
    }
    const answer = await this.read(reply, 'set', describeLocation({ organization, name }));
    await this.allowRegions(organization, [answer]);
    const { secrets, ...set } = this.shown(answer);
    return { type: 'secret', set: { ...set, keys: secrets.map(({ fieldName }) => fieldName) } };
  }

  async findPullSecret({ organization, name }: Location): Promise<SecretRow | undefined> {
    const row = (await this.list(organization)).find(row => row.name === name);
    return row?.type === 'imagePullSecret' ? row : undefined;
  }

  async setKey(location: Location, { key, value }: Secret): Promise<void> {
    await this.put(location, { name: location.name, isImagePullSecret: false, secretKey: key, secretValue: value });
  }

  async setPullSecret(location: Location, host: string, content: string): Promise<void> {
    await this.put(location, { isImagePullSecret: true, secretValue: content, host });
  }

  async deleteKey(location: Location, key: string): Promise<void> {
    const path = pathOf(location.organization, 'secrets', location.name, key);
    await this.delete(path, 'done', `key ${key} in ${describeLocation(location)}`);
  }

  async deleteSet(location: Location): Promise<void> {
    await this.delete(pathOf(location.organization, 'secrets', location.name), 'done', describeLocation(location));
  }

  private async put(location: Location, body: object): Promise<void> {
    const { organization, name, region } = location;
    this.texts.allow([region]);
    this.texts.sendsValue();
    const path = pathOf(organization, 'secrets', name);
    const reply = await this.send({ method: 'PUT', path, body: region ? { ...body, region } : body });
    await this.read(reply, 'done', describeLocation(location));
  }

  /** Allows the organization's regions: they aren't secret, even if a value contains one. */
  private async allowRegions(organization: string, found: readonly SecretDetails[]): Promise<void> {
    if (found.some(({ region }) => this.texts.name(region) === undefined)) {
      await this.regions(organization).catch(() => {});
    }
  }

  /** The same details, without secrets. */
  private shown<Details extends SecretDetails>({ region, status, errorMessage, ...others }: Details) {
    return {
      ...others,
      region: this.texts.name(region) ?? NOT_SHOWN,
      status: this.texts.name(status) ?? NOT_SHOWN,
      ...(errorMessage ? { errorMessage: this.texts.reason(errorMessage) ?? NOT_SHOWN } : {}),
    };
  }
}

/** What the platform says about a secret. It may contain a value. */
type SecretDetails = Pick<SecretRow, 'region' | 'status' | 'errorMessage'>;

const named = (organization: string) => `organization ${organization}`;
