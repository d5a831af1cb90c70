/**
 * Changes one field of one line of an export, as a seed says: a number, a flag, a string, a list, or the line as a
 * whole. For tests that ask whether a changed environment is ever accepted with another meaning.
 */
import type { Declaration } from '../declaration.ts';
import { Name } from '../name.ts';

export interface Mutation {
  readonly text: string;
  /** Where and what, for people. */
  readonly what: string;
}

/** Numbers from 0 to below `bound`, the same for the same seed. */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39) >>> 0;
    return mixed % bound;
  };
}

export function mutate(text: string, random: (bound: number) => number): Mutation {
  const lines = text.trimEnd().split('\n');
  // Declarations are few among the lines, and the most interesting: half of the changes are to them.
  const declarations = lines.flatMap((line, index) =>
    /^\{"(?:def|thm|axiom|opaque|quot|inductive)"/.test(line) ? [index] : [],
  );
  const among =
    random(2) === 0 && declarations.length > 0 ? declarations : lines.map((_, index) => index).slice(1);
  const index = among[random(among.length)] ?? 1;
  const line = lines[index] ?? '';
  const changed = mutateLine(line, random, lines);
  return {
    text: [...lines.slice(0, index), ...changed, ...lines.slice(index + 1), ''].join('\n'),
    what: `line ${index + 1}: ${line.slice(0, 120)} → ${changed.join(' ').slice(0, 120)}`,
  };
}

function mutateLine(line: string, random: (bound: number) => number, lines: readonly string[]): string[] {
  const kind = random(20);
  if (kind === 0) return [];
  if (kind === 1) return [line, line];
  if (kind === 2) return [lines[random(lines.length)] ?? ''];
  if (kind === 3) return [line.slice(0, random(line.length))];
  const value = JSON.parse(line) as unknown;
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const visit = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      visit((holder as Record<string, unknown>)[key]);
    }
  };
  visit(value);
  const place = places[random(places.length)];
  if (place !== undefined) place.holder[place.key] = mutateValue(place.holder[place.key], random);
  return [JSON.stringify(value)];
}

const WORDS = [
  'default',
  'implicit',
  'safe',
  'unsafe',
  'partial',
  'opaque',
  'abbrev',
  'type',
  'ctor',
  'lift',
  'ind',
  '0',
  '1',
  'Nat',
  'x',
];

function mutateValue(value: unknown, random: (bound: number) => number): unknown {
  switch (typeof value) {
    case 'number': {
      const near = [value + 1, Math.max(value - 1, 0), 0, random(200), 2 ** 32, -1, 0.5];
      return near[random(near.length)];
    }
    case 'boolean':
      return !value;
    case 'string':
      return WORDS[random(WORDS.length)];
    default:
      if (!Array.isArray(value)) return random(2) === 0 ? null : {};
      switch (random(4)) {
        case 0:
          return value.slice(1);
        case 1:
          return [...(value as unknown[]), ...(value as unknown[]).slice(0, 1)];
        case 2:
          return value.toReversed() as unknown[];
        default:
          return [];
      }
  }
}

/**
 * What declarations mean, as text: names, parameters, terms up to names of bound variables, numbers and flags. Left
 * out is what means nothing to the kernel: hints, the lists of mutual definitions, names of universe parameters
 * bound by recursors.
 */
export function meaningOf(declarations: readonly Declaration[]): Set<string> {
  return new Set(
    declarations.map((declaration) =>
      JSON.stringify(declaration, (key, value: unknown) => {
        if (key === 'hints' || (key === 'all' && declaration.kind !== 'inductive-block')) return undefined;
        if (value instanceof Name) return `${value.id}`;
        if (typeof value === 'object' && value !== null && 'plain' in value)
          return (value.plain as { id: number }).id;
        return value;
      }),
    ),
  );
}
