/**
 * Proofs as trees: one, or two beside each other, walked sentence by sentence, and sent to others as a page or a
 * picture.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { outcomeText } from '../../../../src/drawing/proof-page.ts';
import { useAsked } from '../../parts/asked.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { StaleLibraries } from '../../parts/build.tsx';
import { download } from '../../parts/download.ts';
import { useFileChanges } from '../../parts/file-changes.ts';
import { ErrorNote, OldNote, Working } from '../../parts/notes.tsx';
import { once } from '../../parts/once.ts';
import { GroundsBelow } from '../../parts/grounds-below.tsx';
import { mayChangeLibraries, useRestsOn, whyOldFile, type RestsOn } from '../../parts/rests-on.ts';
import { call, type CallProgress, type OutputOf } from '../../server/client.ts';
import { useCommands } from '../../shell/commands.ts';
import { addressOf, goTo } from '../../shell/route.ts';
import { toast, toastError } from '../../shell/toasts.ts';
import type { ViewProps } from '../../shell/view.ts';
import { ProofPane } from './proof-pane.tsx';
import { TheoremList } from './theorem-list.tsx';
import './proof.css';

type Format = 'html' | 'svg' | 'text';

export default function ProofView({ rest: file, query }: ViewProps) {
  const theorem = query.get('theorem') ?? '';
  const beside = query.get('beside') ?? '';
  const whole = useSignal(false);
  const files = useAsked((signal) => call('rocq_files', { limit: 10_000 }, { signal }), []);
  const outline = useAsked(
    async (signal) =>
      file === '' ? undefined : await call('rocq_outline', { file, limit: 5000 }, { signal }),
    [file],
  );
  const names = outline.value?.theorems.flatMap(({ name }) => name ?? []) ?? [];
  const go = (next: { file?: string; theorem?: string; beside?: string }): void => {
    const to = { theorem, beside, ...next };
    const given = Object.fromEntries(
      Object.entries({ theorem: to.theorem, beside: to.beside }).filter(([, value]) => value !== ''),
    );
    goTo(addressOf('proof', next.file ?? file, given));
  };
  const exportAs = (format: Format): void => {
    if (file === '' || theorem === '') return;
    const input = {
      ...{ file, theorem, format, whole: whole.peek() },
      ...(beside !== '' && format === 'html' && { beside }),
    };
    once(`export ${JSON.stringify(input)}`, () => call('proof_export', input)).then((made) => {
      if (made === undefined) return;
      const { name, media_type, text } = made;
      download(name, media_type, text);
      toast(`${name} was saved.`, { tone: 'good' });
    }, toastError);
  };
  useCommands(
    () => [
      {
        id: 'proof.whole',
        title: 'Show every step of the proof, or fold them',
        keys: 'w',
        run: () => (whole.value = !whole.value),
      },
      {
        id: 'proof.html',
        title: 'Export the proof as a page to send',
        keys: 'e',
        run: () => exportAs('html'),
      },
      { id: 'proof.svg', title: 'Export the proof as a picture (SVG)', run: () => exportAs('svg') },
      { id: 'proof.text', title: 'Export the proof as text', run: () => exportAs('text') },
    ],
    [file, theorem, beside],
  );
  return (
    <div class="proof-view">
      <form class="proof-bar row" onSubmit={(event) => event.preventDefault()}>
        <h1 class="unseen">Proof</h1>
        <label>
          File
          <select
            value={file}
            onChange={({ currentTarget }) => go({ file: currentTarget.value, theorem: '', beside: '' })}
          >
            <option value="">choose…</option>
            {withOwn(files.value?.files ?? [], file).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Theorem
          <select
            value={theorem}
            disabled={file === ''}
            onChange={({ currentTarget }) => go({ theorem: currentTarget.value })}
          >
            <option value="">choose…</option>
            {withOwn(names, theorem).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Beside
          <select
            value={beside}
            disabled={theorem === ''}
            onChange={({ currentTarget }) => go({ beside: currentTarget.value })}
          >
            <option value="">none</option>
            {withOwn(
              names.map((name) => `${file}#${name}`),
              beside,
            ).map((name) => (
              <option key={name} value={name}>
                {name.startsWith(`${file}#`) ? name.slice(file.length + 1) : name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={whole.value}
            onChange={({ currentTarget }) => (whole.value = currentTarget.checked)}
          />
          Every step
        </label>
        <span class="row exports" role="group" aria-label="Export">
          <button disabled={theorem === ''} onClick={() => exportAs('html')}>
            Export page
          </button>
          <button class="quiet" disabled={theorem === ''} onClick={() => exportAs('svg')}>
            SVG
          </button>
          <button class="quiet" disabled={theorem === ''} onClick={() => exportAs('text')}>
            Text
          </button>
        </span>
      </form>
      {files.state === 'failed' && <ErrorNote error={files.error} again={files.again} />}
      {outline.state === 'failed' && <ErrorNote error={outline.error} again={outline.again} />}
      {theorem === '' ? (
        <TheoremList
          file={file}
          onOpen={({ file: own, name }) => go({ file: own, theorem: name, beside: '' })}
        />
      ) : (
        <div class={beside === '' ? 'proof-one' : 'proof-two'}>
          <AskedProof
            key={`${file}#${theorem}`}
            file={file}
            theorem={theorem}
            whole={whole.value}
            isNarrow={beside !== ''}
          />
          {beside !== '' && (
            <AskedProof
              key={beside}
              file={beside.slice(0, beside.lastIndexOf('#'))}
              theorem={beside.slice(beside.lastIndexOf('#') + 1)}
              whole={whole.value}
              isNarrow
            />
          )}
        </div>
      )}
    </div>
  );
}

/** What an address names is offered, whatever the server lists. */
function withOwn(names: readonly string[], own: string): readonly string[] {
  return own === '' || names.includes(own) ? names : [own, ...names];
}

