/** A proof that a run of the agent found and did not write: shown as a change of the text, which can be accepted. */
import type { EditorView } from '@codemirror/view';
import { JudgedText } from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import { useAsked } from '../../../parts/asked.ts';
import { Diff } from '../../../parts/diff.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { call } from '../../../server/client.ts';
import { change } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { unfinishedRange } from '../theorem-places.ts';

interface RunProofProps {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly run: string;
  readonly theorem: string;
}

export function RunProof({ open, view, run, theorem }: RunProofProps) {
  const asked = useAsked((signal) => call('agent_events', { run, limit: 1 }, { signal }), [run]);
  const text = open.text.value.toString();
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  const found = asked.value?.theorems.find((one) => one.theorem === theorem);
  if (found === undefined || found.proof === null || asked.value?.file !== open.file) return null;
  if (text.includes(found.proof)) return null;
  const isSame = new JudgedText(text).standing(undefined, found) !== 'statement';
  const range = isSame ? unfinishedRange(text, theorem) : undefined;
  if (range === undefined)
    return (
      <p class="outside note" role="status">
        The unfinished proof of {theorem} for which the run found one is not in this text.
      </p>
    );
  const insert = `\n${found.proof}`;
  const after = text.slice(0, range.from) + insert + text.slice(range.to);
  return (
    <div class="outside" role="status">
      <div class="row spread">
        <span>A run of the agent proved {theorem}, as its log has it.</span>
        <button
          class="primary"
          disabled={view === undefined}
          onClick={() => {
            if (view !== undefined) change(view, { ...range, insert });
          }}
        >
          Accept the change
        </button>
      </div>
      <Diff before={text} after={after} />
    </div>
  );
}
