/**
 * What real HOLs said, as bytes; `frames.jsonl` is of a bare HOL with colours, `session.jsonl` of one that Quod
 * talked to.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Recorded } from './recording-hol-format.ts';

const lines = (name: string): readonly string[] =>
  readFileSync(new URL(`recordings/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

export interface RecordedFrame {
  readonly command: string;
  readonly answer: Buffer;
}

export function recordedFrames(): readonly RecordedFrame[] {
  return lines('frames.jsonl').map((line) => {
    const { command, answer } = JSON.parse(line) as { command: string; answer: string };
    return { command, answer: Buffer.from(answer, 'latin1') };
  });
}

/** Everything that HOL wrote in a session. */
export function recordedStream(): Buffer {
  const entries = lines('session.jsonl').map((line) => JSON.parse(line) as Recorded);
  return Buffer.concat(
    entries.flatMap((entry) => ('out' in entry ? [Buffer.from(entry.out, 'latin1')] : [])),
  );
}

export const SESSION_RECORDING = fileURLToPath(new URL('recordings/session.jsonl', import.meta.url));
