/**
 * What stands in a box of a drawn proof, cut to lines of a fixed-width font, and how large the box is for it. The
 * canvas of the workbench, the SVG and the page draw the same lines. All of it is text of others: what would act on
 * a terminal or a document is shown and not done.
 */
import { onOneLine } from '../core/sentence.ts';
import { counted } from '../core/counted.ts';
import { orNothing, orZero } from '../core/entry.ts';
import { inert } from '../core/foreign-text.ts';
import { greatestOf } from '../core/lists/many.ts';
import { goalAt, type DrawnProof, type NodeStatus } from './drawn-proof.ts';
import type { FoldedBox, FoldedTree } from './fold-tree.ts';
import { statusText } from './outline-text.ts';
import { indentationsOf, layoutIndented } from './indented-layout.ts';
import { layoutForest, type Layout } from './tree-layout.ts';

export interface BoxLine {
  readonly kind: 'goal' | 'tactic' | 'note';
  readonly text: string;
}

export interface DrawnBox {
  readonly lines: readonly BoxLine[];
  readonly status: NodeStatus;
  /** What it is painted as: `pending` where it is dealt with, but something below it is open. */
  readonly tone: NodeStatus | 'pending';
  readonly width: number;
  readonly height: number;
}

export interface DrawnTree {
  /** Whether the boxes stand below each other, as in a file tree. */
  readonly isIndented: boolean;
  readonly folded: FoldedTree;
  readonly boxes: readonly DrawnBox[];
  readonly layout: Layout;
}

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 17;
export const PADDING = 9;
/** Of a character of a fixed-width font, in parts of the font's size; the widest of the usual ones. */
const CHARACTER = 0.62;
const LONGEST_LINE = 42;
const GOAL_LINES = 3;
const TACTIC_LINES = 2;
const GAPS = { across: 22, down: 34, below: 12 };
/** How far the children of a goal that leaves several stand to the right of it, in pixels and at most. */
const INDENTATION = 14;
const MOST_INDENTED = 0.25;
const NARROWEST = 96;

export function drawTree(proof: DrawnProof, folded: FoldedTree): DrawnTree {
  const boxes = folded.boxes.map((box) => drawBox(proof, box, LONGEST_LINE));
  return {
    ...{ folded, boxes, isIndented: false },
    layout: layoutForest(withChildren(boxes, folded), folded.roots, GAPS),
  };
}

/** The tree with its boxes below each other, none wider than there is room. */
export function drawIndented(proof: DrawnProof, folded: FoldedTree, room: number): DrawnTree {
  const indentations = indentationsOf(
    folded.boxes.map(({ children }) => children),
    folded.roots,
    { step: INDENTATION, most: room * MOST_INDENTED },
  );
  const boxes = folded.boxes.map((box, place) => {
    const own = room - orZero(indentations[place]) - 2 * PADDING;
    return drawBox(proof, box, Math.min(LONGEST_LINE, Math.floor(own / (FONT_SIZE * CHARACTER))));
  });
  const sized = withChildren(boxes, folded);
  return {
    ...{ folded, boxes, isIndented: true },
    layout: layoutIndented(sized, folded.roots, { indentations, gap: GAPS.below }),
  };
}

function withChildren(boxes: readonly DrawnBox[], folded: FoldedTree) {
  return boxes.map(({ width, height }, place) => ({
    ...{ width, height },
    children: folded.boxes[place]?.children ?? [],
  }));
}

/** @param longest Columns of a line. */
function drawBox(proof: DrawnProof, box: FoldedBox, longest: number): DrawnBox {
  const lines = linesOf(proof, box, longest);
  const status = statusOf(proof, box);
  return {
    lines,
    status,
    tone: status === 'closed' && box.isOpen ? 'pending' : status,
    width: Math.max(NARROWEST, Math.ceil(greatestOf(lines.map(({ text }) => textWidth(text)))) + 2 * PADDING),
    height: lines.length * LINE_HEIGHT + 2 * PADDING,
  };
}

