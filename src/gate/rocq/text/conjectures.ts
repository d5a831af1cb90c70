/**
 * Names that a target's sentences conjecture. The prover declares a conjecture as it declares what is admitted; but nobody
 * is asked to prove it, and what rests on it says so.
 */
import type { Script } from './script.ts';

/** As the kernel has them: with their modules. */
export function conjectures(script: Script): ReadonlySet<string> {
  const names = new Set<string>();
  for (let sentence = 0; sentence < script.length; sentence += 1) {
    const [word, ...tokens] = script.tokens(sentence);
    if (word !== 'Conjecture' && word !== 'Conjectures') continue;
    const { modules } = script.placeOf({ sentence });
    for (const name of namesBeforeColons(tokens)) names.add([...modules, name].join('.'));
  }
  return names;
}

/** In `a : A` and `(a b : A) (c : C)`: the names. */
function* namesBeforeColons(tokens: readonly string[]): Generator<string> {
  let depth = 0;
  let isName = true;
  for (const token of tokens) {
    if (token === '(' || token === '{' || token === '[') {
      depth += 1;
      if (depth === 1) isName = true;
    } else if (token === ')' || token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) isName = true;
    } else if (token === ':') isName = false;
    else if (isName) yield token;
  }
}
