/** Lets a script be executed although one of its proofs fails: the theorem is assumed, and named. */
import type { Script, ScriptItem } from '../../provers/hol4/syntax/script-parts.ts';

/** The item with `cheat` for each of its proofs; undefined when it has none. */
export function assumedItem(
  script: Script,
  item: ScriptItem,
): { readonly name: string; readonly text: string } | undefined {
  const inside = script.theorems.filter(
    ({ span, proof }) => proof !== undefined && span.start >= item.span.start && span.end <= item.span.end,
  );
  const [first] = inside;
  if (first === undefined) return undefined;
  let text = '';
  let at = item.span.start;
  for (const { proof } of inside) {
    if (proof === undefined) continue;
    text += `${script.text.slice(at, proof.start)}\n  cheat\n`;
    at = proof.end;
  }
  return { name: first.name, text: text + script.text.slice(at, item.span.end) };
}

/** Old scripts end with it; executed, it would write files. */
export function exportsTheory(text: string): boolean {
  return /^(?:val\s*(?:_|\(\))\s*=\s*)?(?:Theory\.)?export_theory\b/.test(text);
}
