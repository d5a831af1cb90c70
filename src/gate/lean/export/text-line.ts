/** The words of one line of the text format, read one after the other; every misfit is an error that names the line. */
import { shownValue } from './json-line.ts';
import type { TermNumbers } from './term-numbers.ts';

export class TextLine {
  readonly #numbers: TermNumbers;
  readonly #words: readonly string[];
  #next = 0;

  constructor(line: string, numbers: TermNumbers) {
    this.#numbers = numbers;
    this.#words = line.trimEnd().split(' ');
  }

  /** A string as bytes of UTF-8 in hexadecimal. */
  hexText(): string {
    const bytes = this.#words.slice(this.#next).filter((word) => word !== '');
    this.#next = this.#words.length;
    if (!bytes.every((byte) => /^[0-9A-Fa-f]{2}$/.test(byte))) {
      throw this.#numbers.malformed('a string is not bytes in hexadecimal');
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)),
      );
    } catch (error) {
      throw this.#numbers.malformed('a string is not UTF-8', error);
    }
  }

  word(): string {
    const word = this.#words[this.#next++];
    if (word === undefined) throw this.#numbers.malformed('it ends too soon');
    return word;
  }

  number(): number {
    return this.numberOf(this.word());
  }

  numberOf(word: string): number {
    if (!/^[0-9]+$/.test(word)) throw this.#numbers.malformed(`${shownValue(word)} is not a number`);
    return this.#numbers.count(Number(word));
  }

  flag(): boolean {
    const word = this.word();
    if (word !== '0' && word !== '1') throw this.#numbers.malformed(`${shownValue(word)} is not 0 or 1`);
    return word === '1';
  }

  /** A number of numbers, then these. An empty list leaves an empty word. */
  counted(): number[] {
    const count = this.number();
    if (count === 0 && this.#words[this.#next] === '') this.#next++;
    return Array.from({ length: Math.min(count, this.#words.length) }, () => this.number());
  }

  numbersToEnd(): number[] {
    const words = this.#words.slice(this.#next).filter((word) => word !== '');
    this.#next = this.#words.length;
    return words.map((word) => this.numberOf(word));
  }

  end(): void {
    if (this.#next < this.#words.length) throw this.#numbers.malformed('it goes on where it should end');
  }
}
