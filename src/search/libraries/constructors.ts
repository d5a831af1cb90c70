/** The constructors of an inductive type without parameters, as `Print` shows them: what its closed values are made of. */
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';
import { splitArrows, type Term } from '../../provers/rocq/goals/term.ts';

export interface Constructor {
  readonly name: string;
  readonly arguments: readonly Term[];
}

const SIMPLE = /^\s*Inductive (?<type>[\p{L}_][\p{L}\p{N}_']*) : (?:Set|Type)\s*:=(?<rules>[^]*?)\.(?:\s|$)/u;

/** Empty for what is no such type, and for one whose constructors bind or are indexed. */
export function constructorsIn(printed: string): readonly Constructor[] {
  const { type, rules } = SIMPLE.exec(printed)?.groups ?? {};
  if (type === undefined || rules === undefined) return [];
  const found = rules.split('|').map((rule): Constructor | undefined => {
    const [name, stated] = rule.split(/ : ([^]*)/u);
    if (name === undefined || stated === undefined) return undefined;
    const { premises, conclusion, bound } = splitArrows(readTerm(stated.trim()));
    const isPlain = bound.length === 0 && conclusion.symbol === type && conclusion.children.length === 0;
    return isPlain ? { name: name.trim(), arguments: premises } : undefined;
  });
  return found.every((one) => one !== undefined) ? found : [];
}
