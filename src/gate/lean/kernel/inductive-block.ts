/**
 * Checks an inductive block as a file declares it: makes everything about it again from the types of its types and
 * constructors, and compares. What goes into the environment is what was made here, not what the file says.
 */
import { at } from '../at.ts';
import type {
  ConstantDeclaration,
  ConstructorConstant,
  InductiveBlock,
  InductiveConstant,
  RecursorConstant,
} from '../declaration.ts';
import { Environment } from '../environment.ts';
import { sameNames, type Name } from '../name.ts';
import { Rejection } from './answer.ts';
import { InductiveChecker } from './inductive-types.ts';
import type { CheckedBlock, DeclaredBlock } from './inductive-types.ts';
import { unnest } from './nested-types.ts';
import type { KernelContext } from './reduction.ts';
import { makeRecursors } from './recursors.ts';
import { instantiateLevels } from './substitution.ts';
import { TypeChecker } from './type-checker.ts';

/** The constants that the block brings. Throws a Rejection when the block or anything that it says about itself is wrong. */
export function checkInductiveBlock(
  context: KernelContext,
  block: InductiveBlock,
): readonly ConstantDeclaration[] {
  const { store } = context;
  const declared = declaredBlock(block);
  const unnested = unnest(store, context.environment, declared);

  // The types as written, to check constructors as written: what unnesting drops is checked here.
  const written = new Environment((name) => context.environment.find(name));
  for (const type of block.types) written.add(plainType(type));
  const writtenChecker = new TypeChecker({ ...context, environment: written });

  // The types with auxiliary ones, to check what the types are and how they occur.
  const auxiliary = new Environment((name) => context.environment.find(name));
  const inductiveChecker = new InductiveChecker(
    new TypeChecker({ ...context, environment: auxiliary }),
    unnested.block,
  );
  inductiveChecker.checkTypes();
  for (const { name, type } of unnested.block.types) {
    const shape = block.types[0];
    if (shape === undefined) throw new Rejection('a block without types');
    auxiliary.add({ ...shape, name, type, constructors: [], all: [name] });
  }
  for (const { type } of block.constructors) writtenChecker.check(type.plain);
  const checked = inductiveChecker.checkConstructors();

  const all = block.types.map(({ name }) => name);
  const types = block.types.map((type, position) => {
    const result: InductiveConstant = {
      ...type,
      type: type.type,
      indexCount: at(checked.types, position, 'type of the block').indices.length,
      all,
      nestedCount: unnested.nestedCount,
      isRecursive: checked.isRecursive,
      isReflexive: checked.isReflexive,
      isUnsafe: false,
    };
    compareType(type, result);
    return result;
  });
  const constructors = checkedConstructors(block, checked);
  const made = checked.types.flatMap((type) => type.constructors);
  const premises = checked.types.length + made.length;
  context.fuel.spend(made.reduce((sum, { fields }) => sum + fields.length, premises) * premises);
  const recursors = makeRecursors(store, checked, {
    names: recursorNames(all, checked.types.length),
    levelParameters: declared.levelParameters,
    all,
  }).map((recursor) => ({
    ...recursor,
    type: unnested.restore(recursor.type),
    rules: recursor.rules.map((rule) => ({
      ...rule,
      constructor: unnested.restoreConstructor(rule.constructor),
      value: unnested.restore(rule.value),
    })),
  }));

  // What is made here has names, too, of which the file need not say anything.
  const problem = context.environment.problemWith([...types, ...constructors, ...recursors]);
  if (problem !== undefined) throw new Rejection(problem);
  const complete = new Environment((name) => context.environment.find(name));
  for (const constant of [...types, ...constructors, ...recursors]) complete.add(constant);
  const completeChecker = new TypeChecker({ ...context, environment: complete });
  const named = recursors.map((recursor) => {
    const given = block.recursors.find(({ name }) => name === recursor.name);
    return given === undefined ? recursor : compareRecursor(completeChecker, given, recursor);
  });
  for (const { name } of block.recursors) {
    if (!recursors.some((recursor) => recursor.name === name)) {
      throw new Rejection(`${name.toString()} is no recursor of the block`);
    }
  }
  return [...types, ...constructors, ...named];
}

/** The part of a block that everything else follows from. */
function declaredBlock(block: InductiveBlock): DeclaredBlock {
  const [first] = block.types;
  if (first === undefined) throw new Rejection('a block without types');
  const constructors = new Map(block.constructors.map((constructor) => [constructor.name, constructor]));
  const types = block.types.map(({ name, type, constructors: names }) => ({
    name,
    type: type.plain,
    constructors: names.map((constructorName) => {
      const constructor = constructors.get(constructorName);
      if (constructor === undefined) {
        throw new Rejection(`the constructor ${constructorName.toString()} is not in the block`);
      }
      return { name: constructorName, type: constructor.type.plain };
    }),
  }));
  for (const { name, levelParameters } of [...block.types, ...block.constructors]) {
    if (!sameNames(levelParameters, first.levelParameters)) {
      throw new Rejection(`${name.toString()} has other universe parameters than the rest of its block`);
    }
  }
  for (const { name, parameterCount } of block.types) {
    if (parameterCount !== first.parameterCount) {
      throw new Rejection(`${name.toString()} has another number of parameters than the rest of its block`);
    }
  }
  return { levelParameters: first.levelParameters, parameterCount: first.parameterCount, types };
}

