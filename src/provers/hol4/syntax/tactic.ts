/**
 * Takes a tactic expression apart into the steps that HOL's goal fragments execute one by one, so that the goals
 * between any two of them can be seen: `>>`, `\\`, `>-`, `>|`, `>~`, `by`, `suffices_by`, `reverse`, `>>>` and
 * parentheses are taken apart; everything else (an application, `let`, `if`, an `ORELSE`) is one step. The steps in
 * order do what the whole expression does.
 */
import { lastOf, orZero } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { type Token, meaningfulTokens } from './lexer.ts';

export type TacticStep =
  /** Runs a tactic on every goal in focus. */
  | { readonly kind: 'tactic'; readonly source: Source; readonly span: Span }
  /** Runs a list tactic on the goals in focus together. */
  | { readonly kind: 'list-tactic'; readonly source: Source; readonly span: Span }
  | { readonly kind: 'open'; readonly focus: Focus; readonly span: Span }
  /** The next goal of a list `>| [ … ]`. */
  | { readonly kind: 'next'; readonly span: Span }
  | { readonly kind: 'close'; readonly span: Span };

/**
 * `each`: what follows is done in every goal by itself; `first`: in the first goal, which it must solve; `list`: one
 * tactic a goal; `if-any`: nothing is done when there are no goals.
 */
export type Focus = 'each' | 'first' | 'list' | 'if-any';

/** Code of the step: what stands at `span`, put between `before` and `after`. */
export interface Source {
  readonly before: string;
  readonly span: Span;
  readonly after: string;
}

type Operator = 'then' | 'then1' | 'thenl' | 'then-list' | 'select' | 'select-all' | 'select-solve' | 'other';

/** The infixes of HOL's lowest level; all associate to the left. */
const OPERATORS = new Map<string, Operator>([
  ['>>', 'then'],
  ['\\\\', 'then'],
  ['++', 'then'],
  ['THEN', 'then'],
  ['>-', 'then1'],
  ['THEN1', 'then1'],
  ['>|', 'thenl'],
  ['THENL', 'thenl'],
  ['>>>', 'then-list'],
  ['THEN_LT', 'then-list'],
  ['>~', 'select'],
  ['>>~', 'select-all'],
  ['>>~-', 'select-solve'],
  ['ORELSE', 'other'],
  ['ORELSE_LT', 'other'],
  ['THENC', 'other'],
  ['ORELSEC', 'other'],
  ['THEN_TCL', 'other'],
  ['ORELSE_TCL', 'other'],
  ['>>-', 'other'],
  ['??', 'other'],
  ['?>', 'other'],
  ['|>', 'other'],
  ['|>>', 'other'],
  ['||>', 'other'],
  ['&&', 'other'],
  ['|->', 'other'],
  ['##', 'other'],
  ['before', 'other'],
]);
/** The infixes by which a tactic goes on from another. */
export const TACTICALS: ReadonlySet<string> = new Set(
  [...OPERATORS].filter(([, operator]) => operator !== 'other').map(([word]) => word),
);
/** Expressions that take in everything that follows them. */
const GREEDY = new Set(['fn', 'if', 'case', 'raise', 'while']);
/** What binds more loosely than any infix: where it occurs, nothing is taken apart. */
const LOOSE = new Set(['handle', 'orelse', 'andalso', ':']);
/** Infixes between the lowest level and `by`: an operand with one is one step. */
const MIDDLE = new Set([
  '$',
  'o',
  ':=',
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '::',
  '@',
  '+',
  '-',
  '^',
  '*',
  '/',
  'div',
  'mod',
]);

const whole = (span: Span): Source => ({ before: '', span, after: '' });

export function tacticSteps(
  text: string,
  span: Span = { start: 0, end: text.length },
): readonly TacticStep[] {
  const tokens = meaningfulTokens(text, span);
  return tokens.length === 0 ? [] : new Decomposition(text).expression(tokens);
}

