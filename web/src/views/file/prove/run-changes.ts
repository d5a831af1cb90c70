/** What a proof that a run found changes in a text: where its theorem stands there as it was proved, and nowhere else. */
import { replaced } from '../../../../../src/core/replacement.ts';
import { proofReplacements } from '../../../../../src/operations/rocq/proof/proof-with-lemmas.ts';
import { asRead } from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import { statementNamed } from '../../../../../src/provers/rocq/syntax/named-statements.ts';
import { outlineOf } from '../../../../../src/provers/rocq/syntax/outline.ts';
import { endOfProof, statementOf } from '../../../../../src/provers/rocq/syntax/theorem-text.ts';
import type { Change } from '../changes.ts';

export interface RunFound {
  readonly theorem: string;
  readonly statement: string;
  readonly proof: string;
  /** Helper lemmas that it uses; null: none. */
  readonly before: string | null;
}

/** `taken`: the theorem has this proof. `gone`: there is no such statement, or it has another proof. */
export type RunChanges =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'open'; readonly changes: readonly Change[]; readonly after: string };

export function runChanges(text: string, { theorem, statement, proof, before }: RunFound): RunChanges {
  const outline = outlineOf(text);
  const item = statementNamed(outline, theorem);
  if (item === undefined) return { kind: 'gone' };
  const stated = statementOf(outline, item);
  if (asRead(stated.text) !== asRead(statement)) return { kind: 'gone' };
  const replacements = proofReplacements(outline, item, {
    proof: withPlainEnds(proof),
    before: before === null ? undefined : withPlainEnds(before),
  });
  const after = replaced(text, replacements);
  if (item.hole === undefined) return { kind: hasSameProof(text, after, theorem) ? 'taken' : 'gone' };
  const changes = replacements.map(({ span: { start, end }, text: insert }) => ({
    ...{ from: start, to: end, insert },
  }));
  return { kind: 'open', changes, after };
}

/** Whether the theorem has the same proof in both texts. */
function hasSameProof(one: string, other: string, theorem: string): boolean {
  const [proof, another] = [one, other].map((text) => {
    const outline = outlineOf(text);
    const item = statementNamed(outline, theorem);
    if (item === undefined) return undefined;
    return outline.sentences
      .slice(item.sentence + 1, endOfProof(item))
      .map((sentence) => asRead(sentence.text));
  });
  return proof !== undefined && proof.join(' ') === another?.join(' ');
}

/** On the disk, and so in what was found, the lines may end otherwise than in the editor. */
function withPlainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
