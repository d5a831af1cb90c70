/**
 * The headings of a Markdown text, by the rules of CommonMark for blocks: what stands in a fence, in HTML or in a comment is
 * none. In doubt something is no heading of Quod's, and ends a section of Quod's: what a user wrote is kept.
 */

export interface Heading {
  readonly level: number;
  readonly title: string;
  /** In the text; the end is behind the last line of the heading, before its line end. */
  readonly start: number;
  readonly end: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

/** What is open at a line: how it ends, and what would close it. */
interface OpenBlock {
  readonly endsAt: RegExp;
  /** Empty for what ends with an empty line. */
  readonly closing: string;
}

export interface Outline {
  /** Those that are written with number signs at the beginning of a line. */
  readonly headings: readonly Heading[];
  /** The line that closes what the text leaves open; undefined where it leaves nothing open. */
  readonly closing: string | undefined;
}

export function outlineOf(markdown: string): Outline {
  const headings: Heading[] = [];
  let open: OpenBlock | undefined;
  for (const { text, start } of linesOf(markdown)) {
    if (open !== undefined) {
      if (open.endsAt.test(text)) open = undefined;
      continue;
    }
    open = openedBy(text);
    const [all, signs, title] = /^(#{1,6})[ \t]+(.*?)[ \t]*$/u.exec(text) ?? [];
    if (open !== undefined || all === undefined || signs === undefined || title === undefined) continue;
    headings.push({ level: signs.length, title, start, end: start + all.length });
  }
  return { headings, closing: open === undefined || open.closing === '' ? undefined : open.closing };
}

/** The text with blanks for the lines that a block which is no paragraph goes on with: fences, HTML, comments. */
export function withoutBlocks(markdown: string): string {
  let open: OpenBlock | undefined;
  const lines = markdown.split('\n').map((line) => {
    const text = line.replace(/\r$/u, '');
    if (open === undefined) {
      open = openedBy(text);
      return line;
    }
    if (open.endsAt.test(text)) open = undefined;
    return line.replace(/[^\r]/gu, ' ');
  });
  return lines.join('\n');
}

/** What a line begins and does not end. */
function openedBy(line: string): OpenBlock | undefined {
  const [, fence, rest] = /^ {0,3}(`{3,}|~{3,})(.*)$/u.exec(line) ?? [];
  if (fence !== undefined && rest !== undefined && !(fence.startsWith('`') && rest.includes('`')))
    return { endsAt: new RegExp(`^ {0,3}${fence}${fence.slice(0, 1)}*[ \\t]*$`, 'u'), closing: fence };
  const [, raw] = /^ {0,3}<(script|pre|style|textarea)(?:[\s>]|$)/iu.exec(line) ?? [];
  if (raw !== undefined) return unlessIn(line, new RegExp(`</${raw}>`, 'iu'), `</${raw}>`);
  if (/^ {0,3}<\?/u.test(line)) return unlessIn(line, /\?>/u, '?>');
  if (/^ {0,3}<!\[CDATA\[/u.test(line)) return unlessIn(line, /\]\]>/u, ']]>');
  if (/^ {0,3}<![a-z]/iu.test(line)) return unlessIn(line, />/u, '>');
  const outside = line.replace(/(`+)(?:(?!\1).)*\1/gu, '').replace(/<!--.*?-->/gu, '');
  if (outside.includes('<!--')) return { endsAt: /-->/u, closing: '-->' };
  return /^ {0,3}<\/?[a-z]/iu.test(line) ? { endsAt: /^[ \t]*$/u, closing: '' } : undefined;
}

function unlessIn(line: string, endsAt: RegExp, closing: string): OpenBlock | undefined {
  return endsAt.test(line) ? undefined : { endsAt, closing };
}

/**
 * Where the next heading of the first or second level begins, of whatever form, also where it looks like one in a fence;
 * the length of the text where there is none.
 */
export function nextHeading(markdown: string): number {
  const lines = linesOf(markdown);
  for (const [at, { text, start }] of lines.entries()) {
    if (/^ {0,3}#{1,2}(?:[ \t]|$)/u.test(text)) return start;
    if (isUnderline(text)) {
      const paragraph = paragraphBefore(lines, at);
      const [first] = paragraph;
      if (first !== undefined) return first.start;
    }
  }
  return markdown.length;
}

/** The text without headings of the first two levels: they become smaller, and underlines stand by themselves. */
export function withSmallHeadings(markdown: string): string {
  const lines = linesOf(markdown);
  return lines
    .map(({ text }, at) => {
      if (isUnderline(text) && paragraphBefore(lines, at).length > 0) return `\n${text}`;
      return text.replace(/^( {0,3})#{1,2}(?=[ \t]|$)/u, '$1###');
    })
    .join('\n');
}

function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/u.test(line);
}

/** The lines of a paragraph that a line behind them would underline; none for a list or a quotation. */
function paragraphBefore(lines: readonly Line[], end: number): readonly Line[] {
  let start = end;
  for (; start > 0; start--) {
    const line = lines[start - 1];
    if (line === undefined || line.text.trim() === '' || isUnderline(line.text)) break;
  }
  const paragraph = lines.slice(start, end);
  return paragraph.some(({ text }) => /^\s*(?:[-*+>]|\d+[.)])(?:\s|$)/u.test(text)) ? [] : paragraph;
}

function linesOf(text: string): readonly Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const here = { text: line.replace(/\r$/u, ''), start };
    start += line.length + 1;
    return here;
  });
}
