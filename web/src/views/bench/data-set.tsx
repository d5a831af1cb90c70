/** A data set: how much there is of what, and its items, page by page. */
import { useSignal } from '@preact/signals';
import { useAsked } from '../../parts/asked.ts';
import { Badge } from '../../parts/badge.tsx';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { call } from '../../server/client.ts';

const PAGE = 50;
const SPLITS = ['train', 'validation', 'test'] as const;
type Split = (typeof SPLITS)[number];

export function DataSet({ folder }: { readonly folder: string }) {
  const stats = useAsked((signal) => call('data_stats', { folder }, { signal }), [folder]);
  return (
    <article class="data-set">
      <h2>{folder}</h2>
      {stats.state === 'failed' && <ErrorNote error={stats.error} again={stats.again} />}
      {stats.value === undefined && stats.state === 'asking' && <Working text="Counting" />}
      {stats.value !== undefined && (
        <>
          <dl class="counts">
            <Count name="Sources" value={stats.value.sources} />
            <Count name="Proofs" value={stats.value.counts.proofs} />
            <Count name="Items" value={stats.value.counts.items} />
            {stats.value.splits.map(({ split, items }) => (
              <Count key={split} name={split} value={items} />
            ))}
          </dl>
          <details>
            <summary>By library</summary>
            <table>
              <thead>
                <tr>
                  <th>Library</th>
                  <th class="number">Sources</th>
                  <th class="number">Proofs</th>
                  <th class="number">Items</th>
                </tr>
              </thead>
              <tbody>
                {stats.value.roots.map(({ root, sources, proofs, items }) => (
                  <tr key={root}>
                    <td>{root}</td>
                    <td class="number">{sources}</td>
                    <td class="number">{proofs}</td>
                    <td class="number">{items}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
      <Items folder={folder} />
    </article>
  );
}

function Count({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value.toLocaleString()}</dd>
    </div>
  );
}

function Items({ folder }: { readonly folder: string }) {
  const text = useSignal('');
  const split = useSignal<Split | ''>('');
  const library = useSignal('');
  const offset = useSignal(0);
  const asked = useAsked(
    (signal) =>
      call(
        'data_items',
        {
          ...{ folder, offset: offset.value, limit: PAGE },
          ...(text.value !== '' && { text: text.value }),
          ...(split.value !== '' && { split: split.value }),
          ...(library.value !== '' && { library: library.value }),
        },
        { signal },
      ),
    [folder, text.value, split.value, library.value, offset.value],
  );
  const { value } = asked;
  const first = (change: () => void): void => {
    offset.value = 0;
    change();
  };
  return (
    <>
      <div class="row item-filter">
        <h3>Items</h3>
        <input
          type="search"
          aria-label="Text in a name, statement or proof"
          placeholder="text in name, statement or proof"
          value={text.value}
          onChange={({ currentTarget }) => first(() => (text.value = currentTarget.value))}
        />
        <select
          aria-label="Split"
          value={split.value}
          onChange={({ currentTarget }) =>
            first(() => (split.value = SPLITS.find((one) => one === currentTarget.value) ?? ''))
          }
        >
          <option value="">every split</option>
          {SPLITS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <select
          aria-label="Source"
          value={library.value}
          onChange={({ currentTarget }) => first(() => (library.value = currentTarget.value))}
        >
          <option value="">every source</option>
          {(value?.libraries ?? []).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </div>
      {asked.state === 'failed' && <ErrorNote error={asked.error} again={asked.again} />}
      <ol class="items" aria-busy={asked.state === 'asking'}>
        {(value?.items ?? []).map((item) => (
          <li key={`${item.library}.${item.name}`}>
            <details>
              <summary>
                <code>{`${item.name} ${item.statement}`}</code>
                <Badge>{item.split}</Badge>
              </summary>
              <pre>{item.proof}</pre>
              <small>{`${item.library}, ${item.file}:${item.line}, ${item.origin}, ${item.steps === 1 ? '1 tactic' : `${item.steps} tactics`}`}</small>
            </details>
          </li>
        ))}
      </ol>
      {value !== undefined && (
        <div class="row">
          <button
            disabled={offset.value === 0}
            onClick={() => (offset.value = Math.max(0, offset.value - PAGE))}
          >
            Before
          </button>
          <span aria-live="polite">
            {value.total === 0
              ? 'No item.'
              : `${offset.value + 1}–${offset.value + value.items.length} of ${value.total}`}
          </span>
          <button disabled={offset.value + PAGE >= value.total} onClick={() => (offset.value += PAGE)}>
            Next
          </button>
        </div>
      )}
    </>
  );
}
