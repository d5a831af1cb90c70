/**
 * Judges proofs that were put into a file: the whole new file against the whole old one. People work on files that are not
 * finished. Other proofs that do not end count as admitted, in both; where the old file does not compile behind the last of
 * the changed proofs, both are judged up to there. The verdict says either.
 *
 * A proof is made of tactics (proof-commands.ts): nothing else of it stays in the file to act on what follows.
 */
import { QuodError } from '../../core/errors.ts';
import { orZero } from '../../core/entry.ts';
import { greatestOf } from '../../core/lists/many.ts';
import { LineIndex, type Span } from '../../core/position.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { mayBeFinished } from '../../provers/rocq/syntax/holes.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { unterminatedText } from '../../provers/rocq/syntax/sentences.ts';
import { isLemma } from '../../provers/rocq/syntax/statement-head.ts';
import { sha256 } from '../../core/sha256.ts';
import type { SourceText, Verdict, Warning } from '../verdict.ts';
import { isLeftOpen, declaresUnknown, takenAsFinished } from './finished-proofs.ts';
import { type JudgeSettings, unknown } from './judgement.ts';
import { proofsWithLemmas } from './proofs-with-lemmas.ts';
import { References } from './reference.ts';
import type { ReferenceResult } from './reference-result.ts';
import { RocqTarget } from './rocq-judge.ts';
import { lostWithProofs } from './text/lost-with-proof.ts';
import { closingWhatIsOpen, proofSpan } from './text/reference-text.ts';
import { canOnlyBeTactics } from './text/restricted-text.ts';
import { endBeforeError, placedInFile, saidOfTarget, targetProblem } from './target-problem.ts';
import { Script } from './text/script.ts';

/** A Rocq file in which proofs were put in the place of others, or of holes. */
export interface ChangedProofs {
  /** The file as it was. */
  readonly target: SourceText;
  /** The file as it will be written, to the byte. */
  readonly text: string;
  /** The statements whose proofs were changed, by the sentences of `target` that state them. */
  readonly statements: readonly number[];
  /**
   * Helper lemmas, by name, that stand in the new text beside what the old one has: nothing else is added to it. Then all of it
   * is judged.
   */
  readonly lemmas?: readonly string[];
  /** Leave out what stands behind the last of the proofs, where that cannot matter to them. For a text that is not written. */
  readonly onlyUpToProofs?: boolean;
}

const OTHERWISE_CHANGED = unknown(
  'invalid-input',
  'The new text is not the old one with other proofs in it.',
);

