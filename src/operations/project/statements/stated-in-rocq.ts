/** What a Rocq file states, assumes and defines, in the order of the text, with what its obligations leave open. */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { LineIndex } from '../../../core/position.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { assumptionHead } from '../../../provers/rocq/syntax/assumption-head.ts';
import { attemptsIn } from '../../../provers/rocq/syntax/attempts.ts';
import { HeadTokens } from '../../../provers/rocq/syntax/head-tokens.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { mayBeFinished } from '../../../provers/rocq/syntax/holes.ts';
import {
  isInSection,
  moduleAround,
  type FileOutline,
  type TheoremItem,
} from '../../../provers/rocq/syntax/outline.ts';
import { mutualNames } from '../../../provers/rocq/syntax/statement-head.ts';
import { endOfProof } from '../../../provers/rocq/syntax/theorem-text.ts';
import { LONGEST_STATEMENT, type Stated } from './declared.ts';

/** @param compiles Whether its file is compiled as it is now: then what ends as a finished proof is one, whatever it shows as. */
export function statedInRocq(path: string, outline: FileOutline, compiles: boolean): Stated[] {
  const lines = new LineIndex(outline.text);
  const open = openDefinitions(outline);
  const stated: Stated[] = [];
  /** @param end Of its sentences, the one behind the last. */
  const add = (at: number, end: number, found: Pick<Stated, 'name' | 'kind' | 'state' | 'hole'>): void => {
    const { span, text } = entryAt(outline.sentences, at, 'sentence');
    const sentences = outline.sentences.slice(at, end);
    const isOpen = found.hole === undefined && open.has(`${at} ${found.name}`);
    stated.push({
      ...{ path, line: lines.printedAt(span.start).line, module: moduleAround(outline, at) },
      span: { start: span.start, end: sentences.at(-1)?.span.end ?? span.end },
      statement: text.slice(0, LONGEST_STATEMENT),
      mentions: namesIn(sentences.map((sentence) => sentence.text)),
      ...found,
      ...(isOpen && { state: 'open', hole: 'obligations' }),
    });
  };
  const attempts = attemptsIn(outline);
  for (const theorem of outline.statements) {
    if (attempts.has(theorem)) continue;
    const { keyword } = theorem;
    const hole = compiles && mayBeFinished(theorem) ? undefined : theorem.hole;
    const state = hole === undefined ? 'proved' : 'open';
    for (const name of namesOf(theorem))
      add(theorem.sentence, endOfProof(theorem), { name, kind: keyword, state, hole });
  }
  outline.sentences.forEach(({ text }, index) => {
    if (outline.heads[index]?.kind !== 'other') return;
    const assumption = assumptionHead(text);
    const isVariable = assumption?.isOfSection === true && isInSection(outline, index);
    for (const name of assumption?.names ?? [])
      add(index, index + 1, {
        ...{ name, kind: orNothing(assumption?.keyword), state: isVariable ? 'defined' : 'assumed' },
        hole: undefined,
      });
    const defined = definedIn(text);
    for (const name of defined?.names ?? [])
      add(index, index + 1, { name, kind: orNothing(defined?.kind), state: 'defined', hole: undefined });
  });
  return stated.sort((one, other) => one.span.start - other.span.start);
}

function namesOf({ name, keyword, otherNames }: TheoremItem): readonly string[] {
  return [name ?? keyword, ...otherNames];
}

/** The last part of each name: `Lists.rev_snoc` mentions `rev_snoc`. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of texts)
    for (const token of significantTokens(text))
      if (token.kind === 'identifier') names.add(lastPart(token.text));
  return names;
}

const MUTUAL = new Set([
  ...['Fixpoint', 'CoFixpoint', 'Inductive', 'CoInductive', 'Variant', 'Record', 'Structure', 'Class'],
]);
const DEFINES = new Set([
  ...MUTUAL,
  ...['Definition', 'Example', 'Let', 'Instance', 'Function', 'Equations', 'Canonical', 'Coercion'],
  ...['Ltac', 'Ltac2', 'Notation', 'Tactic'],
]);
/** Words between the keyword and the name. */
const BEFORE_NAME = new Set(['Fixpoint', 'CoFixpoint', 'Structure', 'Notation', 'mutable', 'rec']);
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{N}_']*$/u;

