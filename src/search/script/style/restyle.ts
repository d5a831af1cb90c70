/**
 * Rewrites a found proof as an author of its file would have written it. Every change is run by the prover before it is
 * kept, so what comes out closes the same goals; where the prover says no, or time is over, the proof stays as it was.
 */
import { entryAt } from '../../../core/entry.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { scriptSentences, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import type { ScriptChecker } from '../script-checker.ts';
import { OF_ANY_CASE, ofSubjects } from './case-subjects.ts';
import { fullyNamed, habituallyNamed, posedNamed, type NameHabits } from './naming.ts';
import { INTRODUCES, namedByStatement } from './given-names.ts';
import { flattened, isPlainer, plainerScripts } from './plainer.ts';
import type { WantedStyle } from './file-style.ts';

export interface RestyleOptions {
  readonly wantedStyle: WantedStyle;
  readonly habits: NameHabits;
  /** How many changed proofs the prover may be asked about. */
  readonly attempts: number;
  /** Milliseconds of the prover's work (`ScriptChecker.workedMs`) after which nothing is tried. */
  readonly workMs: number | undefined;
  readonly signal: AbortSignal;
}

export async function restyle(
  script: ScriptTree,
  checker: ScriptChecker,
  options: RestyleOptions,
): Promise<RestyledProof> {
  const found = flattened(script);
  return { found, ...(await new Restyling(checker, options).restyle(found)) };
}

export interface RestyledProof {
  readonly found: ScriptTree;
  readonly written: ScriptTree;
  /** Before anything was named for people: what another proof may begin with, whose hypotheses have other names. */
  readonly unnamed: ScriptTree;
}

/** Where a part of the proof is: what runs before it, and the whole with another part in its place. */
interface Place {
  readonly before: readonly string[];
  readonly whole: (part: ScriptTree) => ScriptTree;
}

/** A sentence of a proof: the goal that it works on, what it leaves, and what runs before it. */
interface Step {
  readonly before: Goal;
  readonly after: readonly Goal[];
  readonly already: readonly string[];
  readonly whole: Place['whole'];
}

class Restyling {
  readonly #checker: ScriptChecker;
  readonly #options: RestyleOptions;
  readonly #tried = new Set<string>();
  #asked = 0;
  /** A change must not make the proof slower. */
  #stepMs: number | undefined;
  readonly #end: number;

  constructor(checker: ScriptChecker, options: RestyleOptions) {
    this.#checker = checker;
    this.#options = options;
    this.#end = checker.workedMs + (options.workMs ?? Infinity);
  }

