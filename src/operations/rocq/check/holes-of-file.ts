/**
 * The holes of a Rocq file: those that its text shows, without attempts that are stated again, without what Rocq took as
 * finished where it was asked, and those that only Rocq knows of.
 */
import { entryAt } from '../../../core/entry.ts';
import { LineIndex, type Span } from '../../../core/position.ts';
import { lastPart, qualified } from '../../../core/qualified-name.ts';
import { assumptionHead } from '../../../provers/rocq/syntax/assumption-head.ts';
import { attemptsIn, supersededIn } from '../../../provers/rocq/syntax/attempts.ts';
import { titlesOf } from '../../../provers/rocq/syntax/named-statements.ts';
import {
  moduleAround,
  scopesAround,
  type FileOutline,
  type TheoremItem,
} from '../../../provers/rocq/syntax/outline.ts';
import type { FoundHole } from '../../files/check-report.ts';
import { hidingModules } from './without-proofs.ts';

/** What Rocq said about a file: nothing of it where nobody asked. */
export interface RocqAnswers {
  /** Whether Rocq took a proof that shows as a hole. */
  readonly isFinished?: (statement: TheoremItem) => boolean;
  /** The names of all that it has admitted in the file. */
  readonly admitted?: readonly string[];
}

/** What is told of statements that are given up and are no holes, since something else has their name. */
export function supersededTold(outline: FileOutline): { readonly span: Span; readonly message: string }[] {
  const lines = new LineIndex(outline.text);
  const lineOf = (sentence: number): number =>
    lines.printedAt(entryAt(outline.sentences, sentence, 'sentence').span.start).line;
  return [...supersededIn(outline)].map(([{ name, keyword, sentence }, by]) => ({
    span: entryAt(outline.sentences, sentence, 'sentence').span,
    message: `${name ?? keyword} at line ${lineOf(sentence)} is given up, and line ${lineOf(by)} declares another ${name ?? keyword}: it counts as no hole.`,
  }));
}

export function holesOf(outline: FileOutline, answers: RocqAnswers = {}): FoundHole[] {
  const attempts = attemptsIn(outline);
  const superseded = supersededIn(outline);
  const title = titlesOf(outline);
  const stated = outline.statements.flatMap((statement) => {
    const { hole } = statement;
    const place = outline.sentences[statement.sentence];
    if (hole === undefined || place === undefined || attempts.has(statement) || superseded.has(statement))
      return [];
    if (answers.isFinished?.(statement) === true) return [];
    const spans = statement.holeSpans.length > 0 ? statement.holeSpans : [place.span];
    return spans.map((span, at) => ({
      ...{ theorem: title(statement), kind: hole, span },
      ...(at > 0 && { isFurther: true }),
    }));
  });
  return [...stated, ...admittedObligations(outline, answers)].toSorted(
    (one, other) => one.span.start - other.span.start,
  );
}

/**
 * Of the names of what is admitted, those that no hole of the text accounts for. Rocq chooses the names of what is stated
 * without one: each such hole accounts for one name, `Admit Obligations` for those of all obligations. What is given up
 * accounts for none: it is not declared. What is conjectured ({@link conjecturedIn}) is no hole.
 */
export function hiddenHoles(outline: FileOutline, { isFinished, admitted }: Required<RocqAnswers>): string[] {
  const conjectured = new Set(conjecturedIn(outline, admitted));
  const open = outline.statements.filter((statement) => isDeclaredOpen(statement) && !isFinished(statement));
  const named = open.flatMap(({ name, otherNames }) => [
    ...(name === undefined ? [] : [name]),
    ...otherNames,
  ]);
  let nameless = open.filter(({ name }) => name === undefined).length;
  const takesObligations = admittedObligations(outline, { isFinished, admitted }).length > 0;
  return admitted.filter((name) => {
    if (conjectured.has(name)) return false;
    const short = lastPart(name);
    const at = named.indexOf(short);
    if (at >= 0) named.splice(at, 1);
    if (at >= 0 || (takesObligations && OBLIGATION.test(short))) return false;
    nameless -= 1;
    return nameless < 0;
  });
}

/**
 * Of the names of what is admitted, those of what the text conjectures. Rocq declares a `Conjecture` as it declares what is admitted;
 * nobody is asked to prove it, so that the file assumes it, like an axiom.
 */
export function conjecturedIn(outline: FileOutline, admitted: readonly string[]): string[] {
  const left = new Set(admitted);
  return outline.sentences.flatMap(({ text }, sentence) => {
    const assumed = text.includes('Conjecture') ? assumptionHead(text) : undefined;
    if (assumed?.keyword.startsWith('Conjecture') !== true) return [];
    // Nothing of a module type is declared.
    if (scopesAround(outline, sentence).some(({ kind }) => kind === 'module-type')) return [];
    return assumed.names.flatMap((name) => {
      const full = qualified(moduleAround(outline, sentence), name);
      const found = left.has(full) ? full : [...left].find((one) => endsIn(one, full) || endsIn(full, one));
      if (found === undefined) return [];
      left.delete(found);
      return [found];
    });
  });
}

/** Whether one name is another with modules before it. */
function endsIn(long: string, short: string): boolean {
  return long.endsWith(`.${short}`);
}

const OBLIGATION = /_obligation_\d+$/u;

/**
 * What is left open without a statement of its own: no search can begin at it. Where all obligations are solved before,
 * `Admit Obligations` admits none; in a module behind a signature nothing tells of them.
 */
export function admittedObligations(outline: FileOutline, answers: RocqAnswers = {}): FoundHole[] {
  const admitsAny = admitting(outline, answers);
  return outline.heads.flatMap((head, index) => {
    const span = outline.sentences[index]?.span;
    if (head.kind !== 'admit-obligations' || span === undefined || !admitsAny(index, head.of)) return [];
    const theorem = head.of === undefined ? 'obligations' : `obligations of ${head.of}`;
    return [{ theorem, kind: 'admitted', span }];
  });
}

/** Whether `Admit Obligations` in a sentence may have admitted something. @param of Of what, where it says so. */
function admitting(
  outline: FileOutline,
  { isFinished, admitted }: RocqAnswers,
): (sentence: number, of: string | undefined) => boolean {
  if (admitted === undefined) return () => true;
  const names = admitted.map(lastPart).filter((name) => OBLIGATION.test(name));
  const stated = outline.statements.filter(
    (statement) =>
      isDeclaredOpen(statement) &&
      isFinished?.(statement) !== true &&
      /\bObligation\b/u.test(statement.keyword),
  );
  const sealed = [...hidingModules(outline)].filter(([, { isFunctor }]) => !isFunctor).map(([end]) => end);
  const scopes = outline.scopes.filter(({ closed }) => closed !== undefined && sealed.includes(closed));
  return (sentence, of) => {
    if (scopes.some(({ opened, closed = opened }) => opened < sentence && sentence < closed)) return true;
    if (names.length <= stated.length) return false;
    return of === undefined || names.some((name) => name.startsWith(`${lastPart(of)}_`));
  };
}

/** Whether a statement shows as one that is declared without a proof: what is given up is not. */
function isDeclaredOpen({ hole }: TheoremItem): boolean {
  return hole !== undefined && hole !== 'aborted';
}
