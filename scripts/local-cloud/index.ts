import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { isObject, orElse, parsedJson } from '../../src/std.ts';
import { answerAgents } from './agents.ts';
import { answerBuilds, takeUpload } from './builds.ts';
import { FaultList, type FaultRule, send, sendFaulty, takesEffect } from './faults.ts';
import { takeCall } from './gateway.ts';
import { type StartBot, takeGeneric } from './generic.ts';
import { answerSessions, startSession } from './sessions.ts';
import {
  type Answer,
  type Call,
  deleteKey,
  deleteSet,
  fingerprint,
  good,
  listSets,
  newOrganization,
  type Organization,
  reference,
  refuse,
  showSet,
  upsert,
} from './store.ts';

/** What the local cloud records about a request. Values and tokens are never recorded. */
export interface JournalEntry {
  method: string;
  /** The path as sent, including the query. */
  path: string;
  /** The body, with fingerprints in place of values. */
  body?: unknown;
  /** The status of the response; 0 if there was none. */
  status: number;
  /** The number of its connection, counted from 1. */
  connection: number;
  userAgent: string | undefined;
}

export interface LocalCloudOptions {
  /** Default: any free port. */
  port?: number;
  /** The valid tokens, each with its organizations. */
  accounts?: Readonly<Record<string, readonly Organization[]>>;
  /** How long a set stays pending after a change, in milliseconds. Default: not at all. */
  pendingMs?: number;
  /** Serves https, for the host `cloud.test`. */
  tls?: { key: string; cert: string };
  /** Starts the bots of sessions over the generic route. Without it, each session ends at once. */
  startBot?: StartBot;
  /** Installs what those bots need, before their build succeeds. Without it, a session may have to. */
  buildBot?(context: Buffer): Promise<unknown>;
  /** Called for each request. */
  onRequest?(entry: JournalEntry): void;
}

/** The personal access token that the local cloud accepts by default. */
export const LOCAL_TOKEN = `pcc_pat_${'0123456789abcdef'.repeat(2)}`;

/** A stand-in for the platform's API on loopback, which can inject faults. */
export interface LocalCloud {
  readonly url: string;
  readonly journal: JournalEntry[];
  /** The requests so far, as `GET /path 200`. */
  requests(): string[];
  fault(rule: FaultRule): void;
  clearFaults(): void;
  close(): Promise<void>;
}

export async function startLocalCloud(options: LocalCloudOptions = {}): Promise<LocalCloud> {
  const cloud = new CloudServer({ accounts: { [LOCAL_TOKEN]: [newOrganization('acme')] }, ...options });
  await cloud.listen(options.port ?? 0);
  return cloud;
}

class CloudServer implements LocalCloud {
  url = '';
  readonly journal: JournalEntry[] = [];
  private readonly faults = new FaultList();
  private readonly sockets = new Map<Socket, number>();
  private readonly options: LocalCloudOptions & Required<Pick<LocalCloudOptions, 'accounts'>>;
  private readonly server: Server;

