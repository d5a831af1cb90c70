/** Differences of texts line by line, and the joining of two texts that come from one. */
import { diffArrays, diffLines } from 'diff';
import { appendAll } from '../../../src/core/lists/many.ts';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** With as many lines around each change as `context` says. */
export function diffOf(before: string, after: string, context = 3): DiffLine[] {
  const lines: DiffLine[] = diffLines(before, after).flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind, text }) as const);
  });
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: DiffLine[] = [];
  lines.forEach((line, index) => {
    if (isNear[index] === true) shown.push(line);
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '⋯' });
  });
  return shown;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Undefined where both changed the same lines, or lines that touch, in different ways. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const from = base.split('\n');
  const ours = changesOf(from, mine.split('\n'));
  const other = changesOf(from, theirs.split('\n'));
  const merged: string[] = [];
  let at = 0;
  let [left, right] = [0, 0];
  for (;;) {
    const one = ours[left];
    const two = other[right];
    if (one === undefined && two === undefined) break;
    if (one !== undefined && two !== undefined && one.start <= two.end && two.start <= one.end) {
      if (!sameChange(one, two)) return undefined;
      left += 1;
      right += 1;
      appendAll(merged, [...from.slice(at, one.start), ...one.lines]);
      at = one.end;
      continue;
    }
    const isOurs = two === undefined || (one !== undefined && one.start < two.start);
    const next = isOurs ? one : two;
    if (next === undefined) break;
    appendAll(merged, [...from.slice(at, next.start), ...next.lines]);
    at = next.end;
    if (isOurs) left += 1;
    else right += 1;
  }
  return [...merged, ...from.slice(at)].join('\n');
}

function sameChange(one: Change, two: Change): boolean {
  return (
    one.start === two.start &&
    one.end === two.end &&
    one.lines.length === two.lines.length &&
    one.lines.every((line, index) => line === two.lines[index])
  );
}

function changesOf(from: string[], to: string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  for (const { value, added, removed } of diffArrays(from, to)) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = changes.at(-1);
    const touching = last !== undefined && last.end === at ? last : undefined;
    if (touching !== undefined) changes.pop();
    const start = touching?.start ?? at;
    const lines = [...(touching?.lines ?? []), ...(added ? value : [])];
    if (removed) at += value.length;
    changes.push({ start, end: at, lines });
  }
  return changes;
}
