/** The compiling of the project: begun, watched and stopped, and what did not compile, each at its place. */
import { useComputed } from '@preact/signals';
import { counted } from '../../../src/core/counted.ts';
import { CallError } from '../server/client.ts';
import { useJobDetails } from '../server/job-details.ts';
import type { JobDetail } from '../server/job-details.ts';
import { jobs, outcomeOf, startJob, stopJob } from '../server/jobs.ts';
import type { Job } from '../server/jobs.ts';
import { toastError } from '../shell/toasts.ts';
import { useAsked } from './asked.ts';
import { buildBelow, isHindered, type Build, type BuildStep } from './last-build.ts';
import { ErrorNote, PlaceLink, Working } from './notes.tsx';
import { isSecondClick, once } from './once.ts';
import { notAsNow } from './rests-on.ts';

/** @param file With all that it requires; undefined: all of the project. */
export function startBuild(file?: string): void {
  const begin = (): Promise<Job> =>
    file === undefined
      ? startJob('proof_build', {}, 'Build the project')
      : startJob('proof_build', { paths: [file] }, `Build ${file} with what it requires`);
  once(BUILD, begin).catch(toastError);
}

const BUILD = 'build';

interface BuildButtonProps {
  /** With all that it requires; undefined: all of the project. */
  readonly file?: string;
  readonly isPrimary?: boolean;
  readonly children?: string;
}

/** A button that begins a build. */
export function BuildButton({ file, isPrimary = false, children = 'Build' }: BuildButtonProps) {
  return (
    <button type="button" class={isPrimary ? 'primary' : ''} onClick={() => startBuild(file)}>
      {children}
    </button>
  );
}

/** The last build, of whichever window. */
export function useBuild(): Build {
  const job = useComputed(() => jobs.value.find(({ operation }) => operation === 'proof_build')).value;
  const { fold: faults } = useJobDetails<BuildStep[]>(job?.id, () => [], addFault);
  return { job, isRunning: job?.state === 'running', faults, changed: new Set(job?.changed) };
}

function addFault(faults: BuildStep[], detail: JobDetail): void {
  // The server wrote it by the same definition from which the type comes.
  const step = detail as BuildStep;
  if (step.kind === 'failed' || step.kind === 'left-out') faults.push(step);
}

export function BuildProgress({ job: { id, progress } }: { readonly job: Job }) {
  return (
    <div class="row build-progress">
      <Working text={progress.message} done={progress.done} total={progress.total} />
      <button type="button" onClick={(event) => isSecondClick(event) || void stopJob(id).catch(toastError)}>
        Stop
      </button>
    </div>
  );
}

interface BuildOrProgressProps extends BuildButtonProps {
  readonly build: Build;
}

/** How far the build is, else the button that begins one. */
export function BuildOrProgress({ build: { job, isRunning }, ...button }: BuildOrProgressProps) {
  return isRunning && job !== undefined ? <BuildProgress job={job} /> : <BuildButton {...button} />;
}

/** How many files that were left out are listed. */
const SHOWN_LEFT_OUT = 3;

/** Also while the rest is still compiled. */
export function BuildFaults({ build: { job, faults, changed } }: { readonly build: Build }) {
  const asked = useAsked(
    async () => (job?.state === 'failed' ? outcomeOf<'proof_build'>(job.id) : undefined),
    [job?.id, job?.state],
  );
  const failure = asked.value?.kind === 'failed' ? asked.value.problem : undefined;
  // They follow from the others: many of them would hide what is to be mended.
  const leftOut = faults.filter(({ kind }) => kind === 'left-out');
  const isFolded = leftOut.length > SHOWN_LEFT_OUT;
  const row = (fault: BuildStep) => {
    const { kind, file, line, column, message } = fault;
    const isOld = file !== null && changed.has(file);
    return (
      <li key={file} class={isOld || isHindered(fault) ? 'left-out' : kind}>
        {file !== null && <PlaceLink file={file} line={line} column={column} />}
        <span class="printed">
          {isOld ? 'It did not compile, and was changed since the build.' : message}
        </span>
      </li>
    );
  };
  return (
    <>
      {failure !== undefined && <ErrorNote error={new CallError(failure)} />}
      {faults.length > 0 && (
        <ul class="build-faults" aria-label="What did not compile">
          {faults.filter(({ kind }) => !isFolded || kind !== 'left-out').map(row)}
          {isFolded && (
            <li>
              <details>
                <summary>{`${counted(leftOut.length, 'file')} were left out, since something that they require did not compile`}</summary>
                <ul>{leftOut.map(row)}</ul>
              </details>
            </li>
          )}
        </ul>
      )}
    </>
  );
}

/** What is shown of a file rests on libraries as they were compiled, which is not as they are written now. */
export function StaleLibraries({
  file,
  names,
}: {
  readonly file: string;
  readonly names: readonly string[];
}) {
  const build = useBuild();
  return (
    <div class="row stale-libraries" role="status">
      <span>
        {names.join(', ')} {notAsNow(names)}: this is shown with what was compiled before.
      </span>
      <BuildOrProgress build={build} file={file} />
    </div>
  );
}

interface BuildFirstProps {
  readonly file: string;
  /** What it requires and is not compiled, by name. */
  readonly notCompiled: readonly string[];
}

/** Where nothing can be done with a file before what it requires is built. */
export function BuildFirst({ file, notCompiled }: BuildFirstProps) {
  const build = useBuild();
  return (
    <div class="stack">
      <div class="row">
        <BuildOrProgress build={build} isPrimary file={file}>
          Build what it requires
        </BuildOrProgress>
      </div>
      <BuildFaults build={buildBelow(build, notCompiled)} />
    </div>
  );
}
