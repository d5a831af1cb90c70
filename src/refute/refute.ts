/**
 * Looks for a counterexample to a statement of a file, and proves its negation with it. Works from a state in front
 * of the theorem or behind its statement, in a session that others use, too: what is loaded is seen from no state
 * but those behind it. What comes out is a text that still has to be judged.
 */
import { orNothing } from '../core/entry.ts';
import { greatestOf } from '../core/lists/many.ts';
import type { ProverSession, StateId, StepBudget, StepResult } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { ANY_GOAL } from '../provers/rocq/syntax/theorem-text.ts';
import { allowanceOf } from './allowance.ts';
import { counterexampleText, readReport, withoutBrackets, type Step } from './candidates.ts';
import {
  claimTexts,
  namesOf,
  stateClaim,
  untried,
  type Claim,
  type NamesOfClaim,
  type StatedClaim,
  type Untried,
} from './claim.ts';
import { disprove, type Tools } from './disproof.ts';
import type { EarlierDisproof } from './earlier-disproof.ts';
import { closedText, doubtText, nothingFoundText, stoppedText, toldSuspects } from './not-refuted-text.ts';
import { ENGINE, roundSentence, type Round } from './counterexamples/engine.ts';

export interface CounterexampleValue {
  readonly name: string;
  readonly value: string;
}

/** A counterexample with a proof of the negation that the session accepted. Not judged. */
export interface Disproved {
  readonly kind: 'disproved';
  /** `n = 0, l = [1]`; empty when the statement has no variables. */
  readonly counterexample: string;
  readonly values: readonly CounterexampleValue[];
  /** Of the theorem that says it. */
  readonly name: string;
  /** The sentences of the claim and its proof, as they can stand in the file behind what is before the theorem. */
  readonly text: string;
  /** Whether `text` ends the sections around the theorem first. */
  readonly endsSections: boolean;
  /** What can be judged, one in the place of the other: the file with the claim admitted, and with it proved. */
  readonly texts: readonly { readonly target: string; readonly submission: string }[];
  /** What is to be compared in them. */
  readonly names: NamesOfClaim;
  readonly tried: number;
  /** What lets a later run refute it without a search. */
  readonly again: EarlierDisproof;
}

export interface NotRefuted {
  readonly kind: 'not-refuted';
  readonly reason: ReasonCode;
  readonly message: string;
  readonly tried: number;
  /** Counterexamples that computation suggests and that could not be proved to be some. */
  readonly suspects: readonly string[];
  /** The session accepted a proof that it fails for the suspect; the gate could not look, since the file has an error before it. */
  readonly isUnconfirmed?: true;
}

export type SearchForCounterexample = Disproved | NotRefuted | Untried;

export interface RefuteOptions {
  /** For the passes and for the proofs of what they find. */
  readonly allowed: StepBudget;
  /** How many passes there may be; default: all. */
  readonly passes?: number;
  /** What an earlier run left: nothing else is tried then. */
  readonly earlier?: EarlierDisproof | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (tried: number) => void;
}

/** Small values first, then derivations, then more of both. */
const ROUNDS: readonly Round[] = [
  { look: 'enumerate', strict: true, most: 5, size: 5, depth: 2, tried: 150, wanted: 1 },
  { look: 'narrow', strict: true, most: 4, size: 4, depth: 3, tried: 60, wanted: 1 },
  { look: 'enumerate', strict: true, most: 12, size: 9, depth: 3, tried: 1500, wanted: 2 },
  { look: 'narrow', strict: true, most: 6, size: 6, depth: 4, tried: 300, wanted: 2 },
  { look: 'enumerate', strict: false, most: 25, size: 12, depth: 4, tried: 8000, wanted: 3 },
  { look: 'narrow', strict: false, most: 6, size: 6, depth: 6, tried: 2000, wanted: 3 },
  { look: 'enumerate', strict: false, most: 60, size: 20, depth: 5, tried: 50_000, wanted: 4 },
  { look: 'narrow', strict: false, most: 8, size: 8, depth: 8, tried: 20_000, wanted: 4 },
  { look: 'enumerate', strict: false, most: 400, size: 40, depth: 6, tried: 400_000, wanted: 6 },
];

/** Larger numbers of a statement than this are not counted up to. */
const LARGEST_COUNTED = 100;

