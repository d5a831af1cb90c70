/** Findings about proofs that were checked by the virtual machine or by compiled code. */
import { orNothing } from '../../core/entry.ts';
import { allowsFlag, type GatePolicy } from '../policy.ts';
import type { Finding } from '../verdict.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { machinesByPart, machinesUsed, type Machine, type MachinesOfPart } from './compiled/proof-casts.ts';
import type { Script } from './text/script.ts';

/** What a statement of the target or its own proof uses is allowed to that proof, like the target's axioms to all. */
export function machineFindings(
  target: CompiledFile,
  submission: CompiledFile,
  script: Script,
  policy: GatePolicy,
): Finding[] {
  const used = machinesUsed(submission);
  const refused = (['native', 'vm'] as const).filter(
    (machine) => used.has(machine) && !allowsFlag(policy, MACHINES[machine].flag),
  );
  if (refused.length === 0) return [];
  const parts = [...machinesByPart(submission)];
  const ofTarget = [...machinesByPart(target)];
  return refused.flatMap((machine) => {
    const uses = ({ machines }: MachinesOfPart): boolean => machines.has(machine);
    const allowed = new Set(ofTarget.filter(uses).flatMap(keysOf));
    const more = parts.filter(uses).find((part) => !keysOf(part).some((key) => allowed.has(key)));
    if (more === undefined) return [];
    return [
      {
        kind: 'native-code' as const,
        file: script.source.path,
        ...placeIn(script, machine, more.names),
        message: `A proof was checked by ${MACHINES[machine].what}, and the policy does not allow it.`,
        remedy: `Do without ${MACHINES[machine].tactic}, or have the policy allow it (flags).`,
      },
    ];
  });
}

/** What belongs to nothing that has a name is one part. */
function keysOf({ names }: MachinesOfPart): readonly string[] {
  return names.length === 0 ? [''] : names;
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

/** Where the text names the machine in the proof of one of these, or states it; where nothing is named, anywhere. */
function placeIn(
  script: Script,
  machine: Machine,
  names: readonly string[],
): Pick<Finding, 'position' | 'subject'> {
  const places = script.outline.sentences.flatMap((_, sentence) =>
    script.tokens(sentence).some((token) => MACHINES[machine].word.test(token)) ? [sentence] : [],
  );
  const [subject] = names;
  const place =
    subject === undefined
      ? places[0]
      : (places.find((sentence) => names.includes(orNothing(script.enclosing(sentence)?.name))) ??
        script.statementNamed(subject)?.item.sentence);
  return {
    ...(place !== undefined && { position: script.positionOf(place) }),
    ...(subject !== undefined && { subject }),
  };
}
