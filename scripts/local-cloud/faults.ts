import type { ServerResponse } from 'node:http';
import type { Answer } from './store.ts';

/** A way for the local cloud to misbehave. With `done`, the request takes effect anyway. */
export type Fault =
  /** A custom response. `echo` adds the request's body and token to the error, as careless servers do. */
  | { kind: 'answer'; status: number; body?: unknown; headers?: Record<string, string>; echo?: boolean; done?: boolean }
  /** A response without a body. */
  | { kind: 'empty'; done?: boolean }
  /** The right response after a delay, in milliseconds. */
  | { kind: 'delay'; ms: number }
  /** No response. */
  | { kind: 'hang'; done?: boolean }
  /** A response that sends one byte every `ms` milliseconds and never ends. */
  | { kind: 'drip'; ms: number }
  /** A dropped connection. */
  | { kind: 'reset'; done?: boolean }
  /** A response that ends in the middle. */
  | { kind: 'cut' }
  /** A body that isn't JSON. */
  | { kind: 'broken-json'; status?: number; done?: boolean }
  | { kind: 'html'; status?: number; done?: boolean }
  /** A body of JSON that `answer` can't write. */
  | { kind: 'text'; status?: number; text: string }
  | { kind: 'redirect'; status?: number; to: string };

/** Which requests a fault affects, and how often. */
export interface FaultRule {
  fault: Fault;
  /** Default: any method. */
  method?: string;
  /** A substring or pattern of the path. Default: any path. */
  path?: string | RegExp;
  /** How many times. Default: always. */
  times?: number;
  /** How many matching requests to let through first. Default: none. */
  after?: number;
}

/** The active faults. Each counts down when it is used. */
export class FaultList {
  private rules: Required<FaultRule>[] = [];

  add({ method = '', path = '', times = Number.POSITIVE_INFINITY, after = 0, fault }: FaultRule): void {
    // The newest rule takes precedence.
    this.rules.unshift({ method, path, times, after, fault });
  }

  clear(): void {
    this.rules = [];
  }

  /** Takes the fault for this request, and counts it. */
  take(method: string, path: string): Fault | undefined {
    for (const rule of this.rules) {
      const isHere = typeof rule.path === 'string' ? path.includes(rule.path) : rule.path.test(path);
      if (!isHere || (rule.method && rule.method !== method) || rule.times <= 0) continue;
      rule.after -= 1;
      if (rule.after >= 0) continue;
      rule.times -= 1;
      return rule.fault;
    }
    return undefined;
  }
}

/** Whether the request takes effect despite this fault. */
export const takesEffect = (fault: Fault | undefined): boolean =>
  !fault || fault.kind === 'delay' || ('done' in fault && fault.done === true);

/** Sends the response that this fault produces. Returns the status that was sent, or 0 for none. */
export function sendFaulty(response: ServerResponse, fault: Fault, answer: Answer, request: string): number {
  switch (fault.kind) {
    case 'answer': {
      const body = fault.body ?? { error: 'Injected fault', code: 'INJECTED' };
      const echoed = fault.echo ? { error: `Bad request: ${request}`, code: 'INJECTED' } : body;
      return send(response, { status: fault.status, body: echoed }, fault.headers);
    }
    case 'empty':
      response.writeHead(204).end();
      return 204;
    case 'delay':
      setTimeout(() => send(response, answer), fault.ms);
      return answer.status;
    case 'hang':
      return 0;
    case 'drip': {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), fault.ms);
      response.on('close', () => clearInterval(timer));
      return 200;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
      return 0;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
      response.write('{"status":', () => response.destroy());
      return 200;
    case 'broken-json':
      return sendText(response, fault.status ?? 200, 'application/json', '{"status":');
    case 'html':
      return sendText(response, fault.status ?? 200, 'text/html', '<html><body><h1>Bad gateway</h1></body></html>');
    case 'text':
      return sendText(response, fault.status ?? 200, 'application/json', fault.text);
    case 'redirect':
      return send(response, { status: fault.status ?? 307, body: {} }, { location: fault.to });
  }
}

export function send(response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}): number {
  return sendText(response, status, 'application/json', JSON.stringify(body), headers);
}

function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): number {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
  return status;
}
