/**
 * Which arguments of a recursive function grow from call to call, as Rocq prints its body: the second of
 * `fix onto l acc := match l with [] => acc | x :: r => onto r (x :: acc) end`. A statement that gives such an
 * argument a value can seldom be proved by induction as it stands. This is a reading, as that of terms is.
 */
import { appendAll } from '../../core/lists/many.ts';
import { PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import { BINDERS, subterms, type Term } from '../../provers/rocq/goals/term.ts';

/** Counted from the last argument, which is zero: what stands in front of them may be hidden where it is called. */
export function accumulatingArguments(body: Term): readonly number[] {
  const recursion = recursionIn(body);
  if (recursion === undefined) return [];
  const { own, inside } = recursion;
  const names = own.children.flatMap(parameterNames);
  const calls = subterms(inside).filter(
    ({ symbol, children }) => symbol === own.symbol && children.length === names.length,
  );
  return names.flatMap((name, place) =>
    calls.some(({ children }) => grows(children[place], name)) ? [names.length - 1 - place] : [],
  );
}

/** Named functions of two arguments or more that the body of a recursive function applies, without itself. */
export function appliedFunctions(body: Term): readonly string[] {
  const recursion = recursionIn(body);
  if (recursion === undefined) return [];
  const { own, inside } = recursion;
  const applied = subterms(inside).filter(
    ({ symbol, children }) =>
      children.length > 1 && symbol !== own.symbol && PLAIN_NAME.test(symbol) && !WORDS.has(symbol),
  );
  return [...new Set(applied.map(({ symbol }) => symbol))];
}

/** A recursive function with its parameters, and what it is. */
function recursionIn(body: Term): { readonly own: Term; readonly inside: Term } | undefined {
  const [header, inside] = body.symbol === 'fix' ? body.children : [];
  const [own] = header?.symbol === ':' ? header.children : [];
  return own === undefined || inside === undefined ? undefined : { own, inside };
}

const WORDS = new Set([...BINDERS, 'match', 'if']);

/** `(l acc : list A)` binds two; `{struct l}` binds none. */
function parameterNames({ symbol, children }: Term): readonly string[] {
  if (symbol === '{') return [];
  const [first] = symbol === ':' ? children : [];
  if (first === undefined) return [symbol];
  const names = [first.symbol];
  appendAll(
    names,
    first.children.map((child) => child.symbol),
  );
  return names;
}

function grows(given: Term | undefined, name: string): boolean {
  return (
    given !== undefined && given.children.length > 0 && subterms(given).some((part) => part.symbol === name)
  );
}
