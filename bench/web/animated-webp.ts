/**
 * Still pictures in WebP, one behind the other in one file that plays: the container of WebP (RFC 9649) around what
 * the browser has compressed. Each picture has all of the canvas.
 */

export interface StillPicture {
  /** A WebP file with one picture and no transparency. */
  readonly bytes: Buffer;
  readonly durationMs: number;
}

export interface Canvas {
  readonly width: number;
  readonly height: number;
}

const ANIMATED = 0b10;
/** How a picture is put over the one before: in its place, and it stays. */
const REPLACES = 0b10;
/** Played again and again. */
const ENDLESS = 0;

export function animatedWebp({ width, height }: Canvas, pictures: readonly StillPicture[]): Buffer {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const frames = pictures.map(({ bytes, durationMs }) =>
    chunk(
      'ANMF',
      Buffer.concat([
        uint24(0),
        uint24(0),
        size,
        uint24(durationMs),
        Buffer.from([REPLACES]),
        pictureChunk(bytes),
      ]),
    ),
  );
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), size])),
    chunk('ANIM', Buffer.from([0xff, 0xff, 0xff, 0xff, ENDLESS, 0])),
    ...frames,
  ]);
  return chunk('RIFF', body);
}

/** The chunk with the picture itself: lossy (`VP8 `) or lossless (`VP8L`). @throws Error when there is none. */
export function pictureChunk(file: Buffer): Buffer {
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const end = at + 8 + padded(file.readUInt32LE(at + 4));
    if (name === 'VP8 ' || name === 'VP8L') return file.subarray(at, end);
    at = end;
  }
  throw new Error('This is no WebP file with a picture.');
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8, name, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(padded(body.length) - body.length)]);
}

/** Chunks begin at even places. */
function padded(length: number): number {
  return length + (length % 2);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
