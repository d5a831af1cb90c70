/**
 * The tree of a proof, drawn. Only boxes in view are in the page, so that thousands of goals scroll as a few do.
 * The arrow keys go from goal to goal, Enter unfolds; screen readers meet it as a tree.
 */
import { useComputed, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import {
  drawIndented,
  drawTree,
  FONT_SIZE,
  LINE_HEIGHT,
  mark,
  PADDING,
} from '../../../../src/drawing/box-text.ts';
import type { DrawnTree } from '../../../../src/drawing/box-text.ts';
import type { DrawnProof } from '../../../../src/drawing/drawn-proof.ts';
import { foldTree } from '../../../../src/drawing/fold-tree.ts';
import { statusText } from '../../../../src/drawing/outline-text.ts';
import { boxOfNode, levelOf, stepFrom, type Step } from './walk.ts';

interface TreeCanvasProps {
  readonly proof: DrawnProof;
  readonly whole: boolean;
  readonly unfolded: ReadonlySet<number>;
  /** Folds or unfolds the box that begins with this node. */
  readonly onFold: (node: number) => void;
  /** A node of the proof; -1: none. */
  readonly chosen: number;
  readonly onChoose: (node: number) => void;
}

const MARGIN = 16;
/** CSS pixels. */
const NARROW = 480;
/** CSS pixels around what is seen that are drawn too. */
const BEYOND = 200;
/** How far from the left corner of a box its line begins that leads to the boxes below it. */
const ELBOW = 7;
const SMALLEST = 0.25;
const LARGEST = 2;

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
};

export function TreeCanvas({ proof, whole, unfolded, onFold, chosen, onChoose }: TreeCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const zoom = useSignal(1);
  const view = useSignal({ left: 0, top: 0, width: 1200, height: 800 });
  const { width: paneWidth } = view.value;
  // Where two boxes have no room beside each other, a tree is seen through a slit: its boxes stand below each other.
  const room = paneWidth < NARROW ? paneWidth - 2 * MARGIN : undefined;
  const tree = useMemo(() => {
    const folded = foldTree(proof, { whole, unfolded });
    return room === undefined ? drawTree(proof, folded) : drawIndented(proof, folded, room);
  }, [proof, whole, unfolded, room]);
  const id = useRef(`tree-${Math.random().toString(36).slice(2)}`).current;
  const current = Math.max(0, boxOfNode(tree.folded, chosen));
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
      view.value = { left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight };
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  // A tree that is wider than its pane is first seen with its root in the middle.
  useEffect(() => {
    const element = box.current;
    const root = tree.layout.places[0];
    const own = tree.boxes[0];
    if (element === null || root === undefined || own === undefined) return;
    element.scrollLeft = (root.x + own.width / 2 + MARGIN) * zoom.peek() - element.clientWidth / 2;
  }, [proof]);
  useEffect(() => {
    const element = box.current;
    const at = tree.layout.places[current];
    const own = tree.boxes[current];
    if (element === null || at === undefined || own === undefined || chosen < 0) return;
    keepInView(element, { x: at.x + MARGIN, y: at.y + MARGIN, ...own }, zoom.peek());
  }, [current, tree]);
  const shown = useComputed(() => view.value);
  const seen = seenIn(tree, shown.value, zoom.value);
  const choose = (place: number): void => {
    const node = tree.folded.boxes[place]?.nodes[0];
    if (node !== undefined) onChoose(node);
  };
  const canUnfold = (place: number): boolean => {
    const own = tree.folded.boxes[place];
    return own !== undefined && (own.nodes.length > 1 || unfolded.has(own.nodes[0] ?? -1));
  };
  const fold = (place: number): void => {
    const node = tree.folded.boxes[place]?.nodes[0];
    if (node !== undefined && canUnfold(place)) onFold(node);
  };
  const scale = (by: number): void => {
    zoom.value = Math.min(LARGEST, Math.max(SMALLEST, zoom.value * by));
  };
  const width = (tree.layout.width + 2 * MARGIN) * zoom.value;
  const height = (tree.layout.height + 2 * MARGIN) * zoom.value;
  return (
    <div class="tree-frame">
      <div
        ref={box}
        class="tree-canvas"
        role="tree"
        aria-label={`Goals of ${proof.theorem}`}
        aria-activedescendant={seen.boxes.includes(current) ? `${id}-${current}` : undefined}
        tabIndex={0}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (step !== undefined) choose(chosen < 0 ? 0 : stepFrom(tree.folded, current, step));
          else if (event.key === 'Enter' || event.key === ' ') fold(current);
          else if (event.key === '+' || event.key === '=') scale(1.25);
          else if (event.key === '-') scale(0.8);
          else return;
          event.preventDefault();
        }}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          scale(event.deltaY < 0 ? 1.1 : 0.9);
        }}
      >
        <svg
          role="presentation"
          width={width}
          height={height}
          viewBox={`${-MARGIN} ${-MARGIN} ${tree.layout.width + 2 * MARGIN} ${tree.layout.height + 2 * MARGIN}`}
        >
          {seen.edges.map(({ child, path }) => (
            <path key={`edge-${child}`} class="edge" d={path} />
          ))}
          {seen.boxes.map((place) => (
            <TreeBox
              key={tree.folded.boxes[place]?.nodes[0] ?? place}
              tree={tree}
              place={place}
              id={`${id}-${place}`}
              isChosen={chosen >= 0 && place === current}
              isFolded={(tree.folded.boxes[place]?.nodes.length ?? 1) > 1}
              canUnfold={canUnfold(place)}
              onChoose={() => {
                choose(place);
                box.current?.focus({ preventScroll: true });
              }}
              onFold={() => fold(place)}
            />
          ))}
        </svg>
      </div>
      <div class="tree-zoom" role="group" aria-label="Size of the tree">
        <button class="quiet" aria-label="Smaller" onClick={() => scale(0.8)}>
          −
        </button>
        <button class="quiet" title="As large as text" onClick={() => (zoom.value = 1)}>
          {Math.round(zoom.value * 100)} %
        </button>
        <button class="quiet" aria-label="Larger" onClick={() => scale(1.25)}>
          +
        </button>
      </div>
    </div>
  );
}

