// Frames of a server's WebSocket (RFC 6455), for tests that decide what arrives when.

/** A text of less than 126 bytes. */
export const textFrame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

/** The end of a connection, with its code. */
export const goodbyeFrame = (code: number): Buffer => Buffer.from([0x88, 2, code >> 8, code & 0xff]);
