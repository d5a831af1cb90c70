import type { Name } from './name.ts';
import type { TermStore } from './term-store.ts';

/**
 * What the kernel takes a string literal apart into, by name. A literal mentions none of it, and rests on all of it: a
 * `Char.ofNat` that is made from an axiom makes strings out of that axiom.
 */
const BEHIND_STRINGS: readonly (readonly string[])[] = [
  ['String'],
  ['String', 'ofList'],
  ['String', 'mk'],
  ['List'],
  ['List', 'nil'],
  ['List', 'cons'],
  ['Char'],
  ['Char', 'ofNat'],
];

export function namesBehindStrings({ names }: TermStore): Name[] {
  return BEHIND_STRINGS.map((name) => names.of(...name));
}
