/**
 * What a proof was judged in: the sentences before the end of its statement, without the proofs among them. A proof counts
 * for this text alone; which it was is known by digests, so that a search that ended long ago can still be compared.
 */
import { entryAt } from '../../../core/entry.ts';
import { LineIndex } from '../../../core/position.ts';
import { withoutComments } from './lexer.ts';
import { outlineOf, type FileOutline, type TheoremItem } from './outline.ts';

/**
 * Of the proof of a statement: `open` where it has none, `closed` where nobody sees how it was proved, and the digest of
 * a proof that others can look into.
 */
type ProofKind = 'none' | 'open' | 'aborted' | 'closed' | `digest ${string}`;

/** A sentence that says something to those behind it. */
export interface JudgedSentence {
  readonly digest: string;
  readonly proof: ProofKind;
  /** From 1. */
  readonly line: number;
  /** Of a statement. */
  readonly name?: string;
}

/**
 * How the text stands to the one that was searched: `same`; `above` of the statement something is another; the `statement`
 * itself is another, or gone; or it is `unknown` which text was searched.
 */
export type Standing = 'same' | 'above' | 'statement' | 'unknown';

/** What is asked about. */
export interface SearchedTheorem {
  readonly theorem: string;
  /** Where its search has ended: where it stood, and its sentence. */
  readonly line?: number;
  readonly statement?: string;
}

/** Questions to Rocq, which change nothing for what follows. */
const QUESTION = /^(?:Check|Print|About|Search\w*|Compute|Eval|Locate|Show|Fail)\b/u;

/** One version of a text, with which several results are compared. */
export class JudgedText {
  readonly sentences: readonly JudgedSentence[];
  readonly #outline: FileOutline;

  constructor(text: string) {
    this.#outline = outlineOf(text);
    this.sentences = readSentences(text, this.#outline);
  }

  /**
   * @param searched The sentences of the text that was searched; undefined where nobody knows them.
   * @param together What the same search proved: that was accepted in one text with the theorem's own proof.
   */
  standing(
    searched: readonly JudgedSentence[] | undefined,
    { theorem, line, statement }: SearchedTheorem,
    together: readonly SearchedTheorem[] = [],
  ): Standing {
    const now = this.sentences;
    const own = indexesOf(now, theorem);
    if (own.length === 0 || (statement !== undefined && !this.#states(statement))) return 'statement';
    const [before, another] = searched === undefined ? [] : indexesOf(searched, theorem, line);
    if (searched === undefined || before === undefined || another !== undefined) return 'unknown';
    const digest = searched[before]?.digest;
    const at = own.find((index) => now[index]?.digest === digest);
    if (at === undefined) return 'statement';
    const isFilled = (one: JudgedSentence): boolean =>
      one.proof === 'open' ||
      together.some((proved) => proved.theorem === one.name && proved.line === one.line);
    const isSame =
      at === before && searched.slice(0, before).every((one, index) => holds(one, now[index], isFilled(one)));
    return isSame ? 'same' : 'above';
  }

  #states(statement: string): boolean {
    const wanted = asRead(statement);
    const { statements, sentences } = this.#outline;
    return statements.some(
      ({ sentence }) => asRead(entryAt(sentences, sentence, 'sentence').text) === wanted,
    );
  }
}

function readSentences(text: string, outline: FileOutline): JudgedSentence[] {
  const lines = new LineIndex(text);
  const statements = new Map(outline.statements.map((item) => [item.sentence, item]));
  const judged: JudgedSentence[] = [];
  for (let index = 0; index < outline.sentences.length; index += 1) {
    const sentence = outline.sentences[index];
    if (sentence === undefined) break;
    const read = asRead(sentence.text);
    const item = statements.get(index);
    if (item === undefined && QUESTION.test(read)) continue;
    const { line } = lines.printedAt(sentence.span.start);
    if (item === undefined) judged.push({ digest: digestOf(read), proof: 'none', line });
    else {
      const digest = digestOf(item.using === undefined ? read : `${read} using ${item.using}`);
      judged.push({ digest, proof: proofOf(outline, item), line, name: item.name ?? item.keyword });
      index = Math.max(index, item.proofSentence ?? index, item.body.end - 1, item.closing ?? index);
    }
  }
  return judged;
}

function proofOf(outline: FileOutline, { closingWord, hole, body, closing }: TheoremItem): ProofKind {
  if (closingWord === 'Abort' || hole === 'aborted') return 'aborted';
  if (hole !== undefined || closing === undefined || closingWord === 'none' || closingWord === 'Admitted')
    return 'open';
  if (closingWord === 'Qed') return 'closed';
  const proof = outline.sentences.slice(body.first, closing + 1).map(({ text }) => asRead(text));
  return `digest ${digestOf(proof.join(' '))}`;
}

/** The same for two texts that differ in blanks and comments alone. */
export function asRead(sentence: string): string {
  const plain = sentence.includes('(*') ? withoutComments(sentence) : sentence;
  return plain.replace(/\s+/gu, ' ').trim();
}

/** 53 bits: enough to see that somebody edited a text, and nothing rests on nobody forging it. */
function digestOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

function indexesOf(sentences: readonly JudgedSentence[], theorem: string, line?: number): number[] {
  return sentences.flatMap(({ name, line: at }, index) =>
    name === theorem && (line === undefined || at === line) ? [index] : [],
  );
}

/**
 * Whether what rested on a sentence does still.
 * @param mayBeProved A proof in the place of a hole takes nothing away. What was aborted was no hole: its name may mean
 * something else when it is proved, unless it was judged so.
 */
function holds(before: JudgedSentence, now: JudgedSentence | undefined, mayBeProved: boolean): boolean {
  if (now === undefined || before.digest !== now.digest) return false;
  const isProved = now.proof === 'closed' || now.proof.startsWith('digest ');
  return before.proof === now.proof || (mayBeProved && isProved);
}
