/** How many holes there were at the last commits, as a line. */
import { greatestOf } from '../../../../src/core/lists/many.ts';
import { useAsked } from '../../parts/asked.ts';
import { call } from '../../server/client.ts';

const WIDTH = 220;
const HEIGHT = 36;

export function History() {
  const asked = useAsked((gone) => call('proof_history', {}, { signal: gone }), []);
  const commits = asked.value?.commits ?? [];
  const first = commits[0];
  const last = commits.at(-1);
  if (first === undefined || last === undefined || commits.length < 2) return null;
  const most = greatestOf([1, ...commits.map(({ holes }) => holes)]);
  const points = commits.map(({ holes }, index) => {
    const x = 3 + (index / (commits.length - 1)) * (WIDTH - 6);
    const y = 3 + (1 - holes / most) * (HEIGHT - 6);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <figure class="history">
      <svg
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`Holes at the last ${commits.length} commits: from ${first.holes} to ${last.holes}, at most ${most}.`}
      >
        <path class="area" d={`M3 ${HEIGHT - 3}L${points.join('L')}L${WIDTH - 3} ${HEIGHT - 3}z`} />
        <path class="line" d={`M${points.join('L')}`} />
      </svg>
      <figcaption>
        holes over {commits.length} commits: {first.holes} → {last.holes}
      </figcaption>
    </figure>
  );
}
