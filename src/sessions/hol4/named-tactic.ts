/** In a proof by goal trees HOL wants every tactic twice, as text and as code; whoever writes `e tactic` gets both. */
import { mlString } from '../../provers/hol4/session/step-code.ts';
import { meaningfulTokens } from '../../provers/hol4/syntax/lexer.ts';

/** `et ("tactic", tactic)` for a command that is `e tactic` or `e (tactic)` and nothing else. */
export function withItsText(command: string): string | undefined {
  const tokens = meaningfulTokens(command);
  const word = (index: number): string => {
    const span = tokens[index]?.span;
    return span === undefined ? '' : command.slice(span.start, span.end);
  };
  let last = tokens.length - 1;
  while (word(last) === ';') last -= 1;
  if (!['e', 'expand', 'proofManagerLib.e', 'proofManagerLib.expand'].includes(word(0)) || last < 1)
    return undefined;
  const [first, end] = [tokens[1]?.span, tokens[last]?.span];
  if (first === undefined || end === undefined) return undefined;
  if (word(1) !== '(') return last === 1 ? named(command.slice(first.start, end.end)) : undefined;
  let depth = 0;
  for (let index = 1; index <= last; index += 1) {
    if (word(index) === '(') depth += 1;
    if (word(index) === ')') depth -= 1;
    if (depth === 0) return index === last ? named(command.slice(first.end, end.start).trim()) : undefined;
  }
  return undefined;
}

function named(tactic: string): string {
  return `et (${mlString(tactic)}, ${tactic}\n)`;
}
