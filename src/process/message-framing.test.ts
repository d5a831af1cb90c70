import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Framing, FramingError, HEADER_FRAMING, LINE_FRAMING } from './message-framing.ts';

/** Texts as they occur in messages: with line ends inside for headers, without for lines, and never empty there. */
const texts = fc.string({ unit: 'binary', minLength: 1 });
const anyJson = fc.jsonValue().map((value) => JSON.stringify(value));

function readAll(framing: Framing, pieces: readonly Uint8Array[]): readonly string[] {
  const reader = framing.reader();
  return pieces.flatMap((piece) => reader.push(piece));
}

function cut(bytes: Buffer, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [...places].map((place) => place % (bytes.length + 1)).sort((one, other) => one - other);
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(sorted[index - 1] ?? 0, end));
}

describe.each([
  ['headers', HEADER_FRAMING, fc.oneof(texts, anyJson)],
  ['lines', LINE_FRAMING, anyJson],
] as const)('framing by %s', (_, framing, messages) => {
  it('gives back what was framed, whatever the cuts', () => {
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 5 }), fc.array(fc.nat()), (sent, places) => {
        const bytes = Buffer.from(sent.map((message) => framing.frame(message)).join(''));
        expect(readAll(framing, cut(bytes, places))).toEqual(sent.map((text) => text.toWellFormed()));
      }),
    );
  });

  it('works at every single place where a message can be cut, inside of characters too', () => {
    const sent = ['{"é":"∀ 𝔸"}', '[]', JSON.stringify({ text: 'Content-Length: 3\r\n\r\n{}' })];
    const bytes = Buffer.from(sent.map((message) => framing.frame(message)).join(''));
    for (let place = 0; place <= bytes.length; place += 1) {
      expect(readAll(framing, [bytes.subarray(0, place), bytes.subarray(place)])).toEqual(sent);
    }
    expect(
      readAll(
        framing,
        [...bytes].map((byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(sent);
  });
});

describe('headers', () => {
  it('are read in any order and case, and a line end after the message counts when the length counts it', () => {
    const bytes = Buffer.from('Content-Type: x\r\ncontent-length: 3\r\n\r\n{}\nContent-Length:2\r\n\r\n{}');
    expect(HEADER_FRAMING.reader().push(bytes)).toEqual(['{}\n', '{}']);
  });

  it.each([
    'Content-Length: many\r\n\r\n',
    'Length: 3\r\n\r\n{}\n',
    'Content-Length: 99999999999\r\n\r\n',
    'Segmentation fault',
    'Content-Type: x\n'.repeat(300),
  ])('that make no sense are refused: %j', (garbage) => {
    expect(() => HEADER_FRAMING.reader().push(Buffer.from(garbage))).toThrow(FramingError);
  });

  it('before bytes that are not UTF-8 are refused with them', () => {
    const bytes = Buffer.from('Content-Length: 2\r\n\r\n\xff\xfe', 'latin1');
    expect(() => HEADER_FRAMING.reader().push(bytes)).toThrow(FramingError);
  });
});

describe('lines', () => {
  it('that are empty are no messages', () => {
    expect(LINE_FRAMING.reader().push(Buffer.from('\n{}\r\n\r\n[]\n'))).toEqual(['{}\r', '[]']);
  });
});
