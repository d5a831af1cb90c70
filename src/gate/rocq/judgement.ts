/** Settings of a judgement with their defaults, and what a proof may rest on. */
import { basename } from 'node:path';
import type { JudgedStatement, UnknownVerdict } from '../verdict.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { whyFalse } from '../axiom-sets.ts';
import { allowsAxiom, allowsAxiomsOfTarget, allowsFlag, axiomRemedy } from '../policy.ts';
import type { GatePolicy, KernelFlag } from '../policy.ts';
import { sandboxLimitsOf } from '../foreign-run.ts';
import { sha256 } from '../../core/sha256.ts';
import { HARMLESS_OPTIONS } from '../../provers/rocq/project/harmless-options.ts';
import { withoutOptions } from '../../provers/rocq/project/without-options.ts';
import { libraryNameIn, type RocqProject } from '../../provers/rocq/project/project.ts';
import type { CompileResult, JudgeBackend, Limits, Unknown } from './backends/judge-backend.ts';
import { newAxiom, notProved, type Objection, onlyCopied, unchecked } from './difference-findings.ts';
import type { BegunJudgement } from './begun-judgement.ts';
import { MalformedValue, TooLarge } from './compiled/ocaml-values.ts';
import type { OpenStatement } from './libraries/open-elsewhere.ts';
import { isOfTheory, type Reached } from './reached-assumptions.ts';
import type { ReferenceCache } from './reference-cache.ts';

export interface JudgeSettings {
  readonly backend: JudgeBackend;
  readonly project: RocqProject;
  readonly policy?: GatePolicy;
  /** For a report: statements as the checker prints them, hashes of libraries. */
  readonly inDetail?: boolean;
  /** Where compiled targets are kept; without it each judge compiles its own. */
  readonly references?: ReferenceCache;
  /** What was done before there was a submission. */
  readonly begun?: BegunJudgement;
  /** Nobody waits for it yet. */
  readonly givesWay?: boolean;
  /** False: the target has words of somebody who may do no more than prove, so that it starts no program either. */
  readonly startsPrograms?: false;
  readonly onLibraries?: (names: readonly string[]) => void;
  readonly signal?: AbortSignal;
}

export function limitsOf({ policy = {}, signal, givesWay, startsPrograms }: JudgeSettings): Limits {
  const { memoryBytes, ...others } = sandboxLimitsOf(policy);
  return {
    ...others,
    memoryLimit: memoryBytes,
    requireSandbox: policy.requireSandbox ?? false,
    ...(signal && { signal }),
    ...(givesWay !== undefined && { givesWay }),
    ...(startsPrograms !== undefined && { startsPrograms }),
  };
}

export function unknown(reason: ReasonCode, message: string): UnknownVerdict {
  return { kind: 'unknown', reason, message };
}

export function unknownVerdict({ reason, message }: Unknown): UnknownVerdict {
  return unknown(reason, message);
}

/** Of a file that was not compiled to its end, nor to an error. */
export function brokenOff(
  result: Exclude<CompileResult, { readonly status: 'compiled' | 'failed' }>,
): UnknownVerdict {
  if (result.status === 'unknown') return unknownVerdict(result);
  return unknown('does-not-compile', result.incidents.map(({ detail }) => detail).join('; '));
}

/** Of compiled files that cannot be read, or are too large to be compared. @throws what says something else. */
export function unreadable(error: unknown): UnknownVerdict {
  if (error instanceof MalformedValue)
    return unknown('unsupported', `A compiled file cannot be read: ${error.message}`);
  if (error instanceof TooLarge) return unknown('too-large', error.message);
  if (error instanceof RangeError) return unknown('too-large', 'A term is too deep to be compared.');
  throw error;
}

