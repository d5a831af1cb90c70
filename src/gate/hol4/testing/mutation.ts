/**
 * Changes one field of a text trace: the smallest lie. What a change may not do is get a theory accepted in which a theorem
 * states something else than in the original.
 */
import { randomNumbers } from '../../../core/random.ts';
import type { ReplayedTheory } from '../replay/replayed-theories.ts';

export interface Mutation {
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

/** Answers whole numbers from 0 to below `limit`. */
export type Random = (limit: number) => number;

export function seededRandom(seed: number): Random {
  const numbers = randomNumbers(seed);
  return (limit) => Math.floor(numbers() * limit);
}

/** Numbers move a little, or far; words are exchanged with the same field of another line. */
export function mutate(lines: readonly string[], random: Random): Mutation {
  for (;;) {
    const at = random(lines.length);
    const before = lines[at] ?? '';
    const fields = before.split(' ');
    const place = random(fields.length);
    const field = fields[place] ?? '';
    fields[place] = /^\d+$/.test(field)
      ? changedNumber(Number(field), random)
      : changedWord(lines, place, random);
    const after = fields.join(' ');
    if (after === before) continue;
    return { line: at + 1, before, after, text: lines.with(at, after).join('\n') };
  }
}

function changedNumber(number: number, random: Random): string {
  const choices = [number + 1, Math.max(0, number - 1), random(number + 2), number + random(50), random(10)];
  return String(choices[random(choices.length)]);
}

function changedWord(lines: readonly string[], place: number, random: Random): string {
  return lines[random(lines.length)]?.split(' ')[place] ?? 't';
}

/** The names under which two theories state different things, or that only one of them has. */
export function changedStatements(original: ReplayedTheory, other: ReplayedTheory): string[] {
  const names = new Set([...original.theorems.keys(), ...other.theorems.keys()]);
  return [...names].filter(
    (name) => original.theorems.get(name)?.statement !== other.theorems.get(name)?.statement,
  );
}
