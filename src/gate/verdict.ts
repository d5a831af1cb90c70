/**
 * What the gate answers. A verdict is never a boolean: `accepted` says of which statements and what it rests on,
 * `rejected` says why with places and remedies, `unknown` says that nobody may conclude anything.
 */
import { cutMiddle } from '../core/foreign-text.ts';
import type { PrintedPosition } from '../core/position.ts';
import type { ReasonCode } from '../core/reason.ts';
import type { Isolation } from '../process/sandbox.ts';

/** The closed list of reasons to reject. docs/judge/gate.md explains each with an example. */
export const FINDING_KINDS = {
  'statement-changed': 'A statement of the target means something else in the submission.',
  'definition-changed': 'A definition, inductive type or axiom of the target is different in the submission.',
  missing: 'A declaration of the target is not in the submission.',
  'new-axiom': 'The submission rests on an axiom that the policy does not allow.',
  admitted: 'A proof was left with Admitted, admit or give_up.',
  'unfinished-proof': 'A proof is open at its closing command or at the end of the file.',
  'checks-disabled': 'A kernel check (guard, positivity, universes) was switched off.',
  'does-not-compile': 'The prover refuses the submission.',
  'forbidden-command': 'The submission uses a command that the policy does not allow.',
  'new-dependency':
    'The submission requires a library that is neither installed with the prover nor used by the target, or one with a plugin that the target does not load.',
  'kernel-rejected': 'The kernel refuses a declaration of the submission.',
  'name-taken': 'The submission declares a name that is taken already.',
  'unsafe-code': 'The submission has an unsafe declaration.',
  'partial-definition': 'The submission has a partial definition, and the policy allows none.',
  'imports-changed': 'The submission imports less than the target, or other modules under the same names.',
  'native-code': 'A proof rests on compiled code instead of the kernel (native_decide).',
  'unconfirmed-recursion':
    'A recursive function is one that the guard checker of Quod does not confirm, and the policy does not allow it.',
  'unconfirmed-type':
    'An inductive type is one that the kernel compares in ways that have been wrong, and the policy does not allow it.',
  'forbidden-attribute':
    'A declaration has an attribute that the policy does not allow (implemented_by, extern, noncomputable, csimp).',
  'helper-not-allowed': 'The submission declares something of its own, and the policy allows no helpers.',
  'result-tampered': 'What the build wrote is not what the prover writes.',
  'not-verified': 'A proof obligation was not sent to the solver, or not answered with a proof.',
  'limit-exceeded': 'The submission wrote, printed or started more than the policy allows.',
  'sandbox-violation':
    'The submission tried to reach out of the sandbox: to write, to connect, to leave a process behind.',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

export interface Finding {
  readonly kind: FindingKind;
  readonly file: string;
  /** In the submission unless `file` is the target. Absent when the finding has no place in a text. */
  readonly position?: PrintedPosition;
  /** The declaration concerned, qualified by the modules inside the file. */
  readonly subject?: string;
  /** What is wrong. */
  readonly message: string;
  /** What the author can do about it. */
  readonly remedy: string;
}

/** Who reads a verdict mends a few things and asks again. */
const MOST_FINDINGS = 100;
const LONGEST_MESSAGE = 4000;

/** As they are told: so many of them, with no message longer than a page, and how many are left out. */
export function toldFindings(findings: readonly Finding[]): Finding[] {
  const told = findings.slice(0, MOST_FINDINGS).map((finding) => ({
    ...finding,
    message: cutMiddle(finding.message, LONGEST_MESSAGE).text,
  }));
  const [next] = findings.slice(MOST_FINDINGS);
  if (next === undefined) return told;
  const message = `And ${findings.length - MOST_FINDINGS} more, of which this is the first: ${next.message}`;
  return [...told, { ...next, message: cutMiddle(message, LONGEST_MESSAGE).text }];
}

/** Faces show the message: what does not name its subject begins with it. */
export function naming(subject: string | undefined, message: string): string {
  const isNamed = subject === undefined || message.split(/[^\p{L}\p{N}_'$.]+/u).includes(subject);
  return isNamed ? message : `${subject}: ${message}`;
}

/** Findings or warnings as lines, each with its kind. */
export function asLines(said: readonly { readonly kind: string; readonly message: string }[]): string[] {
  return said.map(({ kind, message }) => `${kind}: ${message}`);
}

/** The closed list of what a verdict says against itself. docs/judge/gate.md explains each. */
export const WARNING_KINDS = {
  'no-sandbox': 'The submission was compiled without a sandbox.',
  'not-rechecked': 'The compiled submission was not checked again by a checker of its own.',
  'only-the-beginning': 'What stands behind the proofs was not looked at: nobody asked for it.',
  'rest-does-not-compile':
    'What stands behind the proofs does not compile; what stands up to them was judged.',
  'variables-chosen': 'What the proofs use of their sections decides how the rest of the target is read.',
  'values-chosen':
    'An axiom, or an open statement or something unchecked that a proof rests on, speaks of a value that the submission chose.',
  'stale-libraries':
    'Libraries of the project changed after they were compiled; what was compiled was judged.',
  'options-unread': 'The project is compiled with options that the gate cannot read.',
  'not-compared': 'The target was not compared with what its project makes of it.',
  'machine-checked':
    'A proof rests on what a machine checked in the target, or on a copy of it, which the policy allows to no proof.',
  unconfirmed:
    'The file has a recursive function or a type that only the kernel of Rocq takes for right, where it has been wrong.',
  'pins-nothing':
    'The policy pins a library that the submission does not require: perhaps another was meant.',
  'others-unfinished':
    'Other proofs of the file are not finished; they counted as admitted, in the file as it was and as it is now.',
  'no-kernel':
    'The prover has no kernel that checks again what its type checker, its tactics and its solver concluded.',
  'statements-by-text':
    'That the statements are those of the target was seen by their text, and not by the prover.',
  'author-trusted':
    'The submission may use commands or tactics that reach beyond the prover: its author is trusted with them.',
  unchecked: 'A proof rests on something of the target that the kernel was told not to check.',
  'not-independently-replayed': 'The proofs were not replayed by a kernel other than the prover’s.',
} as const;

export type WarningKind = keyof typeof WARNING_KINDS;

export interface Warning {
  readonly kind: WarningKind;
  /** Why it is so here. */
  readonly message: string;
  /** In the file that was judged, where there is one place. */
  readonly position?: PrintedPosition;
  /** What the prover says there, for who tells the rest in other words. */
  readonly error?: string;
}

export interface JudgedStatement {
  /** Qualified by the modules inside the file: `lemma` or `Module.lemma`. */
  readonly name: string;
  /** As the checker prints it, on one line, with nothing that the submission declared in force. */
  readonly printed?: string;
  /** The axioms that the proof rests on, as full names, and what was not checked; empty when it rests on none. */
  readonly assumptions: readonly string[];
  /** Statements of the file, and of others of its project, that are open and that this proof uses. None is an axiom. */
  readonly openStatements: readonly string[];
  /** What the axioms and open statements among these say, by the same names, printed as the statement is. */
  readonly printedGrounds?: readonly { readonly name: string; readonly printed: string }[];
}

/** How it was made sure that the statements are those of the target. */
export type Pin =
  /** The submission is the target's text with proofs replaced by tactics and helper lemmas under fresh names added. */
  | 'text'
  /** The compiled kernel objects of target and submission were compared. */
  | 'compiled-objects'
  /** The prover holds the submission to the target's interface. */
  | 'interface';

export type TakenBy = 'target' | 'submission' | 'project';

export interface TakenFile {
  readonly path: string;
  readonly sha256: string;
  readonly by: TakenBy;
}

export interface TakenMore {
  readonly by: TakenBy;
  readonly what: string;
}

export interface ProjectOptions {
  /** What said so; null where nothing did. Here and below paths are relative to the project, where they are not absolute. */
  readonly file: string | null;
  readonly loadPath: readonly {
    readonly flag: '-Q' | '-R';
    readonly folder: string;
    readonly name: string;
  }[];
  readonly ocamlPath: readonly string[];
  readonly arguments: readonly string[];
  /** What names options that nobody could read. */
  readonly unread: readonly string[];
}

export interface RestsOn {
  readonly prover: string;
  readonly backend: string;
  readonly targetSha256: string;
  readonly submissionSha256: string;
  readonly pinnedBy: readonly Pin[];
  /** SHA-256 of the compiled submission, when the backend compiles to files. */
  readonly compiledSha256?: string;
  /** All files that were judged, when target and submission are compiled modules of several parts. */
  readonly files?: readonly { readonly path: string; readonly sha256: string }[];
  /** Modules that were checked with the submission, and those that were taken as they are, when there are such. */
  readonly checkedModules?: readonly string[];
  readonly trustedModules?: readonly string[];
  /** In what foreign code was run; absent when none was. */
  readonly isolation?: Isolation;
  /** The separate checker that accepted the compiled submission, with its version. */
  readonly recheckedBy?: string;
  /** The libraries that the compiled submission needs, in a judgement in detail. */
  readonly libraries?: readonly { readonly name: string; readonly sha256: string }[];
  /** What the project told the prover, in a judgement in detail. */
  readonly project?: ProjectOptions;
  /** What target and submission take in besides libraries, and the plugins of the project, by paths from it, in a judgement in detail. */
  readonly takenIn?: readonly TakenFile[];
  /** What they have that may take in other files. */
  readonly mayTakeInMore?: readonly TakenMore[];
  /** For each statement, how many questions it put to a solver, and how many were answered with a proof. */
  readonly solverQueries?: readonly {
    readonly name: string;
    readonly asked: number;
    readonly proved: number;
  }[];
  readonly warnings?: readonly Warning[];
  /** User and system time of the prover's processes. */
  readonly processorMs?: number;
  readonly elapsedMs: number;
}

const STOPS = 'rest-does-not-compile' satisfies WarningKind;
const CUTS: readonly WarningKind[] = ['only-the-beginning', STOPS];

/** What a verdict says where it did not look at all of the file: it looked up to this place, when one is told. */
export function cutOf({ warnings = [] }: Pick<RestsOn, 'warnings'>): Warning | undefined {
  return warnings.find(({ kind }) => CUTS.includes(kind));
}

/** Whether that is what one of {@link asLines} says. */
export function tellsOfCut(line: string): boolean {
  return CUTS.some((kind) => tellsOf(kind, line));
}

/** Whether it says that other proofs of the file are open. */
export function tellsOfOthersOpen(line: string): boolean {
  return tellsOf('others-unfinished', line);
}

/** Whether it says that the file stops compiling there. */
export function tellsOfStop(line: string): boolean {
  return tellsOf(STOPS, line);
}

function tellsOf(kind: WarningKind, line: string): boolean {
  return line.startsWith(`${kind}: `);
}

export type Verdict =
  | { readonly kind: 'accepted'; readonly statements: readonly JudgedStatement[]; readonly restsOn: RestsOn }
  | { readonly kind: 'rejected'; readonly findings: readonly Finding[]; readonly restsOn: RestsOn }
  | {
      readonly kind: 'unknown';
      readonly reason: ReasonCode;
      readonly message: string;
      /** In the target, where that is what is wrong. */
      readonly position?: PrintedPosition;
    };

export type AcceptedVerdict = Extract<Verdict, { readonly kind: 'accepted' }>;
export type UnknownVerdict = Extract<Verdict, { readonly kind: 'unknown' }>;

export interface SourceText {
  readonly path: string;
  readonly text: string;
}
