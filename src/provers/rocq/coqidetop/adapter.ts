/** Rocq as it is installed on the machine, through the server of its own editor. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { totalmem } from 'node:os';
import { QuodError } from '../../../core/errors.ts';
import type { ProverIdentity, SessionContext } from '../../../core/prover.ts';
import { findExecutable } from '../../../process/executable.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { KeptAnswer } from '../../../process/kept-answer.ts';
import { coqArguments, findRocqProject } from '../project/project.ts';
import { proverRights } from '../prover-rights.ts';
import { makeWorkingFolder } from '../working-folder.ts';
import type { RocqAdapter } from '../driver.ts';
import { CoqConnection } from './connection.ts';
import { ABOUT, INIT, query, readStateId, readVersion } from './protocol.ts';
import { CoqidetopDriver } from './driver.ts';

export interface CoqidetopOptions {
  /** Default: what {@link findCoqidetop} finds. */
  readonly executable?: string;
  /** Put before Quod's own arguments; for instance `-coqlib`. */
  readonly extraArguments?: readonly string[];
  /** Resident bytes for sessions that do not say. Default: half of the machine's memory. */
  readonly memoryLimit?: number;
}

const VERSION_QUESTION = ['-print-version'];

const NAMES = ['coqidetop.opt', 'coqidetop', 'rocqidetop', 'rocqidetop.opt'];

const FIXED_ARGUMENTS = [
  '-main-channel',
  'stdfds',
  // One process, sentences executed in order, an error is an error.
  '-async-proofs',
  'off',
  '-async-proofs-command-error-resilience',
  'off',
  '-async-proofs-tactic-error-resilience',
  'off',
  '-q',
  // Layout trees instead of finished text: see layout.ts.
  '--xml_format=Ppcmds',
];

/** The absolute path of a coqidetop: QUOD_COQIDETOP when set, else the first in PATH. */
export function findCoqidetop(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = environment['QUOD_COQIDETOP'];
  return chosen ? findExecutable([chosen], environment) : findExecutable(NAMES, environment);
}

/** Asks the program for its version. @throws QuodError `prover-missing`. */
export async function createCoqidetop(options: CoqidetopOptions = {}): Promise<RocqAdapter> {
  const executable = options.executable ?? findCoqidetop();
  if (executable === undefined || !existsSync(executable)) {
    throw new QuodError(
      'prover-missing',
      `There is no coqidetop${executable ? ` at ${executable}` : ' in PATH'}.`,
      {
        remedy: 'Install Rocq with its IDE server (Debian: `apt install coq`) or set QUOD_COQIDETOP.',
      },
    );
  }
  const identity: ProverIdentity = {
    prover: 'rocq',
    backend: 'coqidetop',
    version: await readProgramVersion(executable),
    location: executable,
  };
  return {
    identity,
    capabilities: { interrupt: 'in-process', backgroundGoals: true, installedLibraries: true },
    sourceFor: (context) => sourceFor(identity, options, context),
  };
}

async function readProgramVersion(executable: string): Promise<string> {
  const kept = new KeptAnswer(executable, VERSION_QUESTION);
  const { known } = kept;
  const { printed, errorOutput } =
    known === undefined
      ? await (await GuardedChild.start(executable, VERSION_QUESTION)).readToEnd()
      : { printed: known, errorOutput: '' };
  // `8.16.1 4.13.1`: its own version and its compiler's.
  const version = /^\S+/.exec(printed)?.[0];
  if (version !== undefined && /^\d/.test(version)) {
    if (known === undefined) await kept.keep(printed);
    if (isSupported(version)) return version;
    throw new QuodError('prover-missing', `${executable} is Coq ${version}; Quod needs 8.16 or later.`, {
      remedy: 'Install a newer one, or point QUOD_COQIDETOP to it.',
    });
  }
  throw new QuodError('prover-missing', `${executable} does not print its version: ${errorOutput.trim()}`, {
    remedy: 'Reinstall it, or point QUOD_COQIDETOP to another one.',
  });
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 8 || (major === 8 && minor >= 16);
}

async function sourceFor(
  identity: ProverIdentity,
  options: CoqidetopOptions,
  context: SessionContext,
): ReturnType<RocqAdapter['sourceFor']> {
  const project = await findRocqProject(context.file);
  const folder = existsSync(project.root) ? project.root : process.cwd();
  const memoryLimit = context.memoryLimit ?? options.memoryLimit ?? totalmem() / 2;
  const programArguments = [
    ...FIXED_ARGUMENTS,
    ...(options.extraArguments ?? []),
    ...coqArguments(project),
    ...topLevelName(context.file),
  ];
  return {
    start: async ({ signal }) => {
      const child = await GuardedChild.start(identity.location, programArguments, {
        ...{ folder, memoryLimit, ...proverRights(folder, context) },
        ...(context.givesWay !== undefined && { givesWay: context.givesWay }),
      });
      const working = makeWorkingFolder(folder);
      void child.exited.then(working.remove);
      return await greet(new CoqConnection(child), working.path, signal);
    },
  };
}

/** The library name that the file will have, when Rocq can make one of it. */
function topLevelName(file: string): readonly string[] {
  const name = /([^/]*)\.v$/.exec(file)?.[1];
  const isIdentifier = name !== undefined && /^[\p{L}_][\p{L}\p{N}_']*$/u.test(name);
  return isIdentifier && existsSync(dirname(file)) ? ['-topfile', file] : [];
}

/**
 * The load path has the folder in which Rocq starts, by its absolute path; from then on it works in another.
 * @param workingFolder Where a Rocq without `Cd` does not go: it stays where it started.
 */
async function greet(
  connection: CoqConnection,
  workingFolder: string,
  signal: AbortSignal | undefined,
): Promise<CoqidetopDriver> {
  const cancel = (): void => void connection.kill();
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    const answers = await connection.exchange([INIT, ABOUT]);
    if (answers.status === 'lost') throw new QuodError(answers.reason, answers.message);
    const [initial, about] = answers.values;
    if (initial?.kind !== 'good' || about?.kind !== 'good') {
      await connection.kill();
      const why = initial?.kind === 'fail' ? initial.text : 'no answer to its first question';
      throw new QuodError('prover-crashed', `Rocq does not start: ${why}`);
    }
    readVersion(about.content);
    const root = readStateId(initial.content);
    const moved = await connection.exchange([query(`Cd "${workingFolder.replaceAll('"', '""')}".`, root)]);
    if (moved.status === 'lost') throw new QuodError(moved.reason, moved.message);
    return new CoqidetopDriver(connection, root);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
