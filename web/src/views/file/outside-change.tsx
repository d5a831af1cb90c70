/**
 * Somebody else changed the file while it was edited here: the two are joined where they touch different lines,
 * else asked about.
 */
import type { Text } from '@codemirror/state';
import { Diff } from '../../parts/diff.tsx';
import { mergeTexts } from '../../parts/line-diff.ts';
import { isUnderWay, once } from '../../parts/once.ts';
import { dismissSaved, toast, toastError, toastSaved } from '../../shell/toasts.ts';
import type { OpenDocument } from './open-document.ts';
import { toText } from './sources.ts';
import { useSignal } from '@preact/signals';

interface OutsideChangeProps {
  readonly open: OpenDocument;
  /** Somebody has chosen, and the buttons are gone. */
  readonly onSettled: () => void;
}

export function OutsideChange({ open, onSettled }: OutsideChangeProps) {
  const source = open.outside.value;
  const shown = useSignal(false);
  if (source === undefined) return null;
  const mine = open.text.value;
  const joined = joinedText(open, source.text, mine);
  const mayBeJoined = typeof joined !== 'string';
  const settle = (choose: () => void) => () => {
    choose();
    dismissSaved(open.file);
    onSettled();
  };
  return (
    <div class="outside" role="alert">
      <p>
        The file was changed on the disk while you edited it here. Nothing of either is lost until you choose.
        {!mayBeJoined && ` ${joined}`}
      </p>
      <div class="row">
        {mayBeJoined && (
          <button class="primary" onClick={settle(() => open.join(joined, source))}>
            Join both
          </button>
        )}
        <button onClick={settle(() => open.join(mine, source))}>Keep mine</button>
        <button onClick={settle(() => open.take(source))}>Take the one on the disk</button>
        <button class="quiet" aria-expanded={shown.value} onClick={() => (shown.value = !shown.value)}>
          Show the difference
        </button>
      </div>
      {shown.value && (
        <>
          <p class="note">− as you have it here, + as it is on the disk</p>
          <Diff before={mine.toString()} after={source.text} />
        </>
      )}
    </div>
  );
}

/** The file is not there any more, or something else stands in its place: what is shown here is all that there is of it. */
export function GoneFile({ open }: { readonly open: OpenDocument }) {
  const error = open.gone.value;
  if (error === undefined) return null;
  const text = open.text.value.toString();
  const writing = `write ${open.file}`;
  const isNothingThere = error.problem.reason === 'not-found';
  return (
    <div class="outside" role="alert">
      <p>
        {isNothingThere
          ? 'The file is not on the disk any more: it was removed or has another name.'
          : `The file cannot be read or written any more: ${error.problem.detail}`}{' '}
        The text here is {open.changed.value && open.isKept.value ? 'kept by this browser' : 'in this window'}
        .
      </p>
      <div class="row">
        {isNothingThere && (
          <button
            class="primary"
            onClick={() =>
              isUnderWay(writing) ||
              toastSaved(
                open.file,
                once(writing, () => open.writeAnew()),
              )
            }
          >
            Write it anew
          </button>
        )}
        <button
          onClick={() =>
            void navigator.clipboard.writeText(text).then(() => toast('The text is copied.'), toastError)
          }
        >
          Copy the text
        </button>
        {!isNothingThere && (
          <button class="quiet" onClick={() => void open.look()}>
            Look again
          </button>
        )}
      </div>
    </div>
  );
}

/** Both changes in one text, or why there is none. */
function joinedText(open: OpenDocument, theirs: string, mine: Text): Text | string {
  const { base } = open.saved.value;
  if (base === undefined)
    return 'They cannot be joined: the text from which both come is not known any more.';
  const merged = mergeTexts(base, mine.toString(), theirs);
  return merged === undefined
    ? 'They cannot be joined: both changed the same lines, or lines next to each other.'
    : toText(merged);
}
