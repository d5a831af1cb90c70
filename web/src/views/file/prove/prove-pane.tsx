/**
 * The search for a proof of the theorem at the cursor, while it works: the graph of goals, what gave what, and what
 * can be taken.
 */
import type { EditorView } from '@codemirror/view';
import { useComputed, useSignal } from '@preact/signals';
import { counted } from '../../../../../src/core/counted.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Empty } from '../../../parts/notes.tsx';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { useJobDetails } from '../../../server/job-details.ts';
import { jobs, startJob, stopJob } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { toast, toastError } from '../../../shell/toasts.ts';
import { change } from '../changes.ts';
import { FoundProofs, outcomeTone } from './found-proofs.tsx';
import { GraphCanvas } from './graph-canvas.tsx';
import type { OpenDocument } from '../open-document.ts';
import { SearchBudget } from './search-budget.tsx';
import { holeAt, theoremAt, unfinishedProof } from '../theorem-places.ts';
import { partialScript } from './partial-script.ts';
import { addNews, bestOpen, emptyGraph, goalsTo } from './search-graph.ts';
import type { GraphGoal, SearchGraph } from './search-graph.ts';

interface ProvePaneProps {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onSave: () => void;
}

/** Seconds that a call may take at most. */
const LONGEST_S = 3600;
const USUAL_S = 60;

export function ProvePane({ open, view, onSave }: ProvePaneProps) {
  const seconds = useSignal(String(USUAL_S));
  const budget = Math.min(LONGEST_S, Math.max(1, Number(seconds.value) || USUAL_S));
  const theorem = useComputed(() => {
    const text = open.text.value.toString();
    const here = theoremAt(text, open.cursor.value);
    const { text: checked, sentences } = open.checking.value;
    // Before all of it was run nobody knows where its sentences end; a proof without an end is offered, too.
    const hole = checked.eq(open.text.value) ? holeAt(text, sentences, open.cursor.value) : undefined;
    return hole ?? here;
  }).value;
  const own = jobs.value.filter(
    ({ operation, input }) => operation === 'proof_search' && input['file'] === open.file,
  );
  const chosen = useSignal<string | undefined>(undefined);
  const job = own.find(({ id }) => id === chosen.value) ?? own[0];
  const start = (theorems: string[] | undefined): void => {
    const title = theorems === undefined ? `Prove all of ${open.file}` : `Prove ${theorems.join(', ')}`;
    startJob(
      'proof_search',
      {
        file: open.file,
        budget,
        // Its budget can be changed while it works: the call as a whole must not end before.
        timeout: LONGEST_S,
        ...(theorems !== undefined && { theorems }),
      },
      title,
    ).then((started) => (chosen.value = started.id), toastError);
  };
  return (
    <div class="pane-body prove">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (theorem !== undefined) start([theorem]);
        }}
      >
        <button class="primary" disabled={theorem === undefined || open.changed.value}>
          Prove {theorem ?? 'a theorem'}
        </button>
        <button type="button" disabled={open.changed.value} onClick={() => start(undefined)}>
          All holes
        </button>
        <label>
          for
          <input
            type="number"
            min="1"
            max="3600"
            value={seconds.value}
            aria-label="Seconds for each theorem"
            onInput={({ currentTarget }) => (seconds.value = currentTarget.value)}
            onBlur={() => (seconds.value = String(budget))}
          />
          s
        </label>
        {open.changed.value && (
          <span class="row">
            <small>The search reads the file on the disk.</small>
            <button type="button" onClick={onSave}>
              Save first
            </button>
          </span>
        )}
      </form>
      {own.length > 1 && (
        <label class="row">
          Search
          <select value={job?.id} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            {own.map(({ id, title, state }) => (
              <option key={id} value={id}>
                {title} ({state})
              </option>
            ))}
          </select>
        </label>
      )}
      {job === undefined ? (
        <Empty title="No search has run here yet.">
          It needs no language model. What it finds is judged, shown as a change, and put into the text when
          you say so.
        </Empty>
      ) : (
        <Search key={job.id} job={job} open={open} view={view} onMore={start} />
      )}
    </div>
  );
}

interface SearchProps {
  readonly job: Job;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onMore: (theorems: string[] | undefined) => void;
}

