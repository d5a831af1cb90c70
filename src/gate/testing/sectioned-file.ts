/**
 * A text file with a head and sections, which people read and write by hand:
 *
 *     # A remark of any length.
 *     key: value
 *     == section ==
 *     any lines
 *
 * The head has one `key: value` a line; blank lines and lines that begin with `#` do not count there. A section
 * goes from its heading to the next heading, to the byte. What no reader would notice is an error: a key or section
 * twice, a line of the head that is neither.
 */
export interface SectionedFile {
  readonly head: ReadonlyMap<string, string>;
  readonly sections: ReadonlyMap<string, string>;
}

const HEADING = /^== ([a-z][a-z ]*) ==$/;
const ENTRY = /^([a-z][a-z ]*): +(\S.*)$/;

/** @throws Error naming the line that is wrong. */
export function parseSectioned(text: string): SectionedFile {
  const head = new Map<string, string>();
  const sections = new Map<string, string>();
  let section: string | undefined;
  let content: string[] = [];
  const close = (): void => {
    if (section !== undefined) sections.set(section, content.join(''));
  };
  for (const [index, line] of linesOf(text).entries()) {
    const wrong = (what: string): Error => new Error(`line ${index + 1}: ${what}: ${line.trim()}`);
    const bare = line.replace(/\r?\n$/, '');
    const heading = HEADING.exec(bare)?.[1];
    if (heading !== undefined) {
      close();
      if (sections.has(heading)) throw wrong('a section for the second time');
      section = heading;
      content = [];
    } else if (section !== undefined) content.push(line);
    else if (bare.trim() !== '' && !bare.startsWith('#')) {
      const [, key, value] = ENTRY.exec(bare) ?? [];
      if (key === undefined || value === undefined) throw wrong('neither `key: value` nor a heading');
      if (head.has(key)) throw wrong('a key for the second time');
      head.set(key, value.trimEnd());
    }
  }
  close();
  return { head, sections };
}

/** The inverse of `parseSectioned` but for remarks. @throws Error when a text cannot stand in such a file. */
export function formatSectioned({ head, sections }: SectionedFile): string {
  const entries = [...head].map(([key, value]) => `${key}: ${value}\n`);
  const parts = [...sections].map(([heading, content]) => {
    if (linesOf(content).some((line) => HEADING.test(line.replace(/\r?\n$/, ''))))
      throw new Error(`A line of the section ${heading} looks like a heading.`);
    if (content !== '' && !content.endsWith('\n'))
      throw new Error(`The section ${heading} does not end with a line's end.`);
    return `== ${heading} ==\n${content}`;
  });
  return [...entries, ...parts].join('');
}

/** With their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
