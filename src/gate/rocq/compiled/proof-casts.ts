/**
 * Which machines a compiled file asks the kernel to trust: casts in its proofs that were checked by the virtual machine
 * (`vm_compute`) or by compiled code (`native_compute`). `Print Assumptions` does not tell of them.
 */
import type { CompiledFile } from './compiled-file.ts';
import { blocksIn } from './ocaml-values.ts';
import { TERM } from './term-layout.ts';

export type Machine = 'vm' | 'native';

const CAST_KINDS: readonly Machine[] = ['vm', 'native'];

/**
 * Looks at every block that has the shape of a cast, in proofs and everywhere else. What is no term could have the shape
 * too (nothing known has): an innocent file might be refused for that, but no cast is overlooked.
 */
export function machinesUsed(file: CompiledFile): ReadonlySet<Machine> {
  const used = new Set<Machine>();
  for (const { tag, fields } of blocksIn(file.segment('opaques'), file.segment('library'))) {
    const kind = fields[1];
    if (tag !== TERM.cast || fields.length !== 3 || typeof kind !== 'number') continue;
    const machine = CAST_KINDS[kind];
    if (machine !== undefined) used.add(machine);
  }
  return used;
}
