/** A build as whoever waits for it sees it: which files are compiled right now, how many of all are done, what failed. */
import { isDeepStrictEqual } from 'node:util';
import { someOf } from '../../core/counted.ts';
import type { QuodError } from '../../core/errors.ts';
import type { ProjectBuildEvent } from '../../provers/rocq/build/project-build.ts';
import type { OperationContext } from '../definition/operation.ts';
import type { PlannedBuild } from '../../provers/rocq/build/needed-projects.ts';
import {
  buildStepOf,
  buildStepText,
  isToldStep,
  misnamedStep,
  toolFailedStep,
  type BuildStep,
} from './build-steps.ts';

const NAMES_SHOWN = 3;

export class WatchedBuild {
  readonly steps: BuildStep[] = [];
  readonly #context: Pick<OperationContext, 'workspace' | 'progress' | 'watch'>;
  readonly #total: number;
  /** In the order in which they were begun. */
  readonly #running = new Set<string>();
  #done = 0;

  constructor(
    context: Pick<OperationContext, 'workspace' | 'progress' | 'watch'>,
    wanted: readonly PlannedBuild[],
  ) {
    this.#context = context;
    this.#total = wanted.reduce((sum, { sources, given }) => sum + sources.length - given.size, 0);
  }

  /** What nothing can compile. @param wrongPart The part of its name that no module can have. */
  leaveOut(path: string, wrongPart: string): void {
    this.#end(misnamedStep(this.#context.workspace.nameOf(path), wrongPart));
  }

  /** What another tool stopped at: once, where it was run for several theories and stopped at the same each time. */
  fail(path: string, error: QuodError): void {
    const step = toolFailedStep(this.#context.workspace.nameOf(path), error);
    if (!this.steps.some((told) => isDeepStrictEqual(told, step))) this.#end(step);
  }

  #end(step: BuildStep): void {
    this.steps.push(step);
    if (isToldStep(step)) this.#context.watch?.(step);
  }

  add(event: ProjectBuildEvent): void {
    const { workspace, progress } = this.#context;
    if (event.kind === 'output') {
      // How many files another tool has still to compile only that tool knows.
      progress({ message: event.line });
      return;
    }
    const step = buildStepOf(event, (path) => workspace.nameOf(path));
    if (step !== undefined) this.#end(step);
    if (event.kind === 'tool') {
      // Its command is told with the step, once.
      progress({ message: `${event.tool} compiles` });
      return;
    }
    const name = workspace.nameOf(event.path);
    if (event.kind === 'started') this.#running.add(name);
    else this.#running.delete(name);
    if (event.kind === 'stopped') return;
    if (event.kind !== 'started') this.#done += 1;
    const counts = { done: this.#done, total: this.#total };
    if (this.#running.size > 0)
      progress({ message: `compiling ${someOf([...this.#running], NAMES_SHOWN)}`, ...counts });
    else if (step !== undefined && isToldStep(step))
      progress({ message: buildStepText(step).trim(), ...counts });
  }
}
