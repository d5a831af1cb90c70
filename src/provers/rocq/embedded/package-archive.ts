/**
 * Reads single files out of jsCoq's library packages (`.coq-pkg`, ZIP files) where they lie, without unpacking the
 * rest. ZIP: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16. Every file is checked against its CRC.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { QuodError } from '../../../core/errors.ts';

export interface ArchivedFile {
  readonly archive: string;
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;

function damaged(archive: string): QuodError {
  return new QuodError('prover-crashed', `The library package ${archive} is damaged.`, {
    remedy: 'Install jscoq again: npm install jscoq',
  });
}

function readAt(descriptor: number, offset: number, length: number, archive: string): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(descriptor, bytes, 0, length, offset) !== length) throw damaged(archive);
  return bytes;
}

/** The directory of an archive given the bytes at its end (which must hold the directory) and where they begin. */
function parseDirectory(tail: Buffer, tailOffset: number, archive: string): readonly ArchivedFile[] | number {
  let end = tail.length - END_SIZE;
  while (end >= 0 && tail.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw damaged(archive);
  const count = tail.readUInt16LE(end + 10);
  const directoryOffset = tail.readUInt32LE(end + 16);
  let at = directoryOffset - tailOffset;
  if (at < 0) return directoryOffset;
  const files: ArchivedFile[] = [];
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > end || tail.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged(archive);
    const nameLength = tail.readUInt16LE(at + 28);
    files.push({
      archive,
      name: tail.toString('utf8', at + 46, at + 46 + nameLength),
      method: tail.readUInt16LE(at + 10),
      crc: tail.readUInt32LE(at + 16),
      compressedSize: tail.readUInt32LE(at + 20),
      size: tail.readUInt32LE(at + 24),
      offset: tail.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
  }
  return files;
}

/** The files of an archive. @throws QuodError `prover-crashed` when it is not a ZIP file. */
export function listArchive(archive: string): readonly ArchivedFile[] {
  const descriptor = openSync(archive, 'r');
  try {
    const { size } = fstatSync(descriptor);
    let from = Math.max(0, size - END_SIZE - LONGEST_COMMENT);
    for (;;) {
      const files = parseDirectory(readAt(descriptor, from, size - from, archive), from, archive);
      if (typeof files !== 'number') return files;
      if (files >= from) throw damaged(archive);
      from = files;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of one file. @throws QuodError `prover-crashed` when they are not those that the archive promises. */
export function readArchived(file: ArchivedFile): Buffer {
  const descriptor = openSync(file.archive, 'r');
  let bytes: Buffer;
  try {
    const header = readAt(descriptor, file.offset, 30, file.archive);
    if (header.readUInt32LE(0) !== LOCAL_HEADER) throw damaged(file.archive);
    const start = file.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    bytes = readAt(descriptor, start, file.compressedSize, file.archive);
  } finally {
    closeSync(descriptor);
  }
  try {
    if (file.method === 8) bytes = inflateRawSync(bytes);
  } catch {
    throw damaged(file.archive);
  }
  if (bytes.length !== file.size || crc32(bytes) !== file.crc) throw damaged(file.archive);
  return bytes;
}
