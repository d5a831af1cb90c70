/**
 * What a file calls itself. The gate compiles it under the name that it has in its project, behind one of its own: all that is
 * declared has the same names here and there. The whole name alone is more there: nothing that is loaded later can hide it. Where
 * a text says it and something could hide it here, it may mean something else here than there. It is not judged then.
 */
import { basename } from 'node:path';
import { entryAt, lastOf } from '../../../core/entry.ts';
import { replaced } from '../../../core/replacement.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { type FileOutline, outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { SourceText, Verdict } from '../../verdict.ts';
import { moduleNameOf, unknown } from '../judgement.ts';

/** A verdict where one of the texts, each of which would stand at the path, says a name of the path's that may be hidden here. */
export function sayingItself(
  path: string,
  texts: readonly SourceText[],
  { project }: { readonly project: RocqProject },
): Verdict | undefined {
  const own = moduleNameOf(path, project).split('.');
  for (const { path: said, text } of texts) {
    const name = ownNameIn(text, own);
    if (name !== undefined)
      return unknown(
        'unsupported',
        `${said} says ${name}, which is a name of the file itself as its project compiles it, and loads, imports or opens something behind its first declaration. The gate compiles the file under a longer name, so that this could hide the name here, and not there: write it without ${own.join('.')}, put what is loaded and imported to the top of the file, or give the file another name than ${basename(path)}.`,
      );
  }
  return undefined;
}

const PART = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_']*`;
/** Blanks and comments may stand before a dot, and none behind it. */
const QUALIFIED = new RegExp(String.raw`${PART}(?:\s*\.${PART})+`, 'gu');

/**
 * A name in a text that begins with a library's whole name, where something behind the first declaration could hide what the
 * library declares by it. Of a library without a folder that matters where the text says the part behind it alone, too: else
 * it belongs to another library. What begins with the name of a library that the text requires is that one's: it can stand
 * below a folder that is called like the file. A library that is not finished is no module: its bare name is another's.
 * @param own the parts of the library's name.
 */
export function ownNameIn(text: string, own: readonly string[]): string | undefined {
  // Most files say nothing of the kind, and need not be read.
  if (!text.includes(lastOf(own, 'part of the name'))) return undefined;
  const outline = outlineOf(text);
  const { requires } = outline;
  const libraries = new Set(requires.flatMap(({ modules }) => modules));
  const plain = withoutComments(
    replaced(
      text,
      requires.map(({ span }) => ({ span, text: ' ' })),
    ),
  );
  for (const [found] of plain.matchAll(QUALIFIED)) {
    const parts = found.split('.').map((part) => part.trim());
    if (!own.every((part, index) => part === parts[index])) continue;
    if (parts.some((_, index) => libraries.has(parts.slice(0, index + 1).join('.')))) continue;
    if (parts.length > own.length && !mayBeHidden(outline, entryAt(own, 0, 'part of the name'))) continue;
    if (own.length > 1 || saysAlone(plain, entryAt(parts, 1, 'part'))) return parts.join('.');
  }
  return undefined;
}

/** What may stand at the top of a file, before anything is declared. */
const OPENING = /^(?:From|Require|Import|Export|(?:(?:Local|Global)\s+)?(?:Open\s+Scope|Set|Unset))\s/u;

/** Whether something behind the opening of a file could give a name that begins so to something else. */
function mayBeHidden({ sentences, text }: FileOutline, first: string): boolean {
  const begins = sentences.find((sentence) => !OPENING.test(sentence.text));
  const opens = String.raw`(?:Module|Section|Chapter)(?:\s+(?:Type|Import|Export))*\s+${first}`;
  const hiding = String.raw`(?<![\p{L}\p{M}\p{N}_'.])(?:Require|Import|Export|Include|Load|HB|${opens})(?![\p{L}\p{M}\p{N}_'])`;
  return new RegExp(hiding, 'u').test(withoutComments(text.slice(begins?.span.start ?? text.length)));
}

/** Whether a text says a name without what it belongs to. */
function saysAlone(plain: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_'.])${name}(?![\p{L}\p{M}\p{N}_'])`, 'u').test(plain);
}