/** The name that its project gives to what is compiled from a file; where that can be none, the file's own, or one made of it. */
export function moduleNameOf(path: string, project: RocqProject): string {
  const last = basename(path).replace(/\.v$/, '');
  const isName = (name: string) =>
    name.split('.').every((part) => /^[\p{L}_][\p{L}\p{N}_']{0,99}$/u.test(part));
  return [libraryNameIn(project, path) ?? last, last].find(isName) ?? `file_${sha256(last).slice(0, 8)}`;
}

/** The options that the gate does not know to be harmless. */
export function strangeOptions(options: readonly string[]): readonly string[] {
  return withoutOptions(options, HARMLESS_OPTIONS);
}

/** Options of a project that a policy can allow, and what they do. */
export const OPTIONS_BY_FLAG: ReadonlyMap<string, { readonly flag: KernelFlag; readonly what: string }> =
  new Map([
    ['-type-in-type', { flag: 'type-in-type', what: 'switches universe checking off' }],
    ['-allow-rewrite-rules', { flag: 'rewrite-rules', what: 'lets rewrite rules extend conversion' }],
  ]);

export interface AllowedAxioms {
  readonly policy: GatePolicy;
  /** True for an axiom that the target itself declares, by its name in the file. */
  readonly ofTargetFile: (name: string) => boolean;
  /** As verdicts and policies call what is in the file, by its name there: never like what is in a library. */
  readonly calledInFile: (name: string) => string;
  /** True for what is in a library of which the target was made; all axioms of its environment are the target's. */
  readonly ofTargetLibraries: (fullName: string) => boolean;
  /** Whether a statement is one of another file of the project, and open there, by its full name. */
  readonly openElsewhere: (fullName: string) => OpenStatement | undefined;
  /** Whether the library that declares it is installed with the prover, by its full name. */
  readonly isInstalled: (fullName: string) => boolean;
  /** Statements of the file, which are no axioms even while they have no proof. */
  readonly isStatement: (name: string) => boolean;
  /** Whether it is one of them that may still be open. */
  readonly openInFile: (name: string) => OpenStatement | undefined;
  /** By its full name: of which the statement is but a copy. */
  readonly isItself: (fullName: string) => boolean;
}

/** What is said of a library. */
export const REFUSED_BY_CHECKER = 'is refused by the separate checker';

/** The flags that stand for what Rocq says of declarations that were not checked. */
const UNCHECKED: readonly (readonly [phrase: string, flag?: KernelFlag])[] = [
  ['is assumed to be guarded', 'unchecked-guard'],
  ['is assumed to be positive', 'unchecked-positivity'],
  ['relies on an unsafe hierarchy', 'unchecked-universes'],
  ['relies on an impredicative Set', 'impredicative-set'],
  ['relies on definitional UIP', 'definitional-uip'],
  ['Rewrite rules are allowed', 'rewrite-rules'],
  [REFUSED_BY_CHECKER],
];

/** Whether what a statement rests on is no axiom, but something that was not checked. */
export function isUnchecked(assumption: string): boolean {
  return UNCHECKED.some(([phrase]) => assumption.includes(phrase));
}

export const NOTHING_KNOWN: Reached = {
  checksAreTargets: false,
  axioms: [],
  disabledChecks: ['the prover did not say what it rests on'],
};

/** Judges what one statement rests on. */
export function judgeAssumptions(
  name: string,
  { axioms, disabledChecks, printed, checksAreTargets }: Reached,
  allowed: AllowedAxioms,
): { readonly statement: JudgedStatement; readonly objections: readonly Objection[] } {
  const objections: Objection[] = [];
  const assumptions: string[] = [];
  const openStatements: string[] = [];
  const printedGrounds: { name: string; printed: string }[] = [];
  const { policy } = allowed;
  const ofTarget = allowsAxiomsOfTarget(policy);
  for (const axiom of axioms) {
    const called = axiom.local ? allowed.calledInFile(axiom.name) : axiom.name;
    printedGrounds.push({ name: called, printed: axiom.type });
    const open = axiom.local ? allowed.openInFile(axiom.name) : allowed.openElsewhere(axiom.name);
    if (axiom.local && allowed.isStatement(axiom.name) && (open === undefined || axiom.name === name)) {
      objections.push(notProved(name, axiom.name));
      continue;
    }
    if (!axiom.local && allowed.isItself(axiom.name)) objections.push(onlyCopied(name, axiom.name));
    if (open !== undefined) openStatements.push(called);
    if (open === 'admitted') continue;
    if (open === undefined) assumptions.push(called);
    const inTarget = axiom.local
      ? open !== undefined || allowed.ofTargetFile(axiom.name)
      : allowed.ofTargetLibraries(axiom.name);
    // Patterns and sets name libraries; a module of the file could have the name of one. What only the submission calls so is never meant.
    const listed = axiom.local
      ? inTarget && policy.axioms?.includes(called) === true
      : allowsAxiom(policy, called, allowed.isInstalled(axiom.name));
    const isFalse = !axiom.local && whyFalse(called) !== undefined;
    if ((ofTarget && inTarget && !isFalse) || listed) continue;
    const isNamesake = !axiom.local && allowsAxiom(policy, called);
    const remedy = axiomRemedy(called, axiom.local && !inTarget, policy);
    objections.push(newAxiom(name, called, { mayBeOpen: open !== undefined, isNamesake, remedy }));
  }
  for (const check of disabledChecks) {
    assumptions.push(check);
    if (isOfTheory(check)) continue;
    const known = UNCHECKED.find(([phrase]) => check.includes(phrase));
    const [, flag] = known ?? [];
    const isTargets = ofTarget && checksAreTargets && known !== undefined;
    const isFine = isTargets || (flag !== undefined && allowsFlag(policy, flag));
    if (!isFine) objections.push(unchecked(name, check));
  }
  return {
    statement: {
      ...{ name, ...(printed !== undefined && { printed }), assumptions, openStatements },
      ...(printedGrounds.length > 0 && { printedGrounds }),
    },
    objections,
  };
}
