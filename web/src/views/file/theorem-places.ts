/** Where theorems stand in a text, and where in it a proof goes that was found for an earlier state of the text. */
import { Text } from '@codemirror/state';
import { withoutComments } from '../../../../src/provers/rocq/syntax/lexer.ts';
import {
  outlineOf,
  type FileOutline,
  type TheoremItem,
} from '../../../../src/provers/rocq/syntax/outline.ts';
import { offsetOf } from './positions.ts';

/** A definition, too, of which nothing is to be proved. */
const STATEMENT =
  /^(?:(?:#\[[^\]]*\]|Local|Global|Program|Polymorphic)\s+)*(?:Theorem|Lemma|Fact|Remark|Corollary|Proposition|Property|Example|Definition|Instance)\s+([\p{L}_][\p{L}\p{N}_']*)/u;
const NAME = /[\p{L}_][\p{L}\p{N}_']*/gu;

interface Named {
  readonly name: string;
  /** Where its sentence begins. */
  readonly index: number;
  /** From here on a place is its own: behind the sentence before it, or where its line begins. */
  readonly begins: number;
  /** Where there is something to be proved. */
  readonly item: TheoremItem | undefined;
}

const read = new WeakMap<FileOutline, readonly Named[]>();

/** What the sentences of a text state and name, in their order. */
function namedIn(text: string): readonly Named[] {
  const outline = outlineOf(text);
  const known = read.get(outline) ?? readNamed(outline);
  read.set(outline, known);
  return known;
}

function readNamed({ text, sentences, statements }: FileOutline): Named[] {
  const items = new Map(statements.map((item) => [item.sentence, item]));
  return sentences.flatMap(({ span, text: sentence }, at) => {
    const item = items.get(at);
    const name = item?.name ?? STATEMENT.exec(plainly(sentence))?.[1];
    if (name === undefined) return [];
    const before = sentences[at - 1]?.span.end ?? -1;
    const begins = Math.max(before + 1, text.lastIndexOf('\n', span.start) + 1);
    return [{ name, index: span.start, begins, item }];
  });
}

function plainly(sentence: string): string {
  return sentence.includes('(*') ? withoutComments(sentence) : sentence;
}

/** The theorem around a place, else the first behind it. */
export function theoremAt(text: string, cursor: number): string | undefined {
  const named = namedIn(text);
  return (named.findLast(({ begins }) => begins <= cursor) ?? named[0])?.name;
}

/** Where the sentence begins that states or defines a name: of those of its line the one that names it first. */
export function statedAt(text: string, line: number, name: string): number | undefined {
  const from = offsetOf(Text.of(text.split('\n')), { line, column: 0 });
  const end = text.indexOf('\n', from);
  const own = outlineOf(text).sentences.flatMap(({ span: { start }, text: sentence }) => {
    if (start < from || (end >= 0 && start > end)) return [];
    const words: readonly string[] = plainly(sentence).match(NAME) ?? [];
    const place = words.indexOf(name);
    return place < 0 ? [] : [{ start, place }];
  });
  const [first] = own.sort((one, other) => one.place - other.place);
  return first?.start;
}

/** Where the first sentence begins that states or defines a name. */
export function placeOf(text: string, wanted: string): number | undefined {
  return namedIn(text).find(({ name }) => name === wanted)?.index;
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
  const statements = namedIn(text);
  const own = statements.filter(({ name }) => name === theorem);
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

/**
 * Where the unfinished proof of a theorem stands, between its `Proof.` and its `Admitted.`: `begun` says whether there is
 * a `Proof.`. Undefined for a theorem that is finished, is not there, or is there twice.
 */
export function unfinishedProof(
  text: string,
  theorem: string,
): { readonly from: number; readonly to: number; readonly begun: boolean } | undefined {
  const own = holesIn(namedIn(text)).get(theorem);
  if (own === undefined) return undefined;
  const { sentence, proofSentence, closing } = own;
  const { sentences } = outlineOf(text);
  const [before, end] = [sentences[proofSentence ?? sentence], sentences[closing]];
  if (before === undefined || end === undefined) return undefined;
  return { from: before.span.end, to: end.span.start, begun: proofSentence !== undefined };
}

type GivenUp = TheoremItem & Required<Pick<TheoremItem, 'closing'>>;

/** Theorems that are given up, by their names: those of which no name is there twice. */
function holesIn(named: readonly Named[]): ReadonlyMap<string, GivenUp> {
  const byName = Map.groupBy(named, ({ name }) => name);
  return new Map(
    [...byName].flatMap(([name, [own, another]]) =>
      own?.item !== undefined && another === undefined && isGivenUp(own.item) ? [[name, own.item]] : [],
    ),
  );
}

function isGivenUp(item: TheoremItem): item is GivenUp {
  const { closing, closingWord } = item;
  return closing !== undefined && (closingWord === 'Admitted' || closingWord === 'Abort');
}

/** The theorem around a place where it is unfinished, else the next that is, else the first that is. */
export function holeAt(text: string, cursor: number): string | undefined {
  const named = namedIn(text);
  const here = theoremAt(text, cursor);
  const at = Math.max(
    0,
    named.findIndex(({ name }) => name === here),
  );
  const holes = holesIn(named);
  return [...named.slice(at), ...named.slice(0, at)].find(({ name }) => holes.has(name))?.name;
}
