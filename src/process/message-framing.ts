/**
 * Where one message ends and the next begins, in the two ways in which programs send JSON over a stream: after a header
 * that tells its length in bytes (the language server protocol), or one on each line. Pure: bytes in, texts out,
 * whatever the pieces in which the bytes arrive. The texts are not looked into, only decoded.
 */

/** Cuts a stream into messages. Of no use any more once `push` has thrown. */
export interface MessageReader {
  /** The messages that end within these bytes. @throws FramingError */
  push(bytes: Uint8Array): readonly string[];
}

export interface Framing {
  frame(message: string): string;
  reader(): MessageReader;
}

/** What arrived cannot be cut into messages. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

/**
 * A message longer than this is taken for a broken stream; the longest real ones (lists of all premises) have a few
 * MB.
 */
const LONGEST_MESSAGE = 256 * 1024 * 1024;
const LONGEST_HEADER = 4096;
/** Of both headers that the protocol has. Whatever begins otherwise is told at once, not when a header's end comes. */
const HEADER_BEGINNING = 'content-';

export const HEADER_FRAMING: Framing = {
  frame: (message) => `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  reader: () => new HeaderReader(),
};

/** `message` must not contain a line end, which JSON on one line does not. */
export const LINE_FRAMING: Framing = {
  frame: (message) => `${message}\n`,
  reader: () => new LineReader(),
};

/** The bytes that have arrived and are not consumed: pieces, so that a long message is put together only once. */
class Pending {
  #pieces: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pieces.push(bytes);
    this.#length += bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  whole(): Buffer {
    const [first, ...others] = this.#pieces;
    const whole =
      first !== undefined && others.length === 0
        ? Buffer.from(first.buffer, first.byteOffset, first.length)
        : Buffer.concat(this.#pieces);
    this.#pieces = whole.length === 0 ? [] : [whole];
    return whole;
  }

  take(count: number): Buffer {
    const whole = this.whole();
    const rest = whole.subarray(count);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return whole.subarray(0, count);
  }
}

class HeaderReader implements MessageReader {
  readonly #pending = new Pending();
  /** Bytes of the message whose header was read. */
  #expected: number | undefined;

  push(bytes: Uint8Array): readonly string[] {
    this.#pending.add(bytes);
    const messages: string[] = [];
    for (;;) {
      this.#expected ??= this.#readHeader();
      if (this.#expected === undefined || this.#pending.length < this.#expected) return messages;
      messages.push(decode(this.#pending.take(this.#expected)));
      this.#expected = undefined;
    }
  }

  #readHeader(): number | undefined {
    const arrived = this.#pending.whole();
    const end = arrived.indexOf('\r\n\r\n');
    const beginning = arrived.toString('latin1', 0, HEADER_BEGINNING.length).toLowerCase();
    if (!HEADER_BEGINNING.startsWith(beginning))
      throw new FramingError(`a header that begins with ${JSON.stringify(beginning)}`);
    if (end < 0 && arrived.length <= LONGEST_HEADER) return undefined;
    const header = arrived.subarray(0, end < 0 ? LONGEST_HEADER : end).toString('latin1');
    const [, length] = /^content-length: *(\d+) *$/im.exec(header) ?? [];
    if (end < 0 || length === undefined)
      throw new FramingError(`no length in the header ${JSON.stringify(header.slice(0, 200))}`);
    if (Number(length) > LONGEST_MESSAGE) throw new FramingError(`a message of ${length} bytes`);
    this.#pending.take(end + 4);
    return Number(length);
  }
}

class LineReader implements MessageReader {
  readonly #pending = new Pending();

  push(bytes: Uint8Array): readonly string[] {
    const messages: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      this.#pending.add(bytes.subarray(from, end));
      const line = decode(this.#pending.take(this.#pending.length));
      if (line.trim() !== '') messages.push(line);
      from = end + 1;
    }
    this.#pending.add(bytes.subarray(from));
    if (this.#pending.length > LONGEST_MESSAGE) throw new FramingError('a line without end');
    return messages;
  }
}

const LINE_END = 0x0a;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FramingError('a message that is not UTF-8');
  }
}
