/** Rocq as it is installed on the machine, through petanque: coq-lsp's interface for machines. */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ProverIdentity, SessionContext } from '../../../core/prover.ts';
import { findExecutable } from '../../../process/executable.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { findRocqProject } from '../project/project.ts';
import type { RocqAdapter } from '../driver.ts';
import { SERVER_KINDS, launchPetanque } from './launch.ts';

export interface PetanqueOptions {
  /** A `pet`, `pet-server` or `coq-lsp`. Default: what {@link findPetanque} finds. */
  readonly executable?: string;
  /** Resident bytes for sessions that do not say. Default: half of the machine's memory. */
  readonly memoryLimit?: number;
}

/** The absolute path of a server: QUOD_PET when set, else the first in PATH. */
export function findPetanque(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['QUOD_PET'];
  return chosen ? findExecutable([chosen], environment) : findExecutable(SERVER_KINDS, environment);
}

/** Asks the programs for their versions. @throws QuodError `prover-missing`. */
export async function createPetanque(options: PetanqueOptions = {}): Promise<RocqAdapter> {
  const executable = options.executable ?? findPetanque();
  if (executable === undefined || !existsSync(executable)) {
    throw new QuodError(
      'prover-missing',
      `There is no petanque${executable ? ` at ${executable}` : ' in PATH'}.`,
      {
        remedy: 'Install coq-lsp (`opam install coq-lsp`), which has `pet`, or set QUOD_PET.',
      },
    );
  }
  await checkServerVersion(executable);
  const identity: ProverIdentity = {
    prover: 'rocq',
    backend: 'petanque',
    version: await rocqVersion(executable),
    location: executable,
  };
  return {
    identity,
    capabilities: {
      interrupt: 'in-process',
      backgroundGoals: true,
      installedLibraries: true,
      errorPlaces: false,
    },
    sourceFor: (context) => sourceFor(identity, options, context),
  };
}

/** Other programs are called `pet` too, so the answer must look like one of coq-lsp. */
async function checkServerVersion(executable: string): Promise<void> {
  const printed = await firstWord(executable, '--version');
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(printed) ?? [];
  if (major !== undefined && Number(major) * 10_000 + Number(minor) * 100 + Number(patch) >= 203) return;
  throw new QuodError(
    'prover-missing',
    major === undefined
      ? `${executable} is not a program of coq-lsp: asked for its version it printed ${JSON.stringify(printed)}.`
      : `${executable} is coq-lsp ${printed}; Quod needs 0.2.3 or later.`,
    { remedy: 'Install coq-lsp 0.2.3 or later, or set QUOD_PET.' },
  );
}

/** The compiler of the same Rocq lies beside the server, or is the one in PATH; petanque does not tell the version. */
async function rocqVersion(executable: string): Promise<string> {
  const names = ['coqc', 'rocq'];
  const beside = names.map((name) => join(dirname(executable), name));
  const compiler = findExecutable([...beside, ...names]);
  const version = compiler && /^\d+\.[\w.+-]+/.exec(await firstWord(compiler, '-print-version'))?.[0];
  if (version !== undefined) return version;
  throw new QuodError(
    'prover-missing',
    `There is no Rocq compiler for ${executable}: neither beside it nor in PATH.`,
    {
      remedy: 'Put `coqc` or `rocq` of the same Rocq into PATH.',
    },
  );
}

/** `8.20.1 5.3.0`: its own version and its compiler's. */
async function firstWord(program: string, option: string): Promise<string> {
  const child = await GuardedChild.start(program, [option]);
  const { printed } = await child.readToEnd();
  return orNothing(/^\s*(\S*)/.exec(printed)?.[1]);
}

async function sourceFor(
  identity: ProverIdentity,
  options: PetanqueOptions,
  context: SessionContext,
): ReturnType<RocqAdapter['sourceFor']> {
  const project = await findRocqProject(context.file);
  const launch = {
    executable: identity.location,
    project,
    file: context.file,
    folder: existsSync(project.root) ? project.root : process.cwd(),
    memoryLimit: context.memoryLimit ?? options.memoryLimit ?? totalmem() / 2,
    givesWay: context.givesWay ?? false,
    onlyProves: context.onlyProves ?? false,
  };
  return { start: ({ signal }) => launchPetanque({ ...launch, signal }) };
}
