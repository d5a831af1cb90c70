/** Findings about proofs that were checked by the virtual machine or by compiled code. */
import { orNothing } from '../../core/entry.ts';
import { lazyConstant } from '../../core/lazy-constant.ts';
import { allowsFlag, type GatePolicy } from '../policy.ts';
import type { Finding } from '../verdict.ts';
import { closedCasts } from './comparison/closed-casts.ts';
import { ComparisonWork } from './comparison/comparison-work.ts';
import { KernelEquality } from './comparison/kernel-equality.ts';
import { freeVariables } from './comparison/substitution.ts';
import { compiledLibrary } from './compiled/compiled-library.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { blocksIn, type Block, type OcamlValue, TooLarge } from './compiled/ocaml-values.ts';
import {
  isCastBy,
  machinesByPart,
  machinesUsed,
  type Machine,
  type MachinesOfPart,
} from './compiled/proof-casts.ts';
import type { Script } from './text/script.ts';

/** What a statement of the target or its own proof uses is allowed to that proof, like the target's axioms to all. */
export function machineFindings(
  target: CompiledFile,
  submission: CompiledFile,
  script: Script,
  policy: GatePolicy,
): Finding[] {
  const refused = deniedIn(submission, policy);
  if (refused.length === 0) return [];
  const isOwn = ({ isCopy = false }: MachinesOfPart): boolean => !isCopy;
  const parts = [...machinesByPart(submission)].filter(isOwn);
  const ofTarget = [...machinesByPart(target)].filter(isOwn);
  return refused.flatMap((machine) => {
    const uses = ({ machines }: MachinesOfPart): boolean => machines.has(machine);
    const allowed = new Set(ofTarget.filter(uses).flatMap(keysOf));
    const hasCastsOfTarget = madeOfCasts(target, machine, ofTarget.filter(uses));
    const more = parts
      .filter(uses)
      .find((part) => !keysOf(part).some((key) => allowed.has(key)) && !hasCastsOfTarget(part));
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

/** The machines that it has used and the policy does not allow. */
export function deniedIn(submission: CompiledFile, policy: GatePolicy): readonly Machine[] {
  const used = machinesUsed(submission);
  return (['native', 'vm'] as const).filter(
    (machine) => used.has(machine) && !allowsFlag(policy, MACHINES[machine].flag),
  );
}

/** Steps in which casts are looked for and compared: what takes more is not found to be the target's. */
const MOST_STEPS = 5_000_000;

/**
 * Whether all that the machine checked in a part is, closed, what it checked in types of the target, or in what others can look into:
 * what Rocq derives from them (`Scheme`) has their casts, too.
 */
function madeOfCasts(
  target: CompiledFile,
  machine: Machine,
  parts: readonly MachinesOfPart[],
): (part: MachinesOfPart) => boolean {
  const { layout, name } = compiledLibrary(target);
  const inTerms = { layout, work: new ComparisonWork(MOST_STEPS) };
  const isMeant = (block: Block): boolean => isCastBy(machine, block);
  const castsOf = (terms: readonly OcamlValue[]) => closedCasts(inTerms, terms, isMeant);
  const known = lazyConstant((): readonly OcamlValue[] => {
    const types = parts.flatMap(({ terms = [], value }) =>
      terms.length > 0 || value === undefined ? [] : [...blocksIn(value)],
    );
    const inTypes = types.filter((block) => isMeant(block) && freeVariables(inTerms, block).size === 0);
    return [...parts.flatMap(({ terms = [] }) => castsOf(terms).closed), ...inTypes];
  });
  const isKnown = (cast: OcamlValue): boolean =>
    known().some((one) => new KernelEquality(name, inTerms.work).same(layout.term, cast, one));
  return ({ terms = [], value }) => {
    if (terms.length === 0 || value === undefined) return false;
    try {
      const { closed, met, areAll } = castsOf(terms);
      const areMet = ![...blocksIn(value)].some((block) => isMeant(block) && !met.has(block));
      return areAll && areMet && closed.every(isKnown);
    } catch (error) {
      if (error instanceof TooLarge) return false;
      throw error;
    }
  };
}

/** What belongs to nothing that has a name is one part. */
export function keysOf({ names }: MachinesOfPart): readonly string[] {
  return names.length === 0 ? [''] : names;
}

export const MACHINES = {
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
