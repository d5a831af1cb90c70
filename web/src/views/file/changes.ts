/**
 * Changes of the text that a person accepted. They can be undone, and the disk knows nothing of them before they
 * are saved.
 */
import type { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { orNothing } from '../../../../src/core/entry.ts';
import { behind, isAt, type Place } from './place.ts';

/**
 * Puts a script behind the cursor, on a line of its own where the line has something already.
 * @param shown The place that it was shown for. Nothing is changed where the cursor is at another by now, as after the first of
 *   two clicks.
 */
export function insertAtCursor(view: EditorView | undefined, shown: Place, script: string): void {
  if (view === undefined) return;
  const { doc, selection } = view.state;
  if (!isAt(shown, doc, selection.main.head)) return;
  const { cursor, ...range } = insertion(doc, behind(shown, doc, selection.main.head), script);
  change(view, range, cursor);
}

/** A script on a line of its own: what stands before it on the line, and what stands behind it, are on others. */
export function insertion(doc: Text, at: number, script: string): Change & { readonly cursor: number } {
  const line = doc.lineAt(at);
  const before = line.text.slice(0, at - line.from);
  const rest = line.text.slice(at - line.from);
  const indent = orNothing(/^\s*/.exec(line.text)?.[0]);
  const own = before.trim() === '' ? script : `\n${indent}${script}`;
  if (rest.trim() === '') return { from: at, to: at, insert: own, cursor: own.length };
  const blank = rest.length - rest.trimStart().length;
  const next = before.trim() === '' ? before : indent;
  return { from: at, to: at + blank, insert: `${own}\n${next}`, cursor: own.length };
}

/** A part of the text, as it is now, and what goes there. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * Several at once, which are undone at once.
 * @param shown The text whose places they have. Nothing is changed where the editor has another by now, as after the first of two
 *   clicks.
 */
export function acceptChanges(view: EditorView | undefined, shown: Text, changes: readonly Change[]): void {
  if (view?.state.doc.eq(shown) !== true) return;
  const [first, ...others] = changes;
  if (first !== undefined && others.length === 0) {
    change(view, first);
    return;
  }
  view.dispatch({ changes: [...changes], userEvent: 'input.accept' });
  view.focus();
}

/** @param cursor Where in what was inserted the cursor is to stand; behind it when not given. */
export function change(view: EditorView, range: Change, cursor = range.insert.length): void {
  const anchor = range.from + cursor;
  view.dispatch({
    changes: range,
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'nearest', yMargin: 60 }),
    userEvent: 'input.accept',
  });
  view.focus();
}
