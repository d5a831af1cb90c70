/**
 * Lets through what is made of whole lines of an input that are no longer than may be, and passes over longer ones, of
 * which no more is kept than that: whoever reads behind it goes on with the next line.
 */
import { isUtf8 } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';

/** How a line that was passed over begins and ends. */
export interface LineEnds {
  readonly beginning: string;
  readonly end: string;
}

const NEWLINE = 0x0a;
/** Bytes of each end: those of a message of MCP say of which request it is. */
const KEPT = 1024;

export interface LineListeners {
  /** The lines that are let through in its place. */
  readonly onLine: (line: string) => readonly string[];
  readonly onTooLong: (ends: LineEnds) => void;
  /** Of a line that is not UTF-8, with what can be read of it: nothing is let through in its place. */
  readonly onOtherBytes: (readable: string) => void;
}

export class BoundedLines extends Transform {
  readonly #most: number;
  readonly #listeners: LineListeners;
  /** Of the line that has not ended yet; of one that is too long its ends. */
  #held: Buffer[] = [];
  #size = 0;
  #beginning: string | undefined;

  /** @param most bytes of a line, its end left out. */
  constructor(most: number, listeners: LineListeners) {
    super();
    this.#most = most;
    this.#listeners = listeners;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine();
    done();
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return;
    this.#held.push(part);
    this.#size += part.length;
    if (this.#size <= this.#most) return;
    const held = Buffer.concat(this.#held);
    this.#beginning ??= held.subarray(0, KEPT).toString();
    this.#held = [Buffer.from(held.subarray(-KEPT))];
  }

  /** Also where its writer did not end it: the last one may be several messages. */
  #endLine(): void {
    const bytes = Buffer.concat(this.#held);
    const line = bytes.toString();
    if (this.#beginning !== undefined)
      this.#listeners.onTooLong({ beginning: this.#beginning, end: line.trimEnd() });
    else if (!isUtf8(bytes)) this.#listeners.onOtherBytes(line);
    else if (line !== '') for (const one of this.#listeners.onLine(line)) this.push(`${one}\n`);
    this.#held = [];
    this.#size = 0;
    this.#beginning = undefined;
  }
}