/** @throws QuodError `not-found` when there is no statement at one of the places. */
export async function judgeChangedProofs(
  { target, text, statements, lemmas = [], onlyUpToProofs = false }: ChangedProofs,
  settings: JudgeSettings,
): Promise<Verdict> {
  const script = new Script(target);
  const asked = { kind: 'sentences', sentences: statements } as const;
  const lost = lostWithProofs(script, statements);
  if (lost !== undefined) return lost;
  if (lemmas.length > 0) {
    const submission = { path: target.path, text };
    const found = proofsWithLemmas(script, new Script(submission), statements, lemmas);
    if (found === undefined) return OTHERWISE_CHANGED;
    const extent = { libraries: false, additions: 'by-tactics', ...found } as const;
    return new RocqTarget(target, settings, asked, extent).judge(submission);
  }
  const proofs = proofsIn(script, text, statements);
  if (proofs === undefined) {
    const extent = { libraries: false, additions: 'none' } as const;
    const verdict = await new RocqTarget(target, settings, asked, extent).judge({ path: target.path, text });
    return verdict.kind === 'accepted' ? OTHERWISE_CHANGED : verdict;
  }
  const warnings: Warning[] = [];
  const unfinished = await unfinishedProofs(script, statements, settings);
  const untold = declaresUnknown(script, [...unfinished, ...proofs.map(({ item }) => item)]);
  if (untold !== undefined) return untold;
  if (unfinished.length > 0)
    warnings.push({
      kind: 'others-unfinished',
      message: `Other proofs of the file are not finished; they count as admitted: ${unfinished.map(({ name }) => name ?? 'one without a name').join(', ')}.`,
    });
  const pair = new Pair(script, text, proofs, unfinished);
  // What is written is the whole file.
  const told = (verdict: Verdict, also: readonly Warning[]): Verdict => {
    if (verdict.kind === 'unknown' || also.length === 0) return verdict;
    const { restsOn } = verdict;
    const written = { targetSha256: sha256(target.text), submissionSha256: sha256(text) };
    return {
      ...verdict,
      restsOn: { ...restsOn, ...written, warnings: [...(restsOn.warnings ?? []), ...also] },
    };
  };
  const end = greatestOf([0, ...proofs.map(({ before }) => before.end)]);
  const upTo: Warning = {
    kind: 'only-the-beginning',
    message: `What stands behind line ${script.positionAt(end).line} was not judged.`,
  };
  // What a command in a proof does to the rest can only be seen there, and what is given up is declared by its proof.
  const areTactics = proofs.every(({ now }) => canOnlyBeTactics(text.slice(now.start, now.end)));
  const hasMore = goesOnBehind(script, end);
  if (
    onlyUpToProofs &&
    hasMore &&
    areTactics &&
    proofs.every((proof) => isHiddenFromTheRest(script, proof, text))
  ) {
    const first = await pair.judge(settings, end);
    if (first.kind === 'accepted') return told(first, [...warnings, upTo]);
    // What a tactic may add to a file is looked at in the whole of it alone, and a signature may ask for what stands behind.
    if (first.kind === 'unknown' && STOPPED.has(first.reason)) return first;
  }
  const whole = withoutEnd(script) ?? (await pair.ofTheFile(await pair.judge(settings), settings));
  if (whole.kind !== 'unknown' || whole.reason !== 'does-not-compile') return told(whole, warnings);
  if (!hasMore) return whole;
  // What is given up is declared by its proof, which acts on all that stands before the error.
  const isDeclared = proofs.some(({ item }) => item.hole === 'aborted');
  const until = isDeclared ? Math.max(end, endBeforeError(script, whole.position)) : end;
  const beginning = await pair.judge(settings, until);
  if (beginning.kind === 'unknown') return beginning.reason === 'does-not-compile' ? whole : beginning;
  if (beginning.kind === 'accepted' && !areTactics)
    return {
      ...whole,
      message: `${whole.message} Behind proofs that are made of tactics alone it would not matter.`,
    };
  const { line } = script.positionAt(until);
  // What stands behind is as far from the end of the new text.
  const offset = whole.position && script.offsetOf(whole.position);
  const position =
    offset === undefined
      ? undefined
      : new LineIndex(text).printedAt(text.length - (target.text.length - offset));
  const place = position === undefined ? '' : `at ${position.line}:${position.column}, `;
  const error = saidOfTarget(whole.message, target);
  const message = `${STOPS}, ${place}so that nothing behind line ${line} was judged. ${error}`;
  return told(beginning, [
    ...warnings,
    { kind: 'rest-does-not-compile', message, error, ...(position && { position }) },
  ]);
}

/** A file that ends in the middle of something does not compile there, whatever the proofs are. */
function withoutEnd(script: Script): Verdict | undefined {
  const { unterminated } = script.outline;
  if (unterminated === undefined) return undefined;
  const position = script.positionAt(unterminated.span.start);
  return { kind: 'unknown', reason: 'does-not-compile', message: unterminatedText(unterminated), position };
}

export const STOPS = 'The file stops compiling behind the proofs';

/** After these a second look would end no better. */
const STOPPED: ReadonlySet<ReasonCode> = new Set(['interrupted', 'timeout', 'memory-exceeded', 'no-sandbox']);

/** Whether what follows a proof cannot see which one it is: it is opaque, and generalised over nothing that it uses. */
function isHiddenFromTheRest(script: Script, { item, now }: ChangedProof, text: string): boolean {
  return (
    willBeHiddenFromTheRest(script, item) &&
    /\bQed\s*\.\s*$/u.test(withoutComments(text.slice(now.start, now.end)))
  );
}

/** The same of a proof that is not there yet, if it will be opaque. */
export function willBeHiddenFromTheRest(script: Script, item: TheoremItem): boolean {
  if (!isLemma(item) || item.hole === 'aborted') return false;
  return !script.placeOf(item).inSection || item.using !== undefined;
}

