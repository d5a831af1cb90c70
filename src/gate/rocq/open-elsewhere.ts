/**
 * Whether what a proof takes from another file of the project is a statement that is open there. A compiled file has it as an
 * axiom like any other; the file's source, which belongs to the target, tells.
 */
import { readFile } from 'node:fs/promises';
import type { RocqProject } from '../../provers/rocq/project.ts';
import { projectFiles } from './compiled/library-files.ts';
import { AxiomCommands } from './axiom-commands.ts';
import { Script } from './text/script.ts';

/** @param axioms full names. @returns those of them that no sentence of their source, where it is there, calls an axiom. */
export async function openElsewhere(
  project: RocqProject,
  libraries: readonly string[],
  axioms: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const scripts = new Map<string, ReturnType<typeof sourceOf>>();
  for (const axiom of axioms) {
    const [library] = libraries
      .filter((name) => axiom.startsWith(`${name}.`))
      .sort((one, other) => other.length - one.length);
    if (library === undefined) continue;
    let script = scripts.get(library);
    if (script === undefined) scripts.set(library, (script = sourceOf(project, library)));
    const source = await script;
    if (source !== undefined && !source.declares(axiom.slice(library.length + 1))) open.add(axiom);
  }
  return open;
}

async function sourceOf(project: RocqProject, library: string): Promise<AxiomCommands | undefined> {
  for (const compiled of projectFiles(project, library)) {
    const path = compiled.replace(/\.vo$/, '.v');
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return new AxiomCommands(new Script({ path, text }));
  }
  return undefined;
}
