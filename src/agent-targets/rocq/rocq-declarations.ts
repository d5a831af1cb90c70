/**
 * What a Rocq file declares, unit by unit: a definition, a statement with its proof, a notation, with the comment
 * before it. Purely syntactic, so that a file which does not compile can be read, too.
 */
import { orNothing } from '../../core/entry.ts';
import { LineIndex } from '../../core/position.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { appendAll } from '../../core/lists/many.ts';
import { significantTokens, type Token } from '../../provers/rocq/syntax/lexer.ts';
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';

export type UnitKind = 'definition' | 'statement' | 'notation' | 'variable' | 'command';

export interface Unit {
  readonly kind: UnitKind;
  readonly keyword: string;
  /** What it declares: itself, constructors, fields. */
  readonly names: readonly string[];
  /** With the comment before it and its proof. */
  readonly text: string;
  /** Without the comment and without a proof. */
  readonly head: string;
  /** Of the file, from 1. */
  readonly lines: { readonly first: number; readonly last: number };
  readonly sentence: number;
  /** Sections and modules around it, outermost first. */
  readonly path: readonly string[];
}

const DEFINITIONS = new Set(
  (
    'Definition Fixpoint CoFixpoint Function Let Example Instance Inductive CoInductive Variant Record Structure Class ' +
    'SubClass Axiom Axioms Parameter Parameters Conjecture Conjectures Coercion Canonical Ltac Ltac2 Equations Primitive'
  ).split(' '),
);
const CONSTRUCTED = new Set(['Inductive', 'CoInductive', 'Variant', 'Record', 'Structure', 'Class']);
const VARIABLES = new Set(['Variable', 'Variables', 'Hypothesis', 'Hypotheses', 'Context']);
const NOTATIONS = new Set(['Notation', 'Infix', 'Reserved', 'Abbreviation']);
const PREFIXES = new Set(
  'Local Global Polymorphic Monomorphic Cumulative NonCumulative Private Program Export Time #'.split(' '),
);
const ASSUMPTIONS = new Set([
  ...VARIABLES,
  'Axiom',
  'Axioms',
  'Parameter',
  'Parameters',
  'Conjecture',
  'Conjectures',
]);
/** Words that begin what lasts: they are shown as what is in force. */
const LASTING = new Set(
  'Open Close Import Export Arguments Implicit Set Unset Hint Existing Generalizable Opaque Transparent Delimit Bind Require From'.split(
    ' ',
  ),
);

export function unitsOf(outline: FileOutline): readonly Unit[] {
  const { text, sentences, heads } = outline;
  const lines = new LineIndex(text);
  const statements = new Map(outline.statements.map((item) => [item.sentence, item]));
  const paths = pathsOf(outline);
  const units: Unit[] = [];
  let before = 0;
  for (let index = 0; index < sentences.length; index++) {
    const sentence = sentences[index];
    if (sentence === undefined) break;
    const item = statements.get(index);
    const last = item === undefined ? index : Math.max(index, item.closing ?? item.body.end - 1);
    const end = sentences[last]?.span.end ?? sentence.span.end;
    const found = item === undefined ? unitHead(sentence.text) : undefined;
    const kind = item === undefined ? found?.kind : 'statement';
    if (kind !== undefined && sentence.role === 'command' && heads[index]?.kind !== 'proof') {
      const names =
        item === undefined
          ? (found?.names ?? [])
          : [...(item.name === undefined ? [] : [item.name]), ...item.otherNames];
      units.push({
        ...{ kind, names, keyword: orNothing(item?.keyword ?? found?.keyword) },
        text: text.slice(before, end).trim(),
        head: sentence.text,
        lines: {
          first: lines.printedAt(sentence.span.start).line,
          last: lines.printedAt(end).line,
        },
        ...{ sentence: index, path: paths[index] ?? [] },
      });
    }
    before = end;
    index = last;
  }
  return units;
}

/** The sections and modules around each sentence. */
function pathsOf({ scopes, sentences }: FileOutline): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = sentences.map(() => []);
  for (const { opened, closed = sentences.length, path, name } of scopes)
    for (let index = opened + 1; index < closed; index++) paths[index] = [...path, name];
  return paths;
}

