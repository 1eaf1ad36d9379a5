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

export function archiveBytes(files: Files): number {
  const bytes = tarBytes(files);
  return GZIP_HEADER.length + bytes + BLOCK_HEADER * Math.ceil(bytes / LARGEST_BLOCK) + GZIP_END;
}

/** The hash by which the platform knows the archive of these files: the first 16 hex digits of its MD5. */
export async function hashArchive(files: Files, signal?: AbortSignal): Promise<string> {
  const hash = createHash('md5');
  let chunks = 0;
  for (const chunk of archive(files, 'while botcli read them')) {
    hash.update(chunk);
    chunks += 1;
    // Lets a signal and a line of progress through.
    if (chunks % 32 === 0) await setImmediate();
    signal?.throwIfAborted();
  }
  return hash.digest('hex').slice(0, 16);
}

/** The archive of these files, read again, in chunks of 64 KiB. If its hash is another one, its end is missing. */
export async function* readArchive(files: Files, expected: string): AsyncGenerator<Buffer> {
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

/** A gzip file with the tar in stored blocks. Each chunk is only valid until the next one. */
function* archive(files: Files, when: string): Generator<Buffer> {
  const total = tarBytes(files);
  const block = Buffer.allocUnsafe(BLOCK_HEADER + LARGEST_BLOCK);
  let [at, left, sum] = [BLOCK_HEADER, total, 0];
  yield GZIP_HEADER;
  for (const piece of tar(files, when)) {
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

/** The pieces of the tar. Each is only valid until the next one. */
function* tar(files: Files, when: string): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(2 ** 16);
  for (const file of files) {
    yield tarHeader(file);
    yield* contents(file, buffer, when);
    yield tarPadding(file.bytes);
  }
  yield tarEnd(files);
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
  return Buffer.concat([ustar('././@PaxHeader', 0, record.length, 'x'), record, tarPadding(record.length), header]);
}

/** The zeros after contents of this many bytes. */
const tarPadding = (bytes: number): Buffer => Buffer.alloc(Math.ceil(bytes / BLOCK) * BLOCK - bytes);

const bytesOfAll = (files: Files): number =>
  files.reduce((sum, file) => sum + tarHeader(file).length + Math.ceil(file.bytes / BLOCK) * BLOCK, 0);

const tarBytes = (files: Files): number => Math.ceil((bytesOfAll(files) + 2 * BLOCK) / RECORD) * RECORD;

const tarEnd = (files: Files): Buffer => Buffer.alloc(tarBytes(files) - bytesOfAll(files));

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
