/**
 * The constants that terms may refer to. A kernel adds what it has accepted; below that may lie constants that are
 * taken as they are (imports that were not asked to be checked), looked up only when they are needed.
 */
import { QuodError } from '../../core/errors.ts';
import type { ConstantDeclaration } from './declaration.ts';
import type { Name } from './name.ts';

/** Where unchecked constants come from: undefined when there is none of that name. */
export type ConstantSource = (name: Name) => ConstantDeclaration | undefined;

export class Environment {
  readonly #constants = new Map<Name, ConstantDeclaration>();
  readonly #missing = new Set<Name>();
  readonly #source: ConstantSource | undefined;

  /**
   * `source` is asked once at most for each name; what it answers is believed. It may be asked while a declaration
   * is being checked: it makes terms within `store.permanently`.
   */
  constructor(source?: ConstantSource) {
    this.#source = source;
  }

  find(name: Name): ConstantDeclaration | undefined {
    const constant = this.#constants.get(name);
    if (constant !== undefined || this.#source === undefined || this.#missing.has(name)) return constant;
    const imported = this.#source(name);
    if (imported === undefined) this.#missing.add(name);
    else this.#constants.set(name, imported);
    return imported;
  }

  /** Why constants cannot be added together, as far as their names go; undefined when they can. */
  problemWith(constants: Iterable<ConstantDeclaration>): string | undefined {
    const names = new Set<Name>();
    for (const { name } of constants) {
      if (names.has(name)) return `${name.toString()} is declared twice`;
      if (this.find(name) !== undefined) return `${name.toString()} is declared already`;
      names.add(name);
    }
    return undefined;
  }

  /**
   * Adds a constant whose name `find` does not find; the kernel has looked before.
   * @throws QuodError `internal` for a name that is there: nothing takes the place of what was accepted.
   */
  add(constant: ConstantDeclaration): void {
    if (this.#constants.has(constant.name))
      throw new QuodError('internal', `${constant.name.toString()} is in the environment already.`);
    this.#constants.set(constant.name, constant);
  }

  /** The constants that were added or looked up, in that order. */
  values(): Iterable<ConstantDeclaration> {
    return this.#constants.values();
  }
}
