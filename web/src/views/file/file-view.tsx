/** A file: its text on one side, and on the other what the prover says and what can be done at the cursor. */
import type { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Badge } from '../../parts/badge.tsx';
import { cut } from '../../parts/cut.ts';
import { useAsked } from '../../parts/asked.ts';
import { Empty, ErrorNote, Working } from '../../parts/notes.tsx';
import { Panes } from '../../parts/panes.tsx';
import { useCommands } from '../../shell/commands.ts';
import { addressOf, goTo } from '../../shell/route.ts';
import { meanProof } from '../../shell/shown-proof.ts';
import { toast, toastSaved } from '../../shell/toasts.ts';
import type { ViewProps } from '../../shell/view.ts';
import { call } from '../../server/client.ts';
import { CheckBadge } from './check-badge.tsx';
import { CheckPane } from './check-pane.tsx';
import { faultsOf } from './check-marks.ts';
import { Editor } from './editor.tsx';
import { GoalsPane } from './goals-pane.tsx';
import { NamePane } from './name-pane.tsx';
import { LeftDrafts } from './left-drafts.tsx';
import { MissingRequires } from './missing-requires.tsx';
import { openDocument } from './open-document.ts';
import type { OpenDocument } from './open-document.ts';
import { GoneFile, OutsideChange } from './outside-change.tsx';
import { offsetOf } from './positions.ts';
import { ProvePane } from './prove/prove-pane.tsx';
import { RunProof } from './prove/run-proof.tsx';
import { SimilarPane } from './similar-pane.tsx';
import { placeOf, statedAt, theoremAt } from './theorem-places.ts';
import { unsavedFiles } from './this-window.ts';
import { TryPane } from './try-pane.tsx';
import './file.css';
import './faults.css';

export default function FileView({ rest, query }: ViewProps) {
  if (rest === '') return <ChooseFile />;
  return (
    <OneFile
      key={rest}
      file={rest}
      line={query.get('line')}
      of={query.get('of')}
      run={query.get('run')}
      pane={query.get('pane')}
    />
  );
}

