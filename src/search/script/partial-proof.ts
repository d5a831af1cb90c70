/**
 * A proof that its author left open in places: `admit` and `give_up` among finished steps, or steps that end in
 * `Admitted`. What the author wrote is kept, and only the places are searched; each is a goal of its own.
 */
import type { Span } from '../../core/position.ts';
import type { ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../../sessions/rocq/file-run.ts';
import { closingWord } from './proof-text.ts';
import { scriptText, type ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';

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

/** The open places of a proof, or undefined when it has no finished steps, or gives up inside a compound tactic. */
export async function openPlaces(
  session: ProverSession,
  outline: FileOutline,
  theorem: TheoremItem,
  opened: StateId,
  signal: AbortSignal,
): Promise<OpenPlace[] | undefined> {
  const { first, end } = theorem.body;
  if (theorem.hole === undefined || first >= end) return undefined;
  const places: OpenPlace[] = [];
  let state = opened;
  for (const sentence of outline.sentences.slice(first, end)) {
    const givesUp = GIVES_UP.test(sentence.text);
    if (givesUp) {
      const place = await focusFirst(session, state, sentence.span, signal);
      if (place === undefined) return undefined;
      places.push(place);
    }
    const result = await session.run(state, sentence, { timeoutMs: SENTENCE_TIMEOUT_MS, signal });
    if (result.status !== 'done') return undefined;
    state = result.state;
  }
  const proof = await session.goals(state);
  if (proof === null || proof.givenUp > places.length) return undefined;
  if (proof.goals.length > 0) {
    const at = outline.sentences[end - 1]?.span.end ?? 0;
    if (proof.unfocused.some((count) => count > 0)) return undefined;
    places.push({ root: state, proof, span: { start: at, end: at }, braces: false });
  }
  return places.length === 0 ? undefined : places;
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

/** The proof with its places filled, from its first sentence to its closing word. */
export function filledProof(
  outline: FileOutline,
  theorem: TheoremItem,
  filled: readonly { readonly place: OpenPlace; readonly script: ScriptTree }[],
): { span: Span; text: string } {
  const { text, sentences } = outline;
  const start = sentences[theorem.proofSentence ?? theorem.body.first]?.span.start ?? 0;
  const last = sentences[endOfProof(theorem) - 1];
  const closing = theorem.closing === undefined ? undefined : sentences[theorem.closing];
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  let result = '';
  let at = start;
  for (const { place, script } of filled) {
    const { span, braces } = place;
    const margin = ' '.repeat(columnOf(text, braceless(span, sentences[theorem.body.first]?.span)));
    // Bullets of the author may be in use around the place; braces nest anywhere.
    const style = { indent: '  ', newline, braces: true } as const;
    const written = scriptText(script, style, margin + (braces ? '  ' : '')).trimStart();
    const behind = span.start === span.end ? newline + margin : '';
    result += text.slice(at, span.start) + behind + (braces ? `{ ${written} }` : written);
    at = span.end;
  }
  const end = last?.span.end ?? at;
  if (closing === undefined)
    return {
      span: { start, end },
      text: `${result}${text.slice(at, end)}${newline}${closingWord(theorem)}.`,
    };
  return {
    span: { start, end },
    text: `${result}${text.slice(at, closing.span.start)}${closingWord(theorem)}.`,
  };
}

/** Where a script that replaces nothing is aligned: under the first sentence of the proof. */
function braceless(span: Span, first: Span | undefined): number {
  return span.start === span.end ? (first?.start ?? span.start) : span.start;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
