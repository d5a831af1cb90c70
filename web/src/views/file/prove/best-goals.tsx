/** The goals at which a search in vain stood, each to be stated as a lemma above the theorem. */
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { bestGoalAdvice } from '../../../../../src/operations/proof/best-goals.ts';
import { Term } from '../../../parts/goal.tsx';
import { toast } from '../../../shell/toasts.ts';
import { change } from '../changes.ts';
import type { Doubted } from './counterexample.tsx';
import { isStated, lemmaAbove } from './lemma-above.ts';
import type { SearchResult } from './search-news.ts';

interface BestGoalsProps {
  readonly result: SearchResult;
  /** As it is now. */
  readonly text: Text;
  readonly view: EditorView | undefined;
  readonly onRefute: (doubted: Doubted) => void;
  /** Whether the file on the disk, which is asked about, is the text. */
  readonly canAsk: boolean;
}

export function BestGoals({ result, text, view, onRefute, canAsk }: BestGoalsProps) {
  const { theorem, goals_at_best, statements_at_best, goals_left } = result;
  const { false_at_best: areFalse, unlooked_at_best: areUnlooked } = result;
  if (goals_at_best.length === 0) return null;
  const more = areFalse ? 0 : (goals_left ?? 0) - goals_at_best.length;
  const now = text.toString();
  return (
    <section class="best-goals" aria-label={`Where the search for ${theorem} stood`}>
      {goals_at_best.map((goal, index) => {
        const statement = statements_at_best[index];
        return (
          <div class="best-goal" key={`${index}:${goal}`}>
            <Term text={goal} />
            {typeof statement === 'string' &&
              (isStated(now, statement) ? (
                <small>stated in the text</small>
              ) : (
                <span class="row">
                  <button
                    disabled={view === undefined}
                    onClick={() => view !== undefined && putLemma(view, text, { theorem, statement })}
                  >
                    State it as a lemma
                  </button>
                  <button disabled={!canAsk} onClick={() => onRefute({ theorem, statement })}>
                    Look for a counterexample
                  </button>
                </span>
              ))}
          </div>
        );
      })}
      {more > 0 && <p class="note">… {more} more.</p>}
      <p class="note">{bestGoalAdvice({ areFalse, areUnlooked })}</p>
    </section>
  );
}

/** @param shown The text that the button was shown for: by the first of two clicks it is another. */
function putLemma(
  view: EditorView,
  shown: Text,
  { theorem, statement }: { readonly theorem: string; readonly statement: string },
): void {
  if (!view.state.doc.eq(shown)) return;
  const lemma = lemmaAbove(shown.toString(), theorem, statement);
  if (lemma === undefined) {
    toast(`The text has no ${theorem} any more.`);
    return;
  }
  const { name, ...range } = lemma;
  change(view, range, range.insert.indexOf('Admitted.'));
  toast(`${name} is in the text above ${theorem}, not proved yet. Ctrl+Z takes it back.`);
}
