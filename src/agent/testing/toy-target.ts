/**
 * A theorem of a toy prover, so that the workflow can be driven through every branch without waiting for a real
 * one. Its gate accepts one script, word for word; its session is fooled by whatever says that it is complete, as a
 * bad one might be.
 */
import type { ToolSession, Judgement, Target, TargetFile, ToolAnswer } from '../target.ts';

export const ACCEPTED = 'Proof.\n  exact right.\nQed.';
/** One that its gate cannot look at. */
export const UNJUDGED = 'Proof.\n  exact endless.\nQed.';

/** Behind these words its gate cannot look at any: its file is wrong elsewhere. */
export const WRONG_ELSEWHERE = 'exact wronged';

export interface ToyTarget extends Target {
  readonly judged: readonly string[];
  readonly made: readonly { readonly tool: string; readonly input: unknown }[];
  readonly written: readonly string[];
}

/** @param restsOnOpen What the accepted proof rests on. */
export function toyTarget(
  theorem = 'toy',
  found: string | null = null,
  restsOnOpen: readonly string[] = [],
): ToyTarget {
  const judged: string[] = [];
  const made: { tool: string; input: unknown }[] = [];
  const written: string[] = [];
  const inputSchema = { type: 'object', properties: { proof: { type: 'string' } }, required: ['proof'] };
  const gate = (proof: string): Judgement => {
    judged.push(proof);
    if (proof === UNJUDGED) return { verdict: 'unknown', findings: ['timeout: too long'], restsOnOpen: [] };
    if (proof.includes(WRONG_ELSEWHERE))
      return { verdict: 'unknown', findings: ['does-not-compile: toy.v is wrong'], restsOnOpen: [] };
    return proof === ACCEPTED
      ? { verdict: 'accepted', findings: [], restsOnOpen }
      : { verdict: 'rejected', findings: ['admitted: not the right proof'], restsOnOpen: [] };
  };
  const toolSession: ToolSession = {
    state: 'right : Toy\n⊢ Toy',
    call: (tool, input): Promise<ToolAnswer> => {
      made.push({ tool, input });
      if (tool !== 'rocq_check_proof') return Promise.resolve({ text: 'nothing found', check: null });
      const { proof = '' } = input as { proof?: string };
      const closed = proof.includes('Qed.') || proof.includes('Admitted.');
      return Promise.resolve(
        closed
          ? { text: 'proved: the session is convinced', check: { outcome: 'proved', proof, goal: null } }
          : proof.includes('wrong')
            ? { text: 'failed: no such tactic', check: { outcome: 'failed', proof: null, goal: 'Toy' } }
            : { text: 'incomplete: 1 goal', check: { outcome: 'incomplete', proof: null, goal: 'Toy' } },
      );
    },
    close: () => Promise.resolve(),
  };
  return {
    prover: 'rocq',
    theorem,
    statement: `Lemma ${theorem} : Toy.`,
    file: 'toy.v',
    tools: [
      { name: 'rocq_check_proof', description: 'Checks a proof.', inputSchema, leavesState: true },
      { name: 'rocq_goals', description: 'Shows the goals.', inputSchema, leavesState: false },
      { name: 'rocq_search', description: 'Searches.', inputSchema, leavesState: false },
    ],
    judged,
    made,
    written,
    openToolSession: () => Promise.resolve(toolSession),
    context: () =>
      Promise.resolve([
        { section: 'Definitions', name: 'Toy', text: 'Definition Toy := True.', shorter: null, value: 95 },
      ]),
    similarProofs: () =>
      Promise.resolve([{ name: 'other', statement: 'Lemma other : Toy.', proof: 'Proof. exact left. Qed.' }]),
    search: () => Promise.resolve({ proof: found, message: found === null ? 'nothing' : 'found' }),
    judge: (proof) => Promise.resolve(gate(proof)),
    write: (proof) => {
      written.push(proof);
      return Promise.resolve({ fileHash: `hash-${written.length}` });
    },
  };
}

export function toyFile(...targets: readonly ToyTarget[]): TargetFile {
  return {
    file: '/toy.v',
    fileHash: 'hash',
    text: 'the toys',
    targets,
    compare: () => Promise.resolve({ clean: true, accepted: [], unjudged: [], findings: [] }),
    recheck: () => Promise.resolve({ verdict: 'accepted', findings: [], restsOnOpen: {} }),
  };
}
