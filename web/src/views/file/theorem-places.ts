/** Where theorems stand in a text, and where in it a proof goes that was found for an earlier state of the text. */
import { Text } from '@codemirror/state';
import { offsetOf } from './positions.ts';

const STATEMENT =
  /^[ \t]*(?:(?:#\[[^\]]*\]|Local|Global|Program|Polymorphic)\s+)*(?:Theorem|Lemma|Fact|Remark|Corollary|Proposition|Property|Example|Definition|Instance)\s+([\p{L}_][\p{L}\p{N}_']*)/gmu;

/** The theorem around a place, else the first behind it. */
export function theoremAt(text: string, cursor: number): string | undefined {
  let name: string | undefined;
  for (const match of text.matchAll(STATEMENT)) {
    if (match.index > cursor && name !== undefined) break;
    name = match[1];
    if (match.index > cursor) break;
  }
  return name;
}

export interface FoundProof {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  /** What stood there in the text that was searched. */
  readonly replaces: string;
}

/**
 * Where `replaces` stands now: at its old place, else behind the statement of that name and before the next one.
 * Undefined where that is not certain: nothing is put anywhere then.
 */
export function placeOfProof(
  text: string,
  theorem: string,
  { line, column, end_line, end_column, replaces }: FoundProof,
): { readonly from: number; readonly to: number } | undefined {
  const statements = [...text.matchAll(STATEMENT)];
  const own = statements.filter(([, name]) => name === theorem);
  if (own.length > 1) return undefined;
  const [first] = own;
  const lines = Text.of(text.split('\n'));
  const was = offsetOf(lines, { line, column });
  if (first === undefined) {
    // A theorem that this page cannot name: only its old place will do.
    const to = offsetOf(lines, { line: end_line, column: end_column });
    return text.slice(was, to) === replaces ? { from: was, to } : undefined;
  }
  const next = statements.find(({ index }) => index > first.index)?.index ?? text.length;
  if (replaces === '') {
    // It goes behind an unfinished proof, of which nothing may follow.
    const isEnd = was > first.index && was <= next && text.slice(was, next).trim() === '';
    return isEnd ? { from: was, to: was } : undefined;
  }
  const from = text.indexOf(replaces, first.index);
  const isAlone = from >= 0 && from < next && !text.slice(from + 1, next).includes(replaces);
  return isAlone ? { from, to: from + replaces.length } : undefined;
}

const PROOF = /^(?:#\[[^\]]*\]\s*)?Proof\b[^.]*\.$/u;
const UNFINISHED = /^(?:Admitted|Abort)\s*\.$/u;
const FINISHED = /^(?:Qed|Defined|Save)\b/u;

interface Sentence {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the unfinished proof of a theorem stands, between its `Proof.` and its `Admitted.`: `begun` says whether there is
 * a `Proof.`. Undefined for a theorem that is finished, is not there, or is there twice.
 * @param sentences Of this very text.
 */
export function unfinishedProof(
  text: string,
  sentences: readonly Sentence[],
  theorem: string,
): { readonly from: number; readonly to: number; readonly begun: boolean } | undefined {
  const [own, another] = [...text.matchAll(STATEMENT)].filter(([, name]) => name === theorem);
  if (own === undefined || another !== undefined) return undefined;
  const statement = sentences.findIndex(({ to }) => to > own.index);
  const behind = sentences.slice(statement + 1);
  const textOf = ({ from, to }: Sentence): string => text.slice(from, to);
  const end = behind.find((one) => UNFINISHED.test(textOf(one)) || FINISHED.test(textOf(one)));
  const [first] = behind;
  if (statement < 0 || first === undefined || end === undefined || FINISHED.test(textOf(end)))
    return undefined;
  const begun = PROOF.test(textOf(first));
  const before = begun ? first : sentences[statement];
  return before === undefined ? undefined : { from: before.to, to: end.from, begun };
}

/** The theorem around a place where it is unfinished, else the next that is, else the first that is. */
export function holeAt(text: string, sentences: readonly Sentence[], cursor: number): string | undefined {
  const here = theoremAt(text, cursor);
  const names = [...text.matchAll(STATEMENT)].flatMap(([, name]) => name ?? []);
  const at = here === undefined ? 0 : names.indexOf(here);
  return [...names.slice(at), ...names.slice(0, at)].find(
    (name) => unfinishedProof(text, sentences, name) !== undefined,
  );
}
