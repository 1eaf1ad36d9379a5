import type { Context } from './context.ts';

/**
 * The format of the platform's client: what Python's `tarfile` writes by default. A ustar header before each file, and
 * before that a pax record, if its path is longer than 100 bytes or isn't ASCII.
 */

const BLOCK = 512;
/** The whole archive is a multiple of this. */
const RECORD = 20 * BLOCK;
const LONGEST_NAME = 100;
const ZEROS = Buffer.alloc(RECORD + 2 * BLOCK);

/** The blocks before a file's contents. Its owner and time are 0. */
export function tarHeader({ name, bytes, isExecutable }: Context['files'][number]): Buffer {
  const header = ustar(name, isExecutable ? 0o755 : 0o644, bytes, '0');
  if (isPlain(name)) return header;
  const record = paxRecord('path', name);
  return Buffer.concat([ustar('././@PaxHeader', 0, record.length, 'x'), record, tarPadding(record.length), header]);
}

const headerBytes = ({ name }: Context['files'][number]): number =>
  isPlain(name) ? BLOCK : 2 * BLOCK + inBlocks(paxRecord('path', name).length);

const isPlain = (name: string): boolean => name.length <= LONGEST_NAME && /^[\0-\x7f]*$/.test(name);

const inBlocks = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** The zeros after contents of this many bytes. */
export const tarPadding = (bytes: number): Buffer => ZEROS.subarray(0, inBlocks(bytes) - bytes);

/** The zeros at the end of an archive that has this many bytes so far. */
export function tarEnd(bytes: number): Buffer {
  const end = bytes + 2 * BLOCK;
  return ZEROS.subarray(0, Math.ceil(end / RECORD) * RECORD - bytes);
}

/** The size of an archive. */
export function tarBytes(entries: Context['files']): number {
  const bytes = entries.reduce((sum, entry) => sum + headerBytes(entry) + inBlocks(entry.bytes), 0);
  return bytes + tarEnd(bytes).length;
}

/** A header block. The size has 11 octal digits, which is enough for 8 GiB. */
function ustar(name: string, mode: number, bytes: number, type: string): Buffer {
  const block = Buffer.allocUnsafe(BLOCK).fill(0);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  // Readers take the path from the pax record, if there is one.
  block.write(
    [...name]
      .map(one => (one > '\x7f' ? '?' : one))
      .join('')
      .slice(0, LONGEST_NAME),
    'latin1',
  );
  block.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(bytes, 11) + octal(0, 11), LONGEST_NAME);
  block.write(`        ${type}`, 148);
  block.write('ustar\x0000', 257);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(octal(sum, 6), 148);
  return block;
}

/** `30 path=…`, with its own length in front. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
