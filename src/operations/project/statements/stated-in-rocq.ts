/** What a Rocq file states, assumes and defines, in the order of the text, with what its obligations leave open. */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { LineIndex } from '../../../core/position.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { assumptionHead } from '../../../provers/rocq/syntax/assumption-head.ts';
import { attemptsIn, supersededIn } from '../../../provers/rocq/syntax/attempts.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import { HeadTokens } from '../../../provers/rocq/syntax/head-tokens.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { mayBeFinished } from '../../../provers/rocq/syntax/holes.ts';
import {
  isInSection,
  moduleAround,
  type FileOutline,
  type TheoremItem,
} from '../../../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../../../provers/rocq/syntax/theorem-text.ts';
import { linesOf, LONGEST_STATEMENT, type Stated } from './declared.ts';

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
    const whole = { start: span.start, end: sentences.at(-1)?.span.end ?? span.end };
    stated.push({
      ...{ path, ...linesOf(lines, whole), module: moduleAround(outline, at) },
      span: whole,
      statement: text.slice(0, LONGEST_STATEMENT),
      mentions: namesIn(sentences.map((sentence) => sentence.text)),
      ...found,
      ...(isOpen && { state: 'open', hole: 'obligations' }),
    });
  };
  const attempts = attemptsIn(outline);
  const superseded = supersededIn(outline);
  for (const theorem of outline.statements) {
    if (attempts.has(theorem) || superseded.has(theorem)) continue;
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
