/** What an attack on the judge consists of: a target, a submission that cheats, and an innocent one that looks like it. */
import type { FindingKind } from '../../../verdict.ts';
import type { LeanPolicy } from '../lean-policy.ts';
import type { ModuleBuilder } from './module-builder.ts';

export type Build = (module: ModuleBuilder) => unknown;

export interface Attack {
  readonly name: string;
  /** What the judge must say of the cheat: a finding, or that the file is unreadable. */
  readonly expect: FindingKind | 'unreadable';
  readonly policy?: LeanPolicy;
  readonly target: Build;
  readonly good: Build;
  readonly bad: Build;
  /** None of the modules imports anything: each declares the small library itself, changed by these. */
  readonly withoutInit?: { readonly bad?: Build };
  /** Modules that lie beside each file, by name; each may import `Init`. */
  readonly beside?: {
    readonly target?: Readonly<Record<string, Build>>;
    readonly good?: Readonly<Record<string, Build>>;
    readonly bad?: Readonly<Record<string, Build>>;
  };
  /** Changes the bytes of the cheat. */
  readonly spoil?: (bytes: Uint8Array) => Uint8Array;
}

/** `∀ n, n = n`, the statement of attacks for which the statement does not matter. */
export const STATEMENT = '∀ (n : Nat), Eq.{1} Nat n n';
export const PROOF = 'fun (n : Nat) => Eq.refl.{1} Nat n';

export const openStatement: Build = (module) => module.open('t', STATEMENT);
export const proved: Build = (module) => module.theorem('t', STATEMENT, PROOF);

/** Some steps as one. */
export function all(...steps: readonly Build[]): Build {
  return (module) => steps.forEach((step) => void step(module));
}
