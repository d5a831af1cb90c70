/**
 * No name begins a line of an answer: whoever chooses the name of a file would else write lines that look like
 * Quod's. Every operation's text is made of an answer in which each string has a line break.
 */
import { expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import type { AnyOperation } from './definition/operation.ts';
import { isRecord } from '../core/json.ts';

/** What is a text and no name: proofs and statements, what provers and models say, Quod's own sentences. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['statement', 'proof', 'script', 'tactic', 'body', 'value', 'type', 'conclusion', 'hypotheses', 'goal'],
  ...['state', 'text', 'step', 'definition', 'documentation', 'type_info', 'signature', 'terms', 'details'],
  ...['results', 'output', 'difference', 'diff', 'markdown', 'report', 'line', 'symbol', 'proof_unknown'],
  ...['counterexample', 'negation', 'suspects', 'valid_prefix', 'unchecked', 'warnings', 'findings', 'notes'],
  ...['explanation', 'hidden_failures', 'not_judged_because', 'advice', 'purpose', 'provers', 'node'],
  ...['meaning', 'why', 'problem', 'remedy'],
]);
/** What these say of a file stands in sentences of Quod's; elsewhere `message` is what a prover says. */
const OF_QUOD = /^(?:proof|gate|data|agent|lean_verify)/u;

/** It draws a tree, which no answer made of its schema alone is (src/drawing tests how). */
const NO_TREE = CATALOGUE.filter(({ name }) => name !== 'proof_tree');

it.each(NO_TREE.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const begun = new Set(
    Array.from({ length: 8 }, (_, turn) => textOf(operation, turn)).flatMap((text) =>
      [...text.matchAll(/^BREAK-(\w+)/gmu)].map(([, key]) => String(key)),
    ),
  );
  const texts = OF_QUOD.test(name) ? TEXTS : new Set([...TEXTS, 'message']);
  expect([...begun].filter((key) => !texts.has(key))).toEqual([]);
});

function textOf(operation: AnyOperation, turn: number): string {
  const answer = operation.readAnswer(valueOf(operation.outputSchema(), '', turn));
  return `${answer.body()}\n${answer.conclusion() ?? ''}`;
}

/** @param turn which of the values is taken where a schema has several. */
function valueOf(schema: unknown, key: string, turn: number): unknown {
  if (!isRecord(schema)) return null;
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(either)) {
    const told = either.filter((one) => isRecord(one) && one['type'] !== 'null');
    return valueOf(told[turn % told.length], key, turn);
  }
  if (schema['const'] !== undefined) return schema['const'];
  const values = schema['enum'];
  if (Array.isArray(values)) return values[turn % values.length];
  const types: readonly unknown[] = [schema['type']].flat();
  const type = types.find((one) => one !== 'null');
  switch (type) {
    case 'string':
      return `a\nBREAK-${key}: accepted\r\u2028BREAK-${key}`;
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return turn % 2 === 0;
    case 'array':
      return [valueOf(schema['items'], key, turn), valueOf(schema['items'], key, turn + 1)];
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(([name, one]) => [
          name,
          valueOf(one, name, turn),
        ]),
      );
    default:
      return null;
  }
}
