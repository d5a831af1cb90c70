/**
 * Rewrites a found proof as an author of its file would have written it. Every change is run by the prover before it is
 * kept, so what comes out closes the same goals; where the prover says no, or time is over, the proof stays as it was.
 */
import { entryAt } from '../../../core/entry.ts';
import { scriptSentences, sentenceCount, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import type { ScriptChecker } from '../script-checker.ts';
import { fullyNamed, habituallyNamed, type NameHabits } from './naming.ts';
import { flattened, plainerScripts, type WantedStyle } from './plainer.ts';

export interface RestyleOptions {
  readonly wantedStyle: WantedStyle;
  readonly habits: NameHabits;
  /** How many changed proofs may be tried. */
  readonly attempts: number;
  /** Nothing is tried after this moment of `performance.now()`. */
  readonly deadline: number | undefined;
  readonly signal: AbortSignal;
}

export async function restyle(
  script: ScriptTree,
  checker: ScriptChecker,
  options: RestyleOptions,
): Promise<ScriptTree> {
  return new Restyling(checker, options).restyle(flattened(script));
}

/** Where a part of the proof is: what runs before it, and the whole with another part in its place. */
interface Place {
  readonly before: readonly string[];
  readonly whole: (part: ScriptTree) => ScriptTree;
}

class Restyling {
  readonly #checker: ScriptChecker;
  readonly #options: RestyleOptions;
  readonly #tried = new Set<string>();

  constructor(checker: ScriptChecker, options: RestyleOptions) {
    this.#checker = checker;
    this.#options = options;
  }

  async restyle(script: ScriptTree): Promise<ScriptTree> {
    // Joining two scripts' ends may leave one branch alone: it then stands in one list with what is before it.
    if (!(await this.#checker.passesScript(script))) return script;
    const plain = await this.#plainer(script);
    return this.#named(plain, { before: [], whole: (part) => part });
  }

  async #plainer(script: ScriptTree): Promise<ScriptTree> {
    let best = script;
    for (let changed = true; changed;) {
      changed = false;
      for (const candidate of plainerScripts(best, this.#options.wantedStyle)) {
        if (this.#isOver()) return best;
        if (!isSmaller(candidate, best) || !(await this.#passes(candidate))) continue;
        best = flattened(candidate);
        changed = true;
        break;
      }
    }
    return best;
  }

  /** The part at a place, with names. */
  async #named(part: ScriptTree, { before, whole }: Place): Promise<ScriptTree> {
    const { wantedStyle, habits } = this.#options;
    let named = part;
    for (let index = 0; index < named.sentences.length && !this.#isOver(); index += 1) {
      const sentence = entryAt(named.sentences, index, 'sentence');
      const already = [...before, ...named.sentences.slice(0, index).map((text) => `${text}.`)];
      if (wantedStyle.style === 'readable' && /^(?:intros?|induction|destruct)\b/u.test(sentence)) {
        const [goal] = (await this.#checker.goalsAfter(already)) ?? [];
        const after = await this.#checker.goalsAfter([...already, `${sentence}.`]);
        if (goal === undefined || after === undefined) break;
        for (const text of fullyNamed(sentence, goal, after)) {
          const candidate = { ...named, sentences: named.sentences.with(index, text) };
          if (await this.#passes(whole(candidate))) named = candidate;
        }
      }
      if (!/^intros? /u.test(entryAt(named.sentences, index, 'sentence'))) continue;
      const after = await this.#checker.goalsAfter([
        ...already,
        `${entryAt(named.sentences, index, 'sentence')}.`,
      ]);
      for (let changed = after !== undefined; changed && after !== undefined;) {
        changed = false;
        for (const candidate of habituallyNamed(named, index, after, habits)) {
          if (this.#isOver() || !(await this.#passes(whole(candidate)))) continue;
          named = candidate;
          changed = true;
          break;
        }
      }
    }
    const ahead = [...before, ...named.sentences.map((text) => `${text}.`)];
    for (const [index, child] of named.children.entries()) {
      const renamed = await this.#named(child, {
        before: [...ahead, '{'],
        whole: (inner) => whole({ ...named, children: named.children.with(index, inner) }),
      });
      named = { ...named, children: named.children.with(index, renamed) };
      ahead.push('{', ...scriptSentences(renamed), '}');
    }
    return named;
  }

  /** Asks the prover once about each script. */
  async #passes(script: ScriptTree): Promise<boolean> {
    const text = scriptSentences(script).join('\n');
    if (this.#tried.has(text) || this.#isOver()) return false;
    this.#tried.add(text);
    return this.#checker.passesScript(script);
  }

  #isOver(): boolean {
    const { attempts, deadline, signal } = this.#options;
    const late = deadline !== undefined && performance.now() > deadline;
    return this.#tried.size >= attempts || late || signal.aborted;
  }
}

/** Fewer sentences, or as many and fewer characters: so there is an end to the changes. */
function isSmaller(one: ScriptTree, other: ScriptTree): boolean {
  const difference = sentenceCount(one) - sentenceCount(other);
  return difference === 0 ? textLength(one) < textLength(other) : difference < 0;
}

function textLength(script: ScriptTree): number {
  return scriptSentences(script).reduce((length, sentence) => length + sentence.length, 0);
}
