/**
 * The folder: its files with what is open in them, everything that they state, and what is still open under a
 * theorem.
 */
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { counted } from '../../../../src/core/counted.ts';
import { orNothing } from '../../../../src/core/entry.ts';
import { BuildButton, BuildFaults, BuildProgress, useBuild } from '../../parts/build.tsx';
import { useFileChanges } from '../../parts/file-changes.ts';
import type { Build } from '../../parts/last-build.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { Panes } from '../../parts/panes.tsx';
import { isUncompiled } from '../../parts/stated.ts';
import { call } from '../../server/client.ts';
import { useCommands } from '../../shell/commands.ts';
import { goTo, addressOf } from '../../shell/route.ts';
import type { ViewProps } from '../../shell/view.ts';
import { FileTree } from './file-tree.tsx';
import { History } from './history.tsx';
import { Statements } from './statements.tsx';
import './project.css';

export default function ProjectView({ query }: ViewProps) {
  const status = useAsked((gone) => call('proof_status', {}, { signal: gone }), []);
  const words = useSignal(query.get('words') ?? '');
  const openOnly = useSignal(query.get('open') === '1');
  const chosen = useSignal(query.get('at') ?? '');
  useAddress({ words, openOnly, chosen });
  const stated = useAsked((gone) => call('proof_statements', { limit: 10_000 }, { signal: gone }), []);
  const lookAgain = (): void => {
    status.again();
    stated.again();
  };
  useFileChanges(lookAgain, () => true, []);
  const build = useBuild();
  useCommands(
    () => [
      {
        id: 'project.open',
        title: 'Show what is open, or all',
        run: () => (openOnly.value = !openOnly.value),
      },
    ],
    [],
  );
  /** The address says so only until it says what is searched. */
  const isToBeSearched = useRef(false);
  if (query.get('focus') === 'words') isToBeSearched.current = true;
  const isThere = status.value !== undefined && stated.value !== undefined;
  useEffect(() => {
    if (!isToBeSearched.current || !isThere) return;
    isToBeSearched.current = false;
    document.getElementById('statement-words')?.focus();
  }, [query, isThere]);
  if (status.value === undefined)
    return status.state === 'failed' ? (
      <div class="pane-body">
        <ErrorNote error={status.error} again={status.again} />
      </div>
    ) : (
      <Working text="Reading the project" />
    );
  const { files, holes, open, unread } = status.value;
  const stale = files.filter(({ compiled }) => compiled === 'no').length;
  const theorems =
    stated.value?.statements.filter(({ state }) => state === 'proved' || state === 'open') ?? [];
  const done = theorems.filter(
    (one) => one.state === 'proved' && one.rests_on_open.length === 0 && !isUncompiled(one),
  );
  const onAxioms = done.filter(({ rests_on_assumed }) => rests_on_assumed.length > 0).length;
  return (
    <div class="project">
      <h1 class="unseen">The project</h1>
      <div class="project-head">
        <dl class="figures">
          <Figure title="files" value={files.length} />
          <Figure title="theorems" value={theorems.length} />
          <Figure title="fully proved" value={done.length - onAxioms} tone="good" />
          {onAxioms > 0 && <Figure title="proved on axioms" value={onAxioms} />}
          <Figure
            title="open"
            value={open}
            tone={open > 0 ? 'open' : 'good'}
            about={holes > open ? `with ${counted(holes, 'gap')} in them` : ''}
          />
        </dl>
        <History />
        <div class="build" aria-live="polite">
          {build.isRunning && build.job !== undefined ? (
            <BuildProgress job={build.job} />
          ) : (
            <>
              <span class="note">{buildText(build, stale, files.length)}</span>
              {stale > 0 && <BuildButton isPrimary />}
            </>
          )}
        </div>
      </div>
      <div class="build-results">{(stale > 0 || build.isRunning) && <BuildFaults build={build} />}</div>
      <Panes name="project" shares={[0.34, 0.66]}>
        <section class="pane file-pane" aria-label="Files">
          {unread.map(({ file, why }) => (
            <p class="note" key={file}>{`${file} was not read: ${why}`}</p>
          ))}
          <FileTree
            files={files}
            statements={stated.value?.statements ?? []}
            build={build}
            marksUncompiled={files.some(({ compiled }) => compiled === 'yes')}
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
              build={build}
              words={words}
              openOnly={openOnly}
              chosen={chosen}
            />
          )}
        </section>
      </Panes>
    </div>
  );
}

interface InAddress {
  readonly words: Signal<string>;
  readonly openOnly: Signal<boolean>;
  readonly chosen: Signal<string>;
}

/** Longer than between two keys. */
const TYPED_MS = 250;

/** What is searched and chosen stands in the address: a reload and going back find it again. */
function useAddress({ words, openOnly, chosen }: InAddress): void {
  const write = (): void => {
    const address = addressOf('project', '', {
      ...(words.peek() !== '' && { words: words.peek() }),
      ...(openOnly.peek() && { open: '1' }),
      ...(chosen.peek() !== '' && { at: chosen.peek() }),
    });
    // Who has left is not brought back.
    if (location.pathname === addressOf('project') && location.pathname + location.search !== address)
      goTo(address, { replace: true });
  };
  useEffect(write, [openOnly.value, chosen.value]);
  useEffect(() => {
    const timer = setTimeout(write, TYPED_MS);
    return () => clearTimeout(timer);
  }, [words.value]);
}

function buildText({ job, faults, changed }: Build, stale: number, all: number): string {
  const failed = faults.filter(({ file }) => file === null || !changed.has(file));
  const isTold = failed.length > 0 || job?.state === 'stopped' || job?.state === 'failed';
  if (stale === 0 || (isTold && failed.length >= stale)) return conclusionOf(job);
  const told = isTold ? `${conclusionOf(job)}. ` : '';
  return `${told}${staleText(stale, all)}`;
}

function conclusionOf(job: Build['job']): string {
  return job?.state === 'stopped' ? `Stopped: ${orNothing(job.conclusion)}` : orNothing(job?.conclusion);
}

function staleText(stale: number, all: number): string {
  if (stale === all && all > 1)
    return 'No file is compiled as it is now: what requires others may not be checked.';
  return `${stale === 1 ? '1 file is' : `${stale} files are`} not compiled, or not from the source as it is now: build to count what ${stale === 1 ? 'it proves' : 'they prove'} as fully proved.`;
}

function Figure({
  title,
  value,
  tone = 'plain',
  about = '',
}: {
  readonly title: string;
  readonly value: number;
  readonly tone?: string;
  readonly about?: string;
}) {
  return (
    <div class={tone} title={about}>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}
