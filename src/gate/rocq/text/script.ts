/**
 * A Rocq file as the judge sees it: sentences compared by their tokens (comments and blanks do not count), statements
 * under the names that the kernel gives them, and which of them are to be proved.
 */
import { entryAt } from '../../../core/entry.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { LineIndex, type PrintedPosition } from '../../../core/position.ts';
import { significantTokens, withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import {
  outlineOf,
  type FileOutline,
  type Scope,
  type TheoremItem,
} from '../../../provers/rocq/syntax/outline.ts';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import type { SourceText } from '../../verdict.ts';
import { TooLarge } from '../compiled/ocaml-values.ts';

export interface Statement {
  readonly item: TheoremItem;
  /** As in the kernel: qualified by the enclosing modules, not by sections. The first of a mutual statement. */
  readonly name: string;
  /** All names of a mutual statement. */
  readonly names: readonly string[];
  readonly inSection: boolean;
  readonly position: PrintedPosition;
  /** Index of the first sentence after the proof. */
  readonly after: number;
}

/** Files of Debian's libraries have a few thousand. Of each, what stands in it is kept in several forms. */
const MOST_SENTENCES = 300_000;

function hasTooManySentences(text: string): boolean {
  if (text.length <= MOST_SENTENCES) return false;
  let count = 0;
  splitSentences(text, { stopAfter: () => (count += 1) > MOST_SENTENCES });
  return count > MOST_SENTENCES;
}

/** Of all statements together: each has the names of the modules around it. */
const LONGEST_NAMES = 20_000_000;

export class Script {
  readonly source: SourceText;
  readonly outline: FileOutline;
  /** In the order of the text; those without a name are left out. */
  readonly statements: readonly Statement[];
  readonly #byName = lazyConstant(() => {
    const named = this.statements.flatMap((one) => one.names.map((each) => [each, one] as const));
    return new Map(named.reverse());
  });
  #enclosing: (Statement | undefined)[] | undefined;
  /** The innermost scope that each sentence is in. */
  readonly #around: readonly (Around | undefined)[];
  #namesLength = 0;
  /** Also those that Rocq gives a name by custom: for what is compared afterwards, since another release could differ. */
  readonly statementsByCustom: readonly Statement[];
  readonly #lines: LineIndex;
  readonly #tokens: (readonly string[] | undefined)[] = [];
  readonly #keys: (string | undefined)[] = [];

  /** @throws TooLarge */
  constructor(source: SourceText) {
    this.source = source;
    if (hasTooManySentences(source.text)) throw new TooLarge(`It has more than ${MOST_SENTENCES} sentences.`);
    this.outline = outlineOf(source.text);
    this.#lines = new LineIndex(source.text);
    this.#around = scopesAround(this.outline);
    this.statementsByCustom = this.outline.statements.flatMap((item) => {
      const name = nameByCustom(item);
      return name === undefined ? [] : [this.#statement(item, name)];
    });
    this.statements = this.statementsByCustom.filter(({ item }) => !MORPHISMS.has(item.keyword));
  }

  #statement(item: TheoremItem, called: string): Statement {
    const { modules, inSection } = this.placeOf(item);
    const names = [called, ...item.otherNames].map((name) => [...modules, name].join('.'));
    this.#namesLength += names.reduce((length, name) => length + name.length, 0);
    if (this.#namesLength > LONGEST_NAMES) throw new TooLarge('The names of its statements are too long.');
    const closed = item.closing ?? item.body.end - 1;
    return {
      item,
      name: names[0] ?? called,
      names,
      inSection,
      position: this.positionOf(item.sentence),
      after: Math.max(closed, item.sentence) + 1,
    };
  }

  get length(): number {
    return this.outline.sentences.length;
  }

  /** The first of the name. */
  statementNamed(name: string): Statement | undefined {
    return this.#byName().get(name);
  }

  /** The statement whose sentence or proof the sentence belongs to. */
  enclosing(sentence: number): Statement | undefined {
    if (this.#enclosing === undefined) {
      this.#enclosing = [];
      let end = 0;
      // What is before the end of an earlier one is in that one.
      for (const statement of this.statements)
        for (end = Math.max(end, statement.item.sentence); end < statement.after; end += 1)
          this.#enclosing[end] = statement;
    }
    return this.#enclosing[sentence];
  }

  /** The last sentence that begins before an offset or there; -1 where there is none, or the offset is not known. */
  sentenceBegunAt(offset: number | undefined): number {
    return offset === undefined
      ? -1
      : this.outline.sentences.findLastIndex(({ span }) => span.start <= offset);
  }

  sentenceAt(offset: number): number {
    const index = this.outline.sentences.findIndex(({ span }) => offset < span.end);
    return index < 0 ? Math.max(0, this.length - 1) : index;
  }

  /** The tokens of a sentence that mean something. */
  tokens(sentence: number): readonly string[] {
    return (this.#tokens[sentence] ??= significantTokens(
      entryAt(this.outline.sentences, sentence, 'sentence').text,
    ).map(({ text }) => text));
  }

  /**
   * Equal for two sentences exactly when they are the same text up to the width of blanks and to comments. Where there
   * is no blank none may be put: with the notations in force, `[|` and `[ |` can be different tokens.
   */
  key(sentence: number): string {
    return (this.#keys[sentence] ??= withoutComments(
      entryAt(this.outline.sentences, sentence, 'sentence').text,
    ));
  }

  positionOf(sentence: number): PrintedPosition {
    return this.positionAt(this.outline.sentences[sentence]?.span.start ?? this.source.text.length);
  }

  positionAt(offset: number): PrintedPosition {
    return this.#lines.printedAt(offset);
  }

  offsetOf(position: PrintedPosition): number | undefined {
    return this.#lines.offsetOfPrinted(position);
  }

  /** The modules that a sentence is in, outermost first, and whether it is in a section. */
  placeOf({ sentence }: Pick<TheoremItem, 'sentence'>): {
    readonly modules: readonly string[];
    readonly inSection: boolean;
  } {
    const modules: string[] = [];
    for (let at = this.#around[sentence]; at !== undefined; at = at.outer) {
      if (at.scope.kind !== 'section') modules.push(at.scope.name);
    }
    return { modules: modules.reverse(), inSection: this.isInside(sentence, 'section') };
  }

  isInside(sentence: number, kind: Scope['kind']): boolean {
    return this.#around[sentence]?.kinds.has(kind) === true;
  }
}

