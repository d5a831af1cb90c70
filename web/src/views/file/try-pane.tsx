/** Up to 50 alternatives at the cursor, side by side with what each leaves; the text changes only when one is taken. */
import type { EditorView } from '@codemirror/view';
import { signal, useSignal, type Signal } from '@preact/signals';
import { Badge } from '../../parts/badge.tsx';
import { isText, keptSignal } from '../../parts/kept-signal.ts';
import { ErrorNote, OldNote, Working } from '../../parts/notes.tsx';
import { call } from '../../server/client.ts';
import type { CallProgress, OutputOf } from '../../server/client.ts';
import { insertAtCursor } from './changes.ts';
import { GoalsLeft } from './goals-left.tsx';
import type { GoalsAnswer, OpenDocument } from './open-document.ts';
import { isAt, whyOldAt, type Place } from './place.ts';
import { WhyRefused } from './why-refused.tsx';

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

type TryResult = OutputOf<'rocq_try'>['results'][number];

/** `changes`: whether the goals behind it are others than those before; `session`: of its state. */
type TriedOne = TryResult & { readonly changes: boolean; readonly session: string };

/** What was tried at a place. */
interface Tried {
  readonly at: Place;
  readonly results: readonly TriedOne[];
}

/** What was tried in a file is there when one comes back to it. */
const triedBefore = new WeakMap<OpenDocument, Signal<Tried | undefined>>();

function triedIn(open: OpenDocument): Signal<Tried | undefined> {
  const known = triedBefore.get(open) ?? signal<Tried | undefined>(undefined);
  triedBefore.set(open, known);
  return known;
}

export function TryPane({
  open,
  view,
}: {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const typed = keptSignal(`try.${open.file}`, USUAL, isText);
  const tried = triedIn(open);
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
      const answer = await open.atCursor(gone.signal, async (place, before) => {
        if (!before.in_proof)
          throw new Error('The cursor is in no proof: put it behind a sentence of one, and try again.');
        const { results } = await call(
          'rocq_try',
          { ...place, alternatives: alternatives.slice(0, MOST) },
          { signal: gone.signal, onProgress: (news) => (progress.value = news) },
        );
        const session = place.session_id;
        return {
          at: before.at,
          results: results.map((result) => ({ ...result, session, changes: !isAsBefore(result, before) })),
        };
      });
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
          data-acts
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
      {tried.value !== undefined && (
        <Results
          tried={tried.value}
          view={view}
          why={whyOldAt(tried.value.at, open, 'try again')}
          isHere={isAt(tried.value.at, open.text.value, open.cursor.value)}
        />
      )}
    </div>
  );
}

interface ResultsProps {
  readonly tried: Tried;
  readonly view: EditorView | undefined;
  /** Why it need not be what would come of it now. */
  readonly why: string | undefined;
  /** Whether it can be taken to the cursor. */
  readonly isHere: boolean;
}

function Results({ tried: { at, results }, view, why, isHere }: ResultsProps) {
  const order = results.toSorted(
    (left, right) => rankOf(left) - rankOf(right) || left.goals_left - right.goals_left,
  );
  return (
    <>
      <OldNote why={why} />
      <ul class={why === undefined ? 'alternatives' : 'alternatives of-before'}>
        {order.map((result) => (
          <li key={result.script} class={result.accepted ? '' : 'refused'}>
            <div class="row spread">
              <code>{result.script}</code>
              <span class="row">
                {result.closed ? (
                  <Badge tone="good">closes the proof</Badge>
                ) : result.accepted && !result.changes ? (
                  <Badge>no change</Badge>
                ) : result.accepted ? (
                  <Badge>{result.goals_left === 1 ? '1 goal left' : `${result.goals_left} goals left`}</Badge>
                ) : (
                  <Badge tone="bad">refused</Badge>
                )}
                <small>{Math.round(result.elapsed_ms)} ms</small>
                {result.accepted && isHere && (
                  <button
                    onClick={() => insertAtCursor(view, at, result.script)}
                    aria-label={`Take ${result.script}`}
                  >
                    Take
                  </button>
                )}
              </span>
            </div>
            {result.error !== null && <WhyRefused error={result.error} />}
            {result.accepted && (
              <GoalsLeft
                key={result.state}
                first={result.first_goal}
                count={result.goals_left}
                session={result.session}
                state={result.state}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function rankOf({ closed, accepted, changes }: TriedOne): number {
  if (closed) return 0;
  if (!accepted) return 3;
  return changes ? 1 : 2;
}

/** Whether a tactic was taken and did nothing. */
function isAsBefore({ goals_left, first_goal }: TryResult, before: GoalsAnswer): boolean {
  const [first] = before.goals;
  if (first_goal === null || first === undefined || goals_left !== before.goals_total) return false;
  return textOf(first_goal) === textOf(first);
}

function textOf({ hypotheses, conclusion }: GoalsAnswer['goals'][number]): string {
  return JSON.stringify([hypotheses.map(({ name, type, body }) => [name, type, body]), conclusion]);
}
