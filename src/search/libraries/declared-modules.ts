/**
 * Modules whose statements a file can name without having written them: parameters of a functor, modules that are
 * declared or made by applying one, and modules of the file that are closed.
 */
import { orNothing } from '../../core/entry.ts';
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_']*`;
const BROUGHT = String.raw`(?:(?:Import|Export)\s+)?`;
const DECLARED = new RegExp(String.raw`^\s*Declare\s+Module\s+${BROUGHT}(${NAME})`, 'u');
const MODULE = new RegExp(String.raw`^\s*Module\s+(?:Type\s+)?${BROUGHT}(${NAME})(?<rest>[^]*)$`, 'u');
const PARAMETERS = new RegExp(String.raw`\(\s*${BROUGHT}((?:${NAME}\s+)*${NAME})\s*:`, 'gu');
/** A body of its own: not the `:=` of `with Definition t := nat`. */
const APPLIED = /^\s*(?:\([^()]*\)\s*)*(?:<?:(?:(?!:=|\bwith\b)[^])*)?:=/u;

/** Those of a sentence: `(M N : T)` of `Module F (M N : T).`, `N` of `Module N := F M.` and `Declare Module N : T.` */
export function modulesNamedBy(sentence: string): string[] {
  const text = withoutComments(sentence);
  const declared = DECLARED.exec(text)?.[1];
  if (declared !== undefined) return [declared];
  const opened = MODULE.exec(text);
  if (opened === null) return [];
  const rest = orNothing(opened.groups?.['rest']);
  const parameters = [...rest.matchAll(PARAMETERS)].flatMap(([, names]) => orNothing(names).split(/\s+/u));
  const isType = /^\s*Module\s+Type\b/u.test(text);
  return !isType && parameters.length === 0 && APPLIED.test(rest) ? [orNothing(opened[1])] : parameters;
}

/** Those of the sentences from the first up to but without the last. */
export function modulesBetween(outline: FileOutline, first: number, last: number): string[] {
  const named = outline.sentences.slice(first, last).flatMap(({ text }) => modulesNamedBy(text));
  const closed = outline.scopes.filter(
    ({ kind, closed: end }) => kind === 'module' && end !== undefined && end >= first && end < last,
  );
  return [...new Set([...named, ...closed.map(({ name }) => name)])];
}
