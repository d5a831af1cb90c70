/** What is open or assumed under declarations of several libraries, through whatever they mention. */
import { inBody, type DeclaredMentions, type LibraryMentions } from '../../../gate/rocq/compiled/mentions.ts';
import { insideOf, libraryOf } from '../../../gate/rocq/compiled/module-paths.ts';

export class MentionedGrounds {
  readonly #libraries: ReadonlyMap<string, LibraryMentions>;

  /** @param libraries All in which something is looked for; what others declare is not followed. */
  constructor(libraries: readonly LibraryMentions[]) {
    this.#libraries = new Map(libraries.map((one) => [one.library, one]));
  }

  has(name: string): boolean {
    return this.#declared(name) !== undefined;
  }

  #declared(name: string): DeclaredMentions | undefined {
    return this.#libraries.get(libraryOf(name))?.declared.get(insideOf(name));
  }

  /** The names of what it rests on that has no body (not its own), or that the kernel did not check. */
  below(name: string): readonly string[] {
    return [...this.#reached(name, () => true)].filter((one) => {
      const declared = this.#declared(one);
      if (declared === undefined) return false;
      return declared.unchecked.length > 0 || (one !== name && declared.assumed !== undefined);
    });
  }

  /** What it mentions of `named`, itself or through what has no name among these. */
  mentioned(name: string, named: { has: (name: string) => boolean }): readonly string[] {
    return [...this.#reached(name, (one) => one === name || !named.has(one))].filter(
      (one) => one !== name && named.has(one),
    );
  }

  /** @param goesOn Whether what one mentions is reached, too. */
  #reached(name: string, goesOn: (name: string) => boolean): ReadonlySet<string> {
    const reached = new Set([name]);
    // What is found while it runs is looked at, too.
    for (const one of reached) {
      const declared = this.#declared(one);
      if (declared === undefined || !goesOn(one)) continue;
      for (const mentioned of declared.said.names) reached.add(mentioned);
      for (const mentioned of inBody(declared, (library) => this.#libraries.get(library)))
        reached.add(mentioned);
    }
    return reached;
  }
}
