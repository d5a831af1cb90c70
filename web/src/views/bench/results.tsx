/** What `quod bench run` measured: shares with their intervals, how they grow with time, costs, and each theorem. */
import { useSignal } from '@preact/signals';
import { percent, probability } from '../../../../src/core/counted.ts';
import { useAsked } from '../../parts/asked.ts';
import { cut } from '../../parts/cut.ts';
import { costText } from '../../parts/costs.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call, type OutputOf } from '../../server/client.ts';
import { SharePlot, TimePlot } from './plots.tsx';

/** In pixels. */
const ROW_HEIGHT = 24;

type Answer = OutputOf<'data_results'>;

export function Results({ folder }: { readonly folder: string }) {
  const asked = useAsked((signal) => call('data_results', { folder }, { signal }), [folder]);
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  const { value } = asked;
  if (value === undefined) return <Working text="Reading the results" />;
  const { methods, groups, compared, tasks } = value;
  return (
    <article class="results">
      <h2>{folder}</h2>
      <p>
        Shares of theorems that the gate accepted a proof of, with 95 % intervals (Wilson), by the length of
        the author’s proof.
      </p>
      <p class="note">
        As the files of this folder have it, whoever wrote them. They are no evidence and no verdicts: the
        gate was not asked again.
      </p>
      <div class="plots">
        <SharePlot methods={methods} groups={groups} />
        <TimePlot methods={methods} />
      </div>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Shares">
        <table>
          <thead>
            <tr>
              <th>Method</th>
              {groups.map((group) => (
                <th key={group} class="number">
                  {group}
                </th>
              ))}
              <th class="number">All</th>
              <th class="number">Median s</th>
              <th class="number">Model calls</th>
              <th class="number">Tool calls</th>
              <th class="number">Cost</th>
              <th class="number">Not run</th>
            </tr>
          </thead>
          <tbody>
            {methods.map((one) => (
              <tr key={one.method}>
                <th scope="row">{one.method}</th>
                {one.by_group.map((share) => (
                  <ShareCell key={share.group} share={share} />
                ))}
                <ShareCell share={one} />
                <td class="number">{one.median_seconds?.toFixed(1) ?? '–'}</td>
                <td class="number">{one.model_calls}</td>
                <td class="number">{one.tool_calls}</td>
                <td class="number">{costText(one)}</td>
                <td class="number">{one.failed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {compared.length > 0 && <Compared compared={compared} />}
      <Tasks tasks={tasks} methods={methods.map(({ method }) => method)} />
    </article>
  );
}

interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly proved: number;
  readonly total: number;
}

function ShareCell({ share: { share, low, high, proved, total } }: { readonly share: Share }) {
  if (total === 0) return <td class="number">–</td>;
  return (
    <td class="number">
      {`${percent(share)} `}
      <small>{`[${percent(low)}–${percent(high)}] ${proved}/${total}`}</small>
    </td>
  );
}

function Compared({ compared }: Pick<Answer, 'compared'>) {
  return (
    <>
      <h3>On the same theorems</h3>
      <table class="compared">
        <thead>
          <tr>
            <th>One</th>
            <th>Other</th>
            <th class="number">Only one</th>
            <th class="number">Only other</th>
            <th class="number">p (McNemar, exact)</th>
          </tr>
        </thead>
        <tbody>
          {compared.map(({ one, other, only_one, only_other, p }) => (
            <tr key={`${one} ${other}`}>
              <td>{one}</td>
              <td>{other}</td>
              <td class="number">{only_one}</td>
              <td class="number">{only_other}</td>
              <td class="number">{probability(p ?? undefined)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

interface TasksProps extends Pick<Answer, 'tasks'> {
  readonly methods: readonly string[];
}

function Tasks({ tasks, methods }: TasksProps) {
  const which = useSignal('all');
  const shown = tasks.filter(({ proved_by }) =>
    which.value === 'all'
      ? true
      : which.value === 'none'
        ? proved_by.length === 0
        : proved_by.length === 1 && proved_by[0] === which.value,
  );
  return (
    <>
      <div class="row">
        <h3>Theorems</h3>
        <select
          aria-label="Which theorems"
          value={which.value}
          onChange={({ currentTarget }) => (which.value = currentTarget.value)}
        >
          <option value="all">all</option>
          <option value="none">proved by none</option>
          {methods.map((method) => (
            <option key={method} value={method}>{`only by ${method}`}</option>
          ))}
        </select>
        <small>{`${shown.length} of ${tasks.length}`}</small>
      </div>
      <div class="task-list" style={{ height: `${Math.max(1, shown.length) * ROW_HEIGHT + 2}px` }}>
        <VirtualList
          rows={shown}
          rowHeight={ROW_HEIGHT}
          label="Theorems of the benchmark"
          keyOf={({ task }) => task}
          render={({ task, group, proved_by }) => (
            <>
              <code {...cut(task)}>{task}</code>
              <small>{group ?? ''}</small>
              <small {...cut(proved_by.join(', ') || 'nobody', 'proved-by')}>
                {proved_by.join(', ') || 'nobody'}
              </small>
            </>
          )}
        />
      </div>
    </>
  );
}
