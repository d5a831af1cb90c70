/**
 * The outline of a Rocq file: its sentences, its sections and modules, its requires, and every statement that opens a
 * proof, with the place of the proof and of the holes in it. Purely syntactic; a file that Rocq would refuse has an
 * outline too. `updateOutline` gives the same as `outlineOf` on the edited text.
 */
import { entryAt } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { type ClosingWord, type Hole, holeOf } from './holes.ts';
import { sentenceHead, statedByDefinition, type RequireMode, type SentenceHead } from './sentence-head.ts';
import type { StatementHead } from './statement-head.ts';
import { splitSentences, type Sentence, type Unterminated } from './sentences.ts';

export interface TheoremItem extends Pick<
  StatementHead,
  'keyword' | 'prefixes' | 'attributes' | 'name' | 'otherNames'
> {
  readonly nameSpan?: Span;
  /** The text between name and colon; empty when there is none. */
  readonly binders: string;
  /** The text between colon and closing dot; empty when there is none (obligations). */
  readonly statement: string;
  readonly statementSpan?: Span;
  /** Names of the enclosing sections and modules, outermost first. */
  readonly path: readonly string[];
  /** Index of the statement in the outline's sentences. */
  readonly sentence: number;
  /** Index of the `Proof` sentence. */
  readonly proofSentence?: number;
  /** The clause of `Proof using` or of the attribute `using`, without the word. */
  readonly using?: string;
  /**
   * Sentences of the proof, without `Proof` and without the closing one: from `first` up to but not including
   * `end`.
   */
  readonly body: { readonly first: number; readonly end: number };
  /** Index of the closing sentence. */
  readonly closing?: number;
  readonly closingWord: ClosingWord | 'none';
  readonly hole?: Hole;
  /** Spans of the `admit` and `give_up` tactics. */
  readonly holeSpans: readonly Span[];
}

export interface Scope {
  readonly kind: 'section' | 'module' | 'module-type';
  readonly name: string;
  /** Names of the enclosing sections and modules, outermost first, without its own. */
  readonly path: readonly string[];
  /** Index of the sentence that opens it. */
  readonly opened: number;
  /** Index of its `End`; absent when the file ends before. */
  readonly closed?: number;
}

/** The sections and modules around a sentence, outermost first; what the file does not close goes on to its end. */
export function scopesAround({ scopes }: Pick<FileOutline, 'scopes'>, sentence: number): Scope[] {
  return scopes.filter(({ opened, closed = Infinity }) => opened < sentence && sentence < closed);
}

/** Whether one of them is a section. */
export function isInSection(outline: Pick<FileOutline, 'scopes'>, sentence: number): boolean {
  return scopesAround(outline, sentence).some(({ kind }) => kind === 'section');
}

/** The modules around it, as a name; empty where there are none. */
export function moduleAround(outline: Pick<FileOutline, 'scopes'>, sentence: number): string {
  const around = scopesAround(outline, sentence).filter(({ kind }) => kind !== 'section');
  return around.map(({ name }) => name).join('.');
}

export interface RequireItem {
  readonly sentence: number;
  readonly span: Span;
  /** The prefix of `From PREFIX Require …`. */
  readonly from?: string;
  readonly mode: RequireMode;
  readonly modules: readonly string[];
}

export interface FileOutline {
  readonly text: string;
  readonly sentences: readonly Sentence[];
  /** What each sentence is, by the index of the sentence. */
  readonly heads: readonly SentenceHead[];
  readonly unterminated?: Unterminated;
  /** In the order in which they open. */
  readonly scopes: readonly Scope[];
  readonly statements: readonly TheoremItem[];
  readonly requires: readonly RequireItem[];
}

/** A replacement of `span` of the old text by `replacement`. */
export interface TextEdit {
  readonly span: Span;
  readonly replacement: string;
}

/** The last ones: a file is read by its search, its session and its judge. */
const recent: FileOutline[] = [];
const MOST_RECENT = 4;

export function outlineOf(text: string): FileOutline {
  const known = recent.findIndex((outline) => outline.text === text);
  const [outline = readOutline(text)] = known < 0 ? [] : recent.splice(known, 1);
  recent.unshift(outline);
  recent.length = Math.min(recent.length, MOST_RECENT);
  return outline;
}

function readOutline(text: string): FileOutline {
  const { sentences, unterminated } = splitSentences(text);
  return assemble(text, sentences, sentences.map(sentenceHead), unterminated);
}

