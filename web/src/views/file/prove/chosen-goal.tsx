/** The goal that is chosen in the graph of a search, the way to it, and how that way is put into the text. */
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'preact/hooks';
import { counted } from '../../../../../src/core/counted.ts';
import { JudgedText, type Standing } from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import { OldNote } from '../../../parts/notes.tsx';
import { whyOld } from '../../../parts/rests-on.ts';
import { toast } from '../../../shell/toasts.ts';
import { change } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { unfinishedProof } from '../theorem-places.ts';
import { GoalBadge, type SearchEnd } from './goal-badge.tsx';
import { partialScript } from './partial-script.ts';
import { goalsTo } from './search-graph.ts';
import type { GraphGoal, SearchGraph } from './search-graph.ts';
import { acceptedOf, type SearchNews } from './search-news.ts';

const NOTES: Readonly<Partial<Record<Standing, string>>> = {
  statement: 'These are goals of another statement than the one in the text: search again.',
  above: 'The text above has changed since: what is taken may not be what Rocq takes there.',
};

/** How the text stands to the one whose goals these are, and why what was solved need not be so now. */
export interface GoalsAge {
  readonly standing: Standing;
  readonly why: string | undefined;
}

export function useGoalsAge(
  { finished, searched, restsOn }: Pick<SearchNews, 'finished' | 'searched' | 'restsOn'>,
  theorem: string,
  open: OpenDocument,
): GoalsAge {
  const text = open.text.value;
  const judged = useMemo(() => new JudgedText(text.toString()), [text]);
  const result = finished.find((one) => one.theorem === theorem);
  const standing = judged.standing(searched, result ?? { theorem }, acceptedOf(finished));
  const why = NOTES[standing] ?? whyOld(restsOn, open.checking.value.restsOn, 'search again');
  return { standing, why };
}

interface ChosenGoalProps {
  readonly graph: SearchGraph;
  readonly goal: GraphGoal;
  readonly age: GoalsAge;
  readonly isRefuted: boolean;
  readonly end: SearchEnd;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}

export function ChosenGoal({
  graph,
  goal,
  age: { standing, why },
  isRefuted,
  end,
  open,
  view,
}: ChosenGoalProps) {
  const way = goalsTo(graph, goal.id).map(({ tactic }) => `${tactic}.`);
  return (
    <div class="chosen-goal">
      <div class="row spread">
        <GoalBadge goal={goal} end={end} isOld={why !== undefined} />
        {way.length > 0 && !isRefuted && standing !== 'statement' && (
          <button onClick={() => takeWay(graph, goal, open, view)}>Take the proof as far as here</button>
        )}
      </div>
      <OldNote why={why} />
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
  const { text } = open.checking.peek();
  const isChecked = text.eq(open.text.peek());
  const place = isChecked ? unfinishedProof(text.toString(), graph.theorem) : undefined;
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
