/** The goals behind the sentence at the cursor, what changed in them, and what the prover said. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Goal } from '../../parts/goal.tsx';
import { cut } from '../../parts/cut.ts';
import { ErrorNote, OldNote, Working } from '../../parts/notes.tsx';
import { addressOf } from '../../shell/route.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { GoalsAnswer, OpenDocument } from './open-document.ts';
import { FaultList } from './fault-list.tsx';
import { Outline } from './outline.tsx';
import { isAt, placeBehind, whyOldAt, type Place } from './place.ts';
import { offsetOf } from './positions.ts';
import { theoremAt } from './theorem-places.ts';

/** Goals with the place and the theorem that they are of. */
interface Known {
  readonly answer: GoalsAnswer;
  readonly at: Place;
  readonly theorem: string | undefined;
}

interface GoalsPaneProps {
  readonly open: OpenDocument;
  readonly onName: (name: string) => void;
  readonly onFault: (at: number) => void;
  readonly onProve: () => void;
}

/** More goals than this are a list of lines, of which one is shown whole. */
const SHOWN_WHOLE = 12;

export function GoalsPane({ open, onName, onFault, onProve }: GoalsPaneProps) {
  const known = useSignal<Known | undefined>(undefined);
  const everything = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const { state, error, sentences, total } = open.checking.value;
  const slow = open.slow.value;
  const cursor = open.cursor.value;
  const count = open.sentencesBefore(cursor);
  useEffect(() => {
    const gone = new AbortController();
    const at = placeBehind(open.checking.value, count);
    open.goals(cursor, everything.value, gone.signal).then(
      (answer) => {
        if (gone.signal.aborted || answer === undefined) return;
        known.value = { answer, at, theorem: theoremAt(at.text.toString(), at.to) };
        failure.value = undefined;
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) failure.value = thrown;
      },
    );
    return () => gone.abort();
  }, [open, open.checking.value.version, sentences.length >= count, count, everything.value]);
  useEffect(() => {
    everything.value = false;
  }, [count]);
  if (state === 'failed')
    return (
      <div class="pane-body">
        <ErrorNote error={error} again={() => open.checkSoon()} />
      </div>
    );
  const here = sentences[count];
  const { from: lineStart, to: lineEnd } = lineAt(open, cursor);
  const inLine = sentences.filter(
    ({ error: own, from, to }) => own !== null && from <= lineEnd && to >= lineStart,
  );
  const before = sentences[count - 1];
  const faultsAt = inLine.length > 0 || !before || before.error === null ? inLine : [before];
  const isBehind = here === undefined && state !== 'complete';
  const { answer, at, theorem } = known.value ?? {};
  const isHere =
    !isBehind && answer?.reached === true && at !== undefined && isAt(at, open.text.value, cursor);
  // Of another place they are until those of this one are here.
  const why = isHere ? whyOldAt(at, open, 'look again') : undefined;
  return (
    <div class="pane-body goals" aria-live="polite">
      {failure.value !== undefined && <ErrorNote error={failure.value} />}
      {faultsAt.map((sentence) => (
        <FaultAt key={sentence.from} sentence={sentence} onPlace={onFault} open={open} />
      ))}
      {isBehind && (
        <Working
          text={slow?.message ?? (total === 0 ? 'Starting Rocq' : 'Rocq is not here yet')}
          done={slow?.done ?? sentences.length}
          total={slow?.total ?? (total === 0 ? null : total)}
        />
      )}
      {answer?.in_proof === true && <OldNote why={why} />}
      {answer?.in_proof === true && (
        <div class={isHere && why === undefined ? '' : 'of-before'}>
          {theorem !== undefined && <Here open={open} theorem={theorem} isHere={isHere} onProve={onProve} />}
          <ShownGoals answer={answer} onName={onName} onEverything={() => (everything.value = true)} />
        </div>
      )}
      {(answer === undefined ? isBehind : !answer.in_proof) && (
        <>
          {faultsAt.length === 0 && <FaultList open={open} onPlace={onFault} />}
          <Outline open={open} onPlace={onFault} />
        </>
      )}
      {answer?.messages.map(({ severity, text }, index) => (
        <pre key={index} class={`message ${severity}`}>
          {text}
        </pre>
      ))}
    </div>
  );
}

