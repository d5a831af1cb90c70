/** The container of WebP, byte by byte as RFC 9649 has it. */
import { expect, test } from 'vitest';
import { animatedWebp, pictureChunk } from './animated-webp.ts';

/** A file with one lossy picture of three bytes, which a filling byte follows. */
const PICTURE = Buffer.from('VP8 \x03\0\0\0abc\0', 'latin1');
const STILL = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBP', 'latin1'), PICTURE]);

test('pictures stand one behind the other with the time that each is shown', () => {
  const file = animatedWebp({ width: 960, height: 600 }, [
    { bytes: STILL, durationMs: 250 },
    { bytes: STILL, durationMs: 1400 },
  ]);
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect(file.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  // The canvas is counted from 0.
  expect([file.readUIntLE(24, 3), file.readUIntLE(27, 3)]).toEqual([959, 599]);
  expect(file.toString('latin1', 30, 34)).toBe('ANIM');
  const frames = [44, 44 + 8 + 16 + PICTURE.length];
  expect(frames.map((at) => file.toString('latin1', at, at + 4))).toEqual(['ANMF', 'ANMF']);
  expect(frames.map((at) => file.readUIntLE(at + 8 + 12, 3))).toEqual([250, 1400]);
  for (const at of frames) expect(file.subarray(at + 24, at + 24 + PICTURE.length)).toEqual(PICTURE);
});

test('a file without a picture is refused', () => {
  expect(() => pictureChunk(Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'))).toThrow(/no WebP file/u);
});
