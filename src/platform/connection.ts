import { createHiddenValues } from '../hidden-values.ts';
import { isLoopback } from '../network/loopback.ts';
import { isObject, parsedJson } from '../std.ts';
import type { Answer, answers } from './answers.ts';
import type { CloudError } from './cloud-error.ts';
import { badAnswer, statusError } from './errors.ts';
import type { Line } from './gateway.ts';
import { HttpClient, type HttpOptions, type HttpReply } from './http.ts';
import { isName } from './location.ts';
import { oneLine } from './plain-text.ts';
import { createShownTexts, shownCode } from './shown-texts.ts';
import type { upload } from './upload.ts';

type AnswerKind = keyof typeof answers;
type Upload = Parameters<typeof upload>[1];

/** Instead of a text that may contain a secret. */
export const NOT_SHOWN = 'not shown, because it may contain a secret';

/** The largest response with a log, in bytes. */
export const LARGEST_LOG = 8 * 2 ** 20;
/** The responses with logs and tracebacks. */
const WITH_LINES: ReadonlySet<AnswerKind> = new Set(['log', 'buildLog', 'agent']);
/** The fields with sentences of the platform. botcli compares others. */
const SENTENCES: ReadonlySet<string> = new Set(['error', 'errorMessage', 'headline', 'message', 'warning']);

type LineManner = Pick<Parameters<typeof import('./gateway.ts').openLine>[1], 'purpose' | 'token' | 'onFrame'>;

/** Requests to the platform, and responses in its shapes. Every method throws `CloudError`. */
export class Connection {
  readonly texts: ReturnType<typeof createShownTexts>;
  /** Shared by all connections of a command. */
  readonly hidden: ReturnType<typeof createHiddenValues>;
  protected readonly options: HttpOptions;
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

  /** Another connection to the same platform, with another token. */
  withToken(token: string): Connection {
    return new Connection({ ...this.options, token }, [this.options.token]);
  }

  /** Another connection to the same platform, which outlives the interruption of this one. */
  withSignal(signal: AbortSignal): Connection {
    return new Connection({ ...this.options, signal });
  }

  /** Calls the platform's gateway for phone providers. No token is sent there. */
  async call(url: URL, onMessage: (message: unknown) => void): Promise<Line> {
    const onFrame = (data: unknown, isBinary: boolean) => {
      // Anything but JSON text isn't a message of a phone provider's.
      if (!isBinary) onMessage(parsedJson(String(data)));
    };
    return this.line(url, { purpose: 'call', onFrame });
  }

  /** Connects to the platform's gateway. */
  async line(url: URL, how: LineManner): Promise<Line> {
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

  /**
   * Uploads a file to an address of the platform's. The token isn't sent there.
   *
   * @param deadline When to give up, as in `Date.now()`.
   */
  async upload(target: Answer<'upload'>, file: Upload, deadline = Number.POSITIVE_INFINITY): Promise<void> {
    const { upload } = await import('./upload.ts');
    await upload(target, file, { ...this.options, deadline });
  }

  /** Gets what is at a path. As for `read`, `what` says what that is. */
  async get<Kind extends AnswerKind>(path: string, kind: Kind, what: string, largest?: number): Promise<Answer<Kind>> {
    return this.read(await this.send({ method: 'GET', path, largest }), kind, what);
  }

  /** Deletes something. An earlier attempt may have deleted it already. */
  async delete(path: string, kind: AnswerKind, what: string): Promise<void> {
    const reply = await this.send({ method: 'DELETE', path });
    if (isAbsence(reply) && reply.wasUnsure) return;
    await this.read(reply, kind, what);
  }

  /**
   * Returns the content of a good response, or throws the platform's reason.
   *
   * @param what What the request is about, as in "organization acme".
   */
  async read<Kind extends AnswerKind>(reply: HttpReply, kind: Kind, what: string): Promise<Answer<Kind>> {
    if (reply.status >= 400) throw this.refusal(reply, what);
    const { answers, validated } = await import('./answers.ts');
    // A change that was made may have an empty response.
    const isEmpty = kind === 'done' && reply.status === 204;
    const show = (text: string, key: string) => {
      if (this.texts.quotesToken(text)) return NOT_SHOWN;
      if (key === 'log' || kind === 'buildLog') return this.hidden.inLog(text);
      return SENTENCES.has(key) ? this.hidden.inError(text) : text;
    };
    const data = isEmpty ? { status: 'OK' } : reply.data;
    const content = validated<unknown>(answers[kind], data, show, { hasLines: WITH_LINES.has(kind) });
    if (content) return content as Answer<Kind>;
    const shape = `for ${what}, with ${describeShape(reply.data)}`;
    throw badAnswer(`${this.http.host} sent an unexpected response (HTTP ${reply.status}), ${shape}`);
  }

  private refusal({ status, data, wasUnsure, retryAfterMs }: HttpReply, what: string): CloudError {
    if (status === 404 && !isRefusal(data)) {
      const message = `${this.http.host} doesn't respond like the platform (HTTP 404, for ${what})`;
      return badAnswer(message, { isUnsure: wasUnsure });
    }
    const reason = reasonIn(data);
    return statusError(status, what, {
      explanation: reason && this.texts.reason(reason, this.hidden.inError),
      code: shownCode(data && (data as { code?: unknown }).code),
      isUnsure: wasUnsure,
      retryAfterMs,
    });
  }
}

/** Whether the platform says that something doesn't exist. Other servers have pages for that. */
export const isAbsence = ({ status, data }: HttpReply): boolean => status === 404 && isRefusal(data);

/** @throws {CloudError} A name would change the path that it is put into. */
export function checkStep(name: string): void {
  if (!isName(name)) throw badAnswer("A name contains characters that aren't allowed in a URL");
}

/** A path below an organization. Names that would change the path are refused. */
export function pathOf(...steps: string[]): string {
  const [organization, ...rest] = steps;
  steps.forEach(checkStep);
  return ['/v1/organizations', organization, ...rest].join('/');
}

/** Things in the order of their creation, the newest first. Those without a date come last. */
export function newestFirst<One extends { createdAt?: string }>(things: readonly One[]): One[] {
  const time = ({ createdAt }: One) => Date.parse(createdAt ?? '') || 0;
  return [...things].sort((one, other) => time(other) - time(one));
}

/** @throws {CloudError} The platform sent another thing than the one that was asked for. */
export function checkSame(kind: string, sent: string, asked: string): void {
  if (sent.toLowerCase() !== asked.toLowerCase()) {
    throw badAnswer(`The platform sent ${kind} ${sent} instead of ${asked}`);
  }
}

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
