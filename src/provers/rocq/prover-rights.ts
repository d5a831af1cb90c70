/**
 * What the prover of a session may do besides proving. Clients of sessions send tactics and texts of theirs, and those of
 * some plugins start programs, whatever they are called. So for a client it starts none, unless the user allowed that
 * for the folder. A file as it is on the disk, and the tactics of the search (`hammer`), may.
 */
import type { SessionContext } from '../../core/prover.ts';
import { isProgramAllowed } from '../../process/foreign-folder/allowed.ts';
import type { ChildOptions } from '../../process/guarded-child.ts';

/** As the user allows it: `quod run allow --program rocq`. */
const ROCQ = 'rocq';

export function proverRights(
  folder: string,
  { onlyProves = false }: Pick<SessionContext, 'onlyProves'>,
): Pick<ChildOptions, 'startsPrograms'> {
  return {
    startsPrograms: !onlyProves || isProgramAllowed(ROCQ, folder),
  };
}

/** What Rocq says of something that could not start a program, with what can be done. */
export function explained(message: string): string {
  return message.includes('Unix.EPERM')
    ? `${message}\nA session starts no program. For \`par:\` write \`all:\`; who trusts what is sent here allows it: quod run allow --program rocq`
    : message;
}

/** Whether Rocq may start programs for a text: `par:` has a worker for each goal. */
export function mayHaveWorkers(text: string): boolean {
  return /\bpar\b/u.test(text);
}
