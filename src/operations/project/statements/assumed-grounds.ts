/**
 * Which of what something rests on is assumed, and so nothing that is left to be proved: an axiom, or what the kernel did not
 * check. Where that is not known it is not said.
 */
import { sourceLanguageOf } from '../../files/source-language.ts';
import type { Stated } from './declared.ts';
import { statedIn, type Ground } from './stated.ts';

type States = ReadonlyMap<string, ReadonlySet<Stated['state']>>;

export class AssumedGrounds {
  /** Of each file, by names: two of one file may be called the same. */
  readonly #files = new Map<string, States>();

  /** @param all Of each file everything that it states, or nothing. */
  constructor(all: readonly Stated[]) {
    for (const [path, stated] of Map.groupBy(all, (one) => one.path)) this.#files.set(path, statesIn(stated));
  }

  /** Reads the files that were not asked for: compiled files tell of those, too. @param below What each rests on. */
  async readMissing(below: Iterable<readonly Ground[]>): Promise<void> {
    const missing = new Set<string>();
    for (const grounds of below)
      for (const { path } of grounds) if (!this.#files.has(path)) missing.add(path);
    for (const path of missing) {
      const language = sourceLanguageOf(path);
      const stated = language === undefined ? [] : await statedIn(path, language, true).catch(() => []);
      this.#files.set(path, statesIn(stated));
    }
  }

  has({ path, name }: Ground): boolean {
    const states = this.#files.get(path)?.get(name);
    return states !== undefined && !states.has('open');
  }
}

function statesIn(stated: readonly Stated[]): States {
  const byName = Map.groupBy(stated, ({ name }) => name);
  return new Map([...byName].map(([name, some]) => [name, new Set(some.map(({ state }) => state))]));
}
