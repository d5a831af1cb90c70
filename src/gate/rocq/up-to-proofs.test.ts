/** Proofs that are judged with what stands up to them: what stands behind is told, and can change nothing that is said. */
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { firstErrorBehind, judgeProof } from '../verify.ts';
import { cutOf, type Verdict } from '../verdict.ts';
import { sentencesOf } from './testing/sentences-of.ts';

const settings = {
  project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
  policy: { recheck: 'never' },
} as const;

interface Filled {
  readonly file: string;
  /** In the place of the one `Admitted.` that a proof follows on. */
  readonly proof: string;
}

function judge({ file, proof }: Filled, onlyUpToProofs: boolean): Promise<Verdict> {
  const target = { path: 'File.v', text: file };
  const text = file.replace('Proof. Admitted.', () => proof);
  return judgeProof(
    { target, text, statements: sentencesOf(file, ['asked', 'M.asked']), onlyUpToProofs },
    settings,
  );
}

function told(verdict: Verdict) {
  return verdict.kind === 'accepted' ? cutOf(verdict.restsOn) : undefined;
}

describe.skipIf(findExecutable(['coqc']) === undefined)('proofs in front of what does not compile', () => {
  const broken = 'Lemma asked : 1 = 1.\nProof. Admitted.\n\nDefinition wrong : nat :=\n  true.\n';

  it('are accepted, and the verdict says where the file with them stops compiling', async () => {
    // What does not end is admitted where the judge looks, and has more lines in the file.
    const unfinished = 'Lemma long : 1 = 1.\nProof.\n  idtac.\n  admit.\nQed.\n';
    const file = unfinished + broken;
    const verdict = await judge({ file, proof: 'Proof.\n  reflexivity.\nQed.' }, false);
    expect(verdict.kind).toBe('accepted');
    expect(told(verdict)).toMatchObject({
      kind: 'rest-does-not-compile',
      position: { line: 12, column: 2 },
      message: expect.stringMatching(
        /at 12:2, so that nothing behind line 7 was judged.*"true" has type "bool"/s,
      ) as unknown,
    });
  });

  it('are accepted also of what is given up, unless what stands before the error would not be the same', async () => {
    const judged = (name: string, behind: string): Promise<Verdict> => {
      const stated = `Lemma ${name} : 1 = 1.\n`;
      const file = `${stated}Proof. Abort.\n${behind}Definition bad := 3 + true.\n`;
      const text = file.replace('Abort', 'reflexivity. Qed');
      const statements = sentencesOf(file, [name]);
      return judgeProof({ target: { path: 'File.v', text: file }, text, statements }, settings);
    };
    const verdict = await judged('asked', 'Definition x := 3.\n');
    expect(verdict.kind, JSON.stringify(verdict)).toBe('accepted');
    expect(told(verdict)).toMatchObject({
      kind: 'rest-does-not-compile',
      position: { line: 4, column: 22 },
      message: expect.stringMatching(/nothing behind line 3 was judged\. The term "true"/u) as unknown,
    });
    const unknown = { kind: 'unknown', reason: 'invalid-input' };
    expect(await judged('asked', 'Definition asked := 3.\n')).toMatchObject(unknown);
    expect(await judged('pred', 'Definition x := pred.\n')).toMatchObject(unknown);
  });

  it('are judged with all of the file where they take the place of words without a dot at its end', async () => {
    const proved = 'Lemma asked : 1 = 1.\nProof.\n  reflexivity.\nQed.\n';
    const filled = async (old: string, text: string): Promise<Verdict> =>
      judgeProof(
        { target: { path: 'File.v', text: old }, text, statements: sentencesOf(old, ['asked']) },
        settings,
      );
    const verdict = await filled('Lemma asked : 1 = 1.\nProof. (* soon *) Admitted\n', proved);
    expect(verdict.kind).toBe('accepted');
    expect(told(verdict)).toBeUndefined();
    // Left where they were they are an error of the file, and another statement is none of the proof.
    const left = await filled('Lemma asked : 1 = 1.\nAdmitted\n', `${proved}Admitted\n`);
    expect(told(left)).toMatchObject({ kind: 'rest-does-not-compile' });
    const other = await filled('Lemma asked : 1 = 1.\nProof.\nLemma other : 1 = 2\n', proved);
    expect(other).toMatchObject({ kind: 'unknown' });
  });

  it('are accepted also where the file ends in the middle of a sentence', async () => {
    const file = 'Lemma asked : 1 = 1.\nProof. Admitted.\nLemma last : 2 = 2.\nProof. Admitted';
    const verdict = await judge({ file, proof: 'Proof. reflexivity. Qed.' }, false);
    expect(told(verdict)).toMatchObject({
      kind: 'rest-does-not-compile',
      position: { line: 4, column: 7 },
      message: expect.stringContaining('is the dot at its end missing?') as unknown,
    });
    const opening = await judge({ file, proof: 'Proof. reflexivity. Qed. (*' }, false);
    expect(opening.kind).not.toBe('accepted');
  });

  it('are accepted also where a section is not closed, and beside a proof that goes back to its beginning', async () => {
    const file = 'Section S.\nLemma asked : 1 = 1.\nProof. Admitted.\n';
    const proof = 'Proof. reflexivity. Qed.';
    expect(told(await judge({ file, proof }, false))).toMatchObject({
      kind: 'rest-does-not-compile',
      message: expect.stringContaining('The section S needs to be closed.') as unknown,
    });
    const back = 'Lemma a : True.\nProof. idtac. Undo. idtac. Restart. exact I. Qed.\n';
    const whole = await judge({ file: `${back}Lemma asked : 1 = 1.\nProof. Admitted.\n`, proof }, false);
    expect(whole.kind, JSON.stringify(whole)).toBe('accepted');
  });

  it('are not judged where a proof that is left open says at its end what it declares', async () => {
    const file = (end: string): string =>
      `Lemma open : 1 = 2.\nProof. admit. ${end}\nLemma asked : 1 = 1.\nProof. Admitted.\n`;
    const proof = 'Proof. reflexivity. Qed.';
    expect(await judge({ file: file('Save other.'), proof }, false)).toMatchObject({
      kind: 'unknown',
      reason: 'unsupported',
      message: expect.stringContaining('File.v:2:14: A proof that is left open') as unknown,
    });
    expect((await judge({ file: file('Qed.'), proof }, false)).kind).toBe('accepted');
  });

  it('are no worse for a hole behind them whose proof does not go on', async () => {
    const proof = 'Proof.\n  reflexivity.\nQed.';
    const asked = 'Lemma asked : 1 = 1.\nProof. Admitted.\n\n';
    const ofHole = await judge(
      { file: `${asked}Lemma w : True.\nProof. nosuchtactic. Admitted.\n`, proof },
      false,
    );
    expect(ofHole.kind).toBe('accepted');
    expect(told(ofHole)).toMatchObject({
      kind: 'rest-does-not-compile',
      position: { line: 7, column: 7 },
      message: expect.stringContaining('nosuchtactic') as string,
    });
    const declared = `Lemma h : True.\nProof. Definition x := 3. Admitted.\n${asked}`;
    expect((await judge({ file: `${declared}Definition x := 4.\n`, proof }, false)).kind).toBe('accepted');
    // What the proof itself makes wrong behind it is its own.
    const using =
      'Lemma asked : {n | n = 1}.\nProof. Admitted.\n\nFail Definition x : 1 = proj1_sig asked := eq_refl.\n';
    const other = await judge({ file: using, proof: 'Proof.\n  exists 1. reflexivity.\nDefined.' }, false);
    expect(other.kind).toBe('rejected');
  });

  it('are judged alone where nothing is written, and the rest can be asked about', async () => {
    const verdict = await judge({ file: broken, proof: 'Proof. reflexivity. Qed.' }, true);
    expect(told(verdict)).toEqual({
      kind: 'only-the-beginning',
      message: 'What stands behind line 2 was not judged.',
    });
    const target = { path: 'File.v', text: broken };
    const statements = sentencesOf(broken, ['asked']);
    expect(await firstErrorBehind(target, statements, settings)).toMatchObject({
      kind: 'error',
      position: { line: 5, column: 2 },
    });
    const whole = { path: 'File.v', text: broken.replace('true', '1') };
    expect(await firstErrorBehind(whole, statements, settings)).toEqual({ kind: 'compiles' });
  });
});

