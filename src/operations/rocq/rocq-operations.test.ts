import { readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const FILE = `Require Import List.
Import ListNotations.

Lemma app_one (A : Type) (x : A) (l : list A) : [x] ++ l = x :: l.
Proof. reflexivity. Qed.

Lemma both (P Q : Prop) : P -> Q -> P /\\ Q.
Proof.
  intros p q. split.
  - exact p.
  - exact q.
Qed.

Lemma app_two (A : Type) (x y : A) (l : list A) : [x; y] ++ l = x :: y :: l.
Admitted.

Section s.
  Variable n : nat.
  Lemma inside : n + 0 = n.
  Proof using. Admitted.
End s.
`;

let caller: Caller;
afterEach(() => {
  vi.unstubAllEnvs();
});

beforeAll(async () => {
  caller = await openCaller({ 'a.v': FILE });
});
afterAll(() => caller.close());

async function open(theorem: string, file = 'a.v') {
  const { session_id, state } = await caller.call('rocq_open', { file, theorem });
  return { session_id: String(session_id), state: String(state) };
}

describe('sessions', () => {
  it('start behind the statement, with its goal, whatever stands there as a proof', async () => {
    const opened = await caller.call('rocq_open', { file: 'a.v', theorem: 'both' });
    expect(opened).toMatchObject({
      theorem: 'both',
      statement: 'Lemma both (P Q : Prop) : P -> Q -> P /\\ Q.',
      state: 's0',
      goals_total: 1,
      goals: [{ hypotheses: [{ name: 'P' }, { name: 'Q' }], conclusion: 'P -> Q -> P /\\ Q' }],
      rests_on: { file: 'a.v', prover: 'rocq', stale: [] },
    });
  });

  it('start at a position, between two sentences as an editor shows it', async () => {
    const at = (line: number, column: number) => caller.call('rocq_goals', { file: 'a.v', line, column });
    expect(await at(9, 13)).toMatchObject({ goals_total: 1, goals: [{ conclusion: 'P /\\ Q' }] });
    expect(await at(9, 14)).toMatchObject({ goals: [{ conclusion: 'P /\\ Q' }] });
    expect(await at(9, 19)).toMatchObject({ goals_total: 1 });
    expect(await at(9, 20)).toMatchObject({ goals_total: 2 });
    expect(await at(12, 4)).toMatchObject({ in_proof: false });
    expect(await caller.failure('rocq_goals', { file: 'a.v', line: 400 })).toMatchObject({
      reason: 'invalid-input',
      text: expect.stringContaining('has no place 400:0') as string,
    });
  });

  it.each([
    'Redirect "stolen" Print nat.',
    'Require Import Extraction. Extraction "stolen" negb.',
    'Time Redirect "stolen" Print nat.',
    'From elpi Require Import elpi. Elpi Command stolen.',
  ])('start behind no preamble that reaches beyond the prover: %s', async (preamble) => {
    expect(await caller.failure('rocq_open', { preamble })).toMatchObject({ reason: 'invalid-input' });
  });

  it('start behind a preamble, without a file', async () => {
    const opened = await caller.call('rocq_open', { preamble: 'Require Import Lia. Goal 1 + 1 = 2.' });
    const session_id = String(opened['session_id']);
    expect(opened).toMatchObject({ goals_total: 1, rests_on: { file: null } });
    expect(await caller.call('rocq_check_proof', { session_id, proof: 'lia.' })).toMatchObject({
      outcome: 'proved',
      proof: 'lia.\nQed.',
    });
    expect(await caller.failure('rocq_open', { preamble: 'Require Import' })).toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('are invisible to other clients, and a late call says why one is gone', async () => {
    const { session_id } = await open('both');
    const stranger = { client: 'a stranger' };
    expect(await caller.failure('rocq_goals', { session_id }, stranger)).toMatchObject({
      reason: 'not-found',
    });
    expect(await caller.call('rocq_sessions', {}, stranger)).toMatchObject({ sessions: [] });
    await caller.call('rocq_close', { session_id });
    expect(await caller.failure('rocq_goals', { session_id })).toMatchObject({
      reason: 'stale-state',
      text: expect.stringContaining('was closed') as string,
    });
  });

  it('name a state that they never had', async () => {
    const { session_id } = await open('both');
    expect(await caller.failure('rocq_goals', { session_id, from: 's7' })).toMatchObject({
      reason: 'stale-state',
      text: expect.stringContaining('from s0 (its start) to s0') as string,
    });
  });

  it('are refused with the place of the error when the file fails before them', async () => {
    await caller.write('broken.v', 'Lemma t : True.\nProof. exact 1.\nQed.\nLemma u : True. Admitted.\n');
    expect(await caller.failure('rocq_open', { file: 'broken.v', theorem: 'u' })).toMatchObject({
      reason: 'does-not-compile',
      text: expect.stringMatching(/^broken\.v:2:13: The term "1" has type/u) as string,
    });
    await caller.write('no-dot.v', 'Lemma t : True.\nProof. exact I\nQed.\nLemma u : True. Admitted.\n');
    expect(await caller.failure('rocq_open', { file: 'no-dot.v', theorem: 'u' })).toMatchObject({
      reason: 'does-not-compile',
      text: expect.stringMatching(/\n\s*Is a dot missing before `Qed`, at 3:0\? Mend this first/u) as string,
    });
    // Asked at the end of the file, of what stands before the error.
    expect(await caller.failure('rocq_assumptions', { name: 't', file: 'broken.v' })).toMatchObject({
      reason: 'does-not-compile',
      text: expect.stringMatching(
        /Whatever stands before it can be asked about: say where with `line`\.$/u,
      ) as string,
    });
    await caller.write('missing.v', 'Require Import NoSuchLibrary.\nLemma u : True. Admitted.\n');
    expect(await caller.failure('rocq_open', { file: 'missing.v', theorem: 'u' })).toMatchObject({
      reason: 'library-missing',
    });
  });
});

describe('a proof that is checked', () => {
  const check = async (theorem: string, proof: string, more: Record<string, unknown> = {}) =>
    caller.call('rocq_check_proof', { session_id: (await open(theorem)).session_id, proof, ...more });

  it('is proved only behind its closing command', async () => {
    expect(await check('app_two', 'reflexivity.')).toMatchObject({
      outcome: 'proved',
      proof: 'reflexivity.\nQed.',
      gate: null,
    });
    expect(await check('app_two', 'Proof. reflexivity. Qed.')).toMatchObject({ outcome: 'proved' });
    expect(await check('app_two', 'Proof eq_refl.')).toMatchObject({ outcome: 'proved' });
    expect(await check('app_two', 'Proof. reflexivity. Qed.', { final: true })).toMatchObject({
      gate: { verdict: 'accepted', findings: [] },
    });
  });

  it.each([
    ['reflexivity.', {}, 'reflexivity.'],
    ['  simpl. reflexivity', {}, 'simpl. reflexivity.'],
    ['simpl. reflexivity.', { final: true }, 'simpl. reflexivity.'],
    ['Proof. simpl. reflexivity. Qed.', {}, 'Proof. simpl. reflexivity. Qed.'],
  ])(
    'is accepted as it was sent, without the closing command that was added: %s',
    async (proof, more, prefix) => {
      expect(await check('app_two', proof, more)).toMatchObject({ outcome: 'proved', valid_prefix: prefix });
    },
  );

  it('has the messages of its steps, also where the closing command was added', async () => {
    const { messages } = await check('app_two', 'idtac "said". reflexivity.');
    expect(messages).toMatchObject([{ text: 'said' }]);
  });

  it('fails when only Qed refuses it', async () => {
    await caller.write('loop.v', 'Lemma loop : nat -> False.\nAdmitted.\n');
    const { session_id } = await open('loop', 'loop.v');
    const answer = await caller.call('rocq_check_proof', { session_id, proof: 'fix H 1. exact H.' });
    expect(answer).toMatchObject({
      outcome: 'failed',
      valid_prefix: 'fix H 1. exact H.',
      message: expect.stringContaining('Qed.') as string,
    });
  });

  it('is incomplete with its goals, also when they are only shelved', async () => {
    expect(await check('both', 'intros p q. split.')).toMatchObject({
      outcome: 'incomplete',
      goals_total: 2,
      state: 's1',
    });
    expect(await check('both', 'intros p q. split; shelve.')).toMatchObject({
      outcome: 'incomplete',
      goals_total: 0,
      shelved: 2,
    });
  });

  it('has a branch closed, and says where the next goal is', async () => {
    expect(await check('both', 'intros p q. split. - exact p.')).toMatchObject({
      outcome: 'branch-closed',
      depth: 1,
      elsewhere: [{ conclusion: 'Q' }],
    });
    expect(await check('both', 'intros p q. split. { split_nothing || exact p.')).toMatchObject({
      outcome: 'failed',
    });
    expect(await check('both', 'intros p q. split. - { exact p. }')).toMatchObject({
      outcome: 'branch-closed',
      depth: 1,
    });
  });

  it('fails with the prefix that is valid, to the sentence and inside a line', async () => {
    expect(await check('both', 'intros p q. split. - exact q. - exact p.')).toMatchObject({
      outcome: 'failed',
      valid_prefix: 'intros p q. split. -',
      error: { line: 1, column: 27, end_column: 28, reason: null },
      goals: [{ conclusion: 'P' }],
      state: 's1',
    });
  });

  it('is mended where it is honest, and says so', async () => {
    expect(await check('both', 'intros p q. split')).toMatchObject({
      outcome: 'incomplete',
      valid_prefix: 'intros p q. split.',
      notes: ['A dot was added at the end of the last sentence.'],
    });
    const statement = 'Lemma app_two (A : Type) (x y : A) (l : list A) : [x; y] ++ l = x :: y :: l.';
    const wrapped = `\`\`\`coq\n${statement}\nProof. reflexivity. Qed\n\`\`\``;
    expect(await check('app_two', wrapped, { final: true })).toMatchObject({
      outcome: 'proved',
      proof: 'Proof. reflexivity. Qed.',
      notes: [
        expect.stringContaining('fences') as string,
        expect.stringContaining('statement') as string,
        expect.stringContaining('dot') as string,
      ],
    });
  });

  it('is one proof, or it is not run', async () => {
    expect(await check('app_two', 'reflexivity. Qed. Lemma x : True. exact I. Qed.')).toMatchObject({
      outcome: 'forbidden',
      state: null,
      message:
        'The proof ends with `Qed.` and goes on behind it (1:18). Send one proof: a single closing command, and ' +
        'nothing behind it. Nothing was run.',
    });
    expect(await check('app_two', 'reflexivity. Redirect "out" Qed.')).toMatchObject({
      outcome: 'forbidden',
    });
  });

  it.each(['intros. admit.', 'intros. Qed. Lemma x : True.', 'intros. exact "'])(
    'shows the proof as it is when nothing was run: %s',
    async (proof) => {
      expect(await check('both', proof)).toMatchObject({
        outcome: 'forbidden',
        state: null,
        in_proof: true,
        goals: [{ conclusion: 'P -> Q -> P /\\ Q' }],
      });
    },
  );

  it('is proved but for the open statements of the file that it uses', async () => {
    await caller.write(
      'open.v',
      'Parameter f : nat -> nat.\nLemma bad (n : nat) : f n = n.\nAdmitted.\nLemma user (m : nat) : f m = m.\nAdmitted.\nLemma free : 1 = 1.\nAdmitted.\n',
    );
    const { session_id } = await open('user', 'open.v');
    const input = { session_id, proof: 'exact (bad m).' };
    expect(await caller.call('rocq_check_proof', input)).toMatchObject({ outcome: 'proved', gate: null });
    expect(await caller.call('rocq_check_proof', { ...input, final: true })).toMatchObject({
      outcome: 'proved-but',
      rests_on_open: ['bad'],
      gate: { verdict: 'accepted' },
      message: expect.stringContaining('open: bad') as string,
    });
    const fill = { file: 'open.v', theorem: 'user', proof: 'exact (bad m).', dry_run: true };
    expect(await caller.call('rocq_fill', fill)).toMatchObject({
      verdict: 'accepted',
      rests_on_open: ['bad'],
    });
    expect(await caller.call('rocq_fill', { ...fill, theorem: 'free', proof: 'reflexivity.' })).toMatchObject(
      { verdict: 'accepted', rests_on_open: [] },
    );
    const { results } = await caller.call('proof_search', {
      file: 'open.v',
      theorems: ['user', 'free'],
      nodes: 60,
    });
    expect(results).toMatchObject([
      { theorem: 'user', outcome: 'proved-but', rests_on_open: ['bad'] },
      { theorem: 'free', outcome: 'proved', rests_on_open: [] },
    ]);
  });

  it.each(['proved', 'proved-but'])('names the axioms that a proof rests on: %s', async (outcome) => {
    const end = outcome === 'proved' ? 'Proof. reflexivity. Qed.' : 'Admitted.';
    await caller.write(
      'axioms.v',
      'Require Import FunctionalExtensionality.\nAxiom own : forall n : nat, n = 0 + n.\n' +
        `Lemma one : 1 = 1.\n${end}\n` +
        'Lemma same : (fun n : nat => n) = (fun n => 0 + n) /\\ 1 = 1.\nAdmitted.\n',
    );
    const proof = 'split. apply functional_extensionality. exact own. exact one.';
    const axioms = ['own', 'Coq.Logic.FunctionalExtensionality.functional_extensionality_dep'].map(
      (name) => expect.stringMatching(`${name.slice(name.lastIndexOf('.'))}$`) as string,
    );
    const named = expect.arrayContaining(axioms) as string[];
    const { session_id } = await open('same', 'axioms.v');
    const checked = await caller.call('rocq_check_proof', { session_id, proof, final: true });
    expect(checked).toMatchObject({ outcome, gate: { axioms: named } });
    expect(checked['message']).toContain('functional_extensionality_dep');
    expect(checked['message']).toContain('own');
    const fill = { file: 'axioms.v', theorem: 'same', proof, dry_run: true };
    const filled = await caller.call('rocq_fill', fill);
    expect(filled).toMatchObject({ verdict: 'accepted', axioms: named });
    expect(filled['axioms']).toHaveLength(2);
  });

  it('is searched, and what it rests on is named', async () => {
    await caller.write('own.v', 'Axiom P : Prop.\nAxiom p : P.\nLemma q : P.\nAdmitted.\n');
    const { results } = await caller.call('proof_search', { file: 'own.v', nodes: 60 });
    expect(results).toMatchObject([{ theorem: 'q', outcome: 'proved', axioms: ['p'] }]);
  });

  it('goes on from the state of an earlier answer', async () => {
    const { session_id } = await open('both');
    const first = await caller.call('rocq_check_proof', { session_id, proof: 'intros p q. oops.' });
    expect(first).toMatchObject({ outcome: 'failed', state: 's1' });
    expect(
      await caller.call('rocq_check_proof', {
        session_id,
        from: 's1',
        proof: 'split; assumption.',
        final: true,
      }),
    ).toMatchObject({
      outcome: 'proved',
      proof: 'intros p q.\nsplit; assumption.\nQed.',
      gate: { verdict: 'accepted' },
    });
  });

  it('goes on behind a `Proof` that is not the file’s own, and is whole from there', async () => {
    const { session_id } = await open('both');
    await caller.call('rocq_check_proof', { session_id, proof: 'Proof using. intros p q. oops.' });
    const states = (await caller.call('rocq_proof_tree', { session_id }))['states'] as { state: string }[];
    expect(
      await caller.call('rocq_check_proof', {
        session_id,
        from: states.at(-1)?.state,
        proof: 'split; assumption.',
        final: true,
      }),
    ).toMatchObject({ outcome: 'proved', proof: 'Proof using.\nintros p q.\nsplit; assumption.\nQed.' });
  });

  it.each([
    ['admit.', 'admit'],
    ['Admitted.', 'Admitted'],
    ['Abort.', 'Abort'],
    ['intros; give_up.', 'give_up'],
    ['Axiom f : False. destruct f.', 'the command Axiom'],
    ['Redirect "x" Print nat.', 'the command Redirect'],
    ['Lemma q : False.', 'the command Lemma'],
    ['Set Printing All.', 'the command Set'],
  ])('is forbidden with %s', async (proof, what) => {
    expect(await check('both', proof)).toMatchObject({
      outcome: 'forbidden',
      state: null,
      message: expect.stringContaining(`have ${what} in it`) as string,
    });
  });

  it('may name a hypothesis or quote a word that would be forbidden', async () => {
    expect(
      await check('both', 'intros admitted Abort. idtac "admit". (* Admitted. *) split; assumption.'),
    ).toMatchObject({
      outcome: 'proved',
    });
  });

  it('costs a step that hangs, not the session', async () => {
    const { session_id } = await open('both');
    const hung = { session_id, proof: 'intros p q. do 100000000 idtac.', sentence_timeout: 1 };
    expect(await caller.call('rocq_check_proof', hung)).toMatchObject({
      outcome: 'failed',
      error: { reason: 'timeout' },
      valid_prefix: 'intros p q.',
    });
    expect(
      await caller.call('rocq_check_proof', { session_id, proof: 'intros p q. split; assumption.' }),
    ).toMatchObject({ outcome: 'proved' });
  });

  it('is cancelled with its call, and the session goes on', async () => {
    const { session_id } = await open('both');
    const controller = new AbortController();
    const call = caller.failure(
      'rocq_step',
      { session_id, script: 'do 100000000 idtac.', sentence_timeout: 60 },
      { signal: controller.signal },
    );
    setTimeout(() => {
      controller.abort();
    }, 300);
    expect(await call).toMatchObject({ reason: 'interrupted' });
    expect(await caller.call('rocq_step', { session_id, script: 'intros.' })).toMatchObject({ accepted: 1 });
  });
});

describe('steps, alternatives and goals', () => {
  it('a step advances nothing but its answer', async () => {
    const { session_id } = await open('both');
    expect(await caller.call('rocq_step', { session_id, script: 'intros p q. split.' })).toMatchObject({
      state: 's1',
      goals_total: 2,
    });
    expect(await caller.call('rocq_goals', { session_id })).toMatchObject({ state: 's0', goals_total: 1 });
    const again = await caller.call('rocq_step', { session_id, script: 'Check both_not_yet.' });
    expect(again).toMatchObject({ accepted: 0, error: { line: 1, column: 6 } });
    const message = { messages: [{ severity: 'notice', text: expect.stringContaining('nat') as string }] };
    expect(await caller.call('rocq_step', { session_id, script: 'Check 1.' })).toMatchObject(message);
    expect(await caller.call('rocq_step', { session_id, script: 'Check 1.' })).toMatchObject(message);
    expect(await caller.failure('rocq_step', { session_id, script: 'Drop.' })).toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('alternatives are answered in their order, each from the same state', async () => {
    const { session_id } = await open('both');
    const alternatives = [
      'intros.',
      'intros; split; assumption.',
      'nonsense.',
      ...Array.from({ length: 30 }, (_, index) => `intros p${index}.`),
      'intros p q. split. - exact p.',
    ];
    const answer = await caller.call('rocq_try', { session_id, alternatives });
    const results = answer['results'] as {
      script: string;
      accepted: boolean;
      closed: boolean;
      first_goal: unknown;
    }[];
    expect(results.map(({ script }) => script)).toEqual(alternatives);
    expect(results[0]).toMatchObject({ accepted: true, closed: false });
    expect(results[1]).toMatchObject({ accepted: true, closed: true });
    expect(results[2]).toMatchObject({
      accepted: false,
      error: expect.stringContaining('nonsense') as string,
    });
    expect(results[7]).toMatchObject({
      first_goal: { hypotheses: [{ name: 'P' }, { name: 'Q' }, { name: 'p4' }] },
    });
    expect(results.at(-1)).toMatchObject({ accepted: true, closed: false, goals_total: 0, goals_left: 1 });
    expect(answer).toMatchObject({ accepted: 33, closed: 1 });
  });

  it('of what is refused the text says what is wrong, not the environment that Rocq prints before', async () => {
    const { session_id } = await open('both');
    const tried = { session_id, alternatives: ['intros p q. exact p.'] };
    const answer = await operations.rocq_try.answer(tried, caller.context());
    expect(answer.text()).toContain('- intros p q. exact p.  → The term "p" has type "P"');
  });

  // The Rocq inside Node is given sentences as they are: the gate asks it whether it read all of them.
  const isInstalled = findExecutable(['coqc']) !== undefined;
  it.skipIf(!isInstalled)(
    'a sentence is run to where it ends, also where a notation makes code of what is a comment',
    async () => {
      const preamble = 'Notation ".(" := 2 (at level 0).\nNotation "+(" := 0 (at level 0).';
      const { session_id } = await caller.call('rocq_open', { preamble });
      const script = 'Definition a := .(* 1. Definition b := 3. *)\n. Check eq_refl : a = 2.';
      expect(await caller.call('rocq_step', { session_id, script })).toMatchObject({
        accepted: 2,
        error: null,
      });
      const split = 'Definition c := 1 +(* 1. Definition d := 3. *) 5. Check eq_refl : c = 6.';
      expect(await caller.call('rocq_step', { session_id, script: split })).toMatchObject({
        accepted: 2,
        error: null,
      });
    },
  );

  it('an alternative that leaves the proof open closes nothing', async () => {
    const { session_id } = await open('both');
    const alternatives = [
      ...['Admitted.', 'Abort.', 'admit.', 'intros; split; [give_up | assumption].'],
      'Axiom q : False. destruct q.',
      'tauto. Qed. Axiom q : False.',
    ];
    const left = ['Admitted', 'Abort', 'admit', 'give_up', 'the command Axiom', 'the command Axiom'];
    const answer = await caller.call('rocq_try', { session_id, alternatives });
    expect(answer).toMatchObject({
      accepted: 6,
      closed: 0,
      results: left.map((left_open) => ({ closed: false, left_open })),
    });
  });

  it('a proof that was not judged is told so in the words of who asks', async () => {
    const { session_id } = await open('both');
    const answer = await operations.rocq_check_proof.call({ session_id, proof: 'tauto.' }, caller.context());
    const op = operations.rocq_check_proof;
    expect(op.render(answer)).toMatch(/^proved: .*`final` asks the gate\.$/mu);
    expect(op.render(answer, (text) => text.replace('`final`', '`--final`'))).toContain('`--final` asks');
  });

  it('an alternative that does nothing is accepted, and said to change nothing', async () => {
    const { session_id } = await open('both');
    const context = caller.context();
    const alternatives = ['simpl.', 'intros.', 'idtac', 'Admitted.', 'exact 1.'];
    const answer = await operations.rocq_try.call({ session_id, alternatives }, context);
    expect(answer.results.map(({ unchanged }) => unchanged)).toEqual([true, false, true, false, false]);
    const lines = operations.rocq_try.render(answer).split('\n');
    expect(lines[1]).toMatch(/^\+ simpl\. {2}→ changes nothing, 1 left \(s\d\)$/u);
    expect(lines[2]).toMatch(/→ 1 left/u);
  });

  it('a script whose last dot is missing is run with it, and a refusal says where another may be', async () => {
    const { session_id } = await open('both');
    const stepped = await caller.call('rocq_step', { session_id, script: 'intros p q. split' });
    expect(stepped).toMatchObject({
      accepted: 2,
      valid_prefix: 'intros p q. split.',
      error: null,
      notes: ['A dot was added at the end of the last sentence.'],
    });
    const alternatives = ['tauto', 'Admitted', 'tauto\nQed.'];
    expect(await caller.call('rocq_try', { session_id, alternatives })).toMatchObject({
      results: [
        { script: 'tauto.', closed: true },
        { script: 'Admitted.', closed: false, left_open: 'Admitted' },
        {
          accepted: false,
          error: expect.stringMatching(/\nIs a dot missing before `Qed`, at 2:0\?$/u) as string,
        },
      ],
    });
    expect(await caller.failure('rocq_step', { session_id, script: 'Redirect "f" Print nat' })).toMatchObject(
      {
        reason: 'invalid-input',
      },
    );
    const checked = await caller.call('rocq_check_proof', { session_id, proof: 'tauto\nQed.' });
    expect(checked['message']).toMatch(/Is a dot missing before `Qed`, at 2:0\?$/u);
  });

  it('goals that are not in focus are shown on request, and otherwise it is said how', async () => {
    const context = caller.context();
    const { session_id } = await open('both');
    const script = 'intros p q. split; [ | shelve]. give_up.';
    const { state } = await operations.rocq_step.call({ session_id, script }, context);
    const place = { session_id, from: state };
    const some = await operations.rocq_goals.call(place, context);
    expect(operations.rocq_goals.render(some)).toMatch(/`rocq_goals` with `all` shows them\.$/u);
    const all = await operations.rocq_goals.call({ ...place, all: true }, context);
    const text = operations.rocq_goals.render(all);
    expect(text).toMatch(/Shelved:\n[^]*─\nQ\n[^]*Given up:\n[^]*─\nP$/u);
    expect(text).not.toContain('`all`');
    const two = await operations.rocq_step.call({ session_id, script: 'intros. split. 2:{' }, context);
    const aside = await operations.rocq_goals.call({ session_id, from: two.state, all: true }, context);
    expect(operations.rocq_goals.render(aside)).toMatch(/Unfocused 1:\n[^]*─\nP$/u);
  });

  it('goals are compared with those of another state, and cut with a word of it', async () => {
    const { session_id } = await open('both');
    await caller.call('rocq_step', { session_id, script: 'intros p q.' });
    const compared = await caller.call('rocq_goals', { session_id, from: 's1', compare_with: 's0' });
    expect(compared['difference']).toContain('+p : P\n+q : Q');
    const cut = await caller.call('rocq_goals', { session_id, max_characters: 5 });
    expect(cut).toMatchObject({ goals_cut: true, goals: [{ conclusion: 'P -> … (16 characters)' }] });
  });

  it('what was tried is a tree', async () => {
    const { session_id } = await open('both');
    await caller.call('rocq_step', { session_id, script: 'intros p q.' });
    await caller.call('rocq_step', { session_id, from: 's1', script: 'split. exact p.' });
    await caller.call('rocq_check_proof', { session_id, proof: 'intros p q. split; assumption.' });
    expect(await caller.call('rocq_proof_tree', { session_id })).toEqual({
      states: [
        { state: 's0', parent: null, script: '', goals_left: 1, in_proof: true },
        { state: 's1', parent: 's0', script: 'intros p q.', goals_left: 1, in_proof: true },
        { state: 's2', parent: 's1', script: 'split.\nexact p.', goals_left: 1, in_proof: true },
        { state: 's3', parent: 's1', script: 'split; assumption.\nQed.', goals_left: 0, in_proof: false },
      ],
    });
    const tree = await operations.rocq_proof_tree.answer({ session_id }, caller.context());
    expect(tree.text()).toBe(
      [
        's0 (1 goal left)',
        '  s1 (1 goal left) intros p q.',
        '    s2 (1 goal left) split. exact p.',
        '    s3 (the proof is closed) split; assumption. Qed.',
      ].join('\n'),
    );
    const listed = await operations.rocq_sessions.answer({}, caller.context());
    expect(listed.text()).toContain(`${session_id}: both in a.v, 4 states, last used `);
  });
});

describe('the environment', () => {
  const results = async (name: string, input: Record<string, unknown>) =>
    (await caller.call(name, { file: 'a.v', ...input }))['results'] as string[];

  it('answers about names, terms and patterns at a place', async () => {
    expect((await results('rocq_about', { name: 'Coq.Lists.List.In' })).join()).toContain('list A -> Prop');
    expect((await results('rocq_check_term', { term: 'both True', theorem: 'app_two' })).join()).toContain(
      '/\\',
    );
    expect((await results('rocq_print', { name: 'app_one' })).join()).toContain('eq_refl');
    expect((await results('rocq_locate', { name: '"++"' })).join()).toContain('app');
    expect((await results('rocq_search', { pattern: '(_ ++ _ = _ :: _)' })).join()).toContain('app_one');
    expect((await results('rocq_assumptions', { name: 'app_two' })).join()).toContain('app_two :');
    expect(await results('rocq_assumptions', { name: 'app_one' })).toEqual([]);
    const section = 'Section S. Variable h : False. Theorem v : False. Proof. exact h. Qed.\n';
    await caller.write('section.v', section);
    expect(await results('rocq_assumptions', { name: 'v', file: 'section.v' })).toEqual(['h : False']);
    // Rocq reads the proof of this one from disk, and says so.
    expect(await results('rocq_assumptions', { name: 'plus_n_O' })).toEqual([]);
    expect(await results('rocq_objects', {})).toEqual(
      expect.arrayContaining([
        'app_one : forall (A : Type) (x : A) (l : list A), [x] ++ l = x :: l',
        'both : forall P Q : Prop, P -> Q -> P /\\ Q',
      ]) as string[],
    );
  });

  it('knows only what stands before the place', async () => {
    expect(
      await caller.failure('rocq_about', { file: 'a.v', theorem: 'both', name: 'app_two' }),
    ).toMatchObject({
      reason: 'not-found',
    });
  });

  it('takes one term and nothing behind it', async () => {
    for (const term of ['1). Axiom f : False. Check (f', '1) (* ', '"']) {
      expect(await caller.failure('rocq_check_term', { file: 'a.v', term })).toMatchObject({
        reason: 'invalid-input',
      });
    }
    for (const name of ['Options', 'LoadPath', 'All', 'Universes', 'Term', 'Hint', 'Tables']) {
      const refused = await caller.failure('rocq_print', { file: 'a.v', name });
      expect(refused.text).toContain(`${name} not a defined object.`);
    }
    for (const name of ['Universes "x"', 'nat. Quit', '']) {
      expect(await caller.failure('rocq_print', { file: 'a.v', name })).toMatchObject({
        reason: 'invalid-input',
      });
    }
  });

  it('a search for lemmas needs no file: an empty one has what it finds', async () => {
    const { results, rests_on } = await caller.call('rocq_search', { pattern: '(_ + 0)' });
    expect((results as string[]).join()).toContain('plus_n_O');
    expect(rests_on).toMatchObject({ file: null });
    const lost = await caller.failure('rocq_search', { pattern: '(_ + 0)', theorem: 'a' });
    expect(lost.text).toContain('Say where to ask');
  });

  it('pages through long answers', async () => {
    const all = await caller.call('rocq_search', { file: 'a.v', pattern: '(_ ++ _)', limit: 1000 });
    const second = await caller.call('rocq_search', {
      file: 'a.v',
      pattern: '(_ ++ _)',
      offset: 1,
      limit: 2,
    });
    expect(second['total']).toBe(all['total']);
    expect(second['results']).toEqual((all['results'] as string[]).slice(1, 3));
  });

  it('explains the notations of a statement', async () => {
    const { notations } = await caller.call('rocq_notations', { file: 'a.v', theorem: 'app_one' });
    expect((notations as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual(
      expect.arrayContaining(['++', '::', '=']) as string[],
    );
  });

  it('ranks lemmas and finds similar proofs for a goal, but never the target’s own', async () => {
    const { session_id } = await open('app_two');
    const { premises } = await caller.call('rocq_premises', { session_id, limit: 5 });
    expect((premises as { name: string }[]).map(({ name }) => name)).toContain('app_one');
    const similar = await caller.call('rocq_similar_proofs', { session_id });
    expect(similar['proofs']).toMatchObject([
      { name: 'app_one', proof: 'Proof. reflexivity. Qed.' },
      { name: 'both' },
    ]);
    const other = await open('app_one');
    const names = (await caller.call('rocq_similar_proofs', { session_id: other.session_id }))['proofs'] as {
      name: string;
    }[];
    expect(names.map(({ name }) => name)).not.toContain('app_one');
  });

  it('offers what states something, not definitions and constructors of data', async () => {
    await caller.write(
      'stated.v',
      `Require Import List.
Inductive even : nat -> Prop := even_0 : even 0 | even_SS : forall n, even n -> even (S (S n)).
Lemma asked (l : list nat) : even (length (l ++ l)) -> even (length (rev l ++ l)). Admitted.
`,
    );
    const place = { file: 'stated.v', theorem: 'asked' };
    const { premises } = await caller.call('rocq_premises', { ...place, limit: 100 });
    const names = (premises as { name: string }[]).map(({ name }) => name.split('.').at(-1));
    expect(names).toEqual(expect.arrayContaining(['rev_length', 'app_length']));
    for (const none of ['app', 'length', 'rev', 'cons', 'S', 'even', 'list_rect'])
      expect(names).not.toContain(none);
  });

  it('offers neither the theorem of a place nor what comes behind it, and says what is open', async () => {
    await caller.write(
      'helped.v',
      `Lemma early (n : nat) : n + 0 = n + 0 + 0. Admitted.
Lemma asked (n : nat) : n + 0 = n. Admitted.
Lemma late (n : nat) : n + 0 + 0 = n. Proof. now rewrite !asked. Qed.
`,
    );
    const place = { file: 'helped.v', theorem: 'asked' };
    const { premises } = await caller.call('rocq_premises', { ...place, limit: 500 });
    const own = (premises as { name: string; open: boolean }[]).filter(({ name }) => /^[a-z]+$/u.test(name));
    expect(own).toContainEqual(expect.objectContaining({ name: 'early', open: true }));
    expect(own.map(({ name }) => name)).not.toContain('asked');
    const { proofs } = await caller.call('rocq_similar_proofs', { ...place, scope: 'project' });
    expect((proofs as { name: string }[]).map(({ name }) => name)).not.toContain('late');
  });
});

describe('the file', () => {
  it('is outlined with its holes', async () => {
    expect(await caller.call('rocq_outline', { file: 'a.v' })).toMatchObject({
      total: 4,
      theorems: [
        { name: 'app_one', proved: true, line: 4, column: 0, end_line: 5 },
        { name: 'both', closing: 'Qed' },
        { name: 'app_two', proved: false, hole: 'admitted' },
        { name: 'inside', path: ['s'] },
      ],
      holes: [{ theorem: 'app_two' }, { theorem: 'inside' }],
    });
  });

  it('does not hand out the proof of a target', async () => {
    const proof = { file: 'a.v', theorem: 'both' };
    const client = { client: 'one that proves it' };
    expect(await caller.call('rocq_theorem', proof, client)).toMatchObject({
      withheld: false,
      proof: expect.stringContaining('exact p') as string,
    });
    const { session_id } = await caller.call('rocq_open', proof, client);
    expect(await caller.call('rocq_theorem', proof, client)).toMatchObject({ withheld: true, proof: null });
    const names = (more: Record<string, unknown>) =>
      caller.call('rocq_theorem_names', { file: 'a.v', session_id, ...more }, client);
    expect((await names({}))['names']).not.toContain('both');
    expect((await names({ with_target: true }))['names']).toContain('both');
    const withheld = { reason: 'invalid-input', text: expect.stringContaining('withheld') as string };
    for (const [operation, input] of [
      ['proof_tree', proof],
      ['proof_export', proof],
      ['proof_export', { file: 'a.v', theorem: 'app_one', beside: 'both' }],
      ['rocq_print', { file: 'a.v', name: 'both' }],
    ] as const) {
      expect(await caller.failure(operation, input, client), operation).toMatchObject(withheld);
      const other = { client: 'one that only looks' };
      expect(await caller.call(operation, input, other), operation).toBeDefined();
    }
    await caller.call('rocq_close', { session_id }, client);
    expect(await caller.call('proof_tree', proof, client)).toMatchObject({ outcome: 'finished' });
  });

  it('is checked to its end, with the goals at each error', async () => {
    await caller.write(
      'errors.v',
      'Lemma a (n : nat) : n = n.\nProof. intros. exact 1. Qed.\nLemma b : True.\nProof. exact I. Qed.\nDefinition c : nat := true.\n',
    );
    expect(await caller.call('rocq_compile', { file: 'errors.v' })).toMatchObject({
      ok: false,
      errors: [
        { theorem: 'a', line: 2, column: 21, goals: [{ conclusion: 'n = n' }] },
        { theorem: null, line: 5, goals: [] },
      ],
    });
    expect(caller.progress.some(({ message }) => message === 'Checking the file')).toBe(true);
  });

  it.each([
    [true, null, 'Theorem x : True. Proof. exact I. Qed.'],
    [false, '5:12', 'Theorem x : nosuch.'],
  ])(
    'is filled, and whether that is all is told (%s): it may stop compiling behind the proof',
    async (holds, stops_behind, rest) => {
      await caller.write('behind.v', `Theorem t : True.\nProof. Admitted.\n${rest}\n`);
      const input = { file: 'behind.v', theorem: 't', proof: 'exact I.', dry_run: true };
      const answer = await operations.rocq_fill.answer(input, caller.context());
      expect(answer.value).toMatchObject({ verdict: 'accepted', stops_behind });
      expect(answer.holds()).toBe(holds);
    },
  );

  it('is filled after the gate accepted the proof, keeping everything else', async () => {
    const text = FILE.replaceAll('\n', '\r\n');
    const path = await caller.write('fill.v', text);
    const { file_hash } = await caller.call('rocq_outline', { file: 'fill.v' });
    const fill = { file: 'fill.v', theorem: 'app_two', proof: 'reflexivity.', file_hash };
    expect(await caller.call('rocq_fill', { ...fill, dry_run: true })).toMatchObject({
      written: false,
      verdict: 'accepted',
    });
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await caller.call('rocq_fill', { ...fill, proof: 'intros.' })).toMatchObject({
      written: false,
      verdict: 'rejected',
    });
    expect(await caller.call('rocq_fill', fill)).toMatchObject({ written: true, verdict: 'accepted' });
    expect(await readFile(path, 'utf8')).toBe(
      text.replace('y :: l.\r\nAdmitted.', 'y :: l.\r\nProof.\r\n  reflexivity.\r\nQed.'),
    );
    expect(await caller.failure('rocq_fill', fill)).toMatchObject({ reason: 'file-changed' });
    expect(await caller.call('rocq_compile', { file: 'fill.v' })).toMatchObject({ errors: [] });
  });

  it('is not filled with what is no single proof, and says why and where', async () => {
    const text = 'Lemma t : 1 = 1.\nAdmitted.\nLemma u : True.\nProof. exact I. Qed.\n';
    const path = await caller.write('single.v', text);
    const fill = (proof: string, more = {}) =>
      caller.call('rocq_fill', { file: 'single.v', theorem: 't', proof, ...more });
    expect(await fill('reflexivity. Qed. Axiom bad : False. Lemma x : True. Proof. exact I.')).toMatchObject({
      written: false,
      verdict: 'rejected',
      findings: [expect.stringMatching(/^not-one-proof: The proof ends with `Qed\.` .*\(1:18\)/u)],
      new_file_hash: null,
    });
    expect(await fill('Redirect "stolen" Print nat. reflexivity.')).toMatchObject({
      written: false,
      findings: [expect.stringMatching(/^forbidden-command: .*Redirect.*\(1:0\)/u)],
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('becomes exactly what was judged, or stays as it is', async () => {
    const path = await caller.write('expected.v', 'Lemma t : 1 = 1.\nAdmitted.\n');
    const fill = { file: 'expected.v', theorem: 't', proof: 'reflexivity.' };
    const { new_file_hash: expected_hash } = await caller.call('rocq_fill', { ...fill, dry_run: true });
    expect(
      await caller.failure('rocq_fill', { ...fill, proof: 'auto.', unjudged: true, expected_hash }),
    ).toMatchObject({ reason: 'not-verified' });
    expect(await readFile(path, 'utf8')).toContain('Admitted');
    expect(await caller.call('rocq_fill', { ...fill, expected_hash })).toMatchObject({
      written: true,
      file_hash: expected_hash,
    });
    expect(await caller.call('rocq_fill', fill)).toMatchObject({
      diff: '',
      notes: ['The file has this proof already.'],
    });
  });

  it.each(['(* First nothing. Then Coq does it. *) reflexivity.', 'idtac "First. Then". reflexivity. Qed.'])(
    'is filled with what the gate accepted, whatever its comments and strings say: %s',
    async (proof) => {
      const path = await caller.write('said.v', 'Lemma t : 1 = 1.\nAdmitted.\n');
      const fill = { file: 'said.v', theorem: 't', proof };
      expect(await caller.call('rocq_fill', { ...fill, unjudged: true })).toMatchObject({ written: false });
      const judged = await caller.call('rocq_fill', { ...fill, dry_run: true });
      expect(judged).toMatchObject({ verdict: 'accepted' });
      const { new_file_hash: expected_hash } = judged;
      const written = await caller.call('rocq_fill', { ...fill, unjudged: true, expected_hash });
      expect(written).toMatchObject({ written: true, file_hash: expected_hash });
      expect(await readFile(path, 'utf8')).toContain(proof.slice(0, 20));
    },
  );

  it.each([
    'Local Notation "a = b" := True : type_scope. exact I.',
    'Axiom F : False. exact I.',
    'Parameter F : False. exact I.',
    `Notation "'{(*' x" := x (at level 200). Check {(* 0. exact I. Qed. Axiom F : False. (* *) *) exact I.`,
    'idtac (* *) . (* " *) Axiom F : False. (* " *) exact I.',
    'Require Import Lia. exact I.',
    'Check I. exact I.',
  ])('of what nobody judges no command is written: %s', async (proof) => {
    const text = 'Lemma p : True.\nProof.\nAdmitted.\n';
    const path = await caller.write('unjudged.v', text);
    const fill = { file: 'unjudged.v', theorem: 'p', proof, unjudged: true };
    const filled = await caller.call('rocq_fill', fill);
    expect(filled).toMatchObject({
      written: false,
      verdict: 'rejected',
      findings: [expect.stringContaining('forbidden-command')],
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it.each([
    'idtac. Admitted.',
    '- idtac.\n  Finish. (* a. b *)',
    'exact I.',
    'split; [ | ].',
    'Unshelve. all: try exact I.',
  ])('a proof that is not finished is written unjudged: %s', async (proof) => {
    const path = await caller.write(
      'unjudged.v',
      'Ltac Finish := exact I.\nLemma p : True.\nProof. auto. Qed.\n',
    );
    const fill = { file: 'unjudged.v', theorem: 'p', proof, unjudged: true };
    const filled = await caller.call('rocq_fill', fill);
    expect(filled, JSON.stringify(filled)).toMatchObject({ written: true, verdict: 'not-asked' });
    expect(await readFile(path, 'utf8')).toMatch(/\sAdmitted\.\n$/u);
  });

  it('is refused outside of the workspace, also by a link', async () => {
    await symlink('/etc', join(caller.folder, 'link'));
    for (const file of ['../x.v', '/etc/passwd', 'link/passwd', 'link/../../etc/passwd']) {
      expect(await caller.failure('rocq_outline', { file })).toMatchObject({ reason: 'outside-workspace' });
    }
  });

  it('names the dependencies that changed after they were compiled', async () => {
    const coqc = findExecutable(['coqc']);
    // Without coqc the embedded Rocq answers, which compiles what a file requires by itself.
    await writeFile(join(caller.folder, '_CoqProject'), '-R . P\n');
    const dependency = await caller.write('dep.v', 'Definition d := 1.\n');
    await caller.write('user.v', 'From P Require Import dep.\nLemma t : d = 1.\nAdmitted.\n');
    const stale = async () => {
      const { rests_on } = await caller.call('rocq_similar_proofs', {
        file: 'user.v',
        goal: 'd = 1',
        line: 1,
      });
      return (rests_on as { stale: string[] }).stale;
    };
    expect(await stale()).toEqual(coqc === undefined ? [] : ['dep.v']);
    if (coqc !== undefined) {
      execFileSync(coqc, ['-R', '.', 'P', 'dep.v'], { cwd: caller.folder });
      expect(await stale()).toEqual([]);
      const asked = { file: 'user.v', name: 'd' };
      const ofNow = await operations.rocq_assumptions.answer(asked, caller.context());
      expect(ofNow.text()).toBe('It rests on no axiom.');
      expect(await open('t', 'user.v')).toMatchObject({ state: 's0' });
      const later = new Date(Date.now() + 10_000);
      await utimes(dependency, later, later);
      expect(await stale()).toEqual(['dep.v']);
      const ofBefore = await operations.rocq_assumptions.answer(asked, caller.context());
      expect(ofBefore.text()).toMatch(
        /^It rests on no axiom\.\nThis tells of older files: .*dep\.v has changed/u,
      );
    }
  });

  it('is searched up to a library that is missing, which is the reason of all behind it', async () => {
    // Else every other Rocq of the machine is tried.
    vi.stubEnv('QUOD_ROCQ_BACKEND', 'coqidetop');
    const refused = 'Require Import NoSuchLibrary.\nLemma behind : True.\nAdmitted.\n';
    await caller.write('requires.v', refused);
    expect(await caller.failure('proof_search', { file: 'requires.v', nodes: 20 })).toMatchObject({
      reason: 'library-missing',
      text: expect.stringMatching(/requires\.v:1:\d+: .*NoSuchLibrary/) as string,
    });
    await caller.write('between.v', `Lemma before : True.\nAdmitted.\n${refused}`);
    expect(await caller.call('proof_search', { file: 'between.v', nodes: 20 })).toMatchObject({
      proved: 1,
      partial: true,
      results: [
        { theorem: 'before', line: 1, outcome: 'proved' },
        { theorem: 'behind', line: 4, outcome: 'not-proved', reason: 'library-missing' },
      ],
    });
  });

  it('is searched for proofs, and what is found is not written', async () => {
    await caller.write(
      'search.v',
      'Lemma easy (n : nat) : n = n.\nAdmitted.\nParameter p : Prop.\nLemma open : p.\nAdmitted.\n',
    );
    const answer = await caller.call('proof_search', { file: 'search.v', nodes: 20 });
    expect(answer).toMatchObject({
      proved: 1,
      partial: false,
      results: [
        { theorem: 'easy', outcome: 'proved' },
        { theorem: 'open', outcome: 'not-proved', proof: null },
      ],
    });
    expect(await readFile(join(caller.folder, 'search.v'), 'utf8')).toContain('Admitted');
    expect(await caller.failure('proof_search', { file: 'search.v', theorems: ['esy'] })).toMatchObject({
      reason: 'not-found',
      text: expect.stringContaining('easy') as string,
    });
  });
});
