/** What we say for a status or a region that the platform doesn't name. */
export const UNKNOWN = 'unknown';

export const describeStatus = (status: string): string =>
  status === UNKNOWN ? 'Its status is unknown.' : `It is ${status}.`;