/**
 * The outline after an edit. Only the text from the sentence before the edit to the first sentence behind it that
 * is cut as before is read again; the sentences further on are moved.
 */
export function updateOutline(previous: FileOutline, edit: TextEdit): FileOutline {
  const { start, end } = edit.span;
  const text = previous.text.slice(0, start) + edit.replacement + previous.text.slice(end);
  const moved = edit.replacement.length - (end - start);
  const old = previous.sentences;
  // A sentence stays when the character behind it stays too: a dot ends a sentence only before a blank.
  const kept = countBefore(old, start);
  const from = kept === 0 ? undefined : old[kept - 1]?.span.end;
  const editEnd = start + edit.replacement.length;
  let candidate = kept;
  let met = -1;
  const fresh = splitSentences(text, {
    ...(from !== undefined && { start: from }),
    stopAfter: ({ span }) => {
      if (span.start < editEnd) return false;
      while (candidate < old.length && entryAt(old, candidate, 'sentence').span.start + moved < span.start)
        candidate += 1;
      const twin = old[candidate]?.span;
      if (twin?.start !== span.start - moved || twin.end !== span.end - moved) return false;
      met = candidate;
      return true;
    },
  });
  const tail = met < 0 ? [] : old.slice(met + 1).map((sentence) => moveSentence(sentence, moved));
  const tailHeads = met < 0 ? [] : previous.heads.slice(met + 1);
  const unterminated =
    met < 0 ? fresh.unterminated : previous.unterminated && moveUnterminated(previous.unterminated, moved);
  return assemble(
    text,
    [...old.slice(0, kept), ...fresh.sentences, ...tail],
    [...previous.heads.slice(0, kept), ...fresh.sentences.map(sentenceHead), ...tailHeads],
    unterminated,
  );
}

