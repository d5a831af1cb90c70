/** How a makefile is written: its lines, its words, its references, and the names of the variables that matter. */
import { orNothing } from '../../../core/entry.ts';

/** By which coq_makefile's own makefile takes options. */
export const OPTION_VARIABLES: readonly string[] = [
  ...['COQEXTRAFLAGS', 'COQFLAGS', 'OTHERFLAGS', 'COQLIBS', 'COQDEBUG', 'COQNATIVEFLAG', 'TIMING_ARG'],
  ...['COQFILTEREDEXTRAFLAGS', 'COQMF_OTHERFLAGS', 'COQMF_COQLIBS'],
];
export const PROGRAMS: readonly string[] = ['COQC', 'ROCQ'];
export const FOLDERS: readonly string[] = ['COQBIN', 'ROCQBIN'];
export const NAMES: readonly string[] = [...OPTION_VARIABLES, ...PROGRAMS, ...FOLDERS];

/** What may stand in front of a setting. */
export const MODIFIERS = String.raw`\s*(?:(?:override|export|private|unexport)\s+)*`;
export const SETS = String.raw`\s*(\+|\?|!|:{1,3})?=\s*`;

const DEFINITION = new RegExp(String.raw`^${MODIFIERS}define\s+(\S+)`, 'u');
export const ASSIGNMENT = new RegExp(
  String.raw`^${MODIFIERS}((?:\$\([^)]*\)|\$\{[^}]*\}|[^\s:#=+?!$])+)${SETS}(.*)$`,
  'u',
);

/** A line, or the `define` of a variable with all its lines. */
export interface MakefileLine {
  readonly line: string;
  readonly defined?: { readonly name: string; readonly body: readonly string[] };
  /** Whether a condition holds it. */
  readonly isChosen: boolean;
}

/** What is continued is one line. */
export function makefileLines(text: string): readonly MakefileLine[] {
  const lines = text.replace(/\\\r?\n[ \t]*/gu, ' ').split(/\r?\n/u);
  const found: MakefileLine[] = [];
  let conditions = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = orNothing(lines[at]);
    if (/^ *(?:ifn?eq|ifn?def)\b/u.test(line)) conditions += 1;
    if (/^ *endif\b/u.test(line)) conditions -= 1;
    const isChosen = conditions > 0;
    const name = DEFINITION.exec(line)?.[1];
    if (name === undefined) found.push({ line, isChosen });
    else {
      const end = lines.findIndex((other, index) => index > at && /^\s*endef\b/u.test(other));
      const last = end === -1 ? lines.length : end;
      found.push({ line, defined: { name, body: lines.slice(at + 1, last) }, isChosen });
      at = last;
    }
  }
  return found;
}

export function withoutComment(line: string): string {
  return line.replace(/(^|[^\\])#.*$/u, '$1').trimEnd();
}

/** Behind the reference `$(…)` or `${…}` that begins here; here, where none does. */
export function endOfReference(text: string, at: number): number {
  const open = text.charAt(at + 1);
  if (text.charAt(at) !== '$' || (open !== '(' && open !== '{')) return at;
  const close = open === '(' ? ')' : '}';
  let depth = 0;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text.charAt(end) === open) depth += 1;
    else if (text.charAt(end) === close) depth -= 1;
    if (depth === 0) return end + 1;
  }
  return text.length;
}

/** `a 'b c'd "e f"` is `a`, `b cd` and `e f`; what make works out is one word. */
export function wordsOf(value: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    const end = endOfReference(value, at);
    if (end > at) {
      word = orNothing(word) + value.slice(at, end);
      at = end - 1;
    } else if (quote === '' && /\s/u.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === quote) quote = '';
    else if (quote === '' && /["']/u.test(character)) {
      quote = character;
      word = orNothing(word);
    } else word = orNothing(word) + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Of a function of make, `a,$(b c,d)`: what commas part. */
export function argumentsOf(inside: string): readonly string[] {
  const found = [''];
  for (let at = 0; at < inside.length; at += 1) {
    const end = endOfReference(inside, at);
    if (end > at) {
      found.push(orNothing(found.pop()) + inside.slice(at, end));
      at = end - 1;
    } else if (inside.charAt(at) === ',') found.push('');
    else found.push(orNothing(found.pop()) + inside.charAt(at));
  }
  return found;
}

/** What stands for one word in a regular expression. */
export const REFERENCE_PATTERN = String.raw`\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^}]*\}`;

/** Whether a name that make may have to work out can be this one. */
export function couldBe(written: string, name: string): boolean {
  if (!written.includes('$')) return written === name;
  const fixed = written.split(/\$\([^)]*\)|\$\{[^}]*\}/u).map(escaped);
  return new RegExp(`^${fixed.join('.*')}$`, 'u').test(name);
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}