interface TreeBoxProps {
  readonly tree: DrawnTree;
  readonly place: number;
  readonly id: string;
  readonly isChosen: boolean;
  readonly isFolded: boolean;
  readonly canUnfold: boolean;
  readonly onChoose: () => void;
  readonly onFold: () => void;
}

function TreeBox({ tree, place, id, isChosen, isFolded, canUnfold, onChoose, onFold }: TreeBoxProps) {
  const box = tree.boxes[place];
  const at = tree.layout.places[place];
  if (box === undefined || at === undefined) return null;
  const label = labelOf(box);
  return (
    <g
      id={id}
      role="treeitem"
      aria-level={levelOf(tree.folded, place)}
      aria-selected={isChosen}
      aria-expanded={canUnfold ? !isFolded : undefined}
      aria-label={label}
      class={`tree-box ${box.tone}${isChosen ? ' chosen' : ''}${isFolded ? ' folded' : ''}`}
      transform={`translate(${at.x} ${at.y})`}
      onClick={onChoose}
      onDblClick={onFold}
    >
      {isFolded && <rect class="behind" x={4} y={4} width={box.width} height={box.height} rx={6} />}
      <rect width={box.width} height={box.height} rx={6} />
      {box.lines.map(({ kind, text }, index) => (
        // Without the blank between them the end of one and the beginning of the next are one word to those who hear them.
        <Fragment key={index}>
          <text class={kind} x={PADDING} y={PADDING + index * LINE_HEIGHT + FONT_SIZE}>
            {text}
          </text>{' '}
        </Fragment>
      ))}
      {canUnfold && (
        <g
          class="fold-mark"
          aria-hidden="true"
          // On the corner: in the box it would cover the end of a line.
          transform={`translate(${box.width - 7} -7)`}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
        >
          <rect width={14} height={14} rx={3} />
          <text x={3.5} y={11}>
            {isFolded ? '+' : '−'}
          </text>
        </g>
      )}
      <title>{`${mark(box.status)} ${statusText(box.status)}`}</title>
    </g>
  );
}

/** What is heard of a box: a line that is further in goes on with the one before it. */
function labelOf({ lines, status }: DrawnTree['boxes'][number]): string {
  const heard = lines.map(({ text }) => (text.startsWith(' ') ? ` ${text.trim()}` : `, ${text.trim()}`));
  return `${heard.join('')}, ${statusText(status)}`.slice(2);
}

interface Seen {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What of the tree is in view, or so near that it may be at the next frame. */
function seenIn({ boxes, layout, folded, isIndented }: DrawnTree, view: Seen, zoom: number) {
  const [left, right] = [view.left / zoom - BEYOND - MARGIN, (view.left + view.width) / zoom + BEYOND];
  const [top, bottom] = [view.top / zoom - BEYOND - MARGIN, (view.top + view.height) / zoom + BEYOND];
  const seen: number[] = [];
  const edges: { readonly child: number; readonly path: string }[] = [];
  for (const [place, own] of boxes.entries()) {
    const at = layout.places[place];
    if (at === undefined) continue;
    if (at.x < right && at.x + own.width > left && at.y < bottom && at.y + own.height > top) seen.push(place);
    const parent = folded.boxes[place]?.parent ?? null;
    const above = parent === null ? undefined : layout.places[parent];
    const its = parent === null ? undefined : boxes[parent];
    if (above === undefined || its === undefined) continue;
    if (isIndented) {
      const [x, fromY, toY] = [above.x + ELBOW, above.y + its.height, at.y + own.height / 2];
      if (toY < top || fromY > bottom) continue;
      edges.push({
        child: place,
        path: at.x > above.x ? `M${x} ${fromY}V${toY}H${at.x}` : `M${x} ${fromY}V${at.y}`,
      });
      continue;
    }
    const [fromX, fromY] = [above.x + its.width / 2, above.y + its.height];
    const [toX, toY] = [at.x + own.width / 2, at.y];
    if (toY < top || fromY > bottom || Math.max(fromX, toX) < left || Math.min(fromX, toX) > right) continue;
    const bend = (fromY + toY) / 2;
    edges.push({ child: place, path: `M${fromX} ${fromY}C${fromX} ${bend} ${toX} ${bend} ${toX} ${toY}` });
  }
  return { boxes: seen, edges };
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function keepInView(element: HTMLElement, { x, y, width, height }: Rectangle, zoom: number): void {
  const [left, top] = [x * zoom - MARGIN, y * zoom - MARGIN];
  const [right, bottom] = [(x + width) * zoom + MARGIN, (y + height) * zoom + MARGIN];
  if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
  if (left < element.scrollLeft) element.scrollLeft = left;
  if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  if (top < element.scrollTop) element.scrollTop = top;
}
