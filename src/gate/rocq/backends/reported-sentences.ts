/**
 * Whether the prover has read the sentences that Quod sees in a text. `coqc -time` reports each sentence that it runs with its
 * place in bytes; a submission can print more such reports, and none of the prover's goes away. It reports none of what goes back
 * in the text (`Restart`).
 */
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';

export function cutsAreOurs(printed: string, text: string): boolean {
  const ours = new Map<string, string>();
  let offset = 0;
  let byte = 0;
  for (const { span, text: sentence } of splitSentences(text).sentences) {
    const start = byte + Buffer.byteLength(text.slice(offset, span.start));
    byte = start + Buffer.byteLength(text.slice(span.start, span.end));
    offset = span.end;
    ours.set(`${start} ${byte}`, sentence);
  }
  const reported = new Set<string>();
  for (const [, start = '', end = ''] of printed.matchAll(/Chars (\d+) - (\d+) \[/g)) {
    if (!ours.has(`${start} ${end}`)) return false;
    reported.add(`${start} ${end}`);
  }
  return [...ours].every(([place, sentence]) => reported.has(place) || goesBack(sentence));
}

/** Where all around it is reported at its place, nothing but this can have been read there. */
function goesBack(sentence: string): boolean {
  return /^(?:Restart|Undo|Undo \d+|Abort All)\.$/u.test(sentence);
}
