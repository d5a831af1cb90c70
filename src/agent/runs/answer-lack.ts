/** What a model's answer lacks, in words that say it of one as of several: `empty`. Nobody should take it for a try. */
import { counted } from '../../core/counted.ts';
import { orZero } from '../../core/entry.ts';
import type { EventOf } from './events.ts';

type Answer = Pick<EventOf<'model-answered'>, 'text' | 'calls' | 'finish'>;

/** Undefined for one that has something in it, and that the server did not end. */
export function answerLack({ text, calls, finish }: Answer): string | undefined {
  const isEmpty = text.trim() === '' && calls.length === 0;
  switch (finish) {
    case 'content-filter':
      return isEmpty ? 'held back by the filter of the server' : 'cut off by the filter of the server';
    case 'length':
      return `cut off by the limit on the length of answers${isEmpty ? ', before the first word' : ''}`;
    default:
      return isEmpty ? 'empty' : undefined;
  }
}

/** `of 4 answers 2 were empty`; undefined where none lacks anything. */
export function answerLacks(answers: readonly Answer[]): string | undefined {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const lack = answerLack(answer);
    if (lack !== undefined) counts.set(lack, orZero(counts.get(lack)) + 1);
  }
  if (counts.size === 0) return undefined;
  const told = [...counts].map(([lack, count]) => `${count} ${count === 1 ? 'was' : 'were'} ${lack}`);
  return `of ${counted(answers.length, 'answer')} ${told.join('; ')}`;
}
