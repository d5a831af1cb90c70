/**
 * What the parameters of functors declare. Whatever a functor is applied to has to declare the same types, with the same
 * constructors, and constants that stand for the same where they stand for something: so inside of the functor they may be looked into.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { declaredIn } from '../compiled/declarations.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { field, hasTag, misfit, nameText } from '../compiled/kernel-shape.ts';
import { inside, libraryOf, logicalName, PARAMETER } from '../compiled/module-paths.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';

/** The name of a parameter, which no other parameter has: its number in the file that binds it, what it is called, the file. */
export function parameterName(bound: OcamlValue): string {
  const number = field(bound, 0);
  if (typeof number !== 'number') throw misfit('a parameter');
  return `${PARAMETER}:${number}:${nameText(field(bound, 1))}:${logicalName(field(bound, 2))}`;
}

/** The library that binds the parameter in which a name is; undefined where it is in none. */
export function libraryBinding(name: string): string | undefined {
  if (!name.startsWith(PARAMETER)) return undefined;
  const parameter = libraryOf(name);
  return parameter.slice(parameter.lastIndexOf(':') + 1);
}

interface Declared {
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
}

/**
 * Under the names by which the functor refers to it. A name can be there more than once: what a functor holds is copied with its own
 * functors. @throws MalformedValue
 */
export function declaredByParameters(file: CompiledFile): Generator<Declared> {
  const { layout, library } = compiledLibrary(file);
  return inModule(layout, layout.library.of(library, 'module'), undefined);
}

/** @param path the name of what is looked at, where it is a parameter or in one. */
function* inModule(layout: KernelLayout, module: OcamlValue, path: string | undefined): Generator<Declared> {
  const contents = layout.contentsOf(module);
  // An instance of a functor: nothing outside refers to what the functors in it take.
  if (path === undefined && hasTag(contents, CONTENTS.expression)) return;
  yield* inSignature(layout, layout.module.of(module, 'signature'), path);
  if (hasTag(contents, CONTENTS.structure))
    yield* inSignature(layout, layout.structureOf(contents).signature, path);
}

function* inSignature(
  layout: KernelLayout,
  signature: OcamlValue,
  path: string | undefined,
): Generator<Declared> {
  let rest = signature;
  for (; hasTag(rest, SIGNATURE.functor); rest = field(rest, 2)) {
    const taken = layout.moduleType.of(field(rest, 1), 'signature');
    yield* inSignature(layout, taken, parameterName(field(rest, 0)));
  }
  for (const { label, kind, value } of declaredIn(layout, rest)) {
    const name = path === undefined ? undefined : inside(path, nameText(label));
    if (kind === 'module') yield* inModule(layout, value, name);
    else if (kind === 'module type')
      yield* inSignature(layout, layout.moduleType.of(value, 'signature'), name);
    else if (name !== undefined) yield { name, kind, value };
  }
}
