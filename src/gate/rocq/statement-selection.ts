/** Which statements of a target are to be proved, which may stay open, and when that cannot be said. */
import type { Verdict } from '../verdict.ts';
import { unknown } from './judgement.ts';
import type { Script, Statement } from './script.ts';

export interface Selection {
  readonly toProve: (statement: Statement) => boolean;
  /** Names that must be proved. */
  readonly provable: ReadonlySet<string>;
  /** Holes that need not. */
  readonly open: ReadonlySet<string>;
  /** Statements that the target proves itself. */
  readonly closed: ReadonlySet<string>;
  /** For statements in sections: the names that the variables of their sections may have. */
  readonly sectionVariables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: ReadonlySet<string>;
}

/** `asked`: names of the policy; without them all holes are to be proved. */
export function selectStatements(target: Script, asked: readonly string[] | undefined): Selection | Verdict {
  const counts = count(target.statements);
  // An aborted statement that is stated again later was only an attempt.
  const real = target.statements.filter(
    ({ item, name }) => item.hole !== 'aborted' || (counts.get(name) ?? 0) === 1,
  );
  const twice = [...count(real)].find(([, times]) => times > 1)?.[0];
  if (twice !== undefined) return unknown('invalid-input', `The target states ${twice} twice.`);
  const wanted =
    asked === undefined
      ? real.filter(({ item }) => item.hole !== undefined)
      : real.filter(({ names }) => names.some((name) => asked.includes(name)));
  const names = (statements: readonly Statement[]) =>
    new Set(statements.flatMap((statement) => statement.names));
  const provable = names(wanted);
  const absent = asked?.find((name) => !provable.has(name));
  if (absent !== undefined) return unknown('not-found', `The target has no statement ${absent}.`);
  const anonymous = target.outline.statements.find(
    (item) =>
      item.hole !== undefined &&
      item.hole !== 'aborted' &&
      !target.statements.some((statement) => statement.item === item),
  );
  if (anonymous !== undefined && asked === undefined) {
    return unknown(
      'invalid-input',
      `The target has a hole at ${placeOf(target, anonymous.sentence)} that has no name of its own; give it one.`,
    );
  }
  if (provable.size === 0) return unknown('invalid-input', 'The target has no statement to prove.');
  const others = real.filter((statement) => !wanted.includes(statement));
  return {
    toProve: (statement) => wanted.includes(statement),
    provable,
    open: names(others.filter(({ item }) => item.hole !== undefined)),
    closed: names(others.filter(({ item }) => item.hole === undefined)),
    sectionVariables: sectionVariables(target, real),
    all: names(real),
  };
}

const DECLARES_VARIABLES = new Set('Variable Variables Hypothesis Hypotheses Context Let'.split(' '));

/** All words of the sentences that declare variables before the statement: a superset of their names. */
function sectionVariables(
  target: Script,
  statements: readonly Statement[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Set<string>();
  const found = new Map<string, ReadonlySet<string>>();
  let sentence = 0;
  for (const { item, names, inSection } of statements) {
    for (; sentence < item.sentence; sentence += 1) {
      const tokens = target.tokens(sentence);
      if (tokens.some((token) => DECLARES_VARIABLES.has(token))) for (const token of tokens) words.add(token);
    }
    if (inSection) for (const name of names) found.set(name, new Set(words));
  }
  return found;
}

function count(statements: readonly Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { names } of statements) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** `line:column` */
export function placeOf(script: Script, sentence: number): string {
  const { line, column } = script.positionOf(sentence);
  return `${line}:${column}`;
}