/** What a statement says of numbers it may say of those that it names: the last pass goes beyond the largest of them. */
function roundsFor({ statement }: Claim): readonly Round[] {
  const numbers = [...statement.matchAll(/\b\d{1,3}\b/gu)].map(([digits]) => Number(digits));
  const size = greatestOf([0, ...numbers.filter((number) => number <= LARGEST_COUNTED)]) + 2;
  return ROUNDS.map((round, at) =>
    at === ROUNDS.length - 1 ? { ...round, size: Math.max(round.size, size) } : round,
  );
}

/** Passes after which a variable without any value is given up. */
const HOPELESS_AFTER = 3;
const LOADING_MS = 60_000;

/** @param before The state in front of the theorem. */
export async function searchCounterexample(
  session: ProverSession,
  before: StateId,
  claim: Claim,
  options: RefuteOptions,
): Promise<SearchForCounterexample> {
  const { signal } = options;
  const stop = (reason: ReasonCode, message: string): NotRefuted => ({
    ...{ kind: 'not-refuted', reason, message, tried: 0, suspects: [] },
  });
  const begun = performance.now();
  const prepared = await prepare(session, before, claim, signal);
  if (prepared.kind !== 'prepared') return prepared;
  const { stated, theorem, claimed, tools } = prepared;
  const { earlier } = options;
  if (earlier !== undefined) {
    const { steps } = earlier;
    const known = { script: earlier.script, unfold: stated.unfold };
    const allowance = allowanceOf(options.allowed);
    const disproof = await disprove(session, claimed, earlier, { tools, allowance, signal, earlier: known });
    return disproof.kind === 'proved'
      ? disproved({ claim, stated, theorem, steps, script: disproof.script, tried: 1 })
      : stop('search-exhausted', 'What an earlier run refuted it with does not refute it.');
  }
  const engine = await engineAt(session, prepared, signal);
  if (typeof engine !== 'string') return engine;
  const allowance = allowanceOf(options.allowed, performance.now() - begun);
  const suspects: string[] = [];
  const seen = new Set<string>();
  const withoutValues = new Set<string>();
  const troubles = new Set<string>();
  let tried = 0;
  // Of the statement as it is, where it has no variables.
  let isClosed = false;
  let isDoubted = false;
  const hung = new Set<Round['look']>();
  for (const [index, round] of roundsFor(claim).slice(0, options.passes).entries()) {
    if (signal.aborted) break;
    if (allowance.isSpent() || (index >= HOPELESS_AFTER && tried === 0 && withoutValues.size > 0)) break;
    // What looks the same way further does not end either.
    if (hung.has(round.look)) continue;
    const timeoutMs = allowance.forPass();
    const result = await session.run(engine, asSentence(roundSentence(round)), { timeoutMs, signal });
    if (result.status === 'unknown') {
      if (result.reason === 'interrupted') continue;
      hung.add(round.look);
      troubles.add(result.message);
      continue;
    }
    if (result.status === 'failed') {
      troubles.add(result.error.message.trim());
      continue;
    }
    const report = readReport(result.messages);
    tried += report.tried;
    isClosed ||= report.closed;
    isDoubted ||= report.candidates.length > 0;
    options.onProgress?.(tried);
    for (const name of report.withoutValues) withoutValues.add(name);
    for (const error of report.errors) troubles.add(error);
    // What computation decided is looked at first.
    for (const candidate of report.candidates.toSorted(
      (one, other) => Number(other.certain) - Number(one.certain),
    )) {
      const text = counterexampleText(candidate);
      const beginnings = candidate.steps.map((_, index) =>
        JSON.stringify(candidate.steps.slice(0, index + 1)),
      );
      if (beginnings.some((beginning) => seen.has(beginning)) || allowance.isSpent()) continue;
      const disproof = await disprove(session, claimed, candidate, {
        tools,
        allowance: allowance.forDisproof(),
        signal,
      });
      if (disproof.kind === 'proved')
        return disproved({ claim, stated, theorem, steps: candidate.steps, script: disproof.script, tried });
      // What begins with the same values meets the same premise.
      seen.add(JSON.stringify(candidate.steps.slice(0, disproof.steps)));
      // Of a statement without variables nothing was computed: nothing is suspected of it.
      if (disproof.at !== 'values' && text !== '') suspects.push(text);
    }
  }
  if (signal.aborted) {
    const told = toldSuspects(suspects);
    return { ...stop('interrupted', stoppedText(told)), tried, suspects: told };
  }
  if (tried === 0 && withoutValues.size > 0)
    return untried(`I know no closed values for ${[...withoutValues].join(', ')}`);
  const isExhausted = !allowance.isSpent() && hung.size === 0;
  if (tried === 0 && suspects.length === 0 && isClosed)
    return stop(isExhausted ? 'search-exhausted' : 'budget-exhausted', closedText(isDoubted));
  if (tried === 0 && suspects.length === 0 && (!allowance.isSpent() || hung.size > 0)) {
    const [trouble] = troubles;
    if (hung.size > 0)
      return { ...stop('timeout', `No pass came to an end in time: ${orNothing(trouble)}`), suspects, tried };
    return untried(
      trouble === undefined
        ? 'nothing that I can build satisfies its variables and hypotheses'
        : `Rocq stopped: ${trouble}`,
    );
  }
  const told = toldSuspects(suspects);
  return {
    kind: 'not-refuted',
    reason: isExhausted ? 'search-exhausted' : 'budget-exhausted',
    message: told.length > 0 ? doubtText(told) : nothingFoundText(tried, isExhausted),
    tried,
    suspects: told,
  };
}

