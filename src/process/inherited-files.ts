/**
 * The open files that this process was started with and would hand on to its children without meaning to: a log of a
 * supervisor, a socket of a service. Node marks what it opens itself as not to be inherited, and of what it was
 * started with the first few numbers; a file with a high number goes on to every child.
 */
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { greatestOf } from '../core/lists/many.ts';

/** O_CLOEXEC, as `/proc/self/fdinfo` has it. */
const NOT_INHERITED = 0o2000000;
/** Standard input, output and error, and the pipe of the guardian, are given to every child anew. */
const GIVEN = 4;
/** Beyond it a list would cost more than it is worth. */
const HIGHEST = 4096;

/**
 * What to put into a child's list of open files from number 4 on, so that it gets none of those but the null
 * device. The list ends at the highest, and is empty where the system does not tell.
 */
export function coveringInherited(): (number | undefined)[] {
  const inherited = new Set(inheritedFiles().filter((descriptor) => descriptor <= HIGHEST));
  if (inherited.size === 0) return [];
  const nothing = openSync('/dev/null', 'r');
  return Array.from({ length: greatestOf(inherited) - GIVEN + 1 }, (_, index) =>
    inherited.has(index + GIVEN) ? nothing : undefined,
  );
}

function inheritedFiles(): readonly number[] {
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((one) => one >= GIVEN && isInherited(one));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & NOT_INHERITED) === 0;
  } catch {
    return false;
  }
}
