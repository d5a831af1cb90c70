/**
 * Does a replayed theory prove what a target states? Both are theories of one name, and must name the same builds of the
 * parents that both have: names of another build may mean something else. Every theorem
 * of the target must be there with the same statement, and every constant and type of the same theory that such a
 * statement mentions, directly or through definitions, must have been introduced in the same way: equal statements
 * about redefined constants are different statements. The same holds for what the target asserts without proof,
 * because the submission may assert it too.
 */
import type { RefusalCode } from '../kernel/refusal.ts';
import { namesInStatement, printStatement } from '../kernel/statement.ts';
import { theoryOf, type ReplayedTheory } from './replayed-theories.ts';

export interface Difference {
  readonly code: Extract<
    RefusalCode,
    'missing' | 'statement-changed' | 'definition-changed' | 'parents-disagree'
  >;
  readonly subject: string;
  readonly message: string;
}

export function compareTheoryWithTarget(
  target: ReplayedTheory,
  submission: ReplayedTheory,
): readonly Difference[] {
  if (target.name !== submission.name) {
    const message = `The target is the theory ${target.name}, the submission ${submission.name}.`;
    return [{ code: 'missing', subject: target.name, message }];
  }
  const differences: Difference[] = otherBuilds(target, submission);
  const own = new OwnNames(target);
  for (const statement of [...target.asserted, ...target.unproved.flatMap(({ on }) => on)])
    own.follow(statement);
  for (const [name, { statement }] of target.theorems) {
    own.follow(statement);
    const other = submission.theorems.get(name)?.statement;
    if (other === undefined) {
      differences.push({
        code: 'missing',
        subject: name,
        message: 'The submission does not export this theorem.',
      });
    } else if (other !== statement) {
      const message = `The target states ${printStatement(statement)}, the submission ${printStatement(other)}.`;
      differences.push({ code: 'statement-changed', subject: name, message });
    }
  }
  for (const name of own.constants) {
    const [mine, other] = [target.constants.get(name), submission.constants.get(name)];
    if (mine?.type !== other?.type || mine?.definition !== other?.definition) {
      differences.push(definitionChanged(name, mine?.definition, other?.definition, other !== undefined));
    }
  }
  for (const name of own.operators) {
    const [mine, other] = [target.operators.get(name), submission.operators.get(name)];
    if (mine?.arity !== other?.arity || mine?.definition !== other?.definition) {
      differences.push(definitionChanged(name, mine?.definition, other?.definition, other !== undefined));
    }
  }
  return differences;
}

function otherBuilds(target: ReplayedTheory, submission: ReplayedTheory): Difference[] {
  const builds = new Map(target.parents.map(({ name, hash }) => [name, hash]));
  return submission.parents
    .filter(({ name, hash }) => builds.has(name) && builds.get(name) !== hash)
    .map(({ name }) => ({
      code: 'parents-disagree',
      subject: name,
      message: `The target was built on another build of ${name} than the submission was.`,
    }));
}

/** The names of the theory's own that statements rest on. */
class OwnNames {
  readonly constants = new Set<string>();
  readonly operators = new Set<string>();
  readonly #theory: ReplayedTheory;

  constructor(theory: ReplayedTheory) {
    this.#theory = theory;
  }

  follow(text: string): void {
    const { constants, operators } = namesInStatement(text);
    for (const name of constants) {
      if (theoryOf(name) !== this.#theory.name || this.constants.has(name)) continue;
      this.constants.add(name);
      const constant = this.#theory.constants.get(name);
      if (constant !== undefined) this.follow(constant.type);
      if (constant?.definition !== undefined) this.follow(constant.definition);
    }
    for (const name of operators) {
      if (theoryOf(name) !== this.#theory.name || this.operators.has(name)) continue;
      this.operators.add(name);
      const definition = this.#theory.operators.get(name)?.definition;
      if (definition !== undefined) this.follow(definition);
    }
  }
}

function definitionChanged(
  subject: string,
  target: string | undefined,
  submission: string | undefined,
  isDeclared: boolean,
): Difference {
  const say = (definition: string | undefined): string =>
    definition === undefined ? 'declares it without a definition' : `gives it ${printStatement(definition)}`;
  const there = isDeclared ? say(submission) : 'does not have it';
  return {
    code: 'definition-changed',
    subject,
    message: `The target ${say(target)}, the submission ${there}.`,
  };
}