interface Around {
  readonly scope: Scope;
  readonly outer: Around | undefined;
  /** Its own, and those of the scopes around it. */
  readonly kinds: ReadonlySet<Scope['kind']>;
}

function scopesAround({ scopes, sentences }: FileOutline): (Around | undefined)[] {
  const around: (Around | undefined)[] = [];
  let outer: Around | undefined;
  let opened = 0;
  for (const index of sentences.keys()) {
    if (outer?.scope.closed === index) ({ outer } = outer);
    around.push(outer);
    const scope = scopes[opened];
    if (scope?.opened !== index) continue;
    const kinds: ReadonlySet<Scope['kind']> = outer?.kinds ?? new Set();
    outer = { scope, outer, kinds: kinds.has(scope.kind) ? kinds : new Set([...kinds, scope.kind]) };
    opened += 1;
  }
  return around;
}

function nameByCustom({ name, keyword }: TheoremItem): string | undefined {
  if (UNNAMEABLE.has(keyword) || /^(Next|Final)? ?Obligation/.test(keyword)) return undefined;
  return name !== undefined && MORPHISMS.has(keyword) ? `${name}_Proper` : name;
}

const MORPHISMS = new Set(['Add Morphism', 'Add Parametric Morphism']);

/** Statements whose kernel name does not follow from the text, nor by custom. */
const UNNAMEABLE = new Set([
  'Let',
  'Let Fixpoint',
  'Let CoFixpoint',
  'Goal',
  'Function',
  'Derive',
  'Equations?',
]);
