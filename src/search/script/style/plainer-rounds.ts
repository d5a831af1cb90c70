/**
 * What is left of a strategy that nobody could write out step by step: `do 6 try (first [a | b | c]; d)` with less in
 * it, until it can be said as `repeat b; a`. Each is a guess by the text alone.
 */
import { splitTopLevel } from '../../candidates/authored-tactic.ts';

export function* plainerRounds(piece: string): Generator<string> {
  const { times, body } = /^do (?<times>\d+) try (?<body>[^]*)$/u.exec(piece)?.groups ?? {};
  if (times === undefined || body === undefined) return;
  const [round, ...rest] = splitTopLevel(
    /^\((?<inside>[^]*)\)$/u.exec(body)?.groups?.['inside'] ?? body,
    ';',
  );
  if (round === undefined) return;
  const written = (steps: readonly string[]): string => `do ${times} try (${steps.join('; ')})`;
  const alternatives = insideOf('first', round) ?? [round];
  for (const fewer of fewerAlternatives(alternatives)) {
    const [only] = fewer;
    yield written([
      fewer.length === 1 && only !== undefined ? only : `first [${fewer.join(' | ')}]`,
      ...rest,
    ]);
  }
  for (const index of rest.keys()) yield written([round, ...rest.toSpliced(index, 1)]);
  const rewrites = alternatives.map(
    (alternative) => /^rewrite (?<step>[^;,]+)$/u.exec(alternative)?.groups?.['step'],
  );
  if (rest.length === 0 && rewrites.every((step) => step !== undefined))
    for (const order of [rewrites, rewrites.toReversed()])
      yield `rewrite ${order.map((step) => `!${step}`).join(', ')}`;
  const steps = alternatives.filter((alternative) => insideOf('solve', alternative) === undefined);
  const closers = alternatives.flatMap((alternative) => insideOf('solve', alternative) ?? []);
  if (alternatives.length <= MOST_SAID)
    for (const closer of closers)
      yield [...steps.map((step) => step.replace(/^progress /u, '')), ...rest, closer].join('; ');
  const [one, other] = alternatives;
  if (one === undefined) return;
  if (alternatives.length === 1) {
    yield [one.replace(/^progress /u, ''), ...rest].join('; ');
    yield rest.length === 0 ? `repeat ${one}` : `repeat (${[one, ...rest].join('; ')})`;
  } else if (other !== undefined && alternatives.length === 2) {
    // What closes goals may do so behind all steps.
    for (const closer of insideOf('solve', one) ?? [one])
      yield `repeat ${rest.length === 0 ? other : `(${[other, ...rest].join('; ')})`}; ${closer}`;
  }
}

/** Alternatives that may stand one behind the other. */
const MOST_SAID = 3;

function* fewerAlternatives(alternatives: readonly string[]): Generator<readonly string[]> {
  const half = Math.floor(alternatives.length / 2);
  if (half > 1) yield* [alternatives.slice(0, half), alternatives.slice(half)];
  if (alternatives.length > 1)
    for (const index of alternatives.keys()) yield alternatives.toSpliced(index, 1);
  for (const [index, alternative] of alternatives.entries()) {
    const closers = insideOf('solve', alternative);
    if (closers !== undefined && closers.length > 1)
      for (const closer of closers) yield alternatives.with(index, `solve [${closer}]`);
    // The equation of a case may be used by nothing.
    if (alternative.includes(' eqn:?')) yield alternatives.with(index, alternative.replace(' eqn:?', ''));
  }
}

function insideOf(word: 'first' | 'solve', tactic: string): string[] | undefined {
  const isBracketed = tactic.startsWith(`${word} [`) && tactic.endsWith(']');
  return isBracketed ? splitTopLevel(tactic.slice(word.length + 2, -1), '|') : undefined;
}
