/** Declarations as steps of F*: each stands below those that lead to the state from which it is run. */
import type { StateId } from '../../core/prover.ts';
import type { FstarStep } from '../../provers/fstar/session/driver.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { modulesMentioned } from '../../provers/fstar/syntax/declaration-parts.ts';

export class DeclarationPaths {
  readonly #texts = new Map<StateId, string>();

  step(from: StateId, declaration: string): FstarStep {
    const before = this.#texts.get(from) ?? '';
    const text = `${before}${declaration}\n`;
    return {
      text: `${declaration}\n`,
      place: { line: before.split('\n').length, column: 0 },
      kind: 'full',
      whole: () => ({ text, modules: modulesMentioned(parseDeclarations(text)) }),
    };
  }

  reached(from: StateId, step: FstarStep, state: StateId): void {
    this.#texts.set(state, `${this.#texts.get(from) ?? ''}${step.text}`);
  }
}
