/** Reads the layout trees in the JSON that jsCoq sends: arrays whose first element names the constructor of `Pp.t`. */
import { around, EMPTY, type LayoutNode, printTree, readTree } from '../layout.ts';
import { listOf } from './json.ts';

export function printEmbeddedLayout(json: unknown): string {
  return printTree(readTree(json, readNode));
}

function readNode(json: unknown): LayoutNode<unknown> {
  if (!Array.isArray(json)) return EMPTY;
  const [constructor, first, second] = json as readonly unknown[];
  switch (constructor) {
    case 'Pp_string':
      return { kind: 'text', text: String(first) };
    case 'Pp_glue':
      return { kind: 'of', inside: listOf(first), make: (parts) => ({ kind: 'glue', parts }) };
    case 'Pp_tag':
      return around(second ?? null, (content) => ({ kind: 'tag', content }));
    case 'Pp_box': {
      const [kind, indentation] = listOf(first);
      const vertical = kind === 'Pp_vbox';
      const box = { kind: 'box', vertical, indentation: numberOf(indentation) } as const;
      return around(second ?? null, (content) => ({ ...box, content }));
    }
    case 'Pp_print_break':
      return { kind: 'break', blanks: numberOf(first), offset: numberOf(second) };
    case 'Pp_force_newline':
      return { kind: 'newline' };
    case 'Pp_comment':
      return { kind: 'text', text: listOf(first).map(String).join(' ') };
    default: // Pp_empty, and what a later Coq may add
      return EMPTY;
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
