import { UserError } from '../errors.ts';
import type { Builds } from '../platform/builds.ts';
import type { Cloud } from '../platform/cloud.ts';
import { CloudError } from '../platform/cloud-error.ts';
import { readArchive } from './context/archive.ts';
import type { Upload } from './read.ts';
import { type Steps, size } from './steps.ts';

const UPLOADS = 3;

/** Uploads the context. Storage may fail, and an address is good for one upload, so each try gets its own. */
export async function sendContext(
  upload: Upload,
  region: string,
  cloud: Cloud,
  builds: Builds,
  steps: Steps,
): Promise<string> {
  steps.begin('Uploading');
  const file = { bytes: upload.archiveBytes, content: () => readArchive(upload.files, upload.hash) };
  for (let number = 1; ; number += 1) {
    const target = await builds.prepareUpload(region);
    steps.tick();
    try {
      await cloud.upload(target, file);
      steps.done(`Uploaded ${size(upload.archiveBytes)}`);
      return target.uploadId;
    } catch (error) {
      const mayPass =
        error instanceof CloudError && ['unreachable', 'timeout', 'platform-problem'].includes(error.reason);
      if (number < UPLOADS && mayPass) continue;
      if (!(error instanceof UserError)) throw error;
      throw error.withMessage(error.message, { facts: { phase: 'upload' } });
    }
  }
}
