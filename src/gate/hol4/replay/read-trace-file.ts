/** Reads the file of a trace, packed with gzip or Zstandard or not at all, up to a limit. */
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { QuodError } from '../../../core/errors.ts';
import { readRegularFile } from '../../../process/foreign-folder/regular-file.ts';

const ZSTANDARD_MAGIC = 0xfd2fb528;
const CHUNK_BYTES = 2 ** 20;

/** The bytes of a file, unpacked. @throws QuodError when it is missing, damaged or larger than `limit`. */
export async function readTraceFile(file: string, limit: number): Promise<Buffer> {
  const tooLarge = (): QuodError =>
    new QuodError('too-large', `The trace is larger than ${limit} bytes.`, {
      place: { file },
      remedy: 'Allow more with --max-bytes.',
    });
  let packed: Buffer;
  try {
    packed = await readRegularFile(file, limit);
  } catch (error) {
    if (error instanceof QuodError) throw error.reason === 'too-large' ? tooLarge() : error;
    throw new QuodError('not-found', 'The trace cannot be read.', { place: { file }, cause: error });
  }
  try {
    return unpack(packed, limit);
  } catch (error) {
    if (error instanceof QuodError) throw error;
    if (error instanceof RangeError) throw tooLarge();
    throw new QuodError('invalid-input', 'The compressed file is damaged.', {
      place: { file },
      cause: error,
    });
  }
}

function unpack(bytes: Buffer, maxOutputLength: number): Buffer {
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZSTANDARD_MAGIC) {
    if (typeof zstdDecompressSync !== 'function') {
      throw new QuodError('unsupported', 'This Node.js cannot read Zstandard.', {
        remedy: 'Use Node.js 22.15 or later, or unpack the file first.',
      });
    }
    return zstdDecompressSync(bytes, { maxOutputLength, chunkSize: CHUNK_BYTES });
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return gunzipSync(bytes, { maxOutputLength, chunkSize: CHUNK_BYTES });
  return bytes;
}
