/** What a compiled file declares, in the order of the text, as deep as its modules go. */
import type { CompiledFile } from './compiled-file.ts';
import { compiledLibrary } from './compiled-library.ts';
import { BODY } from './declaration-layout.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from './kernel-layout.ts';
import { field, hasTag, listElements, misfit, text, utf8 } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

export interface Declaration {
  /** Qualified by the modules inside the file. */
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
  /** The innermost module type around it: a parameter there is no axiom. */
  readonly moduleType: string | undefined;
}

/** A module stands before what is in it. Of a module behind a signature, what it is made of. @throws MalformedValue */
export function* declarationsIn(file: CompiledFile): Generator<Declaration> {
  const { layout, library } = compiledLibrary(file);
  yield* inSignature(layout, '', contentsOf(layout, layout.library.of(library, 'module')), undefined);
}

function* inSignature(
  layout: KernelLayout,
  path: string,
  signature: OcamlValue,
  moduleType: string | undefined,
): Generator<Declaration> {
  let rest = signature;
  while (hasTag(rest, SIGNATURE.functor)) rest = field(rest, 2);
  if (!hasTag(rest, SIGNATURE.plain)) throw misfit('a signature');
  for (const entry of listElements(field(rest, 0))) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    const label = utf8(text(field(entry, 0)));
    const name = path === '' ? label : `${path}.${label}`;
    const kind = layout.kindOf(declaration);
    const value = field(declaration, 0);
    yield { name, kind, value, moduleType };
    if (kind === 'module') yield* inSignature(layout, name, contentsOf(layout, value), moduleType);
    if (kind === 'module type')
      yield* inSignature(layout, name, layout.moduleType.of(value, 'signature'), name);
  }
}

function contentsOf(layout: KernelLayout, module: OcamlValue): OcamlValue {
  const contents = layout.contentsOf(module);
  return hasTag(contents, CONTENTS.structure)
    ? layout.structureOf(contents).signature
    : layout.module.of(module, 'signature');
}

export interface DeclaredConstant {
  /** Qualified by the modules inside the file. */
  readonly name: string;
  readonly body: 'undefined' | 'transparent' | 'opaque' | 'other';
  /** The type, as the kernel has it. */
  readonly type: OcamlValue;
  /** Where an opaque body is, and what is done to it. */
  readonly opaque: OcamlValue | undefined;
  readonly inModuleType: boolean;
}

/** @throws MalformedValue when the file does not have the known layout. */
export function declaredConstants(file: CompiledFile): DeclaredConstant[] {
  const { layout } = compiledLibrary(file);
  const constants: DeclaredConstant[] = [];
  for (const { name, kind, value, moduleType } of declarationsIn(file)) {
    if (kind !== 'constant') continue;
    const body = layout.constant.of(value, 'body');
    constants.push({
      name,
      body: bodyKind(body),
      type: layout.constant.of(value, 'type'),
      opaque: hasTag(body, BODY.opaque) ? field(body, 0) : undefined,
      inModuleType: moduleType !== undefined,
    });
  }
  return constants;
}

function bodyKind(body: OcamlValue): DeclaredConstant['body'] {
  if (hasTag(body, BODY.undefined)) return 'undefined';
  if (hasTag(body, BODY.transparent)) return 'transparent';
  return hasTag(body, BODY.opaque) ? 'opaque' : 'other';
}
