import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { explainSystemError, isSystemError, UserError } from '../../errors.ts';
import { onOneLine } from '../../text.ts';
import type { Context } from './context.ts';

type Files = Context['files'];

/** The largest block that gzip can store. */
const LARGEST_BLOCK = 0xffff;
const BLOCK_HEADER = 5;
/** gzip, deflate, no flags, no time, no name; level and system unknown. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const GZIP_END = 8;

/**
 * The archive of these files: its size, the hash by which the platform knows it (the first 16 hex digits of its MD5),
 * and its content in chunks of 64 KiB, each of which is only valid until the next one.
 */
export async function archiveOf(files: Files) {
  const headers = files.map(tarHeader);
  const used = files.reduce((sum, { bytes }, at) => sum + (headers[at]?.length ?? 0) + padded(bytes), 0);
  const tarBytes = Math.ceil((used + 2 * BLOCK) / RECORD) * RECORD;
  function* tar(when: string): Generator<Buffer> {
    const buffer = Buffer.allocUnsafe(2 ** 16);
    for (const [at, file] of files.entries()) {
      yield headers[at] as Buffer;
      yield* contents(file, buffer, when);
      yield Buffer.alloc(padded(file.bytes) - file.bytes);
    }
    yield Buffer.alloc(tarBytes - used);
  }
  const md5 = createHash('md5');
  let chunks = 0;
  for (const chunk of gzip(tar('while botcli read them'), tarBytes)) {
    md5.update(chunk);
    chunks += 1;
    // Lets a signal and a line of progress through.
    if (chunks % 32 === 0) await setImmediate();
  }
  const hash = md5.digest('hex').slice(0, 16);
  /** Reads the files again. If they have changed, the end is missing. */
  function* content(): Generator<Buffer> {
    const again = createHash('md5');
    let last: Buffer | undefined;
    for (const chunk of gzip(tar('during the upload'), tarBytes)) {
      again.update(chunk);
      if (last) yield last;
      last = Buffer.from(chunk);
    }
    if (again.digest('hex').slice(0, 16) !== hash)
      throw new UserError('Files changed during the upload. Run it again.', { reason: 'context' });
    if (last) yield last;
  }
  const blocks = Math.ceil(tarBytes / LARGEST_BLOCK);
  return { bytes: GZIP_HEADER.length + tarBytes + BLOCK_HEADER * blocks + GZIP_END, hash, content };
}

/** A gzip file with these pieces of `total` bytes in stored blocks. */
function* gzip(pieces: Iterable<Buffer>, total: number): Generator<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK_HEADER + LARGEST_BLOCK);
  let [at, left, sum] = [BLOCK_HEADER, total, 0];
  yield GZIP_HEADER;
  for (const piece of pieces) {
    sum = crc32(piece, sum);
    for (let from = 0; from < piece.length; ) {
      const copied = piece.copy(block, at, from);
      at += copied;
      from += copied;
      left -= copied;
      if (at < block.length && left > 0) continue;
      block.writeUInt8(left === 0 ? 1 : 0);
      block.writeUInt16LE(at - BLOCK_HEADER, 1);
      block.writeUInt16LE(LARGEST_BLOCK - (at - BLOCK_HEADER), 3);
      yield block.subarray(0, at);
      at = BLOCK_HEADER;
    }
  }
  const end = Buffer.alloc(GZIP_END);
  end.writeUInt32LE(sum);
  end.writeUInt32LE(total, 4);
  yield end;
}

/** The contents of a file, if it is still a file of that size. */
function* contents({ name, path, bytes }: Files[number], buffer: Buffer, when: string): Generator<Buffer> {
  const changed = (cause?: unknown) =>
    new UserError(`Files changed ${when}. Run it again.`, { reason: 'context', cause });
  let handle: number | undefined;
  try {
    // What has become a link or a pipe meanwhile isn't followed or waited for.
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size !== bytes) throw changed();
    for (let left = bytes; left > 0; ) {
      const read = readSync(handle, buffer, 0, Math.min(left, buffer.length), null);
      if (read === 0) throw changed();
      yield buffer.subarray(0, read);
      left -= read;
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(error.code)) throw changed(error);
    const message = `${onOneLine(name)} can't be read: ${explainSystemError(error)}.`;
    throw new UserError(message, { reason: 'context', cause: error });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * The format of the platform's client: what Python's `tarfile` writes by default. A ustar header before each file, and
 * before that a pax record, if its path is longer than 100 bytes or isn't ASCII.
 */

const BLOCK = 512;
/** The whole archive is a multiple of this. */
const RECORD = 20 * BLOCK;
const LONGEST_NAME = 100;

/** The blocks before a file's contents. Its owner and time are 0. */
function tarHeader({ name, bytes, isExecutable }: Files[number]): Buffer {
  const header = ustar(name, isExecutable ? 0o755 : 0o644, bytes, '0');
  if (name.length <= LONGEST_NAME && /^[\0-\x7f]*$/.test(name)) return header;
  const record = paxRecord('path', name);
  const padding = Buffer.alloc(padded(record.length) - record.length);
  return Buffer.concat([ustar('././@PaxHeader', 0, record.length, 'x'), record, padding, header]);
}

/** The size of contents with the zeros after them. */
const padded = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** A header block. The size has 11 octal digits, which is enough for 8 GiB. */
function ustar(name: string, mode: number, bytes: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  // Readers take the path from the pax record, if there is one.
  block.write(name.replace(/[^\0-\x7f]/gu, '?').slice(0, LONGEST_NAME), 'latin1');
  block.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(bytes, 11) + octal(0, 11), LONGEST_NAME);
  block.write(`        ${type}`, 148);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((one, other) => one + other, 0);
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