function ChooseFile() {
  const asked = useAsked((gone) => call('proof_status', {}, { signal: gone }), []);
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.value === undefined) return <Working text="Looking for files" />;
  const unsaved = unsavedFiles();
  const gone = unsaved.filter((file) => asked.value?.files.every((one) => one.file !== file));
  if (asked.value.files.length + gone.length === 0)
    return <Empty title="There is no file of a prover in this folder." />;
  return (
    <div class="choose-file">
      <h1>Open a file</h1>
      <ul>
        {asked.value.files.map(({ file, holes }) => (
          <li key={file}>
            <a href={addressOf('file', file)}>{file}</a>{' '}
            {holes.length > 0 && <Badge tone="open">{holes.length} open</Badge>}{' '}
            {unsaved.includes(file) && <Badge>not saved</Badge>}
          </li>
        ))}
        {gone.map((file) => (
          <li key={file}>
            <a href={addressOf('file', file)}>{file}</a> <Badge>not saved</Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}

const PANES = ['goals', 'try', 'prove', 'similar', 'name'] as const;
type PaneName = (typeof PANES)[number];
const PANE_TITLES: Readonly<Record<PaneName, string>> = {
  goals: 'Goals',
  try: 'Try',
  prove: 'Prove',
  similar: 'Similar',
  name: 'Name',
};

interface OneFileProps {
  readonly file: string;
  readonly line: string | null;
  /** A name that is stated there: several can begin in one line. */
  readonly of: string | null;
  /** A run of the agent that proved it. */
  readonly run: string | null;
  readonly pane: string | null;
}

function OneFile({ file, ...asked }: OneFileProps) {
  const opened = useAsked(() => openDocument(file), [file]);
  if (opened.value !== undefined) return <OpenFile open={opened.value} {...asked} />;
  return opened.state === 'failed' ? (
    <div class="pane-body">
      <ErrorNote error={opened.error} again={opened.again} />
    </div>
  ) : (
    <Working text={`Opening ${file}`} />
  );
}

function OpenFile({
  open,
  line,
  of,
  run,
  pane,
}: { readonly open: OpenDocument } & Omit<OneFileProps, 'file'>) {
  const view = useSignal<EditorView | undefined>(undefined);
  const shown = useSignal<PaneName>(PANES.find((known) => known === pane) ?? 'goals');
  const name = useSignal('');
  const show = (wanted: PaneName): void => {
    shown.value = wanted;
    const at = new URLSearchParams(location.search);
    at.set('pane', wanted);
    goTo(`${location.pathname}?${at.toString()}`, { replace: true });
  };
  const askName = (asked: string): void => {
    name.value = asked;
    show('name');
  };
  useEffect(() => open.show(), [open]);
  useEffect(
    () =>
      meanProof(() => {
        if (open.language !== 'rocq') return undefined;
        const theorem = theoremAt(open.text.peek().toString(), open.cursor.peek());
        return addressOf('proof', open.file, theorem === undefined ? {} : { theorem });
      }),
    [open],
  );
  const ownLine = useCursorInAddress(open, view.value);
  useEffect(() => {
    const editor = view.value;
    if (editor === undefined) return;
    const focus = (): void => (pane === 'prove' ? focusOnProve() : editor.focus());
    if (line === null && of === null) {
      focus();
      return;
    }
    // The cursor is there, wherever in the line.
    if (line !== null && line === ownLine.current) return;
    const place = { line: Number(line) || 1, column: 0 };
    const text = editor.state.doc.toString();
    const isNamed = of !== null && open.language === 'rocq';
    const stated = !isNamed ? undefined : line === null ? placeOf(text, of) : statedAt(text, place.line, of);
    const at = stated ?? offsetOf(editor.state.doc, place);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    focus();
  }, [view.value, line, of]);
  /** What is on its way to the disk. */
  const written = useRef<Text | undefined>(undefined);
  const save = (): void => {
    const text = open.text.peek();
    // What was typed since is saved behind it.
    if (written.current?.eq(text) === true) return;
    written.current = text;
    toastSaved(
      open.file,
      open.save().finally(() => (written.current = undefined)),
    );
  };
  const moveTo = (at: number): void => {
    const editor = view.value;
    if (editor === undefined) return;
    editor.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 60 }),
    });
    editor.focus();
  };
  const step = (by: 1 | -1): void => {
    const { sentences } = open.checking.value;
    const count = open.sentencesBefore(open.cursor.value);
    const to = sentences[count - 1 + by]?.to;
    moveTo(to ?? (by < 0 ? 0 : (sentences.at(-1)?.to ?? 0)));
  };
  const toFault = (): void => {
    const editor = view.value;
    if (editor === undefined) return;
    const faults = faultsOf(editor.state);
    const next = faults.find(({ from }) => from > open.cursor.value) ?? faults[0];
    if (next === undefined) toast('There is no error in what was checked.');
    else moveTo(next.from);
  };
  const toHole = (): void => {
    const text = open.text.value.toString();
    const holes = [...text.matchAll(/\b(?:Admitted|admit|give_up|Abort|cheat|sorry)\b/g)].map(
      ({ index }) => index,
    );
    const next = holes.find((at) => at > open.cursor.value) ?? holes[0];
    if (next === undefined) toast('There is no hole in this file.');
    else moveTo(next);
  };
  useCommands(
    () => [
      { id: 'file.save', title: 'Save the file', keys: 'ctrl+s', run: save },
      { id: 'file.next', title: 'Go to the next sentence', keys: 'alt+arrowdown', run: () => step(1) },
      { id: 'file.before', title: 'Go to the sentence before', keys: 'alt+arrowup', run: () => step(-1) },
      { id: 'file.fault', title: 'Go to the next error', keys: 'f8', run: toFault },
      { id: 'file.hole', title: 'Go to the next hole', keys: 'alt+h', run: toHole },
      {
        id: 'file.act',
        title: 'Do at the cursor what the pane beside the text offers',
        keys: 'ctrl+enter',
        run: () => {
          const act = document.querySelector<HTMLElement>('#side [data-acts]:enabled');
          if (act !== null) act.click();
          else if (open.changed.peek() && document.querySelector('#side [data-acts]') !== null)
            toast('What the pane offers reads the file on the disk: save it first (Ctrl+S).');
        },
      },
      ...(open.language === 'rocq'
        ? [
            {
              id: 'file.prove-all',
              title: 'Prove all holes of the file',
              words: 'search',
              run: () => {
                show('prove');
                requestAnimationFrame(() => {
                  const all = document.getElementById('prove-all');
                  if (all === null) toast('There is no hole in this file.');
                  else if (all.matches(':enabled')) all.click();
                  else toast('The search reads the file on the disk: save it first (Ctrl+S).');
                });
              },
            },
          ]
        : []),
      { id: 'file.again', title: 'Check the text again', run: () => open.checkSoon() },
      { id: 'file.editor', title: 'Go to the text', keys: 'alt+e', run: () => view.value?.focus() },
      ...PANES.map((wanted, index) => ({
        id: `file.pane.${wanted}`,
        title: `Show ${PANE_TITLES[wanted]}`,
        keys: `alt+${index + 1}`,
        run: () => {
          show(wanted);
          // The alternatives are typed at once; the other panes are read first.
          requestAnimationFrame(() =>
            document.getElementById(wanted === 'try' ? 'alternatives' : `tab-${wanted}`)?.focus(),
          );
        },
      })),
    ],
    [open],
  );
  // The search, the alternatives and the environment are Rocq's: of the others there is no view that stays empty.
  const panes: readonly PaneName[] = open.language === 'rocq' ? PANES : ['goals'];
  const now = panes.find((known) => known === shown.value) ?? 'goals';
  return (
    <Panes name="file" shares={[0.58, 0.42]}>
      <section class="pane text-pane" aria-label="Text">
        <TextTitle open={open} onSave={save} onFault={toFault} />
        <GoneFile open={open} />
        <OutsideChange open={open} onSettled={() => view.value?.focus()} />
        <LeftDrafts open={open} />
        <MissingRequires open={open} />
        {run !== null && of !== null && <RunProof open={open} view={view.value} run={run} theorem={of} />}
        <Editor document={open} onReady={(ready) => (view.value = ready)} onName={askName} />
      </section>
      <section class="pane side-pane" aria-label="At the cursor">
        <div class="pane-title tabs" role="tablist" aria-label="At the cursor">
          {panes.map((wanted) => (
            <button
              key={wanted}
              id={`tab-${wanted}`}
              class="quiet"
              role="tab"
              aria-selected={now === wanted}
              aria-controls="side"
              tabIndex={now === wanted ? 0 : -1}
              onClick={() => show(wanted)}
              onKeyDown={({ key }) => {
                const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
                const next = panes[(panes.indexOf(wanted) + step + panes.length) % panes.length];
                if (step === 0 || next === undefined) return;
                show(next);
                document.getElementById(`tab-${next}`)?.focus();
              }}
            >
              {open.language === 'rocq' ? PANE_TITLES[wanted] : 'Check'}
            </button>
          ))}
        </div>
        <div id="side" role="tabpanel" aria-labelledby={`tab-${now}`} tabIndex={0}>
          {open.language !== 'rocq' && <CheckPane open={open} onPlace={moveTo} />}
          {open.language === 'rocq' && now === 'goals' && (
            <GoalsPane
              open={open}
              onName={askName}
              onFault={moveTo}
              onProve={() => {
                show('prove');
                focusOnProve();
              }}
            />
          )}
          {now === 'try' && <TryPane open={open} view={view.value} />}
          {now === 'prove' && <ProvePane open={open} view={view.value} onSave={save} />}
          {now === 'similar' && <SimilarPane open={open} view={view.value} />}
          {now === 'name' && <NamePane open={open} name={name.value} onName={askName} />}
        </div>
      </section>
    </Panes>
  );
}

