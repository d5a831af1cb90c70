/**
 * What can be done with a file of another prover than Rocq: its statements and holes, which need no prover, and the
 * check by its own. Where that is not on this machine, what to do is said.
 */
import { useSignal } from '@preact/signals';
import { counted, someOf } from '../../../../src/core/counted.ts';
import { orNothing } from '../../../../src/core/entry.ts';
import { Badge } from '../../parts/badge.tsx';
import { Ended } from '../../parts/ended.tsx';
import { OldNote, Remedy } from '../../parts/notes.tsx';
import { isUnderWay, once } from '../../parts/once.ts';
import { whyUnsure } from '../../parts/rests-on.ts';
import type { OutputOf } from '../../server/client.ts';
import { jobs, startJob } from '../../server/jobs.ts';
import type { Job } from '../../server/jobs.ts';
import { addressOf } from '../../shell/route.ts';
import { toastError } from '../../shell/toasts.ts';
import { KernelVerdict } from './kernel-verdict.tsx';
import type { OpenDocument } from './open-document.ts';
import { Outline } from './outline.tsx';
import { offsetOf } from './positions.ts';
import type { Language } from './syntax-highlighting.ts';

interface CheckPaneProps {
  readonly open: OpenDocument;
  readonly onPlace: (at: number) => void;
}

export function CheckPane({ open, onPlace }: CheckPaneProps) {
  return (
    <div class="pane-body goals">
      {open.language === 'lean' ? <LeanCheck open={open} /> : <FileCheck open={open} onPlace={onPlace} />}
      <Outline open={open} onPlace={onPlace} />
    </div>
  );
}

/** HOL4 and F*: the prover runs the file, and all its errors are listed. */
function FileCheck({ open, onPlace }: CheckPaneProps) {
  const job = jobs.value.find(
    ({ operation, input }) => operation === 'proof_check' && input['file'] === open.file,
  );
  const title = `Check ${open.file}`;
  const start = (): void => {
    const input = { file: open.file, allow_holes: true };
    once(title, () => startJob('proof_check', input, title)).catch(toastError);
  };
  const name = open.language === 'hol4' ? 'HOL4' : 'F*';
  return (
    <div class="stack check">
      <div class="row">
        <button
          class="primary"
          disabled={open.changed.value || job?.state === 'running' || isUnderWay(title)}
          onClick={start}
        >
          Check with {name}
        </button>
        {open.language === 'hol4' && (
          <a href={addressOf('agent', '', { file: open.file })}>Prove its holes</a>
        )}
        {open.changed.value && <small>{name} reads the file on the disk: save first.</small>}
      </div>
      {job === undefined ? (
        <p class="note">It lists all errors of the file. Goals at the cursor are shown for Rocq alone.</p>
      ) : (
        <Ended<'proof_check'> job={job} show={(checked) => <Errors {...{ open, job, checked, onPlace }} />} />
      )}
    </div>
  );
}

/** Lean: its own kernel is not on this machine; ours judges what was compiled elsewhere. */
function LeanCheck({ open }: { readonly open: OpenDocument }) {
  const module =
    open.file
      .replace(/\.lean$/u, '')
      .split('/')
      .at(-1) ?? open.file;
  const exported = useSignal(`.lake/build/lib/lean/${module}.olean`);
  const job = jobs.value.find(
    ({ operation, input }) => operation === 'lean_check' && input['file'] === exported.value,
  );
  const title = `Check ${exported.value}`;
  const start = (): void => {
    if (job?.state === 'running') return;
    once(title, () => startJob('lean_check', { file: exported.peek() }, title)).catch(toastError);
  };
  return (
    <form
      class="stack check"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <p class="note">
        Quod runs no Lean. Compile the file (<code>lake build</code>); Quod's own kernel checks what comes
        out: a <code>.olean</code>, or an export of <code>lean4export</code>.
      </p>
      <div class="row">
        <input
          class="wide"
          aria-label="Compiled module or export"
          value={exported.value}
          onInput={({ currentTarget }) => (exported.value = currentTarget.value)}
        />
        <button class="primary" disabled={job?.state === 'running' || isUnderWay(title)}>
          Check
        </button>
      </div>
      {job !== undefined && (
        <Ended<'lean_check'> job={job} show={(checked) => <KernelVerdict checked={checked} />} />
      )}
    </form>
  );
}

interface Check {
  readonly open: OpenDocument;
  /** Which files were written since the check began. */
  readonly job: Pick<Job, 'changed'>;
  readonly checked: OutputOf<'proof_check'>;
}

/** What a check by these provers may have read of the project: which of it a file requires they do not say. */
const MAY_READ: Readonly<Partial<Record<Language, RegExp>>> = {
  hol4: /(?:\.sml|(?:^|\/)Holmakefile)$/u,
  fstar: /\.(?:fsti?|fst\.config\.json)$/u,
};

function whyOldCheck({ open, job, checked: { rests_on } }: Check): string | undefined {
  if (open.changed.value) return 'The text has changed since: save it, and check again.';
  if (rests_on.file_hash !== open.saved.value.hash) return 'The file has changed since: check again.';
  const others = job.changed.filter(
    (path) => path !== open.file && MAY_READ[open.language]?.test(path) === true,
  );
  if (others.length === 0) return whyUnsure(rests_on, 'check again');
  const verb = others.length === 1 ? 'was' : 'were';
  return `${someOf(others)} ${verb} changed since, and may be required here: check again.`;
}

function Errors({ onPlace, ...check }: Check & Pick<CheckPaneProps, 'onPlace'>) {
  const { open, checked } = check;
  const { errors, holds, holes, seconds, run, unit, rests_on } = checked;
  const isOfOlder = rests_on.stale.length > 0 && errors.length === 0 && !checked.partial;
  const unsure = isOfOlder ? 'against older files' : 'not to the end';
  const why = whyOldCheck(check);
  const { text } = open.saved.value;
  const own = errors.filter(({ follows }) => follows === null);
  const following = Map.groupBy(
    errors.filter(({ follows }) => follows !== null),
    ({ follows }) => orNothing(follows),
  );
  const shown = (some: typeof errors) =>
    some.map(({ message, line, column, remedy }) => (
      <li key={`${line}:${column}`} class="error-note">
        <button class="quiet" onClick={() => onPlace(offsetOf(text, { line, column }))}>
          Line {line}
        </button>
        <pre class="printed">{message}</pre>
        <Remedy text={remedy} />
      </li>
    ));
  return (
    <>
      <OldNote why={why} />
      <p class="row">
        {holds === null ? (
          <Badge tone="open">{unsure}</Badge>
        ) : (
          <Badge tone={why !== undefined ? 'plain' : holds ? 'good' : 'bad'}>
            {holds ? 'no error' : `${own.length} failing`}
          </Badge>
        )}
        <small>
          {run} {unit}s in {seconds.toFixed(1)} s, {holes.length} open
        </small>
      </p>
      <ul class="errors">{shown(own)}</ul>
      {[...following].map(([cause, some]) => (
        <details key={cause}>
          <summary>{`${counted(some.length, 'error')} may follow from the error in ${cause}`}</summary>
          <ul class="errors">{shown(some)}</ul>
        </details>
      ))}
    </>
  );
}
