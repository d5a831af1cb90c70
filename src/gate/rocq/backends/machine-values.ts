/**
 * Whether a compiled file computes with the kernel's own numbers and arrays. The Rocq inside Node has them in other code than a
 * native one, and its floats say that what is no number equals itself, from which `False` follows. What rests on them is for
 * an installed Rocq to judge.
 */
import { type CompiledFile, readCompiledFile } from '../compiled/compiled-file.ts';
import { dependencies } from '../compiled/compiled-library.ts';
import { declaredConstants } from '../compiled/declarations.ts';

/** The libraries of the embedded Rocq that declare such values. A test finds them again. */
export const MACHINE_LIBRARIES: ReadonlySet<string> = new Set([
  'Coq.Numbers.Cyclic.Int63.PrimInt63',
  'Coq.Floats.PrimFloat',
  'Coq.Array.PArray',
]);

/** The library that declares them, or `this file`; undefined when there are none. @throws MalformedValue */
export function machineValuesIn(bytes: Uint8Array): string | undefined {
  const file = readCompiledFile(bytes);
  if (declaresMachineValues(file)) return 'this file';
  return dependencies(file).libraries.find(({ name }) => MACHINE_LIBRARIES.has(name))?.name;
}

/** Whether the file itself declares any: constants that have neither a body nor none. @throws MalformedValue */
export function declaresMachineValues(file: CompiledFile): boolean {
  return declaredConstants(file).some(({ body }) => body === 'other');
}
