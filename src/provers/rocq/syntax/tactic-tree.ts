/** A tactic sentence as a tree: what its nodes are, how it is printed, which atomic tactics it has. */
import { entryAt } from '../../../core/entry.ts';
import type { Token } from './lexer.ts';

export interface TacticAtom {
  readonly kind: 'atom';
  /** The first word, or the first symbol of a tactic that begins with none. */
  readonly head: string;
  /** All the tokens behind the head. Their offsets count from the start of the sentence that was parsed. */
  readonly arguments: readonly Token[];
  /** Index in `arguments` of the colon of SSReflect (`case: x`, `have x : T`); absent when there is none. */
  readonly colon?: number;
  readonly text: string;
}

/** Nothing, where a tactic could stand: `[ | auto]`, `by []`, `=> x`. */
export interface NoTactic {
  readonly kind: 'nothing';
}

/** What every node with children has. */
export interface TacticChildren {
  readonly children: readonly TacticExpression[];
  /** The text before, between and behind the children: one more than there are children. */
  readonly glue: readonly string[];
}

export type TacticBranch = TacticChildren &
  (
    | { readonly kind: 'sentence'; readonly ending: '.' | '...' | '' }
    /** `t; u; v`, flat. */
    | { readonly kind: 'sequence' }
    | { readonly kind: 'alternative'; readonly word: '||' | '+' }
    /** `[t | u | ..]` and `[> t | u]`. */
    | { readonly kind: 'dispatch'; readonly word: '[' | '[>' }
    | { readonly kind: 'choice'; readonly word: 'first' | 'solve' }
    /** `try t`, `do 3 t`, `do !t`, `timeout 2 t`; `count` is what stands between word and operand. */
    | { readonly kind: 'prefix'; readonly word: string; readonly count: string }
    /** SSReflect's `first t`, `last 2 t` behind a semicolon. */
    | { readonly kind: 'positional'; readonly word: 'first' | 'last'; readonly count: string }
    | { readonly kind: 'terminator'; readonly word: 'by' | 'now' }
    /** `2: t`, `all: t`, `only 1, 3: t`; `selector` without its colon. */
    | { readonly kind: 'selector'; readonly selector: string }
    | { readonly kind: 'parenthesis' }
    /** `t => patterns`. */
    | { readonly kind: 'introduction'; readonly patterns: readonly Token[] }
    /** `assert T by t`: the atom and the tactic. */
    | { readonly kind: 'closed-by' }
    | { readonly kind: 'binder'; readonly word: 'let' | 'fun' }
    /** `tryif t then u else v`. */
    | { readonly kind: 'conditional' }
  );

export type TacticExpression = TacticAtom | NoTactic | TacticBranch;

export function printTactic(tactic: TacticExpression): string {
  switch (tactic.kind) {
    case 'atom':
      return tactic.text;
    case 'nothing':
      return '';
    default: {
      let printed = entryAt(tactic.glue, 0, 'piece of glue');
      for (const [index, child] of tactic.children.entries())
        printed += printTactic(child) + entryAt(tactic.glue, index + 1, 'piece of glue');
      return printed;
    }
  }
}

/** The atomic tactics in the order of the text. */
export function atomsOf(tactic: TacticExpression): TacticAtom[] {
  if (tactic.kind === 'atom') return [tactic];
  return tactic.kind === 'nothing' ? [] : tactic.children.flatMap(atomsOf);
}
