/**
 * What a makefile gives to coqc: the values of the variables by which coq_makefile's own makefile takes options, in all
 * assignments, whichever make would take. A makefile is a program: what is set in a way that is not understood here, or to what
 * make would have to work out, is told as an option that nobody knows.
 */
import { orNothing } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import { withoutReporting } from './reporting-options.ts';

export interface SaidOptions {
  readonly flags: readonly string[];
  /** What names options of which nobody knows what they are. */
  readonly unread: readonly string[];
}

/** A file that a makefile takes in. */
export interface Inclusion {
  readonly name: string;
  /** Whether make goes on without it. */
  readonly isOptional: boolean;
  readonly line: string;
}

export interface MakefileOptions extends SaidOptions {
  readonly inclusions: readonly Inclusion[];
}

const OPTIONS = [
  ...['COQEXTRAFLAGS', 'COQFLAGS', 'OTHERFLAGS', 'COQLIBS', 'COQDEBUG', 'COQNATIVEFLAG', 'TIMING_ARG'],
  ...['COQFILTEREDEXTRAFLAGS', 'COQMF_OTHERFLAGS', 'COQMF_COQLIBS'],
];
const PROGRAMS = ['COQC', 'ROCQ'];
const FOLDERS = ['COQBIN', 'ROCQBIN'];
const NAMES = [...OPTIONS, ...PROGRAMS, ...FOLDERS];
const NAME = `(?:${NAMES.join('|')})`;

/** What may stand in front of a setting. */
const MODIFIERS = String.raw`\s*(?:(?:override|export|private|unexport)\s+)*`;
const SETS = String.raw`\s*(\+|\?|!|:{1,3})?=\s*`;

