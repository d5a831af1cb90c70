/** The words of a Lean text, where they are code. */
import type { Span } from '../../../core/position.ts';

/** The words of the code. What is skipped: line comments, nested block comments, strings, raw strings, characters. */
export function leanWords(text: string): { readonly word: string; readonly span: Span }[] {
  const words: { word: string; span: Span }[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) break;
    const { word, block, raw } = token.groups ?? {};
    const start = token.index;
    at = TOKEN.lastIndex;
    if (block !== undefined) at = endOfBlock(text, start);
    else if (raw !== undefined) at = endOfRaw(text, at, raw);
    else if (word !== undefined) words.push({ word, span: { start, end: at } });
  }
  return words;
}

/** Names may have parts in `«»`; a quote inside a name is a part of it and begins no character. */
const PART = String.raw`(?:[\p{L}_][\p{L}\p{N}_'!?₀-₉]*|«[^»]*»)`;
const TOKEN = new RegExp(
  [
    String.raw`--[^\n]*`,
    String.raw`(?<block>/-)`,
    String.raw`\br(?<raw>#*)"`,
    String.raw`"(?:[^"\\]|\\[^])*"?`,
    String.raw`'(?:[^'\\\n]|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.))'`,
    `(?<word>${PART}(?:\\.${PART})*)`,
    String.raw`\p{N}[\p{L}\p{N}_.]*`,
  ].join('|'),
  'gu',
);

function endOfBlock(text: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/-|-\//gu)) {
    depth += mark === '/-' ? 1 : -1;
    if (depth === 0) return start + index + 2;
  }
  return text.length;
}

function endOfRaw(text: string, from: number, hashes: string): number {
  const end = text.indexOf(`"${hashes}`, from);
  return end < 0 ? text.length : end + 1 + hashes.length;
}
