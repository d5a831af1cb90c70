/**
 * Turns a counterexample into a proof of the negation, in the session, sentence by sentence. The engine's word
 * counts for nothing here: every premise is proved, and what is left of the statement is refuted, by tactics that
 * Rocq runs.
 */
import type { ProverSession, StateId } from '../core/prover.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import type { Allowance } from './allowance.ts';
import { bracketsAround, type Candidate, type Step } from './candidates.ts';
import { named, saidByH, type NamedValue } from './earlier-disproof.ts';

/** What the file's own tactics are: `lia` is there only where it was required. */
export interface Tools {
  readonly arithmetic: string | undefined;
}

export interface DisproofOptions {
  readonly tools: Tools;
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
  /** Only what an earlier run proved it with is tried, and whether the values are those of the variables so named. */
  readonly earlier?: {
    readonly script: readonly string[];
    /** The definition behind which `H` has its variables. */
    readonly unfold?: string | undefined;
  };
}

// Names are written as no file calls its own: one with its own `ex` or `true` has the same proofs.

/** Prove a closed proposition, the plainest first. */
function premiseProofs({ arithmetic }: Tools): string[] {
  const lia = arithmetic ?? 'fail';
  return [
    ...['exact I', 'reflexivity', 'auto', ...(arithmetic === undefined ? [] : [arithmetic]), 'discriminate'],
    ...['vm_compute; reflexivity', 'vm_compute; discriminate', 'repeat constructor', 'repeat econstructor'],
    'simpl; auto 10',
    'simpl; tauto',
    'intuition discriminate',
    `vm_compute; repeat constructor; discriminate`,
    `repeat (constructor || (simpl; intuition (try discriminate; try congruence; try ${lia})))`,
    'eauto 10',
    'intros; apply PeanoNat.Nat.eqb_eq; assumption',
    `intros; simpl in *; intuition (subst; simpl; auto; try discriminate; try congruence; try ${lia})`,
    // By cases of one of its variables.
    `intros; match goal with x : _ |- _ => solve [destruct x; simpl in *; intuition (subst; simpl in *; try discriminate; try congruence; try ${lia})] end`,
    `repeat intro; repeat match goal with H : _ |- _ => progress (simpl in H) || (inversion H; clear H; subst) end; simpl; auto; try congruence; try ${lia}`,
  ];
}

/** Rocq's order of natural numbers, without any library and whatever comes of it: `8 <= 7`, then `1 <= 0`. */
const ORDER = 'repeat apply Init.Peano.le_S_n in H; inversion H';

/** Refute each side of the disjunction `H`, the plainest first. */
function sidesRefuted({ arithmetic }: Tools): string[] {
  const one = ['discriminate H', 'contradiction', ...(arithmetic === undefined ? [] : [arithmetic]), ORDER];
  return one.flatMap((left) =>
    one.map((right) =>
      left === right ? `destruct H as [H | H]; ${left}` : `destruct H as [H | H]; [${left} | ${right}]`,
    ),
  );
}

/** Refute the closed proposition `H`, the plainest first. */
function refutations(tools: Tools): string[] {
  const { arithmetic } = tools;
  const lia = arithmetic ?? 'fail';
  const order = 'match goal with H : _ |- _ => solve [repeat apply Init.Peano.le_S_n in H; inversion H] end';
  const leaf = `solve [discriminate | contradiction | congruence | ${lia} | tauto | ${order}]`;
  const invert = (times: number): string =>
    `do ${times} (try ${leaf}; try match goal with X : ?P |- _ => match type of P with Prop => inversion X; clear X; subst; simpl in * end end); ${leaf}`;
  const opened =
    'repeat match goal with X : _ /\\ _ |- _ => destruct X | X : _ \\/ _ |- _ => destruct X | X : Init.Logic.ex _ |- _ => destruct X | X : _ <-> _ |- _ => destruct X end';
  // Rules that compose, as that of transitivity, are inverted without end: what all of them keep tells values apart.
  const kept = (claim: string, proof: string): string =>
    `lazymatch type of H with ?R ?a ?b => assert (I : forall x y, R x y -> ${claim}) by (induction 1; ${proof}); specialize (I _ _ H); clear H; rename I into H end`;
  const lengths = (comparison: string): string =>
    kept(`Init.Datatypes.length x ${comparison} Init.Datatypes.length y`, `simpl in *; congruence || ${lia}`);
  const members = kept('forall z, List.In z x -> List.In z y', 'intros; simpl in *; intuition (subst; auto)');
  return [
    ...['discriminate H', 'contradiction', ...(arithmetic === undefined ? [] : [arithmetic])],
    ...['inversion H', 'now inversion H', 'congruence', 'tauto'],
    // Numbers that are written out are compared by computing.
    ...['leb_le', 'ltb_lt'].map((lemma) => `apply PeanoNat.Nat.${lemma} in H; discriminate H`),
    ...[lia, 'discriminate', '(subst; discriminate)', 'inversion H'].map(
      (end) => `destruct H as [x H]; ${end}`,
    ),
    ...(arithmetic === undefined ? [ORDER] : []),
    ...sidesRefuted(tools),
    'destruct H as [x H]; induction x; simpl in *; congruence',
    ...['congruence', lia, '(subst; discriminate)'].map((end) => `destruct H as [x [H1 H2]]; ${end}`),
    ...[
      'simpl in H; discriminate H',
      'vm_compute in H; discriminate H',
      'vm_compute in H; apply H; reflexivity',
    ],
    'vm_compute in H; intuition discriminate',
    'vm_compute in H; now inversion H',
    `simpl in H; ${opened}; subst; ${leaf}`,
    ...['0', '1', ...['true', 'false', 'tt', 'nil'].map((name) => `Init.Datatypes.${name}`)].map(
      (value) => `apply (Init.Logic.f_equal (fun f => f ${value})) in H; vm_compute in H; discriminate H`,
    ),
    invert(3),
    `simpl in *; ${opened}; subst; simpl in *; ${invert(6)}`,
    `vm_compute in H; ${opened}; subst; ${invert(4)}`,
    // A witness is nothing that can be computed: its first constructors are looked at one by one.
    `${opened}; do 3 (try ${leaf}; match goal with x : ?T |- _ => match type of T with Prop => fail 1 | _ => destruct x; simpl in * end end); try ${leaf}; ${invert(3)}`,
    `${lengths('=')}; discriminate H`,
    `${lengths('<=')}; simpl in H; ${lia}`,
    `${members}; specialize (H _ ltac:(left; reflexivity)); simpl in H; intuition discriminate`,
    'exact (match H with end)',
    'firstorder (try discriminate)',
  ];
}