  constructor(options: LocalCloudOptions & Required<Pick<LocalCloudOptions, 'accounts'>>) {
    this.options = options;
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.serve(request, response);
    this.server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
    const opening = options.tls ? 'secureConnection' : 'connection';
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.serveCall(request, socket, head),
    );
    this.server.on(opening, (socket: Socket) => this.sockets.set(socket, this.sockets.size + 1));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    const { port: actual } = this.server.address() as AddressInfo;
    this.url = this.options.tls ? `https://cloud.test:${actual}` : `http://127.0.0.1:${actual}`;
  }

  private get organizations(): Organization[] {
    return Object.values(this.options.accounts).flat();
  }

  requests = () => this.journal.map(({ method, path, status }) => `${method} ${path} ${status}`);

  fault = (rule: FaultRule) => this.faults.add(rule);

  clearFaults = () => this.faults.clear();

  async close(): Promise<void> {
    for (const socket of this.sockets.keys()) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    if (url.startsWith('/_uploads/')) return this.serveUpload(request, response);
    const parsed = await readBody(request);
    const [path = '', query = ''] = url.split('?');
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const call = { method, path, query: new URLSearchParams(query), body: parsed ?? {}, token };
    if (path.startsWith('/_local/')) return this.control(call, response);
    const fault = this.faults.take(method, url);
    const answer = takesEffect(fault) ? this.answer(call, parsed === undefined) : { status: 0, body: {} };
    const body = parsed && Object.keys(parsed).length > 0 ? { body: withoutValues(parsed) } : {};
    const entry = this.enter(request, url, answer.status, body);
    if (fault) entry.status = sendFaulty(response, fault, answer, JSON.stringify({ ...parsed, token }));
    else send(response, answer);
    this.options.onRequest?.(entry);
  }

  /** Records a request. */
  private enter(request: IncomingMessage, path: string, status: number, more: { body?: unknown } = {}): JournalEntry {
    const { method = '', headers, socket } = request;
    const connection = this.sockets.get(socket) ?? 0;
    const entry = { method, path, ...more, status, connection, userAgent: headers['user-agent'] };
    this.journal.push(entry);
    return entry;
  }

  /** Takes an upload, as the storage of the platform does. */
  private async serveUpload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    // A client may give up.
    const bytes = await buffer(request).catch(() => Buffer.alloc(0));
    const fault = this.faults.take(method, '/_uploads');
    const id = url.slice('/_uploads/'.length);
    const taken = takeUpload(this.organizations, id, { headers, bytes });
    const { answer, fields } = takesEffect(fault) ? taken : { ...taken, answer: { status: 0, body: '' } };
    const entry = this.enter(request, '/_uploads', answer.status, { body: { fields } });
    if (fault) entry.status = sendFaulty(response, fault, answer, '');
    else response.writeHead(answer.status, { 'content-type': 'application/xml' }).end(answer.body);
    this.options.onRequest?.(entry);
  }

  /** Takes a phone call or a session, as the platform's gateway does. */
  private serveCall(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url = '' } = request;
    const fault = this.faults.take('GET', url);
    const entry = this.enter(request, url, 0);
    if (fault?.kind === 'answer') {
      entry.status = fault.status;
      socket.end(`HTTP/1.1 ${fault.status} Refused\r\ncontent-length: 0\r\n\r\n`);
    } else if (fault?.kind === 'reset') socket.destroy();
    else if (!fault) {
      const taken = takeGeneric(this.organizations, request, socket, head, this.options.startBot);
      entry.status = (taken ?? takeCall(this.organizations, request, socket, head)).status;
    }
    this.options.onRequest?.(entry);
  }

  /** Serves faults and the journal over HTTP, for tests that run the stand-in in a separate process. */
  private control({ method, path, body }: Call, response: ServerResponse): void {
    if (path === '/_local/journal') send(response, good(this.journal));
    else if (path === '/_local/faults' && method === 'DELETE') this.faults.clear();
    else if (path === '/_local/faults' && method === 'POST') this.fault(body as unknown as FaultRule);
    if (!response.headersSent) send(response, good({ status: 'OK' }));
  }

  private answer(call: Call, isBroken: boolean): Answer {
    if (call.path === '/auth/logout') return good({ status: 'OK' });
    const started = /^\/v1\/public\/([^/]+)\/start$/.exec(call.path)?.[1];
    if (started && call.method === 'POST') {
      return startSession(this.organizations, decode(started), call, this.url);
    }
    const organizations = Object.hasOwn(this.options.accounts, call.token)
      ? this.options.accounts[call.token]
      : undefined;
    if (!organizations) return refuse(401, 'Unauthorized', 'UNAUTHORIZED');
    if (isBroken) return refuse(400, 'Invalid request format', 'GENERIC_BAD_REQUEST');
    const [version, ...steps] = call.path.split('/').slice(1).map(decode);
    const account = { userId: 'user-1', emails: [{ emailAddress: 'dev@example.com' }] };
    if (call.path === '/v1/users') return good({ user: account });
    if (version !== 'v1' || steps[0] !== 'organizations') return notFound;
    if (steps.length === 1)
      return good({ organizations: organizations.map(({ name, verboseName }) => ({ name, verboseName })) });
    const organization = organizations.find(({ name }) => name === steps[1]);
    if (!organization) return refuse(403, 'Organization access denied', 'PCC-1001');
    return this.answerOrganization(organization, steps.slice(2), call);
  }

  private answerOrganization(organization: Organization, [kind, ...names]: string[], call: Call): Answer {
    const { regions, defaultRegion } = organization;
    const line = `${call.method} ${kind}${'/*'.repeat(names.length)}`;
    const [name = '', key = ''] = names;
    switch (line) {
      case 'GET regions':
        return good({ regions });
      case 'GET properties':
        return good({ properties: { defaultRegion } });
      case 'PATCH properties':
        organization.defaultRegion = String(call.body.defaultRegion);
        return good({ properties: { defaultRegion: organization.defaultRegion } });
      case 'GET properties/*':
        return good({ properties: { defaultRegion: describeRegion(organization) } });
      case 'GET secrets':
        return listSets(organization, call.query.get('region'));
      case 'GET secrets/*':
        return showSet(organization, name);
      case 'POST secrets/*':
        return name === 'references' ? reference(organization, call.body) : notFound;
      case 'PUT secrets/*':
        return upsert(organization, name, call.body, this.options.pendingMs ?? 0);
      case 'DELETE secrets/*':
        return deleteSet(organization, name);
      case 'DELETE secrets/*/*':
        return deleteKey(organization, name, key);
      default:
        return (
          answerBuilds(organization, line, names, call, { ...this.options, url: this.url }) ??
          answerAgents(organization, line, names, call) ??
          answerSessions(organization, line, names, call) ??
          notFound
        );
    }
  }
}

const notFound = refuse(404, 'Not found', 'NOT_FOUND');

function describeRegion({ regions, defaultRegion }: Organization) {
  const values = { currentValue: defaultRegion, default: 'us-west', availableValues: regions.map(({ code }) => code) };
  return { type: 'string', description: 'Default region', readOnly: false, ...values };
}

/** The body: `{}` if it is empty, undefined if it isn't a JSON object. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const sent = await text(request).catch(() => 'cut');
  const body = sent === '' ? {} : parsedJson(sent);
  return isObject(body) ? body : undefined;
}

function withoutValues(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) =>
    ['secretValue', 'refresh_token'].includes(key) ? fingerprint(String(value)) : value,
  );
}

const decode = (step: string): string => orElse(() => decodeURIComponent(step), step);
