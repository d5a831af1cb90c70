/**
 * Changes one field of a text trace: the smallest lie. What a change may not do is get a theory accepted in which a
 * theorem states something else than in the original.
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

export interface TraceChange {
  /** For people. */
  readonly what: string;
  readonly text: string;
}

/**
 * One field of a line, or whole lines: left out, repeated, exchanged, taken from elsewhere, with the right counts
 * at the end; or the end cut off.
 */
export function mutateTrace(lines: readonly string[], random: Random): TraceChange {
  const [at, other] = [random(lines.length), random(lines.length)];
  const [one, another] = [lines[at] ?? '', lines[other] ?? ''];
  const told = (what: string, changed: readonly string[]): TraceChange => ({
    what,
    text: changed.join('\n'),
  });
  const counted = (what: string, changed: readonly string[]): TraceChange => told(what, withCounts(changed));
  switch (random(12)) {
    case 0:
      return counted(`the line ${at + 1} left out: ${one}`, lines.toSpliced(at, 1));
    case 1:
      return counted(`the line ${at + 1} repeated as ${other + 1}: ${one}`, lines.toSpliced(other, 0, one));
    case 2:
      return counted(
        `the lines ${at + 1} and ${other + 1} exchanged`,
        lines.with(at, another).with(other, one),
      );
    case 3:
      return counted(`the line ${other + 1} in place of ${at + 1}: ${another}`, lines.with(at, another));
    case 4:
      return told(`cut at line ${at + 1}`, lines.slice(0, at));
    default: {
      const { line, before, after, text } = mutate(lines, random);
      return { what: `line ${line}: ${before} → ${after}`, text };
    }
  }
}

function withCounts(lines: readonly string[]): readonly string[] {
  const count = (sort: string): number => lines.filter((line) => line.startsWith(`${sort} `)).length;
  const end = `end ${count('y')} ${count('m')} ${count('t')}`;
  return lines.map((line) => (line.startsWith('end ') ? end : line));
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
