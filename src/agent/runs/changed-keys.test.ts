/** Keys that are not written as they are sent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChangedKeys } from './changed-keys.ts';
import { SecretsLeftOut, textWithoutKey } from './secrets-left-out.ts';

const KEY = 'sk-proj-Ab3dEf+h1/kLmN0pQrSt';

function leftOut(key: string, text: string): string {
  const keys = new ChangedKeys();
  keys.add(key);
  return keys.leftOut(text);
}

const backwards = (text: string): string => Array.from(text).reverse().join('');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

test.each([
  ['the first 20 characters', KEY.slice(0, 20)],
  ['the last 12 characters', KEY.slice(-12)],
  ['12 in the middle', KEY.slice(9, 21)],
  ['in two lines', `${KEY.slice(0, 13)}\n  ${KEY.slice(13)}`],
  ['in two lines of JSON', JSON.stringify(`${KEY.slice(0, 7)}\r\n${KEY.slice(7)}`).slice(1, -1)],
  ['with a space between all', Array.from(KEY).join(' ')],
  ['in small letters', KEY.toLowerCase()],
  ['in capitals', KEY.toUpperCase()],
  ['backwards', backwards(KEY)],
  ['percent-encoded where that is needed', encodeURIComponent(KEY)],
  ['percent-encoded throughout', percent(KEY)],
])('a key is left out %s', (_, written) => {
  for (const [before, after] of [
    ['It is ', '.'],
    ['"', '"'],
  ])
    expect(leftOut(KEY, `${before}${written}${after}`)).toBe(`${before}[key]${after}`);
});

test.each(['base64', 'base64url'] as const)('of a key in %s nothing is left that tells of it', (alphabet) => {
  for (const around of ['', 'x', 'xy', 'Bearer ', 'user:']) {
    const coded = Buffer.from(`${around}${KEY}${around}`).toString(alphabet);
    const safe = leftOut(KEY, `Basic ${coded} .`);
    expect(safe).toContain('[key]');
    // At each end at most a group with two of its characters.
    for (const piece of safe.split('[key]')) {
      const known = Buffer.from(piece, alphabet).toString('latin1');
      for (let at = 0; at + 4 <= KEY.length; at++) expect(known).not.toContain(KEY.slice(at, at + 4));
    }
    expect(leftOut(KEY, `${coded.slice(0, 20)}\n${coded.slice(20)}`)).toContain('[key]');
  }
});

test('what is of no key stays, to the character: words, short pieces, numbers of zeros, other texts', () => {
  for (const [key, text] of [
    [KEY, `${KEY.slice(0, 11)}, ${KEY.slice(-11)}`],
    ['correct-horse-battery-staple', 'horse-battery-staple'],
    ['sk-000000000000000000001', '0000000000000000'],
    ['short-key-1', 'SHORT-KEY-1'],
  ] as const)
    expect(leftOut(key, text)).toBe(text);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(leftOut(KEY, text)).toBe(text);
    }),
  );
});

test('any stretch is found in any text, and nothing else is left out', () => {
  const around = fc.string({
    unit: fc.constantFrom('é', 'İ', '𝒳', ' ', '\\', '"', '%', '(', '\n'),
    maxLength: 8,
  });
  const from = fc.nat(KEY.length - 12);
  fc.assert(
    fc.property(around, around, from, fc.nat(KEY.length), (before, after, at, length) => {
      const stretch = KEY.slice(at, Math.max(at + 12, length));
      const safe = leftOut(KEY, `${before}(${stretch})${after}`);
      expect(safe).toBe(`${before}([key])${after}`);
    }),
  );
});

test('a key is left out in every form where a log, a model and a message of a server are concerned', () => {
  const secrets = new SecretsLeftOut();
  secrets.add(KEY);
  const text = `No ${KEY.slice(0, 20)}, no ${backwards(KEY)}, no ${KEY}.`;
  const safe = 'No [key], no [key], no [key].';
  expect(secrets.from({ kind: 'user-said', text }).text).toBe(safe);
  expect(secrets.fromAll([{ text }])).toEqual([{ text: safe }]);
  expect(textWithoutKey(text, KEY)).toBe(safe);
});