interface AskedProofProps {
  readonly file: string;
  readonly theorem: string;
  readonly whole: boolean;
  readonly isNarrow: boolean;
}

/** How often in a row each of two answers that differ has the other asked again, until a file changes. */
const MOST_ROUNDS = 6;

function AskedProof({ file, theorem, whole, isNarrow }: AskedProofProps) {
  const progress = useSignal<CallProgress | undefined>(undefined);
  const asked = useAsked(
    (signal) =>
      call('proof_tree', { file, theorem }, { signal, onProgress: (news) => (progress.value = news) }),
    [file, theorem],
  );
  const { value: proof } = asked;
  // It follows the file and the libraries. Which of two answers is the older is not known: each has the other asked again.
  const rests = useRestsOn([file]);
  const now = rests.state === 'failed' ? undefined : rests.value?.[0];
  const isOther = proof !== undefined && now !== undefined && keyOf(proof.rests_on) !== keyOf(now);
  const rounds = useRef(0);
  if (!isOther) rounds.current = 0;
  const askAgain = (other: { readonly again: () => void }): void => {
    if (!isOther || rounds.current >= MOST_ROUNDS) return;
    rounds.current += 1;
    other.again();
  };
  useEffect(() => askAgain(asked), [now]);
  useEffect(() => askAgain(rests), [proof]);
  useFileChanges(() => (rounds.current = 0), mayChangeLibraries, [file]);
  useEffect(() => {
    if (asked.state === 'failed') asked.again();
  }, [keyOf(now)]);
  return (
    <section class="proof-shown" aria-label={`Proof of ${theorem}`}>
      {asked.state === 'failed' && <ErrorNote error={asked.error} again={asked.again} />}
      {asked.state === 'asking' && (
        <Working
          text={progress.value?.message ?? 'Asking for the proof'}
          done={progress.value?.done}
          total={progress.value?.total}
        />
      )}
      {proof !== undefined && asked.state !== 'failed' && (
        <>
          {rests.state === 'failed' && <ErrorNote error={rests.error} again={rests.again} />}
          <ProofHead
            proof={proof}
            stale={now?.stale ?? []}
            why={whyOldFile(
              proof.rests_on,
              now,
              rounds.current < MOST_ROUNDS ? 'its proof is asked for again' : 'load this page again',
            )}
          />
          <ProofPane proof={proof} whole={whole} isNarrow={isNarrow} />
        </>
      )}
    </section>
  );
}

const TONES: Readonly<Record<OutputOf<'proof_tree'>['outcome'], Tone>> = {
  finished: 'good',
  admitted: 'open',
  unfinished: 'open',
  refused: 'bad',
};

function keyOf(rests: RestsOn | undefined): string {
  return JSON.stringify([rests?.file_hash, rests?.libraries]);
}

interface ProofHeadProps {
  readonly proof: OutputOf<'proof_tree'>;
  readonly stale: readonly string[];
  /** Why it need not be so any more. */
  readonly why: string | undefined;
}

function ProofHead({ proof, stale, why }: ProofHeadProps) {
  const { file, theorem } = proof;
  // A proof that is finished may rest on others that are not. It is asked again with each proof that comes.
  const stated = useAsked(
    (signal) => call('proof_statements', { paths: [file], words: theorem, limit: 10_000 }, { signal }),
    [proof],
  );
  const own = stated.value?.statements.find((one) => one.file === file && one.name === theorem);
  const open = proof.nodes.filter(({ status }) => status === 'open' || status === 'broken').length;
  return (
    <header class="proof-head">
      <div class="row">
        <Badge tone={why === undefined ? TONES[proof.outcome] : 'plain'}>{outcomeText(proof.outcome)}</Badge>
        {open > 0 && <Badge tone="open">{`${open} open`}</Badge>}
        {own !== undefined && <GroundsBelow one={own} />}
        <code class="statement">{proof.statement}</code>
        <a href={addressOf('file', proof.file, { line: String(proof.sentences[0]?.line ?? 1) })}>
          In the file
        </a>
      </div>
      {proof.error !== null && <p class="printed error-note">{proof.error}</p>}
      {proof.errors_before.length > 0 && (
        <p class="printed error-note">{`Before it in the file: ${proof.errors_before.join('; ')}`}</p>
      )}
      {stale.length > 0 ? <StaleLibraries file={proof.file} names={stale} /> : <OldNote why={why} />}
    </header>
  );
}
