/** The constants that a compiled file declares, in the order of the text, as deep as its modules go. */
import type { CompiledFile } from './compiled-file.ts';
import { BODY } from './declaration-layout.ts';
import { CONTENTS, type KernelLayout, SIGNATURE } from './kernel-layout.ts';
import { field, hasTag, listElements, misfit, text, utf8 } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { compiledLibrary } from './unit-comparison.ts';

export interface DeclaredConstant {
  /** Qualified by the modules inside the file. */
  readonly name: string;
  readonly body: 'undefined' | 'transparent' | 'opaque' | 'other';
  /** The type, as the kernel has it. */
  readonly type: OcamlValue;
  /** Where an opaque body is, and what is done to it. */
  readonly opaque: OcamlValue | undefined;
  /** In a module type: a parameter there is no axiom. */
  readonly inModuleType: boolean;
}

/** @throws MalformedValue when the file does not have the known layout. */
export function declaredConstants(file: CompiledFile): DeclaredConstant[] {
  const { layout, library } = compiledLibrary(file);
  return [...constantsOfModule(layout, '', layout.library.of(library, 'module'), false)];
}

function* constantsOfModule(
  layout: KernelLayout,
  path: string,
  module: OcamlValue,
  inModuleType: boolean,
): Generator<DeclaredConstant> {
  const contents = layout.contentsOf(module);
  const signature = hasTag(contents, CONTENTS.structure)
    ? layout.structureOf(contents).signature
    : layout.module.of(module, 'signature');
  yield* constantsOfSignature(layout, path, signature, inModuleType);
}

function* constantsOfSignature(
  layout: KernelLayout,
  path: string,
  signature: OcamlValue,
  inModuleType: boolean,
): Generator<DeclaredConstant> {
  let rest = signature;
  while (hasTag(rest, SIGNATURE.functor)) rest = field(rest, 2);
  if (!hasTag(rest, SIGNATURE.plain)) throw misfit('a signature');
  for (const entry of listElements(field(rest, 0))) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    const label = utf8(text(field(entry, 0)));
    const name = path === '' ? label : `${path}.${label}`;
    const value = field(declaration, 0);
    switch (layout.kindOf(declaration)) {
      case 'constant': {
        const body = layout.constant.of(value, 'body');
        const opaque = hasTag(body, BODY.opaque) ? field(body, 0) : undefined;
        const type = layout.constant.of(value, 'type');
        yield { name, body: bodyKind(body), type, opaque, inModuleType };
        break;
      }
      case 'module':
        yield* constantsOfModule(layout, name, value, inModuleType);
        break;
      case 'module type':
        yield* constantsOfSignature(layout, name, layout.moduleType.of(value, 'signature'), true);
        break;
      case 'inductive':
      case 'rewrite rules':
    }
  }
}

function bodyKind(body: OcamlValue): DeclaredConstant['body'] {
  if (hasTag(body, BODY.undefined)) return 'undefined';
  if (hasTag(body, BODY.transparent)) return 'transparent';
  return hasTag(body, BODY.opaque) ? 'opaque' : 'other';
}
