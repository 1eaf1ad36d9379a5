/** Where a secret goes. Without a region, it's the set's own, or the organization's default for a new one. */
export interface Location {
  organization: string;
  name: string;
  region?: string | undefined;
}

/** A name of something that exists, which may have been made by other rules than ours. Dots alone lead out of a path. */
export const EXISTING_NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,128}$/;

export const isName = (text: string): boolean => EXISTING_NAME.test(text);

/** The command that shows what is there, wherever it's typed. */
export const listCommand = ({ organization, name }: Location): string =>
  `botcli cloud secrets list ${name} -o ${organization}`;

export const describeLocation = ({ organization, name }: Location): string => `${name} in organization ${organization}`;
