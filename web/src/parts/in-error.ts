/** Statements in which an error stands, and what rests on them: nothing of these is proved, whatever their own proofs say. */
import type { BuildStep } from './last-build.ts';
import { isHindered } from './last-build.ts';
import { idOf, type Built, type Statement } from './stated.ts';

/** @param lines Where errors begin, by file. */
export function inErrorAmong(
  all: readonly Statement[],
  lines: ReadonlyMap<string, readonly number[]>,
): ReadonlySet<Statement> {
  return new Set(
    all.filter(
      ({ file, line, end_line }) => lines.get(file)?.some((one) => one >= line && one <= end_line) === true,
    ),
  );
}

/** The same of the last build, as far as its files are as they were. */
export function inErrorOfBuild(
  all: readonly Statement[],
  { faults, changed }: Built,
): ReadonlySet<Statement> {
  const lines = new Map(
    faults
      .filter((fault): fault is BuildStep & { file: string; line: number } => {
        const { kind, file, line } = fault;
        return (
          kind === 'failed' && file !== null && line !== null && !changed.has(file) && !isHindered(fault)
        );
      })
      .map(({ file, line }) => [file, [line]]),
  );
  // What is compiled as it is now was mended since.
  return new Set([...inErrorAmong(all, lines)].filter(({ compiled }) => compiled !== 'yes'));
}

/** Of each statement the names of those in error that it rests on, through whatever it uses; of those alone that rest on any. */
export function errorsBelow(
  all: readonly Statement[],
  inError: ReadonlySet<Statement>,
): ReadonlyMap<Statement, readonly string[]> {
  const below = new Map<Statement, string[]>();
  if (inError.size === 0) return below;
  const users = new Map<string, Statement[]>();
  for (const one of all)
    for (const used of one.uses) {
      const known = users.get(used);
      if (known === undefined) users.set(used, [one]);
      else known.push(one);
    }
  for (const cause of inError) {
    const reached = new Set<Statement>();
    const pending = [idOf(cause)];
    for (let id = pending.pop(); id !== undefined; id = pending.pop())
      for (const user of users.get(id) ?? []) {
        if (user === cause || reached.has(user)) continue;
        reached.add(user);
        pending.push(idOf(user));
        const names = below.get(user);
        if (names === undefined) below.set(user, [cause.name]);
        else names.push(cause.name);
      }
  }
  return below;
}
