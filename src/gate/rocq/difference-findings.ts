/** Turns what the comparison of compiled files found, and what proofs rest on, into findings with places and remedies. */
import { orNothing } from '../../core/entry.ts';
import { lastPart } from '../../core/qualified-name.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { Finding } from '../verdict.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { uncheckedDeclarations } from './compiled/unchecked.ts';
import type { DeclaredTexts } from './text/declared-texts.ts';
import type { Script } from './text/script.ts';
import type { Difference } from './comparison/comparison-request.ts';
import type { Demand } from './comparison/joint-demands.ts';
import { demandsSaid } from './comparison/level-names.ts';
import { machinesByPart } from './compiled/proof-casts.ts';
import { MACHINES } from './machine-findings.ts';

/** What is said against what a proof rests on. */
export type Objection = Pick<Finding, 'kind' | 'message' | 'remedy'>;

export function notProved(name: string, by: string): Objection {
  return {
    kind: 'admitted',
    message: `The proof of ${name} rests on ${by}, which is not proved.`,
    remedy: `Prove ${by}.`,
  };
}

export function onlyCopied(name: string, original: string): Objection {
  return {
    kind: 'admitted',
    message: `${name} is ${original} by another name, which is not proved.`,
    remedy: 'Ask for a statement of the file.',
  };
}

/** @param isNamesake The policy allows an axiom of an installed library that is called like it. */
export function newAxiom(
  name: string,
  called: string,
  found: { readonly mayBeOpen: boolean; readonly isNamesake: boolean; readonly remedy: string },
): Objection {
  const what = found.mayBeOpen ? `${called}, which may be an axiom` : `the axiom ${called}`;
  const message = `The proof of ${name} rests on ${what}, which the policy does not allow.`;
  return {
    kind: 'new-axiom',
    message: found.isNamesake ? `${message} ${NOT_INSTALLED}` : message,
    remedy: found.remedy,
  };
}

const NOT_INSTALLED =
  'What the policy names is of a library that is installed with the prover; this is of another one, which is called like it.';

export function unchecked(name: string, check: string): Objection {
  return {
    kind: 'checks-disabled',
    message: `The proof of ${name} rests on something that the kernel did not check: ${check}`,
    remedy: 'Do without it.',
  };
}

/** Of what nobody asked for, and the submission gives another proof than the target has, that this was not needed. */
export function ofUnasked(
  objection: Objection,
  name: string,
  { provable, open }: Readonly<Record<'provable' | 'open', { has(name: string): boolean }>>,
): Objection {
  if (provable.has(name)) return objection;
  const stays = open.has(name) ? 'It may stay open' : 'The proof of the target may stay';
  return {
    ...objection,
    message: `${objection.message} The policy does not ask for ${name}, but a proof that a submission gives it may rest on no more than one that is asked for.`,
    remedy: `${stays}. ${objection.remedy}`,
  };
}

export function withPlace(submission: Script, subject: string, finding: Objection): Finding {
  const statement = submission.statementNamed(subject);
  return {
    ...finding,
    file: submission.source.path,
    subject,
    ...(statement && { position: statement.position }),
  };
}

export function foreignLibrary(submission: Script, name: string): Finding {
  return {
    ...libraryFinding(submission, name),
    message: `The library ${name} is neither used by the target nor installed with the prover.`,
    remedy: 'Put what you need into the submission itself.',
  };
}

/** For a proof in a file: whatever it requires is there for all that follows, and brings its axioms. */
export function addedLibrary(submission: Script, name: string): Finding {
  return {
    ...libraryFinding(submission, name),
    message: `The proof requires the library ${name}, which the file does not require.`,
    remedy:
      'Require it at the top of the file, if its axioms are to be allowed there, and judge the proof then.',
  };
}

function libraryFinding(
  submission: Script,
  name: string,
): Pick<Finding, 'file' | 'position' | 'subject'> & { readonly kind: 'new-dependency' } {
  const last = lastPart(name);
  const required = submission.outline.requires.find(({ modules }) =>
    modules.some((module) => lastPart(module) === last),
  );
  return {
    kind: 'new-dependency',
    file: submission.source.path,
    ...(required && { position: submission.positionAt(required.span.start) }),
    subject: name,
  };
}

/**
 * @param texts How the two write what differs.
 * @param isAdmitted Whether what has no proof is left without one (as an obligation is), and not assumed for good.
 */
export function differenceFinding(
  texts: DeclaredTexts,
  { kind, subject, message }: Difference,
  isAdmitted: (name: string) => boolean = () => false,
): Finding {
  const { submission } = texts;
  if (kind === 'undefined') {
    return withPlace(submission, subject, {
      kind: isAdmitted(subject) ? 'admitted' : 'new-axiom',
      message: `${subject}: ${message}`,
      remedy: 'Give it a proof.',
    });
  }
  const isDefinition = kind === 'definition-changed';
  const isOther = isDefinition || kind === 'statement-changed';
  const missing = kind === 'missing' ? texts.otherwise(subject) : '';
  const differs = isDefinition ? 'whole' : message.startsWith('Its universes ') ? 'universes' : 'type';
  const shown = isOther ? texts.both(subject, differs) : missing;
  const position = texts.place(subject);
  return {
    ...(position && { position }),
    ...withPlace(submission, subject, {
      kind: kind === 'added' ? 'helper-not-allowed' : kind,
      message: `${subject === '' ? 'The file' : subject}: ${message}${shown}`,
      remedy: kind === 'statement-changed' ? statementRemedy(differs, shown) : DIFFERENCE_REMEDIES[kind],
    }),
  };
}

