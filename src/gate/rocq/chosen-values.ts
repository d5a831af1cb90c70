/**
 * A value that the submission chose changes what the target says of it. Which of the axioms and open statements that a proof rests
 * on speak of such a value, themselves or by way of what they speak of, the target's compiled file tells. It only warns.
 */
import type { Warning } from '../verdict.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { compiledLibrary } from './compiled/compiled-library.ts';
import { type DeclaredConstant, declarationsIn, namesWithBody } from './compiled/declarations.ts';
import { utf8 } from './compiled/kernel-shape.ts';
import { inside, insideOf, libraryOf, logicalName, modulePath } from './compiled/module-paths.ts';
import { Block, type OcamlValue } from './compiled/ocaml-values.ts';
import type { Limits } from './provers/judge-backend.ts';
import type { Reference } from './reference-result.ts';

/** What a submission chose, and what its proofs rest on, by the names in the file. */
export interface ChosenValues {
  /** Those that the policy lets it choose. */
  readonly mayChange: ReadonlySet<string>;
  /** Names of the target that have no value there, or another: whether others can look into what the submission gives. */
  readonly given: ReadonlyMap<string, 'transparent' | 'opaque'>;
  readonly restsOn: ReadonlySet<string>;
}

export async function chosenValueWarning(
  { file, unit }: Reference,
  { mayChange, given, restsOn }: ChosenValues,
  limits: Limits,
): Promise<Warning | undefined> {
  if (restsOn.size === 0) return undefined;
  const spoken = spokenOf(file, restsOn);
  const hidden = [...new Set([...spoken.values()].flatMap((names) => [...names]))].filter(
    (name) => given.get(name) === 'opaque' && !mayChange.has(name),
  );
  // Which proof of a proposition it is does not matter where nobody can look into it.
  const proofs = hidden.length === 0 ? new Set() : await unit.propositions(hidden, limits);
  const said = [...spoken].flatMap(([name, of]) => {
    const chosen = [...of].filter(
      (one) => one !== name && (mayChange.has(one) || (given.has(one) && !proofs.has(one))),
    );
    return chosen.length === 0 ? [] : [`${name} (of ${chosen.join(', ')})`];
  });
  if (said.length === 0) return undefined;
  return {
    kind: 'values-chosen',
    message: `What the proofs rest on speaks of values that the submission chose, and says something else with other values, which may be false: ${said.join('; ')}.`,
  };
}

/** What a submission gives to names that have no value in the target, and what it has for those with other bodies. */
export function givenValues(
  target: readonly DeclaredConstant[],
  submission: readonly DeclaredConstant[],
  otherBodies: readonly string[],
): ChosenValues['given'] {
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

/** For each of the names, what of the file it refers to, also by way of types and values; proofs are not looked into. */
function spokenOf(file: CompiledFile, names: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const { layout, library } = compiledLibrary(file);
  const own = logicalName(layout.library.of(library, 'name'));
  const values = new Map([...declarationsIn(file)].map(({ name, value }) => [name, value]));
  const direct = new Map<string, ReadonlySet<string>>();
  const directly = (name: string): ReadonlySet<string> => {
    let found = direct.get(name);
    if (found === undefined) direct.set(name, (found = namesIn(values.get(name), own)));
    return found;
  };
  return new Map(
    [...names].sort().map((name) => {
      const reached = new Set([name]);
      // What is found while it runs is looked at, too.
      for (const one of reached) for (const next of directly(one)) reached.add(next);
      return [name, reached];
    }),
  );
}

/** Every name of the library anywhere in a value. */
function namesIn(root: OcamlValue | undefined, library: string): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<OcamlValue>();
  const pending = root === undefined ? [] : [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof Block) || seen.has(value)) continue;
    seen.add(value);
    const [path, label] = value.fields;
    const module = value.tag === 0 && value.fields.length === 3 ? modulePath(path) : undefined;
    if (module !== undefined && typeof label === 'string') {
      const name = inside(module, utf8(label));
      if (libraryOf(name) === library) names.add(insideOf(name));
    }
    for (const part of value.fields) pending.push(part);
  }
  return names;
}
