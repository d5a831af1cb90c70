/** What a face needs to answer calls: where the files are, what lives between calls, and what can be called. */
import type { Area, AnyOperation } from '../operations/definition/operation.ts';
import { Services } from '../operations/definition/services.ts';
import { Workspace } from '../operations/definition/workspace.ts';
import { cacheDirectory } from '../process/cache-directory.ts';
import { removeAbandoned } from '../process/scratch-folder.ts';
import { MAXIMUM_SESSIONS, SESSION_IDLE_MS, memoryOfProvers } from '../sessions/session-limits.ts';
import { Calls } from './calls.ts';

export interface Host {
  readonly workspace: Workspace;
  readonly services: Services;
  readonly operations: readonly AnyOperation[];
  readonly calls: Calls;
}

export interface HostChoice {
  /** The folder whose files may be named. */
  readonly folder: string;
  /** Whether paths must stay inside it. Only the command line, whose user owns the machine, goes without. */
  readonly confined: boolean;
  readonly operations: readonly AnyOperation[];
}

/** @throws QuodError `not-found` when there is no such folder. */
export async function openHost({ folder, confined, operations }: HostChoice): Promise<Host> {
  const workspace = confined ? await Workspace.confinedTo(folder) : await Workspace.openFrom(folder);
  removeAbandoned();
  const services = new Services({
    sessionIdleMs: SESSION_IDLE_MS,
    maximumSessions: MAXIMUM_SESSIONS,
    proverMemory: memoryOfProvers(),
    cacheDirectory: cacheDirectory(),
  });
  return { workspace, services, operations, calls: new Calls(workspace, services) };
}

/** The part of a name after its area, in words of the command line and the routes: `check-proof`. */
export function verbOf({ name, area }: { readonly name: string; readonly area: Area }): string {
  return (name.startsWith(`${area}_`) ? name.slice(area.length + 1) : name).replaceAll('_', '-');
}