/** Whether a file goes on there, or should: what is never closed does not compile at its end. */
export function goesOnBehind({ source, outline }: Script, end: number): boolean {
  return source.text.slice(end).trim() !== '' || outline.scopes.some(({ closed }) => closed === undefined);
}

/** Where a changed proof was in the old text, from the end of its statement on, and where it is in the new one. */
interface ChangedProof {
  readonly item: TheoremItem;
  readonly before: Span;
  readonly now: Span;
}

/** In the order of the text; undefined when the new text differs elsewhere. */
export function proofsIn(
  script: Script,
  text: string,
  statements: readonly number[],
): readonly ChangedProof[] | undefined {
  const { outline, source } = script;
  const items = statements
    .map((sentence) => {
      const item = outline.statements.find((one) => one.sentence === sentence);
      if (item === undefined)
        throw new QuodError('not-found', 'There is no statement at the place asked for.', {
          place: { file: source.path },
        });
      return { item, before: proofSpan(outline, item) };
    })
    .sort((one, other) => one.before.start - other.before.start);
  const proofs: ChangedProof[] = [];
  let at = 0;
  let atOld = 0;
  for (const [index, { item, before }] of items.entries()) {
    const kept = source.text.slice(atOld, before.start);
    if (!text.startsWith(kept, at)) return undefined;
    const start = at + kept.length;
    const behind = source.text.slice(before.end, items[index + 1]?.before.start);
    const end = items[index + 1] === undefined ? text.length - behind.length : text.indexOf(behind, start);
    if (end < start) return undefined;
    proofs.push({ item, before, now: { start, end } });
    at = end;
    atOld = before.end;
  }
  return text.slice(at) === source.text.slice(atOld) ? proofs : undefined;
}

/** Proofs that nobody asks about and that no prover takes as they are. */
export async function unfinishedProofs(
  script: Script,
  asked: readonly number[],
  settings: JudgeSettings,
  targets = settings.begun?.targets,
): Promise<readonly TheoremItem[]> {
  const finished = await otherFinishedProofs(script, asked, settings, targets);
  return script.outline.statements.filter(
    (item) => isLeftOpen(item, finished) && item.hole !== 'admitted' && !asked.includes(item.sentence),
  );
}

/** So many of them may be holes; the others are taken for what they show as. */
const MOST_OTHER_HOLES = 8;

/**
 * Of the proofs of a file that nobody asks about, those that are finished although they show as holes, as far as Rocq can tell:
 * what does not compile behind them hinders nobody who works on the file.
 */
export async function otherFinishedProofs(
  script: Script,
  asked: readonly number[],
  settings: JudgeSettings,
  targets = settings.begun?.targets,
): Promise<ReadonlySet<TheoremItem>> {
  const uncertain = script.outline.statements.filter(
    (item) => mayBeFinished(item) && !asked.includes(item.sentence) && !isSurelyAHole(script, item),
  );
  const { finished } = await takenAsFinished(
    script,
    { uncertain, mostHoles: MOST_OTHER_HOLES },
    (isAdmitted) => new References(script, isAdmitted, settings, targets).forNone(),
  );
  return finished;
}

/** A lemma whose proof is empty, or gives up in a sentence of its own: many files have such, and each would take a compilation. */
function isSurelyAHole({ outline: { sentences } }: Script, item: TheoremItem): boolean {
  if (item.hole === 'empty') return isLemma(item);
  const { first, end } = item.body;
  return sentences.slice(first, end).some(({ text }) => /^(?:admit|give_up)\s*\.$/u.test(text));
}

/** In the place of a proof that is left out. */
const LEFT_OUT = ' Admitted.';

/** The old and the new file as they are judged: up to some place, and with the same proofs left out. */
export class Pair {
  readonly #script: Script;
  readonly #text: string;
  readonly #proofs: readonly ChangedProof[];
  readonly #leftOut: readonly Span[];

  constructor(
    script: Script,
    text: string,
    proofs: readonly ChangedProof[],
    unfinished: readonly TheoremItem[],
  ) {
    this.#script = script;
    this.#text = text;
    this.#proofs = proofs;
    this.#leftOut = unfinished.map((item) => proofSpan(script.outline, item));
  }

