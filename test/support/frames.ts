import { createHash } from 'node:crypto';

// Frames of a server's WebSocket (RFC 6455), for tests that decide what arrives when.

/** A text of less than 126 bytes. */
export const textFrame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

/** The end of a connection, with its code. */
export const goodbyeFrame = (code: number): Buffer => Buffer.from([0x88, 2, code >> 8, code & 0xff]);

/** The answer that opens a WebSocket, to a client's request; or with another key. */
export function acceptance(request: Buffer, other?: string): Buffer {
  const key = /sec-websocket-key: (\S+)/i.exec(request.toString())?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return Buffer.from(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${other ?? accept}\r\n\r\n`,
  );
}
