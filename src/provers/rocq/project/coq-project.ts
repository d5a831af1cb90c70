/**
 * `_CoqProject` (`_RocqProject`) files as coq_makefile reads them (Coq's lib/coqProject_file.ml): words apart by
 * blanks, `"…"` keeps blanks, `#` begins a comment anywhere outside of quotes, and inside of `-arg` single quotes
 * keep blanks.
 */
import { resolve } from 'node:path';
import { entryAt, orNothing, orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { LoadPathEntry } from './load-path.ts';
import { settingOf } from './makefile-options.ts';

export interface CoqProjectFile {
  readonly loadPath: readonly LoadPathEntry[];
  readonly ocamlPath: readonly string[];
  readonly arguments: readonly string[];
  /** What names options of which nobody knows what they are. */
  readonly unread?: readonly string[];
}

/** A word of a project file, with the line in which it stands, from 1. */
export interface ProjectWord {
  readonly text: string;
  readonly line: number;
}

/** What a project file has besides what it says to Rocq. */
export interface OtherWords {
  /** Files, and folders, that it lists; as they are written. */
  readonly listed: readonly ProjectWord[];
  /** Options that nobody knows, each with what stands behind it in its line. */
  readonly unknown: readonly ProjectWord[];
}

/** Options of coq_makefile that say nothing to Rocq, and how many words follow them. */
const MAKEFILE_OPTIONS: ReadonlyMap<string, number> = new Map([
  ['-docroot', 1],
  ['-generate-meta-for-package', 1],
  ['-install', 1],
  ['-o', 1],
  ['-extra', 3],
  ['-extra-phony', 3],
]);

/** All options that mean something in a project file. */
export const PROJECT_OPTIONS: readonly string[] = [
  ...['-Q', '-R', '-I', '-arg', '-native-compiler'],
  ...MAKEFILE_OPTIONS.keys(),
];

/** @throws QuodError `invalid-input` for a string that does not end or an option that lacks its words. */
export function parseCoqProject(text: string, root: string, file: string): CoqProjectFile {
  const { loadPath, ocamlPath, arguments: others, unread = [] } = readProjectFile(text, root, file);
  return { loadPath, ocamlPath, arguments: others, ...(unread.length > 0 && { unread }) };
}

/**
 * What coq_makefile was told, from the settings that it writes for make (Coq's tools/coq_makefile.ml): words apart by
 * blanks, in single quotes where a shell would read something else.
 * @throws QuodError as `parseCoqProject`.
 */
export function parseMakefileConf(text: string, root: string, file: string): CoqProjectFile {
  const valueOf = (name: string): readonly string[] =>
    splitArgument(orNothing(new RegExp(`^${name} *=(.*)$`, 'mu').exec(text)?.[1]).trim());
  const paths = valueOf('COQMF_COQLIBS').map((word) => `"${word.replaceAll('"', '')}"`);
  const found = parseCoqProject(paths.join(' '), root, file);
  return { ...found, arguments: [...found.arguments, ...valueOf('COQMF_OTHERFLAGS')] };
}

/** @throws QuodError as `parseCoqProject`. */
export function otherWordsOf(text: string, root: string, file: string): OtherWords {
  const { listed, unknown } = readProjectFile(text, root, file);
  return { listed, unknown };
}

function readProjectFile(text: string, root: string, file: string): CoqProjectFile & OtherWords {
  const words = projectFileWords(text, file);
  const loadPath: LoadPathEntry[] = [];
  const ocamlPath: string[] = [];
  const others: string[] = [];
  const listed: ProjectWord[] = [];
  const unknown: ProjectWord[] = [];
  const unread: string[] = [];
  const wordAfter = (at: number): string => {
    const word = words[at];
    if (word !== undefined) return word.text;
    throw new QuodError('invalid-input', `The last option of the project file lacks an argument.`, {
      place: { file },
      remedy: 'Complete it or take it away.',
    });
  };
  for (let at = 0; at < words.length; at += 1) {
    const { text: word, line } = entryAt(words, at, 'word');
    if (word === '-Q' || word === '-R') {
      const physical = resolve(root, wordAfter(at + 1));
      loadPath.push({ flag: word, physical, logical: wordAfter(at + 2) });
      at += 2;
    } else if (word === '-I') ocamlPath.push(resolve(root, wordAfter((at += 1))));
    else if (word === '-arg') appendAll(others, splitArgument(wordAfter((at += 1))));
    else if (word === '-native-compiler') others.push(word, wordAfter((at += 1)));
    else if (MAKEFILE_OPTIONS.has(word)) at += orZero(MAKEFILE_OPTIONS.get(word));
    else if (word.startsWith('-')) {
      const behind = wordsBehind(words, at);
      const option = [word, ...behind].join(' ');
      unknown.push({ text: option, line });
      unread.push(`${option} (options of Rocq stand behind -arg)`);
      at += behind.length;
    }
    // A variable for the makefile: NAME = value.
    else if (words[at + 1]?.text === '=') {
      const setting = settingOf(word, orNothing(words[at + 2]?.text));
      appendAll(others, setting.flags);
      appendAll(unread, setting.unread);
      at += 2;
    } else listed.push({ text: word, line });
  }
  return { loadPath, ocamlPath, arguments: others, unread, listed, unknown };
}

/** What stands behind a word in its line, up to the next option. */
function wordsBehind(words: readonly ProjectWord[], at: number): readonly string[] {
  const { line } = entryAt(words, at, 'word');
  const rest = words.slice(at + 1);
  const end = rest.findIndex((word) => word.line !== line || word.text.startsWith('-'));
  return (end === -1 ? rest : rest.slice(0, end)).map(({ text }) => text);
}

/**
 * A project file that says the same in any folder; empty where nothing is to be said.
 * @throws QuodError `invalid-input` for a quotation mark, which no project file can say.
 */
export function coqProjectText({ loadPath, ocamlPath, arguments: others }: CoqProjectFile): string {
  return [
    ...ocamlPath.map((folder) => ['-I', folder]),
    ...loadPath.map(({ flag, physical, logical }) => [flag, physical, logical]),
    ...others.map((word) => ['-arg', /^$|\s/u.test(word) ? `'${word}'` : word]),
  ]
    .map((words) => projectFileLine(words))
    .join('');
}

/** @throws QuodError `invalid-input` as `coqProjectText`. */
export function projectFileLine(words: readonly string[]): string {
  const unsayable = words.find((word) => word.includes('"'));
  if (unsayable !== undefined)
    throw new QuodError('invalid-input', `An argument for Rocq has a quotation mark: ${unsayable}.`, {
      remedy: 'Take it away, or rename the folder: a project file has no way to write one.',
    });
  return `${words.map((word) => (/^$|[\s#]/u.test(word) ? `"${word}"` : word)).join(' ')}\n`;
}

function projectFileWords(text: string, file: string): readonly ProjectWord[] {
  const words: ProjectWord[] = [];
  let line = 1;
  const word = /\s+|#[^\n]*|"([^"]*)("?)|([^\s#"][^\s#]*)/gy;
  for (const { 0: whole, 1: quoted, 2: closing, 3: plain, index } of text.matchAll(word)) {
    const begun = line;
    line += whole.split('\n').length - 1;
    if (plain !== undefined) words.push({ text: plain, line: begun });
    if (quoted === undefined) continue;
    if (closing === '') {
      throw new QuodError('invalid-input', 'A string of the project file does not end.', {
        place: { file, position: { line: begun, column: index - text.lastIndexOf('\n', index) - 1 } },
        remedy: 'Close it with a double quote.',
      });
    }
    words.push({ text: quoted, line: begun });
  }
  return words;
}

/** `a 'b c'd` is the two arguments `a` and `b cd`. */
function splitArgument(argument: string): readonly string[] {
  return [...argument.matchAll(/(?:'[^']*'?|[^' ])+/g)].map(([word]) => word.replaceAll("'", ''));
}