  /** The submission up to the first proof. */
  get beginning(): string {
    return this.#kept(0, orZero(this.#proofs[0]?.before.start));
  }

  /** Compiles the target. */
  start(settings: JudgeSettings, end?: number): Promise<ReferenceResult | undefined> {
    return this.#parts(settings, end).target.start();
  }

  async judge(settings: JudgeSettings, end?: number): Promise<Verdict> {
    const { judged, target, submission } = this.#parts(settings, end);
    const verdict = await target.judge(submission);
    return this.#placed(verdict, judged);
  }

  /**
   * A refusal for what does not compile behind the proofs is none of theirs where the file with all that stands in its other
   * holes does not compile at the same place without them.
   */
  async ofTheFile(verdict: Verdict, settings: JudgeSettings): Promise<Verdict> {
    const [finding, ...others] = verdict.kind === 'rejected' ? verdict.findings : [];
    if (finding?.kind !== 'does-not-compile' || others.length > 0 || finding.position === undefined)
      return verdict;
    const { judged, submission, behind } = this.#parts(settings, undefined);
    const asked = this.#sentencesIn(judged);
    const script = new Script(judged);
    const isAsked = ({ sentence }: TheoremItem): boolean => asked.includes(sentence);
    const result = await new References(script, isAsked, settings).forNone();
    const own = result.status === 'failed' ? result.error.span?.start : undefined;
    const refused = new Script(submission).offsetOf(finding.position);
    if (result.status !== 'failed' || own === undefined || refused === undefined) return verdict;
    const toTheEnd = judged.text.length - own;
    if (toTheEnd > behind || submission.text.length - refused !== toTheEnd) return verdict;
    const problem = await targetProblem(result, script, settings);
    return this.#placed(problem, judged);
  }

  /** With its place in the file instead of in what was judged. */
  #placed(verdict: Verdict, judged: SourceText): Verdict {
    if (verdict.kind !== 'unknown') return verdict;
    const leftOut = this.#leftOut.map((span) => ({ span, text: LEFT_OUT }));
    return placedInFile(verdict, judged.text, this.#script, leftOut);
  }

  #parts(
    settings: JudgeSettings,
    end: number | undefined,
  ): {
    readonly judged: SourceText;
    readonly target: RocqTarget;
    readonly submission: SourceText;
    /** Characters behind the last proof, the same in both. */
    readonly behind: number;
  } {
    const { path, text } = this.#script.source;
    const closing = end === undefined ? '' : closingWhatIsOpen(this.#script, end);
    let target = '';
    let submission = '';
    let from = 0;
    const now: Span[] = [];
    for (const proof of this.#proofs) {
      const kept = this.#kept(from, proof.before.start);
      target += kept + text.slice(proof.before.start, proof.before.end);
      submission += kept;
      const start = submission.length;
      submission += this.#text.slice(proof.now.start, proof.now.end);
      now.push({ start, end: submission.length });
      from = proof.before.end;
    }
    const rest = this.#kept(from, end ?? text.length) + closing;
    const judged = { path, text: target + rest };
    const asked = { kind: 'sentences', sentences: this.#sentencesIn(judged) } as const;
    const additions = end === undefined ? 'by-tactics' : 'none';
    return {
      judged,
      target: new RocqTarget(judged, settings, asked, { libraries: false, additions, proofs: now }),
      submission: { path, text: submission + rest },
      behind: rest.length,
    };
  }

  /** A part of the old text without the proofs that are left out. */
  #kept(start: number, end: number): string {
    const { text } = this.#script.source;
    let kept = '';
    let from = start;
    for (const span of this.#leftOut) {
      if (span.start < start || span.end > end) continue;
      kept += `${text.slice(from, span.start)}${LEFT_OUT}`;
      from = span.end;
    }
    return kept + text.slice(from, end);
  }

  /** The changed statements as the text that is judged numbers them. */
  #sentencesIn(judged: SourceText): readonly number[] {
    if (this.#leftOut.length === 0) return this.#proofs.map(({ item }) => item.sentence);
    const { statements } = new Script(judged).outline;
    const asked = new Set(this.#proofs.map(({ item }) => this.#script.outline.statements.indexOf(item)));
    return statements.filter((_, index) => asked.has(index)).map(({ sentence }) => sentence);
  }
}
