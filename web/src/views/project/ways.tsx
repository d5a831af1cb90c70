/** What is open or assumed under a theorem, as a graph: only what lies on a way from the theorem to such a thing. */
import { greatestOf } from '../../../../src/core/lists/many.ts';
import { addressOf, goTo } from '../../shell/route.ts';
import { idOf } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';

interface WaysProps {
  readonly one: Statement;
  readonly all: readonly Statement[];
  readonly onChoose: (id: string) => void;
}

interface Placed {
  readonly one: Statement;
  readonly x: number;
  readonly y: number;
}

const COLUMN = 190;
const ROW = 36;
const WIDTH = 164;
const HEIGHT = 24;
const MOST = 60;

export function Ways({ one, all, onChoose }: WaysProps) {
  const layers = layersOf(one, all);
  const placed = new Map<string, Placed>();
  layers.forEach((layer, column) =>
    layer.forEach((stated, row) =>
      placed.set(idOf(stated), { one: stated, x: column * COLUMN + 4, y: row * ROW + 4 }),
    ),
  );
  const width = layers.length * COLUMN;
  const height = greatestOf(layers.map(({ length }) => length)) * ROW + 8;
  const lines = [...placed.values()].flatMap((from) =>
    from.one.uses.flatMap((used) => {
      const to = placed.get(used);
      return to === undefined || to.x <= from.x ? [] : [{ from, to }];
    }),
  );
  return (
    <div class="ways" role="group" aria-label="What is open or assumed below, and by what way" tabIndex={0}>
      <svg width={width} height={height}>
        {lines.map(({ from, to }) => (
          <path
            key={`${idOf(from.one)}>${idOf(to.one)}`}
            d={`M${from.x + WIDTH} ${from.y + HEIGHT / 2}C${from.x + WIDTH + 20} ${from.y + HEIGHT / 2} ${to.x - 20} ${to.y + HEIGHT / 2} ${to.x} ${to.y + HEIGHT / 2}`}
          />
        ))}
        {[...placed.values()].map(({ one: stated, x, y }) => (
          <a
            key={idOf(stated)}
            class={stated.state}
            href={addressOf('file', stated.file, { line: String(stated.line) })}
            onClick={(event) => {
              event.preventDefault();
              if (event.detail > 1) goTo(addressOf('file', stated.file, { line: String(stated.line) }));
              else onChoose(idOf(stated));
            }}
            aria-label={`${stated.name}, ${stated.state}, in ${stated.file} line ${stated.line}`}
          >
            <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="5" />
            <text x={x + 8} y={y + 16}>
              {stated.name.length > 21 ? `${stated.name.slice(0, 20)}…` : stated.name}
            </text>
            <title>{`${stated.name} (${stated.state}), ${stated.file}:${stated.line}`}</title>
          </a>
        ))}
      </svg>
    </div>
  );
}

/** By the longest way from the theorem, so that every line goes to the right. */
function layersOf(one: Statement, all: readonly Statement[]): Statement[][] {
  const byId = new Map(all.map((stated) => [idOf(stated), stated]));
  const depth = new Map<string, number>();
  const visit = (stated: Statement, at: number, above: ReadonlySet<string>): void => {
    const id = idOf(stated);
    if (above.has(id) || (depth.get(id) ?? -1) >= at || (depth.size >= MOST && !depth.has(id))) return;
    depth.set(id, at);
    for (const used of stated.uses) {
      const next = byId.get(used);
      const leads =
        next !== undefined &&
        (next.state === 'open' ||
          next.state === 'assumed' ||
          next.rests_on_open.length > 0 ||
          next.rests_on_assumed.length > 0);
      if (leads) visit(next, at + 1, new Set([...above, id]));
    }
  };
  visit(one, 0, new Set());
  const layers: Statement[][] = [];
  for (const [id, at] of depth) {
    const stated = byId.get(id);
    if (stated === undefined) continue;
    (layers[at] ??= []).push(stated);
  }
  return layers;
}
