/** Plots of a benchmark: shares with their intervals, and what was proved after how long. The tables say the same. */
import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { greatestOf } from '../../../../src/core/lists/many.ts';
import type { OutputOf } from '../../server/client.ts';

type Method = OutputOf<'data_results'>['methods'][number];

/** CSS pixels. A plot is drawn as wide as its place, so that its words have their size; in a wide one it grows as a whole. */
const WIDEST = 620;
const NARROWEST = 240;
const LEFT = 42;
const TOP = 12;
const PLOT_HEIGHT = 210;
const HEIGHT = TOP + PLOT_HEIGHT + 30;
const SERIES = 8;

/** Told apart by colour and by the pattern of their lines. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '12 4', '1 4', '4 4', '10 3 1 3 1 3'];

interface Frame {
  readonly figure: RefObject<HTMLElement | null>;
  readonly width: number;
  readonly right: number;
}

function useFrame(): Frame {
  const figure = useRef<HTMLElement>(null);
  const width = useSignal(WIDEST);
  useEffect(() => {
    const element = figure.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const room = entry?.contentRect.width ?? WIDEST;
      width.value = Math.min(WIDEST, Math.max(NARROWEST, Math.round(room)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { figure, width: width.value, right: width.value - 8 };
}

function yOf(share: number): number {
  return TOP + PLOT_HEIGHT * (1 - share);
}

export function SharePlot({
  methods,
  groups,
}: {
  readonly methods: readonly Method[];
  readonly groups: readonly string[];
}) {
  const frame = useFrame();
  const { right } = frame;
  const columns = [...groups, 'all'];
  const width = (right - LEFT) / columns.length;
  const bar = (width * 0.8) / Math.max(1, methods.length);
  return (
    <Plot
      methods={methods}
      frame={frame}
      label="Shares proved by length of the proof, with intervals"
      caption="Proved, by sentences of the author’s proof"
    >
      {columns.map((column, at) => (
        <g key={column}>
          <text x={LEFT + width * (at + 0.5)} y={TOP + PLOT_HEIGHT + 18} text-anchor="middle">
            {column}
          </text>
          {methods.map((method, index) => {
            const share = column === 'all' ? method : method.by_group.find(({ group }) => group === column);
            if (share === undefined || share.total === 0) return null;
            const x = LEFT + width * at + width * 0.1 + index * bar;
            const middle = x + bar * 0.45;
            return (
              <g key={method.method}>
                <rect
                  class={`series-${index % SERIES}`}
                  x={x}
                  y={yOf(share.share)}
                  width={bar * 0.9}
                  height={PLOT_HEIGHT * share.share}
                />
                <path
                  class="interval"
                  d={`M${middle} ${yOf(share.high)}V${yOf(share.low)}M${middle - 4} ${yOf(share.high)}h8M${middle - 4} ${yOf(share.low)}h8`}
                />
              </g>
            );
          })}
        </g>
      ))}
    </Plot>
  );
}

export function TimePlot({ methods }: { readonly methods: readonly Method[] }) {
  const frame = useFrame();
  const { right } = frame;
  const longest = greatestOf([1, ...methods.flatMap(({ proved_seconds }) => proved_seconds)]);
  return (
    <Plot
      methods={methods}
      frame={frame}
      label="Shares proved over time"
      caption="Proved, after so long"
      isLine
    >
      {methods.map(({ method, proved_seconds, total }, index) => (
        <path
          key={method}
          class={`line series-${index % SERIES}`}
          stroke-dasharray={DASHES[index % DASHES.length]}
          d={stairs(proved_seconds, total, { longest, right })}
        />
      ))}
      <text x={right} y={TOP + PLOT_HEIGHT + 18} text-anchor="end">{`${longest.toFixed(0)} s`}</text>
      <text x={LEFT} y={TOP + PLOT_HEIGHT + 18}>
        0 s
      </text>
    </Plot>
  );
}

interface PlotProps {
  readonly methods: readonly Method[];
  readonly frame: ReturnType<typeof useFrame>;
  readonly label: string;
  readonly caption: string;
  readonly isLine?: boolean;
  readonly children: ComponentChildren;
}

/** What is drawn of the methods over a grid, with their legend below. */
function Plot({ methods, frame, label, caption, isLine = false, children }: PlotProps) {
  return (
    <figure ref={frame.figure}>
      <svg class="plot" viewBox={`0 0 ${frame.width} ${HEIGHT}`} role="img" aria-label={label}>
        <Grid right={frame.right} />
        {children}
      </svg>
      <Legend methods={methods} isLine={isLine} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** A step up at each proof. */
function stairs(
  seconds: readonly number[],
  total: number,
  { longest, right }: { readonly longest: number; readonly right: number },
): string {
  const parts = [`M${LEFT} ${yOf(0)}`];
  for (const [count, time] of seconds.entries())
    parts.push(`H${LEFT + ((right - LEFT) * time) / longest}V${yOf((count + 1) / Math.max(1, total))}`);
  return [...parts, `H${right}`].join('');
}

function Grid({ right }: { readonly right: number }) {
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <path class="grid" d={`M${LEFT} ${yOf(share)}H${right}`} />
          <text x={LEFT - 6} y={yOf(share) + 4} text-anchor="end">{`${share * 100} %`}</text>
        </g>
      ))}
    </>
  );
}

/** Words, so that a name has its room however long it is. */
function Legend({ methods, isLine }: Pick<PlotProps, 'methods' | 'isLine'>) {
  return (
    <ul class="plot-legend">
      {methods.map(({ method }, index) => (
        <li key={method}>
          <svg class="plot" viewBox="0 0 18 12" aria-hidden="true">
            {isLine === true ? (
              <path
                class={`line series-${index % SERIES}`}
                stroke-dasharray={DASHES[index % DASHES.length]}
                d="M0 6h18"
              />
            ) : (
              <rect class={`series-${index % SERIES}`} x={3} width={12} height={12} />
            )}
          </svg>
          {method}
        </li>
      ))}
    </ul>
  );
}
