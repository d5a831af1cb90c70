/**
 * A value that the submission chose changes what the target says of it. Which of its axioms, of its open statements and of
 * what is not checked there speak of such a value, themselves or by way of what they speak of, the target's compiled file
 * tells. It only warns.
 */
import { allowsFlag, type KernelFlag } from '../../policy.ts';
import type { Warning } from '../../verdict.ts';
import { SpokenNames } from '../comparison/spoken-names.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { libraryNameOf } from '../compiled/compiled-library.ts';
import {
  type DeclaredConstant,
  declaredConstants,
  declaredTypes,
  namesWithBody,
} from '../compiled/declarations.ts';
import { inside } from '../compiled/module-paths.ts';
import { type Unchecked, uncheckedDeclarations } from '../compiled/unchecked.ts';
import type { OpenStatement } from '../libraries/open-elsewhere.ts';
import { type JudgeSettings, limitsOf } from '../judgement.ts';
import type { Limits } from '../backends/judge-backend.ts';
import { isAbout, type Reached } from '../reached-assumptions.ts';
import type { Reference } from '../reference-result.ts';

/** What a submission chose, and what the target's file leaves without a proof, by the names in the file. */
export interface ChosenValues {
  /** Those that the policy lets it choose. */
  readonly mayChange: ReadonlySet<string>;
  /** Declarations of the target that have other bodies. */
  readonly otherBodies: readonly string[];
  /** The target's, also where no proof that is asked for rests on one: a finished one that is left as it is can, or one to come. */
  readonly axioms: ReadonlySet<string>;
  /** What need not be proved; copies say nothing of their own. */
  readonly open: ReadonlyMap<string, OpenStatement>;
  /** What the proofs rest on. Those that rest on nothing need not be among them. */
  readonly reached: readonly Reached[];
  /** The submission's. */
  readonly file: CompiledFile;
}

/** Those by which something is not so for one value and is for another. The other kinds of `Unchecked` are about a theory. */
const FLAGS: readonly (readonly [Unchecked, KernelFlag])[] = [
  ['guarded', 'unchecked-guard'],
  ['positive', 'unchecked-positivity'],
  ['universes', 'unchecked-universes'],
];

export async function chosenValueWarning(
  reference: Reference,
  values: ChosenValues,
  settings: JudgeSettings,
): Promise<Warning | undefined> {
  const isNotChecked = notCheckedOf(values);
  const given = givenValues(reference.constants, declaredConstants(values.file), values.otherBodies);
  const ofTarget =
    isNotChecked.size === 0
      ? new Set<string>()
      : new Set([...reference.constants.map(({ name }) => name), ...declaredTypes(reference.file)]);
  const notChecked = new Set([...isNotChecked.keys()].filter((name) => ofTarget.has(name)));
  const said = await speakingOfChosen(reference, { ...values, given, notChecked }, limitsOf(settings));
  // Where the policy allows none, a submission has such things by applying a functor to what it chose.
  const made = [...isNotChecked].flatMap(([name, flags]) =>
    ofTarget.has(name) || flags.every((flag) => allowsFlag(settings.policy ?? {}, flag))
      ? []
      : [`${name} (which the submission made)`],
  );
  if (said.length === 0 && made.length === 0) return undefined;
  return {
    kind: 'values-chosen',
    message: `Axioms, open statements and what was not checked speak of values that the submission chose, and say something else with other values, which may be false: ${[...said, ...made].join('; ')}.`,
  };
}

/**
 * By names in the submission: what is said not to be checked, also what a signature says of it, and where something is, all that
 * the file declares so. The prover may call it like a module that hides it.
 */
function notCheckedOf({ reached, file }: ChosenValues): ReadonlyMap<string, readonly KernelFlag[]> {
  const saidUnchecked = reached.flatMap(({ disabledChecks }) => disabledChecks);
  const isNotChecked = new Map<string, readonly KernelFlag[]>();
  if (saidUnchecked.length === 0) return isNotChecked;
  const own = libraryNameOf(file);
  for (const [part, declared] of uncheckedDeclarations(file)) {
    const name = inside(own, part);
    const flags = FLAGS.flatMap(([check, flag]) =>
      declared.includes(check) || saidUnchecked.some((line) => isAbout(line, { name, check })) ? [flag] : [],
    );
    if (flags.length > 0) isNotChecked.set(part, flags);
  }
  return isNotChecked;
}

