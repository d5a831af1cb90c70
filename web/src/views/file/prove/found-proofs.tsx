/**
 * What a search found: each proof as a change that can be accepted, or saved as a diff, also while the other theorems
 * are still searched.
 */
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'preact/hooks';
import { counted } from '../../../../../src/core/counted.ts';
import { filePatch } from '../../../../../src/operations/files/file-patch.ts';
import { tellsOfCut } from '../../../../../src/gate/verdict.ts';
import {
  JudgedText,
  type JudgedSentence,
  type Standing,
} from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import { useAsked } from '../../../parts/asked.ts';
import { cut } from '../../../parts/cut.ts';
import { Badge } from '../../../parts/badge.tsx';
import { BuildFirst } from '../../../parts/build.tsx';
import { Diff } from '../../../parts/diff.tsx';
import { download } from '../../../parts/download.ts';
import { ErrorNote, OldNote } from '../../../parts/notes.tsx';
import { inPageWords } from '../../../parts/page-words.ts';
import { whyOld } from '../../../parts/rests-on.ts';
import { CallError } from '../../../server/client.ts';
import { outcomeOf } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { addressOf } from '../../../shell/route.ts';
import { toast } from '../../../shell/toasts.ts';
import { acceptChanges } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { placeOfProof } from '../theorem-places.ts';
import { BestGoals } from './best-goals.tsx';
import type { Doubted } from './counterexample.tsx';
import { whenSearched } from './goal-badge.tsx';
import { acceptedOf, hasWay } from './search-news.ts';
import type { SearchNews, SearchResult } from './search-news.ts';

interface FoundProofsProps {
  readonly job: Job;
  /** What it has told so far. */
  readonly news: SearchNews;
  readonly onGraph: (theorem: string) => void;
  readonly onRefute: (doubted: Doubted) => void;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}

function outcomeTone({ outcome }: SearchResult): 'good' | 'bad' | 'open' {
  return outcome === 'proved' ? 'good' : outcome === 'not-proved' ? 'bad' : 'open';
}

const OUTCOMES: Readonly<Record<SearchResult['outcome'], string>> = {
  ...{ proved: 'proved', 'proved-but': 'proved, on something open', 'not-judged': 'not judged' },
  ...{ refuted: 'false', 'not-proved': 'not proved' },
};

function outcomeWord({ outcome, counterexample }: SearchResult): string {
  return outcome === 'not-proved' && counterexample !== null ? 'false, not confirmed' : OUTCOMES[outcome];
}

/** Whether it says that something is known. */
function isClaim({ outcome }: SearchResult): boolean {
  return outcome !== 'not-proved';
}

