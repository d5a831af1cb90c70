/** A client of a folder, as the host of targets in it, for tests. */
import { Workspace } from '../../operations/definition/workspace.ts';
import type { Caller } from '../../operations/testing/caller.ts';
import type { TargetHost } from '../target-host.ts';

export async function hostOf(caller: Caller): Promise<TargetHost> {
  const workspace = await Workspace.openFrom(caller.folder);
  return {
    workspace,
    calls: {
      answer: (operation, input, as) => operation.answer(input, { ...caller.context(as), workspace }),
      call: (operation, input, as) => operation.call(input, { ...caller.context(as), workspace }),
    },
  };
}
