/** What becomes of a changed export, against the unchanged one. */
import { QuodError } from '../../../core/errors.ts';
import type { ConstantDeclaration, Declaration } from '../declaration.ts';
import { constantsOf } from '../declaration.ts';
import { Environment } from '../environment.ts';
import { readExport } from '../export/read-export.ts';
import { Kernel } from '../kernel/kernel.ts';
import { TermStore } from '../term-store.ts';
import { meaningOf } from './mutation.ts';

export interface JudgedMutation {
  readonly kind: 'accepted' | 'rejected' | 'declined' | 'unreadable';
  /** Accepted although it was changed, and why that is harmless. */
  readonly harmless: 'same' | 'less' | 'other-definitions' | undefined;
  /**
   * Constants for which something is accepted that the unchanged export does not say, though their claims are about
   * the same terms.
   */
  readonly changes: readonly string[];
}

const STEPS = 2_000_000;

export function judgeMutation(original: string, mutated: string): JudgedMutation {
  const store = new TermStore();
  const before = [...readExport(original.trimEnd().split('\n'), store)];
  const kernel = new Kernel(store, new Environment(), { steps: STEPS });
  const after: Declaration[] = [];
  try {
    for (const declaration of readExport(mutated.trimEnd().split('\n'), store)) {
      const answer = kernel.add(declaration);
      if (answer.kind !== 'accepted') return { kind: answer.kind, harmless: undefined, changes: [] };
      after.push(declaration);
    }
  } catch (error) {
    if (error instanceof QuodError) return { kind: 'unreadable', harmless: undefined, changes: [] };
    throw error;
  }
  const [old, now] = [meaningOf(before), meaningOf(after)];
  const added = [...now].filter((one) => !old.has(one));
  if (added.length === 0)
    return { kind: 'accepted', harmless: now.size === old.size ? 'same' : 'less', changes: [] };
  return { kind: 'accepted', harmless: 'other-definitions', changes: wrongClaims(before, after) };
}

/** Constants with the same terms of which a number or a flag that follows from these is accepted with two values. */
function wrongClaims(before: readonly Declaration[], after: readonly Declaration[]): string[] {
  const old = new Map(before.flatMap(constantsOf).map((constant) => [constant.name, constant]));
  return after.flatMap(constantsOf).flatMap((constant) => {
    const other = old.get(constant.name);
    if (other === undefined || !sameTerms(constant, other)) return [];
    return claimsOf(constant) === claimsOf(other) ? [] : [constant.name.toString()];
  });
}

/** Whether type, and for a type its constructors, are what they were; a recursor follows from its type. */
function sameTerms(one: ConstantDeclaration, other: ConstantDeclaration): boolean {
  return one.kind === other.kind && one.type.plain === other.type.plain;
}

/** Everything that follows from the terms of a constant. */
function claimsOf(constant: ConstantDeclaration): string {
  switch (constant.kind) {
    case 'constructor':
      return JSON.stringify([constant.fieldCount + constant.parameterCount]);
    case 'recursor':
      return JSON.stringify([
        constant.isK,
        constant.motiveCount,
        constant.minorCount,
        constant.parameterCount,
        constant.indexCount,
        constant.rules.map((rule) => [rule.fieldCount, rule.value.plain.id]),
      ]);
    case 'inductive':
      return JSON.stringify([constant.parameterCount + constant.indexCount]);
    case 'quotient':
      return constant.role;
    case 'axiom':
    case 'definition':
    case 'theorem':
    case 'opaque':
      return '';
  }
}
