/**
 * What the sources of a project require. Every file is looked at once, also for a question that asks it of each of them: so
 * thousands of files take as long as there are files, and not as there are pairs of them.
 */
import { entryAt } from '../../../core/entry.ts';
import {
  directlyRequired,
  requiresAsRead,
  requiresOf,
  type ProjectSource,
  type Require,
} from './project-sources.ts';

/**
 * The sources that a text requires, directly or through others, each behind what it requires itself. Of sources that
 * require each other in a circle the first that is met comes last.
 */
export async function sourcesInDependencyOrder(
  requires: readonly Require[],
  sources: readonly ProjectSource[],
  except = '',
): Promise<readonly ProjectSource[]> {
  return new RequiredSources(sources).inOrder(requires, except);
}

export class RequiredSources {
  readonly #sources: readonly ProjectSource[];
  readonly #direct = new Map<string, readonly ProjectSource[]>();

  constructor(sources: readonly ProjectSource[]) {
    this.#sources = sources;
  }

  /**
   * What a source requires, directly or through others, in the order of `sourcesInDependencyOrder`.
   * @throws as reading the file does.
   */
  async below(path: string): Promise<readonly ProjectSource[]> {
    return this.inOrder(await requiresOf(path), path);
  }

  /** As `sourcesInDependencyOrder`. */
  async inOrder(requires: readonly Require[], except: string): Promise<readonly ProjectSource[]> {
    const ordered: ProjectSource[] = [];
    const seen = new Set([except]);
    const first = directlyRequired(requires, this.#sources);
    /** From the text down to where the walk is. */
    const way: { readonly source?: ProjectSource; readonly direct: readonly ProjectSource[]; at: number }[] =
      [{ direct: first, at: 0 }];
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      if (here.at < here.direct.length) {
        const source = entryAt(here.direct, here.at, 'required source');
        here.at += 1;
        if (seen.has(source.path)) continue;
        seen.add(source.path);
        way.push({ source, direct: this.#direct.get(source.path) ?? (await this.#read(source)), at: 0 });
      } else {
        way.pop();
        if (here.source !== undefined) ordered.push(here.source);
      }
    }
    return ordered;
  }

  async #read({ path }: ProjectSource): Promise<readonly ProjectSource[]> {
    const direct = directlyRequired(await requiresAsRead(path), this.#sources);
    this.#direct.set(path, direct);
    return direct;
  }
}
