/** The proofs of a HOL4 script as they stand in its text. */
import type { FoundProof } from '../../agent/target.ts';
import { QuodError } from '../../core/errors.ts';
import type { LineEnd } from '../../core/position.ts';
import { meaningfulTokens } from '../../provers/hol4/syntax/lexer.ts';
import type { Script, ScriptTheorem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { spliceProof } from '../../provers/hol4/syntax/splice.ts';
import type { StandingProof } from '../own-proofs.ts';

/** Whether a script leaves a theorem open, or does not have it. */
export function isOpenIn({ theorems }: Script, theorem: string): boolean {
  return !theorems.some(
    ({ name, proof, cheats }) => name === theorem && proof !== undefined && cheats.length === 0,
  );
}

/** The proofs of these theorems. Comments beside a `cheat` are no work on it. */
export function scriptProofs(text: string, theorems: readonly string[]): ReadonlyMap<string, StandingProof> {
  const { theorems: stated } = parseScript(text);
  return new Map(
    theorems.flatMap((theorem) => {
      const found = stated.find(({ name, proof }) => name === theorem && proof !== undefined);
      return found === undefined ? [] : [[theorem, standing(text, found)] as const];
    }),
  );
}

function standing(text: string, theorem: ScriptTheorem): StandingProof {
  const { proof, cheats } = theorem;
  if (cheats.length === 0) {
    const finished = proofText(text, theorem);
    return { text: finished, work: finished, isOpen: false };
  }
  const tokens = meaningfulTokens(text, proof);
  const written = tokens.map(({ span }) => text.slice(span.start, span.end)).join(' ');
  const isCheat = tokens.length === 1 && cheats[0]?.kind === 'cheat';
  return { text: written, work: isCheat ? '' : written, isOpen: true };
}

/** @throws QuodError `not-found`, and as `spliceProof`. */
export function withScriptProof(
  text: string,
  theorem: string,
  { proof }: FoundProof,
  lineEnd?: LineEnd,
): string {
  const script = parseScript(text);
  const place = script.theorems.find(({ name, proof: own }) => name === theorem && own !== undefined);
  if (place === undefined) throw new QuodError('not-found', 'There is no such theorem.');
  return spliceProof(script, place, proof, lineEnd);
}

export function proofText(text: string, { proof }: ScriptTheorem): string {
  return proof === undefined ? '' : text.slice(proof.start, proof.end).trim();
}
