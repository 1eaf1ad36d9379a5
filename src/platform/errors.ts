import { UserError, type UserErrorDetails } from '../errors.ts';
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

/** Why there was no response, as the code of an error of axios or the system, `timeout`, or `too-long`. */
export function failureOf(error: unknown, isLate: boolean) {
  const code = isLate ? 'timeout' : codeOf(error);
  const isFinal = code === 'too-long' || code.startsWith('HPE_') || code.startsWith('ERR_') || isCertificateCode(code);
  return { code, isRetriable: !isFinal, isUnsure: !UNSENT.has(code) && !isCertificateCode(code) };
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
  if (String(message).startsWith('maxContentLength')) return 'too-long';
  // A response may end in the middle.
  if (/^(?:stream has been )?aborted$/.test(String(message)) || code === 'ERR_NETWORK') return 'ECONNRESET';
  return typeof code === 'string' ? code : 'unknown';
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
