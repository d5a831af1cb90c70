/** Starting a run: on which holes, with which model or none, under which budgets. Keys stay with the server. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { useLatest } from '../../parts/latest.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { call, type InputOf } from '../../server/client.ts';
import { StartError } from './allow-note.tsx';
import { ModelChoice, whoNamed, whoOf } from './model-choice.tsx';
import { startFields } from './start-fields.ts';

interface StartFormProps {
  readonly file: string;
  readonly theorem: string;
  readonly onChosen: (file: string, theorem: string) => void;
  readonly onStarted: (run: string) => void;
}

export function StartForm({ file: wantedFile, theorem: wantedTheorem, onChosen, onStarted }: StartFormProps) {
  const file = useSignal(wantedFile);
  const theorem = useSignal(wantedTheorem);
  const error = useSignal<unknown>(undefined);
  const isStarting = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const files = useAsked((signal) => call('rocq_files', { limit: 10_000 }, { signal }), []);
  const outline = useAsked(
    async (signal) =>
      file.value.endsWith('.v')
        ? await call('rocq_outline', { file: file.value, limit: 5000 }, { signal })
        : undefined,
    [file.value],
  );
  const providers = useAsked((signal) => call('agent_providers', {}, { signal }), []);
  const fields = startFields();
  /** Not known before the server has said which model is set up. */
  const who =
    providers.value === undefined ? undefined : whoOf(whoNamed(fields.read('who')), providers.value);
  const asksModel = who === 'configured' || who === 'named';
  const holes = outline.value?.theorems.filter(({ proved, name }) => !proved && name !== null) ?? [];
  const begin = useLatest();
  const start = (filled: HTMLFormElement): void => {
    if (isStarting.peek()) return;
    isStarting.value = true;
    error.value = undefined;
    const isHere = begin();
    call('agent_start', inputOf(new FormData(filled), file.peek(), theorem.peek())).then(
      ({ run }) => {
        fields.forget();
        // Whoever went elsewhere meanwhile is left there: the run is in the list.
        if (isHere()) onStarted(run);
      },
      (thrown: unknown) => {
        error.value = thrown;
        isStarting.value = false;
      },
    );
  };
  return (
    <form
      ref={form}
      class="start-form"
      // A run costs time or money: Enter in a field is no word to begin one.
      onSubmit={(event) => event.preventDefault()}
    >
      <h2>Start a run</h2>
      <p>
        The offline search, or a language model with the tools of the prover, works on the holes of a file.
        What counts is what the gate accepts. A model that is always the same is set up in{' '}
        <code>.quod/agent.json</code>.
      </p>
      <label>
        File
        <input
          list="agent-files"
          placeholder="file of the project"
          value={file.value}
          required
          onInput={({ currentTarget }) => {
            file.value = currentTarget.value;
            onChosen(file.value, theorem.value);
          }}
        />
        <datalist id="agent-files">
          {(files.value?.files ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        Theorem
        <select
          value={theorem.value}
          onChange={({ currentTarget }) => {
            theorem.value = currentTarget.value;
            onChosen(file.value, theorem.value);
          }}
        >
          <option value="">every hole{outline.value === undefined ? '' : ` (${holes.length})`}</option>
          {holes.map(({ name }) => (
            <option key={name ?? ''} value={name ?? ''}>
              {name}
            </option>
          ))}
          {theorem.value !== '' && !holes.some(({ name }) => name === theorem.value) && (
            <option value={theorem.value}>{theorem.value}</option>
          )}
        </select>
      </label>
      {providers.value !== undefined ? (
        <ModelChoice providers={providers.value} fields={fields} />
      ) : providers.state === 'failed' ? (
        <ErrorNote error={providers.error} again={providers.again} />
      ) : (
        <Working text="Reading which model is set up" />
      )}
      {asksModel && (
        <>
          <label>
            Mode
            <select {...fields.text('mode')}>
              <option value="">as configured</option>
              <option value="plan">plan, then try with the prover’s tools</option>
              <option value="few-shot">write whole proofs after examples</option>
            </select>
          </label>
          <label>
            Planning
            <select {...fields.text('planning')}>
              <option value="">as configured</option>
              <option value="debate">plans are debated first</option>
              <option value="direct">plans are made directly</option>
            </select>
          </label>
        </>
      )}
      <fieldset>
        <legend>Budget</legend>
        {asksModel && (
          <label>
            US dollars
            <input {...fields.text('max_cost', '1')} type="number" min="0.01" step="any" />
          </label>
        )}
        <label>
          Minutes
          <input {...fields.text('minutes')} type="number" min="0.1" step="any" placeholder="no limit" />
        </label>
        <label>
          Tool calls
          <input {...fields.text('max_tool_calls')} type="number" min="1" step="1" placeholder="no limit" />
        </label>
      </fieldset>
      {asksModel && (
        <label class="check">
          <input {...fields.box('search_first', providers.value?.search_first)} type="checkbox" /> Try the
          offline search first
        </label>
      )}
      <label class="check">
        <input {...fields.box('write')} type="checkbox" /> Write accepted proofs into the file
      </label>
      {error.value !== undefined && (
        <StartError error={error.value} onAllowed={() => form.current !== null && start(form.current)} />
      )}
      <button
        type="button"
        class="primary"
        disabled={isStarting.value || who === undefined}
        onClick={() => {
          if (form.current?.reportValidity() === true) start(form.current);
        }}
      >
        {isStarting.value ? 'Starting…' : 'Start'}
      </button>
    </form>
  );
}

/** What was left empty is not said: the configuration decides. */
function inputOf(form: FormData, file: string, theorem: string): InputOf<'agent_start'> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const number = (name: string): number | undefined => (text(name) === '' ? undefined : Number(text(name)));
  const isOffline = text('who') === 'none';
  const [model, mode, planning] = [text('model'), text('mode'), text('planning')];
  const [cost, minutes, toolCalls] = [number('max_cost'), number('minutes'), number('max_tool_calls')];
  return {
    file,
    ...(theorem !== '' && { theorems: [theorem] }),
    ...(isOffline && { offline: true }),
    ...(model !== '' && { model }),
    ...((mode === 'plan' || mode === 'few-shot') && { mode }),
    ...((planning === 'debate' || planning === 'direct') && { planning }),
    ...(cost !== undefined && { max_cost: cost }),
    ...(minutes !== undefined && { max_time: minutes * 60 }),
    ...(toolCalls !== undefined && { max_tool_calls: toolCalls }),
    search_first: isOffline || form.get('search_first') !== null,
    write: form.get('write') !== null,
  };
}
