/** Plots of a benchmark: shares with their intervals, and what was proved after how long. The tables say the same. */
import type { OutputOf } from '../../server/client.ts';

type Method = OutputOf<'data_results'>['methods'][number];

const WIDTH = 620;
const HEIGHT = 300;
const LEFT = 42;
const TOP = 12;
const PLOT_HEIGHT = 210;
const RIGHT = WIDTH - 8;
const SERIES = 8;

/** Told apart by colour and by the pattern of their lines. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '12 4', '1 4', '4 4', '10 3 1 3 1 3'];

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
  const columns = [...groups, 'all'];
  const width = (RIGHT - LEFT) / columns.length;
  const bar = (width * 0.8) / Math.max(1, methods.length);
  return (
    <figure>
      <svg
        class="plot"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Shares proved by length of the proof, with intervals"
      >
        <Grid />
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
        <Legend methods={methods} isLine={false} />
      </svg>
      <figcaption>Proved, by sentences of the author’s proof</figcaption>
    </figure>
  );
}

export function TimePlot({ methods }: { readonly methods: readonly Method[] }) {
  const longest = Math.max(1, ...methods.flatMap(({ proved_seconds }) => proved_seconds));
  return (
    <figure>
      <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Shares proved over time">
        <Grid />
        {methods.map(({ method, proved_seconds, total }, index) => (
          <path
            key={method}
            class={`line series-${index % SERIES}`}
            stroke-dasharray={DASHES[index % DASHES.length]}
            d={stairs(proved_seconds, total, longest)}
          />
        ))}
        <text x={RIGHT} y={TOP + PLOT_HEIGHT + 18} text-anchor="end">{`${longest.toFixed(0)} s`}</text>
        <text x={LEFT} y={TOP + PLOT_HEIGHT + 18}>
          0 s
        </text>
        <Legend methods={methods} isLine />
      </svg>
      <figcaption>Proved, after so long</figcaption>
    </figure>
  );
}

/** A step up at each proof. */
export function stairs(seconds: readonly number[], total: number, longest: number): string {
  const parts = [`M${LEFT} ${yOf(0)}`];
  for (const [count, time] of seconds.entries())
    parts.push(`H${LEFT + ((RIGHT - LEFT) * time) / longest}V${yOf((count + 1) / Math.max(1, total))}`);
  return [...parts, `H${RIGHT}`].join('');
}

function Grid() {
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <path class="grid" d={`M${LEFT} ${yOf(share)}H${RIGHT}`} />
          <text x={LEFT - 6} y={yOf(share) + 4} text-anchor="end">{`${share * 100} %`}</text>
        </g>
      ))}
    </>
  );
}

function Legend({ methods, isLine }: { readonly methods: readonly Method[]; readonly isLine: boolean }) {
  return (
    <>
      {methods.map(({ method }, index) => {
        const x = LEFT + (index % 3) * 190;
        const y = TOP + PLOT_HEIGHT + 42 + Math.floor(index / 3) * 18;
        return (
          <g key={method}>
            {isLine ? (
              <path
                class={`line series-${index % SERIES}`}
                stroke-dasharray={DASHES[index % DASHES.length]}
                d={`M${x} ${y - 4}h18`}
              />
            ) : (
              <rect class={`series-${index % SERIES}`} x={x} y={y - 10} width={12} height={12} />
            )}
            <text x={x + 24} y={y}>
              {method}
            </text>
          </g>
        );
      })}
    </>
  );
}
