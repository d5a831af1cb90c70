/** A goal: hypotheses above, conclusion below; what is not as it was before is marked. Everything in it is text. */
import type { ComponentChildren } from 'preact';
import { shiftedLeft } from './shifted-left.ts';

export interface ShownGoal {
  readonly hypotheses: readonly {
    readonly name: string;
    readonly type: string;
    readonly body: string | null;
  }[];
  readonly conclusion: string;
}

interface GoalProps {
  readonly goal: ShownGoal;
  /** The goal that it came from; without one nothing is marked. */
  readonly before?: ShownGoal | undefined;
  readonly onName?: ((name: string) => void) | undefined;
}

export function Goal({ goal, before, onName }: GoalProps) {
  const isChanged = before !== undefined && before.conclusion !== goal.conclusion;
  const isKept = goal.conclusion.length <= LONGEST_KEPT;
  return (
    <div class="goal">
      <dl>
        {joinedHypotheses(goal, before).map(({ names, type, body, isNew }, index) => (
          <div key={`${names[0] ?? ''}-${index}`} class={isNew ? 'changed' : undefined}>
            <dt>{names.join(', ')}</dt>
            <dd>
              {body !== null && <> := {<Term text={body} onName={onName} />}</>} :{' '}
              <Term text={type} onName={onName} />
            </dd>
          </div>
        ))}
      </dl>
      <div class={`conclusion ${isChanged ? 'changed' : ''} ${isKept ? 'kept' : ''}`}>
        <Term text={goal.conclusion} onName={onName} />
      </div>
    </div>
  );
}

/** A longer conclusion would hide what is above it. */
const LONGEST_KEPT = 500;

interface JoinedHypotheses {
  readonly names: string[];
  readonly type: string;
  readonly body: string | null;
  /** Whether it is not as it was before. */
  readonly isNew: boolean;
}

/** Those of one type that stand one behind the other are one line, as Rocq prints them. */
export function joinedHypotheses(
  goal: ShownGoal,
  before: ShownGoal | undefined,
): readonly JoinedHypotheses[] {
  const old = new Map(before?.hypotheses.map((hypothesis) => [hypothesis.name, hypothesis]));
  const joined: JoinedHypotheses[] = [];
  for (const { name, type, body } of goal.hypotheses) {
    const was = old.get(name);
    const isNew = before !== undefined && (was?.type !== type || was.body !== body);
    const last = joined.at(-1);
    if (last?.type === type && last.body === null && body === null && last.isNew === isNew)
      last.names.push(name);
    else joined.push({ names: [name], type, body, isNew });
  }
  return joined;
}

/** A longer text is shown as it is: marking each of its names would make the page slow and nothing clearer. */
const LONGEST_MARKED = 6000;

const PIECES = /([\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*)|(\d+)/gu;
const KEYWORDS = new Set([
  'forall',
  'exists',
  'fun',
  'fix',
  'let',
  'in',
  'match',
  'with',
  'end',
  'if',
  'then',
  'else',
  'return',
  'as',
]);
const SORTS = new Set(['Prop', 'Set', 'Type', 'SProp']);

/** Text of a prover with its names marked; a name can be asked about. */
export function Term({
  text: printed,
  onName,
}: {
  readonly text: string;
  readonly onName?: ((name: string) => void) | undefined;
}) {
  const text = shiftedLeft(printed);
  if (text.length > LONGEST_MARKED) return <code class="term">{text}</code>;
  const pieces: ComponentChildren[] = [];
  let done = 0;
  for (const match of text.matchAll(PIECES)) {
    const [word, name] = match;
    if (match.index > done) pieces.push(text.slice(done, match.index));
    done = match.index + word.length;
    if (name === undefined) pieces.push(<span class="t-number">{word}</span>);
    else if (KEYWORDS.has(name)) pieces.push(<span class="t-keyword">{word}</span>);
    else if (SORTS.has(name)) pieces.push(<span class="t-sort">{word}</span>);
    else
      pieces.push(
        <span class="t-name" onClick={onName === undefined ? undefined : () => onName(name)}>
          {word}
        </span>,
      );
  }
  pieces.push(text.slice(done));
  return <code class="term">{pieces}</code>;
}
