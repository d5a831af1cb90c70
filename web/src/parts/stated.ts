/** A statement in a list: its colour, and the line that stands behind its name. */
import type { OutputOf } from '../server/client.ts';
import type { Tone } from './badge.tsx';

export type Statement = OutputOf<'proof_statements'>['statements'][number];

export const STATE_TONES: Readonly<Record<Statement['state'], Tone>> = {
  proved: 'good',
  open: 'open',
  assumed: 'open',
  defined: 'plain',
};

/** What is stated, without the words before it and its name. */
export function oneLine(statement: string, name: string): string {
  const text = statement.replace(/\s+/g, ' ');
  const behind = text.indexOf(name);
  return (behind < 0 ? text : text.slice(behind + name.length)).slice(0, 240);
}
