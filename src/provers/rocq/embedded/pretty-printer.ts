/**
 * Prints Coq's layout trees as plain text, as a terminal of unlimited width would: a break becomes a line end only in a
 * vertical box. The trees are those of Coq's `Pp.t` in the JSON that jsCoq sends; tags (colours) are dropped.
 */

/** A box, a break, a text, …: an array whose first element names the constructor. */
export type LayoutTree = readonly unknown[];

interface Box {
  readonly vertical: boolean;
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

function numberAt(tree: LayoutTree, index: number): number {
  const value = tree[index];
  return typeof value === 'number' ? value : 0;
}

function treesIn(value: unknown): readonly LayoutTree[] {
  return Array.isArray(value) ? value.filter((item): item is LayoutTree => Array.isArray(item)) : [];
}

function print(tree: LayoutTree, box: Box, page: Page): void {
  switch (tree[0]) {
    case 'Pp_string':
      page.put(String(tree[1]));
      return;
    case 'Pp_glue':
      for (const part of treesIn(tree[1])) print(part, box, page);
      return;
    case 'Pp_tag':
      for (const part of treesIn([tree[2]])) print(part, box, page);
      return;
    case 'Pp_box': {
      const [kind = []] = treesIn([tree[1]]);
      const inner = { vertical: kind[0] === 'Pp_vbox', indentation: page.column + numberAt(kind, 1) };
      for (const part of treesIn([tree[2]])) print(part, inner, page);
      return;
    }
    case 'Pp_print_break':
      if (box.vertical) page.newLine(box.indentation + numberAt(tree, 2));
      else page.put(' '.repeat(numberAt(tree, 1)));
      return;
    case 'Pp_force_newline':
      page.newLine(box.indentation);
      return;
    case 'Pp_comment':
      page.put(Array.isArray(tree[1]) ? tree[1].map(String).join(' ') : '');
      return;
    default: // Pp_empty, and what a later Coq may add
      return;
  }
}

export function printLayout(tree: unknown): string {
  const page = new Page();
  for (const part of treesIn([tree])) print(part, { vertical: false, indentation: 0 }, page);
  return page.text;
}
