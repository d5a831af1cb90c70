/**
 * What Quod can use on this machine, and what would get better by installing what. A backend is called working only
 * after it has proved something.
 */
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { QuodError, errorText } from '../../core/errors.ts';
import type { Prover, ProverSession } from '../../core/prover.ts';
import { findExecutable } from '../../process/executable.ts';
import { proverEnvironment } from '../../process/rights/child-environment.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { findHol4 } from '../../provers/hol4/discovery.ts';
import { BACKENDS, findRocq } from '../../sessions/find-rocq.ts';
import type { Backend } from '../../sessions/find-rocq.ts';
import { findRocqProject } from '../../provers/rocq/project/project.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';

export type BackendReport =
  | {
      readonly backend: Backend;
      readonly status: 'works';
      readonly version: string;
      readonly location: string;
      /** Milliseconds from nothing to a proved theorem. */
      readonly elapsedMs: number;
    }
  | {
      readonly backend: Backend;
      readonly status: 'missing' | 'broken';
      readonly message: string;
      readonly remedy?: string;
    };

export interface ProgramReport {
  readonly name: string;
  readonly purpose: string;
  /** Absent when the program is not on the PATH. */
  readonly location?: string;
}

export interface MachineReport {
  readonly node: string;
  readonly processors: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly backends: readonly BackendReport[];
  /** Roots of the libraries that are installed with the native Rocq. */
  readonly libraries: readonly string[];
  readonly hammer: { readonly tactics: boolean; readonly provers: readonly ProgramReport[] };
  /** The provers beside Rocq, with what each is used for. */
  readonly otherProvers: readonly ProgramReport[];
  /** What the folder belongs to. */
  readonly project: ProjectReport;
  readonly advice: readonly string[];
}

export type ProjectReport =
  /** `source`: the file that says so; absent where there is none. */
  | { readonly status: 'readable'; readonly source?: string }
  | { readonly status: 'wrong'; readonly message: string };

const AUTOMATIC_PROVERS = [
  { names: ['eprover'], name: 'E', purpose: 'first-order prover' },
  { names: ['vampire'], name: 'Vampire', purpose: 'first-order prover' },
  { names: ['z3_tptp', 'z3'], name: 'Z3', purpose: 'SMT solver' },
  { names: ['cvc5', 'cvc4'], name: 'CVC', purpose: 'SMT solver' },
];

/** @param folder What is asked of its project. */
export async function examineMachine(folder: string): Promise<MachineReport> {
  const backends: BackendReport[] = [];
  // One after the other, so that the times are those of a machine with nothing else to do.
  for (const backend of BACKENDS) backends.push(await tryBackend(backend));
  const libraries = await installedLibraries();
  const provers = AUTOMATIC_PROVERS.map(reportProgram);
  const report = {
    node: process.versions.node,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    backends,
    libraries,
    hammer: { tactics: libraries.includes('Hammer'), provers },
    otherProvers: otherProvers(),
    project: await projectOf(folder),
  };
  return { ...report, advice: adviceFor(report) };
}

async function tryBackend(backend: Backend): Promise<BackendReport> {
  const startedAt = performance.now();
  try {
    const prover = await findRocq(backend);
    await proveSomething(prover);
    const { version, location } = prover.identity;
    return { backend, status: 'works', version, location, elapsedMs: performance.now() - startedAt };
  } catch (error) {
    const isMissing = error instanceof QuodError && error.reason === 'prover-missing';
    const remedy = error instanceof QuodError ? error.remedy : undefined;
    return {
      backend,
      status: isMissing ? 'missing' : 'broken',
      message: errorText(error),
      ...(remedy !== undefined && { remedy }),
    };
  }
}

async function proveSomething(prover: Prover): Promise<void> {
  // The settings of a project must not decide whether a prover works: this project has none.
  const folder = makeScratchFolder('doctor');
  await writeFile(join(folder, '_CoqProject'), '');
  try {
    await proveIn(await prover.openSession({ file: join(folder, 'doctor.v') }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function proveIn(session: ProverSession): Promise<void> {
  try {
    let state = session.root;
    for (const sentence of ['Lemma quod : forall n : nat, n + 0 = n.', 'now induction n.', 'Qed.']) {
      const result = await session.run(state, asSentence(sentence), { timeoutMs: 60_000 });
      if (result.status !== 'done') {
        const message = result.status === 'failed' ? result.error.message : result.message;
        throw new QuodError('prover-crashed', `It does not prove the simplest lemma: ${message}`);
      }
      state = result.state;
    }
  } finally {
    await session.close();
  }
}

/** The directories below Rocq's `user-contrib`; empty when there is no native Rocq. */
async function installedLibraries(): Promise<string[]> {
  const compiler = findExecutable(['coqc', 'rocq']);
  if (compiler === undefined) return [];
  try {
    const { stdout } = await promisify(execFile)(compiler, ['-where'], {
      timeout: 10_000,
      env: proverEnvironment(),
    });
    return readdirSync(join(stdout.trim(), 'user-contrib')).sort();
  } catch {
    return [];
  }
}

async function projectOf(folder: string): Promise<ProjectReport> {
  try {
    const { source } = await findRocqProject(join(folder, 'any.v'));
    return { status: 'readable', ...(source !== undefined && { source }) };
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
    return { status: 'wrong', message: error.toString() };
  }
}

function otherProvers(): ProgramReport[] {
  return [
    {
      name: 'HOL4',
      purpose: 'live sessions and Holmake; `hol_replay` needs none',
      location: findHol4()?.folder,
    },
    { name: 'F*', purpose: 'live sessions', location: locateFstar() },
    {
      name: 'Lean',
      purpose: 'compiling `.lean` files; compiled ones are judged without it',
      location: findExecutable(['lean']),
    },
  ].map(({ name, purpose, location }) => ({ name, purpose, ...(location !== undefined && { location }) }));
}

function reportProgram(program: { names: readonly string[]; name: string; purpose: string }): ProgramReport {
  const location = findExecutable(program.names);
  return { name: program.name, purpose: program.purpose, ...(location !== undefined && { location }) };
}

function adviceFor(report: Omit<MachineReport, 'advice'>): string[] {
  const advice: string[] = [];
  const works = (backend: Backend): boolean =>
    report.backends.some((found) => found.backend === backend && found.status === 'works');
  const isMissing = (backend: Backend): boolean =>
    report.backends.some((found) => found.backend === backend && found.status === 'missing');
  for (const found of report.backends) {
    if (found.status === 'broken')
      advice.push(`${found.backend} is installed but does not work: ${found.message}`);
  }
  if (report.project.status === 'wrong')
    advice.push(`Mend the project file, or no file here can be run: ${report.project.message}`);
  if (isMissing('coqidetop')) {
    advice.push(
      '`apt install coq` (or `opam install coq coqide-server`): starts in a fraction of a second, searches several times faster, and loads the libraries that are installed.',
    );
  }
  if (isMissing('embedded')) {
    advice.push('`npm install jscoq`: Quod then also works on machines without Rocq.');
  }
  if (works('coqidetop') && !report.hammer.tactics) {
    advice.push('`apt install libcoq-hammer`: sauto, hauto and hammer become strategies of the search.');
  }
  if (report.hammer.tactics && report.hammer.provers.every(({ location }) => location === undefined)) {
    advice.push('`apt install eprover z3 cvc4`: hammer needs at least one automatic prover.');
  }
  if (report.freeMemoryBytes < 2 * 1024 ** 3) {
    advice.push('Less than 2 GB of memory are free: use `--jobs 1`, and prefer coqidetop.');
  }
  return advice;
}
