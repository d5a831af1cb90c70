/** A goal that a search did not close, as a lemma that stands above the theorem, unfinished, once a person asks for it. */
import { orNothing } from '../../../../../src/core/entry.ts';
import { lastPart } from '../../../../../src/core/qualified-name.ts';
import { insertionBefore } from '../../../../../src/operations/rocq/proof/proof-with-lemmas.ts';
import { statementNamed } from '../../../../../src/provers/rocq/syntax/named-statements.ts';
import { outlineOf } from '../../../../../src/provers/rocq/syntax/outline.ts';
import { statementOf } from '../../../../../src/provers/rocq/syntax/theorem-text.ts';
import type { Change } from '../changes.ts';

export interface LemmaAbove extends Change {
  readonly name: string;
}

/** Undefined where the text has no such theorem. */
export function lemmaAbove(text: string, theorem: string, statement: string): LemmaAbove | undefined {
  const outline = outlineOf(text);
  const item = statementNamed(outline, theorem);
  if (item === undefined) return undefined;
  const name = freeName(text, `${lastPart(theorem)}_lemma`);
  const { start } = statementOf(outline, item).span;
  const margin = orNothing(/^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0]);
  const lines = `Lemma ${name} :\n  ${statement}.\nProof.\nAdmitted.`.split('\n');
  const { span, text: insert } = insertionBefore(outline, item, [lines.join(`\n${margin}`)]);
  return { name, from: span.start, to: span.end, insert: insert + margin };
}

/** A name that the text has nowhere, not as a part of a longer one either. */
function freeName(text: string, wanted: string): string {
  for (let count = 2, name = wanted; ; count += 1) {
    if (!text.includes(name)) return name;
    name = `${wanted}${count}`;
  }
}

/** Whether the text states this already, however it is laid out. */
export function isStated(text: string, statement: string): boolean {
  return plain(text).includes(`${plain(statement)}.`);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}
