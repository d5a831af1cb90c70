/**
 * What a statement rests on may be behind a signature that does not show it. No name leads there, so the prover cannot
 * locate it; it prints where the kernel has it. The compiled file says whether there is such a constant, without a body.
 */
import { readCompiledFile } from '../compiled/compiled-file.ts';
import { declaredConstants } from '../compiled/declarations.ts';
import { type Unknown, unknownAnswer } from './judge-backend.ts';

/** By their names in the file, those that are hidden and have no body. @throws MalformedValue */
export function hiddenAxioms(bytes: Uint8Array): ReadonlySet<string> {
  const constants = declaredConstants(readCompiledFile(bytes));
  return new Set(
    constants.flatMap(({ name, isHidden, assumed }) => (isHidden && assumed !== undefined ? [name] : [])),
  );
}

/** Of an axiom that is hidden elsewhere, or of which nothing is known. */
export function unlocated(axiom: string): Unknown {
  return unknownAnswer(
    'unsupported',
    `A statement rests on ${axiom}, which cannot be named: a signature hides it. Nobody can be asked what it is.`,
  );
}