interface HereProps {
  readonly open: OpenDocument;
  readonly theorem: string;
  /** False: the goals are those of a place where the cursor was before. */
  readonly isHere: boolean;
  readonly onProve: () => void;
}

/** Which theorem the goals are of, and what can be done for it. */
function Here({ open, theorem, isHere, onProve }: HereProps) {
  return (
    <div class="row spread here">
      <span>
        <strong {...cut(theorem)}>{theorem}</strong>
        {!isHere && <small> as it was before</small>}
      </span>
      <span class="row">
        <a href={addressOf('proof', open.file, { theorem })}>As a tree</a>
        <button class="quiet" data-acts onClick={onProve}>
          Prove…
        </button>
      </span>
    </div>
  );
}

interface FaultAtProps {
  readonly open: OpenDocument;
  readonly sentence: OpenDocument['checking']['value']['sentences'][number];
  readonly onPlace: (at: number) => void;
}

function FaultAt({ open, sentence: { error, from }, onPlace }: FaultAtProps) {
  if (error === null) return null;
  const { message, line, reason, follows, follows_line } = error;
  const toCause = (): void =>
    onPlace(offsetOf(open.checking.peek().text, { line: follows_line ?? line, column: 0 }));
  return (
    <div class={follows === null ? 'error-note' : 'error-note follows'} role="alert">
      <pre class="printed">{message}</pre>
      {follows !== null && (
        <p>
          It may follow from <code>{follows}</code>, which failed before.
        </p>
      )}
      <div class="row">
        <button class="quiet" onClick={() => onPlace(from)}>
          Line {line}
        </button>
        {follows !== null && (
          <button class="quiet" onClick={toCause}>
            Its cause, line {follows_line}
          </button>
        )}
        {reason !== null && <small>{reason}</small>}
      </div>
    </div>
  );
}

function lineAt(open: OpenDocument, cursor: number): { readonly from: number; readonly to: number } {
  const { text } = open.checking.value;
  return text.lineAt(Math.min(cursor, text.length));
}

interface ShownGoalsProps {
  readonly answer: GoalsAnswer;
  readonly onName: (name: string) => void;
  readonly onEverything: () => void;
}

function ShownGoals({ answer, onName, onEverything }: ShownGoalsProps) {
  const chosen = useSignal(0);
  if (!answer.in_proof) return null;
  const aside = answer.unfocused.reduce((sum, count) => sum + count, 0);
  const before = answer.before[0];
  const goal = answer.goals[chosen.value] ?? answer.goals[0];
  return (
    <>
      <p class="goal-count">
        {answer.goals_total === 0 && aside + answer.shelved + answer.given_up === 0
          ? 'No goals are left: Qed.'
          : answer.goals_total === 0
            ? 'No goal is left in focus.'
            : answer.goals_total === 1
              ? '1 goal'
              : `${answer.goals_total} goals`}
        {aside > 0 && <small> {aside} outside of the focus</small>}
        {answer.shelved > 0 && <small> {answer.shelved} shelved</small>}
        {answer.given_up > 0 && <small> {answer.given_up} given up</small>}
        {answer.goals_cut && (
          <button class="quiet" onClick={onEverything}>
            Show everything
          </button>
        )}
      </p>
      {answer.goals.length <= SHOWN_WHOLE ? (
        answer.goals.map((shown, index) => (
          <Goal key={index} goal={shown} before={index === 0 ? before : undefined} onName={onName} />
        ))
      ) : (
        <>
          {goal !== undefined && (
            <Goal goal={goal} before={chosen.value === 0 ? before : undefined} onName={onName} />
          )}
          <div class="goal-list">
            <VirtualList
              rows={answer.goals}
              rowHeight={24}
              label="Goals"
              keyOf={(_, index) => String(index)}
              chosen={chosen.value}
              onChoose={(_, index) => (chosen.value = index)}
              render={({ conclusion }, index) => (
                <>
                  <small>{index + 1}</small> <code>{conclusion.slice(0, 200)}</code>
                </>
              )}
            />
          </div>
        </>
      )}
    </>
  );
}
