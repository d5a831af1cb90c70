/**
 * Coq's layout trees (`Pp.t`) and how they become plain text: as on a page of unlimited width, where a break is a line
 * end in a vertical box only. Each protocol writes the trees in its own way and has a reader for them.
 */

export type LayoutTree =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'glue'; readonly parts: readonly LayoutTree[] }
  /** A colour, which plain text does not have. */
  | { readonly kind: 'tag'; readonly content: LayoutTree }
  | {
      readonly kind: 'box';
      readonly vertical: boolean;
      /** Of the lines inside, from the column where the box begins. */
      readonly indentation: number;
      readonly content: LayoutTree;
    }
  /** So many blanks, or in a vertical box a line end and that offset to the box's indentation. */
  | { readonly kind: 'break'; readonly blanks: number; readonly offset: number }
  | { readonly kind: 'newline' };

export const EMPTY: LayoutTree = { kind: 'empty' };

export function printTree(tree: LayoutTree): string {
  const page = new Page();
  print(tree, { vertical: false, indentation: 0 }, page);
  return page.text;
}

interface Box {
  readonly vertical: boolean;
  /** The column at which its lines begin. */
  readonly indentation: number;
}

class Page {
  #text = '';
  #lineStart = 0;

  get text(): string {
    return this.#text;
  }

  get column(): number {
    return this.#text.length - this.#lineStart;
  }

  put(text: string): void {
    this.#text += text;
    const lineEnd = text.lastIndexOf('\n');
    if (lineEnd >= 0) this.#lineStart = this.#text.length - (text.length - lineEnd - 1);
  }

  newLine(indentation: number): void {
    // Some notations indent by a negative number.
    this.put(`\n${' '.repeat(Math.max(0, indentation))}`);
  }
}

function print(tree: LayoutTree, box: Box, page: Page): void {
  switch (tree.kind) {
    case 'empty':
      return;
    case 'text':
      page.put(tree.text);
      return;
    case 'glue':
      for (const part of tree.parts) print(part, box, page);
      return;
    case 'tag':
      print(tree.content, box, page);
      return;
    case 'box':
      print(tree.content, { vertical: tree.vertical, indentation: page.column + tree.indentation }, page);
      return;
    case 'break':
      if (box.vertical) page.newLine(box.indentation + tree.offset);
      else page.put(' '.repeat(tree.blanks));
      return;
    case 'newline':
      page.newLine(box.indentation);
      return;
  }
}
