import { explaining, UserError } from '../errors.ts';
import type { Builds } from '../platform/builds.ts';
import { CloudError } from '../platform/cloud-error.ts';
import { jitter, retryDelay } from '../platform/retry.ts';
import { readArchive } from './context/archive.ts';
import type { Tools } from './job.ts';
import type { Wanted } from './read.ts';
import { size } from './steps.ts';

const UPLOADS = 4;
/** The pauses are those of requests with this limit for an attempt, in milliseconds. */
const ATTEMPT_MS = 20_000;

/** Problems that another upload may not have. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'platform-problem', 'rate-limited']);

/**
 * Uploads the context. Storage may fail, or ask us to wait, and an address is good for one upload, so each try gets its
 * own.
 */
export async function sendContext(
  upload: NonNullable<Wanted['upload']>,
  region: string,
  builds: Builds,
  { cloud, signal, deadline, steps, terminal }: Tools,
): Promise<string> {
  steps.begin('Uploading');
  const content = async function* () {
    let sent = 0;
    for await (const chunk of readArchive(upload.files, upload.hash)) {
      steps.tick(`${size(sent)} of ${size(upload.archiveBytes)}`);
      yield chunk;
      sent += chunk.length;
    }
  };
  for (let number = 1; ; number += 1) {
    const target = await builds.prepareUpload(region).catch(fail);
    try {
      await cloud.upload(target, { bytes: upload.archiveBytes, content }, deadline);
      steps.hear(undefined);
      steps.done(`Uploaded ${size(upload.archiveBytes)}`);
      return target.uploadId;
    } catch (error) {
      const delay = number < UPLOADS ? delayAfter(error, number) : undefined;
      if (!(error instanceof UserError) || delay === undefined || Date.now() + delay > deadline) return fail(error);
      steps.hear(error);
      await terminal.sleep(delay, signal).catch(fail);
    }
  }
}

/** Adds the phase to an error. */
const fail = explaining(error => {
  const facts = { phase: 'upload' };
  if (error.reason !== 'interrupted') return error.withMessage(error.message, { facts });
  return error.withMessage('Interrupted. Nothing was deployed.', { hint: 'Run the same command again.', facts });
});

/** How long to wait until the next try, in milliseconds; undefined if that wouldn't help. */
function delayAfter(error: unknown, number: number): number | undefined {
  if (!(error instanceof CloudError)) return undefined;
  const { reason, retryAfterMs } = error;
  return retryDelay({ isRetriable: PASSING.has(reason), retryAfterMs }, () =>
    jitter(number, ATTEMPT_MS, Math.random()),
  );
}
