/**
 * Names that a target's sentences conjecture. The prover declares a conjecture as it declares what is admitted; but nobody
 * is asked to prove it, and what rests on it says so.
 */
import { assumptionHead } from '../../../provers/rocq/syntax/assumption-head.ts';
import type { Script } from './script.ts';

/** As the kernel has them: with their modules. */
export function conjectures(script: Script): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [sentence, { text }] of script.outline.sentences.entries()) {
    const head = assumptionHead(text);
    if (head?.keyword !== 'Conjecture' && head?.keyword !== 'Conjectures') continue;
    const { modules } = script.placeOf({ sentence });
    for (const name of head.names) names.add([...modules, name].join('.'));
  }
  return names;
}
