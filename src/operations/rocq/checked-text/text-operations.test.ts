/** Texts as an editor sends them: what is run, what is kept, and what is said of errors. With the real Rocq. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { lackingFor } from '../../../gate/rocq/testing/judged-case.ts';
import { findExecutable } from '../../../process/executable.ts';
import { changeAllowed } from '../../../process/foreign-folder/allowed.ts';
import { operations } from '../../catalogue.ts';
import type { Progress } from '../../definition/operation-context.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';
import { rocqWorkbenchOf } from '../session/place.ts';

const hasRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

const PROVED = `Lemma swap (p q : Prop) : p /\\ q -> q /\\ p.
Proof.
  intros [hp hq].
  split.
  - exact hq.
  - exact hp.
Qed.
`;

describe.skipIf(!hasRocq)('a text that is typed', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller();
  });
  afterAll(() => caller.close());

  /** Asks until all of it was run. */
  const checked = async (text: string, file = 'typed.v', seconds = 5) => {
    const context = caller.context();
    let answer = await operations.rocq_text_check.call({ file, text, seconds }, context);
    while (!answer.complete) {
      const { version } = answer;
      answer = await operations.rocq_text_check.call({ file, version, seconds }, context);
    }
    return answer;
  };
  const goalsAt = (version: string, line: number, column = 0) =>
    operations.rocq_text_goals.call({ file: 'typed.v', version, line, column }, caller.context());

  it('an error says what import helps against it', async () => {
    const { sentences } = await checked('Definition pair : list nat := [1; 2].', 'hinted.v');
    expect(sentences[0]?.error?.message).toMatch(
      /\nRocq takes this where `.*Import ListNotations\.` stands/u,
    );
  });

  it('an error that follows from an earlier one says from which and where, also when it is asked for later', async () => {
    const text = `From Nowhere Require Import nothing.
Definition weight (n : nat) : nat := fold_rigth n.
Lemma own : 0 = 1.
Proof. reflexivity. Qed.
Lemma by_weight : weight 0 = 0.
Proof. reflexivity. Qed.
Lemma by_lemma : weight 0 = 0 -> by_weight = by_weight.
Proof. rewrite own. Qed.
Lemma dot
Check by_weight.
`;
    const { version, sentences } = await checked(text);
    const told = (some: typeof sentences) =>
      some.flatMap(({ line, error }) => (error === null ? [] : [[line, error.follows, error.follows_line]]));
    const all = [
      [1, null, null],
      [2, 'Nowhere.nothing', 1],
      [4, null, null],
      [5, 'Nowhere.nothing', 1],
      [7, 'Nowhere.nothing', 1],
      [9, null, null],
    ];
    expect(told(sentences)).toEqual(all);
    const input = { file: 'typed.v', version, known: 6, seconds: 0 };
    const later = await operations.rocq_text_check.call(input, caller.context());
    expect(told(later.sentences)).toEqual(all.filter(([line]) => Number(line) >= 5));
    const own = await checked('Definition weight := fold_rigth.\nLemma l : weight = weight.\nProof. Qed.\n');
    expect(told(own.sentences)).toEqual([
      [1, null, null],
      [2, 'weight', 1],
    ]);
  });

  it('behind a proof that is refused none is open, also where the next statement is refused', async () => {
    const { version } = await checked(
      'Lemma own (n : nat) : n + 0 = n.\nProof.\nreflexivity.\nQed.\nLemma bad : nowhere.\nProof. Qed.\n',
    );
    // Within it the goals are those before the error.
    expect((await goalsAt(version, 3, 12)).goals.map(({ conclusion }) => conclusion)).toEqual(['n + 0 = n']);
    for (const [line, column] of [
      [4, 4],
      [5, 20],
      [7, 0],
    ] as const)
      expect(await goalsAt(version, line, column)).toMatchObject({ in_proof: false, goals: [] });
  });

  it('is run to its end, and every place of it is known then', async () => {
    const { version, sentences, session_id } = await checked(PROVED);
    expect(sentences.map(({ status }) => status)).toEqual(sentences.map(() => 'ran'));
    const split = await goalsAt(version, 4, 8);
    expect(split).toMatchObject({ reached: true, goals_total: 2, sentence: 3, session_id });
    expect(split.before.map(({ conclusion }) => conclusion)).toEqual(['q /\\ p']);
    expect(split.goals[0]?.hypotheses.map(({ name }) => name)).toEqual(['p', 'q', 'hp', 'hq']);
    expect(await goalsAt(version, 7, 4)).toMatchObject({ in_proof: false, goals: [] });
    // The state can be worked from like any other.
    const tried = await operations.rocq_try.call(
      { session_id, from: split.state, alternatives: ['exact hp.', '- exact hq.', 'tauto.'] },
      caller.context(),
    );
    expect(tried.results.map(({ accepted }) => accepted)).toEqual([false, true, true]);
  });

  it('asked for by several at once, each sentence runs where the one before it led', async () => {
    const text = `Definition first := 0.\n${PROVED}Lemma second : first = 0.\nProof.\n  reflexivity.\nQed.\n`;
    const answers = await Promise.all([text, text, text].map((one) => checked(one, 'at-once.v', 0.001)));
    for (const { sentences } of answers)
      expect(sentences.map(({ status, error }) => [status, error])).toEqual(
        sentences.map(() => ['ran', null]),
      );
  });

  it('is answered as far as it was run, while a sentence takes long', async () => {
    const slow = 'Fixpoint f (n : nat) := match n with 0 => 0 | S k => f k + f k end.\n';
    const text = `Definition first := 0.\n${slow}Lemma long : f 60 = 0.\nProof.\n  vm_compute.\n`;
    const stop = new AbortController();
    const runs = new Promise<number | undefined>((resolve) => {
      const context = caller.context({ signal: stop.signal });
      const watched = { ...context, progress: ({ done }: Progress) => resolve(done) };
      operations.rocq_text_check
        .call({ file: 'slow.v', text, seconds: 60 }, watched)
        .catch(() => resolve(undefined));
    });
    expect(await runs).toBe(4);
    const answer = await operations.rocq_text_check.call(
      { file: 'slow.v', text, known: 1, seconds: 0 },
      caller.context(),
    );
    expect(answer).toMatchObject({ complete: false, checked: 4 });
    expect(answer.sentences.map(({ status }) => status)).toEqual(['ran', 'ran', 'ran']);
    stop.abort();
  });

  it('is asked about the dot that it may lack', async () => {
    const { sentences } = await checked('Lemma t : True.\nProof. exact I\nQed.\n', 'no-dot.v');
    expect(sentences.at(-1)?.error?.message).toMatch(/\nIs a dot missing before `Qed`, at 3:0\?$/u);
  });

  it('what reaches beyond the prover waits until it is saved', async () => {
    const reaching = `Redirect "${join(caller.folder, 'left')}" Print nat.\n`;
    const after = 'Definition two := 2.\n';
    const before = await checked(`${reaching}${after}`, 'reaching.v');
    expect(before.sentences.map(({ status, error }) => [status, error?.reason])).toEqual([
      ['refused', 'not-allowed'],
      ['ran', undefined],
    ]);
    expect(existsSync(join(caller.folder, 'left.out'))).toBe(false);
    // The same sentence, where the user wrote it into the file.
    writeFileSync(join(caller.folder, 'reaching.v'), reaching);
    const saved = await checked(`${reaching}${after}`, 'reaching.v');
    expect(saved.sentences.map(({ status }) => status)).toEqual(['ran', 'ran']);
    expect(existsSync(join(caller.folder, 'left.out'))).toBe(true);
    // What ran once does not run again when the user has taken it out.
    rmSync(join(caller.folder, 'left.out'));
    writeFileSync(join(caller.folder, 'reaching.v'), '');
    const again = await checked(`${reaching}${after}`, 'reaching.v');
    expect(again.sentences.map(({ status }) => status)).toEqual(['refused', 'ran']);
    expect(existsSync(join(caller.folder, 'left.out'))).toBe(false);
  });

  it('says what to write for a tactic that needs programs', async () => {
    const { sentences } = await checked('Goal True /\\ True.\nsplit.\npar: exact I.\n', 'par.v');
    expect(sentences.map(({ status }) => status)).toEqual(['ran', 'ran', 'refused']);
    expect(sentences[2]?.error?.message).toContain('write `all:`');
  });

  const hasMtac = lackingFor({ needs: ['mtac2'] }).length === 0;
  const named = hasMtac ? '' : ' (needs mtac2)';
  it.skipIf(!hasMtac)(
    `nothing that a client runs starts a program, unless the user allowed it${named}`,
    async () => {
      const started = join(caller.folder, 'started');
      const opening = 'From Mtac2 Require Import Mtac2.\nRequire Import Coq.Strings.String.\n';
      const starts = `mrun (M.bind (M.os_cmd "touch ${started}"%string) (fun _ => M.ret I)).`;
      const inEveryWay = async (name: string): Promise<void> => {
        await checked(`${opening}Goal True.\n${starts}\nQed.\n`, `typed-${name}.v`);
        await caller.write(`${name}.v`, 'Lemma t : True.\nProof.\nAdmitted.\n');
        const place = { preamble: `${opening}Lemma own_${name} : True.` };
        const { session_id, state } = await operations.rocq_open.call(place, caller.context());
        await operations.rocq_step.call({ session_id, from: state, script: starts }, caller.context());
        const tried = { session_id, from: state, alternatives: [starts] };
        await operations.rocq_try.call(tried, caller.context());
      };
      await inEveryWay('forbidden');
      // A statement can hold tactics, and what they do is done before anybody knows what it says.
      await caller.write('requiring.v', opening);
      const statement = `ltac:(let go := ${starts.slice(0, -1)} in assert True by go; exact False)`;
      await operations.proof_refute.call({ file: 'requiring.v', statement, budget: 5 }, caller.context());
      expect(existsSync(started)).toBe(false);
      const fill = { file: 'forbidden.v', theorem: 't', unjudged: true };
      const filled = await operations.rocq_fill.call(
        { ...fill, proof: `${opening}${starts}` },
        caller.context(),
      );
      expect(filled).toMatchObject({ written: false });
      const own = mkdtempSync(join(tmpdir(), 'quod-own-'));
      vi.stubEnv('QUOD_CONFIG', own);
      try {
        const others = await openCaller();
        const allowed = {
          folder: realpathSync(others.folder),
          reach: { kind: 'program', program: 'rocq' },
        } as const;
        await changeAllowed(() => [allowed], process.env);
        const text = `${opening}Goal True.\n${starts}\nQed.\n`;
        await operations.rocq_text_check.call({ file: 'allowed.v', text, seconds: 60 }, others.context());
        expect(existsSync(started)).toBe(true);
        await others.close();
      } finally {
        vi.unstubAllEnvs();
        rmSync(own, { recursive: true });
      }
    },
  );

  it.each([
    'Time Redirect "left" Print nat.',
    '#[local] Redirect "left" Print nat.',
    'Fail Fail Redirect "left" Print nat.',
    'Print Universes "left".',
    'Require Extraction. Extraction "left.ml" nat.',
    'Declare ML Module "coq-core.plugins.extraction".',
    'Lemma t : True. Proof. Redirect "left" Print nat.',
    'Cd "/".',
    'Load "other".',
  ])('without being saved %s is not run', async (text) => {
    const { sentences } = await checked(`${text}\n`);
    expect(sentences.map(({ error }) => error?.reason)).toContain('not-allowed');
  });

  it.each([
    'Require Import Arith. Open Scope nat_scope. Set Implicit Arguments.',
    'Section s. Variable n : nat. Hypothesis h : n = n. End s.',
    'Axiom a : True. Parameter p : nat. Unset Guard Checking.',
    'Ltac go := auto. Tactic Notation "go" "on" := auto. Notation "a ++> b" := (a + b) (at level 40).',
    'Module Type T. Parameter t : nat. End T. Module M <: T. Definition t := 1. End M.',
    'Inductive i := c. Record r := { f : nat }. Fixpoint g (n : nat) := n. Scheme i_r := Induction for i Sort Prop.',
  ])('an editor of ordinary text notices nothing: %s', async (text) => {
    const { sentences } = await checked(`${text}\n`);
    expect(sentences.map(({ status }) => status)).toEqual(sentences.map(() => 'ran'));
  });

  it('of a later text only what stands behind the change is run', async () => {
    const before = await checked(PROVED);
    const after = await checked(PROVED.replace('exact hp', 'assumption'));
    expect(after.version).not.toBe(before.version);
    // Kept results have the very time that their one run took.
    const timesOf = (answer: typeof before) =>
      answer.sentences.slice(0, 6).map(({ elapsed_ms }) => elapsed_ms);
    expect(timesOf(after).slice(0, 5)).toEqual(timesOf(before).slice(0, 5));
  });

  it('behind a proof that is refused it goes on, with the statement admitted', async () => {
    const text = `${PROVED.replace('exact hq', 'exact hp')}Lemma twice (p q : Prop) : p /\\ q -> p /\\ q.
Proof. intros h. apply swap, swap, h. Qed.
`;
    const { sentences, version } = await checked(text);
    expect(sentences.map(({ status }) => status)).toEqual([
      ...['ran', 'ran', 'ran', 'ran', 'ran'],
      ...['refused', 'skipped', 'skipped', 'skipped'],
      ...['ran', 'ran', 'ran', 'ran', 'ran'],
    ]);
    const refused = sentences[5];
    expect(refused?.error).toMatchObject({ line: 5, end_line: 5 });
    expect(refused?.error?.message).toContain('has type "p"');
    // Where it was refused, the goal is still the one that it was meant for.
    expect((await goalsAt(version, 6, 0)).goals[0]?.conclusion).toBe('q');
  });

  it('a statement that is refused is left out with its proof, and so is a command', async () => {
    const { sentences } = await checked(
      'Lemma bad : nothing.\nProof. exact I. Qed.\nCheck wrong.\nCheck I.\n',
    );
    expect(sentences.map(({ status }) => status)).toEqual([
      ...['refused', 'skipped', 'skipped', 'skipped', 'refused', 'ran'],
    ]);
    expect(sentences[5]?.messages[0]?.text).toContain('True');
  });

  it('says what has no end, and that a version is not open', async () => {
    expect((await checked('Check I.\nCheck (')).unterminated).toMatchObject({ inside: 'sentence', line: 2 });
    await expect(goalsAt('no-such-version', 1)).rejects.toMatchObject({ reason: 'stale-state' });
    await expect(
      operations.rocq_text_check.call({ file: '../out.v', text: 'Check I.' }, caller.context()),
    ).rejects.toMatchObject({ reason: 'outside-workspace' });
  });

  it('long texts that nobody used for longest are forgotten with their sessions, whatever files they are of', async () => {
    const client = 'reader of long files';
    const context = caller.context({ client });
    const long = `(* ${'x'.repeat(3_500_000)} *)\nCheck I.\n`;
    const open = (file: string) => operations.rocq_text_check.call({ file, text: long }, context);
    const look = (file: string, version: string) =>
      operations.rocq_text_goals.call({ file, version, line: 1 }, context);
    const [first, second] = [await open('one.v'), await open('two.v')];
    await look('one.v', first.version);
    const third = await open('three.v');
    await expect(look('two.v', second.version)).rejects.toMatchObject({ reason: 'stale-state' });
    for (const [file, { version }] of [
      ['one.v', first],
      ['three.v', third],
    ] as const)
      await look(file, version);
    expect(rocqWorkbenchOf(context).sessions.of(client)).toHaveLength(2);
  });

  it('markup in names stays text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const text = `Notation "'${name}'" := True.\nGoal '${name}'.\nProof. exact I. Qed.\n`;
    const shown = z.object({ message: z.string() });
    const { sentences, version } = await checked(text);
    for (const { error } of sentences) if (error !== null) shown.parse(error);
    expect((await goalsAt(version, 3, 6)).goals_total).toBeLessThanOrEqual(1);
  });
});