/** The number of sentences that end before `offset`. */
function countBefore(sentences: readonly Sentence[], offset: number): number {
  let low = 0;
  let high = sentences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entryAt(sentences, middle, 'sentence').span.end < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function moveSpan(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function moveSentence(sentence: Sentence, by: number): Sentence {
  return by === 0 ? sentence : { ...sentence, span: moveSpan(sentence.span, by) };
}

function moveUnterminated(unterminated: Unterminated, by: number): Unterminated {
  return { ...unterminated, span: moveSpan(unterminated.span, by) };
}

/** Lists of names would take the square of the depth. */
interface Around {
  readonly name: string;
  readonly around: Around | undefined;
}

function pathTo(innermost: Around | undefined): readonly string[] {
  const names: string[] = [];
  for (let at = innermost; at !== undefined; at = at.around) names.push(at.name);
  return names.reverse();
}

interface OpenProof {
  readonly head: StatementHead;
  readonly around: Around | undefined;
  readonly sentence: number;
  /** Where its item goes: statements are listed in the order of the text. */
  readonly place: number;
  proof?: { readonly sentence: number; readonly using?: string };
}

function assemble(
  text: string,
  sentences: readonly Sentence[],
  heads: readonly SentenceHead[],
  unterminated: Unterminated | undefined,
): FileOutline {
  const statements: TheoremItem[] = [];
  const scopes: Scope[] = [];
  const requires: RequireItem[] = [];
  const openScopes: { readonly scope: Scope & { closed?: number }; readonly around: Around | undefined }[] =
    [];
  const openProofs: OpenProof[] = [];
  let nestedAllowed = false;
  let around: Around | undefined;
  let count = 0;

  const finish = (proof: OpenProof, end: number, closing: ClosingWord | 'none'): void => {
    statements[proof.place] = theoremItem(sentences, heads, { open: proof, end, closingWord: closing });
  };
  const finishAll = (end: number, closing: ClosingWord | 'none' = 'none'): void => {
    for (let proof = openProofs.pop(); proof !== undefined; proof = openProofs.pop())
      finish(proof, end, closing);
  };

  const open = (head: StatementHead, sentence: number): void => {
    openProofs.push({ head, around, sentence, place: count });
    count += 1;
  };
  /** No proof begins or ends behind a definition: the `:=` in it is of a notation. */
  const openDefined = (index: number): void => {
    const before = openProofs.length === 0 && heads[index - 1]?.kind === 'other' ? index - 1 : -1;
    const head = sentences[before] && statedByDefinition(sentences[before]);
    if (head !== undefined) open(head, before);
  };

  for (const [index, head] of heads.entries()) {
    switch (head.kind) {
      case 'statement':
        if (!nestedAllowed) finishAll(index);
        open(head, index);
        break;
      case 'proof': {
        openDefined(index);
        const proof = openProofs.at(-1);
        if (proof !== undefined && proof.proof === undefined)
          proof.proof = { sentence: index, ...(head.using !== undefined && { using: head.using }) };
        break;
      }
      case 'close': {
        openDefined(index);
        const proof = openProofs.pop();
        if (proof !== undefined) finish(proof, index, head.word);
        if (head.word === 'Abort' && head.name === 'All') finishAll(index, 'Abort');
        break;
      }
      case 'open-section':
      case 'open-module':
      case 'open-module-type': {
        const kind =
          head.kind === 'open-section' ? 'section' : head.kind === 'open-module' ? 'module' : 'module-type';
        const inside = around;
        const scope: Scope & { closed?: number } = {
          ...{ kind, name: head.name, opened: index },
          get path() {
            return pathTo(inside);
          },
        };
        openScopes.push({ scope, around });
        scopes.push(scope);
        around = { name: head.name, around };
        break;
      }
      case 'end': {
        finishAll(index);
        const opened = openScopes.pop();
        if (opened !== undefined) {
          opened.scope.closed = index;
          ({ around } = opened);
        }
        break;
      }
      case 'require':
        requires.push({
          sentence: index,
          span: sentences[index]?.span ?? { start: 0, end: 0 },
          mode: head.mode,
          modules: head.modules,
          ...(head.from !== undefined && { from: head.from }),
        });
        break;
      case 'nested-proofs-allowed':
        nestedAllowed = true;
        break;
      case 'admit-obligations':
      case 'holes':
      case 'other':
        break;
    }
  }
  finishAll(sentences.length);
  return { text, sentences, heads, ...(unterminated && { unterminated }), scopes, statements, requires };
}

function theoremItem(
  sentences: readonly Sentence[],
  heads: readonly SentenceHead[],
  {
    open,
    end,
    closingWord,
  }: { readonly open: OpenProof; readonly end: number; readonly closingWord: ClosingWord | 'none' },
): TheoremItem {
  const { head, proof } = open;
  const statement = entryAt(sentences, open.sentence, 'sentence');
  const offset = statement.span.start;
  const slice = (span: Span | undefined): string =>
    span === undefined ? '' : statement.text.slice(span.start, span.end);
  const first = (proof?.sentence ?? open.sentence) + 1;
  const body = { first, end: Math.max(first, end) };
  const holes = holesBetween(sentences, heads, body.first, body.end);
  const hole = holeOf(closingWord, holes.first, body.first === body.end);
  const using = proof?.using ?? usingAttribute(head.attributes);
  return {
    keyword: head.keyword,
    prefixes: head.prefixes,
    attributes: head.attributes,
    ...(head.name !== undefined && { name: head.name }),
    ...(head.nameSpan && { nameSpan: moveSpan(head.nameSpan, offset) }),
    otherNames: head.otherNames,
    binders: slice(head.bindersSpan),
    statement: slice(head.statementSpan),
    ...(head.statementSpan && { statementSpan: moveSpan(head.statementSpan, offset) }),
    get path() {
      return pathTo(open.around);
    },
    sentence: open.sentence,
    ...(proof && { proofSentence: proof.sentence }),
    ...(using !== undefined && { using }),
    body,
    ...(closingWord !== 'none' && { closing: end }),
    closingWord,
    ...(hole && { hole }),
    holeSpans: holes.spans,
  };
}

function holesBetween(
  sentences: readonly Sentence[],
  heads: readonly SentenceHead[],
  first: number,
  end: number,
): { readonly first: 'admit' | 'give_up' | undefined; readonly spans: readonly Span[] } {
  const spans: Span[] = [];
  let kind: 'admit' | 'give_up' | undefined;
  for (let index = first; index < end; index += 1) {
    const head = heads[index];
    if (head?.kind !== 'holes') continue;
    for (const hole of head.holes) {
      kind ??= hole.tactic;
      spans.push(moveSpan(hole.span, entryAt(sentences, index, 'sentence').span.start));
    }
  }
  return { first: kind, spans };
}

function usingAttribute(attributes: readonly string[]): string | undefined {
  for (const attribute of attributes) {
    const match = /^using\s*=\s*"([^"]*)"$/.exec(attribute);
    if (match?.[1] !== undefined) return match[1];
  }
  return undefined;
}
