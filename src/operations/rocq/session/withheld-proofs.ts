/**
 * Which proofs of a file are not shown to a client: those of the theorems that its sessions are proving, so that it
 * writes its own. What shows a proof by the name of its theorem keeps to it. It is no secret: who can read the file, or
 * have another one require it, can see the proof.
 */
import { QuodError } from '../../../core/errors.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import type { OperationContext } from '../../definition/operation.ts';
import { rocqWorkbenchOf } from './place.ts';
import type { RocqFile } from './rocq-file.ts';

type Asking = Pick<OperationContext, 'services' | 'client'>;

/** The names of the theorems of a file that sessions of the client are proving. */
function targetsOf({ services, client }: Asking, file: RocqFile): ReadonlySet<string> {
  const sessions = rocqWorkbenchOf({ services })
    .sessions.of(client)
    .map(({ session }) => session);
  return new Set(
    sessions
      .filter(({ file: own }) => own?.source.path === file.source.path)
      .flatMap(({ target }) => (target === undefined ? [] : namesOf(target.item))),
  );
}

/** Whether the proof is not shown to the client. */
export function isWithheld(context: Asking, file: RocqFile, item: TheoremItem): boolean {
  const targets = targetsOf(context, file);
  return namesOf(item).some((name) => targets.has(name));
}

/** @param name Of a theorem in the file, qualified or not. @throws QuodError `invalid-input` when it is withheld. */
export function requireShown(context: Asking, file: RocqFile, name: string): void {
  const short = lastPart(name);
  if (!targetsOf(context, file).has(short)) return;
  throw new QuodError(
    'invalid-input',
    `The proof of ${short} is withheld: one of your sessions is proving it.`,
    {
      place: { file: file.name },
      remedy: 'Write your own, or close that session.',
    },
  );
}

function namesOf({ name, otherNames }: TheoremItem): readonly string[] {
  return name === undefined ? [] : [name, ...otherNames];
}
