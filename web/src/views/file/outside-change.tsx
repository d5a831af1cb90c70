/**
 * Somebody else changed the file while it was edited here: the two are joined where they touch different lines,
 * else asked about.
 */
import type { Text } from '@codemirror/state';
import { Diff } from '../../parts/diff.tsx';
import { mergeTexts } from '../../parts/line-diff.ts';
import type { OpenDocument } from './open-document.ts';
import { toText } from './open-document.ts';
import { useSignal } from '@preact/signals';

export function OutsideChange({ open }: { readonly open: OpenDocument }) {
  const source = open.outside.value;
  const shown = useSignal(false);
  if (source === undefined) return null;
  const mine = open.text.value;
  const joined = joinedText(open, source.text, mine);
  return (
    <div class="outside" role="alert">
      <p>
        The file was changed on the disk while you edited it here. Nothing of either is lost until you choose.
      </p>
      <div class="row">
        {joined !== undefined && (
          <button class="primary" onClick={() => open.join(joined, source)}>
            Join both
          </button>
        )}
        <button onClick={() => open.join(mine, source)}>Keep mine</button>
        <button onClick={() => open.take(source)}>Take the one on the disk</button>
        <button class="quiet" aria-expanded={shown.value} onClick={() => (shown.value = !shown.value)}>
          Show the difference
        </button>
      </div>
      {shown.value && <Diff before={mine.toString()} after={source.text} />}
    </div>
  );
}

function joinedText(open: OpenDocument, theirs: string, mine: Text): Text | undefined {
  const { base } = open.saved.value;
  // From what both come must be known: else what they changed would be taken back.
  const merged = base === undefined ? undefined : mergeTexts(base, mine.toString(), theirs);
  return merged === undefined ? undefined : toText(merged);
}
