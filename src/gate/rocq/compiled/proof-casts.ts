/**
 * Which machines a compiled file asks the kernel to trust: casts in its proofs that were checked by the virtual machine
 * (`vm_compute`) or by compiled code (`native_compute`). `Print Assumptions` does not tell of them.
 */
import type { CompiledFile } from './compiled-file.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { TERM } from './term-layout.ts';

export type Machine = 'vm' | 'native';

const CAST_KINDS: readonly Machine[] = ['vm', 'native'];

/**
 * Looks at every block that has the shape of a cast, in proofs and everywhere else. What is no term could have the shape
 * too (nothing known has): an innocent file might be refused for that, but no cast is overlooked.
 */
export function machinesUsed(file: CompiledFile): ReadonlySet<Machine> {
  const used = new Set<Machine>();
  for (const segment of ['opaques', 'library']) lookThrough(file.segment(segment), used);
  return used;
}

function lookThrough(root: OcamlValue, used: Set<Machine>): void {
  const seen = new Set<Block>();
  const pending: OcamlValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof Block) || seen.has(value)) continue;
    seen.add(value);
    const kind = value.fields[1];
    if (value.tag === TERM.cast && value.fields.length === 3 && typeof kind === 'number') {
      const machine = CAST_KINDS[kind];
      if (machine !== undefined) used.add(machine);
    }
    // One by one: an array can have more elements than a call may have arguments.
    for (const part of value.fields) if (part instanceof Block) pending.push(part);
  }
}