interface Prepared {
  readonly kind: 'prepared';
  readonly stated: StatedClaim;
  /** The sentence that states the negation. */
  readonly theorem: string;
  /** Where the negation is to be proved. */
  readonly claimed: StateId;
  /** In front of the negation. */
  readonly base: StateId;
  readonly tools: Tools;
}

/** States the claim and makes sure that it is about the theorem's own statement. */
async function prepare(
  session: ProverSession,
  before: StateId,
  claim: Claim,
  signal: AbortSignal,
): Promise<Prepared | Untried | NotRefuted> {
  const run = (from: StateId, text: string): Promise<StepResult> =>
    session.run(from, asSentence(text), { timeoutMs: LOADING_MS, signal });
  const context = await run(before, ANY_GOAL);
  if (context.status !== 'done') return refused('no goal can be opened there', context);
  const sectionContext = (await session.goals(context.state))?.goals[0]?.hypotheses ?? [];
  const opened = await run(before, claim.original);
  if (opened.status !== 'done') return refused('Rocq does not accept the statement', opened);
  const [goal] = (await session.goals(opened.state))?.goals ?? [];
  if (goal === undefined) return untried('there is nothing to prove');
  const known = new Set(sectionContext.map(({ name }) => name));
  const own = goal.hypotheses.map(({ name }) => name).filter((name) => !known.has(name));
  const closed = own.length === 0 ? opened : await run(opened.state, `revert ${own.join(' ')}.`);
  if (closed.status !== 'done') return refused('its binders cannot be taken back', closed);
  // What is negated must be what the theorem says, however its text is read.
  const same = await run(
    closed.state,
    `match goal with |- ?quod_goal => unify quod_goal ((${claim.statement}) : Type) end.`,
  );
  if (same.status !== 'done') return refused('its statement reads differently when it stands alone', same);
  const variables = sectionContext.filter(({ body }) => body === undefined).map(({ name }) => name);
  const stated = stateClaim(claim, variables);
  let base = before;
  for (const sentence of [...stated.definitions, ...stated.ends]) {
    const next = await run(base, sentence);
    if (next.status !== 'done') return refused('it cannot be stated outside of its section', next);
    base = next.state;
  }
  const negation = await firstMeant(stated, (sentence, from = base) => run(from, sentence));
  if (negation.status !== 'stated') return refused('its negation cannot be stated', negation);
  const claimed = await run(negation.state, 'Proof.');
  if (claimed.status !== 'done') return refused('a proof cannot be begun', claimed);
  const arithmetic = await run(claimed.state, 'try lia.');
  const tools: Tools = { arithmetic: arithmetic.status === 'done' ? 'lia' : undefined };
  const { theorem } = negation;
  return { kind: 'prepared', stated, theorem, claimed: claimed.state, base, tools };
}

