/** F* and its solver as the gate uses them: in a sandbox, on files handed in, with Quod's own options and no cache. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findFstar } from '../../provers/fstar/discovery.ts';
import { chooseZ3 } from '../../provers/fstar/z3.ts';
import { QuodError } from '../../core/errors.ts';
import { runInSandbox, type SandboxLimits, type SandboxRun } from '../../process/sandbox.ts';

export interface FstarRunRequest {
  /** By name, in one folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Every file that is to be verified; what F* loads besides is its own library. */
  readonly verify: readonly string[];
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface FstarRun extends Pick<
  SandboxRun,
  'isolation' | 'stopped' | 'stalled' | 'incidents' | 'code'
> {
  /** For people, not for judging: a tactic may print. */
  readonly said: string;
  /** What the solver was asked, in the order of the questions. */
  readonly logs: readonly string[];
}

/** What the solver answers to a log, asked without F*. */
export type SolverRun = Pick<SandboxRun, 'stopped' | 'stalled' | 'output'>;

export interface TrustedFstar {
  readonly version: string;
  readonly solver: string;
  run(request: FstarRunRequest): Promise<FstarRun>;
  solve(log: string, request: Pick<FstarRunRequest, 'limits' | 'signal'>): Promise<SolverRun>;
}

/**
 * Its runs throw `no-sandbox` where there is none: a tactic is a program, and there is no list of what F* lets it
 * reach.
 *
 * @throws QuodError `prover-missing`
 */
export async function installedFstar(executable?: string): Promise<TrustedFstar> {
  const fstar = await findFstar(executable);
  const z3 = await chooseZ3(fstar, []);
  const solver = z3.location;
  if (solver === null) {
    throw new QuodError('prover-missing', 'There is no Z3, without which F* proves nothing.', {
      remedy: 'Put the Z3 that F* wants into PATH, or set QUOD_FSTAR_Z3.',
    });
  }
  const location = realpathSync(fstar.location);
  const home = dirname(dirname(location));
  // In a source tree the library is often a link to another place.
  const libraries = ['ulib', 'lib', 'share']
    .map((name) => join(home, name))
    .filter((path) => existsSync(path));
  const places = [home, ...libraries.map((path) => realpathSync(path)), solver, realpathSync(solver)];
  const readable = [...new Set(places)];
  return {
    version: fstar.version,
    solver: `Z3 ${z3.version ?? 'of unknown version'}`,
    run: async ({ files, verify, limits, signal }) => {
      const run = await runInSandbox(
        {
          program: location,
          arguments: [...OPTIONS, '--smt', solver, ...verify],
          files,
          readable,
          collect: (path) => /^queries-.*\.smt2$/.test(path),
          limits,
          ...(signal !== undefined && { signal }),
        },
        true,
      );
      const { isolation, stopped, stalled, incidents, code, output, errorOutput } = run;
      const logs = [...run.files]
        .sort(([one], [other]) => orderOf(one) - orderOf(other))
        .map(([, bytes]) => Buffer.from(bytes).toString('utf8'));
      return {
        ...{ isolation, stopped, incidents, code, said: `${output}\n${errorOutput}`.trim(), logs },
        ...(stalled !== undefined && { stalled }),
      };
    },
    solve: async (log, { limits, signal }) => {
      const { stopped, stalled, output } = await runInSandbox(
        {
          program: solver,
          arguments: ['-smt2', 'questions.smt2'],
          files: new Map([['questions.smt2', log]]),
          readable,
          collect: () => false,
          limits,
          ...(signal !== undefined && { signal }),
        },
        true,
      );
      return { stopped, output, ...(stalled !== undefined && { stalled }) };
    },
  };
}

/** A `val` without a definition and a tactic that admits are errors; nothing is read from a cache. */
const OPTIONS = ['--cache_off', '--log_queries', '--warn_error', '@240@296'];

/** `queries-A.smt2`, `queries-A-1.smt2`, …: a new one whenever the solver was started again. */
function orderOf(path: string): number {
  const number = /-(\d+)\.smt2$/.exec(basename(path))?.[1];
  return number === undefined ? 0 : Number(number);
}