/** The tactics from the statement `H` to the end, or where there are none. */
export type Disproof =
  | { readonly kind: 'proved'; readonly script: readonly string[] }
  | {
      readonly kind: 'stuck';
      /** `values`: they do not fit as they are printed. */
      readonly at: 'values' | 'premise' | 'conclusion';
      /** Steps of the candidate up to there: whoever shares them is stuck, too. */
      readonly steps: number;
    };

/** @param opened Where the negation is to be proved, behind `Proof.`. */
export async function disprove(
  session: ProverSession,
  opened: StateId,
  { steps }: Pick<Candidate, 'steps'>,
  options: DisproofOptions,
): Promise<Disproof> {
  const run = async (from: StateId, sentence: string): Promise<StateId | undefined> => {
    const timeoutMs = options.signal.aborted ? undefined : options.allowance.forSentence();
    if (timeoutMs === undefined) return undefined;
    const result = await session.run(from, asSentence(sentence), { timeoutMs, signal: options.signal });
    return result.status === 'done' ? result.state : undefined;
  };
  const { tools, earlier } = options;
  const wanted = (sentences: readonly string[]): readonly string[] =>
    earlier === undefined ? sentences : sentences.filter((sentence) => earlier.script.includes(sentence));
  const saidAfter = async (from: StateId, sentences: readonly string[]): Promise<string | undefined> => {
    let at: StateId | undefined = from;
    const { unfold } = earlier ?? {};
    for (const sentence of unfold === undefined
      ? sentences
      : [`cbv beta delta [${unfold}] in H.`, ...sentences])
      at = at && (await run(at, sentence));
    return at && saidByH(await session.goals(at));
  };
  const script = ['intro H.'];
  let state = await run(opened, 'intro H.');
  if (state === undefined) return { kind: 'stuck', at: 'values', steps: steps.length };
  let done = 0;
  for (const group of grouped(steps)) {
    done += group.kind === 'values' ? group.values.length : 1;
    const found = await firstThatWorks(state, wanted(sentencesFor(group, tools)), run);
    if (found === undefined)
      return { kind: 'stuck', at: group.kind === 'premise' ? 'premise' : 'values', steps: done };
    if (earlier !== undefined && group.kind === 'values') {
      const said = await saidAfter(state, [named(group.values)]);
      if (said === undefined || said !== (await saidAfter(found.state, [])))
        return { kind: 'stuck', at: 'values', steps: done };
    }
    script.push(found.sentence);
    state = found.state;
  }
  for (const sentence of wanted(refutations(tools).map((tactic) => `${tactic}.`))) {
    const closed = await run(state, sentence);
    if (closed === undefined) continue;
    const proof = await session.goals(closed);
    if (proof === null || proof.goals.length > 0 || proof.shelved > 0 || proof.givenUp > 0) continue;
    if ((await run(closed, 'Qed.')) === undefined) continue;
    return { kind: 'proved', script: [...script, sentence] };
  }
  return { kind: 'stuck', at: 'conclusion', steps: steps.length };
}

type Group =
  | { readonly kind: 'values'; readonly values: readonly NamedValue[] }
  | { readonly kind: 'premise' | 'left' | 'right' };

/** Values one behind the other are given together. */
function grouped(steps: readonly Step[]): Group[] {
  const groups: Group[] = [];
  let values: NamedValue[] = [];
  const flush = (): void => {
    if (values.length > 0) groups.push({ kind: 'values', values });
    values = [];
  };
  for (const step of steps) {
    if (step.kind === 'value') values.push(step);
    else {
      flush();
      groups.push(step);
    }
  }
  flush();
  return groups;
}

function sentencesFor(group: Group, tools: Tools): string[] {
  switch (group.kind) {
    case 'values': {
      const values = group.values.map(({ value }) => asArgument(value)).join(' ');
      return [`specialize (H ${values}).`, `specialize (@H ${values}).`];
    }
    case 'premise':
      return premiseProofs(tools).map((tactic) => `specialize (H ltac:(${tactic})).`);
    case 'left':
      return ['destruct H as [H _].'];
    case 'right':
      return ['destruct H as [_ H].'];
  }
}

function asArgument(value: string): string {
  const isOne =
    /^[\p{L}\p{N}_.']+$/u.test(value) || /^\[[^[\]]*\]$/u.test(value) || bracketsAround(value) !== 'none';
  return isOne ? value : `(${value})`;
}

async function firstThatWorks(
  state: StateId,
  sentences: readonly string[],
  run: (from: StateId, sentence: string) => Promise<StateId | undefined>,
): Promise<{ readonly sentence: string; readonly state: StateId } | undefined> {
  for (const sentence of sentences) {
    const next = await run(state, sentence);
    if (next !== undefined) return { sentence, state: next };
  }
  return undefined;
}
