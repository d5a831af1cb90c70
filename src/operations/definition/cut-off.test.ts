/** One rule for all operations: what was refused does not hold, and of what was cut off else nothing is known. */
import { expect, test } from 'vitest';
import { operationNamed } from '../catalogue.ts';
import { noCounts } from '../../mining/mined-counts.ts';
import { countsOf } from '../data/mined-counts.ts';
import { holdsOf } from '../files/check-report.ts';

const NOWHERE = {
  library: null,
  file: null,
  line: null,
  column: null,
  seconds: null,
  message: null,
  reason: null,
};

function built(kind: string, stopped: string | null) {
  return { complete: false, steps: [{ kind, ...NOWHERE }], stopped, passed_over: [], seconds: 1 };
}

/** Of a run of sources one of which is done. */
function ran(failed: number, stopped: string | null) {
  const done = { unchanged: 1, failed, left: stopped === null ? 0 : 1, stopped, seconds: 1 };
  return {
    data_index: { files: [], indexed: 0, steps: 0, ...done },
    data_mine: { sources: [], mined: 0, counts: countsOf(noCounts()), ...done },
  };
}

interface File {
  readonly holes: readonly string[];
  readonly errors: number | null;
  readonly read_from: string;
  readonly stale: readonly string[];
  readonly unchecked: { readonly reason: string; readonly message: string } | null;
}

/** A file that was run to its end, and holds. */
const RUN: File & Readonly<Record<string, unknown>> = {
  ...{ file: 'a.v', language: 'rocq', holes: [], open: 0, read_from: 'run', errors: 0, following: 0 },
  superseded: [],
  ...{ first_error: null, unchecked: null, compiled: null, stale: [], rests_on: [] },
};
/** One that was cut off. */
const CUT = { ...RUN, read_from: 'text', errors: null, unchecked: { reason: 'timeout', message: 'Over.' } };
const HOLE = { holes: ['t'] };

function status(...files: readonly File[]) {
  const errors = files.flatMap((file) => file.errors ?? []);
  return {
    files,
    holes: files.flatMap((file) => file.holes).length,
    following: 0,
    not_checked: 0,
    open: 0,
    errors: errors.length === 0 ? null : errors.reduce((sum, count) => sum + count, 0),
    ...{ unread: [], passed_over: [], stopped: null },
  };
}

test.each<[name: string, answer: object, holds: boolean | undefined]>([
  ['proof_build', built('failed', 'timeout'), false],
  ['proof_build', built('stopped', 'timeout'), undefined],
  ['proof_build', built('left-out', null), false],
  ['data_index', ran(1, 'timeout').data_index, false],
  ['data_index', ran(0, 'timeout').data_index, undefined],
  ['data_index', ran(0, null).data_index, true],
  ['data_mine', ran(1, 'timeout').data_mine, false],
  ['data_mine', ran(0, 'timeout').data_mine, undefined],
  ['data_mine', { ...ran(1, null).data_mine, unchanged: 0 }, false],
  ['proof_status', status({ ...CUT, errors: 1 }), false],
  ['proof_status', status({ ...CUT, ...HOLE }), undefined],
  ['proof_status', status(CUT, { ...RUN, ...HOLE }), false],
  ['proof_status', status({ ...RUN, ...HOLE, read_from: 'text' }), false],
  ['proof_status', status({ ...RUN, stale: ['b.v'] }), undefined],
  ['proof_status', status(RUN), true],
])('%s, %j', (name, answer, holds) => {
  expect(operationNamed(name)?.readAnswer(answer).holds()).toBe(holds);
});

test('a hole in a file that was not checked to its end is not known to be one', () => {
  expect(holdsOf({ errors: [], holes: [HOLE], partial: true }, [])).toBeNull();
  expect(holdsOf({ errors: [], holes: [HOLE], partial: false }, [])).toBe(false);
});
