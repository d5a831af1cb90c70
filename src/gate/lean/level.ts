/**
 * Universe levels, interned: within one table, structurally equal levels are the same object. Whether two levels mean
 * the same or one is at most the other is decided by the kernel (kernel/level-order.ts), not by identity.
 */
import type { Name } from './name.ts';

export type Level = ZeroLevel | SuccessorLevel | MaximumLevel | ParameterLevel;

interface LevelBase {
  /** Unique in the table, in order of creation. */
  readonly id: number;
  /** Whether a universe parameter occurs. */
  readonly hasParameters: boolean;
}

export interface ZeroLevel extends LevelBase {
  readonly kind: 'zero';
}
export interface SuccessorLevel extends LevelBase {
  readonly kind: 'successor';
  readonly of: Level;
}
/** `imax` (impredicative) is 0 where the right level is 0, and the maximum elsewhere. */
export interface MaximumLevel extends LevelBase {
  readonly kind: 'max' | 'imax';
  readonly left: Level;
  readonly right: Level;
}
export interface ParameterLevel extends LevelBase {
  readonly kind: 'parameter';
  readonly name: Name;
}

/** The only maker of levels. Nothing is simplified here: a level is what the file says. */
export class LevelTable {
  #count = 0;
  readonly zero: ZeroLevel = { kind: 'zero', id: this.#count++, hasParameters: false };
  readonly #successors = new Map<Level, SuccessorLevel>();
  readonly #parameters = new Map<Name, ParameterLevel>();
  readonly #maxima = new Map<Level, Map<Level, MaximumLevel>>();
  readonly #impredicative = new Map<Level, Map<Level, MaximumLevel>>();
  readonly one: SuccessorLevel = this.successor(this.zero);

  successor(of: Level): SuccessorLevel {
    let level = this.#successors.get(of);
    if (level === undefined) {
      level = { kind: 'successor', id: this.#count++, hasParameters: of.hasParameters, of };
      this.#successors.set(of, level);
    }
    return level;
  }

  max(left: Level, right: Level): MaximumLevel {
    return this.#maximum('max', this.#maxima, left, right);
  }

  imax(left: Level, right: Level): MaximumLevel {
    return this.#maximum('imax', this.#impredicative, left, right);
  }

  parameter(name: Name): ParameterLevel {
    let level = this.#parameters.get(name);
    if (level === undefined) {
      level = { kind: 'parameter', id: this.#count++, hasParameters: true, name };
      this.#parameters.set(name, level);
    }
    return level;
  }

  #maximum(
    kind: 'max' | 'imax',
    table: Map<Level, Map<Level, MaximumLevel>>,
    left: Level,
    right: Level,
  ): MaximumLevel {
    let row = table.get(left);
    if (row === undefined) {
      row = new Map<Level, MaximumLevel>();
      table.set(left, row);
    }
    let level = row.get(right);
    if (level === undefined) {
      const hasParameters = left.hasParameters || right.hasParameters;
      level = { kind, id: this.#count++, hasParameters, left, right };
      row.set(right, level);
    }
    return level;
  }
}
