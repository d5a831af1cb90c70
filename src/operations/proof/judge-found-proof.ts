/**
 * Lets the gate judge what the search found, so that nothing is reported as proved without its word; and says where the
 * file stops compiling behind the proofs, since a proof that stands in a file that does not compile proves nothing
 * there.
 */
import { inTime } from '../../core/concurrency/in-time.ts';
import { entryAt } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type PrintedPosition } from '../../core/position.ts';
import type { Prover } from '../../core/prover.ts';
import { asLines, cutOf, type Verdict } from '../../gate/verdict.ts';
import {
  backendFor,
  beginProofs,
  type BegunJudgement,
  firstErrorBehind,
  type GateSettings,
  judgeProof,
  type RestOfFile,
} from '../../gate/verify.ts';
import { STOPS } from '../../gate/rocq/changed-proofs.ts';
import { lostWithProof } from '../../gate/rocq/text/lost-with-proof.ts';
import { Script } from '../../gate/rocq/text/script.ts';
import type { BeginJudging, Judge } from '../../search/prove-file.ts';
import type { Refusal } from '../../search/prove-request.ts';
import { axiomsByAsked, openStatementsOf } from '../rocq/proof/open-statements.ts';

export interface JudgedFile {
  /** Where the file is, which says what project it belongs to. */
  readonly path: string;
  /** Whether the file is to be written with the proofs: then all of it is judged, else what stands up to them. */
  readonly isWritten: boolean;
  /** Whether the text has words of somebody who may do no more than prove; default no. */
  readonly onlyProves?: boolean;
}

/** Judges the proofs of one file. It also looks at what stands behind the accepted proofs. */
export interface FileJudge {
  readonly judge: Judge;
  /** Compiles beside the search what does not depend on what it finds. */
  readonly beginJudging: BeginJudging;
  /** Says before the search what the judge would say of any proof. */
  readonly refusal: Refusal;
  /** @param text of the file, as it is or with the proofs. @returns undefined when nothing was accepted. */
  readonly rest: (text: string) => Promise<RestOfFile | undefined>;
}

/** A judge alone: nobody asks it what stands behind the proofs, so that it does not look there. */
export function judgeFoundProof(
  { path, isWritten, onlyProves = false }: JudgedFile,
  prover: Pick<Prover, 'identity'>,
  signal: AbortSignal,
): Judge {
  const always: GateSettings = {
    ...{ backend: backendFor(prover), signal },
    ...(onlyProves && { startsPrograms: false }),
  };
  return async ({ target: text, text: filled, theorems, signal: given }) => {
    const statements = theorems.map(({ sentence }) => sentence);
    const settings = given === undefined ? always : { ...always, signal: AbortSignal.any([signal, given]) };
    const changed = { target: { path, text }, text: filled, statements, onlyUpToProofs: !isWritten };
    return wordOf(await judgeProof(changed, settings), theorems);
  };
}

