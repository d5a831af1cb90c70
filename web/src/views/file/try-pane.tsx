/** Up to 50 alternatives at the cursor, side by side with what each leaves; the text changes only when one is taken. */
import type { EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge.tsx';
import { Goal } from '../../parts/goal.tsx';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { call } from '../../server/client.ts';
import type { CallProgress, OutputOf } from '../../server/client.ts';
import { insertAtCursor } from './changes.ts';
import type { OpenDocument } from './open-document.ts';

const USUAL = [
  'auto.',
  'easy.',
  'reflexivity.',
  'assumption.',
  'intuition.',
  'constructor.',
  'split.',
  'intros.',
  'simpl.',
  'congruence.',
].join('\n');
const MOST = 50;

type Tried = OutputOf<'rocq_try'>;

export function TryPane({
  open,
  view,
}: {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const typed = useSignal(USUAL);
  const tried = useSignal<Tried | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const progress = useSignal<CallProgress | undefined>(undefined);
  const running = useSignal<AbortController | undefined>(undefined);
  const alternatives = typed.value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const run = async (): Promise<void> => {
    const gone = new AbortController();
    running.peek()?.abort();
    running.value = gone;
    failure.value = undefined;
    try {
      const answer = await open.atCursor(gone.signal, (place) =>
        call(
          'rocq_try',
          { ...place, alternatives: alternatives.slice(0, MOST) },
          { signal: gone.signal, onProgress: (news) => (progress.value = news) },
        ),
      );
      if (!gone.signal.aborted) tried.value = answer;
    } catch (error) {
      if (!gone.signal.aborted) failure.value = error;
    } finally {
      if (running.peek() === gone) {
        running.value = undefined;
        progress.value = undefined;
      }
    }
  };
  return (
    <div class="pane-body try">
      <label class="stack">
        Alternatives, one a line
        <textarea
          id="alternatives"
          rows={6}
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void run();
          }}
        />
      </label>
      <div class="row">
        <button
          class="primary"
          disabled={running.value !== undefined || alternatives.length === 0 || alternatives.length > MOST}
          onClick={() => void run()}
        >
          Try {alternatives.length}
        </button>
        {running.value !== undefined && <button onClick={() => running.value?.abort()}>Stop</button>}
        <small>
          {alternatives.length > MOST ? `At most ${MOST} at once.` : 'Ctrl+Enter tries them at the cursor.'}
        </small>
      </div>
      {running.value !== undefined && (
        <Working
          text={progress.value?.message ?? 'Trying'}
          done={progress.value?.done}
          total={progress.value?.total}
        />
      )}
      {failure.value !== undefined && <ErrorNote error={failure.value} />}
      {tried.value !== undefined && <Results tried={tried.value} view={view} />}
    </div>
  );
}

function Results({ tried, view }: { readonly tried: Tried; readonly view: EditorView | undefined }) {
  const order = tried.results.toSorted(
    (left, right) => rankOf(left) - rankOf(right) || left.goals_left - right.goals_left,
  );
  return (
    <ul class="alternatives">
      {order.map((result) => (
        <li key={result.script} class={result.accepted ? '' : 'refused'}>
          <div class="row spread">
            <code>{result.script}</code>
            <span class="row">
              {result.closed ? (
                <Badge tone="good">closes the proof</Badge>
              ) : result.accepted ? (
                <Badge>{result.goals_left === 1 ? '1 goal left' : `${result.goals_left} goals left`}</Badge>
              ) : (
                <Badge tone="bad">refused</Badge>
              )}
              <small>{Math.round(result.elapsed_ms)} ms</small>
              {result.accepted && (
                <button
                  onClick={() => insertAtCursor(view, result.script)}
                  aria-label={`Take ${result.script}`}
                >
                  Take
                </button>
              )}
            </span>
          </div>
          {result.error !== null && <pre class="why">{result.error}</pre>}
          {result.first_goal !== null && <Goal goal={result.first_goal} />}
        </li>
      ))}
    </ul>
  );
}

function rankOf({ closed, accepted }: Tried['results'][number]): number {
  return closed ? 0 : accepted ? 1 : 2;
}
