/** HOL4 as it is installed on the machine, as a prover. */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Prover } from '../../core/prover.ts';
import { type HolInstallation, requireHol4 } from './discovery.ts';
import { HolProcess } from './session/process.ts';
import { HolSession } from './session/session.ts';
import { identityOfHol } from './session/version.ts';

export interface Hol4Options {
  /** Default: what {@link requireHol4} finds. */
  readonly installation?: HolInstallation;
  /** Put before Quod's own arguments. */
  readonly extraArguments?: readonly string[];
  /** Resident bytes for sessions that do not say. Default: half of the machine's memory. */
  readonly memoryLimit?: number;
}

/** Starts HOL once to learn its version. @throws QuodError `prover-missing`, `prover-crashed`. */
export async function createHol4(options: Hol4Options = {}): Promise<Prover> {
  const installation = options.installation ?? requireHol4();
  const { hol } = installation;
  const extraArguments = options.extraArguments ?? [];
  const probe = await HolProcess.start({ executable: hol, extraArguments });
  await probe.kill();
  const identity = identityOfHol(hol, probe.banner);
  return {
    identity,
    capabilities: { interrupt: 'in-process', backgroundGoals: false, installedLibraries: true },
    openSession: ({ file, signal, memoryLimit }) => {
      const folder = dirname(file);
      return HolSession.open({
        executable: hol,
        extraArguments,
        ...(existsSync(folder) && { folder }),
        ...(signal !== undefined && { signal }),
        memoryLimit: memoryLimit ?? options.memoryLimit ?? Math.floor(totalmem() / 2),
      });
    },
  };
}
