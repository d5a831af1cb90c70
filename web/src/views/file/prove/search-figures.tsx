/** What a search did, in figures: its goals by their state, its speed, and what each ingredient gave. */
import { stateMeaning, stateWord, type SearchEnd } from './goal-badge.tsx';
import type { SearchGraph } from './search-graph.ts';

export function SearchFigures({
  graph,
  end,
  seconds,
}: {
  readonly graph: SearchGraph;
  readonly end: SearchEnd;
  /** How long it has worked. */
  readonly seconds: number;
}) {
  const tried = [...graph.ingredients.values()].reduce((sum, one) => sum + one.tried, 0);
  return (
    <dl class="figures">
      {(graph.open > 0 || end !== 'decided') && (
        <Figure
          title={stateWord('open', end)}
          meaning={stateMeaning(stateWord('open', end))}
          value={String(graph.open)}
        />
      )}
      <Figure title="solved" meaning={stateMeaning('solved')} value={String(graph.solved)} />
      <Figure title="dead" meaning={stateMeaning('dead')} value={String(graph.dead)} />
      <Figure
        title="tried"
        meaning="Steps that were run on a goal, whether they worked or not."
        value={String(tried)}
      />
      <Figure
        title="a second"
        meaning="Steps that were run in a second of the search."
        value={seconds > 0.5 && tried > 0 ? (tried / seconds).toFixed(1) : '–'}
      />
    </dl>
  );
}

interface FigureProps {
  readonly title: string;
  readonly meaning: string;
  readonly value: string;
}

function Figure({ title, meaning, value }: FigureProps) {
  return (
    <div title={meaning}>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

export function Ingredients({ graph }: { readonly graph: SearchGraph }) {
  return (
    <table>
      <thead>
        <tr>
          <th>ingredient</th>
          <th class="number">tried</th>
          <th class="number">worked</th>
        </tr>
      </thead>
      <tbody>
        {[...graph.ingredients]
          .toSorted(([, left], [, right]) => right.worked - left.worked)
          .map(([name, { tried, worked }]) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{tried}</td>
              <td class="number">{worked}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
