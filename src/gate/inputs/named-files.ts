/**
 * Which files a text could have Rocq read besides libraries. No cut into sentences is trusted, since Rocq may read a text otherwise
 * than Quod does: what stands in a comment or a string is named, too. So a name too many is told sooner than one too few.
 */
import { orNothing } from '../../core/entry.ts';
import { readsUnknownFiles } from '../../provers/rocq/build/loaded-files.ts';

export interface NamedFiles {
  /** As they are looked for on the load path; absolute where they are written so. */
  readonly names: readonly string[];
  /** Absolute folders that the text puts on the load path. */
  readonly folders: readonly string[];
  /** Why it may read files that are not among these: what it has. */
  readonly more: readonly string[];
}

const KEYWORD = /(?<![\p{L}\p{N}_'])(?:Load|Dependency|LoadPath)(?![\p{L}\p{N}_'])/gu;
const PROGRAM = /"(?<name>[^"\n]+\.elpi)"/gu;
const BLANKS = /[\s\p{C}\p{Z}]+/uy;
const STRING = /"(?<string>(?:[^"]|"")*)"/uy;
const WORD = /[\p{L}_][\p{L}\p{N}\p{M}_']*/uy;
/** Rocq puts the value of a variable, or somebody's home, in its place. */
const EXPANDED = /[$~]/u;

export function filesNamedIn(text: string): NamedFiles {
  const [names, folders, more] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { 0: keyword, index } of text.matchAll(KEYWORD)) {
    let argument = argumentAt(text, index + keyword.length);
    if (keyword === 'Load' && argument?.text === 'Verbose' && !argument.isString)
      argument = argumentAt(text, argument.end);
    if (argument === undefined || (keyword !== 'Load' && !argument.isString)) continue;
    const name = argument.text;
    if (argument.isString && EXPANDED.test(name)) more.add(`${keyword} ${JSON.stringify(name)}`);
    else if (keyword === 'Load') names.add(name.endsWith('.v') ? name : `${name}.v`);
    else if (keyword === 'Dependency') names.add(name);
    else if (name.startsWith('/')) folders.add(name);
  }
  if (readsUnknownFiles(text)) {
    more.add('a command that opens files by itself (`Cd`, `Elpi`, `Extra Dependency`)');
    for (const { groups } of text.matchAll(PROGRAM)) names.add(orNothing(groups?.['name']));
  }
  names.delete('');
  return { names: [...names], folders: [...folders], more: [...more] };
}

interface Argument {
  readonly text: string;
  readonly isString: boolean;
  readonly end: number;
}

/** The string or the word that is next, behind blanks and comments. */
function argumentAt(text: string, start: number): Argument | undefined {
  let at = start;
  for (;;) {
    BLANKS.lastIndex = at;
    if (BLANKS.test(text)) at = BLANKS.lastIndex;
    if (!text.startsWith('(*', at)) break;
    at = commentEnd(text, at);
  }
  for (const pattern of [STRING, WORD]) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const string = found.groups?.['string'];
    return {
      text: string?.replaceAll('""', '"') ?? found[0],
      isString: string !== undefined,
      end: at + found[0].length,
    };
  }
  return undefined;
}

const IN_COMMENT = /\(\*|\*\)|"(?:[^"]|"")*"/gu;

/** Comments stand in each other, and what is in a string ends none. */
function commentEnd(text: string, start: number): number {
  IN_COMMENT.lastIndex = start;
  for (let depth = 0; ;) {
    const found = IN_COMMENT.exec(text);
    if (found === null) return text.length;
    if (found[0] === '(*') depth += 1;
    else if (found[0] === '*)') depth -= 1;
    if (depth === 0) return IN_COMMENT.lastIndex;
  }
}
