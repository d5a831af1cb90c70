/**
 * Where coqc found sentences, kept with the sources: what takes hours to ask is asked once. Compressed JSON lines,
 * one for each file, which is known by its hash: ranges as the blank before each sentence and its length, in bytes.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { entryAt } from '../src/core/entry.ts';

/** Half-open range of byte offsets, as coqc prints it. */
export type ByteRange = readonly [start: number, end: number];

export interface SentenceAnswer {
  /** False: coqc did not come to the end, and says nothing about what stands behind the last range. */
  readonly finished: boolean;
  readonly ranges: readonly ByteRange[];
}

const lineSchema = z.object({ hash: z.string(), finished: z.boolean(), steps: z.array(z.number()) });

export function readSentenceRecord(file: string): Map<string, SentenceAnswer> {
  const record = new Map<string, SentenceAnswer>();
  if (!existsSync(file)) return record;
  for (const text of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
    if (text === '') continue;
    const { hash, finished, steps } = lineSchema.parse(JSON.parse(text));
    record.set(hash, { finished, ranges: rangesOf(steps) });
  }
  return record;
}

export function writeSentenceRecord(file: string, record: ReadonlyMap<string, SentenceAnswer>): void {
  const lines = [...record]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([hash, { finished, ranges }]) => `${JSON.stringify({ hash, finished, steps: stepsOf(ranges) })}\n`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(lines.join(''), { level: 9 }));
}

function stepsOf(ranges: readonly ByteRange[]): number[] {
  let at = 0;
  return ranges.flatMap(([start, end]) => {
    const steps = [start - at, end - start];
    at = end;
    return steps;
  });
}

function rangesOf(steps: readonly number[]): ByteRange[] {
  const ranges: ByteRange[] = [];
  let at = 0;
  for (let index = 0; index + 1 < steps.length; index += 2) {
    const start = at + entryAt(steps, index, 'step');
    at = start + entryAt(steps, index + 1, 'step');
    ranges.push([start, at]);
  }
  return ranges;
}
