/**
 * The graph of a search, drawn on a canvas so that thousands of goals cost nothing; it can be dragged, enlarged,
 * and clicked. While a hand moves a large graph, the sheet that was painted last is moved; it is painted afresh when
 * the hand rests.
 */
import { useEffect, useRef } from 'preact/hooks';
import { stateWord, whenSearched, type SearchEnd } from './goal-badge.tsx';
import { NOTHING_PLACED, placeGoals } from './graph-layout.ts';
import type { Layout } from './graph-layout.ts';
import { fitted, goalNear, paintGraph, showSheet } from './graph-picture.ts';
import type { Viewed } from './graph-picture.ts';
import type { SearchGraph } from './search-graph.ts';

interface GraphCanvasProps {
  readonly graph: SearchGraph;
  readonly end: SearchEnd;
  /** Whether what was solved need not be so now. */
  readonly isOld: boolean;
  /** Grows with the graph. */
  readonly count: number;
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

/** A layout and a fresh sheet at most this often, less often where they take long. */
const LAYOUT_MS = 250;
const SHARE_OF_TIME = 20;

/** So many goals are painted within a frame. */
const PAINTED_AT_ONCE = 500;

const HAND_RESTS_MS = 120;

/** What the canvas shows, and what it is made from; none of it is drawn by Preact. */
class GraphScene {
  readonly #canvas: HTMLCanvasElement;
  readonly #sheet = document.createElement('canvas');
  #layout: Layout = NOTHING_PLACED;
  #view: Viewed = fitted(NOTHING_PLACED, 100, 100);
  #painted: Viewed | undefined;
  #isMoved = false;
  #chosen: number | undefined;
  #frame = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #nextLayout = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** The graph grew; it is placed anew soon. */
  grew(graph: SearchGraph): void {
    if (this.#later !== undefined) return;
    const wait = this.#nextLayout - performance.now();
    const layOut = (): void => {
      this.#later = undefined;
      const started = performance.now();
      this.#layout = placeGoals(graph);
      if (this.#rest === undefined) this.#painted = undefined;
      this.#draw(() => {
        const spent = performance.now() - started;
        this.#nextLayout = performance.now() + Math.max(LAYOUT_MS, SHARE_OF_TIME * spent);
      });
    };
    if (wait <= 0) layOut();
    else this.#later = setTimeout(layOut, wait);
  }

  choose(id: number | undefined): void {
    this.#chosen = id;
    this.#draw();
  }

  /** Size or colours are others. */
  repaint(): void {
    this.#painted = undefined;
    this.#draw();
  }

  /** All of it in view again. */
  reset(): void {
    this.#isMoved = false;
    this.repaint();
  }

  drag(byX: number, byY: number): void {
    this.#move({ ...this.#view, x: this.#view.x + byX, y: this.#view.y + byY });
  }

  zoom(by: number, x: number, y: number): void {
    const at = this.#view;
    this.#move({
      columnWidth: at.columnWidth * by,
      rowHeight: at.rowHeight * by,
      x: x - (x - at.x) * by,
      y: y - (y - at.y) * by,
    });
  }

  goalAt(x: number, y: number): number | undefined {
    return goalNear(this.#layout, this.#view, x, y);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#later);
    clearTimeout(this.#rest);
  }

  #move(view: Viewed): void {
    this.#view = view;
    this.#isMoved = true;
    if (this.#layout.goals.length <= PAINTED_AT_ONCE) {
      this.repaint();
      return;
    }
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.repaint();
    }, HAND_RESTS_MS);
    this.#draw();
  }

  #draw(then?: () => void): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const { clientWidth, clientHeight } = this.#canvas;
      if (!this.#isMoved && this.#painted === undefined)
        this.#view = fitted(this.#layout, clientWidth, clientHeight);
      if (this.#painted === undefined) {
        paintGraph(this.#sheet, this.#canvas, this.#layout, this.#view);
        this.#painted = this.#view;
      }
      const marked = this.#layout.goals.find(({ goal }) => goal.id === this.#chosen);
      showSheet(this.#canvas, this.#sheet, { from: this.#painted, to: this.#view, marked });
      then?.();
    });
  }
}

export function GraphCanvas({ graph, end, isOld, count, chosen, onChoose }: GraphCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<GraphScene>(undefined);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const shown = new GraphScene(element);
    scene.current = shown;
    const repaint = (): void => shown.repaint();
    const observer = new ResizeObserver(repaint);
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', repaint);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', repaint);
      shown.close();
    };
  }, []);
  useEffect(() => scene.current?.grew(graph), [graph, count]);
  useEffect(() => scene.current?.choose(chosen), [chosen]);
  return (
    <canvas
      ref={canvas}
      class={isOld ? 'graph old' : 'graph'}
      role="img"
      aria-label={`Graph of the search: ${graph.open} goals ${stateWord('open', end)}, ${graph.solved} ${isOld ? whenSearched('solved') : 'solved'}, ${graph.dead} dead. The list below has them all.`}
      onWheel={(event) => {
        event.preventDefault();
        const { left, top } = event.currentTarget.getBoundingClientRect();
        scene.current?.zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
      }}
      onPointerDown={(event) => {
        const element = event.currentTarget;
        element.setPointerCapture(event.pointerId);
        let [x, y] = [event.clientX, event.clientY];
        let far = 0;
        element.onpointermove = (moved) => {
          far += Math.abs(moved.clientX - x) + Math.abs(moved.clientY - y);
          scene.current?.drag(moved.clientX - x, moved.clientY - y);
          [x, y] = [moved.clientX, moved.clientY];
        };
        element.onpointerup = (up) => {
          element.onpointermove = null;
          element.onpointerup = null;
          if (far > 4) return;
          const { left, top } = element.getBoundingClientRect();
          const hit = scene.current?.goalAt(up.clientX - left, up.clientY - top);
          if (hit !== undefined) onChoose(hit);
        };
      }}
      onDblClick={() => scene.current?.reset()}
    />
  );
}
