/**
 * A proof that its author left open in places: `admit` and `give_up` among finished steps, or steps that end in
 * `Admitted`. What the author wrote is kept, and only the places are searched; each is a goal of its own. There may be
 * none: then only the end of the proof is missing.
 */
import type { Span } from '../../core/position.ts';
import { isClosed, type ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { closingWord, sentenceOf } from '../../provers/rocq/syntax/theorem-text.ts';

export interface OpenPlace {
  /** The state in which only the goal of this place is in focus. */
  readonly root: StateId;
  readonly proof: ProofState;
  /** The sentence that the script replaces; empty, behind the last sentence, when there is none. */
  readonly span: Span;
  /** Whether the script has to be put in braces, because other goals are in focus too. */
  readonly braces: boolean;
}

const SENTENCE_TIMEOUT_MS = 60_000;
const GIVES_UP = /^(?:admit|give_up)\s*\.$/u;

/**
 * The open places of a proof: none where its steps are a proof as they stand, which Rocq closes. Undefined when it has no
 * finished steps, or gives up inside a compound tactic.
 */
export async function openPlaces(
  { session, root }: { readonly session: ProverSession; readonly root: StateId },
  outline: FileOutline,
  theorem: TheoremItem,
  signal: AbortSignal,
): Promise<OpenPlace[] | undefined> {
  const { first, end } = theorem.body;
  if (theorem.hole === undefined || first >= end) return undefined;
  const places: OpenPlace[] = [];
  let state = root;
  for (const sentence of outline.sentences.slice(first, end)) {
    const givesUp = GIVES_UP.test(withoutComments(sentence.text));
    if (givesUp) {
      const place = await focusFirst(session, state, sentence.span, signal);
      if (place === undefined) return undefined;
      places.push(place);
    }
    const result = await session.run(state, sentence, {
      timeoutMs: SENTENCE_TIMEOUT_MS,
      signal,
      expected: true,
    });
    if (result.status !== 'done') return undefined;
    state = result.state;
  }
  const proof = await session.goals(state);
  if (proof === null || proof.givenUp > places.length) return undefined;
  if (proof.goals.length > 0) {
    const at = sentenceOf(outline, end - 1).span.end;
    if (proof.unfocused.some((count) => count > 0)) return undefined;
    places.push({ root: state, proof, span: { start: at, end: at }, braces: false });
  }
  if (places.length > 0) return places;
  if (!isClosed(proof)) return undefined;
  const closed = await session.run(state, asSentence(`${closingWord(theorem)}.`), {
    timeoutMs: SENTENCE_TIMEOUT_MS,
    signal,
    expected: true,
  });
  return closed.status === 'done' ? [] : undefined;
}

async function focusFirst(
  session: ProverSession,
  state: StateId,
  span: Span,
  signal: AbortSignal,
): Promise<OpenPlace | undefined> {
  const proof = await session.goals(state);
  if (proof === null || proof.goals.length === 0) return undefined;
  if (proof.goals.length === 1) return { root: state, proof, span, braces: false };
  const focused = await session.run(state, asSentence('{'), { signal, withGoals: true });
  if (focused.status !== 'done' || !focused.proof) return undefined;
  return { root: focused.state, proof: focused.proof, span, braces: true };
}
