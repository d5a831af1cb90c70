/** A proof that was made by goal trees, as text that can stand between `Proof` and `QED`. */
import type { ProofTree } from '../../provers/hol4/session/values.ts';
import { holTokens } from '../../provers/hol4/syntax/lexer.ts';
import { TACTICALS } from '../../provers/hol4/syntax/tactic.ts';

export type ExtractedProof =
  | { readonly status: 'complete'; readonly text: string }
  /** Goals are open, or a tactic was used whose text HOL does not know. */
  | { readonly status: 'incomplete'; readonly openGoals: number }
  | { readonly status: 'anonymous'; readonly tactics: number };

/** `rpt strip_tac\n>- (simp[])\n>- metis_tac[]`, in the order of the goals. */
export function extractProof(tree: ProofTree): ExtractedProof {
  const openGoals = count(tree, (node) => node.kind === 'goal');
  if (openGoals > 0) return { status: 'incomplete', openGoals };
  const tactics = count(tree, (node) => node.kind === 'tactic' && node.text.trim() === '');
  if (tactics > 0) return { status: 'anonymous', tactics };
  return { status: 'complete', text: printTree(tree, '') };
}

function printTree(tree: ProofTree, indent: string): string {
  const [first, ...steps] = chain(tree);
  const lines = [`${indent}${tacticText(first)}`];
  for (const step of steps) {
    if (step.kind === 'then') lines.push(`${indent}\\\\ ${tacticText(step.tree)}`);
    else {
      const [only, ...more] = chain(step.tree);
      if (more.length === 0 && isShort(only)) lines.push(`${indent}>- ${tacticText(only)}`);
      else lines.push(`${indent}>- (`, `${printTree(step.tree, `${indent}  `)})`);
    }
  }
  return lines.join('\n');
}

type Step = { readonly kind: 'then' | 'branch'; readonly tree: ProofTree };

/** A tactic followed by what is done with its goals: one goal goes on in the same line, several are branches. */
function chain(tree: ProofTree): readonly [ProofTree, ...Step[]] {
  if (tree.kind !== 'then') return [tree];
  const [first, ...before] = chain(tree.first);
  const { branches } = tree;
  const [only] = branches;
  if (branches.length === 1 && only !== undefined) {
    const [next, ...after] = chain(only);
    return [first, ...before, { kind: 'then', tree: next }, ...after];
  }
  return [first, ...before, ...branches.map((branch): Step => ({ kind: 'branch', tree: branch }))];
}

function tacticText(tree: ProofTree): string {
  const text = tree.kind === 'tactic' ? tree.text.trim() : 'ALL_TAC';
  return isAtomic(text) ? text : `(${text})`;
}

function isShort(tree: ProofTree): boolean {
  return tree.kind === 'tactic' && isAtomic(tree.text.trim());
}

/** True when the text can stand behind `>>` or `>-` without parentheses: no infix of HOL outside of brackets in it. */
function isAtomic(text: string): boolean {
  return tacticOperators(text) === 0;
}

const LOOSE = new Set([...TACTICALS, '>>-', '??', 'ORELSE', 'fn', 'if', 'case', 'handle', 'raise']);

function tacticOperators(text: string): number {
  let depth = 0;
  let found = 0;
  for (const { kind, span } of holTokens(text)) {
    const word = text.slice(span.start, span.end);
    if (kind === 'punctuation' && '([{'.includes(word)) depth += 1;
    else if (kind === 'punctuation' && ')]}'.includes(word)) depth -= 1;
    else if (kind === 'word' && word === 'let') depth += 1;
    else if (kind === 'word' && word === 'end') depth -= 1;
    else if (depth === 0 && LOOSE.has(word)) found += 1;
  }
  return found;
}

function count(tree: ProofTree, test: (node: ProofTree) => boolean): number {
  const own = test(tree) ? 1 : 0;
  if (tree.kind !== 'then') return own;
  return own + count(tree.first, test) + tree.branches.reduce((sum, branch) => sum + count(branch, test), 0);
}
