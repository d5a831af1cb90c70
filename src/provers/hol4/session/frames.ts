/**
 * The framing of `hol --zero`: HOL ends each answer, and its greeting, with a null byte. Bytes in, frames out, wherever
 * the bytes were cut, in the middle of a character too. An answer may be larger than anybody wants to keep: of each
 * frame the beginning and the end are kept.
 */
export interface Frame {
  readonly text: string;
  /** Bytes left out of the middle. */
  readonly droppedBytes: number;
}

const KEPT_BYTES = 1 << 20;

export class FrameReader {
  readonly #keep: number;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #dropped = 0;

  /** @param keep How many bytes of a frame are kept at its beginning, and as many again at its end. */
  constructor(keep = KEPT_BYTES) {
    this.#keep = keep;
  }

  /** The frames that these bytes complete. */
  push(bytes: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      this.#add(bytes.subarray(start, end));
      frames.push(this.#finish());
      start = end + 1;
    }
    this.#add(bytes.subarray(start));
    return frames;
  }

  /** What came after the last null byte. */
  rest(): Frame {
    return this.#finish();
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const room = this.#keep - this.#headBytes;
    if (room > 0) {
      const part = bytes.slice(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (bytes.length <= Math.max(room, 0)) return;
    const part = bytes.slice(Math.max(room, 0));
    this.#tail.push(part);
    this.#tailBytes += part.length;
    for (
      let first = this.#tail[0];
      first && this.#tailBytes - first.length >= this.#keep;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
      this.#dropped += first.length;
    }
  }

  #finish(): Frame {
    let tail = Buffer.concat(this.#tail);
    const surplus = tail.length - this.#keep;
    let dropped = this.#dropped;
    if (surplus > 0) {
      tail = tail.subarray(surplus);
      dropped += surplus;
    }
    const gap = dropped === 0 ? [] : [Buffer.from(`\n… ${dropped} bytes left out …\n`)];
    const text = Buffer.concat([...this.#head, ...gap, tail]).toString('utf8');
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#tailBytes = this.#dropped = 0;
    return { text, droppedBytes: dropped };
  }
}

/** A command as HOL reads it. The text must not contain a null character. */
export function encodeCommand(text: string): Uint8Array {
  return Buffer.from(`${text}\0`);
}
