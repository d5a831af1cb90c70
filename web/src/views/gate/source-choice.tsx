/** A target or a submission: a file of the project, or a text that is dropped, chosen from the disk or pasted. */
import { useSignal } from '@preact/signals';
import { useLatest } from '../../parts/latest.ts';
import { toastError } from '../../shell/toasts.ts';

/** `text` is null for a file of the project. */
export interface ChosenSource {
  readonly name: string;
  readonly text: string | null;
}

interface SourceChoiceProps {
  readonly title: string;
  readonly hint: string;
  readonly files: readonly string[];
  readonly chosen: ChosenSource;
  readonly onChoose: (chosen: ChosenSource) => void;
}

const LARGEST = 8 * 1024 * 1024;

export function SourceChoice({ title, hint, files, chosen, onChoose }: SourceChoiceProps) {
  const isOver = useSignal(false);
  const list = `gate-files-${title}`;
  const begin = useLatest();
  const choose = (source: ChosenSource): void => {
    begin();
    onChoose(source);
  };
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (file.size > LARGEST) {
      toastError(new Error(`${file.name} is larger than 8 MB.`));
      return;
    }
    const counts = begin();
    file.text().then((text) => {
      if (counts()) onChoose({ name: file.name, text });
    }, toastError);
  };
  return (
    <fieldset
      class={`source-choice${isOver.value ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <legend>{title}</legend>
      <small>{hint}</small>
      <div class="row">
        <input
          list={list}
          aria-label={`${title}: name`}
          placeholder="file of the project"
          required
          value={chosen.name}
          onInput={({ currentTarget }) => choose({ ...chosen, name: currentTarget.value })}
        />
        <datalist id={list}>
          {files.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label class="file-button">
          Choose…
          <input
            type="file"
            aria-label={`${title}: choose from the disk`}
            onChange={({ currentTarget }) => {
              take(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </label>
        {chosen.text === null ? (
          <button
            type="button"
            class="quiet"
            onClick={() => choose({ name: chosen.name === '' ? `${title}.v` : chosen.name, text: '' })}
          >
            Paste
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => choose({ name: '', text: null })}>
            Remove the text
          </button>
        )}
      </div>
      {chosen.text !== null && (
        <textarea
          rows={8}
          class="printed"
          spellcheck={false}
          aria-label={`${title}: text`}
          value={chosen.text}
          onInput={({ currentTarget }) => choose({ ...chosen, text: currentTarget.value })}
        />
      )}
    </fieldset>
  );
}