class Decomposition {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  expression(tokens: readonly Token[]): readonly TacticStep[] {
    const all = spanOf(tokens);
    const parts = this.#split(tokens);
    if (parts === undefined) return [{ kind: 'tactic', source: whole(all), span: all }];
    const [first, ...rest] = parts;
    if (first === undefined) return [];
    const steps: TacticStep[] = [...this.#operand(first.operand)];
    for (const { operator, operand, place } of rest) {
      const reach = { start: all.start, end: spanOf(operand).end };
      const added = this.#application(operator, operand, place);
      if (added !== undefined) appendAll(steps, added);
      else {
        // An operator that cannot be taken apart takes everything to its left with it.
        steps.splice(0, steps.length, { kind: 'tactic', source: whole(reach), span: reach });
      }
    }
    return steps;
  }

  #application(operator: Operator, operand: readonly Token[], place: Span): TacticStep[] | undefined {
    const span = spanOf(operand);
    const end = { start: span.end, end: span.end };
    switch (operator) {
      case 'then': {
        const steps = this.#operand(operand);
        if (steps.length === 1) return [...steps];
        return [{ kind: 'open', focus: 'each', span: place }, ...steps, { kind: 'close', span: end }];
      }
      case 'then1':
        return [
          { kind: 'open', focus: 'first', span: place },
          ...this.#operand(operand),
          { kind: 'close', span: end },
        ];
      case 'thenl':
        return this.#list(operand, place);
      case 'then-list':
        return [{ kind: 'list-tactic', source: whole(span), span }];
      case 'select':
        return [{ kind: 'list-tactic', source: { before: 'Q.SELECT_GOAL_LT (', span, after: ')' }, span }];
      case 'select-all':
        return [{ kind: 'list-tactic', source: { before: 'Q.SELECT_GOALS_LT (', span, after: ')' }, span }];
      case 'select-solve':
        return [
          {
            kind: 'list-tactic',
            source: {
              before: '(fn (patterns, tactic) => Q.SELECT_GOALS_LT_THEN1 patterns tactic) (',
              span,
              after: ')',
            },
            span,
          },
        ];
      case 'other':
        return undefined;
    }
  }

