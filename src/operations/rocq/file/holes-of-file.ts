/**
 * The holes of a Rocq file: those that its text shows, without those that Rocq took as finished where it was asked, and those
 * that only Rocq knows of.
 */
import type { FileOutline, TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { FoundHole } from '../../files/check-report.ts';

/** @param isFinished Whether Rocq took a proof that shows as a hole. Default: nobody asked it. */
export function holesOf(
  outline: FileOutline,
  isFinished: (statement: TheoremItem) => boolean = () => false,
): FoundHole[] {
  const stated = outline.statements.flatMap((statement) => {
    const { hole, name, keyword } = statement;
    const place = outline.sentences[statement.sentence];
    if (hole === undefined || place === undefined || isFinished(statement)) return [];
    const spans = statement.holeSpans.length > 0 ? statement.holeSpans : [place.span];
    return spans.map((span) => ({ theorem: name ?? keyword, kind: hole, span }));
  });
  return [...stated, ...admittedObligations(outline)].toSorted(
    (one, other) => one.span.start - other.span.start,
  );
}

/**
 * Of the names of what is admitted, those that no hole of the text accounts for. Rocq chooses the names of what is stated
 * without one: each such hole accounts for one name, `Admit Obligations` for those of all obligations.
 */
export function hiddenHoles(
  admitted: readonly string[],
  outline: FileOutline,
  isFinished: (statement: TheoremItem) => boolean,
): string[] {
  const open = outline.statements.filter(
    (statement) => statement.hole !== undefined && !isFinished(statement),
  );
  const named = open.flatMap(({ name, otherNames }) => [
    ...(name === undefined ? [] : [name]),
    ...otherNames,
  ]);
  let nameless = open.filter(({ name }) => name === undefined).length;
  const takesObligations = admittedObligations(outline).length > 0;
  return admitted.filter((name) => {
    const short = name.slice(name.lastIndexOf('.') + 1);
    const at = named.indexOf(short);
    if (at >= 0) named.splice(at, 1);
    if (at >= 0 || (takesObligations && /_obligation_\d+$/u.test(short))) return false;
    nameless -= 1;
    return nameless < 0;
  });
}

/** What is left open without a statement of its own: no search can begin at it. */
export function admittedObligations(outline: FileOutline): FoundHole[] {
  return outline.heads.flatMap((head, index) => {
    const span = outline.sentences[index]?.span;
    if (head.kind !== 'admit-obligations' || span === undefined) return [];
    const theorem = head.of === undefined ? 'obligations' : `obligations of ${head.of}`;
    return [{ theorem, kind: 'admitted', span }];
  });
}
