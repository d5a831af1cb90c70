/** Results of benchmarks and data sets of the folder, and the jobs of the server. */
import { counted } from '../../../../src/core/counted.ts';
import { useAsked } from '../../parts/asked.ts';
import { cut } from '../../parts/cut.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Empty, ErrorNote, Working } from '../../parts/notes.tsx';
import { call } from '../../server/client.ts';
import { forgetEndedJobs, jobStateText, jobs, outcomeOf, stopJob, type Job } from '../../server/jobs.ts';
import { addressOf } from '../../shell/route.ts';
import { toastError } from '../../shell/toasts.ts';
import type { ViewProps } from '../../shell/view.ts';
import { DataSet } from './data-set.tsx';
import { Results } from './results.tsx';
import './bench.css';

/** The address: `results/FOLDER`, `data/FOLDER`, or nothing. */
export default function BenchView({ rest }: ViewProps) {
  const found = useAsked((signal) => call('data_found', {}, { signal }), []);
  const [kind = '', ...path] = rest.split('/');
  const folder = path.join('/');
  const { results, datasets } = found.value ?? { results: [], datasets: [] };
  return (
    <div class="bench-view">
      <nav class="bench-list" aria-label="Results and data">
        <div class="pane-title">
          <h1>Bench and data</h1>
        </div>
        {found.state === 'failed' && <ErrorNote error={found.error} again={found.again} />}
        {found.state === 'asking' && found.value === undefined && (
          <Working text="Looking through the folder" />
        )}
        <h2>Results</h2>
        {found.state === 'answered' && results.length === 0 && (
          <p>
            None yet: <code>quod bench run SPEC</code>
          </p>
        )}
        <ul>
          {results.map(({ folder: own, cells }) => (
            <Place
              key={own}
              kind="results"
              folder={own}
              note={counted(cells, 'cell')}
              isShown={kind === 'results' && own === folder}
            />
          ))}
        </ul>
        <h2>Data sets</h2>
        {found.state === 'answered' && datasets.length === 0 && (
          <p>
            None yet: <code>quod mine PATH -o FOLDER</code>
          </p>
        )}
        <ul>
          {datasets.map(({ folder: own, sources }) => (
            <Place
              key={own}
              kind="data"
              folder={own}
              note={counted(sources, 'source')}
              isShown={kind === 'data' && own === folder}
            />
          ))}
        </ul>
        <div class="row spread">
          <h2>Jobs of the server</h2>
          {jobs.value.some(({ state }) => state !== 'running') && (
            <button class="quiet" onClick={() => void forgetEndedJobs().catch(toastError)}>
              Forget ended
            </button>
          )}
        </div>
        {jobs.value.length === 0 && <p>None.</p>}
        <ul class="job-list">
          {jobs.value.map((job) => (
            <JobItem key={job.id} job={job} />
          ))}
        </ul>
      </nav>
      <div class="bench-main">
        {kind === 'results' ? (
          <Results key={folder} folder={folder} />
        ) : kind === 'data' ? (
          <DataSet key={folder} folder={folder} />
        ) : (
          <Empty
            title={
              results.length + datasets.length > 0 ? 'Choose results or a data set' : 'Nothing to show yet'
            }
          >
            Results of benchmarks and data sets that are made in this folder stand here. Shares come with
            their 95 % intervals, differences with their p.
          </Empty>
        )}
      </div>
    </div>
  );
}

interface PlaceProps {
  readonly kind: 'results' | 'data';
  readonly folder: string;
  readonly note: string;
  readonly isShown: boolean;
}

function Place({ kind, folder, note, isShown }: PlaceProps) {
  return (
    <li class={isShown ? 'shown' : ''}>
      <a href={addressOf('bench', `${kind}/${folder}`)} aria-current={isShown ? 'true' : undefined}>
        <span {...cut(folder)}>{folder}</span>
        <small>{note}</small>
      </a>
    </li>
  );
}

const JOB_TONES: Readonly<Record<Job['state'], Tone>> = {
  running: 'live',
  answered: 'good',
  failed: 'bad',
  stopped: 'open',
};

function JobItem({ job }: { readonly job: Job }) {
  const { id, title, state, progress, conclusion, operation } = job;
  return (
    <li>
      <div class="row spread">
        <Badge tone={JOB_TONES[state]}>{jobStateText(state)}</Badge>
        {state === 'running' && (
          <button class="quiet" onClick={() => void stopJob(id).catch(toastError)}>
            Stop
          </button>
        )}
      </div>
      <span {...cut(title)}>{title}</span>
      {operation === 'gate_submit' && state === 'answered' ? (
        <JobVerdict job={job} />
      ) : (
        <small>{conclusion ?? progress.message}</small>
      )}
    </li>
  );
}

/** What was judged leads to the verdict, where it was kept. */
function JobVerdict({ job: { id, conclusion } }: { readonly job: Job }) {
  const outcome = useAsked(() => outcomeOf<'gate_submit'>(id), [id]);
  const kept = outcome.value?.kind === 'answered' ? outcome.value.value.id : null;
  return <small>{kept === null ? conclusion : <a href={addressOf('gate', kept)}>{conclusion}</a>}</small>;
}