  #list(operand: readonly Token[], place: Span): TacticStep[] | undefined {
    const elements = this.#elements(operand);
    const span = spanOf(operand);
    const end = { start: span.end, end: span.end };
    if (elements === undefined) {
      return [
        { kind: 'list-tactic', source: { before: 'NULL_OK_LT (TACS_TO_LT (', span, after: '))' }, span },
      ];
    }
    const steps: TacticStep[] = [
      { kind: 'open', focus: 'if-any', span: place },
      { kind: 'open', focus: 'list', span: { start: span.start, end: span.start + 1 } },
    ];
    for (const [index, element] of elements.entries()) {
      const { start } = spanOf(element);
      if (index > 0) steps.push({ kind: 'next', span: { start, end: start } });
      appendAll(steps, this.expression(element));
    }
    return [...steps, { kind: 'close', span: end }, { kind: 'close', span: end }];
  }

  /** The elements of a list that is written out and not empty. */
  #elements(operand: readonly Token[]): readonly (readonly Token[])[] | undefined {
    if (this.#word(operand[0]) !== '[' || this.#matching(operand, 0) !== operand.length - 1) return undefined;
    const elements = this.#commaParts(operand.slice(1, -1));
    return elements.some((element) => element.length === 0) ? undefined : elements;
  }

  #commaParts(tokens: readonly Token[]): readonly (readonly Token[])[] {
    const parts: Token[][] = [[]];
    for (let at = 0; at < tokens.length; at += 1) {
      if (this.#word(tokens[at]) === ',') {
        parts.push([]);
        continue;
      }
      const end = this.#matching(tokens, at);
      appendAll(lastOf(parts, 'part'), tokens.slice(at, end + 1));
      at = end;
    }
    return parts;
  }

  #operand(tokens: readonly Token[]): readonly TacticStep[] {
    const span = spanOf(tokens);
    const atom: TacticStep[] = [{ kind: 'tactic', source: whole(span), span }];
    if (this.#isParenthesised(tokens)) {
      const inside = tokens.slice(1, -1);
      return inside.length === 0 || this.#commaParts(inside).length > 1 ? atom : this.expression(inside);
    }
    const end = { start: span.end, end: span.end };
    const by = this.#positionsAtTop(tokens, (word) => word === 'by' || word === 'suffices_by');
    const [place] = by;
    if (place !== undefined) {
      const keyword = tokens[place];
      const right = tokens.slice(place + 1);
      const middle = this.#positionsAtTop(tokens, (word) => MIDDLE.has(word) || word === 'via');
      if (by.length > 1 || middle.length > 0 || keyword === undefined || place === 0 || right.length === 0)
        return atom;
      const claim = spanOf(tokens.slice(0, place));
      const subgoal: TacticStep = {
        kind: 'tactic',
        source: { before: 'sg (', span: claim, after: ')' },
        span: claim,
      };
      const turned: TacticStep[] =
        this.#word(keyword) === 'by'
          ? []
          : [
              {
                kind: 'list-tactic',
                source: { before: 'REVERSE_LT', span: { start: claim.end, end: claim.end }, after: '' },
                span: keyword.span,
              },
            ];
      return [
        subgoal,
        ...turned,
        { kind: 'open', focus: 'first', span: keyword.span },
        ...this.#operand(right),
        { kind: 'close', span: end },
      ];
    }
    const head = this.#word(tokens[0]);
    if ((head === 'reverse' || head === 'REVERSE') && tokens.length > 1) {
      const argument = tokens.slice(1);
      if (argument.length > 1 && !this.#isParenthesised(argument)) return atom;
      const reversed: TacticStep = {
        kind: 'list-tactic',
        source: { before: 'REVERSE_LT', span: { start: span.end, end: span.end }, after: '' },
        span: end,
      };
      return [...this.#operand(argument), reversed];
    }
    return atom;
  }

  /** Operands of the lowest level with the operator before each; undefined when the expression is one step. */
  #split(
    tokens: readonly Token[],
  ):
    | readonly { readonly operator: Operator; readonly operand: readonly Token[]; readonly place: Span }[]
    | undefined {
    if (this.#positionsAtTop(tokens, (word) => LOOSE.has(word)).length > 0) return undefined;
    const parts: { operator: Operator; operand: Token[]; place: Span }[] = [
      { operator: 'then', operand: [], place: spanOf(tokens) },
    ];
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token === undefined) break;
      const word = this.#word(token);
      if (token.kind === 'word' && GREEDY.has(word)) {
        appendAll(lastOf(parts, 'part').operand, tokens.slice(at));
        break;
      }
      const operator = this.#word(tokens[at - 1]) === 'op' ? undefined : OPERATORS.get(word);
      if (operator !== undefined) {
        parts.push({ operator, operand: [], place: token.span });
        continue;
      }
      const end = this.#matching(tokens, at);
      appendAll(lastOf(parts, 'part').operand, tokens.slice(at, end + 1));
      at = end;
    }
    return parts.some(({ operand }) => operand.length === 0) ? undefined : parts;
  }

  #positionsAtTop(tokens: readonly Token[], test: (word: string) => boolean): readonly number[] {
    const found: number[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const kind = tokens[at]?.kind;
      if ((kind === 'word' || kind === 'symbol') && test(this.#word(tokens[at]))) found.push(at);
      at = this.#matching(tokens, at);
    }
    return found;
  }

  #isParenthesised(tokens: readonly Token[]): boolean {
    return this.#word(tokens[0]) === '(' && this.#matching(tokens, 0) === tokens.length - 1;
  }

  /** Where the bracket or `let` that begins at `from` is closed; `from` itself for every other token. */
  #matching(tokens: readonly Token[], from: number): number {
    let depth = 0;
    for (let at = from; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token?.kind === 'punctuation' || token?.kind === 'word') depth += orZero(DEPTHS[this.#word(token)]);
      if (depth <= 0) return at;
    }
    return tokens.length - 1;
  }

  #word(token: Token | undefined): string {
    return token === undefined ? '' : this.#text.slice(token.span.start, token.span.end);
  }
}

const DEPTHS: Readonly<Partial<Record<string, number>>> = {
  '(': 1,
  '[': 1,
  '{': 1,
  let: 1,
  ')': -1,
  ']': -1,
  '}': -1,
  end: -1,
};

function spanOf(tokens: readonly Token[]): Span {
  return { start: orZero(tokens[0]?.span.start), end: orZero(tokens.at(-1)?.span.end) };
}
