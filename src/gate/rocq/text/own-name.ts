/**
 * What a file calls itself. The gate compiles it under a name of its own: where a text says a name that the file has in its
 * project, it may mean something else here than there. It is not judged then.
 */
import { basename } from 'node:path';
import { entryAt, lastOf } from '../../../core/entry.ts';
import { replaced } from '../../../core/replacement.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { SourceText, Verdict } from '../../verdict.ts';
import { projectNameOf, unknown } from '../judgement.ts';

/** A verdict where one of the texts, each of which would stand at the path, says a name that the path has there. */
export function sayingItself(
  path: string,
  texts: readonly SourceText[],
  { project }: { readonly project: RocqProject },
): Verdict | undefined {
  const own = projectNameOf(path, project).split('.');
  for (const { path: said, text } of texts) {
    const name = ownNameIn(text, own);
    if (name !== undefined)
      return unknown(
        'unsupported',
        `${said} says ${name}, which is a name of the file itself as its project compiles it. The gate compiles it under another one, where this may mean something else: write the name without ${own.join('.')}, or give the file another name than ${basename(path)}.`,
      );
  }
  return undefined;
}

const PART = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_']*`;
/** Blanks and comments may stand before a dot, and none behind it. */
const QUALIFIED = new RegExp(String.raw`${PART}(?:\s*\.${PART})+`, 'gu');

/**
 * A name in a text that begins with the last parts of a library's name, two of them or more. Of a library without a folder
 * one part is all: what it declares is never hidden by what has the same name elsewhere, which matters where the text says
 * the last part alone, too. What begins with the name of a library that the text requires is that one's: it can stand below a
 * folder that is called like the file.
 * @param own the parts of the library's name.
 */
export function ownNameIn(text: string, own: readonly string[]): string | undefined {
  // Most files say nothing of the kind, and need not be read.
  if (!text.includes(lastOf(own, 'part of the name'))) return undefined;
  const { requires } = outlineOf(text);
  const libraries = new Set(requires.flatMap(({ modules }) => modules));
  const plain = withoutComments(
    replaced(
      text,
      requires.map(({ span }) => ({ span, text: ' ' })),
    ),
  );
  for (const [found] of plain.matchAll(QUALIFIED)) {
    const parts = found.split('.').map((part) => part.trim());
    if (parts.some((_, index) => libraries.has(parts.slice(0, index + 1).join('.')))) continue;
    const most = Math.min(own.length, parts.length);
    for (let count = 2; count <= most; count += 1)
      if (own.slice(-count).every((part, index) => part === parts[index])) return parts.join('.');
    if (own.length === 1 && parts[0] === own[0] && saysAlone(plain, entryAt(parts, 1, 'part')))
      return parts.join('.');
  }
  return undefined;
}

/** Whether a text says a name without what it belongs to. */
function saysAlone(plain: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}_'.])${name}(?![\p{L}\p{M}\p{N}_'])`, 'u').test(plain);
}
