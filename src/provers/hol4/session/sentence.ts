/**
 * The sentences of HOL4 as the prover port understands them. Outside of a proof a sentence is one declaration; a
 * theorem's own beginning, up to and with `Proof`, opens a proof. Inside, a sentence is what one would write next
 * in the file: a tactic at the beginning of a proof or behind `(`; then `>> tactic`, `\\ tactic`, `>- tactic`, `>-
 * (`, `)`, …; and `QED`. The sentences of a proof, one under the other, are its text.
 */
import { orNothing } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { type Cheat, findCheats } from '../syntax/cheats.ts';
import { type Token, meaningfulTokens, holTokens } from '../syntax/lexer.ts';
import { parseScript } from '../syntax/script.ts';
import { TACTICALS, type TacticStep, tacticSteps } from '../syntax/tactic.ts';

export type Sentence =
  | {
      readonly kind: 'declaration';
      readonly text: string;
      /** Modules that must be loaded before. */
      readonly modules: readonly string[];
      /** A theorem changes the theory only when it is proved. */
      readonly isTheorem: boolean;
      /** An expression, which declares nothing but `it`. */
      readonly isExpression: boolean;
    }
  | {
      readonly kind: 'open';
      readonly text: string;
      readonly name: string;
      readonly statement: string;
      /** What stands in the brackets behind `Proof`. */
      readonly proofAttributes: string;
    }
  | {
      readonly kind: 'step';
      readonly text: string;
      /** As code: the text with what was put before it; `steps` are spans in it. */
      readonly code: string;
      readonly steps: readonly TacticStep[];
      readonly focus: 'same' | 'deeper' | 'back';
      readonly cheats: readonly Cheat[];
      /** Instead of those of the proof's opening. */
      readonly proofAttributes?: string;
    }
  | { readonly kind: 'qed'; readonly text: string }
  | { readonly kind: 'invalid'; readonly message: string; readonly span?: Span };

export type InvalidSentence = Extract<Sentence, { kind: 'invalid' }>;
export type Executed = Exclude<Sentence, InvalidSentence>;
export type Declaration = Extract<Sentence, { kind: 'declaration' }>;

/** The opening of a proof of a statement that does not stand in a `Theorem`. Its `QED` makes a theorem of that name. */
export function openingOf(name: string, statement: string): Executed {
  const text = `Theorem ${name}:${statement}\nProof`;
  return { kind: 'open', text, name, statement, proofAttributes: '' };
}

/**
 * Steps of a tactic expression, which need not be sentences by themselves: what stands between `>| [` and `,`.
 * @param code What the spans of the steps point into.
 */
export function tacticsOf(code: string, steps: readonly TacticStep[], proofAttributes: string): Executed {
  const text = steps.map(({ span }) => code.slice(span.start, span.end)).join('\n');
  return { kind: 'step', text, code, steps, focus: 'same', cheats: [], proofAttributes };
}

/** Where a sentence stands: outside of a proof, or inside, at the beginning of a focus or behind another step. */
export type Place = 'outside' | 'beginning' | 'behind';

export function readSentence(text: string, place: Place): Sentence {
  return place === 'outside' ? readDeclaration(text) : readStep(text, place);
}

function readDeclaration(text: string): Sentence {
  const opening = readOpening(text);
  if (opening !== undefined) return opening;
  const { items, header, problems, theorems } = parseScript(text);
  const [item, second] = items;
  if (item === undefined) return { kind: 'invalid', message: 'There is no sentence in it.' };
  if (second !== undefined) return surplus(text, item.span, second.span);
  const [problem] = problems;
  if (problem !== undefined) return { kind: 'invalid', message: problem.message, span: problem.span };
  const modules =
    header === undefined
      ? item.kind === 'open'
        ? namesOf(text, item.span).slice(1)
        : []
      : [...header.ancestors.map((name) => `${name}Theory`), ...header.libraries];
  const isTheorem = item.kind === 'theorem' && theorems[0]?.proof !== undefined;
  return { kind: 'declaration', text, modules, isTheorem, isExpression: item.kind === 'expression' };
}

