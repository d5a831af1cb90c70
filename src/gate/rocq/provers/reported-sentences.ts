/**
 * Whether the prover has read the sentences that Quod sees in a text. `coqc -time` reports each sentence that it runs with its
 * place in bytes, whatever the sentence does; a submission can print more such reports, and none of the prover's goes away.
 */
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';

export function cutsAreOurs(printed: string, text: string): boolean {
  const ours = new Set<string>();
  let offset = 0;
  let byte = 0;
  for (const { span } of splitSentences(text).sentences) {
    const start = byte + Buffer.byteLength(text.slice(offset, span.start));
    byte = start + Buffer.byteLength(text.slice(span.start, span.end));
    offset = span.end;
    ours.add(`${start} ${byte}`);
  }
  const reported = new Set<string>();
  for (const [, start = '', end = ''] of printed.matchAll(/Chars (\d+) - (\d+) \[/g)) {
    if (!ours.has(`${start} ${end}`)) return false;
    reported.add(`${start} ${end}`);
  }
  return reported.size === ours.size;
}
