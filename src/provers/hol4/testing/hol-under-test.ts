/**
 * The HOL that a test talks to: the real one of the machine, else the recording `NAME.jsonl` of one. With
 * QUOD_HOL4_RECORD set, and a real one, the recording is made anew. A test with a recording starts one HOL, which
 * saves no heaps: when and where would differ each time.
 */
import { fileURLToPath } from 'node:url';
import { findHol4 } from '../discovery.ts';
import type { HolStart } from '../session/process.ts';
import { SECRET } from './recorded-commands.ts';

export function holUnderTest(name: string): HolStart & { readonly checkpointMs?: number } {
  const program = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  const recording = program(`recordings/${name}.jsonl`);
  const real = findHol4()?.hol;
  if (real === undefined) {
    return {
      executable: process.execPath,
      extraArguments: [program('scripted-hol.ts'), recording],
      secret: SECRET,
      checkpointMs: Infinity,
    };
  }
  if (!process.env['QUOD_HOL4_RECORD']) return { executable: real };
  return {
    executable: process.execPath,
    extraArguments: [program('recording-hol.ts'), recording, real],
    secret: SECRET,
    checkpointMs: Infinity,
  };
}
