import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { explainSystemError, isSystemError, UserError } from '../../errors.ts';
import { onOneLine } from '../../text.ts';
import type { Context } from './context.ts';

/** The largest block that gzip can store without compression. */
const LARGEST_BLOCK = 0xffff;
const BLOCK_HEADER = 5;
/** gzip, deflate, no flags, no time, no name; level and system unknown. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const GZIP_END = 8;
/** The most bytes of the archive at once: 4 blocks, and what is around them. */
const CHUNK = GZIP_HEADER.length + 4 * (BLOCK_HEADER + LARGEST_BLOCK) + GZIP_END;

/** The size of the archive of these files. */
export function archiveBytes(files: Context['files']): number {
  const bytes = tarBytes(files);
  return GZIP_HEADER.length + bytes + BLOCK_HEADER * Math.ceil(bytes / LARGEST_BLOCK) + GZIP_END;
}

/**
 * The hash by which the platform knows the archive of these files: the first 16 hex digits of its MD5.
 *
 * @throws {UserError} A file can't be read, or has changed since it was found. Exit code 1.
 */
export async function hashArchive(files: Context['files'], signal?: AbortSignal): Promise<string> {
  const hash = createHash('md5');
  let chunks = 0;
  for (const chunk of archive(files, 'while botcli read them')) {
    hash.update(chunk);
    chunks += 1;
    // Lets a signal and a line of progress through.
    if (chunks % 8 === 0) await setImmediate();
    signal?.throwIfAborted();
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The archive of these files, in chunks of about 256 KiB, read again. If it isn't the one with this hash, its end is
 * missing.
 *
 * @throws {UserError} The files have changed meanwhile, or one can't be read. Exit code 1.
 */
export async function* readArchive(files: Context['files'], expected: string): AsyncGenerator<Buffer> {
  const hash = createHash('md5');
  let last: Buffer | undefined;
  for (const chunk of archive(files, 'during the upload')) {
    hash.update(chunk);
    if (last) yield last;
    last = Buffer.from(chunk);
  }
  if (hash.digest('hex').slice(0, 16) !== expected) {
    throw new UserError('Files changed during the upload. Run it again.', { reason: 'context' });
  }
  if (last) yield last;
}

type When = 'while botcli read them' | 'during the upload';

/**
 * A gzip file with the tar in stored blocks: its bytes depend on nothing but the files. Each chunk is only valid until the
 * next one.
 */
function* archive(files: Context['files'], when: When): Generator<Buffer> {
  const total = tarBytes(files);
  const chunk = Buffer.allocUnsafe(CHUNK);
  let at = GZIP_HEADER.copy(chunk);
  // What isn't in a block yet, and what the current block still takes.
  let [left, room, sum] = [total, 0, 0];
  for (const piece of tar(files, when)) {
    sum = crc32(piece, sum);
    for (let from = 0; from < piece.length; ) {
      if (room === 0) {
        if (at + BLOCK_HEADER + LARGEST_BLOCK > CHUNK - GZIP_END) {
          yield chunk.subarray(0, at);
          at = 0;
        }
        room = Math.min(left, LARGEST_BLOCK);
        left -= room;
        at = chunk.writeUInt8(left === 0 ? 1 : 0, at);
        at = chunk.writeUInt16LE(room, at);
        at = chunk.writeUInt16LE(LARGEST_BLOCK - room, at);
      }
      const copied = piece.copy(chunk, at, from, from + room);
      at += copied;
      room -= copied;
      from += copied;
    }
  }
  at = chunk.writeUInt32LE(sum, at);
  at = chunk.writeUInt32LE(total, at);
  yield chunk.subarray(0, at);
}

/** The pieces of the tar. Each is only valid until the next one. */
function* tar(files: Context['files'], when: When): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(2 ** 16);
  let bytes = 0;
  for (const file of files) {
    const pieces = [tarHeader(file), tarPadding(file.bytes)] as const;
    yield pieces[0];
    yield* contents(file, buffer, when);
    yield pieces[1];
    bytes += pieces[0].length + file.bytes + pieces[1].length;
  }
  yield tarEnd(bytes);
}

/** The contents of a file, if it is still a file of that size. */
function* contents({ name, path, bytes }: Context['files'][number], buffer: Buffer, when: When): Generator<Buffer> {
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
const ZEROS = Buffer.alloc(RECORD + 2 * BLOCK);

/** The blocks before a file's contents. Its owner and time are 0. */
function tarHeader({ name, bytes, isExecutable }: Context['files'][number]): Buffer {
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
const tarPadding = (bytes: number): Buffer => ZEROS.subarray(0, inBlocks(bytes) - bytes);

/** The zeros at the end of an archive that has this many bytes so far. */
function tarEnd(bytes: number): Buffer {
  const end = bytes + 2 * BLOCK;
  return ZEROS.subarray(0, Math.ceil(end / RECORD) * RECORD - bytes);
}

/** The size of an archive. */
function tarBytes(entries: Context['files']): number {
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
