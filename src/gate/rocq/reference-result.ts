/** What compiling a target comes to. */
import { lazyConstant } from '../../core/lazy-constant.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { declaredConstants, declaredNames, type DeclaredConstant } from './compiled/declarations.ts';
import type { CompiledUnit, CompileResult } from './backends/judge-backend.ts';

export interface Reference {
  readonly file: CompiledFile;
  readonly unit: CompiledUnit;
  readonly constants: readonly DeclaredConstant[];
  /** Of all that it declares. */
  readonly names: () => ReadonlySet<string>;
}

export function referenceOf(file: CompiledFile, unit: CompiledUnit): Reference {
  return {
    file,
    unit,
    constants: declaredConstants(file),
    names: lazyConstant(() => declaredNames(file)),
  };
}

export type ReferenceResult =
  | { readonly status: 'compiled'; readonly reference: Reference }
  | Exclude<CompileResult, { readonly status: 'compiled' }>;