/** Where it was asked for by keyboard, the next key begins the search and changes no text. */
function focusOnProve(): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>('#prove:enabled');
    (button ?? document.getElementById('tab-prove'))?.focus();
  });
}

/** After the cursor rested so long in a line, the address has it. */
const RESTED_MS = 300;

/** A reload finds the line of the cursor again. @returns The line that was written last. */
function useCursorInAddress(open: OpenDocument, view: EditorView | undefined): { current: string | null } {
  const written = useRef<string | null>(null);
  const cursor = open.cursor.value;
  useEffect(() => {
    if (view === undefined) return undefined;
    const timer = setTimeout(() => {
      const at = new URLSearchParams(location.search);
      const { doc } = view.state;
      const line = String(doc.lineAt(Math.min(cursor, doc.length)).number);
      if (location.pathname !== addressOf('file', open.file) || (at.get('line') ?? '1') === line) return;
      at.set('line', line);
      written.current = line;
      // The page is there already: only the address is to say so.
      history.replaceState(null, '', `${location.pathname}?${at.toString()}`);
    }, RESTED_MS);
    return () => clearTimeout(timer);
  }, [open, view, cursor]);
  return written;
}

interface TextTitleProps {
  readonly open: OpenDocument;
  readonly onSave: () => void;
  readonly onFault: () => void;
}

function TextTitle({ open, onSave, onFault }: TextTitleProps) {
  /** Where space is short the folder gives way, not the name. */
  const named = open.file.lastIndexOf('/') + 1;
  return (
    <div class="pane-title">
      <h1 class="file-name" title={open.file}>
        <span {...cut(open.file.slice(0, named), 'file-folder')}>{open.file.slice(0, named)}</span>
        <span {...cut(open.file.slice(named))}>{open.file.slice(named)}</span>
        {open.changed.value && <span title="Changed and not saved"> •</span>}
        {!open.isKept.value && (
          <Badge
            tone="open"
            title="This browser has no room to keep it: it is lost when the window is closed before it is saved."
          >
            not kept
          </Badge>
        )}
      </h1>
      <span class="spread-end row">
        {open.language === 'rocq' && <CheckBadge open={open} onFault={onFault} />}
        <button disabled={!open.changed.value} onClick={onSave} title="Save (Ctrl+S)">
          Save
        </button>
      </span>
    </div>
  );
}
