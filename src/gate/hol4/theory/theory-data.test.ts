/** A small data file in the form that HOL4 writes, edited in the ways that matter. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { printStatement } from '../kernel/statement.ts';
import { replayTrace } from '../replay/replay-trace.ts';
import { theoriesAfter, unhurried } from '../testing/recorded-traces.ts';
import { equal, forall, free, TraceWriter, type Term } from '../testing/trace-writer.ts';
import { compareWithData, expectedSha1, readTheoryData } from './theory-data.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

/** Strings 0 min, 1 fun, 2 bool, 3 =, 4 T, 5 !, 6 mine, 7 refl, 8 ~; types 0 bool, 1 bool→bool, 2 →→, 3 for !. */
const DATA = (theorems: string, parents = '("bool" . "hash of bool")'): string => `(theory ("mine" ${parents})
 (core-data
  (tables (string-table "min" "fun" "bool" "=" "T" "!" "mine" "refl" "\\126")
   (id-table (0 . 1) (0 . 2) (0 . 3) (2 . 4) (2 . 5) (2 . 8))
   (type-table (1) (0 0 0) (0 0 1) (0 1 0))
   (term-table ("p" 0) (2 2) (3 0) (4 3) (5 1) ("q" 0)))
  exports (nil) (nil) (${theorems}))
 (incorporate (incorporate-types) incorporate-consts) (loadable-thydata))
`;
const theorem = (raw: string, tags = ''): string => `(7 (((6 0)) ${tags}) (2 0 1 3 7) (${raw}))`;
const REFLEXIVE = '"%0$0$0B1|U3"';

const read = (text: string) => readTheoryData(Buffer.from(text));
const stored = (raw: string): string =>
  printStatement(read(DATA(theorem(raw))).theorems.get('refl')?.statement ?? '');

function replayed(statement: Term, makeStep: (writer: TraceWriter) => ReturnType<TraceWriter['step']>) {
  const known = theoriesAfter('bool');
  const writer = new TraceWriter('mine');
  const step = makeStep(writer);
  const { theory, findings } = replayTrace(
    writer.export('refl', step, statement).bytes(),
    'hash',
    known,
    unhurried,
  );
  expect(findings).toEqual([]);
  return theory;
}

const p = free('p');
const proved = () =>
  replayed(forall(p, equal(p, p)), (writer) => writer.step('GEN', p, writer.step('REFL', p)));

test('names, parents, statements, the hash', () => {
  const text = DATA(theorem(REFLEXIVE));
  const data = read(text);
  expect(data.name).toBe('mine');
  expect(data.parents).toEqual([{ name: 'bool', hash: 'hash of bool' }]);
  expect(data.sha1).toBe(createHash('sha1').update(text).digest('hex'));
  expect(printStatement(data.theorems.get('refl')?.statement ?? '')).toBe('⊢ ∀x1. x1 = x1');
  expect(data.theorems.get('refl')).toMatchObject({ kind: 'theorem', oracles: [], hasHypotheses: false });
});

test.each([
  ['%0', '"%0"', '⊢ p'],
  ['application by @', '"%4%0@"', '⊢ bool$~ p'],
  ['two applications by @2, the inner one first', '"%4%4%0@2"', '⊢ bool$~ (bool$~ p)'],
  ['short forms', '"%0%5B1U4"', '⊢ bool$~ (p = q)'],
  ['a hypothesis', '"%2" "%0"', 'p ⊢ bool$T'],
])('terms: %s', (_, raw, printed) => {
  expect(stored(raw)).toBe(printed);
});

test('data that agrees with the replayed proof, and data that was edited', () => {
  const codes = (text: string): string[] => compareWithData(read(text), proved()).map(({ code }) => code);
  expect(codes(DATA(theorem(REFLEXIVE)))).toEqual([]);
  expect(codes(DATA(theorem('"%0$0U4$0B1|U3"')))).toEqual(['export-changed']);
  expect(codes(DATA(theorem(`${REFLEXIVE} "%0"`)))).toEqual(['export-changed']);
  expect(codes(DATA(theorem(REFLEXIVE, '"DISK_THM"')))).toEqual([]);
  expect(codes(DATA(theorem(REFLEXIVE, '"DISK_THM" "cheat"')))).toEqual(['oracle-tag']);
  expect(codes(DATA(theorem(REFLEXIVE), '("bool" . "another")'))).toEqual(['parents-disagree']);
  expect(codes(DATA(`${theorem(REFLEXIVE)} (6 (((6 0))) (2 0 1 3 7) ("%2"))`))).toEqual(['missing']);
});

test('the hash that the generated structure expects', () => {
  const hash = 'a'.repeat(40);
  expect(expectedSha1(`thydata = load_thydata { thyname = "x", hash = "${hash}", path = path }`)).toBe(hash);
  expect(expectedSha1(`hash = "${hash}" hash = "${'b'.repeat(40)}"`)).toBeUndefined();
  expect(expectedSha1('')).toBeUndefined();
});

test.each([
  ['empty', ''],
  ['another expression', '(theory)'],
  ['not closed', DATA(theorem(REFLEXIVE)).slice(0, -4)],
  ['something after the end', `${DATA(theorem(REFLEXIVE))} x`],
  ['an atom that is not there', DATA(theorem('"%9"'))],
  ['a stack with two terms', DATA(theorem('"%0%0"'))],
  ['a stack with none', DATA(theorem('"@"'))],
  ['a term that is ill typed', DATA(theorem('"%0%5@"'))],
  ['an unknown operation', DATA(theorem('"%0x"'))],
  ['an abstraction over a constant', DATA(theorem('"%2%0|"'))],
  ['a theorem without terms', DATA('(7 (((6 0))) (2 0 1 3 7) nil)')],
  ['one name twice', DATA(`${theorem(REFLEXIVE)} ${theorem(REFLEXIVE)}`)],
  ['nested without end', '('.repeat(100_000)],
])('damaged: %s', (_, text) => {
  expect(() => read(text)).toThrow(MalformedTrace);
});
