/** What a reader stumbles over in a script, counted by the text alone. */
import { tacticWords } from '../../src/provers/rocq/goals/names.ts';
import type { ScriptTree } from '../../src/provers/rocq/syntax/script-tree.ts';

/** What is counted, and where in a script it is. */
export const BLEMISHES: readonly (readonly [string, (script: ScriptTree) => number])[] = [
  ['rewrites in sentences of their own that could be one', splitRewrites],
  ['rewrites one way and back', undoneRewrites],
  ['equations (`eqn:E`) that nothing names', unusedEquations],
  ['`simpl in *`, `cbn in *`', (script) => matching(script, /\b(?:simpl|cbn) in \*/u)],
  ['automation with a depth (`eauto 7`)', (script) => matching(script, /\be?auto \d+/u)],
  ['automation with lemmas (`using`)', (script) => matching(script, /\be?auto(?: \d+)? using/u)],
  [
    'combined closers (`solve […]`, `intuition (…)`)',
    (script) => matching(script, /\bsolve \[|\bintuition \(/u),
  ],
  ['`induction`', (script) => matching(script, /^induction\b/u)],
];

function allSentences({ sentences, children }: ScriptTree): string[] {
  return [...sentences, ...children.flatMap(allSentences)];
}

function matching(script: ScriptTree, pattern: RegExp): number {
  return allSentences(script).filter((sentence) => pattern.test(sentence)).length;
}

const REWRITE = /^rewrite (?<steps>[^;]+?)(?<place> in [^;]+)?$/u;

/** Over each list of sentences that follow one another: the pairs of rewrites of one place. */
function splitRewrites({ sentences, children }: ScriptTree): number {
  const here = sentences.filter((sentence, index) => {
    const [one, other] = [REWRITE.exec(sentence)?.groups, REWRITE.exec(String(sentences[index + 1]))?.groups];
    return one !== undefined && other !== undefined && one['place'] === other['place'];
  });
  return children.reduce((sum, child) => sum + splitRewrites(child), here.length);
}

function undoneRewrites({ sentences, children }: ScriptTree): number {
  const steps = sentences.flatMap(
    (sentence) => REWRITE.exec(sentence)?.groups?.['steps']?.split(', ') ?? [''],
  );
  const here = steps.filter((step, index) => {
    const next = String(steps[index + 1]);
    return step !== '' && (next === `<- ${step}` || step === `<- ${next}`);
  });
  return children.reduce((sum, child) => sum + undoneRewrites(child), here.length);
}

function unusedEquations(script: ScriptTree): number {
  const all = allSentences(script);
  const isNamed = (name: string, where: string): boolean =>
    all.some((sentence) => sentence !== where && tacticWords(sentence).some(({ text }) => text === name));
  return all.filter((sentence) => {
    const name = /\beqn:(?<name>[\p{L}_][\p{L}\p{N}_']*)/u.exec(sentence)?.groups?.['name'];
    return name !== undefined && !isNamed(name, sentence);
  }).length;
}
