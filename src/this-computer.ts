/** Whether nobody on the network can read what is sent to an address. */
export const isSafe = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether an address refers to this machine. */
export const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);

/** Names that only this computer knows, or its network: of itself, of a container's host, and of a neighbor. */
const NAMES = String.raw`(?:[\w.-]+\.)?localhost|[\w.-]+\.(?:docker|containers|orb|lima)\.internal|[\w-]+\.local`;
/** The addresses of this computer, and those for private networks. */
const ADDRESSES = String.raw`(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|0\.0\.0\.0|\[::1?\]`;
const LOCAL = new RegExp(
  String.raw`^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/]*@)?(?:${NAMES}|${ADDRESSES})(?::\d+)?(?:[/?#]|$)`,
  'i',
);

/** Whether a value is an address of this computer or its network, with or without a scheme. */
export const isLocalAddress = (value: string): boolean => LOCAL.test(value);

/** What is wrong with such an address as the value of a variable in the cloud. */
export const describeLocal = (name: string): string =>
  `${name} points to this computer or its network, which the cloud can't reach`;

/** A warning for each secret with such an address. It never has the value. */
export const warnAboutLocal = (secrets: readonly { key: string; value: string }[]): string[] =>
  secrets.filter(({ value }) => isLocalAddress(value)).map(({ key }) => `${describeLocal(key)}.`);