/** Names of the target that have no value there, or another: whether others can look into what the submission gives. */
interface Given {
  readonly given: ReadonlyMap<string, 'transparent' | 'opaque'>;
}

/** Of these the value counts, also where nobody can look into it. */
type NotChecked = { readonly notChecked: ReadonlySet<string> };

/** What is assumed or not checked and speaks of a chosen value, each with these values. */
async function speakingOfChosen(
  reference: Reference,
  { mayChange, given, axioms, open, reached, notChecked }: ChosenValues & Given & NotChecked,
  limits: Limits,
): Promise<readonly string[]> {
  // Whoever gives a module of the type has to prove what its parameters say.
  const inTypes = new Set(
    reference.constants.flatMap(({ name, inModuleType }) => (inModuleType ? [name] : [])),
  );
  const admitted = [...open.keys()].filter((name) => open.get(name) === 'admitted');
  const restedOn = reached.flatMap((each) => each.axioms.flatMap(({ name, local }) => (local ? [name] : [])));
  const assumed = [...restedOn, ...axioms, ...admitted, ...notChecked];
  const names = new Set(assumed.filter((name) => !inTypes.has(name)));
  if (names.size === 0 || (mayChange.size === 0 && given.size === 0)) return [];
  const isGivenOpaquely = (name: string): boolean => given.get(name) === 'opaque' && !mayChange.has(name);
  const { spoken, proofs } = await spokenOf(reference, { names, notChecked, isGivenOpaquely }, limits);
  return [...spoken].flatMap(([name, of]) => {
    const chosen = [...of].filter(
      (one) => one !== name && (mayChange.has(one) || (given.has(one) && !proofs.has(one))),
    );
    // Which proof it is matters where the proof is what was not checked.
    if (notChecked.has(name) && (mayChange.has(name) || given.has(name))) chosen.unshift('itself');
    return chosen.length === 0 ? [] : [`${name} (of ${chosen.join(', ')})`];
  });
}

/** What a submission gives to names that have no value in the target, and what it has for those with other bodies. */
function givenValues(
  target: readonly DeclaredConstant[],
  submission: readonly DeclaredConstant[],
  otherBodies: readonly string[],
): Given['given'] {
  const open = namesWithBody(target, 'undefined');
  const others = new Set(otherBodies);
  return new Map(
    submission.flatMap(({ name, body }) =>
      (body === 'transparent' || body === 'opaque') && (open.has(name) || others.has(name))
        ? [[name, body] as const]
        : [],
    ),
  );
}

/**
 * For each of the names, what of the file it speaks of, and what of it is a proof of a proposition that nobody can look
 * into: which proof it is does not matter. Of what the prover cannot be asked about, it is taken to matter.
 */
async function spokenOf(
  { file, unit, constants }: Reference,
  {
    names,
    notChecked,
    isGivenOpaquely,
  }: NotChecked & {
    readonly names: ReadonlySet<string>;
    readonly isGivenOpaquely: (name: string) => boolean;
  },
  limits: Limits,
): Promise<{
  readonly spoken: ReadonlyMap<string, ReadonlySet<string>>;
  readonly proofs: ReadonlySet<string>;
}> {
  const inFile = new SpokenNames(file);
  // They cannot be named in a question.
  const settled = new Set(constants.flatMap(({ name, isHidden }) => (isHidden ? [name] : [])));
  const proofs = new Set<string>();
  for (let takesMore = false; ; takesMore = true) {
    const reached = (looksInto: (name: string) => boolean) =>
      new Map([...names].sort().map((name) => [name, inFile.reachedFrom(name, looksInto)]));
    // First what the names lead to by themselves; where that is not all, at once what there can be behind it.
    const soFar = reached(
      (name) => notChecked.has(name) || (settled.has(name) ? !proofs.has(name) : takesMore),
    );
    const open = [...new Set([...soFar.values()].flatMap((each) => [...each]))].filter(
      (name) => !settled.has(name) && (inFile.isOpaque(name) || isGivenOpaquely(name)),
    );
    if (open.length === 0) return { spoken: soFar, proofs };
    // Where one cannot be asked about, none is answered that is asked about with it.
    const inFunctors = Map.groupBy(open, (name) => inFile.isInFunctor(name));
    for (const together of inFunctors.values())
      for (const name of await unit.propositions(together, limits)) proofs.add(name);
    for (const name of open) settled.add(name);
  }
}
