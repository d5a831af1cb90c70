/**
 * The theories below one, as their data says: those of the trusted HOL, and those of the project that
 * were built before the submission was looked at. No code of theirs is run. HOL's own are read once.
 */
import type { StatementText } from '../kernel/statement.ts';
import type { TrustedHol } from './theory-build.ts';
import { readTheoryData, type TheoryData } from './theory-data.ts';

export interface Ancestor {
  readonly theory: TheoryData;
  /** Of the trusted HOL, else of the project. */
  readonly fromHol: boolean;
}

export interface Ancestry {
  readonly ancestors: ReadonlyMap<string, Ancestor>;
  /** Parents that are neither HOL's nor the project's, and those of which another build is named. */
  readonly foreign: readonly { readonly name: string; readonly message: string }[];
  /** `theory$name` of every axiom below. */
  readonly axioms: ReadonlySet<string>;
}

/** @throws MalformedTrace when the data of a trusted theory is damaged. */
export function ancestryOf(
  theory: TheoryData,
  hol: TrustedHol,
  project: ReadonlyMap<string, TheoryData>,
): Ancestry {
  const ancestors = new Map<string, Ancestor>();
  const foreign: { name: string; message: string }[] = [];
  const axioms = new Set<string>();
  const waiting = [theory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, hash } of next.parents) {
      if (name === 'min') continue;
      const own = project.get(name);
      const found = own ?? dataOfHol(hol, name);
      if (found === undefined) {
        const message = `${next.name} rests on the theory ${name}, which is neither HOL's nor the target's.`;
        foreign.push({ name, message });
        continue;
      }
      if (found.sha1 !== hash)
        foreign.push({ name, message: `${next.name} rests on another build of the theory ${name}.` });
      if (ancestors.has(name)) continue;
      ancestors.set(name, { theory: found, fromHol: own === undefined });
      for (const axiom of theoryAxioms(found)) axioms.add(axiom);
      waiting.push(found);
    }
  }
  return { ancestors, foreign, axioms };
}

export function theoryAxioms({ name, theorems }: TheoryData): readonly string[] {
  return [...theorems].flatMap(([axiom, { kind }]) => (kind === 'axiom' ? [`${name}$${axiom}`] : []));
}

/** The statements of a theory's axioms, each with its name. */
export function axiomsIn({ name, theorems }: TheoryData): readonly (readonly [StatementText, string])[] {
  return [...theorems].flatMap(([axiom, { kind, statement }]) =>
    kind === 'axiom' ? [[statement, `${name}$${axiom}`] as const] : [],
  );
}

function dataOfHol({ dataOf, theoriesRead: read }: TrustedHol, name: string): TheoryData | undefined {
  if (!read.has(name)) {
    const bytes = dataOf(name);
    read.set(name, bytes && readTheoryData(bytes));
  }
  return read.get(name);
}
