/**
 * Makes the recursors of a checked block of inductive types, with their rules of computation.
 */
import { at } from '../at.ts';
import type { RecursorConstant } from '../declaration.ts';
import type { Expression, FreeVariable } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import type { CheckedBlock, CheckedConstructor } from './inductive-types.ts';
import { bindAll } from './substitution.ts';

/**
 * The recursors, one for each type of the block, named by `names`. `all` are the types of the block that the file
 * declares, which can be fewer than those that were checked (nested-types.ts adds some).
 */
export function makeRecursors(
  store: TermStore,
  block: CheckedBlock,
  { names, levelParameters, all }: Readonly<Record<'names' | 'levelParameters' | 'all', readonly Name[]>>,
): RecursorConstant[] {
  return new RecursorMaker(store, block, names, levelParameters).make(all);
}

class RecursorMaker {
  readonly #store: TermStore;
  readonly #block: CheckedBlock;
  readonly #names: readonly Name[];
  readonly #levelParameters: readonly Name[];
  readonly #levels: readonly Level[];
  readonly #motives: readonly FreeVariable[];
  /** The major premise of each recursor. */
  readonly #majors: readonly FreeVariable[];
  /** Of all constructors of the block, in order. */
  readonly #minors: readonly FreeVariable[];
  #nextFree: number;

  constructor(
    store: TermStore,
    block: CheckedBlock,
    names: readonly Name[],
    blockParameters: readonly Name[],
  ) {
    this.#store = store;
    this.#block = block;
    this.#names = names;
    this.#nextFree = block.freeBound;
    let sortLevel: Level = store.levels.zero;
    this.#levelParameters = blockParameters;
    if (block.hasLargeElimination) {
      const name = newLevelParameter(store, blockParameters);
      sortLevel = store.levels.parameter(name);
      this.#levelParameters = [name, ...blockParameters];
    }
    this.#levels = this.#levelParameters.map((name) => store.levels.parameter(name));
    const sort = store.sort(sortLevel);
    this.#majors = block.types.map(({ indices }, type) =>
      this.#free(store.applyAll(this.#typeConstant(type), ...block.parameters, ...indices)),
    );
    this.#motives = block.types.map(({ indices }, type) =>
      this.#free(bindAll(store, 'pi', [...indices, this.#major(type)], sort)),
    );
    this.#minors = block.types.flatMap(({ constructors }, type) =>
      constructors.map((constructor) => this.#free(this.#minorType(constructor, type))),
    );
  }

  make(all: readonly Name[]): RecursorConstant[] {
    const { parameters, types, isK } = this.#block;
    const shared = [...parameters, ...this.#motives, ...this.#minors];
    let nextMinor = 0;
    return types.map(({ indices, constructors }, type) => {
      const major = this.#major(type);
      const result = this.#store.applyAll(this.#motive(type), ...indices, major);
      return {
        kind: 'recursor',
        name: this.#name(type),
        levelParameters: this.#levelParameters,
        type: bindAll(this.#store, 'pi', [...shared, ...indices, major], result),
        all,
        parameterCount: parameters.length,
        indexCount: indices.length,
        motiveCount: this.#motives.length,
        minorCount: this.#minors.length,
        rules: constructors.map((constructor) => ({
          constructor: constructor.name,
          fieldCount: constructor.fields.length,
          value: this.#ruleValue(constructor, nextMinor++, shared),
        })),
        isK,
        isUnsafe: false,
      };
    });
  }

  /** What must be given for a constructor: its result, from its fields and the results for the recursive ones. */
  #minorType(constructor: CheckedConstructor, type: number): Expression {
    const store = this.#store;
    const { fields, recursiveFields, indices } = constructor;
    const hypotheses = recursiveFields.map((recursive) => {
      const subject = store.applyAll(recursive.field, ...recursive.arguments);
      const result = store.applyAll(this.#motive(recursive.type), ...recursive.indices, subject);
      return this.#free(bindAll(store, 'pi', recursive.arguments, result));
    });
    const made = store.applyAll(
      store.constant(constructor.name, this.#block.levels),
      ...this.#block.parameters,
      ...fields,
    );
    const result = store.applyAll(this.#motive(type), ...indices, made);
    return bindAll(store, 'pi', [...fields, ...hypotheses], result);
  }

  /** What a recursor computes on a constructor: its minor premise on the fields and on the recursive results. */
  #ruleValue(constructor: CheckedConstructor, minor: number, shared: readonly FreeVariable[]): Expression {
    const store = this.#store;
    const { fields, recursiveFields } = constructor;
    const results = recursiveFields.map((recursive) => {
      const recursor = store.constant(this.#name(recursive.type), this.#levels);
      const subject = store.applyAll(recursive.field, ...recursive.arguments);
      const result = store.applyAll(recursor, ...shared, ...recursive.indices, subject);
      return bindAll(store, 'lambda', recursive.arguments, result);
    });
    const value = store.applyAll(at(this.#minors, minor, 'minor premise'), ...fields, ...results);
    return bindAll(store, 'lambda', [...shared, ...fields], value);
  }

  #typeConstant(type: number): Expression {
    return this.#store.constant(at(this.#block.types, type, 'type of the block').name, this.#block.levels);
  }

  #major(type: number): FreeVariable {
    return at(this.#majors, type, 'major premise');
  }

  #motive(type: number): FreeVariable {
    return at(this.#motives, type, 'motive');
  }

  #name(type: number): Name {
    return at(this.#names, type, 'recursor name');
  }

  #free(type: Expression): FreeVariable {
    return this.#store.free(this.#nextFree++, type);
  }
}

/** `u`, or `u_1`, `u_2`… when the block has such a parameter. */
function newLevelParameter(store: TermStore, taken: readonly Name[]): Name {
  let name = store.names.of('u');
  for (let number = 1; taken.includes(name); number++) name = store.names.of(`u_${number}`);
  return name;
}
