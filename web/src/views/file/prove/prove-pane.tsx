/** Starts the search for a proof of the theorem at the cursor, or of all holes, and shows the searches of the file. */
import type { EditorView } from '@codemirror/view';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLatest } from '../../../parts/latest.ts';
import { cut } from '../../../parts/cut.ts';
import { once } from '../../../parts/once.ts';
import { Empty } from '../../../parts/notes.tsx';
import type { OperationName } from '../../../server/client.ts';
import { jobStateText, jobs, startJob } from '../../../server/jobs.ts';
import { toastError } from '../../../shell/toasts.ts';
import type { OpenDocument } from '../open-document.ts';
import { holeAt, theoremAt } from '../theorem-places.ts';
import { Counterexample, lookForCounterexample, type Doubted } from './counterexample.tsx';
import { runningSearch } from './running-search.ts';
import { SearchView } from './search-view.tsx';

interface ProvePaneProps {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onSave: () => void;
}

/** Seconds that a call may take at most. */
const LONGEST_S = 3600;
const USUAL_S = 60;

/** What this pane begins and shows. */
const OPERATIONS: ReadonlySet<string> = new Set(['proof_search', 'proof_refute'] satisfies OperationName[]);

export function ProvePane({ open, view, onSave }: ProvePaneProps) {
  const seconds = useSignal(String(USUAL_S));
  const budget = Math.min(LONGEST_S, Math.max(1, Number(seconds.value) || USUAL_S));
  const { theorem, isOpen } = useComputed(() => {
    const text = open.text.value.toString();
    const here = theoremAt(text, open.cursor.value);
    const { state } = open.checking.value;
    const hole = holeAt(text, open.cursor.value);
    // What is finished can be searched, too: another proof may be shorter.
    return { theorem: hole ?? here, isOpen: hole !== undefined || state !== 'complete' };
  }).value;
  const own = jobs.value.filter(
    ({ operation, input }) => OPERATIONS.has(operation) && input['file'] === open.file,
  );
  const chosen = useSignal<string | undefined>(undefined);
  const job = own.find(({ id }) => id === chosen.value) ?? own[0];
  const begin = useLatest();
  const choose = (id: string): void => {
    begin();
    chosen.value = id;
  };
  const start = (theorems: string[] | undefined): void => {
    const counts = begin();
    const text = open.saved.peek().text.toString();
    const title = theorems === undefined ? `Prove all of ${open.file}` : `Prove ${theorems.join(', ')}`;
    once(`${title} ${open.file}`, async () => {
      const searches = own.filter(({ operation }) => operation === 'proof_search');
      const running = await runningSearch(searches, text, theorems);
      if (running !== undefined) return running.id;
      const input = {
        file: open.file,
        budget,
        // Its budget can be changed while it works: the call as a whole must not end before.
        timeout: LONGEST_S,
        ...(theorems !== undefined && { theorems }),
      };
      return (await startJob('proof_search', input, title)).id;
    }).then((id) => {
      if (id !== undefined && counts()) chosen.value = id;
    }, toastError);
  };
  /** The button that was pressed goes when the text is saved: what is to be done next has the focus then. */
  const isSavedFirst = useRef(false);
  useEffect(() => {
    if (open.changed.value || !isSavedFirst.current) return;
    isSavedFirst.current = false;
    document.getElementById('prove')?.focus();
  }, [open.changed.value]);
  const refute = (doubted: Doubted): void => {
    const counts = begin();
    lookForCounterexample(open.file, doubted).then((begun) => {
      if (begun !== undefined && counts()) chosen.value = begun.id;
    }, toastError);
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
        <button
          id="prove"
          data-acts
          class={isOpen ? 'primary' : ''}
          disabled={theorem === undefined || open.changed.value}
        >
          {isOpen ? 'Prove' : 'Search another proof of'}{' '}
          <span {...cut(theorem ?? 'a theorem')}>{theorem ?? 'a theorem'}</span>
        </button>
        {isOpen && (
          <button id="prove-all" type="button" disabled={open.changed.value} onClick={() => start(undefined)}>
            All holes
          </button>
        )}
        {isOpen && theorem !== undefined && (
          <button
            type="button"
            disabled={open.changed.value}
            title={`Look for values for which ${theorem} fails`}
            onClick={() => refute({ theorem })}
          >
            Counterexample
          </button>
        )}
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
            <button
              type="button"
              onClick={() => {
                isSavedFirst.current = true;
                onSave();
              }}
            >
              Save first
            </button>
          </span>
        )}
      </form>
      {own.length > 1 && (
        <label class="row">
          Search
          <select value={job?.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {own.map(({ id, title, state }) => (
              <option key={id} value={id}>
                {title} ({jobStateText(state)})
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
      ) : job.operation === 'proof_refute' ? (
        <Counterexample key={job.id} job={job} open={open} />
      ) : (
        <SearchView key={job.id} {...{ job, open, view }} onMore={start} onRefute={refute} />
      )}
    </div>
  );
}
