/**
 * The colours of the syntax of each prover in the editor, read line by line (what each colour is in light and dark:
 * `style/tokens.css`). Where a word stands says what it is: at the beginning of a Rocq
 * sentence a capital begins a command and a small letter a tactic, so that no list of them has to be kept.
 */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { OpenedSource } from '../../../../src/faces/server/live/source-routes.ts';

export type Language = OpenedSource['language'];

interface State {
  /** How many comments are open. */
  comments: number;
  atStart: boolean;
}

interface Grammar {
  readonly open: string;
  readonly close: string;
  /** A comment to the end of the line. */
  readonly line: RegExp | undefined;
  readonly keywords: ReadonlySet<string>;
  /** Whether sentences end with a dot, and begin with a command or a tactic. */
  readonly hasSentences: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  rocq: {
    open: '(*',
    close: '*)',
    line: undefined,
    keywords: words(
      'forall exists exists2 fun fix cofix let in match with end if then else return as at struct where Prop Set Type SProp by using',
    ),
    hasSentences: true,
  },
  hol4: {
    open: '(*',
    close: '*)',
    line: undefined,
    keywords: words(
      'Theorem Proof QED Definition End Termination Datatype Triviality Inductive CoInductive Overload Type val fun let in end open structure local if then else case of fn and andalso orelse',
    ),
    hasSentences: false,
  },
  fstar: {
    open: '(*',
    close: '*)',
    line: /^\/\/.*/,
    keywords: words(
      'module open include let rec val type and in match with function fun if then else when assume assert admit effect new inline_for_extraction irreducible noeq unopteq private unfold forall exists requires ensures decreases Type Lemma Tot GTot Pure ST begin end by returns as calc',
    ),
    hasSentences: false,
  },
  lean: {
    open: '/-',
    close: '-/',
    line: /^--.*/,
    keywords: words(
      'theorem lemma example def abbrev instance structure class inductive axiom variable namespace section end open import by fun let have show from match with do if then else where deriving attribute set_option in Type Prop Sort universe noncomputable private protected mutual',
    ),
    hasSentences: false,
  },
};

const WORD = /^[\p{L}_][\p{L}\p{N}_']*/u;
const NUMBER = /^\d[\d_]*(?:\.\d+)?/;
const SYMBOL = /^(?:[-=<>]*[=<>][-=<>]*|:=|\|-|[∀∃λΠΣ→←↔⇒∧∨¬≤≥≠∈∉⊆⊢×∘⟨⟩])/u;

function readToken(grammar: Grammar, stream: StringStream, state: State): string | null {
  if (state.comments > 0) return readComment(grammar, stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(grammar.open)) {
    state.comments = 1;
    return readComment(grammar, stream, state);
  }
  if (grammar.line !== undefined && stream.match(grammar.line)) return 'comment';
  if (stream.match(/^"(?:[^"\\]|\\.|"")*"?/)) return 'string';
  const wasAtStart = state.atStart;
  if (grammar.hasSentences) {
    if (stream.match(/^\.(?=\s|$)/)) {
      state.atStart = true;
      return 'punctuation';
    }
    if (wasAtStart && stream.match(/^(?:[-+*]+|[{}])(?=[\s\p{L}(]|$)/u)) return 'controlKeyword';
  }
  state.atStart = false;
  if (stream.match(NUMBER)) return 'number';
  const word = stream.match(WORD);
  if (word !== null && typeof word !== 'boolean') {
    const [text] = word;
    if (wasAtStart && grammar.hasSentences) {
      if (/^(?:Admitted|admit|give_up|Abort)$/.test(text)) return 'invalid';
      return /^\p{Lu}/u.test(text) ? 'keyword' : 'controlKeyword';
    }
    if (/^(?:sorry|cheat|admit|give_up)$/.test(text)) return 'invalid';
    if (grammar.keywords.has(text))
      return /^(?:Prop|Set|Type|SProp|Sort)$/.test(text) ? 'typeName' : 'keyword';
    return null;
  }
  if (stream.match(SYMBOL)) return 'operator';
  stream.next();
  return null;
}

function readComment({ open, close }: Grammar, stream: StringStream, state: State): string {
  while (state.comments > 0 && !stream.eol()) {
    if (stream.match(close)) state.comments -= 1;
    else if (stream.match(open)) state.comments += 1;
    else stream.next();
  }
  return 'comment';
}

const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.controlKeyword, color: 'var(--code-tactic)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.operator, color: 'var(--code-type)' },
  { tag: tags.invalid, color: 'var(--open)', fontWeight: '600' },
]);

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(GRAMMARS, name);
}

export function highlightingOf(language: Language): Extension {
  const grammar = GRAMMARS[language];
  const parser = StreamLanguage.define<State>({
    name: language,
    startState: () => ({ comments: 0, atStart: true }),
    copyState: (state) => ({ ...state }),
    token: (stream, state) => readToken(grammar, stream, state),
    languageData: {
      commentTokens: { block: { open: grammar.open, close: grammar.close } },
      closeBrackets: { brackets: ['(', '[', '{', '"'] },
    },
  });
  return [parser, syntaxHighlighting(STYLE)];
}