export function FoundProofs({ job, news, open, view, onGraph, onRefute }: FoundProofsProps) {
  const { searched, finished } = news;
  const asked = useAsked(() => outcomeOf<'proof_search'>(job.id), [job.id, job.state]);
  const outcome = asked.value;
  const results = outcome?.kind === 'answered' ? outcome.value.results : finished;
  const text = open.text.value;
  const judged = useMemo(() => new JudgedText(text.toString()), [text]);
  // What is finished grows in its place.
  const together = useMemo(() => acceptedOf(results), [results, results.length]);
  const proofs = useMemo(
    () =>
      results.map((result) => {
        const place = placed(text.toString(), result, judged.standing(searched, result, together));
        return { result, place };
      }),
    [text, results, together, searched, judged],
  );
  const isOfBefore = proofs.some(({ place }) => isOther(place.standing));
  const why = whyOld(news.restsOn, open.checking.value.restsOn, 'search again');
  const proved = proofs.flatMap(({ result, place: { standing, range, insert } }) =>
    result.outcome === 'proved' && standing === 'same' && why === undefined && range !== undefined
      ? [{ ...range, insert }]
      : [],
  );
  return (
    <>
      {job.state !== 'running' && job.state !== 'failed' && job.conclusion !== null && (
        <p class="note">
          {job.conclusion}
          {isOfBefore
            ? ', when it was searched: the text has changed since'
            : why !== undefined && results.some(isClaim) && ', when it was searched'}
        </p>
      )}
      {outcome?.kind === 'failed' && job.state !== 'stopped' && (
        <>
          <ErrorNote error={new CallError(outcome.problem)} />
          {outcome.problem.reason === 'library-missing' && (
            <BuildFirst file={open.file} notCompiled={open.checking.value.restsOn?.stale ?? []} />
          )}
        </>
      )}
      {proved.length > 1 && (
        <div class="row">
          <button
            class="primary"
            disabled={view === undefined}
            onClick={() => acceptChanges(view, text, proved)}
          >
            Accept all {proved.length} changes
          </button>
        </div>
      )}
      {proofs.length > 0 && (
        <ul class="found">
          {proofs.map(({ result, place }) => (
            <FoundProof
              key={`${result.theorem}:${result.line}`}
              result={result}
              searched={searched}
              together={together}
              why={why}
              text={text}
              place={place}
              open={open}
              view={view}
              onRefute={onRefute}
              onGraph={hasWay(news, result.theorem) ? () => onGraph(result.theorem) : undefined}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface Placed {
  readonly before: string;
  readonly standing: Standing;
  /** Whether the proof stands in the text already. */
  readonly isTaken: boolean;
  /** Where it goes: the text may have changed since the search, by another proof that was accepted. */
  readonly range: { readonly from: number; readonly to: number } | undefined;
  /** What goes there. */
  readonly insert: string;
  /** The text with it. */
  readonly after: string | undefined;
}

function placed(before: string, { theorem, replacement }: SearchResult, standing: Standing): Placed {
  const isNowhere = { before, standing, isTaken: false, range: undefined, insert: '', after: undefined };
  if (replacement === null) return isNowhere;
  // On the disk the lines may end otherwise.
  const insert = replacement.text.replaceAll('\r\n', '\n');
  const replaces = replacement.replaces.replaceAll('\r\n', '\n');
  const isTaken = placeOfProof(before, theorem, { ...replacement, replaces: insert }) !== undefined;
  // A proof of what was stated before is none of what is stated now.
  if (isTaken || standing === 'statement') return { ...isNowhere, isTaken };
  const range = placeOfProof(before, theorem, { ...replacement, replaces });
  const after =
    range === undefined ? undefined : before.slice(0, range.from) + insert + before.slice(range.to);
  return { before, standing, isTaken, range, insert, after };
}

/** Whether the text is known to be another than the one that was searched. */
function isOther(standing: Standing): boolean {
  return standing === 'above' || standing === 'statement';
}

function standingNote(standing: Standing, canAccept: boolean): string | undefined {
  switch (standing) {
    case 'same':
      return undefined;
    case 'above':
      return `The text above has changed since: search again${canAccept ? ', or accept and let it be checked' : ''}.`;
    case 'statement':
      return 'The statement is not the one that was searched: search again.';
    case 'unknown':
      return 'Which text was searched is not known any more: search again to be sure.';
  }
}

interface FoundProofProps extends Omit<FoundProofsProps, 'job' | 'news' | 'onGraph'> {
  readonly result: SearchResult;
  readonly searched: readonly JudgedSentence[] | undefined;
  /** What the search proved beside it. */
  readonly together: readonly SearchResult[];
  /** Why it need not hold with what the text requires now. */
  readonly why: string | undefined;
  /** As it is now. */
  readonly text: Text;
  /** In that text. */
  readonly place: Placed;
  /** Undefined where there is no graph of it. */
  readonly onGraph: (() => void) | undefined;
}

function FoundProof({ result, searched, together, why, text, place, ...doing }: FoundProofProps) {
  const { open, view, onGraph, onRefute } = doing;
  const { theorem, outcome, replacement, message, negation, rests_on_open, axioms, warnings } = result;
  const { goals_left, seconds } = result;
  const saved = open.saved.value.text;
  const { isTaken, range, insert, before, after, standing } = place;
  const note = standingNote(standing, range !== undefined) ?? why;
  const saveDiff = async (): Promise<void> => {
    // Against the file, to which it will be applied, as long as the theorem stands there as it was searched.
    const written = saved.toString();
    const onDisk = placed(written, result, new JudgedText(written).standing(searched, result, together));
    const from = onDisk.after === undefined ? before : onDisk.before;
    const to = onDisk.after ?? after;
    if (to === undefined) return;
    download(`${theorem}.diff`, 'text/x-diff', await filePatch(open.file, from, to));
    toast(`${theorem}.diff was saved: git apply takes it.`, { tone: 'good' });
  };
  return (
    <li>
      <div class="row spread">
        <span class="row">
          <strong {...cut(theorem)}>{theorem}</strong>
          <Badge tone={note === undefined ? outcomeTone(result) : 'plain'}>
            {note === undefined ? outcomeWord(result) : whenSearched(outcomeWord(result))}
          </Badge>
          <small>{seconds.toFixed(1)} s</small>
        </span>
        {isTaken && <small>{open.changed.value ? 'in the text, not saved yet' : 'in the file'}</small>}
        {range !== undefined && (
          <span class="row">
            <button class="quiet" onClick={() => void saveDiff()}>
              Save as a diff
            </button>
            <button
              class="primary"
              disabled={view === undefined}
              onClick={() => acceptChanges(view, text, [{ ...range, insert }])}
            >
              Accept the change
            </button>
          </span>
        )}
      </div>
      <OldNote why={note} />
      {replacement !== null && range === undefined && !isTaken && standing !== 'statement' && (
        <p class="note">
          The text of this theorem is not the one that was searched: search again to put the proof in.
        </p>
      )}
      {rests_on_open.length > 0 && (
        <p class="note">It rests on what was open itself when it was searched: {rests_on_open.join(', ')}.</p>
      )}
      {axioms.length > 0 && negation === null && (
        <p class="note">It rests on the axioms {axioms.join(', ')}.</p>
      )}
      {warnings
        .filter((warning) => negation === null && !tellsOfCut(warning))
        .map((warning) => (
          <p key={warning} class="note">
            {inPageWords(warning)}
          </p>
        ))}
      {message !== null && <p class="note">{inPageWords(message)}</p>}
      {negation !== null && (
        <details>
          <summary>The gate accepted a proof that it is false</summary>
          <pre class="term">{negation}</pre>
        </details>
      )}
      {goals_left !== null && (
        <p class="note">
          At best, {counted(goals_left, 'goal')} left{result.goals_at_best.length === 0 ? '.' : ':'}
        </p>
      )}
      {standing !== 'statement' && (
        <BestGoals {...{ result, text, view, onRefute }} canAsk={!open.changed.value} />
      )}
      {outcome === 'not-proved' && result.counterexample === null && !isOther(standing) && (
        <p class="note">
          Search again with more time,{' '}
          {onGraph !== undefined && (
            <>
              take what was found of it from{' '}
              <button class="link" onClick={onGraph}>
                its graph
              </button>
              ,{' '}
            </>
          )}
          <button class="link" disabled={open.changed.value} onClick={() => onRefute({ theorem })}>
            look for a counterexample
          </button>
          , or <a href={addressOf('agent', 'new', { file: open.file, theorem })}>give it to the agent</a>.
        </p>
      )}
      {after !== undefined && <Diff before={before} after={after} />}
    </li>
  );
}
