/**
 * The tree of a proof: each node is a goal, its step the tactic that was used on it, its children the goals that the
 * tactic left. A node's own proof is put together from its subtree. Where goals were dealt with together, in a way that
 * cannot be told apart, the sentences of the script from there to the end of the branch stand for the subtree.
 */
import type { Goal } from '../core/proof-state.ts';
import { appendAll } from '../core/lists/many.ts';
import type { Sentence } from '../provers/rocq/syntax/sentences.ts';
import {
  BULLETS,
  type ScriptStyle,
  scriptText,
  type ScriptTree,
} from '../provers/rocq/syntax/script-tree.ts';

/** Where a node's goal comes from: the theorem itself, a sentence of its proof, a place inside a sentence. */
export type NodeOrigin = 'theorem' | 'state' | 'chain' | 'selector';

export interface ProofStep {
  /** Without the dot. */
  readonly tactic: string;
  readonly children: readonly ProofNode[];
  /** What it took to run it, as far as known. */
  readonly elapsedMs: number;
}

export interface ProofNode {
  /** As it stood when its step was run; before that, as it stood when it was first seen. */
  goal: Goal;
  /** The same with everything written out, when it was asked for. */
  explicit: Goal | undefined;
  readonly origin: NodeOrigin;
  /** Steps from the theorem's own goal. */
  readonly depth: number;
  /** Index in the outline of the sentence that is run on it; -1 until there is one. */
  sentence: number;
  /** How many tactic sentences were run in the proof before. */
  stepsBefore: number;
  step: ProofStep | undefined;
  /**
   * The first step of the chain that `step` is, when the chain could be taken apart; it leads to what `step`
   * leaves.
   */
  inner: ProofStep | undefined;
  /** Somebody else's step solved it, by unification. */
  instantiated: boolean;
  /** The sentences of the outline from here to the end of this branch, when this goal was alone in focus. */
  slice: { readonly from: number; readonly to: number } | undefined;
}

export function newNode(goal: Goal, origin: NodeOrigin, depth: number): ProofNode {
  return {
    goal,
    explicit: undefined,
    origin,
    depth,
    sentence: -1,
    stepsBefore: 0,
    step: undefined,
    inner: undefined,
    instantiated: false,
    slice: undefined,
  };
}

/** A proof as it is written into a data set. */
export interface AssembledProof {
  /** The tactics in order, without bullets and dots. */
  readonly tactics: readonly string[];
  /** The script between statement and `Qed`. */
  readonly text: string;
  /** What the steps took together when they were run. */
  readonly elapsedMs: number;
}

const WITH_BULLETS: ScriptStyle = { indent: '  ', newline: '\n', bullets: BULLETS };
const WITH_BRACES: ScriptStyle = { ...WITH_BULLETS, bullets: [] };

/** Undefined when the subtree is not whole: a goal of it was left to something outside. */
export function assembleProof(node: ProofNode, sentences: readonly Sentence[]): AssembledProof | undefined {
  const found = scriptOf(node, sentences);
  if (found === undefined) return undefined;
  const { tree, tactics, elapsedMs, hasSlices } = found;
  return { tactics, text: scriptText(tree, hasSlices ? WITH_BRACES : WITH_BULLETS, ''), elapsedMs };
}

interface Script {
  readonly tree: ScriptTree;
  readonly tactics: readonly string[];
  readonly elapsedMs: number;
  readonly hasSlices: boolean;
}

/** No person writes a proof with more steps below each other. */
const DEEPEST = 2000;

function scriptOf(node: ProofNode, all: readonly Sentence[]): Script | undefined {
  const sentences: string[] = [];
  const tactics: string[] = [];
  let elapsedMs = 0;
  let at = node;
  for (let length = 0; length < DEEPEST; length += 1) {
    const { step } = at;
    if (step === undefined) break;
    sentences.push(step.tactic);
    tactics.push(step.tactic);
    elapsedMs += step.elapsedMs;
    const open = step.children.filter((child) => !child.instantiated);
    const [only] = open;
    if (only !== undefined && open.length === 1) {
      at = only;
      continue;
    }
    const children: ScriptTree[] = [];
    let hasSlices = false;
    let whole = true;
    for (const child of open) {
      const script = scriptOf(child, all);
      if (script === undefined) {
        whole = false;
        break;
      }
      children.push(script.tree);
      appendAll(tactics, script.tactics);
      elapsedMs += script.elapsedMs;
      hasSlices ||= script.hasSlices;
    }
    if (!whole) break;
    return { tree: { sentences, children }, tactics, elapsedMs, hasSlices };
  }
  return sliceOf(node, all);
}

function sliceOf(node: ProofNode, all: readonly Sentence[]): Script | undefined {
  const slice = node.slice && all.slice(node.slice.from, node.slice.to);
  // A closing brace at the end would be one of the branch around it.
  if (slice?.at(-1)?.role !== 'command') return undefined;
  const text = slice.map((sentence) => sentence.text).join('\n');
  const tactics = slice.filter(({ role }) => role === 'command').map((sentence) => withoutDot(sentence.text));
  return { tree: { sentences: [withoutDot(text)], children: [] }, tactics, elapsedMs: 0, hasSlices: true };
}

export function withoutDot(sentence: string): string {
  return sentence.replace(/\.$/u, '').trim();
}