const DEFINITION = new RegExp(String.raw`^${MODIFIERS}define\s+(\S+)`, 'u');
const ASSIGNMENT = new RegExp(
  String.raw`^${MODIFIERS}((?:\$\([^)]*\)|\$\{[^}]*\}|[^\s:#=+?!$])+)${SETS}(.*)$`,
  'u',
);
const OF_TARGET = new RegExp(String.raw`^[^=]*:${MODIFIERS}(${NAME})${SETS}(.*)$`, 'u');
const ELSEWHERE = new RegExp(String.raw`(?<![\w.])${NAME}${SETS}`, 'u');
/** In a command: `make NAME="…"`, `NAME=… make`, and the whole in quotation marks. */
const HANDED_ON = new RegExp(
  String.raw`(?<![\w.$({"'])(${NAME})[:+?]*=("[^"]*"|'[^']*'|[^\s;&|)]*)|(["'])(${NAME})[:+?]*=(.*?)\3`,
  'gu',
);
const SHOWS = /^\s*\$[({](?:info|warning|error)\b/u;

/** coq_makefile writes so at the top. */
const IS_MADE = /^## +GNUMakefile for .*\d/mu;

const NONE: SaidOptions = { flags: [], unread: [] };

export function makefileOptions(text: string): MakefileOptions {
  return IS_MADE.test(text) ? ofMadeMakefile(text) : new Reading().read(text);
}

/** Of one that coq_makefile made only what somebody put there: all else in it is known. */
function ofMadeMakefile(text: string): MakefileOptions {
  const flags = linesOf(text).flatMap((line) => {
    const [, name = '', , value = ''] = ASSIGNMENT.exec(line) ?? [];
    return /^(?:COQ(?:EXTRA)?FLAGS|OTHERFLAGS|COQLIBS)$/u.test(name) ? settingOf(name, value).flags : [];
  });
  return { flags: flags.filter((flag) => flag !== '-q'), unread: [], inclusions: [] };
}

class Reading {
  readonly #flags: string[] = [];
  readonly #unread: string[] = [];
  readonly #inclusions: Inclusion[] = [];
  /** How many conditions hold what is read. */
  #conditions = 0;

  read(text: string): MakefileOptions {
    const lines = linesOf(text);
    for (let at = 0; at < lines.length; at += 1) {
      const line = orNothing(lines[at]);
      const defined = DEFINITION.exec(line)?.[1];
      if (defined === undefined) this.#line(line);
      else if (NAMES.includes(defined)) {
        const end = lines.findIndex((other, index) => index > at && /^\s*endef\b/u.test(other));
        const body = lines.slice(at + 1, end === -1 ? undefined : end);
        this.#add(settingOf(defined, body.join(' ').trim()));
      }
    }
    return { flags: this.#flags, unread: this.#unread, inclusions: this.#inclusions };
  }

  #line(line: string): void {
    if (/^ *(?:ifn?eq|ifn?def)\b/u.test(line)) this.#conditions += 1;
    if (/^ *endif\b/u.test(line)) this.#conditions -= 1;
    if (line.startsWith('\t') && compilesOtherwise(line)) this.#unread.push(line.trim());
    const handed = line.startsWith('\t') ? handedOn(line) : [];
    for (const setting of handed) this.#add(setting);
    if (handed.length > 0) return;
    const code = line.replace(/(^|[^\\])#.*$/u, '$1').trimEnd();
    const [, assigned, operator, value = ''] = ASSIGNMENT.exec(code) ?? [];
    if (assigned !== undefined && couldBe(assigned)) {
      if (operator === '!' || !NAMES.includes(assigned)) this.#unread.push(code.trim());
      else
        this.#add(
          this.#conditions > 0 ? chosen(settingOf(assigned, value), code) : settingOf(assigned, value),
        );
      return;
    }
    const [, named, how, given = ''] = OF_TARGET.exec(code) ?? [];
    if (named !== undefined && !line.startsWith('\t')) {
      const { flags, unread } = chosen(settingOf(named, given), code);
      this.#add(how === '!' || unread.length > 0 ? { flags: [], unread: [code.trim()] } : { flags, unread });
    } else if (!line.startsWith('\t') && ELSEWHERE.test(code) && !SHOWS.test(code))
      this.#unread.push(code.trim());
    this.#include(code);
  }

  #include(line: string): void {
    const [, optional, names = ''] = /^\s*(-|s)?include\s+(.*)$/u.exec(line) ?? [];
    for (const name of wordsOf(names))
      this.#inclusions.push({ name, isOptional: optional !== undefined, line });
  }

  #add({ flags, unread }: SaidOptions): void {
    appendAll(this.#flags, flags);
    appendAll(this.#unread, unread);
  }
}

/** The words of a command that says where a program is: `command -v coqc || echo "$(COQBIN)rocq c"`. */
const FINDS_PROGRAM =
  /^(?:which|command|type|-[pv]|echo|\|\||2?>\/dev\/null|(?:\$[({]\w+[)}]\/?)?(?:coqc|rocq)|c|compile)$/u;

/** What an assignment gives to coqc. */
export function settingOf(name: string, value: string): SaidOptions {
  const unread = { flags: [], unread: [`${name} = ${value}`] };
  if (OPTIONS.includes(name)) {
    const { flags, isRead } = flagsOf(wordsOf(value));
    return { flags, unread: isRead ? [] : unread.unread };
  }
  if (FOLDERS.includes(name)) return /^(?:"?(?:\/|~\/|\$\()\S*|\$\(.*\)\/?)?$/u.test(value) ? NONE : unread;
  if (!PROGRAMS.includes(name)) return NONE;
  const looked = /^"?\$\(shell (.*)\)"?$/u.exec(value)?.[1];
  if (
    looked
      ?.replaceAll(/["']/gu, '')
      .split(/\s+/u)
      .every((word) => FINDS_PROGRAM.test(word)) === true
  )
    return NONE;
  const words = wordsOf(value);
  const at = words.findLastIndex((word) =>
    /(?:^|[/)}])(?:coqc|rocq)(?:\.\w+)?$|^\$[({]ROCQ[)}]$/u.test(word),
  );
  if (at === -1) return unread;
  const rest = words.slice(at + 1);
  const { flags, isRead } = flagsOf(/^(?:c|compile)$/u.test(orNothing(rest[0])) ? rest.slice(1) : rest);
  return { flags, unread: isRead ? [] : unread.unread };
}

/** Folders are none: a project file says them. What stands for other settings counts where these are. */
function flagsOf(words: readonly string[]): { readonly flags: readonly string[]; readonly isRead: boolean } {
  const flags: string[] = [];
  let isRead = true;
  for (let at = 0; at < words.length; at += 1) {
    const word = orNothing(words[at]);
    if (word === '-Q' || word === '-R') at += 2;
    else if (word === '-I') at += 1;
    else if (/^\$[({](?:COQMF_\w+|COQSRCLIBS|COQ_SRC_SUBDIRS)[)}]$/u.test(word)) continue;
    else if (/^\$[({]/u.test(word) && OPTIONS.includes(word.slice(2, -1))) continue;
    else if (/[$`\\]/u.test(word)) isRead = false;
    else flags.push(word);
  }
  return { flags, isRead };
}

/** Where make may take it or not: only of what changes nothing but warnings all is said. */
function chosen(setting: SaidOptions, line: string): SaidOptions {
  const kept = withoutReporting(setting.flags);
  const warns = kept.every((flag, at) => flag === '-q' || flag === '-w' || kept[at - 1] === '-w');
  return warns ? setting : { flags: setting.flags, unread: [...setting.unread, line.trim()] };
}

const COMPILES = /(?:^|[\s@;&|(/"])(?:coqc|\$[({]COQC[)}]|rocq\s+(?:c|compile))"?\s+([^;&|<>]*)/u;
/** What changes nothing of what a file means. */
const HARMLESS = /^-(?:q|w|vos|vok|vio|batch|where|config|v|-?(?:print-)?version)$/u;

/** Whether a command compiles with an option that it names itself. */
function compilesOtherwise(command: string): boolean {
  const words = wordsOf(orNothing(COMPILES.exec(command)?.[1]));
  const others = words.filter((word, at) => words[at - 1] !== '-w' && !/^-[QRIo]$/u.test(word));
  return withoutReporting(others).some((word) => /^-./u.test(word) && !HARMLESS.test(word));
}

function handedOn(line: string): readonly SaidOptions[] {
  return [...line.matchAll(HANDED_ON)].map(([, name, value = '', , quoted = '', inside = '']) =>
    name === undefined ? settingOf(quoted, inside) : settingOf(name, value.replace(/^(["'])(.*)\1$/u, '$2')),
  );
}

/** Whether a name that make may have to work out is one of those that matter. */
function couldBe(name: string): boolean {
  if (!name.includes('$')) return NAMES.includes(name);
  const fixed = name
    .split(/\$\([^)]*\)|\$\{[^}]*\}/u)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`));
  const pattern = new RegExp(`^${fixed.join('.*')}$`, 'u');
  return NAMES.some((one) => pattern.test(one));
}

/** `a 'b c'd "e f"` is `a`, `b cd` and `e f`; what make works out is one word. */
function wordsOf(value: string): readonly string[] {
  const word = /(?:\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|'[^']*'?|"[^"]*"?|[^\s'"])+/gu;
  return [...value.matchAll(word)].map(([found]) => found.replaceAll(/["']/gu, ''));
}

/** What is continued is one line. */
function linesOf(text: string): readonly string[] {
  return text.replace(/\\\r?\n[ \t]*/gu, ' ').split(/\r?\n/u);
}
