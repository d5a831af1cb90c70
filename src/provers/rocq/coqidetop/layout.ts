/**
 * Reads the layout trees (`ppdoc`) that coqidetop sends. The other format that it offers, finished text, writes
 * `...` for everything below the fiftieth box and cannot tell where a local definition's value ends.
 */
import { orNothing } from '../../../core/entry.ts';
import type { Hypothesis } from '../../../core/proof-state.ts';
import { around, EMPTY, type LayoutNode, type LayoutTree, printTree, readTree } from '../layout.ts';
import { type XmlElement, XmlSyntaxError, elementsOf, xmlText } from './xml.ts';

export function printLayout(element: XmlElement): string {
  return printTree(readTree(element, readNode));
}

function readNode(element: XmlElement): LayoutNode<XmlElement> {
  switch (element.attributes['val']) {
    case 'string': {
      const [string] = element.children;
      return string === undefined ? EMPTY : { kind: 'text', text: xmlText(string) };
    }
    case 'glue':
      return { kind: 'of', inside: membersOf(element), make: (parts) => ({ kind: 'glue', parts }) };
    case 'break': {
      const [blanks = 0, offset = 0] = membersOf(element).map((number) => Number(xmlText(number)));
      return { kind: 'break', blanks, offset };
    }
    case 'tag': {
      const [, content] = membersOf(element);
      return content === undefined ? EMPTY : around(content, (inner) => ({ kind: 'tag', content: inner }));
    }
    case 'box': {
      const [box, content] = membersOf(element);
      if (box === undefined || content === undefined) return EMPTY;
      const vertical = box.attributes['val'] === 'vbox';
      const indentation = Number(xmlText(box));
      return around(content, (inner) => ({ kind: 'box', vertical, indentation, content: inner }));
    }
    case 'newline':
      return { kind: 'newline' };
    case 'comment':
      return { kind: 'text', text: membersOf(element).map(xmlText).join(' ') };
    case 'empty':
      return EMPTY;
    default:
      throw new XmlSyntaxError(`a layout <${element.name} val="${orNothing(element.attributes['val'])}">`);
  }
}

/** The elements of the `list` that a glue or a comment holds, or of the `pair` in a break, a tag or a box. */
function membersOf(element: XmlElement): readonly XmlElement[] {
  const [members] = elementsOf(element);
  return members === undefined ? [] : elementsOf(members);
}

/**
 * The hypotheses of one printed declaration: `n, m : T` or `x := body : T`. Coq joins names, body and type by bare
 * strings, next to terms that are boxes of their own, so the separators are found in the tree and not in the text.
 */
export function readHypotheses(element: XmlElement): readonly Hypothesis[] {
  const parts = joined(readTree(element, readNode));
  const definition = parts.findIndex((part) => isText(part, ':='));
  const firstColon = parts.findIndex((part) => isText(part, ':'));
  const defined = definition >= 0 && (firstColon < 0 || definition < firstColon);
  // A body that is no box can hold a colon; the one meant follows the cut that ends the body.
  const cut = parts.findIndex(
    (part, at) => at > definition && isText(part, ':') && parts[at - 1]?.kind === 'break',
  );
  const colon = defined && cut >= 0 ? cut : firstColon;
  const names = printAll(parts.slice(0, defined ? definition : colon))
    .split(',')
    .map((name) => name.trim());
  const type = printAll(parts.slice(colon + 1));
  const body = defined ? printAll(parts.slice(definition + 1, colon)) : undefined;
  return names.map((name) => (body === undefined ? { name, type } : { name, type, body }));
}

function printAll(parts: readonly LayoutTree[]): string {
  return printTree({ kind: 'glue', parts }).trim();
}

/** The parts of a tree in order, through glue and the box around everything, but not into boxes and tags. */
function joined(tree: LayoutTree): readonly LayoutTree[] {
  const flatten = (part: LayoutTree): readonly LayoutTree[] =>
    part.kind === 'glue' ? part.parts.flatMap(flatten) : [part];
  return flatten(tree.kind === 'box' ? tree.content : tree);
}

function isText(part: LayoutTree, text: string): boolean {
  return part.kind === 'text' && part.text.trim() === text;
}