/**
 * What a sentence defines that asks for no proof, tactics and abbreviations with it; undefined for one that defines
 * nothing that has a name, and for one that is only tried.
 */
function definedIn(text: string): { readonly kind: string; readonly names: readonly string[] } | undefined {
  const tokens = new HeadTokens(text);
  if (!tokens.skipPrefixes()) return undefined;
  const kind = tokens.peek();
  if (!DEFINES.has(kind)) return undefined;
  let at = tokens.place + 1;
  while (BEFORE_NAME.has(orNothing(tokens.all[at]?.text))) at += 1;
  if (kind === 'Tactic') {
    const first = tokens.all
      .find((token) => token.kind === 'string')
      ?.text.slice(1, -1)
      .trim();
    return first !== undefined && NAME.test(first) ? { kind: 'Tactic Notation', names: [first] } : undefined;
  }
  // `Equations(noind) f`, `Inductive > T`, `Let (f)`.
  if (kind === 'Equations' && tokens.all[at]?.text === '(')
    at = tokens.find(at + 1, (token) => token.text === ')') + 1;
  while (['(', '>'].includes(orNothing(tokens.all[at]?.text))) at += 1;
  const name = tokens.all[at];
  if (name?.kind !== 'identifier') return undefined;
  // `Coercion f : A >-> B.` makes one of what is there.
  if (kind === 'Coercion' && tokens.bodySign(at) < 0) return undefined;
  const others = MUTUAL.has(kind)
    ? mutualNames(tokens, at + 1, tokens.last)
    : tacticsBehindWith(kind, tokens);
  return { kind, names: [lastPart(name.text), ...others] };
}

/**
 * `Ltac a := b with b x := idtac.`: the `with` of a tactic (`auto with core`) is followed by no `:=`, that of a match
 * (`match goal with H := _ |- _ => …`) belongs to it.
 */
function tacticsBehindWith(kind: string, { all }: HeadTokens): readonly string[] {
  if (kind !== 'Ltac' && kind !== 'Ltac2') return [];
  let matches = 0;
  return all.flatMap(({ text }, index) => {
    if (/^(?:lazy_?|multi_?)?match$/u.test(text)) matches += 1;
    if (text !== 'with') return [];
    const isOfMatch = matches > 0;
    if (isOfMatch) matches -= 1;
    const name = all[index + 1];
    if (isOfMatch || name?.kind !== 'identifier') return [];
    const behind = all.slice(index + 2).find((token) => token.kind !== 'identifier' || token.text === 'with');
    return behind?.text === ':=' ? [name.text] : [];
  });
}

/**
 * Definitions by `Program` and `Equations` of which an obligation may have been left without a proof, as their
 * sentence and name. Whose obligations are meant where no name is written, only the prover knows: each before it may be.
 */
function openDefinitions(outline: FileOutline): ReadonlySet<string> {
  const asking: { readonly sentence: number; readonly name: string }[] = [];
  const open = new Set<string>();
  let byProgram = false;
  const theorems = new Map(outline.statements.map((theorem) => [theorem.sentence, theorem]));
  for (const [sentence, { text }] of outline.sentences.entries()) {
    const head = outline.heads[sentence];
    const theorem = theorems.get(sentence);
    const isObligation = theorem !== undefined && /\bObligation\b/u.test(theorem.keyword);
    if (head?.kind === 'admit-obligations' || (isObligation && theorem.hole !== undefined)) {
      const of = head?.kind === 'admit-obligations' ? head.of : theorem?.name;
      for (const one of asking)
        if (of === undefined || lastPart(of) === one.name) open.add(`${one.sentence} ${one.name}`);
    } else if (head?.kind === 'other' || (head?.kind === 'statement' && !isObligation)) {
      const tokens = new HeadTokens(text);
      if (!tokens.skipPrefixes()) continue;
      if (tokens.peek(1) === 'Program' && tokens.peek(2) === 'Mode') byProgram = tokens.peek() === 'Set';
      const asks =
        byProgram ||
        tokens.prefixes.includes('Program') ||
        tokens.attributes.some((attribute) => /^program\b/u.test(attribute)) ||
        tokens.peek() === 'Equations';
      const names = theorem === undefined ? definedIn(text)?.names : namesOf(theorem);
      if (asks)
        appendAll(
          asking,
          (names ?? []).map((name) => ({ sentence, name })),
        );
    }
  }
  return open;
}
