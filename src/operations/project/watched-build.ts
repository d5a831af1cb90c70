/** A build as whoever waits for it sees it: which files are compiled right now, how many of all are done, what failed. */
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

  /** What another tool stopped at. */
  fail(path: string, error: QuodError): void {
    this.#end(toolFailedStep(this.#context.workspace.nameOf(path), error));
  }

  #end(step: BuildStep): void {
    this.steps.push(step);
    this.#context.watch?.(step);
  }

  add(event: ProjectBuildEvent): void {
    const { workspace, progress, watch } = this.#context;
    if (event.kind === 'output') {
      // How many files another tool has still to compile only that tool knows.
      progress({ message: event.line });
      return;
    }
    const step = buildStepOf(event, (path) => workspace.nameOf(path));
    if (event.kind === 'started') this.#running.add(workspace.nameOf(event.path));
    else if (event.kind === 'stopped') this.#running.delete(workspace.nameOf(event.path));
    else if (event.kind !== 'tool') {
      this.#running.delete(workspace.nameOf(event.path));
      this.#done += 1;
    }
    if (step !== undefined) {
      this.steps.push(step);
      if (isToldStep(step)) watch?.(step);
    }
    if (event.kind === 'stopped') return;
    if (event.kind === 'tool') progress({ message: event.command });
    else if (this.#running.size > 0)
      progress({ message: `compiling ${this.#names()}`, done: this.#done, total: this.#total });
    else if (step !== undefined && isToldStep(step))
      progress({ message: buildStepText(step).trim(), done: this.#done, total: this.#total });
  }

  #names(): string {
    const names = [...this.#running];
    const others = names.length - NAMES_SHOWN;
    return [...names.slice(0, NAMES_SHOWN), ...(others > 0 ? [`${others} more`] : [])].join(', ');
  }
}
