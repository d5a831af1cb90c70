/**
 * A prover small enough to be its own specification: named numbers, and claims about them. It is the model in the tests
 * of the session engine, and what the toy prover's process executes.
 *
 *     let x = 3;   claim x = 3 & true;   split;   check;   check;   done;
 */
import type { ProofState } from '../../../core/proof-state.ts';

export interface ToyState {
  readonly numbers: Readonly<Record<string, number>>;
  /** The conjunctions that are to be shown; undefined when no claim is open. */
  readonly goals: readonly string[] | undefined;
  readonly proved: number;
}

export type ToyResult =
  | { readonly status: 'done'; readonly state: ToyState; readonly said?: string }
  | { readonly status: 'failed'; readonly message: string; readonly start: number; readonly end: number };

export const TOY_ROOT: ToyState = { numbers: {}, goals: undefined, proved: 0 };

export function runToy(state: ToyState, text: string): ToyResult {
  const sentence = /^\s*(.*?);\s*$/s.exec(text)?.[1];
  const refuse = (message: string, part = text): ToyResult => {
    const start = Math.max(0, text.indexOf(part));
    return { status: 'failed', message, start, end: start + part.length };
  };
  if (sentence === undefined || sentence.includes(';')) return refuse('This is not one sentence.');
  const [word = ''] = sentence.split(/\s/);
  const { goals, numbers } = state;
  if (goals === undefined) {
    const [, name, digits] = /^let (\w+) = (\d+)$/.exec(sentence) ?? [];
    if (name !== undefined && digits !== undefined) {
      if (name in numbers) return refuse(`${name} is known already.`, name);
      return { status: 'done', state: { ...state, numbers: { ...numbers, [name]: Number(digits) } } };
    }
    const claim = /^claim (.+)$/s.exec(sentence)?.[1];
    if (claim !== undefined) return { status: 'done', state: { ...state, goals: [claim] } };
    return refuse(`${word} is not known outside of a claim.`, word);
  }
  const [first, ...rest] = goals;
  switch (sentence) {
    case 'done':
      if (first !== undefined) return refuse('Goals are left.');
      return {
        status: 'done',
        state: { ...state, goals: undefined, proved: state.proved + 1 },
        said: 'proved',
      };
    case 'split': {
      const [, left, right] = /^(.+?) & (.+)$/.exec(first ?? '') ?? [];
      if (left === undefined || right === undefined) return refuse('There is nothing to split.');
      return { status: 'done', state: { ...state, goals: [left, right, ...rest] } };
    }
    case 'check':
      if (first === undefined) return refuse('No goal is left.');
      if (!holds(first, numbers)) return refuse(`${first} does not hold.`);
      return { status: 'done', state: { ...state, goals: rest } };
    default:
      return refuse(`${word} is not known inside of a claim.`, word);
  }
}

export function proofOfToy({ goals }: ToyState): ProofState | null {
  if (goals === undefined) return null;
  const shown = goals.map((conclusion, index) => ({ id: String(index), hypotheses: [], conclusion }));
  return { goals: shown, unfocused: [], shelved: 0, givenUp: 0 };
}

function holds(claim: string, numbers: Readonly<Record<string, number>>): boolean {
  if (claim === 'true') return true;
  const [, name, digits] = /^(\w+) = (\d+)$/.exec(claim) ?? [];
  return name !== undefined && numbers[name] === Number(digits);
}
