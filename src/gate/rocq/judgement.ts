/** What both ways of judging share: settings with their defaults, and what a proof may rest on. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Finding, GatePolicy, JudgedStatement, RestsOn, SourceText, Verdict } from '../verdict.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';
import type { Assumptions, JudgeBackend, Limits } from './judge-backend.ts';

export interface JudgeSettings {
  readonly backend: JudgeBackend;
  readonly project: RocqProject;
  readonly policy?: GatePolicy;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT = 600_000;
const DEFAULT_MEMORY = 8 * 1024 ** 3;

export function limitsOf({ policy, signal }: JudgeSettings): Limits {
  return {
    timeoutMs: policy?.timeoutMs ?? DEFAULT_TIMEOUT,
    memoryLimit: policy?.memoryLimit ?? DEFAULT_MEMORY,
    ...(signal && { signal }),
  };
}

export function unknown(reason: ReasonCode, message: string): Verdict {
  return { kind: 'unknown', reason, message };
}

/** What every verdict rests on. */
export async function judgedBy(
  { backend }: JudgeSettings,
  target: SourceText,
  submissionText: string,
): Promise<Pick<RestsOn, 'prover' | 'backend' | 'targetSha256' | 'submissionSha256'>> {
  return {
    prover: `rocq ${await backend.version()}`,
    backend: backend.name,
    targetSha256: sha256(target.text),
    submissionSha256: sha256(submissionText),
  };
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The last part of the name under which a file is compiled: the file's own where it is an identifier. */
export function moduleNameOf(path: string): string {
  const name = basename(path).replace(/\.v$/, '');
  return /^[\p{L}_][\p{L}\p{N}_']*$/u.test(name) ? name : `file_${sha256(name).slice(0, 8)}`;
}

/** Options of a project that leave the kernel's checks alone, and how many arguments each has. */
const HARMLESS_OPTIONS = new Map([
  ['-noinit', 0],
  ['-impredicative-set', 0],
  ['-indices-matter', 0],
  ['-allow-sprop', 0],
  ['-disallow-sprop', 0],
  ['-w', 1],
  ['-color', 1],
  ['-native-compiler', 1],
  ['-bytecode-compiler', 1],
]);

/** The first option that the gate does not know to be harmless. */
export function strangeOption(options: readonly string[]): string | undefined {
  for (let index = 0; index < options.length;) {
    const option = options[index] ?? '';
    const count = HARMLESS_OPTIONS.get(option);
    if (count === undefined) return option;
    index += 1 + count;
  }
  return undefined;
}

export interface AllowedAxioms {
  readonly policy: GatePolicy;
  /** True when the target's text has the name: axioms of the file itself must. */
  readonly inTargetText: (name: string) => boolean;
  /** True for a library of which the target was made; all axioms of its environment are the target's. */
  readonly ofTarget: (fullName: string) => boolean;
  /** Statements of the file, which are no axioms even while they have no proof. */
  readonly isStatement: (name: string) => boolean;
  /** Those of them that may still be open. */
  readonly mayBeOpen: (name: string) => boolean;
  /** Kernel checks that are off somewhere below are so in the target too. */
  readonly checksAreTargets: boolean;
}

const NOTHING_KNOWN: Assumptions = {
  axioms: [],
  disabledChecks: ['the prover did not say what it rests on'],
};

/** Judges what one statement rests on. */
export function judgeAssumptions(
  name: string,
  { axioms, disabledChecks }: Assumptions = NOTHING_KNOWN,
  allowed: AllowedAxioms,
): {
  readonly statement: JudgedStatement;
  readonly objections: readonly Pick<Finding, 'kind' | 'message' | 'remedy'>[];
} {
  const objections: Pick<Finding, 'kind' | 'message' | 'remedy'>[] = [];
  const assumptions: string[] = [];
  const openStatements: string[] = [];
  const named = allowed.policy.axioms;
  for (const axiom of axioms) {
    if (axiom.local && allowed.isStatement(axiom.name)) {
      if (allowed.mayBeOpen(axiom.name) && axiom.name !== name) openStatements.push(axiom.name);
      else {
        objections.push({
          kind: 'admitted',
          message: `The proof of ${name} rests on ${axiom.name}, which is not proved.`,
          remedy: `Prove ${axiom.name}.`,
        });
      }
      continue;
    }
    assumptions.push(axiom.name);
    const fine =
      named === undefined || named === 'target'
        ? axiom.local
          ? allowed.inTargetText(axiom.name)
          : allowed.ofTarget(axiom.name)
        : named.includes(axiom.name);
    if (!fine) {
      objections.push({
        kind: 'new-axiom',
        message: `The proof of ${name} rests on the axiom ${axiom.name}, which the policy does not allow.`,
        remedy: 'Prove it without the axiom, or have the target require the library that declares it.',
      });
    }
  }
  for (const check of disabledChecks) {
    assumptions.push(check);
    const fine = named === undefined || named === 'target' ? allowed.checksAreTargets : named.includes(check);
    if (!fine) {
      objections.push({
        kind: 'checks-disabled',
        message: `The proof of ${name} rests on something that the kernel did not check: ${check}`,
        remedy: 'Do without it.',
      });
    }
  }
  return { statement: { name, assumptions, openStatements }, objections };
}
