import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputOf, recordingNames } from '../testing/recordings.ts';
import { type FstarMessage, MessageReader } from './messages.ts';

function readAll(pieces: readonly Uint8Array[], longest?: number): readonly FstarMessage[] {
  const reader = new MessageReader(longest);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.finish()];
}

describe('the output of recorded F*s', () => {
  const names = recordingNames();

  it.each(names)('%s is read completely, and as messages of the protocol', (name) => {
    const bytes = outputOf(name);
    const messages = readAll([bytes]);
    expect(messages).toHaveLength(bytes.toString().split('\n').length - 1);
    expect(messages.filter(({ kind }) => kind === 'noise' || kind === 'overlong')).toEqual([]);
    expect(messages[0]?.kind).toBe('protocol-info');
  });

  it.each(names.filter((name) => outputOf(name).length < 5000))(
    '%s is the same cut at every byte',
    (name) => {
      const bytes = outputOf(name);
      const whole = readAll([bytes]);
      for (let place = 0; place <= bytes.length; place += 1) {
        expect(readAll([bytes.subarray(0, place), bytes.subarray(place)])).toEqual(whole);
      }
      expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    },
  );

  it.each(names)('%s is the same cut at random places, 10,000 of them', (name) => {
    const bytes = outputOf(name);
    const whole = readAll([bytes]);
    const runs = 50;
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { minLength: 200, maxLength: 200 }), (places) => {
        const sorted = [0, ...places.sort((one, other) => one - other), bytes.length];
        const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
        expect(readAll(pieces)).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });
});

describe('what is no message', () => {
  it('is handed on as noise, whatever it is, and what follows is read', () => {
    const hello = '{"kind":"protocol-info","version":3,"features":[]}';
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = text.replaceAll('\n', ' ');
        const messages = readAll([Buffer.from(`${line}\n${hello}\n`)]);
        expect(messages.at(-1)).toEqual({ kind: 'protocol-info', version: 3, features: [] });
        expect(messages.length).toBe(Buffer.from(line).toString().trim() === '' ? 1 : 2);
      }),
    );
  });

  it.each([
    '{"kind":"response","query-id":1,"status":"success"}',
    '{"kind":"response"}',
    '{"kind":"other"}',
    '[]',
    'null',
    'Unexpected error',
  ])('is not half read: %s', (line) => {
    expect(readAll([Buffer.from(`${line}\n`)])).toEqual([{ kind: 'noise', text: line }]);
  });

  it('and has no end is counted, not kept', () => {
    const flood = Buffer.alloc(1000, 'x');
    const pieces = [...Array.from({ length: 50 }, () => flood), Buffer.from('\n[]\n')];
    expect(readAll(pieces, 5000)).toEqual([
      { kind: 'overlong', bytes: 50_000 },
      { kind: 'noise', text: '[]' },
    ]);
  });

  it('and stops in the middle of a line is told at the end', () => {
    expect(readAll([Buffer.from('{"kind":"respo')])).toEqual([{ kind: 'noise', text: '{"kind":"respo' }]);
  });
});
