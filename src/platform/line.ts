import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { parsedJson } from '../json.ts';
import { encodeFrame, type Frame, FrameReader, OPCODES, type Opcode } from './frames.ts';

/** How long to wait for the other side to agree to the end, in milliseconds. */
const GOODBYE_MS = 2000;

/** An open connection to the platform's gateway for phone providers, over a socket that speaks WebSocket already. */
export class Line {
  /** Settles once the connection has ended, with the code of its end, if it has one. */
  readonly ended: Promise<number | undefined>;
  private readonly socket: Duplex;
  private readonly onMessage: (message: unknown) => void;
  private code: number | undefined;

  constructor(socket: Duplex, head: Buffer, onMessage: (message: unknown) => void) {
    this.socket = socket;
    this.onMessage = onMessage;
    this.ended = new Promise(resolve => socket.once('close', () => resolve(this.code)));
    const reader = new FrameReader();
    const take = (piece: Buffer) => {
      try {
        for (const frame of reader.push(piece)) this.take(frame);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        socket.destroy();
      }
    };
    // A lost connection is an end, like any other.
    socket.on('error', () => socket.destroy());
    socket.on('data', take);
    if (head.length > 0) take(head);
  }

  send(message: object): void {
    this.write(OPCODES.text, Buffer.from(JSON.stringify(message)));
  }

  /** Ends the connection, and waits a moment for the other side to agree. */
  async close(): Promise<void> {
    this.write(OPCODES.close, Buffer.from([0x03, 0xe8]));
    const timer = setTimeout(() => this.socket.destroy(), GOODBYE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private write(opcode: Opcode, payload: Buffer): void {
    if (!this.socket.writable) return;
    this.socket.write(encodeFrame(opcode, payload, randomBytes(4)));
  }

  private take({ opcode, payload }: Frame): void {
    if (opcode === OPCODES.ping) this.write(OPCODES.pong, payload);
    if (opcode === OPCODES.text) this.onMessage(parsedJson(payload.toString('utf8')));
    if (opcode !== OPCODES.close) return;
    this.code = payload.length >= 2 ? payload.readUInt16BE(0) : undefined;
    this.write(OPCODES.close, payload.subarray(0, 2));
    this.socket.end(() => this.socket.destroy());
  }
}
