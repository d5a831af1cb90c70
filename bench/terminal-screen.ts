/**
 * The part of a terminal that a recording needs: text, line ends, carriage return, backspace, and the control sequences
 * that redraw lines (cursor movement and erasing). Colours and modes are read over. Lines that scroll out are kept,
 * so that a screen is everything that was ever printed.
 */
export class TerminalScreen {
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #rest = '';

  /** Takes what a program printed, cut anywhere. */
  write(chunk: string): void {
    const text = this.#rest + chunk;
    const tokens = /\x1b\[([?>=]?)([\d;]*)([A-Za-z])|\x1b[^[]|\x1b\[?[?>=]?[\d;]*$|[\s\S]/gu;
    this.#rest = '';
    for (const [token, mode, parameters = '', command] of text.matchAll(tokens)) {
      if (command !== undefined) {
        if (mode === '') this.#control(command, parameters);
      } else if (token.startsWith('\x1b')) {
        if (token.length === 1 || token.startsWith('\x1b[')) this.#rest = token;
      } else this.#print(token);
    }
  }

  lines(): string[] {
    return this.#lines.map((line) =>
      line
        .map((cell) => cell || ' ')
        .join('')
        .trimEnd(),
    );
  }

  #print(character: string): void {
    switch (character) {
      case '\n':
        this.#row += 1;
        this.#line();
        return;
      case '\r':
        this.#column = 0;
        return;
      case '\b':
        this.#column = Math.max(0, this.#column - 1);
        return;
      case '\x07':
        return;
      default:
        this.#line()[this.#column] = character;
        this.#column += 1;
    }
  }

  #control(command: string, parameters: string): void {
    const [first] = parameters.split(';').map(Number);
    const count = first === undefined || first === 0 ? 1 : first;
    switch (command) {
      case 'A':
        this.#row = Math.max(0, this.#row - count);
        return;
      case 'B':
        this.#row += count;
        return;
      case 'C':
        this.#column += count;
        return;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        return;
      case 'E':
        this.#row += count;
        this.#column = 0;
        return;
      case 'F':
        this.#row = Math.max(0, this.#row - count);
        this.#column = 0;
        return;
      case 'G':
        this.#column = count - 1;
        return;
      case 'J':
        this.#line().length = this.#column;
        this.#lines.length = this.#row + 1;
        return;
      case 'K': {
        const line = this.#line();
        if (parameters === '2') line.length = 0;
        else if (parameters === '' || parameters === '0') line.length = Math.min(line.length, this.#column);
        return;
      }
      default:
        return;
    }
  }

  /** The cells of the current line; cells that were never written are read as blanks. */
  #line(): string[] {
    while (this.#lines.length <= this.#row) this.#lines.push([]);
    const line = this.#lines[this.#row] ?? [];
    while (line.length < this.#column) line.push(' ');
    return line;
  }
}
