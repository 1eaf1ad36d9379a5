import { type ErrorCode, UserError, type UserErrorDetails } from '../errors.ts';
import type { HttpProxy } from '../network/requests.ts';

/**
 * An error in a request to the platform. It contains neither the request nor the response and has no `cause`, so
 * printing it in any way never prints a token or a secret.
 */
export class CloudError extends UserError {
  /** Whether the request may have taken effect despite the error. */
  readonly isUnsure: boolean;
  readonly status: number | undefined;
  /** How long the sender of the refusal asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: UserErrorDetails & { isUnsure?: boolean; status?: number; retryAfterMs?: number | undefined },
  ) {
    super(message, details);
    this.isUnsure = details.isUnsure ?? false;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Whether the change that failed with this error may have taken effect. */
export const hasUnknownOutcome = (error: UserError): boolean =>
  error.reason === 'interrupted' || (error instanceof CloudError && error.isUnsure);

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
};
/** Errors that mean nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const isCertificateCode = (code: string) => /CERT|^UNABLE_TO_|^ERR_TLS_|SELF_SIGNED/.test(code);

/** Why there was no response: `timeout`, `too-long`, or the code of the system's error. */
export function failureOf(code: string) {
  const isFinal = code === 'too-long' || code.startsWith('HPE_') || code.startsWith('ERR_') || isCertificateCode(code);
  return { code, isRetriable: !isFinal, isUnsure: !UNSENT.has(code) && !isCertificateCode(code) };
}

interface Unanswered {
  tries?: number;
  isUnsure?: boolean;
  proxy?: HttpProxy | undefined;
}

/** The error for no response from `host`, with the code of the failure. */
export function unreachable(host: string, code: string, { tries = 1, isUnsure = false, proxy }: Unanswered) {
  const times = tries > 1 ? ` (${tries} tries)` : '';
  // With a proxy, we only resolve the name of the proxy and only connect to it.
  if (proxy && (UNSENT.has(code) || code.startsWith('proxy-'))) return proxyError(host, proxy, code, times, isUnsure);
  const hintWith = (hint: string) => (proxy ? `${hint}\nRequests go through the ${proxy.name}.` : hint);
  if (isCertificateCode(code)) {
    return new CloudError(`The certificate of ${host} can't be trusted (${code})`, {
      reason: 'certificate',
      hint: hintWith('If your proxy uses its own certificate, set NODE_EXTRA_CA_CERTS to that file.'),
    });
  }
  if (code === 'timeout') {
    return new CloudError(`${host} didn't send a complete response in time${times}`, {
      reason: 'timeout',
      isUnsure,
      hint: hintWith('Try again later, or set BOTCLI_HTTP_TIMEOUT to more seconds.'),
    });
  }
  const why = NETWORK[code];
  if (!why) {
    const error = badAnswer(`${host} doesn't respond like the platform (${code})`, { isUnsure });
    return new CloudError(error.message, { ...error, hint: hintWith(error.hint ?? '') });
  }
  return new CloudError(`Can't reach ${host}: ${why} (${code})${times}`, {
    reason: 'unreachable',
    isUnsure,
    hint: hintWith('Check the network. If you need a proxy, set HTTPS_PROXY.'),
  });
}

function proxyError(host: string, { url, variable, name }: HttpProxy, code: string, times: string, isUnsure: boolean) {
  const status = /^proxy-(\d+)$/.exec(code)?.[1];
  if (status === '407') {
    const example = `${variable}=http://USER:PASSWORD@${url.host}`;
    const hint = `Write them as in ${example}, and percent-encode characters such as @.`;
    const message = `The ${name} requires a username and password (HTTP 407)`;
    return new CloudError(message, { reason: 'proxy', isUnsure, hint });
  }
  const message = status
    ? `The ${name} refuses to connect to ${host} (HTTP ${status})${times}`
    : `Can't reach the ${name}: ${NETWORK[code]} (${code})${times}`;
  const hint = `Fix ${variable}, or ask the proxy's administrator. NO_PROXY lists hosts to reach without a proxy.`;
  return new CloudError(message, { reason: 'proxy', isUnsure, hint });
}

/** The error for a response that the platform wouldn't send. */
export function badAnswer(message: string, details: { isUnsure?: boolean } = {}): CloudError {
  const hint = 'Check any proxy between you and the platform.';
  return new CloudError(message, { reason: 'bad-answer', hint, isUnsure: true, ...details });
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

const LONGEST_TIME = 24 * 60 * 60 * 1000;

interface Refusal {
  /** The platform's own reason, if it may be shown, and its code. */
  explanation?: string | undefined;
  code?: string | undefined;
  isUnsure: boolean;
  retryAfterMs?: number | undefined;
}

/** The error for a status, as the response to a request about `what`. */
export function statusError(status: number, what: string, refusal: Refusal): CloudError {
  const { explanation, code, isUnsure, retryAfterMs = 0 } = refusal;
  const isSoon = retryAfterMs > 0 && retryAfterMs <= LONGEST_TIME;
  const text = LIMITS[code ?? ''] ?? STATUSES[status] ?? (status >= 500 || status === 408 ? PROBLEM : REFUSED);
  const hint = isSoon ? `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.` : text.hint;
  const facts = explanation && text !== PROBLEM ? '' : ` (HTTP ${[status, ...(code ? [code] : [])].join(', ')})`;
  const message = text.message(what) + facts + (explanation ? `: ${explanation}` : '');
  return new CloudError(message, { reason: text.reason, hint, status, isUnsure: isUnsure || text === PROBLEM });
}
