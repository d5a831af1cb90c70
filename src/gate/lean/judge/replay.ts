/**
 * Checks the declarations of compiled modules with Quod's kernel, in an environment that starts with nothing but the
 * modules that are taken as they are. Unsafe and partial definitions are not checked and cannot be referred to.
 */
import { type ConstantDeclaration, declarationName } from '../declaration.ts';
import { constantsInDependencyOrder } from '../dependency-order.ts';
import { Environment } from '../environment.ts';
import type { Expression } from '../expression.ts';
import type { KernelAnswer } from '../kernel/answer.ts';
import { DEFAULT_LIMITS, Kernel } from '../kernel/kernel.ts';
import type { Name } from '../name.ts';
import type { CompiledModule } from '../olean/module.ts';
import { printTerm } from '../print-term.ts';
import type { TermStore } from '../term-store.ts';
import type { JudgedFile } from './judged-file.ts';

export type ReplayProblem =
  | {
      readonly kind: 'rejected' | 'declined';
      readonly module: CompiledModule;
      readonly name: Name | undefined;
      readonly message: string;
    }
  | {
      readonly kind: 'name-taken';
      readonly module: CompiledModule;
      readonly name: Name;
      readonly message: string;
    };

export interface Replay {
  readonly kernel: Kernel;
  /** What stopped the replay; undefined when everything was accepted. */
  readonly problem: ReplayProblem | undefined;
}

/** Checks the imported modules that are to be checked, and then the module itself. */
export function replay(file: JudgedFile, store: TermStore, fuel: number | undefined): Replay {
  const environment = new Environment((name) => file.findTrusted(name));
  const kernel = new Kernel(store, environment, fuel === undefined ? DEFAULT_LIMITS : { steps: fuel });
  for (const { module } of file.checked) {
    const problem = replayModule(kernel, environment, module);
    if (problem !== undefined) return { kernel, problem };
  }
  return { kernel, problem: replayModule(kernel, environment, file.module) };
}

function replayModule(
  kernel: Kernel,
  environment: Environment,
  module: CompiledModule,
): ReplayProblem | undefined {
  for (const name of module.names.keys()) {
    if (environment.find(name) !== undefined)
      return { kind: 'name-taken', module, name, message: 'an imported module declares that name already' };
  }
  const ordered = constantsInDependencyOrder(module.constants());
  if (ordered.kind === 'impossible')
    return { kind: 'rejected', module, name: ordered.name, message: `it ${ordered.message}` };
  for (const declaration of ordered.declarations) {
    const answer = kernel.add(declaration);
    if (answer.kind !== 'accepted')
      return { kind: answer.kind, module, name: declarationName(declaration), message: answerText(answer) };
  }
  return undefined;
}

function answerText(answer: Exclude<KernelAnswer, { kind: 'accepted' }>): string {
  if (answer.kind === 'declined' || answer.terms === undefined) return answer.problem;
  const [left, right] = answer.terms;
  const printed = (term: Expression): string => printTerm(term, { nodes: 200 });
  return `${answer.problem}: ${printed(left)} is not ${printed(right)}`;
}

/** What the compiler leaves among the constants; no theorem can rest on it. */
const COMPILER_LEFTOVERS = new Set(['_unsafe_rec', '_cstage1', '_cstage2']);

export function isCompilerLeftover(constant: ConstantDeclaration): boolean {
  const { component } = constant.name;
  return (
    constant.kind === 'definition' &&
    constant.safety !== 'safe' &&
    typeof component === 'string' &&
    COMPILER_LEFTOVERS.has(component)
  );
}
