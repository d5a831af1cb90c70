/**
 * The submission must import everything that the target imports, and the same: the same file, the same bytes, or at
 * least the same constants with the same meaning. Then every constant that a statement mentions through libraries is
 * the same for both.
 */
import type { ImportedModule } from '../olean/import-graph.ts';
import type { CompiledModule } from '../olean/module.ts';
import type { JudgedFile } from './judged-file.ts';
import { difference } from './same-constant.ts';

export type ImportProblem =
  | { readonly kind: 'missing'; readonly module: string }
  | { readonly kind: 'different'; readonly module: string; readonly message: string };

export function importProblems(target: JudgedFile, submission: JudgedFile): ImportProblem[] {
  const imported = new Map(submission.graph.closure().map((module) => [module.name, module]));
  return target.graph.closure().flatMap((module): ImportProblem[] => {
    const other = imported.get(module.name);
    if (other === undefined) return [{ kind: 'missing', module: module.name.toString() }];
    const message = moduleDifference(module, other);
    return message === undefined ? [] : [{ kind: 'different', module: module.name.toString(), message }];
  });
}

function moduleDifference(left: ImportedModule, right: ImportedModule): string | undefined {
  if (left.module === right.module || sameBytes(left.module, right.module)) return undefined;
  const between = `${left.path} and ${right.path} differ`;
  for (const name of right.module.names.keys()) {
    if (!left.module.names.has(name)) return `${between}: only one declares ${name.toString()}`;
  }
  for (const constant of left.module.constants()) {
    const other = right.module.find(constant.name);
    if (other === undefined) return `${between}: only one declares ${constant.name.toString()}`;
    const what = difference(constant, other);
    if (what !== undefined) return `${between}: ${constant.name.toString()} has another ${what}`;
  }
  return undefined;
}

function sameBytes(left: CompiledModule, right: CompiledModule): boolean {
  return (
    left.files.length === right.files.length &&
    left.files.every(({ size }, part) => size === right.files[part]?.size) &&
    left.files.every((file, part) => file.sha256() === right.files[part]?.sha256())
  );
}
