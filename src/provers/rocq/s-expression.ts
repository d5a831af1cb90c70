/** Dune's S-expressions: atoms, `"strings"`, lists, and its three kinds of comments (`;`, `#| |#`, `#;`); and strings of whole lines (`"\|`). */
import { entryAt, lastOf, orNothing } from '../../core/entry.ts';

export type SExpression = string | readonly SExpression[];

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b' };

/** Everything readable of a file: what follows a fault is left out, since a project may use syntax newer than this. */
export function readSExpressions(text: string): readonly SExpression[] {
  return readWithFaults(text).expressions;
}

/** @returns whether all of it was read, too. */
export function readWithFaults(text: string): {
  readonly expressions: readonly SExpression[];
  readonly isWhole: boolean;
} {
  const top: SExpression[] = [];
  const open: SExpression[][] = [top];
  /** For each open list, how many `#;` wait for the next datum. */
  const dropping = [0];
  const add = (datum: SExpression): void => {
    const depth = open.length - 1;
    const waiting = entryAt(dropping, depth, 'open list');
    if (waiting > 0) dropping[depth] = waiting - 1;
    else open[depth]?.push(datum);
  };
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (/\s/.test(character)) at += 1;
    else if (character === ';') at = endOr(text.indexOf('\n', at), text);
    else if (text.startsWith('#|', at)) at = endOfBlock(text, at);
    else if (text.startsWith('#;', at)) {
      dropping[open.length - 1] = lastOf(dropping, 'open list') + 1;
      at += 2;
    } else if (character === '(') {
      open.push([]);
      dropping.push(0);
      at += 1;
    } else if (character === ')') {
      const list = open.pop();
      dropping.pop();
      if (list === undefined || open.length === 0) return { expressions: top, isWhole: false };
      add(list);
      at += 1;
    } else if (/^"\\[|>]/u.test(text.slice(at, at + 3))) {
      const block = /(?:"\\[|>][^\n]*(?:\n[^\S\n]*(?="\\[|>])|$|(?=\n)))+/y;
      block.lastIndex = at;
      const found = orNothing(block.exec(text)?.[0]);
      add(found.replace(/^[^\S\n]*"\\[|>] ?/gmu, ''));
      at += found.length;
    } else if (character === '"') {
      const string = /"((?:[^"\\]|\\[^])*)"/y;
      string.lastIndex = at;
      const found = string.exec(text);
      if (found === null) return { expressions: top, isWhole: false };
      add(orNothing(found[1]).replace(/\\([^])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped));
      at = string.lastIndex;
    } else {
      const atom = /[^\s()";]+/y;
      atom.lastIndex = at;
      add(orNothing(atom.exec(text)?.[0]));
      at = atom.lastIndex;
    }
  }
  return { expressions: top, isWhole: open.length === 1 };
}

function endOfBlock(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith('#|', at)) depth += 1;
    else if (text.startsWith('|#', at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function endOr(found: number, text: string): number {
  return found < 0 ? text.length : found;
}
