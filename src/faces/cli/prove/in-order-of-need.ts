/**
 * Files that are named one by one, each behind those of them that it requires: what is written into one is then there for the next.
 * Otherwise they stay in the order in which they were named.
 */
import { resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { withSameReason } from '../../../core/lists/same-reason.ts';
import { sourceLanguageOf } from '../../../operations/files/source-language.ts';
import type { NamedFile } from '../../../operations/project/named-files.ts';
import { KnownProjects } from '../../../provers/rocq/build/known-projects.ts';
import type { ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { RequiredSources } from '../../../provers/rocq/build/required-sources.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';

export interface FilesInOrder {
  readonly files: readonly NamedFile[];
  /** For people, a line for each file that was named in front of what it requires. */
  readonly told: readonly string[];
}

export async function inOrderOfNeed(named: readonly NamedFile[]): Promise<FilesInOrder> {
  const byPath = new Map(named.map((file) => [resolve(file.name), file]));
  const requirements = new Requirements();
  const files = new Set<NamedFile>();
  const moved: { readonly file: NamedFile; readonly needing: NamedFile }[] = [];
  for (const needing of named) {
    const needed = (await requirements.below(needing)).flatMap(({ path }) => byPath.get(path) ?? []);
    const late = needed.filter((file) => file !== needing && !files.has(file));
    // Who names a folder says nothing of an order in it.
    appendAll(moved, needing.isInFolder ? [] : late.map((file) => ({ file, needing })));
    for (const file of [...late, needing]) files.add(file);
  }
  const told = withSameReason(moved, ({ needing }) => needing).map(({ reason: needing, of }) => {
    const [first] = of;
    const isOne = first !== undefined && of.length === 1;
    const which = isOne ? foreignName(first.file.name) : counted(of.length, 'file');
    return `${which} ${isOne ? 'comes' : 'come'} before ${foreignName(needing.name)}, which requires ${isOne ? 'it' : 'them'}`;
  });
  return { files: [...files], told };
}

/** Each project is looked at once. */
class Requirements {
  readonly #known = new KnownProjects();
  readonly #required = new Map<RocqProject, RequiredSources>();

  /** Nothing where that cannot be known: what is wrong with a file or its project is told when it is worked on. */
  async below({ name, unread }: NamedFile): Promise<readonly ProjectSource[]> {
    if (unread !== undefined || sourceLanguageOf(name) !== 'rocq') return [];
    return this.#sourcesBelow(resolve(name)).catch(() => []);
  }

  async #sourcesBelow(path: string): Promise<readonly ProjectSource[]> {
    const project = await this.#known.ownerOf(path);
    const required =
      this.#required.get(project) ?? new RequiredSources((await this.#known.filesOf(project)).sources);
    this.#required.set(project, required);
    return required.below(path);
  }
}
