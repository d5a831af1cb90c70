/** A proof's tree as indented text, for terminals and models. */
import { entryAt, orNothing } from '../core/entry.ts';
import { foreignText } from '../core/foreign-text.ts';
import { goalAt, type DrawnNode, type DrawnProof, type NodeStatus } from './drawn-proof.ts';

export function outlineText(proof: DrawnProof): string {
  const depths: number[] = [];
  const lines = proof.nodes.map((node, place) => {
    const depth = node.parent === null ? 0 : entryAt(depths, node.parent, 'depth') + 1;
    // Steps that leave one goal stand below each other; only where goals part are they indented.
    const siblings = node.parent === null ? 1 : (proof.nodes[node.parent]?.children.length ?? 1);
    depths[place] = siblings > 1 || node.parent === null ? depth : depth - 1;
    return `${'  '.repeat(entryAt(depths, place, 'depth'))}${lineOf(proof, node)}`;
  });
  return [foreignText(proof.statement), ...lines].join('\n');
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
      return 'proved';
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