export function definitionChanged(texts: DeclaredTexts, subject: string, message: string): Finding {
  return differenceFinding(texts, { kind: 'definition-changed', subject, message });
}

/** @param shown what is said of both texts. */
function statementRemedy(differs: 'type' | 'universes' | 'whole', shown: string): string {
  if (shown.includes('`Proof using')) return 'Say behind `Proof using` what the target says there.';
  const usual = DIFFERENCE_REMEDIES['statement-changed'];
  return differs === 'universes'
    ? `${usual} Prove it under the order of universe levels that the statement has.`
    : usual;
}

const DIFFERENCE_REMEDIES: Readonly<Record<Exclude<Difference['kind'], 'undefined'>, string>> = {
  'statement-changed':
    'Keep the statement, and do not add before it what changes how it is read (notations, scopes, imports, coercions, implicit arguments, instances).',
  'definition-changed': 'Keep the definitions of the target, and what they are read with, as they are.',
  missing: 'Keep every declaration of the target under its name.',
  added: 'Put it into the proof (assert, pose proof): here nothing may be added, or nothing of this name.',
  'checks-disabled': 'Leave the guard, positivity and universe checks on.',
};

/** @param file the submission, compiled. */
export function kernelFinding(submission: Script, file: CompiledFile, message: string): Finding {
  return {
    kind: 'kernel-rejected',
    file: submission.source.path,
    message: `The separate checker refuses the compiled submission: ${message}${checkedByMachines(file)}`,
    remedy:
      'Look for what made the prover accept it, such as a plugin or a check that is off. Where there is nothing of the kind, report it with the file.',
  };
}

/** @param file the submission, compiled. */
export function checkerDidNotFinish(file: CompiledFile, message: string): string {
  return `The separate checker did not finish: ${message}${checkedByMachines(file)}`;
}

/** What the checker computes otherwise than the prover did. */
function checkedByMachines(file: CompiledFile): string {
  const parts = [...machinesByPart(file)];
  const said = (['vm', 'native'] as const).flatMap((machine) => {
    const names = parts.flatMap(({ names, machines }) => (machines.has(machine) ? names : []));
    const { tactic, what } = MACHINES[machine];
    return names.length === 0
      ? []
      : ` ${[...new Set(names)].join(', ')}: ${what} (\`${tactic}\`) has checked a proof there. The checker computes the same without it, which can take long, or come to something else.`;
  });
  return said.join('');
}

/** @param found what cannot be had at once. @param file the submission, compiled. */
export function contradictionFinding(
  submission: Script,
  file: CompiledFile,
  found: readonly Demand[],
): Finding {
  const [first] = found;
  return withPlace(submission, orNothing(first?.by), {
    kind: 'kernel-rejected',
    message: `Not all that is declared can be had at once, under one order of the universe levels: ${demandsSaid(file, found)}`,
    remedy: 'Prove each statement under an order that the others and the file leave possible.',
  });
}

export const IMPREDICATIVE_COPIES =
  'The separate checker refuses the compiled submission, perhaps for what is copied there from a library in which Set is impredicative. Compile the project with -impredicative-set, too, or the library without it.';

/** Whether modules copied what the theory of the project does not have. */
export function copiesImpredicative(file: CompiledFile, { arguments: options }: RocqProject): boolean {
  return !options.includes('-impredicative-set') && declaresImpredicative(file);
}

/** Whether something in it says that it was declared where Set was impredicative. */
export function declaresImpredicative(file: CompiledFile): boolean {
  return [...uncheckedDeclarations(file).values()].some((unchecked) => unchecked.includes('set'));
}

/** @param ground of the target, or of a library of it: a sentence. */
export function uncheckedFinding(submission: Script, ground: string): Finding {
  return {
    kind: 'checks-disabled',
    file: submission.source.path,
    message: `Under this policy a proof may rest on nothing of the target that is not checked: ${ground}`,
    remedy:
      'Compile what is named with all checks on, or have the policy allow what the target rests on (axioms = "target").',
  };
}

/** @param problem a sentence about the compiled file. */
export function forgedFinding(submission: Script, problem: string): Finding {
  return {
    kind: 'kernel-rejected',
    file: submission.source.path,
    message: `The compiled submission is not as the prover writes it, and neither the prover nor its checker would see that. ${problem}`,
    remedy: 'Look for what changes compiled files: a plugin, or a program that a tactic or command starts.',
  };
}
