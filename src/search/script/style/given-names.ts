/**
 * Names that a statement gives. A step that was taken from another proof introduces by the names of that one; here
 * what the statement binds gets the statement's names, and a premise keeps a name from elsewhere only where the file
 * calls premises of its kind so. Each change is a guess that the prover is asked about.
 */
import type { Goal } from '../../../core/proof-state.ts';
import { viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { introductions, type Introduction } from '../../../provers/rocq/goals/introduction-names.ts';
import { PLAIN_NAME } from '../../../provers/rocq/goals/names.ts';
import { headOf } from '../../../provers/rocq/goals/term.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import { mentions, renamed, UNNAMED, type NameHabits } from './naming.ts';

export const INTRODUCES = /^(?:(?:now|by) )?(?:intros?|move=>) ?(?<patterns>[^;:]+)/u;

/** A name that a script gives, and what the statement would have there. */
interface Misnamed extends Introduction {
  readonly given: string;
}

/** The script with what sentence `index` introduces on the goal named by its statement: all of it, or less. */
export function* namedByStatement(
  script: ScriptTree,
  index: number,
  before: Goal,
  habits: NameHabits,
): Generator<ScriptTree> {
  const misnamed = misnamedIn(String(script.sentences[index]), before, habits);
  const bound = misnamed.filter(({ isBound }) => isBound);
  const parts = [misnamed, bound, ...(bound.length > 1 ? bound.map((one) => [one]) : [])];
  for (const part of parts) {
    const names = new Map(part.map(({ given, name }) => [given, name] as const));
    if (names.size === 0) continue;
    // Where one more is called `H`, Rocq calls those behind it by the next numbers.
    for (let one = 'H'; [...names.values()].some(isUnnamed); one = nextUnnamed(one)) {
      if (!mentions(script, one)) break;
      if (!names.has(one)) names.set(one, nextUnnamed(one));
    }
    // A name that stands for something else in the script would be another thing there.
    const isFree = [...names.values()].every((name) => names.has(name) || !mentions(script, name));
    if (isFree) yield renamed(script, index, names);
    const fewer = withLowerNumbers(script, names);
    if (isFree && fewer !== undefined) yield renamed(script, index, fewer);
  }
}

/** Where fewer are called `H`, Rocq calls those behind them by lower numbers. */
function withLowerNumbers(
  script: ScriptTree,
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const gone = [...names].filter(([given, name]) => isUnnamed(given) && !isUnnamed(name)).length;
  const lower = new Map(names);
  const used: string[] = [];
  for (let one = 'H'; used.length < gone || mentions(script, one) || names.has(one); one = nextUnnamed(one)) {
    const instead = used[used.length - gone];
    if (gone > 0 && instead !== undefined && !names.has(one)) lower.set(one, instead);
    used.push(one);
  }
  return lower.size > names.size ? lower : undefined;
}

function misnamedIn(sentence: string, before: Goal, habits: NameHabits): Misnamed[] {
  const { conclusion, locals } = viewGoal(before);
  const brought = introductions(conclusion, locals);
  const misnamed: Misnamed[] = [];
  for (const [at, pattern] of patternsOf(sentence).entries()) {
    const one = brought[at];
    if (one === undefined || /^\*/u.test(pattern)) break;
    const isNamed = PLAIN_NAME.test(pattern) && pattern !== '_' && pattern !== one.name;
    const isUsual = one.premise !== undefined && habits.knows(headOf(one.premise), pattern);
    const isHypothesis = !one.isBound && (isUnnamed(pattern) || isUsual);
    if (isNamed && !isHypothesis) misnamed.push({ ...one, given: pattern });
  }
  return misnamed;
}

function isUnnamed(name: string): boolean {
  return UNNAMED.test(name);
}

function nextUnnamed(name: string): string {
  return name === 'H' ? 'H0' : `H${Number(name.slice(1)) + 1}`;
}

/** What is introduced, one by one, as far as it can be told from the text. */
function patternsOf(sentence: string): string[] {
  const patterns = INTRODUCES.exec(sentence)?.groups?.['patterns'];
  if (patterns === undefined) return [];
  // Views, simplifications and clears of SSReflect bring in nothing.
  const told = sentence.includes('move=>') ? patterns.replace(/\s*(?:\/|\{|[?!]).*$/su, '') : patterns;
  return splitTopLevel(told.replace(/\s+/gu, ' ').trim(), ' ').filter((one) => one !== '');
}
