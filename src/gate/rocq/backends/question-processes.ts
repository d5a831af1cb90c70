/**
 * Processes that are asked about a compiled file (compiled-questions.ts). Each answer goes to a file of its own, so nothing in
 * the compiled file can stand in for an answer.
 */
import { asOutside, type SandboxRequest, type SandboxRun } from '../../../process/sandbox.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project/project.ts';
import { type AwaitingRun, BegunWork, type Ended } from './awaiting-run.ts';
import { type Answers, CompiledQuestions, PREFIX, QUESTIONS } from './compiled-questions.ts';
import type { HiddenPlugins } from './installed-plugins.ts';
import {
  type AheadRequest,
  type CompileRequest,
  type Limits,
  type Unknown,
  unknownAnswer,
} from './judge-backend.ts';
import { PRINTING } from './printing.ts';

/** What a process is asked that has required the libraries before. */
const ASKED = 'quod_asked';

/** A compiled file that is asked about, by processes that know how it was compiled. */
export interface Questioned {
  readonly request: CompileRequest;
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  /** A process that waits for it, with its libraries loaded. */
  readonly ahead?: AwaitingRun | undefined;
}

/** One run of a program of the prover, in a sandbox that holds these files. */
export interface ProverRun {
  readonly arguments: readonly string[];
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly collect: (path: string) => boolean;
  readonly project: RocqProject;
  readonly limits: Limits;
  /** What it may not load. */
  readonly hidden?: HiddenPlugins;
  /** As in a request to the sandbox. */
  readonly growing?: SandboxRequest['growing'];
  readonly awaited?: SandboxRequest['awaited'];
}

export type RunProver = (request: ProverRun) => Promise<Ended | Unknown>;

/** A run that waits for the files at some paths. What does not end with code 0 and nothing seen did not go well. */
export function begunRun(run: RunProver, request: ProverRun, paths: readonly string[]): AwaitingRun {
  return new BegunWork(async (files, signal) => {
    const limits = { ...request.limits, signal };
    const ended = await run({ ...request, awaited: { paths, files }, limits });
    const isWell = ended.status === 'ended' && ended.run.code === 0 && ended.run.incidents.length === 0;
    return isWell ? ended.run : undefined;
  });
}

export class QuestionProcesses {
  readonly #run: RunProver;

  /** @param run the compiler. */
  constructor(run: RunProver) {
    this.#run = run;
  }

  about(questioned: Questioned): CompiledQuestions {
    return new CompiledQuestions(questioned.request.moduleName, questioned.bytes, (commands, declared) =>
      this.#ask(questioned, commands, declared),
    );
  }

  /** Begins a process that requires libraries, and waits for a compiled file that requires them and for what is to be asked. */
  ahead({ moduleName, project, limits, libraries }: AheadRequest): AwaitingRun {
    const required = libraries.map((name) => `Require ${name}.`);
    const text = [...required, ...PRINTING, `Load "./${ASKED}".`].join('\n');
    const asking = askedBy(project, new Map([[`${QUESTIONS}.v`, `${text}\n`]]));
    return begunRun(this.#run, { ...asking, limits }, [judgedPlace(moduleName), `${ASKED}.v`]);
  }

  /** Asks a fresh process that has only required the compiled bytes, and what is declared for the questions. */
  async #ask(
    { request: { moduleName, project }, bytes, limits, ahead }: Questioned,
    commands: readonly string[],
    declared: readonly string[],
  ): Promise<Answers | Unknown> {
    const questions = commands.map((command, index) => `Redirect "answer${index}" ${command}`);
    const lines = [`Require ${PREFIX}.${moduleName}.`, ...PRINTING, ...declared, ...questions];
    const text = `${lines.join('\n')}\n`;
    const answersIn = ({ files }: SandboxRun): Answers => ({
      status: 'asked',
      answers: commands.map((_, index) =>
        Buffer.from(files.get(`answer${index}.out`) ?? []).toString('utf8'),
      ),
    });
    const judged = [judgedPlace(moduleName), bytes] as const;
    const begun = await ahead?.finish(
      new Map<string, string | Uint8Array>([judged, [`${ASKED}.v`, text]]),
      limits.signal,
    );
    if (begun !== undefined) return answersIn(begun);
    const files = new Map<string, string | Uint8Array>([judged, [`${QUESTIONS}.v`, text]]);
    const ended = await this.#run({ ...askedBy(project, files), limits });
    if (ended.status === 'unknown') return ended;
    const { code, incidents, errorOutput, places } = ended.run;
    if (code !== 0 || incidents.length > 0) {
      const why = incidents[0]?.kind ?? asOutside(errorOutput.trim(), places);
      return errorOutput.includes(`${QUESTIONS}.v", line 1,`)
        ? unknownAnswer('unsupported', `${CANNOT_LOAD} ${why}`)
        : unknownAnswer('protocol-error', `The compiled result could not be questioned: ${why}`);
    }
    return answersIn(ended.run);
  }
}

const CANNOT_LOAD =
  'Rocq compiles the submission, and cannot load what it compiled. A `Require` inside a module can do that: write it at the top of the file. Rocq says:';

/** Where a compiled file lies in the sandbox of those who look at it. */
export function judgedPlace(moduleName: string): string {
  return `judged/${compiledPlace(moduleName)}`;
}

/** Where Rocq looks for a library, below the folder of its load path. */
export function compiledPlace(name: string): string {
  return `${name.replaceAll('.', '/')}.vo`;
}

function askedBy(
  project: RocqProject,
  files: ProverRun['files'],
): Pick<ProverRun, 'arguments' | 'files' | 'collect' | 'project'> {
  return {
    arguments: ['-q', ...coqArguments(project), '-Q', 'judged', PREFIX, `${QUESTIONS}.v`],
    ...{ files, project, collect: (path: string) => /^answer\d+\.out$/.test(path) },
  };
}
