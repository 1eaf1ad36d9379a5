import { expect } from '../expect.ts';
import { runScript } from '../talk.ts';

/** The filter that the bot makes here, and the one that it makes in the cloud. */
interface Filters {
  local: string;
  cloud: string;
  /** How many samples came out of the cloud's, and how many of them through the SDK. */
  samples: number;
  filtered: number;
}

/** Here there's no filter; in the cloud it's the framework's, on an SDK which only the cloud's image has. */
export async function filterNoise(server: string): Promise<string> {
  const { local, cloud, samples, filtered } = await runScript<Filters>(server, 'noise_filter.py', []);
  expect(local === 'NoneType', `here the filter is ${local}`);
  expect(cloud === 'KrispVivaFilter', `in the cloud the filter is ${cloud}`);
  expect(samples > 0 && filtered === samples, `${filtered} of ${samples} samples were filtered`);
  return `none here; ${cloud} on a stand-in of its SDK in the cloud`;
}
