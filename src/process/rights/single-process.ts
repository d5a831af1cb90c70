/**
 * Keeps a program from starting others. What a plugin of a prover starts runs as the user and cannot be told from the
 * prover by its text: the tactics of some (`M.os_cmd` of Mtac2) start programs, as commands of others do.
 */
import { findExecutable } from '../executable.ts';
import { orNothing } from '../../core/entry.ts';
import { singleProcessFilter, underFilter, type WhenStarting } from './system-call-filter.ts';

/** Where programs of the system are that are not on everybody's search path. */
export function systemProgram(name: string): string | undefined {
  return findExecutable([name], { PATH: `${orNothing(process.env['PATH'])}:/usr/sbin:/usr/bin:/sbin:/bin` });
}

/**
 * What stands before a command that may start no program; nothing where that cannot be had, without Perl or on a
 * processor whose calls are not known.
 * @param then what happens where it tries: it is killed, or told that it may not and goes on
 */
export function startingNothing(then: WhenStarting): readonly string[] {
  const [perl, filter] = [systemProgram('perl'), singleProcessFilter(then)];
  return perl === undefined || filter === undefined ? [] : underFilter(perl, filter);
}
