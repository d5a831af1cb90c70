/** What was typed in windows that are gone, where it is not what this window shows: it is kept until somebody chooses. */
import { useSignal } from '@preact/signals';
import { counted } from '../../../../src/core/counted.ts';
import { Diff } from '../../parts/diff.tsx';
import { toastError } from '../../shell/toasts.ts';
import type { OpenDocument } from './open-document.ts';

export function LeftDrafts({ open }: { readonly open: OpenDocument }) {
  const shown = useSignal(false);
  const drafts = open.left.drafts.value;
  const [left] = drafts;
  if (left === undefined) return null;
  return (
    <div class="outside" role="status">
      <p>
        {drafts.length === 1
          ? 'A window that was closed left a text of this file that was not saved.'
          : `Windows that were closed left ${counted(drafts.length, 'text')} of this file that were not saved.`}{' '}
        {drafts.length === 1 ? 'It is' : 'They are'} kept until you choose.
      </p>
      <div class="row">
        <button onClick={() => void open.takeLeft(left).catch(toastError)}>
          {open.changed.value ? 'Change places with the text here' : 'Go on with it'}
        </button>
        <button onClick={() => open.left.drop(left)}>Drop it</button>
        <button class="quiet" aria-expanded={shown.value} onClick={() => (shown.value = !shown.value)}>
          Show the difference
        </button>
      </div>
      {shown.value && <Diff before={open.text.value.toString()} after={left.text} />}
    </div>
  );
}
