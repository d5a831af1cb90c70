/**
 * How the graph of a search is painted. What costs time is the number of strokes: those that would fall on the same
 * pixels are made once, so that a picture costs what its size asks for and not what its goals do.
 */
import type { Layout, PlacedGoal } from './graph-layout.ts';

/** Where the picture stands: a column is `columnWidth` pixels wide, the first goal stands at `x`, `y`. */
export interface Viewed {
  readonly columnWidth: number;
  readonly rowHeight: number;
  readonly x: number;
  readonly y: number;
}

const COLUMN = 22;
const ROW = 56;
const MARGIN = 16;

/** All of it in view; a small graph is not blown up. */
export function fitted({ columns, rows }: Layout, width: number, height: number): Viewed {
  const columnWidth = Math.min(COLUMN, (width - 2 * MARGIN) / Math.max(1, columns - 1));
  const rowHeight = Math.min(ROW, (height - 2 * MARGIN) / Math.max(1, rows - 1));
  return {
    columnWidth,
    rowHeight,
    x: (width - (columns - 1) * columnWidth) / 2,
    y: (height - (rows - 1) * rowHeight) / 2,
  };
}

/** Makes a canvas as large as `shown`, in pixels of the screen. Answers its pen, in pixels of the page. */
function penOf(canvas: HTMLCanvasElement, shown: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const pen = canvas.getContext('2d');
  const [width, height] = [
    Math.round(shown.clientWidth * devicePixelRatio),
    Math.round(shown.clientHeight * devicePixelRatio),
  ];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  pen?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen?.clearRect(0, 0, shown.clientWidth, shown.clientHeight);
  return pen;
}

/** The whole graph on a sheet of the size of `shown`, which has the colours. */
export function paintGraph(
  sheet: HTMLCanvasElement,
  shown: HTMLCanvasElement,
  { goals }: Layout,
  view: Viewed,
): void {
  const pen = penOf(sheet, shown);
  if (pen === null) return;
  const { clientWidth: width, clientHeight: height } = shown;
  const style = getComputedStyle(shown);
  const colour = (name: string): string => style.getPropertyValue(`--dot-${name}`);
  const atX = ({ x }: PlacedGoal): number => view.x + x * view.columnWidth;
  const atY = ({ y }: PlacedGoal): number => view.y + y * view.rowHeight;
  const strokes = { plain: new Set<string>(), solved: new Set<string>() };
  for (const kind of ['plain', 'solved'] as const) {
    const made = strokes[kind];
    pen.beginPath();
    for (const one of goals) {
      const { parent, goal } = one;
      if (parent === undefined) continue;
      const isOnSolution =
        goal.state === 'solved' && parent.goal.solution?.children.includes(goal.id) === true;
      if (isOnSolution !== (kind === 'solved')) continue;
      const [fromX, fromY, toX, toY] = [atX(parent), atY(parent), atX(one), atY(one)];
      if (toY < 0 || fromY > height || Math.max(fromX, toX) < 0 || Math.min(fromX, toX) > width) continue;
      const place = `${Math.round(fromX)} ${Math.round(fromY)} ${Math.round(toX)}`;
      if (made.has(place)) continue;
      made.add(place);
      pen.moveTo(fromX, fromY);
      pen.lineTo(toX, toY);
    }
    pen.strokeStyle = colour(kind === 'solved' ? 'solved' : 'line');
    pen.lineWidth = kind === 'solved' ? 2 : 1;
    pen.stroke();
  }
  const radius = radiusOf(view);
  for (const state of ['dead', 'open', 'solved'] as const) {
    const made = new Set<number>();
    pen.fillStyle = colour(state);
    pen.beginPath();
    for (const one of goals) {
      if (one.goal.state !== state) continue;
      const [x, y] = [atX(one), atY(one)];
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      const place = Math.round(x) * 100_000 + Math.round(y);
      if (made.has(place)) continue;
      made.add(place);
      // Nobody sees that such small a dot is a square, and squares cost a tenth.
      if (radius < 2.5) pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 7);
      }
    }
    if (radius >= 2.5) pen.fill();
  }
}

/** A sheet that was painted for one view, shown for another, with the chosen goal marked. */
export function showSheet(
  shown: HTMLCanvasElement,
  sheet: HTMLCanvasElement,
  {
    from,
    to,
    marked,
  }: { readonly from: Viewed; readonly to: Viewed; readonly marked: PlacedGoal | undefined },
): void {
  const pen = penOf(shown, shown);
  if (pen === null || sheet.width === 0 || sheet.height === 0) return;
  const [wider, higher] = [to.columnWidth / from.columnWidth, to.rowHeight / from.rowHeight];
  pen.drawImage(
    sheet,
    to.x - from.x * wider,
    to.y - from.y * higher,
    shown.clientWidth * wider,
    shown.clientHeight * higher,
  );
  if (marked === undefined) return;
  pen.beginPath();
  pen.arc(to.x + marked.x * to.columnWidth, to.y + marked.y * to.rowHeight, radiusOf(to) + 3, 0, 7);
  pen.strokeStyle = getComputedStyle(shown).color;
  pen.lineWidth = 1.5;
  pen.stroke();
}

function radiusOf({ columnWidth, rowHeight }: Viewed): number {
  return Math.max(1.5, Math.min(6, columnWidth / 3, rowHeight / 5));
}

const REACH = 14;

/** The goal at a place of the picture. */
export function goalNear({ goals }: Layout, view: Viewed, atX: number, atY: number): number | undefined {
  let found: number | undefined;
  let least = REACH;
  for (const { goal, x, y } of goals) {
    const far = Math.hypot(view.x + x * view.columnWidth - atX, view.y + y * view.rowHeight - atY);
    if (far < least) [found, least] = [goal.id, far];
  }
  return found;
}
