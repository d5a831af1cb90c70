/** In which order files are replayed. */
import { QuodError } from '../../../core/errors.ts';
import type { TraceHeader } from './trace-header.ts';

/**
 * Text traces after their parents; those whose parents are not all here, and files without a header as given, last.
 *
 * @throws QuodError when two files hold the same theory
 */
export function inOrder(files: readonly string[], headers: ReadonlyMap<string, TraceHeader>): string[] {
  const fileOf = new Map([...headers].map(([file, { name }]) => [name, file]));
  if (fileOf.size < headers.size) throw new QuodError('invalid-input', 'Two files hold the same theory.');
  const ordered = new Set<string>();
  const visit = (file: string, path: ReadonlySet<string>): void => {
    if (path.has(file)) return;
    const parents = headers.get(file)?.parents ?? [];
    for (const { name } of parents) {
      const parent = fileOf.get(name);
      if (parent !== undefined && !ordered.has(parent)) visit(parent, new Set([...path, file]));
    }
    ordered.add(file);
  };
  const isComplete = (file: string): boolean =>
    headers.get(file)?.parents.every(({ name }) => name === 'min' || fileOf.has(name)) ?? false;
  for (const file of [...files.filter(isComplete), ...files.filter((file) => !isComplete(file))]) {
    if (!ordered.has(file)) visit(file, new Set());
  }
  return [...ordered];
}
