/**
 * What holds of trees whose branches are of another type can be proved of both types alone, together. For functions
 * that are defined together it is guessed what holds of the other type: what the statement says, of the functions for
 * that type. Both are proved by one recursion, with what holds of the parts noted before the recursion is forgotten:
 * nothing can use it of what is not smaller. What follows from one of several predicates that are defined together needs
 * no guess: a derivation is taken apart until it is one of the same predicate again.
 */
import { isFact, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import { boundBy, headOf, mentionsName, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import type { Definitions } from '../libraries/definitions.ts';
import type { FunctionOfSeveral } from '../libraries/mutual-recursion.ts';
import { candidate, type Candidate, type Setting } from './candidate.ts';
import { atom, first, sequence, type Tactic } from './tactic.ts';

const MOST_TYPES = 3;
const TIMEOUT_MS = 1500;

/** @param ending What is done in each case. */
export function mutualCandidates(
  view: GoalView,
  ending: readonly Tactic[],
  { definitions, costs }: Setting,
): readonly Candidate[] {
  const recursion = recursionOn(view, definitions);
  if (recursion === undefined) return [];
  return [
    candidate(sequence(...recursion, ...ending), {
      cost: costs['strategy.mutual-induction'],
      timeoutMs: TIMEOUT_MS,
      ingredient: 'strategies',
      closing: true,
    }),
  ];
}

/** A recursion on a derivation that is introduced with the names, or stands among the hypotheses. */
interface TogetherRecursion {
  readonly fact: string;
  readonly introduced: readonly Tactic[];
  readonly steps: readonly Tactic[];
}

/** Of a fact that one of several predicates states, which are defined together, of objects that can be made general. */
export function derivationTogether(
  view: GoalView,
  {
    name,
    term,
    introduced,
  }: { readonly name: string; readonly term: Term; readonly introduced: readonly string[] },
  definitions: Definitions,
): TogetherRecursion | undefined {
  const together = definitions.predicatesWith(term.symbol);
  const objects = term.children.map(({ symbol }) => symbol);
  const isGeneral =
    term.children.every(({ symbol, children }) => children.length === 0 && PLAIN_NAME.test(symbol)) &&
    new Set(objects).size === objects.length &&
    objects.every((object) => view.locals.has(object) || introduced.includes(object));
  if (together.length === 0 || objects.length === 0 || !isGeneral) return undefined;
  const named = view.hypotheses.filter(
    (other) =>
      other.name !== name &&
      !objects.includes(other.name) &&
      (together.includes(headOf(other.term)) || objects.some((object) => mentionsName(other.type, object))),
  );
  // A derivation that is there already is no part of what is taken apart.
  const facts = named
    .filter((fact) => together.includes(headOf(fact.term)) || isFact(fact, view))
    .map((fact) => fact.name);
  const general = [...introduced.filter((one) => one !== name && !objects.includes(one)), ...facts];
  const taken = new Set([...view.locals, ...introduced]);
  const plain = `IH${term.symbol}`;
  const known = taken.has(plain) ? freshName(plain, taken) : plain;
  const others = together.filter((predicate) => predicate !== term.symbol);
  const derivations = { kind: 'derivations', places: objects.length, known } as const;
  return {
    fact: `${term.symbol} ${objects.join(' ')}`,
    introduced: introduced.length === 0 ? [] : [atom('intros', introduced.join(' '))],
    steps: [
      ...(general.length === 0 ? [] : [atom('revert', general.join(' '))]),
      atom('revert', [...objects, name].join(' ')),
      atom('fix', `${known} ${objects.length + 1}`),
      atom('intros', [...objects, name].join(' ')),
      atom('destruct', name),
      ...others.map((): Tactic => ({
        kind: 'try',
        tactic: { ...derivations, use: 'destruct', predicates: others },
      })),
      { ...derivations, use: 'note', predicates: [term.symbol] },
      atom('clear', known),
    ],
  };
}

interface Statement {
  readonly argument: string;
  readonly type: string;
  readonly says: string;
  /** The name of what holds of it. */
  readonly known: string;
}

function recursionOn(view: GoalView, definitions: Definitions): readonly Tactic[] | undefined {
  const stated = statements(view, definitions);
  const [own, ...others] = stated;
  if (own === undefined || others.length === 0 || others.length >= MOST_TYPES) return undefined;
  // What is there already is no part of what is taken apart.
  if (view.hypotheses.some(({ type }) => stated.some((one) => one.type === type))) return undefined;
  const together = others.map(
    ({ known, argument, type, says }) => `(${known} (${argument} : ${type}) : ${says})`,
  );
  const noted = stated.map(
    ({ known, type }) => `x : ${type} |- _ => pose proof (${known} x); generalize dependent x`,
  );
  return [
    atom('fix', `${own.known} 1 with ${together.join(' ')}`),
    first(...stated.map(({ argument }) => atom('destruct', argument))),
    atom('repeat', `match goal with ${noted.join(' | ')} end`),
    atom('clear', stated.map(({ known }) => known).join(' ')),
  ];
}

/** Of the type that the goal speaks of, which comes first, and of those that are defined with it. */
function statements(view: GoalView, definitions: Definitions): readonly Statement[] {
  const { conclusion, goal } = view;
  const body = conclusion.children.at(-1);
  const [variable, ...more] = conclusion.symbol === 'forall' ? boundBy(conclusion) : [];
  if (variable === undefined || body === undefined || more.length > 0 || !PLAIN_NAME.test(variable))
    return [];
  const functions = new Map<string, readonly FunctionOfSeveral[]>();
  for (const { symbol } of subterms(body)) {
    const together = definitions.find(symbol)?.together ?? [];
    if (together.some(({ name }) => name === symbol)) functions.set(symbol, together);
  }
  const [[symbol, group] = []] = functions;
  const own = group?.find(({ name }) => name === symbol);
  if (group === undefined || own === undefined) return [];
  const taken = new Set([...view.locals, variable]);
  const free = (name: string): string => (taken.has(name) ? freshName(name, taken) : name);
  const says = goal.conclusion.slice(body.start, body.end);
  const made: Statement[] = [];
  for (const { argument, type } of [own, ...group.filter((one) => one !== own)]) {
    const name = type === own.type ? variable : free(argument);
    const known = free(`IH${name}`);
    for (const used of [name, known]) taken.add(used);
    const renamed = says.replaceAll(WORD, (word) => {
      if (word === variable) return name;
      return functions.get(word)?.find((one) => one.type === type)?.name ?? word;
    });
    made.push({ argument: name, type, says: renamed, known });
  }
  return made;
}

const WORD = /(?<![\p{L}\p{N}_'.])[\p{L}_][\p{L}\p{N}_']*/gu;
