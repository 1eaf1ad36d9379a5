import type { ErrorCode } from '../errors.ts';
import { createHiddenValues } from '../hidden-values.ts';
import { isObject } from '../std.ts';
import { printable, shortened } from '../text.ts';
import { isLoopback } from '../this-computer.ts';
import type { Answer, Found, SecretRow, validated } from './answers.ts';
import { badAnswer, CloudError } from './errors.ts';
import { HttpClient, type HttpOptions } from './http.ts';
import { describeLocation, isName, type Location, type Secret } from './names.ts';

type HttpReply = Awaited<ReturnType<HttpClient['send']>>;
type AnswerKind = Parameters<typeof validated>[0];

/** Instead of a text that may contain a secret. */
const NOT_SHOWN = 'not shown, because it may contain a secret';

/** The responses with logs and tracebacks. */
const WITH_LINES: ReadonlySet<AnswerKind> = new Set(['log', 'buildLog', 'agent']);
/** The fields with sentences of the platform. botcli compares others. */
const SENTENCES: ReadonlySet<string> = new Set(['error', 'errorMessage', 'headline', 'message', 'warning']);

type LineManner = Pick<Parameters<typeof import('./gateway.ts').openLine>[1], 'purpose' | 'token' | 'onFrame'>;

export { proxyFor } from '../network/requests.ts';

/** Requests to the platform, and the part of its API that manages secrets. Each method throws `CloudError`. */
export class Cloud {
  readonly texts: ReturnType<typeof createShownTexts>;
  /** Shared by all connections of a command. */
  readonly hidden: ReturnType<typeof createHiddenValues>;
  private readonly options: HttpOptions;
  private readonly http: HttpClient;

  /** @param secrets Other tokens, which responses must not show either. */
  constructor(options: HttpOptions, secrets: readonly string[] = []) {
    const { hidden = createHiddenValues(), token } = options;
    this.hidden = hidden;
    this.options = { ...options, hidden };
    this.hidden.hide([token, token.replace(/^pcc_pat_/, '')]);
    this.http = new HttpClient(options);
    this.texts = createShownTexts([options.token, ...secrets]);
  }

  /** Whether the platform is a program on this computer. */
  get isLocal(): boolean {
    return isLoopback(new URL(this.options.apiUrl));
  }

  /** Another connection to the same platform. What was sent on one decides what may be shown on it. */
  sibling(): Cloud {
    return new Cloud(this.options);
  }

  withToken(token: string): Cloud {
    return new Cloud({ ...this.options, token }, [this.options.token]);
  }

  /** Another one, which outlives the interruption of this one. */
  withSignal(signal: AbortSignal): Cloud {
    return new Cloud({ ...this.options, signal });
  }

  /** Connects to the platform's gateway. */
  async line(url: URL, how: LineManner) {
    const { openLine } = await import('./gateway.ts');
    const { userAgent, timeoutMs, signal } = this.options;
    return openLine(url, { userAgent, timeoutMs, signal, ...how });
  }

  close(): void {
    this.http.close();
  }

