import type { ObjectSchema } from 'joi';
import { describeLocation, isName, type Location } from '../input/location.ts';
import type { Secret } from '../input/secret.ts';
import { answers, type Organization, type Region, type SecretRow, type SecretSet, validated } from './answers.ts';
import { badAnswer, statusError } from './errors.ts';
import { HttpClient, type HttpOptions, type HttpReply, type HttpRequest } from './http.ts';
import { quotes } from './leaks.ts';

export { proxyFor } from './proxy.ts';

/** An existing secret: a set with its keys, or an image pull secret, whose content is never returned. */
export type Found = { type: 'secret'; set: SecretSet } | { type: 'imagePullSecret'; row: SecretRow };

/** The parts of the platform's API that manage secrets. Every method throws `CloudError`. */
export class Cloud {
  private readonly http: HttpClient;
  /** Values that must never be shown: the token, and the secrets that were sent. */
  private readonly secrets: Set<string>;

  constructor(options: HttpOptions) {
    this.http = new HttpClient(options);
    this.secrets = new Set([options.token]);
  }

  /**
   * Hides values that are about to be sent. Values too short to be secret aren't hidden: they occur in ordinary text.
   */
  hide(values: readonly string[]): void {
    for (const value of values) if (value.length >= SHORTEST_SECRET) this.secrets.add(value);
  }

  close(): void {
    this.http.close();
  }

  async organizations(): Promise<Organization[]> {
    const reply = await this.get('/v1/organizations');
    return this.read<{ organizations: Organization[] }>(reply, answers.organizations, 'the organizations')
      .organizations;
  }

  /** The account's email address, if it has one. */
  async user(): Promise<string | undefined> {
    const reply = await this.get('/v1/users');
    const { user } = this.read<{ user: { emails?: { emailAddress: string }[] } }>(reply, answers.user, 'the account');
    return user.emails?.[0]?.emailAddress;
  }

  async regions(organization: string): Promise<Region[]> {
    const reply = await this.get(pathOf(organization, 'regions'));
    return this.read<{ regions: Region[] }>(reply, answers.regions, `organization ${organization}`).regions;
  }

  async defaultRegion(organization: string): Promise<string | undefined> {
    const reply = await this.get(pathOf(organization, 'properties'));
    if (reply.status === 404) return undefined;
    const what = `organization ${organization}`;
    return this.read<{ properties: { defaultRegion?: string } }>(reply, answers.properties, what).properties
      .defaultRegion;
  }

  /** Secret sets and image pull secrets in all regions. */
  async list(organization: string): Promise<SecretRow[]> {
    const reply = await this.get(pathOf(organization, 'secrets'));
    if (reply.status === 404 && (await this.organizations()).some(({ name }) => name === organization)) return [];
    return this.read<{ sets: SecretRow[] }>(reply, answers.sets, `organization ${organization}`).sets;
  }

  async find({ organization, name }: Location): Promise<Found | undefined> {
    const reply = await this.get(pathOf(organization, 'secrets', name));
    if (reply.status === 404) return undefined;
    if (reply.status === 400) {
      // The platform responds like this for image pull secrets, which it only lists.
      const row = (await this.list(organization)).find(row => row.name === name);
      if (row?.type === 'imagePullSecret') return { type: 'imagePullSecret', row };
    }
    const what = describeLocation({ organization, name });
    type Answer = Omit<SecretSet, 'keys'> & { secrets: { fieldName: string }[] };
    const { secrets, ...set } = this.read<Answer>(reply, answers.set, what);
    return { type: 'secret', set: { ...set, keys: secrets.map(({ fieldName }) => fieldName) } };
  }

  /** Stores a key. Returns the region that the platform reports. */
  async setKey(location: Location, { key, value }: Secret): Promise<string | undefined> {
    const body = { name: location.name, isImagePullSecret: false, secretKey: key, secretValue: value };
    return this.put(location, body, [value]);
  }

