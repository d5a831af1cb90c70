/** What a run has put into a file, told from what somebody else did. */
import { describe, expect, it, test } from 'vitest';
import { addsOnlyScriptProofs, otherScriptProofs } from './hol4/hol4-own-change.ts';
import { addsOnlyRocqProofs, otherRocqProofs } from './rocq/rocq-own-change.ts';

const BEFORE =
  'Lemma a : 1 = 1.\nProof.\nAdmitted.\n\n  Lemma b : 2 = 2.\n  Proof. (* by hand? *)\n  Admitted.\nLemma c : 3 = 3.\nAdmitted.\n';
const PROVED_A = BEFORE.replace('Proof.\nAdmitted.', 'Proof.\n  reflexivity.\nQed.');
const PROVED = PROVED_A.replace(
  '  Proof. (* by hand? *)\n  Admitted.',
  '  Proof.\n    (* by hand? *)\n    reflexivity.\n  Qed.',
);

const MINE = new Map([
  ['a', { proof: 'reflexivity.' }],
  ['b', { proof: '```\nProof.\nreflexivity.\nQed.\n```' }],
]);

/** @param proofs null: of another program. */
const addsOnly = (from: string, to: string, proofs: typeof MINE | null = MINE): boolean =>
  addsOnlyRocqProofs(
    { name: 'a.v', path: '/a.v', text: to, byteOrderMark: false, lineEnd: '\n', hash: '' },
    ['a', 'b', 'c'],
    { from: Buffer.from(from), to: Buffer.from(to), proofs: proofs ?? undefined },
  );

describe('proofs of a run and nothing else', () => {
  test.each([
    ['nothing at all', BEFORE, BEFORE],
    ['all that it found', BEFORE, PROVED],
    ['one, the other not', BEFORE, PROVED_A],
    ['one behind another that was committed', PROVED_A, PROVED],
    ['behind a byte order mark', `\u{feff}${BEFORE}`, `\u{feff}${PROVED}`],
  ])('are %s', (_, from, to) => {
    expect(addsOnly(from, to)).toBe(true);
  });

  test.each([
    ['a definition behind', `${PROVED}Definition mine := 42.\n`],
    ['a comment', PROVED.replace('Lemma c', '(* mine *) Lemma c')],
    ['a comment in the proof of the run', PROVED.replace('  reflexivity.', '  reflexivity. (* mine *)')],
    ['a comment before it', PROVED.replace('  reflexivity.', '  (* mine *)\n  reflexivity.')],
    ['blanks', PROVED.replace('Lemma c', 'Lemma  c')],
    ['an own proof of another theorem', PROVED.replace('3 = 3.\nAdmitted.', '3 = 3.\nProof. auto. Qed.')],
    ['an own proof in the place of one', PROVED.replace('  reflexivity.', '  auto.')],
    ['a statement', PROVED.replace('3 = 3', '4 = 4')],
    ['an own lemma', `Lemma mine : True.\nProof. exact I. Qed.\n${PROVED}`],
    ['what is gone', PROVED.replace('Lemma c : 3 = 3.\nAdmitted.\n', '')],
    ['line ends', PROVED.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\u{feff}${PROVED}`],
  ])('are not %s', (_, to) => {
    expect(addsOnly(BEFORE, to)).toBe(false);
  });

  it('may be of another program, with lemmas beside them', () => {
    expect(addsOnly(BEFORE, `Lemma own : True.\nProof. exact I. Qed.\n${PROVED}`, null)).toBe(true);
    expect(addsOnly(BEFORE, `${PROVED}Definition mine := 42.\n`, null)).toBe(false);
  });
});

test('so in an HOL4 script', () => {
  const script = (proof: string, behind = ''): string =>
    `Theory a\r\n\r\nTheorem one:\r\n  p ==> p\r\nProof\r\n  ${proof}\r\nQED\r\n${behind}`;
  const proofs = new Map([['one', { proof: 'simp[] >>\nmetis_tac[]' }]]);
  const addsOnlyOf = (to: string, found: typeof proofs | undefined): boolean =>
    addsOnlyScriptProofs('\r\n', ['one'], {
      from: Buffer.from(script('cheat')),
      to: Buffer.from(to),
      proofs: found,
    });
  const proved = script('simp[] >>\r\n  metis_tac[]');
  expect(addsOnlyOf(proved, proofs)).toBe(true);
  expect(addsOnlyOf(script('simp[]'), undefined)).toBe(true);
  for (const found of [proofs, undefined]) expect(addsOnlyOf(`${proved}(* mine *)\r\n`, found)).toBe(false);
  expect(addsOnlyOf(script('simp[]'), proofs)).toBe(false);
});

describe('proofs that are neither the last commit’s nor the run’s', () => {
  const accepted = new Map([['a', { proof: 'Proof.\n  reflexivity.\nQed.' }]]);
  const others = (from: string, to: string): readonly string[] =>
    otherRocqProofs(['a', 'b', 'c'], { from: Buffer.from(from), to: Buffer.from(to), proofs: accepted });

  test.each([
    ['none of what is as it was', BEFORE, BEFORE, []],
    ['none that was accepted', BEFORE, PROVED_A, []],
    ['none that was accepted, behind a lemma', BEFORE, `Lemma d : True.\nAdmitted.\n${PROVED_A}`, []],
    ['another one of the theorem', BEFORE, PROVED_A.replace('reflexivity', 'auto'), ['a']],
    ['one of another theorem', BEFORE, PROVED, ['b']],
    ['a begun one', BEFORE, PROVED_A.replace('3 = 3.\n', '3 = 3.\nidtac.\n'), ['c']],
    ['one that was taken out', PROVED, PROVED_A, ['b']],
    ['one whose place is gone', BEFORE, PROVED_A.replace(/Lemma c[^]*/u, ''), ['c']],
  ])('are %s', (_, from, to, expected) => {
    expect(others(from, to)).toEqual(expected);
  });

  it('are told of an HOL4 script, too', () => {
    const script = (proof: string): Uint8Array =>
      Buffer.from(`Theory a\n\nTheorem one:\n  p ==> p\nProof\n  ${proof}\nQED\n`);
    const proofs = new Map([['one', { proof: 'simp[]' }]]);
    const othersOf = (to: string) =>
      otherScriptProofs(['one'], { from: script('cheat'), to: script(to), proofs });
    expect(['cheat', 'simp[]', 'rw[]', 'rw[] >> cheat'].map(othersOf)).toEqual([[], [], ['one'], ['one']]);
  });
});
