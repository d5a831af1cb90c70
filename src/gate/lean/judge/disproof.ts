/**
 * Whether one proposition says that another is false: as `¬ P`, as `P → False`, or with the negation pushed inwards, as
 * in `∃ n, ¬ P n` for `∀ n, P n`. Purely structural; each step keeps that the first implies the negation of the second.
 */
import { type Expression, argumentsOf, applicationHead } from '../expression.ts';

/** `refutes(D, P)`: D, if true, makes P false. Both are plain, and loose variables mean the same in both. */
export function refutes(denial: Expression, claim: Expression): boolean {
  if (denial === claim) return false;
  const said = connective(denial);
  // ¬ P and P → False.
  if (said?.name === 'Not' && said.args[0] === claim) return true;
  if (denial.kind === 'pi' && denial.type === claim && isConstant(denial.body, 'False')) return true;

  const claimed = connective(claim);
  switch (claimed?.name) {
    case 'Not':
      return denial === claimed.args[0];
    case 'Ne':
      return said?.name === 'Eq' && claimed.args.every((argument, index) => said.args[index] === argument);
    case 'And': {
      const [left, right] = claimed.args;
      if (left === undefined || right === undefined) return false;
      if (said?.name === 'Or')
        return said.args.every((part, index) => refutesPart(part, claimed.args[index]));
      // p → ¬ q: the proof of p is not mentioned in what follows, so its variable only shifts the others; closed parts
      // are not touched by that.
      return (
        denial.kind === 'pi' && denial.type === left && right.looseBound === 0 && refutes(denial.body, right)
      );
    }
    case 'Or':
      return said?.name === 'And' && said.args.every((part, index) => refutesPart(part, claimed.args[index]));
    case 'Exists': {
      const [type, body] = claimed.args;
      return (
        denial.kind === 'pi' &&
        body?.kind === 'lambda' &&
        denial.type === type &&
        refutes(denial.body, body.body)
      );
    }
    default:
      break;
  }
  if (claim.kind === 'pi' && said?.name === 'Exists') {
    const [type, body] = said.args;
    return (
      type === claim.type && body?.kind === 'lambda' && body.type === type && refutes(body.body, claim.body)
    );
  }
  return false;
}

function refutesPart(denial: Expression, claim: Expression | undefined): boolean {
  return claim !== undefined && refutes(denial, claim);
}

/** How many arguments the logical constants take. */
const ARITIES: ReadonlyMap<string, number> = new Map([
  ['Not', 1],
  ['And', 2],
  ['Or', 2],
  ['Exists', 2],
  ['Ne', 3],
  ['Eq', 3],
]);

/** The constants whose meaning `refutes` relies on. */
export const LOGICAL_CONSTANTS: readonly string[] = [...ARITIES.keys(), 'False'];

function connective(
  term: Expression,
): { readonly name: string; readonly args: readonly Expression[] } | undefined {
  const head = applicationHead(term);
  if (head.kind !== 'constant') return undefined;
  const name = head.name.toString();
  const args = argumentsOf(term);
  return ARITIES.get(name) === args.length ? { name, args } : undefined;
}

function isConstant(term: Expression, name: string): boolean {
  return term.kind === 'constant' && term.name.toString() === name;
}