function Search({ job, open, view, onMore }: SearchProps) {
  const { fold: graph, count } = useJobDetails(job.id, emptyGraph, addNews);
  const chosen = useSignal<number | undefined>(undefined);
  const isListed = useSignal(false);
  const root = graph.goals.get(0);
  // Of a proof that was found nothing is open, whatever else was tried.
  const best = root?.state === 'solved' ? root : bestOpen(graph);
  const goal = graph.goals.get(chosen.value ?? best?.id ?? 0);
  const seconds = ((job.endedAt ?? Date.now()) - job.startedAt) / 1000;
  const tried = [...graph.ingredients.values()].reduce((sum, one) => sum + one.tried, 0);
  const goals = isListed.value ? [...graph.goals.values()] : [];
  return (
    <div class="search">
      <div class="row spread">
        <span class="row">
          {job.state === 'running' ? (
            <Badge tone="live">{PHASES[graph.phase] ?? PHASES['']}</Badge>
          ) : (
            job.state !== 'answered' && <Badge tone="open">{job.state}</Badge>
          )}
          <strong>{job.title}</strong>
        </span>
        {job.state === 'running' ? (
          <button onClick={() => void stopJob(job.id).catch(toastError)}>Stop</button>
        ) : (
          <button onClick={() => onMore(theoremsOf(job))}>Search again</button>
        )}
      </div>
      {job.state === 'running' && <SearchBudget job={job} />}
      <dl class="figures">
        <Figure title="open" value={String(graph.open)} />
        <Figure title="solved" value={String(graph.solved)} />
        <Figure title="dead" value={String(graph.dead)} />
        <Figure title="tried" value={String(tried)} />
        <Figure title="a second" value={seconds > 0.5 && tried > 0 ? (tried / seconds).toFixed(1) : '–'} />
      </dl>
      <p class="note">{job.state === 'running' ? job.progress.message : (job.conclusion ?? '')}</p>
      {job.state === 'running' && graph.finished.length > 0 && (
        <ul class="found">
          {graph.finished.map(({ theorem, outcome }, index) => (
            <li key={index} class="row">
              <strong>{theorem}</strong>
              <Badge tone={outcomeTone(outcome)}>{outcome}</Badge>
            </li>
          ))}
        </ul>
      )}
      {job.state !== 'running' && <FoundProofs job={job} open={open} view={view} />}
      {graph.goals.size > 0 && (
        <>
          {(graph.goals.size > 1 || job.state === 'running') && (
            <GraphCanvas
              graph={graph}
              count={count}
              chosen={goal?.id}
              onChoose={(id) => (chosen.value = id)}
            />
          )}
          {goal !== undefined && <ChosenGoal graph={graph} goal={goal} open={open} view={view} />}
          <details>
            <summary>What each ingredient gave</summary>
            <Ingredients graph={graph} />
          </details>
          <details onToggle={({ currentTarget }) => (isListed.value = currentTarget.open)}>
            <summary>All goals as a list</summary>
            <div class="goal-list">
              <VirtualList
                rows={goals}
                rowHeight={24}
                label="Goals of the search"
                keyOf={({ id }) => String(id)}
                chosen={goals.findIndex(({ id }) => id === goal?.id)}
                onChoose={({ id }) => (chosen.value = id)}
                render={({ state, tactic, conclusion }) => (
                  <>
                    <Badge tone={TONES[state]}>{state}</Badge>
                    <code>{tactic}</code> <code class="faint">{conclusion.slice(0, 120)}</code>
                  </>
                )}
              />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

/** What a phase is to whoever waits. */
const PHASES: Readonly<Record<string, string>> = {
  '': 'waiting for a prover',
  file: 'running the file up to it',
  refute: 'looking for a counterexample',
  lemmas: 'collecting lemmas',
  search: 'searching',
  judge: 'the gate judges',
};

const TONES = { open: 'open', solved: 'good', dead: 'plain' } as const;

function theoremsOf({ input }: Job): string[] | undefined {
  const theorems = input['theorems'];
  return Array.isArray(theorems) ? theorems.filter((name) => typeof name === 'string') : undefined;
}

function Figure({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ChosenGoal({
  graph,
  goal,
  open,
  view,
}: {
  readonly graph: SearchGraph;
  readonly goal: GraphGoal;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const way = goalsTo(graph, goal.id).map(({ tactic }) => `${tactic}.`);
  return (
    <div class="chosen-goal">
      <div class="row spread">
        <Badge tone={TONES[goal.state]}>
          {goal.state}
          {goal.goals > 1 ? `, ${goal.goals} goals together` : ''}
        </Badge>
        {way.length > 0 && (
          <button onClick={() => takeWay(graph, goal, open, view)}>Take the proof as far as here</button>
        )}
      </div>
      <code class="term">{goal.conclusion}</code>
      {way.length > 0 && <code class="term faint">{way.join(' ')}</code>}
    </div>
  );
}

/** Puts what is known of the proof in the place of the unfinished one, with the cursor at the goal. */
function takeWay(
  graph: SearchGraph,
  goal: GraphGoal,
  open: OpenDocument,
  view: EditorView | undefined,
): void {
  const { text, sentences } = open.checking.peek();
  const isChecked = text.eq(open.text.peek());
  const place = isChecked ? unfinishedProof(text.toString(), sentences, graph.theorem) : undefined;
  if (view === undefined || place === undefined) {
    toast(
      `The unfinished proof of ${graph.theorem} is not in the text as it was checked: wait for the check.`,
    );
    return;
  }
  const script = partialScript(graph, goal.id, '  ');
  const head = place.begun ? '\n' : '\nProof.\n';
  change(
    view,
    { from: place.from, to: place.to, insert: `${head}${script.text}\n` },
    head.length + script.chosenAt,
  );
  toast(
    script.open === 0
      ? 'The proof is in the text.'
      : `The proof is in the text; ${counted(script.open, 'goal')} in it ${script.open === 1 ? 'is' : 'are'} open (admit). Ctrl+Z takes it back.`,
  );
}

function Ingredients({ graph }: { readonly graph: SearchGraph }) {
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
