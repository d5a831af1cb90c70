import { expect, test } from 'vitest';
import {
  asLines,
  cutOf,
  tellsOfCut,
  tellsOfStop,
  toldFindings,
  type Finding,
  type Warning,
} from './verdict.ts';
import { verify } from './verify.ts';

const TARGET = { path: 'a.v', text: 'Theorem t : 1 = 1.\nAdmitted.\n' };

function finding(message: string): Finding {
  return { kind: 'admitted', file: 'a.v', message, remedy: 'Prove it.' };
}

test('of many findings the first are told, and how many follow', () => {
  const messages = toldFindings(Array.from({ length: 250 }, (_, index) => finding(`finding ${index}.`))).map(
    ({ message }) => message,
  );
  expect(messages).toHaveLength(101);
  expect(messages.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => `finding ${index}.`));
  expect(messages[100]).toBe('And 150 more, of which this is the first: finding 100.');
});

test('a few findings are told as they are', () => {
  const few = Array.from({ length: 100 }, (_, index) => finding(String(index)));
  expect(toldFindings(few)).toEqual(few);
});

test('that only the beginning was looked at is found among the warnings, and among their lines', () => {
  const cut: Warning = {
    kind: 'only-the-beginning',
    message: 'It ends here.',
    position: { line: 2, column: 0 },
  };
  const other: Warning = { kind: 'unchecked', message: 'only-the-beginning: of a name' };
  expect(cutOf({ warnings: [other, cut] })).toBe(cut);
  expect(cutOf({ warnings: [other] })).toBeUndefined();
  expect(cutOf({})).toBeUndefined();
  const stops: Warning = { ...cut, kind: 'rest-does-not-compile' };
  expect(cutOf({ warnings: [other, stops] })).toBe(stops);
  expect(asLines([other, cut, stops]).map(tellsOfCut)).toEqual([false, true, true]);
  expect(asLines([other, cut, stops]).map(tellsOfStop)).toEqual([false, false, true]);
});

test('of a long message the middle is left out', () => {
  const [told] = toldFindings([finding(`begin ${'x'.repeat(5_000_000)} end`)]);
  expect(told?.message.length).toBeLessThan(4100);
  expect(told?.message).toMatch(/^begin x+\n… 499\d+ characters left out …\nx+ end$/);
});

test('a text of a million sentences is not judged, one of many is', async () => {
  const unasked = await verify(TARGET, { ...TARGET, text: `${TARGET.text}${'. '.repeat(1_000_000)}` });
  expect(unasked).toMatchObject({ kind: 'unknown', reason: 'too-large' });
  const judged = await verify(TARGET, { ...TARGET, text: `${TARGET.text}${'. '.repeat(100_000)}` });
  expect(judged).toMatchObject({ kind: 'rejected' });
});
