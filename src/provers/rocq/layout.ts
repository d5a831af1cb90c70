/**
 * Coq's layout trees (`Pp.t`) and how they become plain text: as on a page of unlimited width, where a break is a line
 * end in a vertical box only. Each protocol writes the trees in its own way and has a reader for them.
 */
import { entryAt } from '../../core/entry.ts';

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

/** Terms are nested as deep as whoever writes them likes: what is read and printed of them waits in lists, not on the stack. */
export function printTree(tree: LayoutTree): string {
  const page = new Page();
  const waiting: { readonly tree: LayoutTree; readonly box: Box }[] = [
    { tree, box: { vertical: false, indentation: 0 } },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = print(next.tree, next.box, page);
    if (inside === undefined) continue;
    const { box, parts } = inside;
    for (const part of parts.toReversed()) waiting.push({ tree: part, box });
  }
  return page.text;
}

/** What a protocol writes of one tree: the tree, or how it is made of others, which are read first. */
export type LayoutNode<Source> =
  | LayoutTree
  | {
      readonly kind: 'of';
      readonly inside: readonly Source[];
      readonly make: (parts: readonly LayoutTree[]) => LayoutTree;
    };

/** A node that is made of one other. */
export function around<Source>(content: Source, make: (inner: LayoutTree) => LayoutTree): LayoutNode<Source> {
  return { kind: 'of', inside: [content], make: ([inner = EMPTY]) => make(inner) };
}

/** The whole tree. @param read one node of it, with those inside as the protocol writes them. */
export function readTree<Source>(source: Source, read: (source: Source) => LayoutNode<Source>): LayoutTree {
  const top: OpenNode<Source> = { parts: [], inside: [source], make: () => EMPTY };
  const open = [top];
  for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
    if (here.parts.length === here.inside.length) {
      open.pop();
      open.at(-1)?.parts.push(here.make(here.parts));
      continue;
    }
    const node = read(entryAt(here.inside, here.parts.length, 'layout'));
    if (node.kind === 'of') open.push({ parts: [], inside: node.inside, make: node.make });
    else here.parts.push(node);
  }
  return top.parts[0] ?? EMPTY;
}

interface OpenNode<Source> {
  /** Those that are read. */
  readonly parts: LayoutTree[];
  readonly inside: readonly Source[];
  readonly make: (parts: readonly LayoutTree[]) => LayoutTree;
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

/** Puts one tree on the page. @returns what is inside of it, to be put there next. */
function print(
  tree: LayoutTree,
  box: Box,
  page: Page,
): { readonly box: Box; readonly parts: readonly LayoutTree[] } | undefined {
  switch (tree.kind) {
    case 'empty':
      return undefined;
    case 'text':
      page.put(tree.text);
      return undefined;
    case 'glue':
      return { box, parts: tree.parts };
    case 'tag':
      return { box, parts: [tree.content] };
    case 'box': {
      const inner = { vertical: tree.vertical, indentation: page.column + tree.indentation };
      return { box: inner, parts: [tree.content] };
    }
    case 'break':
      if (box.vertical) page.newLine(box.indentation + tree.offset);
      else page.put(' '.repeat(tree.blanks));
      return undefined;
    case 'newline':
      page.newLine(box.indentation);
      return undefined;
  }
}