/** `Theorem name: statement Proof` without a tactic and without `QED`. */
function readOpening(text: string): Sentence | undefined {
  if (!/Proof\s*(?:\[[^\]]*\]\s*)?(?:\(\*[\s\S]*\*\)\s*)?$/.test(text)) return undefined;
  const { items, theorems, problems } = parseScript(`${text}\nQED`);
  const [theorem] = theorems;
  if (
    items.length !== 1 ||
    problems.length > 0 ||
    theorem?.statement === undefined ||
    theorem.proof === undefined
  )
    return undefined;
  if (theorem.form !== 'Theorem' && theorem.form !== 'Triviality') return undefined;
  const between = text.slice(theorem.statement.end, theorem.proof.start);
  return {
    kind: 'open',
    text,
    name: theorem.name,
    statement: text.slice(theorem.statement.start, theorem.statement.end),
    proofAttributes: orNothing(/\[([^\]]*)\]/.exec(between)?.[1]),
  };
}

const STAND_IN = 'ALL_TAC ';

function readStep(text: string, place: 'beginning' | 'behind'): Sentence {
  const tokens = meaningfulTokens(text);
  const word = (token: Token | undefined): string =>
    token === undefined ? '' : text.slice(token.span.start, token.span.end);
  const [first] = tokens;
  if (first === undefined) return { kind: 'invalid', message: 'There is no sentence in it.' };
  const open = tokens.find(({ closed }) => !closed);
  if (open !== undefined)
    return { kind: 'invalid', message: `The ${open.kind} is never closed.`, span: open.span };
  if (word(first) === 'QED') {
    const second = tokens[1];
    return second === undefined ? { kind: 'qed', text } : surplus(text, first.span, second.span);
  }
  const cheats = findCheats(text, { start: 0, end: text.length });
  if (word(first) === ')') {
    const second = tokens[1];
    if (second !== undefined) return surplus(text, first.span, second.span);
    const steps: TacticStep[] = [{ kind: 'close', span: first.span }];
    return { kind: 'step', text, code: text, steps, focus: 'back', cheats };
  }
  const separator = tokens.find((token) => ['QED', ';', 'Theorem', 'Proof', 'End'].includes(word(token)));
  if (separator !== undefined && depthBefore(tokens, separator, word) <= 0)
    return surplus(text, first.span, separator.span);
  const combines = TACTICALS.has(word(first));
  if (combines === (place === 'beginning')) {
    const message = combines
      ? `A proof or a parenthesis begins with a tactic, not with ${word(first)}.`
      : 'A tactic behind another one needs >>, \\\\ or >- before it.';
    return { kind: 'invalid', message, span: first.span };
  }
  const opens = word(tokens.at(-1)) === '(';
  const depth = tokens.reduce((sum, token) => sum + bracketDepth(word(token), token.kind), 0);
  if (depth !== (opens ? 1 : 0)) return { kind: 'invalid', message: 'Its parentheses do not match.' };
  // With the stand-in the parenthesis is a focus: open, two tactics, close; the last three are left out.
  const code = `${combines ? STAND_IN : ''}${text}${opens ? ' ALL_TAC >> ALL_TAC )' : ''}`;
  const all = tacticSteps(code);
  const steps = all.slice(combines ? 1 : 0, opens ? -3 : undefined);
  if (opens && steps.at(-1)?.kind !== 'open') {
    return {
      kind: 'invalid',
      message: 'Only >- (, >> ( and `by (` open a parenthesis that another sentence closes.',
    };
  }
  return { kind: 'step', text, code, steps, focus: opens ? 'deeper' : 'same', cheats };
}

function depthBefore(tokens: readonly Token[], end: Token, word: (token: Token) => string): number {
  return tokens
    .slice(0, tokens.indexOf(end))
    .reduce((sum, token) => sum + bracketDepth(word(token), token.kind), 0);
}

function bracketDepth(word: string, kind: string): number {
  if (kind === 'word') return word === 'let' ? 1 : word === 'end' ? -1 : 0;
  if (kind !== 'punctuation') return 0;
  return '([{'.includes(word) ? 1 : ')]}'.includes(word) ? -1 : 0;
}

function surplus(text: string, first: Span, rest: Span): Sentence {
  const shown = JSON.stringify(text.slice(first.start, first.end).slice(0, 80));
  return { kind: 'invalid', message: `One sentence at a time: something follows ${shown}.`, span: rest };
}

function namesOf(text: string, span: Span): readonly string[] {
  return holTokens(text, span)
    .filter(({ kind }) => kind === 'word')
    .map((token) => text.slice(token.span.start, token.span.end));
}
