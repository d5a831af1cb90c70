/** Everything that the project states, searched as one types, and of one of them what it rests on. */
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { SaidBadge } from '../../parts/badge.tsx';
import { StaleLibraries } from '../../parts/build.tsx';
import { useFileChanges } from '../../parts/file-changes.ts';
import { searchKeys } from '../../parts/chosen-row.ts';
import { cut, cutText } from '../../parts/cut.ts';
import { errorsText, GroundsBelow } from '../../parts/grounds-below.tsx';
import { Term } from '../../parts/goal.tsx';
import type { Build } from '../../parts/last-build.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { errorsBelow, inErrorOfBuild } from '../../parts/in-error.ts';
import { IN_ERROR, idOf, isOfSection, isUncompiled, stateSaid, statementLine } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { mayChangeLibraries } from '../../parts/rests-on.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call } from '../../server/client.ts';
import type { OutputOf } from '../../server/client.ts';
import { addressOf, goTo } from '../../shell/route.ts';
import { AskedStatements } from './asked-statements.tsx';
import type { AskedHow } from './asked-statements.tsx';
import { Ways } from './ways.tsx';

type How = 'words' | AskedHow;

const HOWS: readonly How[] = ['words', 'pattern', 'goal'];

const PLACEHOLDERS: Readonly<Record<How, string>> = {
  words: 'Search statements: words, "x + 0" as it stands  ( / )',
  pattern: '(_ + 0 = _), then Enter',
  goal: 'forall l, rev (rev l) = l, then Enter',
};

function placeOf({ file, line, name }: Statement): string {
  return addressOf('file', file, { line: String(line), of: name });
}

interface StatementsProps {
  readonly all: readonly Statement[];
  readonly build: Build;
  readonly words: Signal<string>;
  readonly openOnly: Signal<boolean>;
  /** `file:name`; empty: none is. */
  readonly chosen: Signal<string>;
}

