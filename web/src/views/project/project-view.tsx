/**
 * The folder: its files with what is open in them, everything that they state, and what is still open under a
 * theorem.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { Panes } from '../../parts/panes.tsx';
import { call } from '../../server/client.ts';
import { onLive } from '../../server/live.ts';
import { jobs, startJob, stopJob } from '../../server/jobs.ts';
import { useCommands } from '../../shell/commands.ts';
import { goTo, addressOf } from '../../shell/route.ts';
import { toastError } from '../../shell/toasts.ts';
import type { ViewProps } from '../../shell/view.ts';
import { FileTree } from './file-tree.tsx';
import { History } from './history.tsx';
import { Statements } from './statements.tsx';
import './project.css';

/** Saving often brings many changes in a row; they are looked at together. */
const SETTLE_MS = 400;

export default function ProjectView({ query }: ViewProps) {
  const status = useAsked((gone) => call('proof_status', {}, { signal: gone }), []);
  const words = useSignal(query.get('words') ?? '');
  const openOnly = useSignal(query.get('open') === '1');
  const stated = useAsked((gone) => call('proof_statements', { limit: 10_000 }, { signal: gone }), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive('file', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        status.again();
        stated.again();
      }, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  const build = (): void => {
    startJob('proof_build', {}, 'Build the project').catch(toastError);
  };
  useCommands(
    () => [
      { id: 'project.build', title: 'Build the project', words: 'compile', run: build },
      {
        id: 'project.search',
        title: 'Search statements',
        keys: '/',
        run: () => document.querySelector<HTMLInputElement>('#statement-words')?.focus(),
      },
      {
        id: 'project.open',
        title: 'Show what is open, or all',
        run: () => (openOnly.value = !openOnly.value),
      },
    ],
    [],
  );
  if (status.value === undefined)
    return status.state === 'failed' ? (
      <div class="pane-body">
        <ErrorNote error={status.error} again={status.again} />
      </div>
    ) : (
      <Working text="Reading the project" />
    );
  const { files, holes } = status.value;
  const stale = files.filter(({ compiled }) => compiled === false).length;
  const building = jobs.value.find(
    ({ operation, state }) => operation === 'proof_build' && state === 'running',
  );
  const lastBuild = jobs.value.find(({ operation }) => operation === 'proof_build');
  const theorems =
    stated.value?.statements.filter(({ state }) => state === 'proved' || state === 'open') ?? [];
  const clean = theorems.filter(
    ({ state, rests_on_open }) => state === 'proved' && rests_on_open.length === 0,
  );
  return (
    <div class="project">
      <h1 class="unseen">The project</h1>
      <div class="project-head">
        <dl class="figures">
          <Figure title="files" value={files.length} />
          <Figure title="theorems" value={theorems.length} />
          <Figure title="fully proved" value={clean.length} tone="good" />
          <Figure title={holes === 1 ? 'hole' : 'holes'} value={holes} tone={holes > 0 ? 'open' : 'good'} />
        </dl>
        <History />
        <div class="build">
          {building !== undefined ? (
            <>
              <Working
                text={building.progress.message}
                done={building.progress.done}
                total={building.progress.total}
              />
              <button onClick={() => void stopJob(building.id).catch(toastError)}>Stop</button>
            </>
          ) : (
            <>
              {stale > 0 && <span class="note">{uncompiledText(stale, files.length)}</span>}
              {stale === 0 && lastBuild !== undefined && <span class="note">{lastBuild.conclusion}</span>}
              {stale > 0 && (
                <button class="primary" onClick={build}>
                  Build
                </button>
              )}
            </>
          )}
          {lastBuild?.state === 'failed' && building === undefined && (
            <ErrorNote error={new Error(lastBuild.conclusion ?? 'The build failed.')} />
          )}
        </div>
      </div>
      <Panes name="project" shares={[0.34, 0.66]}>
        <section class="pane" aria-label="Files">
          <FileTree
            files={files}
            statements={stated.value?.statements ?? []}
            marksUncompiled={files.some(({ compiled }) => compiled === true)}
            onOpen={(file) => goTo(addressOf('file', file))}
          />
        </section>
        <section class="pane statements-pane" aria-label="Statements">
          {stated.state === 'failed' && <ErrorNote error={stated.error} again={stated.again} />}
          {stated.value === undefined ? (
            <Working text="Reading statements" />
          ) : (
            <Statements
              all={stated.value.statements}
              words={words}
              openOnly={openOnly}
              chosen={query.get('at')}
            />
          )}
        </section>
      </Panes>
    </div>
  );
}

function uncompiledText(stale: number, all: number): string {
  if (stale === all && all > 1) return 'No file is compiled yet.';
  return `${stale === 1 ? '1 file is' : `${stale} files are`} not compiled.`;
}

function Figure({
  title,
  value,
  tone = 'plain',
}: {
  readonly title: string;
  readonly value: number;
  readonly tone?: string;
}) {
  return (
    <div class={tone}>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}
