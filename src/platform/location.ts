import type { Found } from './answers.ts';
import { UNKNOWN } from './cloud-error.ts';

/** Where a secret is stored. The region defaults to the existing set's, or to the organization's for a new set. */
export interface Location {
  organization: string;
  name: string;
  region?: string | undefined;
}

/**
 * An existing name, which may follow other rules than ours. Dots alone are refused: they would change the URL's path.
 */
export const EXISTING_NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,128}$/;
export const NAME_RULE = '1 to 128 letters, digits, hyphens, underscores, or dots (but not only dots)';
export const ORGANIZATION_RULE = `--organization must be the name in the organization's URL: ${NAME_RULE}`;

export const isName = (text: string): boolean => EXISTING_NAME.test(text);

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Whether this is a region's code, which may become part of an address. */
export const isRegion = (text: string): boolean =>
  text !== UNKNOWN && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

/** Where the platform has a secret. */
export const regionOf = (found: Found): string => (found.type === 'secret' ? found.set : found.row).region;

/** The command that lists a secret. It works whichever organization is selected. */
export const listCommand = ({ organization, name }: Location): string =>
  `botcli cloud secrets list ${name} -o ${organization}`;

export const describeLocation = ({ organization, name }: Location): string => `${name} in organization ${organization}`;
