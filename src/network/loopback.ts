/** Whether an address refers to this machine. */
export const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
