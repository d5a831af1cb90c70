import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedFrames, recordedStream } from '../testing/recordings.ts';
import { FrameReader, encodeCommand } from './frames.ts';

function framesOf(bytes: Uint8Array, cuts: readonly number[], keep?: number): readonly string[] {
  const reader = new FrameReader(keep);
  const frames: string[] = [];
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    frames.push(...reader.push(bytes.subarray(at, cut)).map(({ text }) => text));
    at = cut;
  }
  return [...frames, reader.rest().text];
}

describe('the frames of hol --zero', () => {
  const small = Buffer.concat(
    recordedFrames().map(({ answer }) => Buffer.concat([answer, Buffer.from([0])])),
  );
  const answers = recordedFrames().map(({ answer }) => answer.toString('utf8'));

  it('are read from a recording', () => {
    expect(answers.length).toBeGreaterThan(25);
    expect(framesOf(small, [])).toEqual([...answers, '']);
  });

  it('are the same when the bytes are cut in two at any place', () => {
    for (let cut = 0; cut <= small.length; cut += 1) expect(framesOf(small, [cut])).toEqual([...answers, '']);
  });

  it('are the same when every byte comes alone, or at 10,000 random places', () => {
    const large = recordedStream();
    const whole = framesOf(large, []);
    expect(whole.length).toBeGreaterThan(40);
    expect(framesOf(large, Array.from(large.keys()))).toEqual(whole);
    let checked = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(large.length), { minLength: 100, maxLength: 100 }), (places) => {
        const cuts = places.toSorted((left, right) => left - right);
        checked += cuts.length;
        expect(framesOf(large, cuts)).toEqual(whole);
      }),
      { numRuns: 100 },
    );
    expect(checked).toBeGreaterThanOrEqual(10_000);
  });

  it('keep the beginning and the end of a flood, and count what is dropped', () => {
    fc.assert(
      fc.property(
        fc.nat(3000),
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.nat(3000), { maxLength: 30 }),
        (size, keep, places) => {
          const bytes = Buffer.from(Array.from({ length: size }, (_, index) => 65 + (index % 26)));
          const cuts = places.map((place) => Math.min(place, size)).toSorted((left, right) => left - right);
          const reader = new FrameReader(keep);
          let at = 0;
          for (const cut of [...cuts, size]) {
            reader.push(bytes.subarray(at, cut));
            at = cut;
          }
          const [frame] = reader.push(Buffer.from([0]));
          const dropped = Math.max(0, size - 2 * keep);
          expect(frame?.droppedBytes).toBe(dropped);
          const text = bytes.toString();
          if (dropped === 0) expect(frame?.text).toBe(text);
          else {
            expect(frame?.text.startsWith(text.slice(0, keep))).toBe(true);
            expect(frame?.text.endsWith(text.slice(size - keep))).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('end a command with the null byte that HOL waits for', () => {
    expect(encodeCommand('“é”')).toEqual(Buffer.from('“é”\0'));
  });
});
