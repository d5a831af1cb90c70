/**
 * The one writer of Markdown for what others wrote: models, provers, servers, logs, names of files. It comes out as the
 * text that it is, in whatever reader: no link, image or HTML, and nothing behind it is read otherwise. What has nothing
 * that Markdown could mean stays plain; everything else is code, where nothing is meant.
 */
import { foreignName, inert } from '../core/foreign-text.ts';
import { greatestOf } from '../core/lists/many.ts';
import { onOneLine } from '../core/sentence.ts';

/** Letters, numbers and a few signs, none of which means anything where it stands. */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N} ,;()’–%]|[.:-](?=[\s\d]|$)|-(?=\p{L}))*$/u;

/** Readers make links of such words themselves; a number with a point begins a list. */
const MEANT = /https?:|www\.|mailto:|^\d+[.)]/iu;

/** In one line: a word of a sentence, a heading or an item of a list. */
export function markdownText(text: string): string {
  const line = foreignName(text.trim());
  return line === '' || (PLAIN.test(line) && !MEANT.test(line)) ? line : codeSpan(line);
}

/** What somebody said, in one line whatever lines it had; of a name each character counts. */
export function markdownSentence(text: string): string {
  return markdownText(onOneLine(text));
}

/** Readers do not agree on a bar in the code of a cell, so that there is none. */
export function markdownCell(text: string): string {
  return markdownText(text).replaceAll('|', '\\u{7c}');
}

/** A name as code, whatever it is. */
export function markdownCode(text: string): string {
  return codeSpan(foreignName(text.trim()) || ' ');
}

function codeSpan(line: string): string {
  const fence = '`'.repeat(longestRun(line) + 1);
  // A backtick at an end would belong to the fence.
  return line.startsWith('`') || line.endsWith('`') ? `${fence} ${line} ${fence}` : fence + line + fence;
}

/** A block with all lines of the text, behind a fence that is longer than any in it. */
export function markdownBlock(text: string): string {
  const inside = inert(text.replace(/\r\n?/gu, '\n')).trimEnd();
  const fence = '`'.repeat(Math.max(3, longestRun(inside) + 1));
  return `${fence}\n${inside}\n${fence}`;
}

/** The document with what stands outside of its blocks said otherwise: what is inside is somebody's to the letter. */
export function outsideBlocks(document: string, say: (words: string) => string): string {
  let fence: string | undefined;
  return document
    .split('\n')
    .map((line) => {
      if (fence !== undefined) {
        if (line === fence) fence = undefined;
        return line;
      }
      if (!/^`{3,}$/u.test(line)) return say(line);
      fence = line;
      return line;
    })
    .join('\n');
}

function longestRun(text: string): number {
  return greatestOf([0, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length)]);
}

/** One line each. */
export function markdownList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
