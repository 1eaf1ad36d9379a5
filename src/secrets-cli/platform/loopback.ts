/** Whether an address is this machine's own. */
export const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
