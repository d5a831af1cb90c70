/**
 * The graph of a search, drawn on a canvas so that thousands of goals cost nothing; it can be dragged, enlarged,
 * and clicked.
 */
import { hierarchy, tree } from 'd3-hierarchy';
import type { HierarchyPointNode } from 'd3-hierarchy';
import { useEffect, useRef } from 'preact/hooks';
import type { GraphGoal, SearchGraph } from './search-graph.ts';

interface GraphCanvasProps {
  readonly graph: SearchGraph;
  /** Grows with the graph. */
  readonly count: number;
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

interface Placed {
  readonly nodes: readonly HierarchyPointNode<GraphGoal>[];
  readonly left: number;
  readonly right: number;
  readonly depth: number;
}

const LAYOUT_MS = 250;
const ROW = 44;
const COLUMN = 16;

export function GraphCanvas({ graph, count, chosen, onChoose }: GraphCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = useRef<Placed>({ nodes: [], left: 0, right: 1, depth: 1 });
  const view = useRef({ scale: 1, x: 0, y: 0, moved: false });
  const frame = useRef(0);
  const laidOutAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const draw = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (canvas.current !== null) paint(canvas.current, placed.current, view.current, chosen);
    });
  };
  useEffect(() => {
    const layOut = (): void => {
      laidOutAt.current = performance.now();
      timer.current = undefined;
      placed.current = place(graph);
      draw();
    };
    const wait = laidOutAt.current + LAYOUT_MS - performance.now();
    if (timer.current !== undefined) return;
    if (wait <= 0) layOut();
    else timer.current = setTimeout(layOut, wait);
  }, [graph, count]);
  useEffect(draw, [chosen]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
      clearTimeout(timer.current);
    };
  }, []);
  return (
    <canvas
      ref={canvas}
      class="graph"
      role="img"
      aria-label={`Graph of the search: ${graph.open} goals open, ${graph.solved} solved, ${graph.dead} dead. The list below has them all.`}
      onWheel={(event) => {
        event.preventDefault();
        const by = Math.exp(-event.deltaY / 400);
        const at = view.current;
        const { left, top } = event.currentTarget.getBoundingClientRect();
        const [x, y] = [event.clientX - left, event.clientY - top];
        view.current = { scale: at.scale * by, x: x - (x - at.x) * by, y: y - (y - at.y) * by, moved: true };
        draw();
      }}
      onPointerDown={(event) => {
        const element = event.currentTarget;
        element.setPointerCapture(event.pointerId);
        let [x, y] = [event.clientX, event.clientY];
        let far = 0;
        element.onpointermove = (moved) => {
          far += Math.abs(moved.clientX - x) + Math.abs(moved.clientY - y);
          const at = view.current;
          view.current = { ...at, x: at.x + moved.clientX - x, y: at.y + moved.clientY - y, moved: true };
          [x, y] = [moved.clientX, moved.clientY];
          draw();
        };
        element.onpointerup = (up) => {
          element.onpointermove = null;
          element.onpointerup = null;
          if (far > 4) return;
          const { left, top } = element.getBoundingClientRect();
          const hit = nearest(placed.current, view.current, up.clientX - left, up.clientY - top);
          if (hit !== undefined) onChoose(hit);
        };
      }}
      onDblClick={() => {
        view.current = { scale: 1, x: 0, y: 0, moved: false };
        draw();
      }}
    />
  );
}

function place(graph: SearchGraph): Placed {
  const root = graph.goals.get(0);
  if (root === undefined) return { nodes: [], left: 0, right: 1, depth: 1 };
  const children = ({ children: ids }: GraphGoal): GraphGoal[] =>
    ids.flatMap((id) => graph.goals.get(id) ?? []);
  const nodes = tree<GraphGoal>().nodeSize([COLUMN, ROW])(hierarchy(root, children)).descendants();
  let [left, right, depth] = [0, 0, 0];
  for (const node of nodes) {
    left = Math.min(left, node.x);
    right = Math.max(right, node.x);
    depth = Math.max(depth, node.y);
  }
  return { nodes, left, right, depth };
}

interface Viewed {
  scale: number;
  x: number;
  y: number;
  moved: boolean;
}

/** Until somebody moves it, all of it is in view. */
function fit(canvas: HTMLCanvasElement, { left, right, depth }: Placed, view: Viewed): void {
  if (view.moved) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = Math.min(1.4, (width - 40) / Math.max(1, right - left), (height - 40) / Math.max(1, depth));
  Object.assign(view, {
    scale,
    x: width / 2 - ((left + right) / 2) * scale,
    y: (height - depth * scale) / 2,
  });
}

function paint(canvas: HTMLCanvasElement, placed: Placed, view: Viewed, chosen: number | undefined): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const density = devicePixelRatio;
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  fit(canvas, placed, view);
  const { scale, x, y } = view;
  const style = getComputedStyle(canvas);
  const colours = {
    open: style.getPropertyValue('--dot-open'),
    solved: style.getPropertyValue('--dot-solved'),
    dead: style.getPropertyValue('--dot-dead'),
    line: style.getPropertyValue('--dot-line'),
    ink: style.color,
  };
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, width, height);
  for (const solved of [false, true]) {
    pen.beginPath();
    for (const { x: nodeX, y: nodeY, parent, data } of placed.nodes) {
      if (parent === null) continue;
      const onSolution = data.state === 'solved' && parent.data.solution?.children.includes(data.id) === true;
      if (onSolution !== solved) continue;
      pen.moveTo(x + parent.x * scale, y + parent.y * scale);
      pen.lineTo(x + nodeX * scale, y + nodeY * scale);
    }
    pen.strokeStyle = solved ? colours.solved : colours.line;
    pen.lineWidth = solved ? 2 : 1;
    pen.stroke();
  }
  const radius = Math.max(1.5, Math.min(6, 5 * scale));
  for (const state of ['dead', 'open', 'solved'] as const) {
    pen.beginPath();
    for (const { x: nodeX, y: nodeY, data } of placed.nodes) {
      if (data.state !== state) continue;
      const [atX, atY] = [x + nodeX * scale, y + nodeY * scale];
      if (atX < -9 || atY < -9 || atX > width + 9 || atY > height + 9) continue;
      pen.moveTo(atX + radius, atY);
      pen.arc(atX, atY, radius, 0, 7);
    }
    pen.fillStyle = colours[state];
    pen.fill();
  }
  const marked = placed.nodes.find(({ data }) => data.id === chosen);
  if (marked === undefined) return;
  pen.beginPath();
  pen.arc(x + marked.x * scale, y + marked.y * scale, radius + 3, 0, 7);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1.5;
  pen.stroke();
}

const REACH = 14;

function nearest({ nodes }: Placed, { scale, x, y }: Viewed, atX: number, atY: number): number | undefined {
  let found: number | undefined;
  let least = REACH;
  for (const node of nodes) {
    const far = Math.hypot(x + node.x * scale - atX, y + node.y * scale - atY);
    if (far < least) [found, least] = [node.data.id, far];
  }
  return found;
}
