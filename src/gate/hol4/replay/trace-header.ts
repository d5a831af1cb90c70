/** The head of a text trace: which theory it is of, and on which builds of which others it rests. */
import { unescapeName } from '../kernel/statement.ts';
import { MalformedTrace, type TraceReader } from '../trace/trace-reader.ts';
import type { ParentTheory } from './replayed-theories.ts';

export interface TraceHeader {
  readonly name: string;
  readonly parents: readonly ParentTheory[];
}

/** The lines `theory NAME` and `parent NAME HASH` at the beginning. */
export function readTraceHeader(reader: TraceReader): TraceHeader {
  if (reader.word() !== 'theory') throw new MalformedTrace('A trace begins with `theory NAME`.');
  const name = unescapeName(reader.word());
  reader.endLine();
  if (name === 'min' || name.includes('$')) throw new MalformedTrace(`No theory can be called ${name}.`);
  const parents: ParentTheory[] = [];
  while (reader.peek() === 'p'.charCodeAt(0)) {
    if (reader.word() !== 'parent') throw new MalformedTrace('An unknown line stands among the parents.');
    parents.push({ name: unescapeName(reader.word()), hash: reader.rest() });
    reader.endLine();
  }
  return { name, parents };
}