describe.skipIf(findExecutable(['coqc']) === undefined)('what stands behind the proofs', () => {
  const cases: readonly (Filled & { readonly name: string; readonly expected: Verdict['kind'] })[] = [
    {
      name: 'fields that a signature demands',
      file: `Module Type S. Parameter a : nat. Axiom asked : a = 0. Parameter b : nat. End S.
Module M : S. Definition a := 0. Lemma asked : a = 0.
Proof. Admitted. Definition b := 1. End M.
`,
      proof: 'Proof. reflexivity. Qed.',
      expected: 'accepted',
    },
    {
      name: 'a command that fails once the proof can be looked into',
      file: 'Lemma asked : nat.\nProof. Admitted.\nFail Check (eq_refl : asked = 0).\n',
      proof: 'Proof. exact 0. Defined.',
      expected: 'rejected',
    },
    {
      name: 'a use of the statement with a variable that its proof does not use',
      file: 'Section S.\nVariable v : nat.\nLemma asked : 1 = 1.\nProof. Admitted.\nEnd S.\nCheck (asked 0 : 1 = 1).\n',
      proof: 'Proof. reflexivity. Qed.',
      expected: 'rejected',
    },
    {
      name: 'the end of a comment that the proof begins',
      file: 'Lemma asked : 1 = 1.\nProof. Admitted.\nDefinition more := 1. (* *)\n',
      proof: 'Proof. reflexivity. Qed. (*',
      expected: 'rejected',
    },
  ];

  it.each(cases)('$name: the same verdict as for the whole file', async ({ expected, ...filled }) => {
    const beginning = await judge(filled, true);
    expect(beginning, JSON.stringify(beginning)).toMatchObject({ kind: expected });
    expect(await judge(filled, false)).toMatchObject({ kind: expected });
  });
});