  async restyle(script: ScriptTree): Promise<Omit<RestyledProof, 'found'>> {
    // Joining two scripts' ends may leave one branch alone: it then stands in one list with what is before it.
    if (!(await this.#checker.passesScript(script))) return { written: script, unnamed: script };
    // What is measured has no place in a run that can be repeated.
    if (this.#options.workMs !== undefined) this.#stepMs = this.#checker.stepMsFor(script);
    const plain = await this.#plainer(script);
    const said = await this.#saidOfSubjects(plain, { before: [], whole: (part) => part });
    const unnamed = said === plain ? plain : await this.#plainer(said);
    const written = await this.#named(unnamed, { before: [], whole: (part) => part });
    return { written, unnamed };
  }

  async #plainer(script: ScriptTree): Promise<ScriptTree> {
    let best = script;
    for (let changed = true; changed;) {
      changed = false;
      for (const candidate of plainerScripts(best, this.#options.wantedStyle)) {
        if (this.#isOver()) return best;
        if (!isPlainer(candidate, best) || !(await this.#passes(candidate))) continue;
        best = flattened(candidate);
        changed = true;
        break;
      }
    }
    return best;
  }

  /** The part at a place, where a case analysis of whatever the goal shows is one of what it does show. */
  async #saidOfSubjects(part: ScriptTree, { before, whole }: Place): Promise<ScriptTree> {
    let said = part;
    const ahead = [...before];
    for (const [index, sentence] of part.sentences.entries()) {
      if (this.#isOver()) return said;
      const [goal] = OF_ANY_CASE.test(sentence) ? ((await this.#checker.goalsAfter(ahead)) ?? []) : [];
      for (const one of goal === undefined ? [] : ofSubjects(sentence, goal)) {
        const candidate = { ...said, sentences: said.sentences.with(index, one) };
        if (!(await this.#passes(whole(candidate)))) continue;
        said = candidate;
        break;
      }
      ahead.push(`${entryAt(said.sentences, index, 'sentence')}.`);
    }
    for (const [index, child] of part.children.entries()) {
      const inner = await this.#saidOfSubjects(child, {
        before: [...ahead, '{'],
        whole: (changed) => whole({ ...said, children: said.children.with(index, changed) }),
      });
      if (inner !== child) said = { ...said, children: said.children.with(index, inner) };
      appendAll(ahead, ['{', ...scriptSentences(inner), '}']);
    }
    return said;
  }

  /** The part at a place, with names. */
  async #named(part: ScriptTree, { before, whole }: Place): Promise<ScriptTree> {
    const { wantedStyle, habits } = this.#options;
    let named = part;
    for (let index = 0; index < named.sentences.length && !this.#isOver(); index += 1) {
      const already = [...before, ...named.sentences.slice(0, index).map((text) => `${text}.`)];
      if (INTRODUCES.test(entryAt(named.sentences, index, 'sentence'))) {
        const [goal] = (await this.#checker.goalsAfter(already)) ?? [];
        const candidates = goal === undefined ? [] : namedByStatement(named, index, goal, habits);
        named = (await this.#firstThatPasses(candidates, whole)) ?? named;
      }
      const sentence = entryAt(named.sentences, index, 'sentence');
      if (wantedStyle.style === 'readable' && BRINGS_IN.test(sentence)) {
        const [goal] = (await this.#checker.goalsAfter(already)) ?? [];
        const after = await this.#checker.goalsAfter([...already, `${sentence}.`]);
        if (goal === undefined || after === undefined) break;
        named = await this.#readable(named, index, { before: goal, after, already, whole });
      }
      if (!/^intros? /u.test(entryAt(named.sentences, index, 'sentence'))) continue;
      const after = await this.#checker.goalsAfter([
        ...already,
        `${entryAt(named.sentences, index, 'sentence')}.`,
      ]);
      for (let changed = after !== undefined; changed && after !== undefined;) {
        const better = await this.#firstThatPasses(habituallyNamed(named, index, after, habits), whole);
        changed = better !== undefined;
        named = better ?? named;
      }
    }
    const ahead = [...before, ...named.sentences.map((text) => `${text}.`)];
    for (const [index, child] of named.children.entries()) {
      const renamed = await this.#named(child, {
        before: [...ahead, '{'],
        whole: (inner) => whole({ ...named, children: named.children.with(index, inner) }),
      });
      named = { ...named, children: named.children.with(index, renamed) };
      appendAll(ahead, ['{', ...scriptSentences(renamed), '}']);
    }
    return named;
  }

  /** With a name for all that a sentence brings in, which then is what it was without. */
  async #readable(
    script: ScriptTree,
    index: number,
    { before, after, already, whole }: Step,
  ): Promise<ScriptTree> {
    for (const texts of fullyNamed(entryAt(script.sentences, index, 'sentence'), before, after)) {
      const { sentences } = script;
      const candidate = {
        ...script,
        sentences: [...sentences.slice(0, index), ...texts, ...sentences.slice(index + 1)],
      };
      const reached = await this.#checker.goalsAfter([...already, ...texts.map((text) => `${text}.`)]);
      if (reached !== undefined && areAlike(reached, after) && (await this.#passes(whole(candidate))))
        return candidate;
    }
    return (await this.#firstThatPasses(posedNamed(script, index, before, after), whole)) ?? script;
  }

  async #firstThatPasses(
    candidates: Iterable<ScriptTree>,
    whole: Place['whole'],
  ): Promise<ScriptTree | undefined> {
    for (const candidate of candidates)
      if (!this.#isOver() && (await this.#passes(whole(candidate)))) return candidate;
    return undefined;
  }

  /** Asks the prover once about each script. */
  async #passes(script: ScriptTree): Promise<boolean> {
    const text = scriptSentences(script).join('\n');
    if (this.#tried.has(text) || this.#isOver()) return false;
    this.#tried.add(text);
    const { ran } = this.#checker;
    const passes = await this.#checker.passesScript(script, this.#stepMs);
    // What fails as it did before costs nothing.
    if (this.#checker.ran > ran) this.#asked += 1;
    return passes;
  }

  #isOver(): boolean {
    const { attempts, signal } = this.#options;
    return this.#asked >= attempts || this.#checker.workedMs > this.#end || signal.aborted;
  }
}

const BRINGS_IN = /^(?:intros?|induction|destruct|pose proof)\b/u;

/** Whether hypotheses have the same names and types, in whatever order. */
function areAlike(some: readonly Goal[], others: readonly Goal[]): boolean {
  const shown = (goals: readonly Goal[]): string =>
    JSON.stringify(
      goals.map(({ hypotheses }) => hypotheses.map(({ name, type }) => `${name} : ${type}`).sort()),
    );
  return shown(some) === shown(others);
}
