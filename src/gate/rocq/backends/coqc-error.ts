/** Reads the error with which `coqc` ended. */
import { codePointAt } from '../../../core/code-points.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { LineIndex } from '../../../core/position.ts';

/** The last error that `coqc` printed. Its characters are counted in bytes from the start of the line. */
export function parseCoqcError(errorOutput: string, text: string): Diagnostic {
  const headers = [
    ...errorOutput.matchAll(/^File "[^"\n]*", line (\d+), characters (\d+)-(\d+):\nError:\s*/gm),
  ];
  const header = headers.at(-1);
  if (header === undefined) {
    const plain = /^Error:\s*([\s\S]*)/m.exec(errorOutput)?.[1];
    return { severity: 'error', message: (plain ?? errorOutput).trim() };
  }
  const message = errorOutput.slice(header.index + header[0].length).trim();
  const lineStart =
    new LineIndex(text).offsetAt({ line: Number(header[1]) - 1, character: 0 }) ?? text.length;
  const [from, to] = [Number(header[2]), Number(header[3])].map((bytes) =>
    byteOffset(text, lineStart, bytes),
  );
  return {
    severity: 'error',
    message,
    span: { start: from ?? lineStart, end: Math.max(from ?? lineStart, to ?? lineStart) },
  };
}

function byteOffset(text: string, start: number, bytes: number): number {
  let offset = start;
  for (let left = bytes; left > 0 && offset < text.length;) {
    const point = codePointAt(text, offset);
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    offset += point > 0xffff ? 2 : 1;
  }
  return offset;
}

/** An error of one sentence, in the text that the sentence stands in. */
export function moved(error: Diagnostic, start: number, length: number): Diagnostic {
  const span = error.span ?? { start: 0, end: length };
  return { ...error, span: { start: start + span.start, end: start + span.end } };
}
