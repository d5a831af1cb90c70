/**
 * What a module knows of names that stand for other names (`Module N := M`, `Include`). A submission may have more of them
 * than the target, for modules and names that it adds.
 */
import { orNothing } from '../../../core/entry.ts';
import type { KernelEquality } from './kernel-equality.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, nameText } from '../compiled/kernel-shape.ts';
import { inside, insideOf, modulePath } from '../compiled/module-paths.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';
import type { Entry } from '../compiled/term-layout.ts';

interface Alias {
  /** Inside the library; undefined for a functor's parameter or another library. */
  readonly name: string;
  readonly key: OcamlValue;
  readonly value: OcamlValue;
}

/**
 * True when all aliases of the target are in the submission, and no other one there is of a name that the target has.
 * @param declares whether the target declares something by its name in the file.
 */
export function hasAliasesOf(
  layout: KernelLayout,
  equality: KernelEquality,
  {
    target,
    submission,
    declares,
  }: {
    readonly target: OcamlValue;
    readonly submission: OcamlValue;
    readonly declares: (name: string) => boolean;
  },
): boolean {
  const { modules, names } = layout.aliasShapes;
  const same = (of: typeof modules, ours: Alias, theirs: Alias): boolean =>
    equality.attempt(
      () => equality.same(of[0], ours.key, theirs.key) && equality.same(of[1], ours.value, theirs.value),
    );
  const compared = (of: typeof modules, ours: readonly Alias[], theirs: readonly Alias[]): boolean => {
    const left = new Set(theirs);
    for (const alias of ours) {
      const found = [...left].find((other) => other.name === alias.name && same(of, alias, other));
      if (found === undefined) return false;
      left.delete(found);
    }
    return [...left].every(({ name }) => !declares(name));
  };
  const [here, there] = [layout.aliasParts(target), layout.aliasParts(submission)];
  return (
    compared(modules, named(here.modules, moduleOf), named(there.modules, moduleOf)) &&
    compared(names, named(here.names, nameOf), named(there.names, nameOf))
  );
}

function named(entries: readonly Entry[], nameOf: (key: OcamlValue) => string): Alias[] {
  return entries.map(([key, value]) => ({ name: insideOf(nameOf(key)), key, value }));
}

function moduleOf(path: OcamlValue): string {
  return orNothing(modulePath(path));
}

function nameOf(name: OcamlValue): string {
  return inside(moduleOf(field(name, 0)), nameText(field(name, 1)));
}
