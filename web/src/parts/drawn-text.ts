/**
 * All text of the page passes through here when it is drawn. Names, statements, goals and messages are of others: what
 * in them would turn the direction of writing or act otherwise is shown and not done, and no part of the page has to
 * think of it. What is typed (fields, the editor) stays as it is; the editor marks such characters itself.
 */
import { options } from 'preact';
import { shownText } from '../../../src/drawing/box-text.ts';

/** Attributes that are drawn, or read out. */
const DRAWN_ATTRIBUTES = ['title', 'placeholder', 'alt', 'label', 'aria-label', 'aria-description'];

export function drawnText(text: string): string {
  return shownText(text);
}

/** Preact makes each element and each piece of text by this function. */
export function drawEverythingInert(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (node) => {
    // A piece of text is a node whose properties are the text itself.
    const { props }: { readonly props: unknown } = node;
    if (typeof props === 'string') Reflect.set(node, 'props', drawnText(props));
    else if (typeof node.type === 'string') drawAttributes(node.props);
    before?.(node);
  };
}

function drawAttributes(props: object): void {
  for (const name of DRAWN_ATTRIBUTES) {
    const value: unknown = Reflect.get(props, name);
    if (typeof value === 'string') Reflect.set(props, name, drawnText(value));
  }
}

/** An element with a text alone, for what Preact does not draw. */
export function drawnElement(tag: string, className: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = drawnText(text);
  return element;
}
