/** What the prover says of the text, in the text: a bar at the side of each line, and lines under errors. */
import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import { orZero } from '../../../../src/core/entry.ts';
import { drawnElement } from '../../parts/drawn-text.ts';
import type { Checking } from './checking.ts';
import { offsetOf } from './positions.ts';

export const setChecking = StateEffect.define<Checking>();

interface Fault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  /** Something before it failed, and it is refused for that. */
  readonly follows: boolean;
}

interface Marks {
  readonly lines: DecorationSet;
  readonly faults: readonly Fault[];
  readonly skipped: readonly { readonly from: number; readonly to: number }[];
  /** Up to here it was run. */
  readonly frontier: number;
  readonly running: boolean;
}

const NONE: Marks = { lines: Decoration.none, faults: [], skipped: [], frontier: 0, running: false };

const faultMark = Decoration.mark({ class: 'fault' });
const followingMark = Decoration.mark({ class: 'fault follows' });

const field = StateField.define<Marks>({
  create: () => NONE,
  update: (marks, transaction) => {
    let next = marks;
    if (transaction.docChanged) {
      let first = Infinity;
      transaction.changes.iterChanges((from) => (first = Math.min(first, from)));
      const move = <Range extends { from: number; to: number }>(range: Range): Range => ({
        ...range,
        from: transaction.changes.mapPos(range.from, 1),
        to: transaction.changes.mapPos(range.to, -1),
      });
      next = {
        lines: marks.lines.map(transaction.changes),
        faults: marks.faults.map(move).filter(({ from, to }) => from < to),
        skipped: marks.skipped.map(move),
        frontier: Math.min(marks.frontier, first),
        running: true,
      };
    }
    for (const effect of transaction.effects)
      if (effect.is(setChecking) && effect.value.text.eq(transaction.newDoc))
        next = marksOf(effect.value, transaction.state);
    return next;
  },
  provide: (self) => EditorView.decorations.from(self, ({ lines }) => lines),
});

function marksOf({ sentences, text, state }: Checking, { doc }: EditorState): Marks {
  const builder = new RangeSetBuilder<Decoration>();
  const faults: Fault[] = [];
  const skipped: { from: number; to: number }[] = [];
  for (const { status, error, from, to } of sentences) {
    if (status === 'skipped') skipped.push({ from, to });
    if (error === null) continue;
    const start = offsetOf(text, error);
    const end = Math.min(doc.length, offsetOf(text, { line: error.end_line, column: error.end_column }));
    const fault = start < end ? { from: start, to: end } : { from, to };
    const { follows, follows_line: line } = error;
    const why = follows === null ? '' : `\nIt may follow from ${follows} in line ${line}.`;
    faults.push({ ...fault, message: `${error.message}${why}`, follows: follows !== null });
  }
  faults.sort((left, right) => left.from - right.from);
  for (const { from, to, follows } of faults)
    if (from < to) builder.add(from, to, follows ? followingMark : faultMark);
  return {
    lines: builder.finish(),
    faults,
    skipped,
    frontier: orZero(sentences.at(-1)?.to),
    running: state === 'running' || state === 'waiting',
  };
}

class Bar extends GutterMarker {
  override readonly elementClass: string;

  constructor(kind: string) {
    super();
    this.elementClass = `bar-${kind}`;
  }
}

const BARS = {
  fine: new Bar('fine'),
  fault: new Bar('fault'),
  follows: new Bar('follows'),
  skipped: new Bar('skipped'),
  waiting: new Bar('waiting'),
};

const bars = gutter({
  class: 'bars',
  lineMarker: (view, line) => {
    const marks = view.state.field(field);
    const end = line.from + line.length;
    const meets = ({ from, to }: { from: number; to: number }): boolean => from <= end && to >= line.from;
    const met = marks.faults.filter(meets);
    if (met.length > 0) return met.every(({ follows }) => follows) ? BARS.follows : BARS.fault;
    if (marks.skipped.some(meets)) return BARS.skipped;
    if (line.from < marks.frontier) return BARS.fine;
    return marks.running ? BARS.waiting : null;
  },
  lineMarkerChange: (update) => update.startState.field(field) !== update.state.field(field),
});

/** The message of an error, at the error. */
const faultText = hoverTooltip((view, at) => {
  const fault = view.state.field(field).faults.find(({ from, to }) => from <= at && at <= to);
  if (fault === undefined) return null;
  return {
    pos: fault.from,
    end: fault.to,
    create: () => ({ dom: drawnElement('pre', 'about fault-text', fault.message) }),
  };
});

export const checkMarks: Extension = [field, bars, faultText];

/** Where the errors are, for going from one to the next: not to those that follow from others. */
export function faultsOf(state: EditorState): readonly Fault[] {
  const { faults } = state.field(field);
  const own = faults.filter(({ follows }) => !follows);
  return own.length === 0 ? faults : own;
}
