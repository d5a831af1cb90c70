/** What compiling a target comes to. */
import type { CompiledFile } from './compiled/compiled-file.ts';
import type { DeclaredConstant } from './compiled/declarations.ts';
import type { CompiledUnit, CompileResult } from './provers/judge-backend.ts';

export interface Reference {
  readonly file: CompiledFile;
  readonly unit: CompiledUnit;
  readonly constants: readonly DeclaredConstant[];
}

export type ReferenceResult =
  | { readonly status: 'compiled'; readonly reference: Reference }
  | Exclude<CompileResult, { readonly status: 'compiled' }>;
