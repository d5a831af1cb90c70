/** What files declare: as it is told of every language (`Stated`), and as it is read from the texts of HOL4, F* and Lean. */
import type { LineIndex, Span } from '../../../core/position.ts';
import { parseDeclarations } from '../../../provers/fstar/syntax/declarations.ts';
import { parseScript } from '../../../provers/hol4/syntax/script.ts';
import { leanDeclarations } from '../../../provers/lean/syntax/declarations.ts';
import type { SourceLanguage } from '../../files/source-language.ts';

export interface Stated {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  /** In which its span ends. */
  readonly endLine: number;
  /** With its proof: what is used is told by offsets, for two may stand on one line. */
  readonly span: Span;
  readonly name: string;
  /** The modules around it, `M.N`; empty where there is none. */
  readonly module: string;
  /** `Lemma`, `Fixpoint`, `Axiom`, …; `hole` for one that stands in nothing that has a name. */
  readonly kind: string;
  readonly statement: string;
  readonly state: 'proved' | 'open' | 'assumed' | 'defined';
  /** Why it is open: `admitted`, `obligations`, `cheat`, …; undefined where it is not. */
  readonly hole: string | undefined;
  /** Every name in it and in its proof. */
  readonly mentions: ReadonlySet<string>;
}

/** Where it stands, for people. */
export function linesOf(lines: LineIndex, span: Span): Pick<Stated, 'line' | 'endLine'> {
  return { line: lines.printedAt(span.start).line, endLine: lines.printedAt(span.end).line };
}

export const LONGEST_STATEMENT = 2000;

export interface Declared {
  readonly name: string;
  /** The word or the sort of declaration, as its prover calls it. */
  readonly kind: string;
  /** All of it, with its proof. */
  readonly span: Span;
  /** What is stated, without the proof. */
  readonly statement: Span;
  readonly isTheorem: boolean;
}

/** In the order of the text. */
export function declaredIn(language: Exclude<SourceLanguage, 'rocq'>, text: string): readonly Declared[] {
  switch (language) {
    case 'hol4':
      return declaredInScript(text);
    case 'fstar':
      return parseDeclarations(text)
        .filter(({ kind }) => FSTAR_KINDS.has(kind))
        .flatMap(({ names, kind, keyword, end }) =>
          names.map((name) => {
            const span = { start: keyword, end };
            return { name, kind, span, statement: span, isTheorem: false };
          }),
        );
    case 'lean':
      return leanDeclarations(text).flatMap(({ keyword, name, start, end }) => {
        if (name === undefined) return [];
        const isTheorem = keyword === 'theorem' || keyword === 'lemma';
        const proof = text.indexOf(':=', start);
        const stated = isTheorem && proof >= 0 && proof < end ? proof : end;
        return [{ name, kind: keyword, span: { start, end }, statement: { start, end: stated }, isTheorem }];
      });
  }
}

const FSTAR_KINDS: ReadonlySet<string> = new Set([
  'let',
  'val',
  'type',
  'class',
  'instance',
  'exception',
  'effect',
  'assume',
]);

/** Before the word that begins the proof. */
function endOfStatement(text: string, proof: Span): number {
  return text.slice(0, proof.start).replace(/\s*\bProof\s*(?:\[[^\]]*\])?\s*$/u, '').length;
}

const SCRIPT_KINDS: ReadonlySet<string> = new Set(['definition', 'datatype', 'inductive', 'overload']);

function declaredInScript(text: string): Declared[] {
  const { items, theorems } = parseScript(text);
  return [
    ...theorems.map(({ name, form, span, proof }) => ({
      ...{ name, kind: form, span, isTheorem: true },
      statement: { start: span.start, end: proof === undefined ? span.end : endOfStatement(text, proof) },
    })),
    ...items.flatMap(({ kind, name, span }) =>
      name === undefined || !SCRIPT_KINDS.has(kind)
        ? []
        : [{ name, kind, span, statement: span, isTheorem: false }],
    ),
  ].toSorted((one, other) => one.span.start - other.span.start);
}
