/** The look for a counterexample: begun from the page, and what came of it. */
import { Badge } from '../../../parts/badge.tsx';
import { cut } from '../../../parts/cut.ts';
import { Ended } from '../../../parts/ended.tsx';
import { OldNote } from '../../../parts/notes.tsx';
import { once } from '../../../parts/once.ts';
import { inPageWords } from '../../../parts/page-words.ts';
import { whyOldFile } from '../../../parts/rests-on.ts';
import type { OutputOf } from '../../../server/client.ts';
import { startJob } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import type { OpenDocument } from '../open-document.ts';

/** What may be false: a theorem of the file, or a statement that would stand before it. */
export interface Doubted {
  readonly theorem: string;
  readonly statement?: string;
}

/** Undefined where it was begun a moment ago. */
export function lookForCounterexample(
  file: string,
  { theorem, statement }: Doubted,
): Promise<Job | undefined> {
  const title = `Look for a counterexample to ${statement ?? theorem}`;
  const asked = statement === undefined ? { theorems: [theorem] } : { statement, before: theorem };
  return once(`${title} ${file}`, () => startJob('proof_refute', { file, ...asked }, title));
}

type Refuted = OutputOf<'proof_refute'>;

export function Counterexample({ job, open }: { readonly job: Job; readonly open: OpenDocument }) {
  return (
    <section class="search" aria-label="Counterexample">
      <strong {...cut(job.title)}>{job.title}</strong>
      <Ended<'proof_refute'>
        job={job}
        show={(answer) => <Answered answer={answer} statement={job.input['statement']} open={open} />}
      />
    </section>
  );
}

interface AnsweredProps {
  readonly answer: Refuted;
  /** That was asked about in the place of a theorem of the file. */
  readonly statement: unknown;
  readonly open: OpenDocument;
}

function Answered({ answer: { results, rests_on }, statement, open }: AnsweredProps) {
  const { hash } = open.saved.value;
  const { restsOn } = open.checking.value;
  const now = restsOn && { ...restsOn, file_hash: hash };
  const why = open.changed.value
    ? 'The text has changed since: save it, and look again.'
    : whyOldFile(rests_on, now, 'look again');
  return (
    <>
      <OldNote why={why} />
      <ul class="found">
        {results.map(({ theorem, line, outcome, counterexample, negation, message }) => (
          <li key={line}>
            <div class="row">
              <strong {...cut(theorem)}>{typeof statement === 'string' ? statement : theorem}</strong>
              <Badge tone={outcome === 'refuted' && why === undefined ? 'bad' : 'plain'}>
                {OUTCOMES[outcome]}
              </Badge>
            </div>
            {counterexample !== null && counterexample !== '' && (
              <p class="note">It is false for {counterexample}.</p>
            )}
            {message !== null && <p class="note">{inPageWords(message)}</p>}
            {negation !== null && (
              <details>
                <summary>The gate accepted a proof that it is false</summary>
                <pre class="term">{negation}</pre>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const OUTCOMES: Readonly<Record<Refuted['results'][number]['outcome'], string>> = {
  refuted: 'false',
  'not-refuted': 'not refuted',
  'not-tried': 'not tried',
};
