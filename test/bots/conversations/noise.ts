import { expect } from '../expect.ts';
import { runScript } from '../talk.ts';

/** The filters that the bot creates on this machine and in the cloud. */
interface Filters {
  local: string;
  cloud: string;
  /** How many samples the cloud's filter returned, and how many of them the SDK processed. */
  samples: number;
  filtered: number;
}

/** Checks that there is no filter on this machine. In the cloud, it's the framework's, with the cloud image's SDK. */
export async function filterNoise(server: string): Promise<string> {
  const { local, cloud, samples, filtered } = await runScript<Filters>(server, 'noise_filter.py', []);
  expect(local === 'NoneType', `here the filter is ${local}`);
  expect(cloud === 'KrispVivaFilter', `in the cloud the filter is ${cloud}`);
  expect(samples > 0 && filtered === samples, `${filtered} of ${samples} samples were filtered`);
  return `none here; ${cloud} on a stand-in of its SDK in the cloud`;
}
