/**
 * Names in a found proof: those that the file's other proofs give to hypotheses of the same kind, and, where the
 * proof is to be readable, a name for everything where it is brought in. Each change is one guess that the prover
 * is asked about.
 */
import { countOf, orNothing } from '../../../core/entry.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { looksLikeProposition, viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../../provers/rocq/goals/introduction-names.ts';
import { PLAIN_NAME, tacticWords } from '../../../provers/rocq/goals/names.ts';
import { headOf } from '../../../provers/rocq/goals/term.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';

/** Once may be an accident. */
const HABIT = 2;
/** What a search calls what nobody has named. */
export const UNNAMED = /^H\d*$/u;
const NOTHING: ReadonlySet<string> = new Set();
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

  /** Whether one of them calls a hypothesis that begins so by this name. */
  knows(head: string, name: string): boolean {
    return this.#counts.get(head)?.has(name) === true;
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
  for (const { text: name } of tacticWords(sentence).slice(1)) {
    const hypothesis = UNNAMED.test(name) ? hypotheses.find((one) => one.name === name) : undefined;
    const better = hypothesis && habits.nameFor(headOf(hypothesis.term));
    if (better === undefined || locals.has(better) || mentions(script, better)) continue;
    yield renamed(script, index, new Map([[name, better]]));
  }
}

export function mentions({ sentences, children }: ScriptTree, name: string): boolean {
  return (
    sentences.some((sentence) => tacticWords(sentence).some(({ text }) => text === name)) ||
    children.some((child) => mentions(child, name))
  );
}

/** From sentence `from` on, all at the same time. */
export function renamed(
  { sentences, children }: ScriptTree,
  from: number,
  names: ReadonlyMap<string, string>,
): ScriptTree {
  return {
    sentences: sentences.map((sentence, at) => (at < from ? sentence : renamedIn(sentence, names))),
    children: children.map((child) => renamed(child, 0, names)),
  };
}

function renamedIn(sentence: string, names: ReadonlyMap<string, string>): string {
  return tacticWords(sentence)
    .toReversed()
    .reduce((text, { text: word, start, end }) => {
      const better = names.get(word);
      return better === undefined ? text : text.slice(0, start) + better + text.slice(end);
    }, sentence);
}

/**
 * Sentences that do the same as one and name all that it brings in; nothing where it names all, or brings nothing.
 */
export function* fullyNamed(sentence: string, before: Goal, after: readonly Goal[]): Generator<string[]> {
  if (/^intros?$/u.test(sentence)) {
    const [goal, ...others] = after;
    const names = goal === undefined || others.length > 0 ? [] : newNames(before, goal, NOTHING);
    if (names.length > 0) yield [`intros ${names.join(' ')}`];
    return;
  }
  const { analysis, subject, equation } =
    /^(?<analysis>(?:induction|destruct) (?<subject>[^;[\]]+?))(?<equation> eqn:\S+)?$/u.exec(sentence)
      ?.groups ?? {};
  if (analysis === undefined || subject === undefined || / (?:as|using|in) /u.test(analysis)) return;
  const taken = PLAIN_NAME.test(subject) ? subject : undefined;
  const own = equation?.slice(' eqn:'.length);
  // What stands in front of the subject in the statement is brought in with it.
  const brought = taken === undefined ? [] : namesUpTo(taken, before);
  const others = new Set([...brought.slice(0, -1), own]);
  const introduction = brought.length === 0 ? [] : [`intros ${brought.join(' ')}`];
  for (const gone of goneWith(taken, before)) {
    const cases = after.map((goal) => newNames(before, goal, gone).filter((name) => !others.has(name)));
    if (cases.every((names) => names.length === 0)) return;
    for (const order of PATTERN_ORDERS) {
      const pattern = cases.map((names) => order(names).join(' ')).join('|');
      yield [...introduction, `${analysis} as [${pattern}]${orNothing(equation)}`];
    }
  }
}

/** What a case analysis of a hypothesis takes out of the context: itself, or also the indices of its type. */
function goneWith(subject: string | undefined, { hypotheses }: Goal): ReadonlySet<string>[] {
  if (subject === undefined) return [new Set()];
  const type = hypotheses.find(({ name }) => name === subject)?.type;
  const indices = type === undefined ? [] : tacticWords(type).map(({ text }) => text);
  return [new Set([subject]), new Set([subject, ...indices])];
}

/**
 * A pattern names each argument and then its hypothesis of the induction; a context shows these last. Theirs is the
 * name of the argument, or they are as many as the last premises.
 */
const PATTERN_ORDERS: readonly ((names: readonly string[]) => string[])[] = [
  (names) => {
    return names
      .filter((name) => !OF_INDUCTION.test(name) || !names.includes(name.slice('IH'.length)))
      .flatMap((name) => (names.includes(`IH${name}`) ? [name, `IH${name}`] : [name]));
  },
  (names) => {
    const own = names.filter((name) => OF_INDUCTION.test(name));
    const given = names.filter((name) => !OF_INDUCTION.test(name));
    const first = given.length - own.length;
    return given.flatMap((name, at) => {
      const hypothesis = own[at - first];
      return hypothesis === undefined ? [name] : [name, hypothesis];
    });
  },
];

/** What has to be introduced to have `subject`, itself the last; nothing when it is there, or is not to come. */
function namesUpTo(subject: string, goal: Goal): string[] {
  const { locals, conclusion } = viewGoal(goal);
  if (locals.has(subject)) return [];
  const names = introductionNames(conclusion, locals);
  return names.slice(0, names.indexOf(subject) + 1);
}

/** A lemma that is posed has a name: that of what it is about, `Hl` for `pose proof (rev_involutive l)`. */
export function* posedNamed(
  script: ScriptTree,
  index: number,
  before: Goal,
  after: readonly Goal[],
): Generator<ScriptTree> {
  const sentence = script.sentences[index];
  const [goal] = after;
  if (sentence === undefined || goal === undefined || !/^pose proof /u.test(sentence)) return;
  const [name, ...others] = newNames(before, goal, NOTHING);
  if (name === undefined || others.length > 0 || / as /u.test(sentence)) return;
  const about = /\s(?<about>[\p{L}_][\p{L}\p{N}_']*)\)$/u.exec(sentence)?.groups?.['about'];
  const isFree = (one: string): boolean =>
    !goal.hypotheses.some((hypothesis) => hypothesis.name === one) && !mentions(script, one);
  for (const better of about === undefined ? [name] : [`H${about}`, name]) {
    if (better !== name && !isFree(better)) continue;
    const changed = better === name ? script : renamed(script, index + 1, new Map([[name, better]]));
    yield { ...changed, sentences: changed.sentences.with(index, `${sentence} as ${better}`) };
  }
}

/** What a goal has in its context that was not there before, or that was gone meanwhile. */
function newNames(before: Goal, goal: Goal, gone: ReadonlySet<string>): string[] {
  const old = new Set(before.hypotheses.map(({ name }) => name).filter((name) => !gone.has(name)));
  return goal.hypotheses.map(({ name }) => name).filter((name) => !old.has(name));
}