  /** Sends a request. The schemas are slow to load, so they load while the platform works on its response. */
  readonly send: HttpClient['send'] = async request => {
    // botcli itself names what is in a path.
    this.hidden.allow(request.path.split(/[/?&=]/));
    const timer = setTimeout(() => this.options.onSlow?.(this.http.host), this.options.timeoutMs / 2);
    try {
      const [reply] = await Promise.all([this.http.send(request), import('./answers.ts')]);
      return reply;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Uploads a file to an address of the platform's, without the token. */
  readonly upload: HttpClient['upload'] = (...request) => this.http.upload(...request);

  /** Gets what is at a path. As for `read`, `what` says what that is. */
  async get<Kind extends AnswerKind>(path: string, kind: Kind, what: string, largest?: number): Promise<Answer<Kind>> {
    return this.read(await this.send({ method: 'GET', path, largest }), kind, what);
  }

  /** The same, but undefined if the platform says that it doesn't exist. */
  async getIfThere<Kind extends AnswerKind>(path: string, kind: Kind, what: string): Promise<Answer<Kind> | undefined> {
    const reply = await this.send({ method: 'GET', path });
    return isAbsence(reply) ? undefined : this.read(reply, kind, what);
  }

  /** Deletes something. An earlier attempt may have deleted it already. */
  async delete(path: string, kind: AnswerKind, what: string): Promise<void> {
    const reply = await this.send({ method: 'DELETE', path });
    if (isAbsence(reply) && reply.wasUnsure) return;
    await this.read(reply, kind, what);
  }

  /** Returns the content of a good response, or throws the platform's reason. `what` is as in "organization acme". */
  async read<Kind extends AnswerKind>(reply: HttpReply, kind: Kind, what: string): Promise<Answer<Kind>> {
    if (reply.status >= 400) throw this.refusal(reply, what);
    const { validated } = await import('./answers.ts');
    // A change that was made may have an empty response.
    const isEmpty = kind === 'done' && reply.status === 204;
    const tidy = WITH_LINES.has(kind) ? lines : oneLine;
    const show = (raw: string, key: string) => {
      const text = tidy(raw);
      if (this.texts.quotesToken(text)) return NOT_SHOWN;
      if (key === 'log' || kind === 'buildLog') return this.hidden.inLog(text);
      return SENTENCES.has(key) ? this.hidden.inError(text) : text;
    };
    const data = isEmpty ? { status: 'OK' } : reply.data;
    // The platform's own client expects some responses in `body`; the documents show them bare.
    const inBody = isObject(data) ? data.body : undefined;
    const content = validated(kind, data, show) ?? validated(kind, inBody, show);
    if (content) return content;
    const shape = `for ${what}, with ${describeShape(inBody ?? data)}`;
    throw badAnswer(`${this.http.host} sent an unexpected response (HTTP ${reply.status}), ${shape}`);
  }

  /** A path below an organization. Names that would change the path are refused. */
  path(...steps: string[]): string {
    if (!steps.every(isName)) throw badAnswer("A name contains characters that aren't allowed in a URL");
    return ['/v1/organizations', ...steps].join('/');
  }

  private refusal({ status, data, wasUnsure, retryAfterMs = 0 }: HttpReply, what: string): CloudError {
    if (status === 404 && !isRefusal(data)) {
      const message = `${this.http.host} doesn't respond like the platform (HTTP 404, for ${what})`;
      return badAnswer(message, { isUnsure: wasUnsure });
    }
    const raw = reasonIn(data);
    const explanation = raw && this.texts.reason(raw, this.hidden.inError);
    const code = codeIn(data);
    const text = LIMITS[code ?? ''] ?? STATUSES[status] ?? (status >= 500 || status === 408 ? PROBLEM : REFUSED);
    const isSoon = retryAfterMs > 0 && retryAfterMs <= LONGEST_TIME;
    const hint = isSoon ? `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.` : text.hint;
    const facts = explanation && text !== PROBLEM ? '' : ` (HTTP ${[status, ...(code ? [code] : [])].join(', ')})`;
    const message = text.message(what) + facts + (explanation ? `: ${explanation}` : '');
    return new CloudError(message, { reason: text.reason, hint, status, isUnsure: wasUnsure || text === PROBLEM });
  }

  async organizations(): Promise<Answer<'organizations'>['organizations']> {
    return (await this.get('/v1/organizations', 'organizations', 'the organizations')).organizations;
  }

  async user(): Promise<string | undefined> {
    return (await this.get('/v1/users', 'user', 'the account')).user.emails?.[0]?.emailAddress;
  }

  async regions(organization: string): Promise<Answer<'regions'>['regions']> {
    const { regions } = await this.get(this.path(organization, 'regions'), 'regions', `organization ${organization}`);
    this.texts.allow(regions.map(({ code }) => code));
    return regions;
  }

  async defaultRegion(organization: string): Promise<string | undefined> {
    const path = this.path(organization, 'properties');
    const region = (await this.getIfThere(path, 'properties', `organization ${organization}`))?.properties
      .defaultRegion;
    this.texts.allow([region]);
    return region;
  }

  /** Secret sets and image pull secrets in all regions. */
  async list(organization: string): Promise<SecretRow[]> {
    const reply = await this.send({ method: 'GET', path: this.path(organization, 'secrets') });
    if (isAbsence(reply) && (await this.organizations()).some(({ name }) => name === organization)) return [];
    const { sets } = await this.read(reply, 'sets', `organization ${organization}`);
    await this.allowRegions(organization, sets);
    return sets.map(row => this.shown(row));
  }

  async find({ organization, name }: Location): Promise<Found | undefined> {
    const reply = await this.send({ method: 'GET', path: this.path(organization, 'secrets', name) });
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
    const path = this.path(location.organization, 'secrets', location.name, key);
    await this.delete(path, 'done', `key ${key} in ${describeLocation(location)}`);
  }

  async deleteSet(location: Location): Promise<void> {
    await this.delete(this.path(location.organization, 'secrets', location.name), 'done', describeLocation(location));
  }

  private async put(location: Location, body: object): Promise<void> {
    const { organization, name, region } = location;
    this.texts.allow([region]);
    this.texts.sendsValue();
    const path = this.path(organization, 'secrets', name);
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

/** Whether the platform says that something doesn't exist. Other servers have pages for that. */
const isAbsence = ({ status, data }: HttpReply): boolean => status === 404 && isRefusal(data);

/** The names of a value's fields, to report with an unexpected response. Values may be secret. */
function describeShape(data: unknown): string {
  if (data === undefined) return 'no body';
  if (data === null) return 'null';
  if (typeof data !== 'object') return `a ${typeof data}`;
  if (Array.isArray(data)) return 'a list';
  const fields = Object.keys(data).filter(key => /^[A-Za-z_]{1,30}$/.test(key));
  return fields.length === 0 ? 'no known fields' : `the fields ${fields.slice(0, 8).join(', ')}`;
}

/** `error` and `message`, as in the platform's refusals and those of other servers. */
function fieldsOf(data: unknown): unknown[] {
  return isObject(data) ? [data.error, data.message] : [];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Whether this is a refusal by the platform, which has an `error`, and mostly a `code`. */
const isRefusal = (data: unknown): boolean => isText(fieldsOf(data)[0]);

/** The reason in a refusal, at the top or one level down. */
function reasonIn(data: unknown): string | undefined {
  const reason = fieldsOf(data)
    .flatMap(field => [field, ...fieldsOf(field)])
    .find(isText);
  return reason && oneLine(reason).trim();
}

/** The meaning of a status, for a `what` such as "secret set prod in organization acme". */
interface StatusText {
  reason: ErrorCode;
  message(what: string): string;
  hint?: string;
}

const BILLING = 'Change it at https://pipecat.daily.co, under Settings, Billing.';

const STATUSES: Readonly<Record<number, StatusText>> = {
  401: {
    reason: 'unauthorized',
    message: () => 'The platform rejected the token',
    hint: 'Log in again: botcli cloud auth login. If BOTCLI_TOKEN is set, change it instead.',
  },
  403: {
    reason: 'forbidden',
    message: what => `This account has no access to ${what}`,
    hint: 'To list your organizations, run: botcli cloud organizations list',
  },
  402: { reason: 'limit', message: () => 'The platform asks for a payment', hint: BILLING },
  404: {
    reason: 'not-found',
    message: what =>
      what.startsWith('the ') ? `The platform can't find ${what}` : `There is no ${what.replace(/^an? /, '')}`,
  },
  409: {
    reason: 'conflict',
    message: what => `Another change to ${what} is in progress, or it can't be changed right now`,
    hint: 'Try again later.',
  },
  413: { reason: 'refused', message: () => 'The request is too large for the platform' },
  429: { reason: 'rate-limited', message: () => 'Too many requests to the platform', hint: 'Try again later.' },
};

const PROBLEM: StatusText = {
  reason: 'platform-problem',
  message: what => `The platform had a problem with ${what}`,
  hint: 'Try again later.',
};

const REFUSED: StatusText = { reason: 'refused', message: what => `The platform rejected the request for ${what}` };

/** The meaning of the platform's own codes, whatever the status. */
const LIMITS: Readonly<Record<string, StatusText>> = {
  SPEND_LIMIT_REACHED: { reason: 'limit', message: () => "The organization's spend limit is reached", hint: BILLING },
  'PCC-1004': { reason: 'limit', message: () => 'The organization has no billing', hint: BILLING },
  'PCC-AGENT-AT-CAPACITY': {
    reason: 'limit',
    message: what => `All instances for ${what} are in use`,
    hint: 'Try again later, or raise max_agents in its deploy file.',
  },
};

/** The longest wait that an error names, in milliseconds. */
const LONGEST_TIME = 24 * 60 * 60 * 1000;

/** What the platform says about a secret. It may contain a value. */
type SecretDetails = Pick<SecretRow, 'region' | 'status' | 'errorMessage'>;

const LONGEST_REASON = 300;

/** Statuses, and regions as the platform names its own. */
const EXPECTED = /^(?:ready|pending|failed|unknown|[a-z]{2}-[a-z]{4,9}(?:-\d)?)$/;

/** The platform's codes of errors. No secret looks like one. */
const ERROR_CODE = /^(?:[A-Z]{2,12}(?:_[A-Z]{2,12}){0,4}|PCC-\d{4}|PCC-[A-Z]{2,12}(?:-[A-Z]{2,12}){0,4})$/;

/**
 * What may be shown of the platform's texts. Services sometimes answer with what they were sent, in any encoding. So
 * once a value was sent, only names that were known before are shown, and codes.
 */
function createShownTexts(tokens: readonly string[]) {
  // Every token begins like this, and explanations say so.
  const parts = tokens.map(token => token.replace(/^pcc_pat_/, '').toUpperCase());
  const known = new Set<string>();
  let hasSentValues = false;
  const quotesToken = (text: string): boolean => {
    const upper = text.toUpperCase();
    return parts.some(part => upper.includes(part));
  };
  return {
    quotesToken,
    /** A value is about to be sent. */
    sendsValue(): void {
      hasSentValues = true;
    },
    /** Names that aren't secret, even if a value is the same. */
    allow(names: readonly (string | undefined)[]): void {
      for (const name of names) if (name !== undefined) known.add(name);
    },
    /** A name such as a region or a status; undefined if it may be secret. */
    name(text: string): string | undefined {
      if (!hasSentValues) known.add(text);
      return known.has(text) || EXPECTED.test(text) ? text : undefined;
    },
    /** A reason in the platform's words, without what `hide` takes away; undefined if it may be secret. */
    reason(text: string, hide: (text: string) => string = same): string | undefined {
      return hasSentValues || quotesToken(text) ? undefined : shortened(hide(text), LONGEST_REASON);
    },
  };
}

const same = (text: string): string => text;

/** The code in a refusal, if it looks like one of the platform's. */
function codeIn(data: unknown): string | undefined {
  const { code } = Object(data) as { code?: unknown };
  return typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}

/** A text of the platform on one line, without invisible characters: a name with one looks like another name. */
const oneLine = (text: string): string =>
  printable(text)
    .replaceAll('\n', ' ')
    .replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** A text of several lines, safe to show, without the colors that programs write to their logs. */
const lines = (text: string): string => printable(stripColors(text)).trimEnd();

const stripColors = (text: string): string =>
  text.replace(/\p{Cc}\[[\d;]*[A-Za-z]|\r(?=\n)/gu, '').replaceAll('\t', '    ');
