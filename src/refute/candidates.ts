/** Reads what the engine prints: the way from a statement to what is false, with the values on it. */
import { onOneLine } from '../core/sentence.ts';
import type { Diagnostic } from '../core/diagnostic.ts';

/**
 * One step from a statement towards what is false: a value for a variable, a premise that holds, a part of a
 * conjunction.
 */
export type Step =
  | { readonly kind: 'value'; readonly name: string; readonly value: string }
  | { readonly kind: 'premise' }
  | { readonly kind: 'left' }
  | { readonly kind: 'right' };

export interface Candidate {
  /** Whether computation decided every hypothesis and the conclusion. */
  readonly certain: boolean;
  readonly steps: readonly Step[];
}

export interface RoundReport {
  readonly candidates: readonly Candidate[];
  /** How many combinations of values were looked at. */
  readonly tried: number;
  /** Whether a part without variables was looked at: there are no values to combine in it. */
  readonly closed: boolean;
  /** Variables for whose types no value is known, as `x : T`. */
  readonly withoutValues: readonly string[];
  /** What went wrong in the engine itself. */
  readonly errors: readonly string[];
}

const LINE = /^quod: (\w+)(?: ([^]*))?$/u;
const VALUE = /^(\S+) := ([^]*)$/u;

/** @param messages Of the sentence that ran the engine; whatever else was said is passed over. */
export function readReport(messages: readonly Pick<Diagnostic, 'message'>[]): RoundReport {
  const candidates: Candidate[] = [];
  const withoutValues = new Set<string>();
  const errors: string[] = [];
  let tried = 0;
  let closed = false;
  let open: { certain: boolean; steps: Step[] } | undefined;
  for (const { message } of messages) {
    const [, word, rest = ''] = LINE.exec(message.trim()) ?? [];
    switch (word) {
      case 'candidate':
        open = { certain: rest === 'certain', steps: [] };
        break;
      case 'value': {
        const [, name, value] = VALUE.exec(rest) ?? [];
        if (name !== undefined && value !== undefined)
          open?.steps.push({ kind: 'value', name, value: onOneLine(value) });
        else open = undefined;
        break;
      }
      case 'premise':
      case 'left':
      case 'right':
        open?.steps.push({ kind: word });
        break;
      case 'missing':
        // A variable that nothing depends on and that has no value.
        open = undefined;
        break;
      case 'end':
        if (open !== undefined) candidates.push(open);
        open = undefined;
        break;
      case 'empty':
        withoutValues.add(onOneLine(rest));
        break;
      case 'closed':
        closed = true;
        break;
      case 'tried':
        tried += Number(rest);
        break;
      case 'error':
        errors.push(onOneLine(rest));
        break;
      default:
        break;
    }
  }
  return { candidates, tried, closed, withoutValues: [...withoutValues], errors };
}

/** `n = 0, l = [1]`. */
export function counterexampleText({ steps }: Pick<Candidate, 'steps'>): string {
  return steps
    .flatMap((step) => (step.kind === 'value' ? [`${step.name} = ${withoutBrackets(step.value)}`] : []))
    .join(', ');
}

/** A value as people read it: Rocq prints functions in brackets of their own. Those of a pair stay. */
export function withoutBrackets(value: string): string {
  return bracketsAround(value) === 'superfluous' ? value.slice(1, -1) : value;
}

/** What the outermost brackets of a term are: of all of it and to no use, those of a pair, or of a part only. */
export function bracketsAround(value: string): 'superfluous' | 'pair' | 'none' {
  if (!value.startsWith('(') || !value.endsWith(')')) return 'none';
  let depth = 0;
  let kind: 'superfluous' | 'pair' = 'superfluous';
  for (let index = 0; index < value.length; index += 1) {
    const letter = value.charAt(index);
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 1) kind = 'pair';
    if (depth === 0 && index < value.length - 1) return 'none';
  }
  return kind;
}
