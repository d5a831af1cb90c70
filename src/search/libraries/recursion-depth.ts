/**
 * How far a recursive function looks into its argument before it calls itself, as Rocq prints its body: 2 for
 * `fix half n := match n with S (S m) => S (half m) | _ => 0 end`. Where that is more than one constructor, a plain
 * induction leaves a hypothesis that says nothing of what the function calls. This is a reading, as that of terms is:
 * what it gets wrong costs an induction that is deeper than it need be.
 */
import { orNothing, orZero } from '../../core/entry.ts';
import { greatestOf } from '../../core/lists/many.ts';
import { splitArrows, type Term } from '../../provers/rocq/goals/term.ts';
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_']*`;
const OWN_NAME = new RegExp(String.raw`^fix\s+(${NAME})`, 'u');
/** Functions that are defined together: `with odd (n : nat) : bool :=`. */
const OTHER_NAME = new RegExp(String.raw`\bwith\s+(${NAME})\s+[({]`, 'gu');

/**
 * What a `match` waits for, the end of one, a pattern, and one of the functions with the plain arguments behind it:
 * where that is no call, it begins the function's own body, and its arguments have types.
 */
function parts(functions: Iterable<string>): RegExp {
  const given = String.raw`(?:\s+(?:(?!(?:end|with|then|else|in|as|return)\b)${NAME}|\([^()]*\)))+`;
  return new RegExp(
    String.raw`\bmatch\s+(?<subject>[^]*?)\s+with\b|\b(?<end>end)\b|\|(?<pattern>[^|]*?)=>|(?<![\p{L}\p{N}_'.])(?<called>${[...functions].join('|')})(?<given>${given})`,
    'gu',
  );
}

/** Zero for what is no recursive function. */
export function recursionDepth(body: string): number {
  const own = OWN_NAME.exec(body)?.[1];
  if (own === undefined) return 0;
  const together = new Set([own, ...[...body.matchAll(OTHER_NAME)].map(([, name]) => orNothing(name))]);
  const depths = new Map<string, number>();
  const open: number[] = [];
  let deepest = 0;
  let inside = own;
  let takesTurns = true;
  for (const { groups } of body.matchAll(parts(together))) {
    const { subject, end, pattern, called, given } = groups ?? {};
    if (subject !== undefined) open.push(orZero(depths.get(subject)));
    else if (end !== undefined) open.pop();
    else if (pattern !== undefined)
      for (const [name, depth] of variables(readTerm(pattern), orZero(open.at(-1)))) depths.set(name, depth);
    else if (called !== undefined && given?.includes(':') === true) inside = called;
    else if (called !== undefined && given !== undefined) {
      takesTurns &&= called !== inside;
      for (const name of given.split(/[\s()]+/u)) deepest = Math.max(deepest, orZero(depths.get(name)));
    }
  }
  return takesTurns ? deepest * together.size : deepest;
}

const AROUND_PATTERNS = new Set([',', '(', 'as', '@']);

/** The variables of a pattern, each with the number of constructors around it. */
function variables({ symbol, children }: Term, depth: number): [name: string, depth: number][] {
  if (children.length === 0) return [[symbol, depth]];
  const inside = AROUND_PATTERNS.has(symbol) ? depth : depth + 1;
  return children.flatMap((child) => variables(child, inside));
}

/**
 * How many constructors more a rule of a predicate has around an object than its premise: 2 for `ev_SS : forall n, ev n ->
 * ev (S (S n))`, as `Print` shows it. Zero where no rule goes by a smaller object.
 */
export function ruleDepth(printed: string, predicate: string): number {
  const [declared = ''] = printed.trim().split(/\n\s*\n/u);
  const rules = declared.slice(declared.indexOf(':=')).split('|');
  const depths = rules.flatMap((rule) => {
    const [, stated] = rule.split(/ : ([^]*)/u);
    if (stated === undefined) return [];
    const { premises, conclusion } = splitArrows(readTerm(stated.trim().replace(/\.\s*$/u, '')));
    if (conclusion.symbol !== predicate) return [];
    const around = new Map(conclusion.children.flatMap((index) => variables(index, 0)));
    return premises
      .filter(({ symbol }) => symbol === predicate)
      .flatMap(({ children }) => children)
      .flatMap(({ symbol, children }) => (children.length === 0 ? orZero(around.get(symbol)) : []));
  });
  return depths.length === 0 ? 0 : greatestOf(depths);
}
