/** Findings about proofs that were checked by the virtual machine or by compiled code. */
import { allowsFlag, type GatePolicy } from '../policy.ts';
import type { Finding } from '../verdict.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { machinesUsed, type Machine } from './compiled/proof-casts.ts';
import type { Script } from './text/script.ts';

/** What the target's own proofs use is allowed, like the target's axioms. */
export function machineFindings(
  target: CompiledFile,
  submission: CompiledFile,
  script: Script,
  policy: GatePolicy,
): Finding[] {
  const refused = (['native', 'vm'] as const).filter(
    (machine) => !allowsFlag(policy, MACHINES[machine].flag),
  );
  if (refused.length === 0) return [];
  const used = machinesUsed(submission);
  const more = refused.filter((machine) => used.has(machine));
  if (more.length === 0) return [];
  const ofTarget = machinesUsed(target);
  return more
    .filter((machine) => !ofTarget.has(machine))
    .map((machine) => ({
      kind: 'native-code' as const,
      file: script.source.path,
      ...placeIn(script, machine),
      message: `A proof was checked by ${MACHINES[machine].what}, and the policy does not allow it.`,
      remedy: `Do without ${MACHINES[machine].tactic}, or have the policy allow it (flags).`,
    }));
}

const MACHINES = {
  vm: { what: 'the virtual machine', tactic: 'vm_compute', flag: 'vm-compute', word: /^vm_/ },
  native: {
    what: 'compiled native code',
    tactic: 'native_compute',
    flag: 'native-compute',
    word: /^native_/,
  },
} as const;

/** Where the text names the machine, when it does. */
function placeIn(script: Script, machine: Machine): Pick<Finding, 'position' | 'subject'> {
  for (let sentence = 0; sentence < script.length; sentence += 1) {
    if (!script.tokens(sentence).some((token) => MACHINES[machine].word.test(token))) continue;
    const subject = script.enclosing(sentence)?.name;
    return { position: script.positionOf(sentence), ...(subject !== undefined && { subject }) };
  }
  return {};
}
