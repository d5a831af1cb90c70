import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leanHoles } from './holes.ts';

it('finds what is left open, and in which declaration', () => {
  const text = `/-- A lemma with sorry in its text. -/
theorem Nat.foo (n : Nat) : n = n := by
  cases n with
  | zero => sorry -- sorry, later
  | succ n' => exact sorry
example : True := by admit
def quoted : String := "sorry" ++ r#"a "sorry" b"# ++ "\\" sorry"
instance : Inhabited Nat := ⟨'\\''.toNat + sorryAx Nat⟩
/- outer /- sorry -/ sorry -/
def noSorry := sorry_free + foo.sorry + «sorry»`;
  expect(leanHoles(text).map(({ word, declaration }) => [word, declaration])).toEqual([
    ['sorry', 'Nat.foo'],
    ['sorry', 'Nat.foo'],
    ['admit', 'example'],
    ['sorryAx', 'instance'],
  ]);
});

it('finds every hole between any texts that are not code', () => {
  const inert = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", 's') }).map((text) => `-- ${text} sorry\n`),
    fc
      .string({ unit: fc.constantFrom('a', ' ', '\n', '"', "'") })
      .map((text) => `/- ${text} sorry /- x -/ -/`),
    fc.string({ unit: fc.constantFrom('a', ' ', '-', '/', '\\"', '\\\\') }).map((text) => `"${text} sorry"`),
    fc.string({ unit: fc.constantFrom('a', ' ', '\\', '"x') }).map((text) => `r#"${text} sorry"#`),
    fc.constantFrom("'\"'", "x'", '42', '('),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(inert, fc.constant('sorry'))), (pieces) => {
      const text = pieces.join(' ');
      const wanted = pieces.filter((piece) => piece === 'sorry').length;
      const found = leanHoles(text);
      expect(found).toHaveLength(wanted);
      for (const { span } of found) expect(text.slice(span.start, span.end)).toBe('sorry');
    }),
  );
});

it('never fails', () => {
  const piece = fc.constantFrom(
    '/-',
    '-/',
    '"',
    "'",
    'r#"',
    '--',
    '\n',
    'sorry',
    'theorem',
    '«',
    '»',
    '.',
    '\\',
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => void leanHoles(pieces.join(''))));
});
