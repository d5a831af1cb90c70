/** One search, while it works and when it has ended: the proofs that it found, its graph of goals, and what gave what. */
import type { EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { someOf } from '../../../../../src/core/counted.ts';
import { Badge } from '../../../parts/badge.tsx';
import { cut } from '../../../parts/cut.ts';
import { isSecondClick } from '../../../parts/once.ts';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { useJobDetails } from '../../../server/job-details.ts';
import { stopJob } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { serverNow } from '../../../server/server-clock.ts';
import { toastError } from '../../../shell/toasts.ts';
import type { OpenDocument } from '../open-document.ts';
import { ChosenGoal, useGoalsAge } from './chosen-goal.tsx';
import type { Doubted } from './counterexample.tsx';
import { FoundProofs } from './found-proofs.tsx';
import { GoalBadge, type SearchEnd } from './goal-badge.tsx';
import { GraphCanvas } from './graph-canvas.tsx';
import { SearchBudget } from './search-budget.tsx';
import { Ingredients, SearchFigures } from './search-figures.tsx';
import { bestOpen } from './search-graph.ts';
import type { SearchGraph } from './search-graph.ts';
import { addSearchNews, noNews, phaseOf, searchedSeconds, withGraph } from './search-news.ts';
import type { SearchNews, SearchResult, TheoremSearch } from './search-news.ts';

interface SearchViewProps {
  readonly job: Job;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onMore: (theorems: string[] | undefined) => void;
  /** Looks whether something is false. */
  readonly onRefute: (doubted: Doubted) => void;
}

export function SearchView({ job, open, view, onMore, onRefute }: SearchViewProps) {
  const { fold: news, count } = useJobDetails(job.id, noNews, addSearchNews);
  const chosen = useSignal<string | undefined>(undefined);
  const searches = withGraph(news);
  const shown = searches.find(({ graph }) => graph.theorem === chosen.value) ?? usual(searches, news, job);
  return (
    <div class="search">
      <div class="row spread">
        <span class="row">
          {job.state === 'running' ? (
            <Badge tone="live">{PHASES[phaseOf(news)] ?? PHASES['']}</Badge>
          ) : (
            job.state !== 'answered' && <Badge tone="open">{job.state}</Badge>
          )}
          <strong {...cut(job.title)}>{job.title}</strong>
        </span>
        {job.state === 'running' ? (
          <button onClick={(event) => isSecondClick(event) || void stopJob(job.id).catch(toastError)}>
            Stop
          </button>
        ) : (
          <button onClick={(event) => isSecondClick(event) || onMore(theoremsOf(job))}>Search again</button>
        )}
      </div>
      {job.state === 'running' && <SearchBudget job={job} />}
      {job.state === 'running' && <p class="note">{job.progress.message}</p>}
      {job.state === 'running' && news.openAbove.length > 0 && (
        <p class="note">
          Open above it: {someOf(news.openAbove)}. A proof that uses one of them is finished only when that
          is.
        </p>
      )}
      {job.state === 'running' &&
        [...news.waiting].map(([theorem, restsOnOpen]) => (
          <p key={theorem} class="note">
            {theorem} is proved, if these are: {someOf(restsOnOpen)}. They are searched, too.
          </p>
        ))}
      {job.state === 'running' &&
        [...news.theorems].map(
          ([theorem, { unjudged }]) =>
            unjudged !== undefined && (
              <div key={theorem} class="note">
                A proof of {theorem} is found; the gate judges it:
                <pre class="printed">{unjudged}</pre>
              </div>
            ),
        )}
      <FoundProofs
        job={job}
        news={news}
        open={open}
        view={view}
        onGraph={(theorem) => (chosen.value = theorem)}
        onRefute={onRefute}
      />
      {shown !== undefined && (
        <>
          <div class="row">
            <h2>The goals of {shown.graph.theorem}</h2>
            {searches.length > 1 && (
              <select
                aria-label="The goals of another theorem"
                value={shown.graph.theorem}
                onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
              >
                {searches.map(({ graph: { theorem } }) => (
                  <option key={theorem}>{theorem}</option>
                ))}
              </select>
            )}
          </div>
          <GoalsOfSearch
            key={shown.graph.theorem}
            {...{ job, news, count, open, view }}
            graph={shown.graph}
            seconds={searchedSeconds(shown, job.ended_at === null ? serverNow() : Date.parse(job.ended_at))}
          />
        </>
      )}
    </div>
  );
}

/** While it works the theorem that was begun last, then the first that is left without a proof. */
function usual(
  searches: readonly TheoremSearch[],
  { finished }: SearchNews,
  job: Job,
): TheoremSearch | undefined {
  const isLeft = ({ graph }: TheoremSearch): boolean =>
    finished.some(({ theorem, outcome }) => theorem === graph.theorem && outcome === 'not-proved');
  return (job.state === 'running' ? undefined : searches.find(isLeft)) ?? searches.at(-1);
}

interface GoalsOfSearchProps extends Omit<SearchViewProps, 'onMore' | 'onRefute'> {
  readonly news: SearchNews;
  readonly graph: SearchGraph;
  /** How many details were told. */
  readonly count: number;
  /** How long its goals were searched. */
  readonly seconds: number;
}

function GoalsOfSearch({ job, news, graph, count, seconds, open, view }: GoalsOfSearchProps) {
  const chosen = useSignal<number | undefined>(undefined);
  const isListed = useSignal(false);
  const root = graph.goals.get(0);
  // Of a proof that was found nothing is open, whatever else was tried.
  const best = root?.state === 'solved' ? root : bestOpen(graph);
  const goal = graph.goals.get(chosen.value ?? best?.id ?? 0);
  const result = news.finished.find(({ theorem }) => theorem === graph.theorem);
  const end = endOf(result, job);
  const age = useGoalsAge(news, graph.theorem, open);
  const isOld = age.why !== undefined;
  const goals = isListed.value ? [...graph.goals.values()] : [];
  return (
    <>
      <SearchFigures graph={graph} end={end} seconds={seconds} />
      {(graph.goals.size > 1 || end === 'none') && (
        <GraphCanvas
          graph={graph}
          {...{ end, isOld }}
          count={count}
          chosen={goal?.id}
          onChoose={(id) => (chosen.value = id)}
        />
      )}
      {goal !== undefined && (
        <ChosenGoal {...{ graph, goal, age, end, open, view }} isRefuted={result?.outcome === 'refuted'} />
      )}
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
            render={(one) => (
              <>
                <GoalBadge goal={one} end={end} isOld={isOld} />
                <code>{one.tactic}</code> <code class="faint">{one.conclusion.slice(0, 120)}</code>
              </>
            )}
          />
        </div>
      </details>
    </>
  );
}

function endOf(result: SearchResult | undefined, { state }: Job): SearchEnd {
  if (result === undefined) return state === 'running' ? 'none' : 'left';
  return result.outcome === 'not-proved' ? 'left' : 'decided';
}

/** What a phase is to whoever waits. */
const PHASES: Readonly<Record<string, string>> = {
  '': 'waiting for a prover',
  between: 'at work',
  file: 'running the file up to it',
  refute: 'looking for a counterexample',
  lemmas: 'collecting lemmas',
  search: 'searching',
  judge: 'the gate judges',
};

function theoremsOf({ input }: Job): string[] | undefined {
  const theorems = input['theorems'];
  return Array.isArray(theorems) ? theorems.filter((name) => typeof name === 'string') : undefined;
}
