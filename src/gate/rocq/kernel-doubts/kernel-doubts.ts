/** Findings and warnings about what the kernel takes for right in ways in which it has been wrong. They can only refuse or warn. */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { allowsFlag, type GatePolicy } from '../../policy.ts';
import { type Finding, naming, type Warning } from '../../verdict.ts';
import type { RequiredLibraries } from '../libraries/required-libraries.ts';
import {
  placeOf,
  recursionFindings,
  type Unconfirmed,
  unconfirmedFunctions,
} from '../recursion/recursion-findings.ts';
import type { Compared } from '../recursion/recursion-of-target.ts';
import type { Script } from '../text/script.ts';
import { machineWarnings } from '../warnings/machine-checked.ts';
import { type Doubt, unconfirmedTypes } from './unconfirmed-types.ts';

const SAID: Readonly<Record<Doubt, string>> = {
  'in-module-type':
    'It is an inductive type in a module type, and what Rocq takes for the same type in a module has been another one: it has accepted proofs of False so.',
  'polymorphic-let':
    'It is a universe polymorphic type with a `let`, which Rocq has computed with the wrong universes: it has accepted proofs of False so.',
  'unlike-required':
    'A module type requires a type of this name and constructors with another `let`: Rocq compares the two without it, and has accepted proofs of False so.',
  'unlike-alias':
    'A module type requires another name of a module with a type of this name and constructors, which is another type: Rocq takes the one for the other, and has accepted proofs of False so.',
  'primitive-required':
    'A module type requires it as something that Rocq computes itself, and takes any constant of its type for it: it has accepted proofs of False so.',
  private:
    'It takes a private type apart, of which Rocq lets nobody outside of its module do that: what is declared of the type would be contradicted.',
  'in-functor':
    'Rocq compares it by a name inside of a functor, the same for all modules that the functor makes: it has accepted proofs of False so.',
};
const REMEDY: Readonly<Record<Doubt, string>> = {
  'in-module-type': 'Declare it outside of module types',
  'polymorphic-let': 'Write what the `let` stands for in its place',
  'unlike-required': 'Write what each `let` stands for in its place',
  'unlike-alias': 'Have the module type require what it needs of the type, or call one of the two otherwise',
  'primitive-required': 'Do without the module type',
  private: 'Use what its module declares for it',
  'in-functor': 'Apply the functor by its own name',
};

/** What is not confirmed in one submission, found out once for what refuses and for what warns. */
export class KernelDoubts {
  readonly #files: Compared;
  readonly #required: RequiredLibraries;
  readonly #policy: GatePolicy;
  readonly #functions: () => Promise<Unconfirmed>;
  readonly #types: () => Promise<ReadonlyMap<string, Doubt>>;

  constructor(files: Compared, required: RequiredLibraries, policy: GatePolicy) {
    this.#files = files;
    this.#required = required;
    this.#policy = policy;
    this.#functions = lazyConstant(() => unconfirmedFunctions(files, required.find, policy));
    this.#types = lazyConstant(() => unconfirmedTypes(files, required));
  }

  /** @throws MalformedValue, TooMuchWork */
  async findings(script: Script): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    if (!allowsFlag(this.#policy, 'unconfirmed-recursion'))
      appendAll(findings, recursionFindings(await this.#functions(), script));
    if (allowsFlag(this.#policy, 'unconfirmed-type')) return findings;
    for (const [name, doubt] of await this.#types()) {
      const sentence = placeOf(name, script);
      findings.push({
        kind: 'unconfirmed-type',
        file: script.source.path,
        subject: name,
        ...(sentence !== undefined && { position: script.positionOf(sentence) }),
        message: naming(name, SAID[doubt]),
        remedy: `${REMEDY[doubt]}, or have the policy allow it (flags: "unconfirmed-type").`,
      });
    }
    return findings;
  }

  /**
   * What a verdict says against itself where it accepts: what a machine checked, and what is not confirmed and allowed all the same, because the
   * target has it or the policy says so.
   *
   * @param names of the statements that are proved. @throws MalformedValue, TooMuchWork
   */
  async warnings(names: readonly string[]): Promise<readonly Warning[]> {
    const { ofTarget, others } = await this.#functions();
    const types = new Set((await this.#types()).keys());
    return [
      ...(await machineWarnings(this.#files, names, this.#required, this.#policy)),
      ...warned(ofTarget, 'recurs in a way', 'as in the target'),
      ...warned(others, 'recurs in a way', 'as the policy allows'),
      ...warned(types, 'is a type of a kind', 'as the policy allows'),
    ];
  }
}

function warned(names: ReadonlySet<string>, what: string, why: string): readonly Warning[] {
  return [...names].map((name) => ({
    kind: 'unconfirmed',
    message: `${name === '' ? 'Something without a name' : name} ${what} with which the kernel of Rocq has been wrong, and nothing else confirms it (${why}).`,
  }));
}