  /** Stores an image pull secret. `content` is sent; `secrets` are other forms of it that must not be shown. */
  async setPullSecret(
    location: Location,
    host: string,
    content: string,
    secrets: string[],
  ): Promise<string | undefined> {
    return this.put(location, { isImagePullSecret: true, secretValue: content, host }, [content, ...secrets]);
  }

  async deleteKey(location: Location, key: string): Promise<void> {
    await this.delete(
      pathOf(location.organization, 'secrets', location.name, key),
      `key ${key} in ${describeLocation(location)}`,
    );
  }

  async deleteSet(location: Location): Promise<void> {
    await this.delete(pathOf(location.organization, 'secrets', location.name), describeLocation(location));
  }

  private get(path: string): Promise<HttpReply> {
    return this.http.send({ method: 'GET', path });
  }

  private async put(location: Location, body: object, secrets: string[]): Promise<string | undefined> {
    const path = pathOf(location.organization, 'secrets', location.name);
    const request: HttpRequest = {
      method: 'PUT',
      path,
      body: location.region ? { ...body, region: location.region } : body,
    };
    this.hide(secrets);
    const reply = await this.http.send(request);
    return this.read<{ region?: string }>(reply, answers.done, describeLocation(location), secrets).region;
  }

  private async delete(path: string, what: string): Promise<void> {
    const reply = await this.http.send({ method: 'DELETE', path });
    // An earlier attempt may have deleted it already.
    if (reply.status === 404 && reply.wasUnsure) return;
    this.read(reply, answers.done, what);
  }

  /**
   * Returns the content of a good response, or throws the platform's reason. Text that contains a secret is replaced.
   */
  private read<Content>(reply: HttpReply, schema: ObjectSchema, what: string, secrets: string[] = []): Content {
    const { status, data, wasUnsure, retryAfterMs } = reply;
    if (status >= 400) {
      const explanation = explanationIn(data, [...this.secrets, ...secrets]);
      const hint = retryAfterMs ? `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.` : undefined;
      throw statusError(status, what, { explanation, isUnsure: wasUnsure, hint });
    }
    const content = validated<Content>(schema, status === 204 ? {} : data);
    if (content) return withoutQuotes(content, [...this.secrets, ...secrets]);
    throw badAnswer(`${this.http.host} sent an unexpected response (HTTP ${status})`);
  }
}

/** A path below an organization. Names that would change the path are refused. */
function pathOf(...steps: string[]): string {
  const [organization, ...rest] = steps;
  for (const step of steps) {
    if (!isName(step)) throw badAnswer("A name contains characters that aren't allowed in a URL");
  }
  return ['/v1/organizations', organization, ...rest].join('/');
}

/** The shortest value to hide in every response. In characters. */
const SHORTEST_SECRET = 4;
/** The fields of a good response that are shown, besides names and keys. */
const SHOWN = new Set(['region', 'status', 'errorMessage']);
/** Expected values of these fields. They are shown even if a secret has the same value. */
const EXPECTED = /^(?:OK|ready|pending|failed|unknown|[a-z]{2}-[a-z]{4,9}(?:-\d)?)$/;

function withoutQuotes<Content>(content: Content, secrets: readonly string[]): Content {
  const isShown = (key: string, value: unknown) =>
    SHOWN.has(key) && typeof value === 'string' && !EXPECTED.test(value) && quotes(value, secrets);
  return JSON.parse(JSON.stringify(content), (key, value) => (isShown(key, value) ? NOT_SHOWN : value)) as Content;
}

const NOT_SHOWN = 'not shown, because it contains a secret';

/** The reason in a response: `error` or `message`, at the top or one level down. */
function explanationIn(data: unknown, secrets: readonly string[]): string | undefined {
  const reason = textOf(data, ['error', 'message']);
  if (!reason) return undefined;
  return quotes(reason, secrets) ? "its reason isn't shown, because it contains a secret" : reason.slice(0, 300);
}

function textOf(data: unknown, [key, ...others]: string[]): string | undefined {
  if (typeof data !== 'object' || data === null || key === undefined) return undefined;
  const value = (data as Record<string, unknown>)[key];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  return textOf(value, ['message', 'error']) ?? textOf(data, others);
}