/** That of the last node of a chain, which decides what is left of it; a folded branch has nothing open. */
function statusOf({ nodes }: DrawnProof, box: FoldedBox): NodeStatus {
  if (box.kind === 'branch') return 'closed';
  return nodes[box.nodes.at(-1) ?? -1]?.status ?? 'open';
}

function linesOf(proof: DrawnProof, box: FoldedBox, longest: number): readonly BoxLine[] {
  const nodes = box.nodes.flatMap((place) => proof.nodes[place] ?? []);
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return [{ kind: 'note', text: '' }];
  const conclusion = (goal: number): BoxLine[] =>
    wrapped(orNothing(goalAt(proof, goal)?.conclusion), { most: GOAL_LINES, longest, lead: '⊢ ' }).map(
      (text) => ({
        kind: 'goal',
        text,
      }),
    );
  const tactics = nodes.flatMap(({ tactic }) => (tactic === null ? [] : [tactic]));
  const head = conclusion(first.goal);
  const steps = wrapped(tactics.join('; '), { most: TACTIC_LINES, longest, lead: '▸ ' }).map(
    (text): BoxLine => ({
      kind: 'tactic',
      text,
    }),
  );
  switch (box.kind) {
    case 'goal':
      return [
        ...head,
        ...(first.tactic === null ? [] : steps),
        ...(first.tactic !== null && first.status === 'closed' && first.children.length > 0
          ? []
          : [{ kind: 'note', text: `${mark(first.status)} ${statusText(first.status)}` } as const]),
      ];
    case 'chain':
      return [
        ...head,
        ...steps,
        ...(last.goal === first.goal ? [] : conclusion(last.goal)),
        {
          kind: 'note',
          text: `${counted(tactics.length, 'step')}${ending(last.status, last.children.length)}`,
        },
      ];
    case 'branch':
      return [
        ...head,
        ...steps,
        { kind: 'note', text: `${mark('closed')} closed in ${counted(tactics.length, 'step')}` },
      ];
  }
}

function ending(status: NodeStatus, children: number): string {
  if (children > 1) return `, ${counted(children, 'goal')} left`;
  return `, ${statusText(status)} ${mark(status)}`;
}

/** Told apart without colour too. */
export function mark(status: NodeStatus): string {
  switch (status) {
    case 'closed':
      return '✓';
    case 'open':
      return '○';
    case 'given-up':
      return '⚠';
    case 'elsewhere':
    case 'together':
      return '·';
    case 'broken':
      return '✗';
  }
}

/** One line of blanks alone, cut to lines at blanks where there are some; the last one says that more follows. */
export function wrapped(
  text: string,
  {
    most,
    longest = LONGEST_LINE,
    lead = '',
  }: { readonly most: number; readonly longest?: number; readonly lead?: string },
): string[] {
  const characters = Array.from(onOneLine(shownText(text)));
  const lines: string[] = [];
  let at = 0;
  while (at < characters.length || lines.length === 0) {
    const before = lines.length === 0 ? lead : ' '.repeat(lead.length);
    const room = longest - before.length;
    if (lines.length === most - 1 && characters.length - at > room) {
      lines.push(`${before}${characters.slice(at, at + room - 1).join('')}…`);
      break;
    }
    let end = Math.min(at + room, characters.length);
    if (end < characters.length) {
      const blank = characters.lastIndexOf(' ', end);
      if (blank > at) end = blank;
    }
    lines.push(`${before}${characters.slice(at, end).join('')}`);
    at = characters[end] === ' ' ? end + 1 : end;
  }
  return lines;
}

/** Acting characters shown, and nothing that XML cannot hold. */
export function shownText(text: string): string {
  return inert(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/gu, '\ufffd');
}

/** In pixels. */
export function textWidth(text: string): number {
  return columnsOf(text) * FONT_SIZE * CHARACTER;
}

/** Columns that a text takes: marks that combine take none, East Asian letters take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /\p{M}/u.test(character)
      ? 0
      : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
            character,
          )
        ? 2
        : 1;
  return columns;
}
