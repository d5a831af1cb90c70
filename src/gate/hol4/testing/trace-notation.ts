/**
 * Traces as people write them, for attacks that are data. Each line is a line of the format of
 * docs/judge/hol4-replay.md, with these liberties:
 *
 *     @1 = ASSUME {p = T}         a step has a name, and `t` before the rule is left out
 *     GEN {p} @1                  a term in braces, a theorem by its name
 *     const c :(bool -> bool)     a type behind a colon
 *     named th T @1 [] [] {p}     other words stand as they are
 *     | m b 0                     a line that is taken as it is
 *     # …                         a remark
 *
 *     no end                      the last line is left out
 *
 * `<ff>` is a byte. Types and terms are given their lines before they are needed. Without its own lines `theory`
 * and `parent` a trace is of the theory `mine` on `bool`; without its own last line it ends with the right counts.
 *
 * A trace may also be a recorded one with changes: `recorded bool`, then lines `- …` that must stand in it once, each
 * followed by the lines `+ …` that stand there instead. What begins with a brace is PFT in JSON, as it stands.
 */
import { parseTerm, parseType } from './term-notation.ts';
import { recordedTrace } from './recorded-traces.ts';
import { type Theorem, TraceWriter } from './trace-writer.ts';

const KEYWORDS = new Set(['theory', 'parent', 'type', 'const', 'named', 'anon', 'end', 'y', 'm', 't']);

export function traceOf(notation: string): Buffer {
  const lines = notation.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (notation.startsWith('{')) return Buffer.from(notation);
  const [, recorded] = /^recorded (\w+)$/.exec(lines[0] ?? '') ?? [];
  return recorded === undefined ? writtenTrace(lines) : changedTrace(recorded, lines.slice(1));
}

function writtenTrace(lines: readonly string[]): Buffer {
  const headers = lines.filter((line) => /^(theory|parent) /.test(line));
  const [name = 'theory mine', ...parents] = headers;
  const writer = new TraceWriter(name.slice('theory '.length), {
    ...(headers.length > 0 && {
      parents: parents.map((line) => {
        const [, theory = '', hash = ''] = /^parent (\S*) ?(.*)$/.exec(line) ?? [];
        return [theory, hash] as const;
      }),
    }),
  });
  const theorems = new Map<string, Theorem>();
  for (const line of lines) if (!headers.includes(line) && line !== NO_END) writeLine(line, writer, theorems);
  const text = writer.text();
  return withBytes(lines.includes(NO_END) ? text.slice(0, text.lastIndexOf('\nend ') + 1) : text);
}

const NO_END = 'no end';

function withBytes(text: string): Buffer {
  const byByte = Buffer.from(text).toString('latin1');
  const bytes = byByte.replace(/<([0-9a-f]{2})>/g, (_, byte: string) =>
    String.fromCharCode(parseInt(byte, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

function writeLine(line: string, writer: TraceWriter, theorems: Map<string, Theorem>): void {
  if (line.startsWith('| ')) {
    writer.line(line.slice(2));
    return;
  }
  const [, label, rest = line] = /^@(\S+) = (.*)$/.exec(line) ?? [];
  const words = [...rest.matchAll(/\{[^}]*\}|:\((?:[^()]|\([^()]*\))*\)|\S+/g)].map(([word]) => word);
  const [first = '', ...others] = words;
  const fields = others.map((word) => fieldOf(word, writer, theorems));
  const isStep = !KEYWORDS.has(first);
  const made = writer.next;
  writer.line([...(isStep ? ['t'] : []), first, ...fields].join(' '));
  if (label !== undefined) theorems.set(label, made);
}

function fieldOf(word: string, writer: TraceWriter, theorems: ReadonlyMap<string, Theorem>): string {
  if (word.startsWith('{')) return String(writer.term(parseTerm(word.slice(1, -1))));
  if (word.startsWith(':(')) return String(writer.type(parseType(word.slice(1))));
  if (!word.startsWith('@')) return word;
  const theorem = theorems.get(word.slice(1));
  if (theorem === undefined) throw new Error(`There is no step ${word}.`);
  return String(theorem.number);
}

function changedTrace(recorded: string, changes: readonly string[]): Buffer {
  const lines = recordedTrace(recorded).toString('utf8').split('\n');
  let at: number | undefined;
  for (const change of changes) {
    const [sign, line] = [change.slice(0, 2), change.slice(2)];
    if (sign === '- ') {
      at = lines.indexOf(line);
      if (at < 0 || lines.includes(line, at + 1)) throw new Error(`${recorded} does not have once: ${line}`);
      lines.splice(at, 1);
    } else if (sign === '+ ' && at !== undefined) {
      lines.splice(at, 0, line);
      at += 1;
    } else throw new Error(`No change of a recorded trace: ${change}`);
  }
  return Buffer.from(lines.join('\n'));
}
