/**
 * The text before a theorem with earlier proofs admitted, so that trying something at the theorem costs a fraction. It
 * is not quite the real text: a theorem of a closed section comes without the hypotheses that only its proof used. So
 * what was found on it counts after a judge has seen the real text, and where it does not compile the real text is
 * used.
 */
import { entryAt, orNothing } from '../../src/core/entry.ts';
import type { FileOutline, TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';

const KEYWORDS = new Set(['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property']);

/** @param kept Names of the theorems whose proofs stay. */
export function lightenedBefore(
  outline: FileOutline,
  target: TheoremItem,
  kept: ReadonlySet<string> = new Set(),
): string {
  const end = entryAt(outline.sentences, target.sentence, 'sentence').span.end;
  let text = '';
  let from = 0;
  for (const item of outline.statements) {
    if (item.sentence >= target.sentence) break;
    const first = outline.sentences[item.body.first];
    const closing = item.closing === undefined ? undefined : outline.sentences[item.closing];
    if (
      first === undefined ||
      closing === undefined ||
      item.closingWord !== 'Qed' ||
      item.hole !== undefined ||
      !KEYWORDS.has(item.keyword) ||
      kept.has(orNothing(item.name)) ||
      actsBeyond(outline, item)
    )
      continue;
    text += `${outline.text.slice(from, first.span.start)}Admitted.`;
    from = closing.span.end;
  }
  return text + outline.text.slice(from, end);
}

/** Commands inside a proof that act on what follows it must stay. */
function actsBeyond(outline: FileOutline, item: TheoremItem): boolean {
  for (let index = item.body.first; index < item.body.end; index += 1) {
    if (outline.heads[index]?.kind === 'require') return true;
    if (
      /^(Set|Unset|Local|Global|Import|Open|Hint|Notation|Ltac)\b/.test(
        entryAt(outline.sentences, index, 'sentence').text,
      )
    )
      return true;
  }
  return false;
}
