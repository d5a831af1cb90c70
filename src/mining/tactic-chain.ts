/**
 * A chain `t; u; [v | w]`, or a list of rewrites, as the steps that it takes one after the other, each run by
 * itself.
 */
import { parseTactic } from '../provers/rocq/syntax/tactics.ts';
import { printTactic, type TacticExpression } from '../provers/rocq/syntax/tactic-tree.ts';
import { rewriteListOf } from './rewrite-list.ts';

export type ChainStep =
  /** The same tactic on every goal that the step before left. */
  | { readonly kind: 'each'; readonly tactic: string }
  /** One tactic for each goal; undefined leaves the goal as it is. */
  | { readonly kind: 'dispatch'; readonly branches: readonly (string | undefined)[] }
  /** SSReflect's `first t` and `last t`. */
  | { readonly kind: 'positional'; readonly which: 'first' | 'last'; readonly tactic: string };

export interface TacticChain {
  readonly steps: readonly ChainStep[];
  /** `by` and `now` close every goal that the last step leaves. */
  readonly terminator: 'by' | 'now' | undefined;
}

/** Undefined for a tactic that is no chain, or one whose parts mean something only together. */
export function chainOf(tactic: string): TacticChain | undefined {
  let expression = inside(parseTactic(tactic));
  let terminator: TacticChain['terminator'];
  if (expression.kind === 'terminator') {
    terminator = expression.word;
    expression = inside(expression.children[0]);
  }
  const steps: ChainStep[] = [];
  if (expression.kind !== 'sequence') {
    const list = rewriteListOf(expression);
    if (list === undefined) return undefined;
    for (const [index, tactic] of list.rewrites.entries())
      steps.push(
        index === 0 || list.goesOnWith === 'each'
          ? { kind: 'each', tactic }
          : { kind: 'positional', which: 'first', tactic },
      );
    return { steps, terminator };
  }
  for (const child of expression.children) {
    const step = stepOf(child);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps[0]?.kind === 'each' ? { steps, terminator } : undefined;
}

/**
 * The tactic that step `step` of a chain uses on goal `index` of `count`; undefined for none, null where it does
 * not fit.
 */
export function tacticFor(
  chain: TacticChain,
  step: ChainStep,
  index: number,
  count: number,
): string | undefined | null {
  const own = ownTactic(step, index, count);
  if (own === null || chain.terminator === undefined || step !== chain.steps.at(-1)) return own;
  if (own === undefined) return chain.terminator === 'by' ? 'by []' : 'easy';
  return `${chain.terminator} ${own}`;
}

function ownTactic(step: ChainStep, index: number, count: number): string | undefined | null {
  switch (step.kind) {
    case 'each':
      return step.tactic;
    case 'dispatch':
      return step.branches.length === count ? step.branches[index] : null;
    case 'positional':
      return index === (step.which === 'first' ? 0 : count - 1) ? step.tactic : undefined;
  }
}

function stepOf(child: TacticExpression): ChainStep | undefined {
  switch (child.kind) {
    case 'nothing':
      return undefined;
    case 'dispatch': {
      if (child.glue.some((text) => text.includes('..'))) return undefined;
      const branches = child.children.map((branch) =>
        branch.kind === 'nothing' ? undefined : printTactic(branch).trim(),
      );
      return { kind: 'dispatch', branches };
    }
    case 'positional': {
      const [operand] = child.children;
      if (child.count !== '' || operand === undefined || operand.kind === 'nothing') return undefined;
      const tactic = printTactic(operand).trim();
      return tactic === 'first' || tactic === 'last'
        ? undefined
        : { kind: 'positional', which: child.word, tactic };
    }
    default:
      return { kind: 'each', tactic: printTactic(child).trim() };
  }
}

/** What is in the sentence and in brackets around everything. */
function inside(expression: TacticExpression | undefined): TacticExpression {
  let at: TacticExpression = expression ?? { kind: 'nothing' };
  while (
    at.kind === 'sentence' ||
    (at.kind === 'parenthesis' && at.glue.join('').replace(/\s/gu, '') === '()')
  ) {
    const [only] = at.children;
    if (only === undefined) break;
    at = only;
  }
  return at;
}