export function fileJudge(
  { path, isWritten }: JudgedFile,
  prover: Pick<Prover, 'identity'>,
  signal: AbortSignal,
): FileJudge {
  const backend = backendFor(prover);
  // What the judge has to find out about this machine it finds out while the search runs; what fails is told when
  // it is asked.
  for (const asked of [backend.version(), backend.isolation()]) asked.catch(() => undefined);
  let begun: Promise<BegunJudgement | undefined> | undefined;
  let rest: Behind | undefined;
  let endBegun = (): void => undefined;
  /** What the latest judgement took. */
  let judgedMs = 0;
  /** Looked at before there was a proof. */
  let behindOne: Behind | undefined;
  const beginJudging: BeginJudging = (text, theorems) => {
    const target = { path, text };
    const statements = theorems.map(({ sentence }) => sentence);
    const noLongerNeeded = new AbortController();
    const isOver = new AbortController();
    const beginningSettings = { backend, signal: AbortSignal.any([signal, isOver.signal]) };
    endBegun = () => isOver.abort();
    begun = beginProofs({ target, statements, onlyUpToProofs: !isWritten }, beginningSettings).then(
      (judgement) => {
        // What stands behind one proof does not depend on it; behind which of several it will be is not known.
        if (judgement?.onlyUpToProofs !== true || statements.length !== 1) return judgement;
        // Proofs are told before it is waited for.
        const settings = {
          backend,
          signal: AbortSignal.any([signal, noLongerNeeded.signal]),
          givesWay: true,
        };
        behindOne = { judged: text, looked: firstErrorBehind(target, statements, settings) };
        behindOne.looked.catch(() => undefined);
        return judgement;
      },
      // What cannot be begun is told when it is asked.
      () => undefined,
    );
    const beginning = begun;
    const end = async (): Promise<void> => {
      // Also what it does before it can be ended as a whole.
      isOver.abort();
      (await beginning)?.end();
      if (rest === undefined || rest !== behindOne) noLongerNeeded.abort();
    };
    return { end: () => void end() };
  };
  const judge: Judge = async ({ target: text, text: filled, theorems, isEndlessBehind, signal: given }) => {
    const target = { path, text };
    const statements = theorems.map(({ sentence }) => sentence);
    const either = AbortSignal.any([signal, ...(given === undefined ? [] : [given])]);
    // What was begun is compiled on with the proofs: it may be what does not end.
    either.addEventListener('abort', endBegun, { once: true });
    const since = performance.now();
    const earlier = await begun;
    const onlyUpToProofs = !isWritten || isEndlessBehind === true;
    const verdict = await judgeProof(
      { target, text: filled, statements, onlyUpToProofs },
      { backend, signal: either, ...(earlier && { begun: earlier }) },
    );
    either.removeEventListener('abort', endBegun);
    judgedMs = performance.now() - since;
    if (verdict.kind === 'accepted') {
      const seen = restSeen(verdict);
      // Where nothing behind them may be run, nobody looks there. Where all of it was looked at, the proofs were in their places.
      // Else it goes on beside the search, once for a file.
      if (isEndlessBehind === true) rest = { judged: filled, looked: Promise.resolve(ENDLESS_BEHIND) };
      else if (seen !== undefined) rest = { judged: filled, looked: Promise.resolve(seen) };
      else if (behindOne?.judged === text) rest = behindOne;
      else if (rest?.judged !== text)
        rest = { judged: text, looked: firstErrorBehind(target, statements, { backend, signal }) };
    }
    return wordOf(verdict, theorems);
  };
  let script: Script | undefined;
  const refusal: Refusal = (outline, theorem) => {
    if (script?.source.text !== outline.text) script = new Script({ path, text: outline.text });
    const lost = lostWithProof(script, theorem);
    return lost && { kind: 'not-proved', reason: 'unsupported', message: lost.message };
  };
  return {
    judge,
    beginJudging,
    refusal,
    rest: async (source) => {
      if (rest === undefined) return undefined;
      const seen = await inTime(rest.looked, Math.max(REST_LEAST_MS, REST_TIMES * judgedMs), ENDLESS_BEHIND);
      return seen.kind === 'error'
        ? { ...seen, position: placeFromEnd(seen.position, rest.judged, source) }
        : seen;
    },
  };
}

function wordOf(verdict: Verdict, theorems: Parameters<Judge>[0]['theorems']): Awaited<ReturnType<Judge>> {
  switch (verdict.kind) {
    case 'accepted': {
      const axioms = axiomsByAsked(verdict.statements, theorems);
      return {
        kind: verdict.kind,
        restOn: openStatementsOf(verdict.statements, theorems).map((openStatements, index) => ({
          openStatements,
          axioms: entryAt(axioms, index, 'statement'),
        })),
        warnings: asLines(verdict.restsOn.warnings ?? []),
      };
    }
    case 'rejected':
      return {
        kind: 'rejected',
        message: `The gate rejected the proof: ${verdict.findings.map(({ message }) => message).join(' ')}`,
      };
    case 'unknown':
      return {
        kind: 'unknown',
        reason: verdict.reason,
        message: `The gate could not judge the proof: ${verdict.message}`,
      };
  }
}

/** What stands behind the proofs of a text. */
interface Behind {
  readonly judged: string;
  readonly looked: Promise<RestOfFile>;
}

/** What is behind the proofs is waited for at least so long, and so many times as long as their judgement took. */
const REST_LEAST_MS = 60_000;
const REST_TIMES = 5;
const ENDLESS_BEHIND: RestOfFile = {
  kind: 'unknown',
  reason: 'timeout',
  message: 'Rocq does not come to the end of the file in the time that it gets.',
};

/** What a verdict has found behind the proofs; undefined when it did not look there. */
function restSeen({ restsOn }: Extract<Verdict, { readonly kind: 'accepted' }>): RestOfFile | undefined {
  const cut = cutOf(restsOn);
  if (cut === undefined) return { kind: 'compiles' };
  const message = cut.error === undefined ? cut.message : `${STOPS}: ${cut.error}`;
  return cut.position && { kind: 'error', message, position: cut.position };
}

/** Proofs that were set aside stand before: what is behind them is as far from the end. */
function placeFromEnd(position: PrintedPosition, judged: string, source: string): PrintedPosition {
  const offset = new LineIndex(judged).offsetOfPrinted(position);
  if (offset === undefined) throw new QuodError('internal', 'The judge names a place that the file has not.');
  return new LineIndex(source).printedAt(source.length - (judged.length - offset));
}

/** What there is to tell of it as an error; undefined when the rest of the file compiles. */
export function errorBehind(rest: RestOfFile | undefined, file: string): QuodError | undefined {
  if (rest === undefined || rest.kind === 'compiles') return undefined;
  if (rest.kind === 'unknown')
    return new QuodError(rest.reason, `What stands behind the proofs was not looked at: ${rest.message}`, {
      place: { file },
    });
  return new QuodError('does-not-compile', rest.message, {
    place: { file, position: rest.position },
    remedy: 'The proofs were judged up to there. Repair it; `proof_check` lists all errors.',
  });
}