export function Statements({ all, build, words, openOnly, chosen }: StatementsProps) {
  /** Whether it was chosen since the words were typed. */
  const isOfWords = useSignal(false);
  const choose = (id: string): void => {
    chosen.value = id;
    isOfWords.value = true;
  };
  const parts = [...words.value.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const hasOfSections = all.some(isOfSection);
  const ofSections = useSignal(false);
  const found = all.filter((one) => {
    if (isOfSection(one) && !ofSections.value) return false;
    const text = `${one.name} ${one.statement} ${one.file}`.toLowerCase();
    if (!parts.every((part) => text.includes(part))) return false;
    return !openOnly.value || one.state === 'open' || one.rests_on_open.length > 0;
  });
  const inError = useMemo(() => inErrorOfBuild(all, build), [all, build.faults, build.job?.details]);
  const below = useMemo(() => errorsBelow(all, inError), [all, inError]);
  const at = found.findIndex((one) => idOf(one) === chosen.value);
  const shown = found[at] ?? all.find((one) => idOf(one) === chosen.value);
  const how = useSignal<How>('words');
  /** What is asked for with Enter. */
  const asked = useSignal('');
  const files = [...new Set(all.map(({ file }) => file))].filter((file) => file.endsWith('.v'));
  const from = useSignal<string | undefined>(undefined);
  // What is built last sees the most.
  const file = from.value ?? files.find((name) => name === shown?.file) ?? files.at(-1);
  return (
    <div class="statements">
      <div class="pane-title">
        <select
          aria-label="How to search"
          value={how.value}
          onChange={({ currentTarget }) => {
            how.value = HOWS.find((known) => known === currentTarget.value) ?? 'words';
            asked.value = '';
          }}
        >
          <option value="words">words</option>
          {files.length > 0 && <option value="pattern">pattern</option>}
          {files.length > 0 && <option value="goal">similar to</option>}
        </select>
        <input
          id="statement-words"
          type="search"
          aria-label="Search statements"
          placeholder={PLACEHOLDERS[how.value]}
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
            isOfWords.value = false;
          }}
          onKeyDown={(event) => {
            if (how.value !== 'words') {
              if (event.key === 'Enter') asked.value = words.value.trim();
            } else
              searchKeys(event, {
                rows: found,
                at: isOfWords.value ? at : -1,
                choose: (one) => choose(idOf(one)),
                open: (one) => goTo(placeOf(one)),
              });
          }}
        />
        {how.value === 'words' && (
          <>
            <label class="open-only">
              <input
                type="checkbox"
                checked={openOnly.value}
                onChange={({ currentTarget }) => (openOnly.value = currentTarget.checked)}
              />
              open only
            </label>
            {hasOfSections && (
              <label class="open-only">
                <input
                  type="checkbox"
                  checked={ofSections.value}
                  onChange={({ currentTarget }) => (ofSections.value = currentTarget.checked)}
                />
                section variables
              </label>
            )}
            <small>{found.length}</small>
          </>
        )}
        {how.value === 'pattern' && (
          <label>
            from the end of
            <select value={file} onChange={({ currentTarget }) => (from.value = currentTarget.value)}>
              {files.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {how.value !== 'words' && file !== undefined ? (
        <AskedStatements
          key={how.value}
          how={how.value}
          text={asked.value}
          file={file}
          all={all}
          build={build}
        />
      ) : (
        <>
          <VirtualList
            rows={found}
            rowHeight={28}
            label="Statements"
            keyOf={(one, index) => `${idOf(one)}:${index}`}
            chosen={at}
            onChoose={(one) => choose(idOf(one))}
            onOpen={(one) => goTo(placeOf(one))}
            render={(one) => (
              <>
                <SaidBadge said={inError.has(one) ? IN_ERROR : stateSaid(one, build)} inList />
                <GroundsBelow one={one} errors={below.get(one)} inList />
                <code {...cutText(one.name, 'statement-name')} />
                <small {...cutText(one.file)} />
                <code {...cutText(statementLine(one.statement, one.name), 'faint')} />
              </>
            )}
          />
          <div class="chosen-statement" aria-live="polite">
            {shown === undefined ? (
              <p class="note">Choose a statement to see what it rests on, and what uses it.</p>
            ) : (
              <Chosen
                key={idOf(shown)}
                {...{ one: shown, all, build }}
                isInError={inError.has(shown)}
                errors={below.get(shown)}
                onChoose={choose}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** What it was asked about is what was compiled, which may be older than the sources. */
function WordOfRocq({
  file,
  answer,
}: {
  readonly file: string;
  readonly answer: OutputOf<'rocq_assumptions'>;
}) {
  const { results, rests_on } = answer;
  const isOfBefore = rests_on.stale.length > 0;
  const word = results.length === 0 ? 'it rests on nothing that is open.' : results.join('\n');
  return (
    <>
      {isOfBefore && <StaleLibraries file={file} names={rests_on.stale} />}
      <pre class={isOfBefore ? 'message warning' : 'message'}>
        {isOfBefore ? `Rocq, of what was compiled before: ${word}` : `Rocq: ${word}`}
      </pre>
    </>
  );
}

interface ChosenProps extends Pick<StatementsProps, 'all' | 'build'> {
  readonly one: Statement;
  readonly isInError: boolean;
  /** The names of what it rests on in which an error stands. */
  readonly errors: readonly string[] | undefined;
  readonly onChoose: (id: string) => void;
}

function Chosen({ one, all, build, isInError, errors = [], onChoose }: ChosenProps) {
  const isWanted = useSignal(false);
  const usedBy = all.filter(({ uses }) => uses.includes(idOf(one)));
  const said = useAsked<OutputOf<'rocq_assumptions'> | undefined>(
    async (signal) =>
      isWanted.value
        ? await call('rocq_assumptions', { name: one.name, file: one.file }, { signal })
        : undefined,
    [isWanted.value],
  );
  const isAsking = isWanted.value && said.state === 'asking';
  // What Rocq said was of the files as they were: after a build, say, it is asked again.
  useFileChanges(said.again, mayChangeLibraries, []);
  return (
    <>
      <div class="row spread">
        <span class="row">
          <SaidBadge said={isInError ? IN_ERROR : stateSaid(one, build)} />
          <GroundsBelow {...{ one, errors }} />
          <a {...cut(`${one.file}:${one.line}`)} href={placeOf(one)}>
            {one.file}:{one.line}
          </a>
        </span>
        <span class="row">
          {one.state === 'open' && (
            <a
              class="button"
              href={addressOf('file', one.file, { line: String(one.line), of: one.name, pane: 'prove' })}
            >
              Prove…
            </a>
          )}
          {one.file.endsWith('.v') && one.state !== 'open' && (
            <button onClick={isWanted.value ? said.again : () => (isWanted.value = true)} disabled={isAsking}>
              {isAsking ? 'Asking …' : 'Ask Rocq'}
            </button>
          )}
        </span>
      </div>
      {one.statement !== '' && <Term text={one.statement} />}
      {said.state === 'answered' && said.value !== undefined && (
        <WordOfRocq file={one.file} answer={said.value} />
      )}
      {said.state === 'failed' && <ErrorNote error={said.error} />}
      <h2>{one.state === 'open' ? 'Why it is not finished' : 'Still open under it'}</h2>
      {one.state === 'open' && (
        <p class="note">
          Its own proof is missing or has a hole
          {one.rests_on_open.length > 0 && ', and so has what it rests on'}.
        </p>
      )}
      {one.state === 'assumed' && <p class="note">It is assumed: nobody has to prove it.</p>}
      {errors.length > 0 && <p class="note">{errorsText(errors)}</p>}
      {one.rests_on_open.length === 0 && one.rests_on_assumed.length === 0 ? (
        <p class="note">
          {one.state === 'open'
            ? 'Nothing else of this project that it uses is open, as far as the files show. What automation takes from a database of hints they do not show.'
            : `${errors.length > 0 ? 'Nothing else' : 'Nothing'} of this project, as far as the files show${isUncompiled(one) ? '; whether the proofs that it uses are any, a build shows' : ''}. They do not show what automation takes from a database of hints, nor the axioms of libraries: Ask Rocq has its own word.`}
        </p>
      ) : (
        <>
          {one.rests_on_open.length === 0 && <p class="note">Nothing of this project is open under it.</p>}
          {one.rests_on_assumed.length > 0 && (
            <p class="note">{`It rests on axioms: ${one.rests_on_assumed.map(nameIn).join(', ')}. Nobody has to prove those.`}</p>
          )}
          <Ways one={one} all={all} onChoose={onChoose} />
        </>
      )}
      {usedBy.length > 0 && (
        <>
          <h2>Used by</h2>
          <ul class="used-by">
            {usedBy.slice(0, 100).map((user) => (
              <li key={idOf(user)}>
                <button class="quiet" onClick={() => onChoose(idOf(user))}>
                  <code {...cutText(user.name)} /> <small {...cutText(user.file)} />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The name in `file:name`. */
function nameIn(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}