/** A type of the block as far as it is known before its constructors are. */
function plainType(type: InductiveConstant): InductiveConstant {
  return { ...type, type: type.type.plain, constructors: [], isUnsafe: false };
}

function compareType(given: InductiveConstant, made: InductiveConstant): void {
  const claim = claimsOf(given.name);
  claim('number of indices', given.indexCount, made.indexCount);
  claim('number of nested types', given.nestedCount, made.nestedCount);
  claim('recursive', given.isRecursive, made.isRecursive);
  claim('reflexive', given.isReflexive, made.isReflexive);
  claim('unsafe', given.isUnsafe, false);
  if (!sameNames(given.all, made.all)) throw new Rejection(`${given.name.toString()} lists another block`);
}

function checkedConstructors(block: InductiveBlock, checked: CheckedBlock): ConstructorConstant[] {
  const order = block.types.flatMap(({ constructors }) => constructors);
  if (order.length !== block.constructors.length) {
    throw new Rejection('a constructor is in no type of its block, or in two');
  }
  return block.types.flatMap((type, typePosition) =>
    type.constructors.map((name, index) => {
      const given = block.constructors.find((constructor) => constructor.name === name);
      const found = checked.types[typePosition]?.constructors[index];
      if (given === undefined || found === undefined) {
        throw new Rejection(`the constructor ${name.toString()} is not in the block`);
      }
      const claim = claimsOf(name);
      claim('number of fields', given.fieldCount, found.fields.length);
      claim('number of parameters', given.parameterCount, type.parameterCount);
      claim('position', given.index, index);
      claim('unsafe', given.isUnsafe, false);
      // By identity: how names are printed decides nothing.
      claim('type', given.inductive.id, type.name.id);
      return given;
    }),
  );
}

/** `T.rec` for each type of the block; of types for nested occurrences, `rec_1`, `rec_2`… of the first type. */
function recursorNames(all: readonly Name[], count: number): Name[] {
  return Array.from({ length: count }, (_, position) => {
    const own = all[position];
    if (own !== undefined) return own.child('rec');
    return at(all, 0, 'type of the block').child(`rec_${position - all.length + 1}`);
  });
}

/** The recursor that was made, with the universe parameters called as in the file. */
function compareRecursor(
  checker: TypeChecker,
  given: RecursorConstant,
  made: RecursorConstant,
): RecursorConstant {
  const claim = claimsOf(given.name);
  claim('number of universe parameters', given.levelParameters.length, made.levelParameters.length);
  claim('number of parameters', given.parameterCount, made.parameterCount);
  claim('number of indices', given.indexCount, made.indexCount);
  claim('number of motives', given.motiveCount, made.motiveCount);
  claim('number of minor premises', given.minorCount, made.minorCount);
  claim('number of rules', given.rules.length, made.rules.length);
  claim('k', given.isK, made.isK);
  claim('unsafe', given.isUnsafe, false);
  if (!sameNames(given.all, made.all)) throw new Rejection(`${given.name.toString()} lists another block`);

  const { store } = checker.context;
  const levels = given.levelParameters.map((name) => store.levels.parameter(name));
  const rename = (term: RecursorConstant['type']) =>
    instantiateLevels(store, term, made.levelParameters, levels);
  const renamed: RecursorConstant = {
    ...made,
    levelParameters: given.levelParameters,
    type: rename(made.type),
    rules: made.rules.map((rule) => ({ ...rule, value: rename(rule.value) })),
  };
  requireSame(checker, given.type.plain, renamed.type, `${given.name.toString()} has another type`);
  for (const [position, rule] of renamed.rules.entries()) {
    const claimed = given.rules[position];
    if (claimed?.constructor !== rule.constructor) {
      throw new Rejection(`rule ${position} of ${given.name.toString()} is for another constructor`);
    }
    claim(`number of fields of rule ${position}`, claimed.fieldCount, rule.fieldCount);
    const problem = `${given.name.toString()} computes something else on ${rule.constructor.toString()}`;
    requireSame(checker, claimed.value.plain, rule.value, problem);
  }
  return renamed;
}

/** Mostly the terms are the same object; otherwise they must be equal by computation, and the claim must have a type. */
function requireSame(
  checker: TypeChecker,
  given: RecursorConstant['type'],
  made: RecursorConstant['type'],
  problem: string,
): void {
  if (given === made) return;
  checker.check(given);
  if (!checker.isEqual(given, made)) throw new Rejection(problem, [given, made]);
}

/** Refuses claims of the file about a constant that are not what was found. */
function claimsOf(name: Name) {
  return (what: string, claimed: number | boolean | string, found: number | boolean | string): void => {
    if (claimed !== found) {
      throw new Rejection(
        `${name.toString()} says "${what}: ${claimed}", and what it declares makes it ${found}`,
      );
    }
  };
}
