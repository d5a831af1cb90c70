/**
 * Coq's layout trees (`ppdoc`) as plain text, as on a page of unlimited width: a break is a line end in a vertical box
 * only. The other format that coqidetop offers, finished text, writes `...` for everything below the fiftieth box and
 * cannot tell where a local definition's value ends.
 */
import type { Hypothesis } from '../../../core/proof-state.ts';
import { type XmlElement, XmlSyntaxError, elementsOf, textOf } from './xml.ts';

interface Box {
  readonly vertical: boolean;
  readonly indentation: number;
}

const PAGE: Box = { vertical: false, indentation: 0 };

export function printLayout(tree: XmlElement): string {
  return print(tree, PAGE, '');
}

/** What `text` becomes when `tree` is printed after it. */
function print(tree: XmlElement, box: Box, text: string): string {
  const parts = tree.children;
  switch (tree.attributes['val']) {
    case 'string': {
      const [string] = parts;
      return string === undefined ? text : text + textOf(string);
    }
    case 'glue':
      return listed(tree).reduce((printed, part) => print(part, box, printed), text);
    case 'break': {
      const [blanks = 0, offset = 0] = pairOf(tree).map((number) => Number(textOf(number)));
      return text + (box.vertical ? newLine(box.indentation + offset) : ' '.repeat(blanks));
    }
    case 'tag': {
      const [, content] = pairOf(tree);
      return content === undefined ? text : print(content, box, text);
    }
    case 'box': {
      const [kind, content] = pairOf(tree);
      const inner = kind === undefined ? box : openBox(kind, text);
      return content === undefined ? text : print(content, inner, text);
    }
    case 'newline':
      return text + newLine(box.indentation);
    case 'comment':
      return text + listed(tree).map(textOf).join(' ');
    case 'empty':
      return text;
    default:
      throw new XmlSyntaxError(`a layout <${tree.name} val="${tree.attributes['val'] ?? ''}">`);
  }
}

function newLine(indentation: number): string {
  return `\n${' '.repeat(Math.max(0, indentation))}`;
}

function openBox(kind: XmlElement, text: string): Box {
  const column = text.length - (text.lastIndexOf('\n') + 1);
  return { vertical: kind.attributes['val'] === 'vbox', indentation: column + Number(textOf(kind)) };
}

/** The elements of the `list` that a glue or a comment holds. */
function listed(tree: XmlElement): readonly XmlElement[] {
  const [list] = elementsOf(tree);
  return list === undefined ? [] : elementsOf(list);
}

/** The elements of the `pair` that a break, a tag or a box holds. */
function pairOf(tree: XmlElement): readonly XmlElement[] {
  const [pair] = elementsOf(tree);
  return pair === undefined ? [] : elementsOf(pair);
}

/**
 * The hypotheses of one printed declaration: `n, m : T` or `x := body : T`. Coq joins names, body and type by bare
 * strings, next to terms that are boxes of their own, so the separators are found in the tree and not in the text.
 */
export function readHypotheses(tree: XmlElement): readonly Hypothesis[] {
  const parts = joined(tree);
  const definition = parts.findIndex((part) => isString(part, ':='));
  const firstColon = parts.findIndex((part) => isString(part, ':'));
  const defined = definition >= 0 && (firstColon < 0 || definition < firstColon);
  // A body that is no box can hold a colon; the one meant follows the cut that ends the body.
  const cut = parts.findIndex((part, at) => at > definition && isString(part, ':') && isCut(parts[at - 1]));
  const colon = defined && cut >= 0 ? cut : firstColon;
  const names = printAll(parts.slice(0, defined ? definition : colon))
    .split(',')
    .map((name) => name.trim());
  const type = printAll(parts.slice(colon + 1));
  const body = defined ? printAll(parts.slice(definition + 1, colon)) : undefined;
  return names.map((name) => (body === undefined ? { name, type } : { name, type, body }));
}

function printAll(parts: readonly XmlElement[]): string {
  return parts.reduce((text, part) => print(part, PAGE, text), '').trim();
}

/** The parts of a tree in order, through glue and the box around everything, but not into boxes and tags. */
function joined(tree: XmlElement): readonly XmlElement[] {
  const [, content] = tree.attributes['val'] === 'box' ? pairOf(tree) : [];
  const flatten = (part: XmlElement): readonly XmlElement[] =>
    part.attributes['val'] === 'glue' ? listed(part).flatMap(flatten) : [part];
  return flatten(content ?? tree);
}

function isString(part: XmlElement, text: string): boolean {
  return part.attributes['val'] === 'string' && textOf(part).trim() === text;
}

function isCut(part: XmlElement | undefined): boolean {
  return part?.attributes['val'] === 'break';
}
