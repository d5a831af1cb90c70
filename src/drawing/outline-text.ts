/** A proof's tree as indented text, for terminals and models. */
import { entryAt, orNothing } from '../core/entry.ts';
import { foreignText } from '../core/foreign-text.ts';
import { onlyFocuses } from '../provers/rocq/syntax/sentences.ts';
import {
  goalAt,
  type DrawnNode,
  type DrawnProof,
  type DrawnSentence,
  type NodeStatus,
} from './drawn-proof.ts';

export function outlineText(proof: DrawnProof): string {
  const depths: number[] = [];
  const beside = besideTree(proof);
  const lines = proof.nodes.flatMap((node, place) => {
    const depth = node.parent === null ? 0 : entryAt(depths, node.parent, 'depth') + 1;
    // Steps that leave one goal stand below each other; only where goals part are they indented.
    const siblings = node.parent === null ? 1 : (proof.nodes[node.parent]?.children.length ?? 1);
    depths[place] = siblings > 1 || node.parent === null ? depth : depth - 1;
    const indent = '  '.repeat(entryAt(depths, place, 'depth'));
    const { sentence } = node;
    const before = sentence === null ? [] : beside.splice(0, countBefore(beside, sentence));
    return [...before.map((one) => `${indent}${besideText(one)}`), `${indent}${lineOf(proof, node)}`];
  });
  return [foreignText(proof.statement), ...lines, ...beside.map(besideText)].join('\n');
}

interface PlacedSentence extends DrawnSentence {
  readonly place: number;
}

/** The sentences of a proof that are no step of one goal (`Unset Guard Checking.`), other than what only focuses. */
export function besideTree({ nodes, sentences }: DrawnProof): PlacedSentence[] {
  const steps = new Set(nodes.map(({ sentence }) => sentence));
  return sentences
    .map((sentence, place) => ({ ...sentence, place }))
    .filter(
      ({ text, place }) => place > 0 && !steps.has(place) && !onlyFocuses(text) && !BARE_PROOF.test(text),
    );
}

const BARE_PROOF = /^Proof\s*\.$/u;

function countBefore(beside: readonly PlacedSentence[], sentence: number): number {
  const behind = beside.findIndex(({ place }) => place >= sentence);
  return behind < 0 ? beside.length : behind;
}

function besideText({ text }: DrawnSentence): string {
  return `▸ ${foreignText(text).replace(/\s+/gu, ' ')}  (no step of one goal)`;
}

function lineOf(proof: DrawnProof, node: DrawnNode): string {
  const conclusion = foreignText(orNothing(goalAt(proof, node.goal)?.conclusion)).replace(/\s+/gu, ' ');
  const step =
    node.tactic === null ? statusText(node.status) : foreignText(node.tactic).replace(/\s+/gu, ' ');
  const mark = node.tactic !== null && node.status !== 'closed' ? `  (${statusText(node.status)})` : '';
  return `⊢ ${conclusion}    ${node.tactic === null ? '' : '▸ '}${step}${mark}`;
}

/** In words. */
export function statusText(status: NodeStatus): string {
  switch (status) {
    case 'closed':
      return 'closed';
    case 'open':
      return 'open';
    case 'given-up':
      return 'given up';
    case 'elsewhere':
      return 'decided by another goal';
    case 'together':
      return 'dealt with together with others';
    case 'broken':
      return 'the next sentence is refused';
  }
}
