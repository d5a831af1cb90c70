/**
 * What a module knows of names that stand for other names (`Module N := M`, `Include`). A submission may have more of them
 * than the target, for modules and names that it adds.
 */
import { orNothing } from '../../../core/entry.ts';
import type { KernelEquality } from './kernel-equality.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, nameText } from '../compiled/kernel-shape.ts';
import { inside, insideOf, modulePath } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';

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
  return (
    compared(modules, moduleAliases(layout, target), moduleAliases(layout, submission)) &&
    compared(names, nameAliases(layout, target), nameAliases(layout, submission))
  );
}

function moduleAliases(layout: KernelLayout, resolver: OcamlValue): Alias[] {
  return [...entriesOf(layout.aliasParts(resolver).modules)].map(([key, value]) => ({
    name: insideOf(orNothing(modulePath(key))),
    key,
    value,
  }));
}

function nameAliases(layout: KernelLayout, resolver: OcamlValue): Alias[] {
  return [...entriesOf(layout.aliasParts(resolver).names)]
    .flatMap(([, byHash]) => [...entriesOf(byHash)])
    .map(([key, value]) => {
      const module = orNothing(modulePath(field(key, 0)));
      return { name: insideOf(inside(module, nameText(field(key, 1)))), key, value };
    });
}

/** The entries of an OCaml map. */
export function* entriesOf(tree: OcamlValue): Generator<readonly [key: OcamlValue, value: OcamlValue]> {
  if (!(tree instanceof Block)) return;
  yield* entriesOf(field(tree, 0));
  yield [field(tree, 1), field(tree, 2)];
  yield* entriesOf(field(tree, 3));
}
