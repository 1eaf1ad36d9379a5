import type { ErrorCode } from '../../error-codes.ts';
import { CloudError } from './cloud-error.ts';
import { type HttpProxy, nameProxy } from './proxy.ts';

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
};
/** With these, nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const isCertificateCode = (code: string) => /CERT|^UNABLE_TO_|^ERR_TLS_|SELF_SIGNED/.test(code);

/** Why there was no answer. */
export interface Failure {
  /** `timeout`, `too-long`, or the code of the system's error. */
  code: string;
  isRetriable: boolean;
  isUnsure: boolean;
}

export function failureOf(code: string): Failure {
  const isFinal = code === 'too-long' || code.startsWith('HPE_') || code.startsWith('ERR_') || isCertificateCode(code);
  const isSent = !UNSENT.has(code) && !isCertificateCode(code);
  return { code, isRetriable: !isFinal, isUnsure: isSent };
}

/** The error for no answer from `host`, after so many tries. */
export function unreachable(
  host: string,
  { code }: Failure,
  tries: number,
  isUnsure: boolean,
  proxy?: HttpProxy,
): CloudError {
  const times = tries > 1 ? ` (${tries} tries)` : '';
  // Where there is a proxy, no name is looked up and no connection made but the proxy's.
  if (proxy && (UNSENT.has(code) || code.startsWith('proxy-'))) return proxyError(host, proxy, code, times, isUnsure);
  const error = unanswered(host, code, times, isUnsure);
  if (!proxy) return error;
  return new CloudError(error.message, { ...error, hint: `${error.hint}\n${nameProxy(proxy)}, stands in between.` });
}

function proxyError(host: string, proxy: HttpProxy, code: string, times: string, isUnsure: boolean): CloudError {
  const { url, variable } = proxy;
  const name = nameProxy(proxy);
  const way = `Mend ${variable}, or ask who runs the proxy. NO_PROXY names hosts that need none.`;
  const told = (message: string, hint = way) => new CloudError(message, { reason: 'proxy', isUnsure, hint });
  if (code === 'proxy-407') {
    const example = `${variable}=http://USER:PASSWORD@${url.host}`;
    return told(
      `${name}, wants to know a user and password (HTTP 407)`,
      `They are written as in ${example}, with signs such as @ percent-encoded.`,
    );
  }
  const status = /^proxy-(\d+)$/.exec(code)?.[1];
  if (status) return told(`${name}, lets nothing through to ${host} (HTTP ${status})${times}`);
  return told(`Can't reach ${name.replace('The', 'the')}: ${NETWORK[code]} (${code})${times}`);
}

/** The same, whatever stands between. */
function unanswered(host: string, code: string, times: string, isUnsure: boolean): CloudError {
  if (isCertificateCode(code)) {
    return new CloudError(`The certificate of ${host} can't be trusted (${code})`, {
      reason: 'certificate',
      hint: 'Behind a proxy with a certificate of its own, name that in NODE_EXTRA_CA_CERTS.',
    });
  }
  if (code === 'timeout') {
    return new CloudError(`${host} gave no complete answer in time${times}`, {
      reason: 'timeout',
      isUnsure,
      hint: 'Try again later, or allow more seconds with BOTCLI_HTTP_TIMEOUT.',
    });
  }
  const why = NETWORK[code];
  if (!why) return badAnswer(`${host} doesn't answer as the platform does (${code})`, { isUnsure });
  return new CloudError(`Can't reach ${host}: ${why} (${code})${times}`, {
    reason: 'unreachable',
    isUnsure,
    hint: 'Check the network, and the address in BOTCLI_API_URL, where it is set. A proxy is named in HTTPS_PROXY.',
  });
}

/** The error for an answer that isn't what the platform sends. */
export function badAnswer(message: string, details: { isUnsure?: boolean } = {}): CloudError {
  const hint = 'Check BOTCLI_API_URL, where it is set, and what stands between you and the platform.';
  return new CloudError(message, { reason: 'bad-answer', hint, isUnsure: true, ...details });
}

/** What a status says, for a `what` such as "secret set prod in organization acme". */
interface StatusText {
  reason: ErrorCode;
  message(what: string): string;
  hint?: string;
}

const STATUSES: Readonly<Record<number, StatusText>> = {
  400: { reason: 'refused', message: what => `The platform refused this for ${what}` },
  401: {
    reason: 'unauthorized',
    message: () => "The platform doesn't accept the token",
    hint: 'Log in again: botcli cloud auth login. Where BOTCLI_TOKEN is set, that is the token.',
  },
  403: {
    reason: 'forbidden',
    message: what => `This account has no access to ${what}`,
    hint: 'See your organizations: botcli cloud organizations list',
  },
  404: { reason: 'not-found', message: what => `There is no ${what}` },
  409: {
    reason: 'conflict',
    message: what => `Something else changes ${what} at the same time, or it can't be changed now`,
    hint: 'Try again later.',
  },
  413: { reason: 'refused', message: () => 'This is more than the platform takes' },
  429: { reason: 'rate-limited', message: () => 'Too many requests for the platform', hint: 'Try again later.' },
};

/** What is known of an answer beside its status. */
interface StatusDetails {
  /** The platform's own reason. */
  told: string | undefined;
  isUnsure: boolean;
  /** What to do, where the answer says so. */
  hint?: string | undefined;
}

/** The error for an answer with this status. */
export function statusError(status: number, what: string, { told, isUnsure, hint }: StatusDetails): CloudError {
  const reason = told ? `: ${told}` : ` (HTTP ${status})`;
  const known = STATUSES[status];
  if (known) {
    return new CloudError(known.message(what) + reason, { reason: known.reason, hint: hint ?? known.hint, isUnsure });
  }
  if (status >= 500 || status === 408) {
    const message = `The platform has a problem with ${what} (HTTP ${status})${told ? reason : ''}`;
    return new CloudError(message, { reason: 'platform-problem', hint: hint ?? 'Try again later.', isUnsure: true });
  }
  return new CloudError(`The platform refused this for ${what}${reason}`, { reason: 'refused', hint, isUnsure });
}
