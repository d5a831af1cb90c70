/**
 * What a prover of a theorem would want to read of an HOL4 script: what is opened, its definitions, the theorems
 * before it.
 */
import { orNothing } from '../../core/entry.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';

const OPENED =
  /^(?:open\s[^\n]*(?:\n\s+\S[^\n]*)*|Ancestors[^]*?(?=\n\n)|val _ = (?:new_theory|set_grammar)[^\n]*)/gmu;
const DEFINITION =
  /^(?:Definition|Datatype|Inductive|CoInductive|Overload|Type)\b[^]*?(?:^End\b|(?=\n\n))/gmu;

/** @param statement Of the theorem, as text. */
export function hol4Context(text: string, theorem: string, statement: string): readonly ContextPiece[] {
  const { theorems } = parseScript(text);
  const own = theorems.find(({ name }) => name === theorem);
  const end = own?.statement?.start ?? text.length;
  const before = text.slice(0, end);
  const used = new Set(statement.match(/[A-Za-z0-9_']+/gu) ?? []);
  const opened = [...before.matchAll(OPENED)].map(([match]) => match);
  const definitions = [...before.matchAll(DEFINITION)].map(([match]) => match);
  const earlier = theorems.filter((one) => (one.statement?.end ?? Infinity) < end && one.name !== theorem);
  return [
    ...opened.map((match) => ({
      ...{
        section: 'What the script opens',
        name: match.slice(0, 40),
        text: match,
        shorter: null,
        value: 66,
      },
    })),
    ...definitions.map((match, index) => ({
      section: 'Definitions of the script',
      name: orNothing(match.split('\n')[0]),
      ...{ text: match, shorter: null },
      // Those that define a word of the statement first, then the nearest.
      value: (/[A-Za-z0-9_']+/gu[Symbol.match](match) ?? []).some((word) => used.has(word))
        ? 92
        : Math.max(30, 70 - (definitions.length - index)),
    })),
    ...earlier.map(({ name, statement: said, proof }, index) => {
      const head = `Theorem ${name}:\n  ${said === undefined ? '' : text.slice(said.start, said.end).trim()}`;
      return {
        section: 'Theorems before it',
        name,
        text:
          proof === undefined ? head : `${head}\nProof\n  ${text.slice(proof.start, proof.end).trim()}\nQED`,
        shorter: head,
        value: Math.max(15, 58 - 2 * (earlier.length - 1 - index)),
      };
    }),
  ];
}
