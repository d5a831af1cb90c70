/** The hash of a term, by which the term store finds it. */
import { randomInt } from 'node:crypto';
import type { Expression, ExpressionKind } from '../expression.ts';
import type { Name } from '../name.ts';
import type { Datum } from './stored-term.ts';

/** Differs from run to run, so that no file can be made whose terms all collide. */
const SEED = randomInt(2 ** 31);

/** Equal parts give equal hashes; made of the unique numbers of the parts. */
export function termHash(
  kind: ExpressionKind,
  name: Name,
  first: Expression | undefined,
  second: Expression | undefined,
  third: Expression | undefined,
  datum: Datum,
): number {
  let hash = SEED ^ kind.charCodeAt(0) ^ (kind.length << 8);
  if (first !== undefined) hash = mix(hash, first.id);
  if (second !== undefined) hash = mix(hash, second.id);
  if (third !== undefined) hash = mix(hash, third.id);
  hash = mix(hash, name.id);
  switch (typeof datum) {
    case 'number':
      hash = mix(hash, datum);
      break;
    case 'bigint':
      hash = mixText(hash, datum.toString(16));
      break;
    case 'string':
      hash = mixText(hash, datum);
      break;
    case 'object':
      if ('id' in datum) hash = mix(hash, datum.id);
      else for (const level of datum) hash = mix(hash, level.id);
      break;
    case 'boolean':
      hash = mix(hash, datum ? 1 : 0);
      break;
    default:
      break;
  }
  return hash ^ (hash >>> 15);
}

function mixText(hash: number, text: string): number {
  let result = hash;
  for (let position = 0; position < text.length; position++) {
    result = mix(result, text.charCodeAt(position));
  }
  return result;
}

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 16);
}
