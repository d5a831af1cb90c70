/**
 * Names in a found proof: those that the file's other proofs give to hypotheses of the same kind, and, where the
 * proof is to be readable, a name for everything where it is brought in. Each change is one guess that the prover
 * is asked about.
 */
import { countOf, orNothing } from '../../../core/entry.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { looksLikeProposition, viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { PLAIN_NAME, wordsOf } from '../../../provers/rocq/goals/names.ts';
import { headOf } from '../../../provers/rocq/goals/term.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';

/** Once may be an accident. */
const HABIT = 2;
/** What a search calls what nobody has named. */
const UNNAMED = /^H\d*$/u;
/** Hypotheses of an induction are no others. */
const OF_INDUCTION = /^IH/u;

/** How a file's proofs call hypotheses, by what these begin with. */
export class NameHabits {
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param goals Of one proof: a name counts once in it. */
  learn(goals: readonly Goal[]): void {
    const seen = new Set<string>();
    for (const goal of goals)
      for (const { name, term } of viewGoal(goal).hypotheses) {
        const head = headOf(term);
        const key = `${head} ${name}`;
        if (UNNAMED.test(name) || OF_INDUCTION.test(name) || seen.has(key) || !looksLikeProposition(term))
          continue;
        seen.add(key);
        const names = this.#counts.get(head) ?? new Map<string, number>();
        names.set(name, countOf(names, name) + 1);
        this.#counts.set(head, names);
      }
  }

  nameFor(head: string): string | undefined {
    const names = [...(this.#counts.get(head) ?? [])].sort(
      (one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1),
    );
    const [most] = names;
    return most === undefined || most[1] < HABIT ? undefined : most[0];
  }
}

/** The script with hypotheses that its sentence `index` introduces named as the file would, one by one. */
export function* habituallyNamed(
  script: ScriptTree,
  index: number,
  after: readonly Goal[],
  habits: NameHabits,
): Generator<ScriptTree> {
  const sentence = script.sentences[index];
  const [goal] = after;
  if (sentence === undefined || goal === undefined || !/^intros? /u.test(sentence)) return;
  const { hypotheses, locals } = viewGoal(goal);
  for (const { text: name } of wordsOf(sentence).slice(1)) {
    const hypothesis = UNNAMED.test(name) ? hypotheses.find((one) => one.name === name) : undefined;
    const better = hypothesis && habits.nameFor(headOf(hypothesis.term));
    if (better === undefined || locals.has(better) || mentions(script, better)) continue;
    yield renamed(script, index, name, better);
  }
}

function mentions({ sentences, children }: ScriptTree, name: string): boolean {
  return (
    sentences.some((sentence) => wordsOf(sentence).some(({ text }) => text === name)) ||
    children.some((child) => mentions(child, name))
  );
}

/** From sentence `from` on. */
function renamed(
  { sentences, children }: ScriptTree,
  from: number,
  name: string,
  better: string,
): ScriptTree {
  return {
    sentences: sentences.map((sentence, at) => (at < from ? sentence : renamedIn(sentence, name, better))),
    children: children.map((child) => renamed(child, 0, name, better)),
  };
}

function renamedIn(sentence: string, name: string, better: string): string {
  return wordsOf(sentence)
    .filter(({ text }) => text === name)
    .reverse()
    .reduce((text, { start, end }) => text.slice(0, start) + better + text.slice(end), sentence);
}

/** The sentence with a name for all that it brings in; nothing where it names all, or brings nothing. */
export function* fullyNamed(sentence: string, before: Goal, after: readonly Goal[]): Generator<string> {
  if (/^intros?$/u.test(sentence)) {
    const [goal, ...others] = after;
    const names = goal === undefined || others.length > 0 ? [] : newNames(before, goal, undefined);
    if (names.length > 0) yield `intros ${names.join(' ')}`;
    return;
  }
  const { analysis, subject, equation } =
    /^(?<analysis>(?:induction|destruct) (?<subject>[^;[\]]+?))(?<equation> eqn:\S+)?$/u.exec(sentence)
      ?.groups ?? {};
  if (analysis === undefined || subject === undefined || / (?:as|using|in) /u.test(analysis)) return;
  const taken = PLAIN_NAME.test(subject) ? subject : undefined;
  const own = equation?.slice(' eqn:'.length);
  const cases = after.map((goal) =>
    newNames(before, goal, taken)
      .filter((name) => name !== own)
      .join(' '),
  );
  if (cases.every((names) => names === '')) return;
  yield `${analysis} as [${cases.join('|')}]${orNothing(equation)}`;
}

/** What a goal has in its context that was not there before; the subject of a case analysis is gone. */
function newNames(before: Goal, goal: Goal, subject: string | undefined): string[] {
  const old = new Set(before.hypotheses.map(({ name }) => name).filter((name) => name !== subject));
  return goal.hypotheses.map(({ name }) => name).filter((name) => !old.has(name));
}
