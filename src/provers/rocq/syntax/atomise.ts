/**
 * Cuts a compound tactic into the steps that it takes one after the other. A step that was recorded on the goal that it
 * met itself is found and carried over far better than the compound it stood in.
 */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { parseTactic } from './tactics.ts';
import { printTactic, type TacticExpression } from './tactic-tree.ts';

/** After `prefix` was run, `steps[i]` is what the compound does to the goal number `i`. */
export interface Cut {
  readonly prefix: string;
  readonly steps: readonly string[];
}

export interface AtomisedTactic {
  /** What the tactic does first, by itself, on the goal as it stands. */
  readonly first: readonly string[];
  readonly cuts: readonly Cut[];
}

export function atomise(tactic: string): AtomisedTactic {
  const first: string[] = [];
  const cuts: Cut[] = [];
  visit(unwrap(parseTactic(tactic)), '', { first, cuts });
  return { first: first.filter((text) => text !== tactic), cuts };
}

function visit(expression: TacticExpression, prefix: string, into: { first: string[]; cuts: Cut[] }): void {
  const record = (text: string): void => {
    if (text === '') return;
    if (prefix === '') into.first.push(text);
    else into.cuts.push({ prefix, steps: [text] });
  };
  switch (expression.kind) {
    case 'sequence': {
      let done = prefix;
      for (const child of expression.children) {
        const text = printTactic(child).trim();
        if (child.kind === 'dispatch') {
          if (done !== '')
            into.cuts.push({
              prefix: done,
              steps: child.children.map((branch) => printTactic(branch).trim()),
            });
        } else visit(unwrap(child), done, into);
        done = done === '' ? text : `${done}; ${text}`;
      }
      return;
    }
    case 'atom': {
      const text = expression.text.trim();
      const rewrites = expression.head === 'rewrite' ? rewriteSteps(text) : [];
      if (rewrites.length < 2) {
        record(text);
        return;
      }
      let done = prefix;
      for (const step of rewrites) {
        if (done === '') into.first.push(step);
        else into.cuts.push({ prefix: done, steps: [step] });
        done = done === '' ? step : `${done}; ${step}`;
      }
      return;
    }
    default:
      record(printTactic(expression).trim());
  }
}

/** The tactic under the sentence, `by`, `now` and brackets. */
function unwrap(expression: TacticExpression): TacticExpression {
  if (expression.kind === 'atom' || expression.kind === 'nothing') return expression;
  const only = expression.children.length === 1 ? expression.children[0] : undefined;
  if (only === undefined) return expression;
  const wrapper = entryAt(expression.glue, 0, 'piece of glue').trim();
  return expression.kind === 'sentence' || wrapper === 'by' || wrapper === 'now' || wrapper === '('
    ? unwrap(only)
    : expression;
}

/** `rewrite a, b in H` and SSReflect's `rewrite a b` as single rewrites. */
function rewriteSteps(text: string): string[] {
  const list = /^rewrite\s+(?<list>[^]+)$/u.exec(text)?.groups?.['list'];
  if (list === undefined || /\bby\b/u.test(list)) return [];
  const target = orNothing(/\s+in\s+[^,]+$/u.exec(list)?.[0]);
  const lemmas = list.slice(0, list.length - target.length);
  const parts = lemmas.includes(',')
    ? lemmas.split(',').map((part) => part.trim())
    : (lemmas.match(ITEM) ?? []);
  return parts.map((part) => `rewrite ${part}${target}`);
}

const ITEM = /(?:[^\s()[\]{}]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|\{[^}]*\})+/gu;
