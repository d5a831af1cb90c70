/**
 * A Rocq file as the judge sees it: sentences compared by their tokens (comments and blanks do not count), statements
 * under the names that the kernel gives them, and which of them are to be proved.
 */
import { entryAt } from '../../../core/entry.ts';
import { LineIndex, type PrintedPosition } from '../../../core/position.ts';
import { significantTokens, withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { SourceText } from '../../verdict.ts';

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

export class Script {
  readonly source: SourceText;
  readonly outline: FileOutline;
  /** In the order of the text; those without a name are left out. */
  readonly statements: readonly Statement[];
  readonly #lines: LineIndex;
  readonly #tokens: (readonly string[] | undefined)[] = [];
  readonly #keys: (string | undefined)[] = [];

  constructor(source: SourceText) {
    this.source = source;
    this.outline = outlineOf(source.text);
    this.#lines = new LineIndex(source.text);
    this.statements = this.outline.statements.flatMap((item) => {
      if (
        item.name === undefined ||
        UNNAMEABLE.has(item.keyword) ||
        /^(Next|Final)? ?Obligation/.test(item.keyword)
      ) {
        return [];
      }
      const { modules, inSection } = this.placeOf(item);
      const names = [item.name, ...item.otherNames].map((name) => [...modules, name].join('.'));
      const closed = item.closing ?? item.body.end - 1;
      return [
        {
          item,
          name: names[0] ?? item.name,
          names,
          inSection,
          position: this.positionOf(item.sentence),
          after: Math.max(closed, item.sentence) + 1,
        },
      ];
    });
  }

  get length(): number {
    return this.outline.sentences.length;
  }

  statementAt(sentence: number): Statement | undefined {
    return this.statements.find(({ item }) => item.sentence === sentence);
  }

  /** The statement whose sentence or proof the sentence belongs to. */
  enclosing(sentence: number): Statement | undefined {
    return this.statements.find(({ item, after }) => item.sentence <= sentence && sentence < after);
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
    const around = this.outline.scopes.filter(
      ({ opened, closed }) => opened < sentence && (closed === undefined || closed > sentence),
    );
    return {
      modules: around.filter(({ kind }) => kind !== 'section').map(({ name }) => name),
      inSection: around.some(({ kind }) => kind === 'section'),
    };
  }
}

/** Statements whose kernel name does not follow from the text alone. */
const UNNAMEABLE = new Set([
  'Let',
  'Let Fixpoint',
  'Let CoFixpoint',
  'Goal',
  'Function',
  'Derive',
  'Equations?',
  'Add Morphism',
  'Add Parametric Morphism',
]);