/** Where the engine is loaded and the statement is the goal. */
async function engineAt(
  session: ProverSession,
  { base, stated }: Prepared,
  signal: AbortSignal,
): Promise<StateId | Untried | NotRefuted> {
  let engine = await load(session, base, signal);
  if (typeof engine !== 'string') return refused(whyNotLoaded(engine), engine);
  for (const sentence of [
    `${stated.head} : ${stated.negated}.`,
    ...(stated.unfold === undefined ? [] : [`cbv beta delta [${stated.unfold}].`]),
  ]) {
    const next = await session.run(engine, asSentence(sentence), { timeoutMs: LOADING_MS, signal });
    if (next.status !== 'done') return refused('it cannot be made a goal', next);
    engine = next.state;
  }
  return engine;
}

function refused(what: string, result: Exclude<StepResult, { status: 'done' }>): Untried | NotRefuted {
  if (result.status === 'unknown')
    return {
      ...{ kind: 'not-refuted', reason: result.reason, message: result.message, tried: 0, suspects: [] },
    };
  return untried(`${what}: ${result.error.message.trim()}`);
}

/** The first way to state the negation that the file reads so. What it says is seen by the gate. */
async function firstMeant(
  { theorems }: StatedClaim,
  run: (sentence: string, from?: StateId) => Promise<StepResult>,
): Promise<
  | { readonly status: 'stated'; readonly theorem: string; readonly state: StateId }
  | Exclude<StepResult, { status: 'done' }>
> {
  // What Rocq says of the plainest way is about the statement; another name for falsehood it may just not know.
  let refused: Exclude<StepResult, { status: 'done' }> | undefined;
  for (const { sentence, isMeant } of theorems) {
    const stated = await run(sentence);
    if (stated.status === 'unknown') return stated;
    if (stated.status === 'failed') {
      refused ??= stated;
      continue;
    }
    const { state } = stated;
    for (const tactic of isMeant) {
      const read = await run(tactic, state);
      if (read.status === 'done') return { status: 'stated', theorem: sentence, state };
      if (read.status === 'unknown') return read;
      refused ??= read;
    }
  }
  return (
    refused ?? {
      status: 'unknown',
      reason: 'internal',
      message: 'There is no way to write it.',
      elapsedMs: 0,
    }
  );
}

/** The words of a notation are words for the file's own language of tactics, too. */
function whyNotLoaded(result: Exclude<StepResult, { status: 'done' }>): string {
  return result.status === 'failed' && /\b[Ss]yntax error\b/u.test(result.error.message)
    ? 'a notation of the file has a word or sign by which Rocq reads what I look with otherwise'
    : 'what I look with cannot be loaded';
}

async function load(
  session: ProverSession,
  base: StateId,
  signal: AbortSignal,
): Promise<StateId | Exclude<StepResult, { status: 'done' }>> {
  const options = { timeoutMs: LOADING_MS, signal };
  if (session.runAll !== undefined) {
    const { result } = await session.runAll(base, ENGINE.map(asSentence), options);
    return result.status === 'done' ? result.state : result;
  }
  let state = base;
  for (const sentence of ENGINE) {
    const result = await session.run(state, asSentence(sentence), { ...options, expected: true });
    if (result.status !== 'done') return result;
    state = result.state;
  }
  return state;
}

function disproved({
  claim,
  stated,
  theorem,
  steps,
  script,
  tried,
}: {
  readonly claim: Claim;
  readonly stated: StatedClaim;
  readonly theorem: string;
  readonly steps: readonly Step[];
  readonly script: readonly string[];
  readonly tried: number;
}): Disproved {
  const proof = ['Proof.', ...script.map((line) => `  ${line}`), 'Qed.'];
  const submissions = claimTexts(claim, stated, theorem, proof);
  return {
    kind: 'disproved',
    counterexample: counterexampleText({ steps }),
    values: steps.flatMap((step) =>
      step.kind === 'value' ? [{ name: step.name, value: withoutBrackets(step.value) }] : [],
    ),
    name: claim.name,
    text: [...stated.definitions, ...stated.ends, theorem, ...proof].join('\n'),
    endsSections: claim.sections.length > 0,
    names: namesOf(claim),
    texts: claimTexts(claim, stated, theorem, ['Proof.', 'Admitted.']).map((target, index) => ({
      target,
      submission: submissions[index] ?? target,
    })),
    tried,
    again: { steps, script },
  };
}
