// The frames of WebSocket connections (RFC 6455), as far as text needs them.

/** What a frame is. */
export const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export type Opcode = (typeof OPCODES)[keyof typeof OPCODES];

/** A frame, or a message of several frames put together. */
export interface Frame {
  opcode: number;
  payload: Buffer;
}

/** The largest message to take, in bytes. */
const LARGEST = 2 ** 20;

/**
 * A frame that is a whole message.
 *
 * @param mask Four random bytes, which a client has to use; undefined for a server.
 */
export function encodeFrame(opcode: Opcode, payload: Buffer, mask?: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 2 ** 16 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = (mask ? 0x80 : 0) | (length < 126 ? length : length < 2 ** 16 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return mask ? Buffer.concat([head, mask, masked(payload, mask)]) : Buffer.concat([head, payload]);
}

const masked = (payload: Buffer, mask: Buffer): Buffer =>
  Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] as number)));

/** Reads frames from the pieces in which they arrive, and puts those of a message together. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);
  private parts: Buffer[] = [];
  private opcode: number | undefined;

  /**
   * The messages that this piece completes.
   *
   * @throws {RangeError} The other side doesn't follow the protocol, or sends too much.
   */
  push(piece: Buffer): Frame[] {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, piece]) : piece;
    const messages: Frame[] = [];
    for (let frame = this.take(); frame; frame = this.take()) {
      const message = this.assemble(frame);
      if (message) messages.push(message);
    }
    return messages;
  }

  private take(): (Frame & { isLast: boolean }) | undefined {
    const { rest } = this;
    if (rest.length < 2) return undefined;
    const [first, second] = [rest.readUInt8(0), rest.readUInt8(1)];
    if ((first & 0x70) !== 0) throw new RangeError('an extension that nobody asked for');
    const short = second & 0x7f;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    const bodyAt = start + (second & 0x80 ? 4 : 0);
    if (rest.length < bodyAt) return undefined;
    const long = start === 10 ? Number(rest.readBigUInt64BE(2)) : 0;
    const length = start === 2 ? short : start === 4 ? rest.readUInt16BE(2) : long;
    if (length > LARGEST) throw new RangeError('a message of over 1 MiB');
    if (rest.length < bodyAt + length) return undefined;
    const body = rest.subarray(bodyAt, bodyAt + length);
    this.rest = rest.subarray(bodyAt + length);
    const payload = bodyAt > start ? masked(body, rest.subarray(start, bodyAt)) : Buffer.from(body);
    return { opcode: first & 0x0f, payload, isLast: (first & 0x80) !== 0 };
  }

  private assemble({ opcode, payload, isLast }: Frame & { isLast: boolean }): Frame | undefined {
    // Control frames may come between the parts of a message.
    if (opcode >= OPCODES.close) return { opcode, payload };
    if ((opcode === OPCODES.more) === (this.opcode === undefined)) throw new RangeError('parts in the wrong order');
    this.opcode ??= opcode;
    this.parts.push(payload);
    if (this.parts.reduce((sum, { length }) => sum + length, 0) > LARGEST)
      throw new RangeError('a message of over 1 MiB');
    if (!isLast) return undefined;
    const message = { opcode: this.opcode, payload: Buffer.concat(this.parts) };
    this.parts = [];
    this.opcode = undefined;
    return message;
  }
}
