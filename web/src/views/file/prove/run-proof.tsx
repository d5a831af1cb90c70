/** A proof that a run of the agent found and did not write: shown as a change of the text, which can be accepted. */
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'preact/hooks';
import { goTo } from '../../../shell/route.ts';
import { useAsked } from '../../../parts/asked.ts';
import { Diff } from '../../../parts/diff.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { call } from '../../../server/client.ts';
import { acceptChanges } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { runChanges } from './run-changes.ts';

interface RunProofProps {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly run: string;
  readonly theorem: string;
}

export function RunProof({ open, view, run, theorem }: RunProofProps) {
  const asked = useAsked((signal) => call('agent_events', { run, limit: 1 }, { signal }), [run]);
  const found = asked.value?.theorems.find((one) => one.theorem === theorem && one.file === open.file);
  const text = open.text.value;
  const known = useMemo(() => {
    if (found === undefined || found.proof === null) return undefined;
    return runChanges(text.toString(), { ...found, proof: found.proof });
  }, [text, found]);
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (known === undefined || known.kind === 'taken') return null;
  if (known.kind === 'gone')
    return (
      <p class="outside note" role="status">
        The unfinished proof of {theorem} for which the run found one is not in this text.
      </p>
    );
  const { changes, after } = known;
  return (
    <div class="outside" role="status">
      <div class="row spread">
        <span>A run of the agent proved {theorem}, as its log has it.</span>
        <span class="row">
          <button class="quiet" onClick={leaveOut}>
            Leave it out
          </button>
          <button
            class="primary"
            disabled={view === undefined}
            onClick={() => acceptChanges(view, text, changes)}
          >
            Accept the change
          </button>
        </span>
      </div>
      <Diff before={text.toString()} after={after} />
    </div>
  );
}

/** The run keeps it; this page does not offer it any more. */
function leaveOut(): void {
  const at = new URLSearchParams(location.search);
  at.delete('run');
  goTo(`${location.pathname}?${at.toString()}`, { replace: true });
}
