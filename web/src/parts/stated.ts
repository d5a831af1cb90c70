/** A statement in a list: its colour, and the line that stands behind its name. */
import type { OutputOf } from '../server/client.ts';
import type { Tone } from './badge.tsx';

export type Statement = OutputOf<'proof_statements'>['statements'][number];

const STATE_TONES: Readonly<Record<Statement['state'], Tone>> = {
  proved: 'good',
  open: 'open',
  assumed: 'open',
  defined: 'plain',
};

/** No compiled file is known to be of its text: what it proves stands there alone. Of other provers than Rocq nobody knows. */
export function isUncompiled({ compiled }: Pick<Statement, 'compiled'>): boolean {
  return compiled !== null && compiled !== 'yes';
}

/** Whether it is said of it beside its state: not where nothing at all is compiled, and it would stand everywhere. */
export function marksUncompiled(one: Statement, all: readonly Statement[]): boolean {
  return one.state === 'proved' && isUncompiled(one) && all.some(({ compiled }) => compiled === 'yes');
}

/** The badge of its state; nothing is green that no prover has taken. */
export function stateBadge(one: Pick<Statement, 'state' | 'compiled' | 'file'>) {
  return one.state === 'proved' && isUncompiled(one)
    ? {
        tone: 'plain' as const,
        title: `As far as the text tells: no compiled file is known to be of ${one.file} as it is now.`,
      }
    : { tone: STATE_TONES[one.state] };
}

const OF_SECTIONS: ReadonlySet<string> = new Set(['Variable', 'Variables', 'Hypothesis', 'Hypotheses']);

/** What a section assumes for itself: many, and nothing that anybody proves or uses elsewhere. */
export function isOfSection({ kind, file }: Statement): boolean {
  return file.endsWith('.v') && OF_SECTIONS.has(kind);
}

/** Names are those of one file. */
export function idOf({ file, name }: Statement): string {
  return `${file}:${name}`;
}

/** What is stated, without the words before it and its name. */
export function statementLine(statement: string, name: string): string {
  const text = statement.replace(/\s+/g, ' ');
  const words = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_']*/gu)];
  const behind = words.find(([word]) => word === name);
  return (behind === undefined ? text : text.slice(behind.index + name.length)).slice(0, 240);
}
