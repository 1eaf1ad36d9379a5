import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import axios, { type AxiosResponse } from 'axios';
import { plainRequest, proxyFor } from '../network/requests.ts';
import { isLoopback, isSafe } from '../this-computer.ts';
import type { Answer } from './answers.ts';
import { badAnswer, CloudError, unreachable } from './errors.ts';
import { codeOf, type HttpOptions, isRetriable, readRetryAfter } from './http.ts';

interface Upload {
  bytes: number;
  /** The content, from the start. It may throw: then nothing complete was sent, and that error is thrown. */
  content(): AsyncIterable<Uint8Array>;
}

/** Only if the API's address is on loopback may the upload's be, too. */
interface UploadOptions extends Pick<HttpOptions, 'apiUrl' | 'userAgent' | 'signal'> {
  /** When to give up, as in `Date.now()`. */
  deadline: number;
}

/** How long nothing may move, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Uploads a build context, without the token. The address and the fields are never shown. After a `CloudError` with the
 * reason `unreachable`, `timeout`, `platform-problem` or `rate-limited`, another address may help. Also throws the
 * reason of `signal`, or the error of the content.
 */
export async function upload(
  { uploadUrl, uploadFields, expiresAt }: Answer<'upload'>,
  file: Upload,
  { apiUrl, userAgent, signal, deadline }: UploadOptions,
): Promise<void> {
  checkAddress(uploadUrl, apiUrl);
  const boundary = `botcli-${randomUUID()}`;
  const { head, tail } = formAround(uploadFields, boundary);
  let problem: unknown;
  let moved = Date.now();
  async function* body() {
    yield head;
    try {
      for await (const chunk of file.content()) {
        moved = Date.now();
        yield chunk;
      }
    } catch (error) {
      problem = error;
      throw error;
    }
    yield tail;
  }
  const late = new AbortController();
  const end = Math.min(deadline, Date.parse(expiresAt ?? '') || Date.now() + 15 * 60_000);
  const watch = setInterval(() => {
    if (Date.now() > end || Date.now() - moved > IDLE_MS) late.abort();
  }, 1000);
  const proxy = proxyFor(uploadUrl);
  try {
    const reply = await axios.request<string>({
      ...plainRequest(proxy),
      method: 'POST',
      url: uploadUrl,
      data: Readable.from(body(), { objectMode: false, highWaterMark: 2 ** 18 }),
      headers: {
        'User-Agent': userAgent,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': head.length + file.bytes + tail.length,
      },
      maxBodyLength: Number.POSITIVE_INFINITY,
      maxContentLength: 2 ** 20,
      signal: AbortSignal.any([signal, late.signal]),
    });
    if (![200, 201, 204].includes(reply.status)) throw refused(reply);
  } catch (error) {
    signal.throwIfAborted();
    if (problem !== undefined) throw problem;
    if (error instanceof CloudError) throw error;
    const code = late.signal.aborted ? 'timeout' : codeOf(error);
    throw unreachable(new URL(uploadUrl).host, code, { proxy });
  } finally {
    clearInterval(watch);
  }
}

function checkAddress(uploadUrl: string, apiUrl: string): void {
  const address = URL.canParse(uploadUrl) ? new URL(uploadUrl) : undefined;
  const isForeign = (url: URL) => isLoopback(url) && !isLoopback(new URL(apiUrl));
  if (!address || !isSafe(address) || isForeign(address)) {
    throw badAnswer('The platform sent an address for the upload that is not https', { isUnsure: false });
  }
}

/** The form before and after the file. The fields keep their order: the storage insists on it. */
function formAround(fields: Readonly<Record<string, string>>, boundary: string): { head: Buffer; tail: Buffer } {
  const entries = Object.entries(fields);
  if (!Object.hasOwn(fields, 'Content-Type')) entries.push(['Content-Type', 'application/gzip']);
  const quoted = (name: string) => name.replace(/["\r\n]/g, character => encodeURIComponent(character));
  const parts = entries.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const file =
    'Content-Disposition: form-data; name="file"; filename="context.tar.gz"\r\nContent-Type: application/gzip';
  return {
    head: Buffer.from(`${parts.join('')}--${boundary}\r\n${file}\r\n\r\n`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** The storage answers in XML. Only its code is shown: the rest quotes the request. */
function refused({ status, data, headers }: AxiosResponse<string>): CloudError {
  const code = /<Code>([A-Za-z]{3,60})<\/Code>/.exec(data)?.[1];
  // S3 says so, with a status of 400, if it waited too long for the next bytes.
  const mayPass = isRetriable(status) || code === 'RequestTimeout';
  const facts = [`HTTP ${status}`, ...(code ? [code] : [])].join(', ');
  return new CloudError(`The cloud's storage rejected the upload (${facts})`, {
    reason: status === 429 ? 'rate-limited' : mayPass ? 'platform-problem' : 'refused',
    hint: 'Run the same command again. Nothing was deployed.',
    status,
    retryAfterMs: readRetryAfter(String(headers['retry-after'] ?? ''), Date.now()),
  });
}
