/** F* behind the prover port. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Prover, ProverIdentity, ProverSession, SessionContext } from '../../core/prover.ts';
import { findFstar } from './discovery.ts';
import { prepareFile } from './installation.ts';
import { moduleOfFile } from './project.ts';
import { FstarProverSession } from './prover-session.ts';
import type { Launch } from './session/connection.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';

export interface FstarOptions {
  /** Default: what {@link findFstar} finds. */
  readonly executable?: string;
  /** How a file is to be started, instead of by its project; for tests with recorded F*s. */
  readonly launch?: (file: string) => Promise<Launch>;
}

/** @throws QuodError `prover-missing`. */
export async function createFstar(options: FstarOptions = {}): Promise<Prover> {
  const found =
    options.launch === undefined
      ? await findFstar(options.executable)
      : { location: 'scripted', version: 'scripted' };
  const identity: ProverIdentity = { prover: 'fstar', backend: 'ide', ...found };
  return {
    identity,
    // Between declarations F* has no goals, neither in focus nor elsewhere.
    capabilities: { interrupt: 'in-process', backgroundGoals: false, installedLibraries: true },
    openSession: (context) => openSession(identity, options, context),
  };
}

async function openSession(
  identity: ProverIdentity,
  options: FstarOptions,
  { file, signal, memoryLimit = totalmem() / 2 }: SessionContext,
): Promise<ProverSession> {
  if (options.launch !== undefined) {
    return await FstarProverSession.open(identity, await options.launch(file), signal, async () => {});
  }
  // F* wants the file that it speaks for to be on the disk.
  const scratch = existsSync(file) ? undefined : makeScratchFolder('fstar');
  const end = async (): Promise<void> => {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  };
  try {
    const own = scratch === undefined ? file : join(scratch, basename(file));
    if (scratch !== undefined) await writeFile(own, `module ${moduleOfFile(file)}\n`);
    const { launch } = await prepareFile(own, {
      memoryLimit,
      ...(options.executable !== undefined && { executable: options.executable }),
      // The modules beside the file are still there to be used.
      includeFolders: scratch !== undefined && existsSync(dirname(file)) ? [dirname(file)] : [],
    });
    return await FstarProverSession.open(identity, launch, signal, end);
  } catch (error) {
    await end();
    throw error;
  }
}