function unitHead(
  text: string,
): { readonly kind: UnitKind; readonly keyword: string; readonly names: readonly string[] } | undefined {
  const tokens = significantTokens(text);
  let at = 0;
  for (;;) {
    const word = orNothing(tokens[at]?.text);
    if (word === '#' || word === '#[') {
      while (at < tokens.length && tokens[at]?.text !== ']') at += 1;
      at += 1;
    } else if (PREFIXES.has(word) && !(word === 'Export' && tokens[at + 1]?.kind === 'identifier')) at += 1;
    else break;
  }
  const keyword = orNothing(tokens[at]?.text);
  const rest = tokens.slice(at + 1);
  if (ASSUMPTIONS.has(keyword)) {
    const kind = VARIABLES.has(keyword) ? 'variable' : 'definition';
    return { kind, keyword, names: assumedNames(rest) };
  }
  if (NOTATIONS.has(keyword)) {
    const [first] = rest;
    return { kind: 'notation', keyword, names: first?.kind === 'identifier' ? [first.text] : [] };
  }
  if (DEFINITIONS.has(keyword)) {
    return { kind: 'definition', keyword, names: namesDeclaredBy(rest, CONSTRUCTED.has(keyword)) };
  }
  if (keyword === 'HB.mixin' || keyword === 'HB.structure' || keyword === 'HB.factory')
    return { kind: 'definition', keyword, names: namesDeclaredBy(rest.slice(1)) };
  return LASTING.has(keyword) ? { kind: 'command', keyword, names: [] } : undefined;
}

/** `a b : A`, or `(a b : A) (c : C)` and `{T : Type}`: what stands before a colon, outside of types. */
function assumedNames(tokens: readonly Token[]): readonly string[] {
  const names: string[] = [];
  let group: string[] = [];
  let depth = 0;
  let typeAt = Number.POSITIVE_INFINITY;
  for (const { kind, text } of tokens) {
    if (/^[([{`]/u.test(text)) {
      if (depth === 0) group = [];
      depth += 1;
    } else if (/[)\]}]$/u.test(text)) {
      depth -= 1;
      if (depth < typeAt) typeAt = Number.POSITIVE_INFINITY;
    } else if (depth < typeAt && text === ':') {
      appendAll(names, group.splice(0));
      typeAt = depth;
    } else if (depth < typeAt && kind === 'identifier') group.push(text);
  }
  return names;
}

/** The name itself, those behind `with`, constructors and fields. */
function namesDeclaredBy(tokens: readonly Token[], hasConstructors = false): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let inRecord = false;
  for (const [index, { kind, text }] of tokens.entries()) {
    const before = tokens[index - 1]?.text;
    const next = tokens[index + 1]?.text;
    if (text === '{' && depth === 0 && (before === ':=' || tokens[index - 2]?.text === ':=')) inRecord = true;
    if (/^[([{]/u.test(text)) depth += 1;
    else if (/[)\]}]$/u.test(text)) depth -= 1;
    if (kind !== 'identifier') continue;
    const isFirst = index === 0 || (before === 'with' && depth === 0);
    const isConstructor =
      hasConstructors &&
      depth === 0 &&
      (before === '|' || before === ':=') &&
      /^[[({:|.]|^$/u.test(orNothing(next));
    const isField =
      inRecord &&
      depth === 1 &&
      (before === '{' || before === ';') &&
      /^(?::|:>|\(|::)$/u.test(orNothing(next));
    if (isFirst || isConstructor || isField) names.push(text);
  }
  return [...new Set(names)];
}

/** The names that a text uses, by their last parts. */
export function namesUsed(text: string): ReadonlySet<string> {
  return new Set(
    significantTokens(text).flatMap(({ kind, text: name }) =>
      kind === 'identifier' ? [lastPart(name)] : [],
    ),
  );
}

/** The symbols by which a notation is recognised; empty where it has none. */
export function notationSymbols({ head }: Pick<Unit, 'head'>): readonly string[] {
  const written = orNothing(/"((?:[^"]|"")*)"/u.exec(head)?.[1]);
  return written
    .split(/\s+/u)
    .map((part) => part.replace(/^'(.*)'$/u, '$1'))
    .filter((part, _, parts) => part !== '' && (/[^\p{L}\p{N}_']/u.test(part) || parts.length === 1));
}
