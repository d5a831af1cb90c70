/**
 * The editor of one document: colours, symbols, what the prover says at its place, and names that tell what they
 * are.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { drawnElement, drawnText } from '../../parts/drawn-text.ts';
import { checkMarks, setChecking } from './check-marks.ts';
import { highlightingOf } from './syntax-highlighting.ts';
import { aboutName, nameAt } from './names.ts';
import type { OpenDocument } from './open-document.ts';
import { symbolInput, symbolsOffered } from './symbols.ts';

interface EditorProps {
  readonly document: OpenDocument;
  /** Called with the editor when it is there, and with undefined when it is gone. */
  readonly onReady: (view: EditorView | undefined) => void;
  readonly onName: (name: string) => void;
}

/** Where the caret and the scrolling were, for when a file is shown again. */
const places = new Map<string, { readonly state: EditorState; readonly top: number }>();

export function Editor({ document: open, onReady, onName }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | undefined>(undefined);
  useEffect(() => {
    if (box.current === null) return;
    const kept = places.get(open.file);
    const text = open.text.peek();
    const state = kept?.state.doc.eq(text) === true ? kept.state : stateOf(open, onName);
    const view = new EditorView({ state, parent: box.current });
    editor.current = view;
    if (kept !== undefined) view.scrollDOM.scrollTop = kept.top;
    view.dispatch({ effects: setChecking.of(open.checking.peek()) });
    onReady(view);
    return () => {
      places.set(open.file, { state: view.state, top: view.scrollDOM.scrollTop });
      onReady(undefined);
      editor.current = undefined;
      view.destroy();
    };
  }, [open]);
  useSignalEffect(() => {
    const checking = open.checking.value;
    editor.current?.dispatch({ effects: setChecking.of(checking) });
  });
  useSignalEffect(() => {
    const text = open.text.value;
    const view = editor.current;
    if (view === undefined || view.state.doc.eq(text)) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  });
  return <div ref={box} class="editor" />;
}

/** Keys that the page has for something else: all commands, walking by sentences, trying. */
const TAKEN_BY_THE_PAGE = new Set(['Ctrl-k', 'Mod-Enter', 'Alt-ArrowUp', 'Alt-ArrowDown']);

/** Those characters that turn the direction of writing and that the editor would not mark by itself. */
const TURNING = /[\u202a-\u202c\u2068]/u;

function markedCharacter(code: number, description: string | null): HTMLElement {
  const mark = drawnElement('span', 'acting-character', `\\u{${code.toString(16)}}`);
  if (description !== null) mark.title = description;
  return mark;
}

const tabSize = new Compartment();

function stateOf(open: OpenDocument, onName: (name: string) => void): EditorState {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content;
  return EditorState.create({
    doc: open.text.peek(),
    extensions: [
      ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      highlightSpecialChars({ addSpecialChars: TURNING, render: markedCharacter }),
      bracketMatching(),
      closeBrackets(),
      search({ top: true }),
      highlightSelectionMatches(),
      indentUnit.of('  '),
      tabSize.of(EditorState.tabSize.of(2)),
      autocompletion({ override: [symbolsOffered], icons: false }),
      symbolInput,
      highlightingOf(open.language),
      checkMarks,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': drawnText(`Text of ${open.file}`),
        spellcheck: 'false',
        // It is reached by Tab anyway, and said to be.
        tabindex: '0',
      }),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...searchKeymap.filter(({ key }) => key !== 'Mod-Alt-g'),
        ...historyKeymap,
        ...defaultKeymap.filter(({ key }) => !TAKEN_BY_THE_PAGE.has(key ?? '')),
        // Tab leaves the editor after Escape, as the keys of the page say.
        { key: 'Tab', run: indentWithTab.run ?? (() => false), shift: indentWithTab.shift ?? (() => false) },
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) open.edit(update.state.doc);
        if (update.selectionSet || update.docChanged) open.cursor.value = update.state.selection.main.head;
      }),
      hoverTooltip(async (view, at) => {
        const found = nameAt(view.state.doc, at);
        if (found === undefined) return null;
        const about = await aboutName(open, found.name, at);
        if (about === undefined) return null;
        return {
          pos: found.from,
          end: found.to,
          create: () => ({ dom: drawnElement('pre', 'about', about) }),
        };
      }),
      EditorView.domEventHandlers({
        mousedown: (event, view) => {
          if (!event.ctrlKey && !event.metaKey) return false;
          const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
          const found = at === null ? undefined : nameAt(view.state.doc, at);
          if (found === undefined) return false;
          onName(found.name);
          return true;
        },
      }),
    ],
  });
}
