/** Inductions as authors of SSReflect write them. Each is a guess by the text alone. */
import { orNothing } from '../../../core/entry.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import type { WantedStyle } from './file-style.ts';

const INDUCTION = /^induction (?<name>[\p{L}_][\p{L}\p{N}_']*)(?:; simpl(?: in \*)?)?$/u;
const ENDS = /^(?:done|auto|easy|reflexivity|trivial|congruence)$/u;
const SIMPLIFIES = /^simpl(?: in \*)?$/u;

/** `induction n; simpl. - done. - rewrite IHn a. done.` is `by elim: n => //= n ->; rewrite a`. */
export function* eliminated(
  { sentences, children }: ScriptTree,
  { style, file }: WantedStyle,
): Generator<ScriptTree> {
  const name = INDUCTION.exec(orNothing(sentences.at(-1)))?.groups?.['name'];
  const [base, step, ...others] = children.map(stepsOf);
  if (!file.ssreflect || style !== 'terse' || name === undefined) return;
  if (base === undefined || step === undefined || others.length > 0 || !base.every(isEnd)) return;
  const [rewrite, ...ends] = step;
  const rest = rewriteBehind(orNothing(rewrite), `IH${name}`);
  if (rest === undefined || !ends.every(isEnd)) return;
  const then = rest === '' ? '' : `; rewrite ${rest}`;
  for (const brought of [name, `x ${name}`])
    yield {
      sentences: [...sentences.slice(0, -1), `by elim: ${name} => //= ${brought} ->${then}`],
      children: [],
    };
}

/** Of a branch that has none of its own, without what `//=` does; a branch that has some is another thing. */
function stepsOf({ sentences, children }: ScriptTree): string[] {
  return children.length > 0 ? ['cases'] : sentences.filter((sentence) => !SIMPLIFIES.test(sentence));
}

function isEnd(sentence: string): boolean {
  return ENDS.test(sentence);
}

/** What is rewritten with behind the hypothesis; undefined where that does not come first. */
function rewriteBehind(sentence: string, hypothesis: string): string | undefined {
  const steps = /^(?:by |now )?rewrite (?<steps>[^;,/]+)$/u.exec(sentence)?.groups?.['steps'];
  const [first, ...rest] = orNothing(steps).split(' ');
  return first === hypothesis ? rest.join(' ') : undefined;
}
