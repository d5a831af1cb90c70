/**
 * The XML that coqidetop speaks, as a pure codec: bytes in, elements out, cut anywhere. It is the small XML of
 * Coq's own printer: no declarations, comments or CDATA, the five standard entities and `&nbsp;`.
 */
import { orNothing } from '../../../core/entry.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/**
 * Longest element that is read: a term of this size is of no use to anybody, and one twice as long breaks the
 * engine.
 */
const LONGEST_ELEMENT = 1 << 28;

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
}

export class XmlSyntaxError extends Error {
  override readonly name = 'XmlSyntaxError';
}

/** Collects the elements of a stream. After an {@link XmlSyntaxError} it is of no use any more. */
export class XmlReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #open: OpenElement[] = [];
  /** What tags say, by their text: Coq writes few different ones, very often. */
  readonly #openings = new Map<string, Omit<OpenElement, 'children'>>();
  /** Text that was received and not consumed: the beginning of a tag, of an entity or of a run of text. */
  #rest = '';
  #openLength = 0;

  /** The top-level elements completed by these bytes. @throws XmlSyntaxError for anything that is not such XML. */
  push(bytes: Uint8Array): readonly XmlElement[] {
    let decoded: string;
    try {
      decoded = this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new XmlSyntaxError('bytes that are not UTF-8');
    }
    this.#openLength += decoded.length;
    if (this.#openLength > LONGEST_ELEMENT) throw new XmlSyntaxError('an element longer than Quod reads');
    const text = this.#rest === '' ? decoded : this.#rest + decoded;
    const completed: XmlElement[] = [];
    let at = 0;
    while (at < text.length) {
      const tagStart = text.indexOf('<', at);
      if (tagStart < 0) break;
      const tagEnd = endOfTag(text, tagStart);
      if (tagEnd < 0) break;
      if (tagStart > at) this.#addText(text.slice(at, tagStart));
      this.#readTag(text, tagStart, tagEnd, completed);
      at = tagEnd + 1;
    }
    this.#rest = at === 0 ? text : text.slice(at);
    if (this.#open.length === 0) {
      this.#openLength = this.#rest.length;
      // Garbage without any tag would otherwise be waited out for ever.
      if (!/^\s*(<|$)/.test(this.#rest))
        throw new XmlSyntaxError(`text outside of any element: ${excerpt(this.#rest)}`);
    }
    return completed;
  }

  #addText(raw: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.children.push(unescape(raw));
    else if (raw.trim() !== '') throw new XmlSyntaxError(`text outside of any element: ${excerpt(raw)}`);
  }

  #readTag(text: string, start: number, end: number, completed: XmlElement[]): void {
    if (text.charCodeAt(start + 1) === SLASH) {
      const element = this.#open.pop();
      if (element === undefined || !closes(text, start, end, element.name)) {
        throw new XmlSyntaxError(`unexpected ${excerpt(text.slice(start, end + 1))}`);
      }
      this.#close(element, completed);
      return;
    }
    const selfClosing = text.charCodeAt(end - 1) === SLASH;
    const element = this.#openElement(text.slice(start + 1, selfClosing ? end - 1 : end));
    if (selfClosing) this.#close(element, completed);
    else this.#open.push(element);
  }

  #openElement(tag: string): OpenElement {
    let read = this.#openings.get(tag);
    if (read === undefined) {
      read = readOpening(tag);
      if (this.#openings.size < OPENINGS_KEPT) this.#openings.set(tag, read);
    }
    return { name: read.name, attributes: read.attributes, children: [] };
  }

  #close(element: OpenElement, completed: XmlElement[]): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) completed.push(element);
    else parent.children.push(element);
  }
}

const SLASH = 47;
const OPENINGS_KEPT = 1000;

function closes(text: string, start: number, end: number, name: string): boolean {
  return text.startsWith(name, start + 2) && text.slice(start + 2 + name.length, end).trim() === '';
}

/** The `>` that ends the tag, or -1 while it has not arrived. Attribute values may contain one. */
function endOfTag(text: string, start: number): number {
  let quoted = false;
  for (
    let from = start, end = text.indexOf('>', start);
    end >= 0;
    from = end + 1, end = text.indexOf('>', from)
  ) {
    for (let at = from; at < end; at += 1) if (text.charCodeAt(at) === QUOTE) quoted = !quoted;
    if (!quoted) return end;
  }
  return -1;
}

const QUOTE = 34;

const OPENING = /^([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+="[^"]*")*)\s*$/;
const ATTRIBUTE = /([\w.:-]+)="([^"]*)"/g;
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});

function readOpening(tag: string): Omit<OpenElement, 'children'> {
  const parts = OPENING.exec(tag);
  const name = parts?.[1];
  if (name === undefined) throw new XmlSyntaxError(`not a tag: ${excerpt(`<${tag}>`)}`);
  const written = orNothing(parts?.[2]);
  if (written === '') return { name, attributes: NO_ATTRIBUTES };
  const attributes = Object.create(null) as Record<string, string>;
  for (const [, key = '', value = ''] of written.matchAll(ATTRIBUTE)) attributes[key] = unescape(value);
  return { name, attributes };
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Coq prints every blank inside text as `&nbsp;` and means a plain blank. */
function unescape(raw: string): string {
  if (!raw.includes('&')) return raw;
  const blanks = raw.replaceAll('&nbsp;', ' ');
  if (!blanks.includes('&')) return blanks;
  return blanks.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name) ?? whole;
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** All text inside a node, tags dropped. */
export function xmlText(node: XmlNode): string {
  let text = '';
  const waiting: XmlNode[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') text += next;
    else for (const child of next.children.toReversed()) waiting.push(child);
  }
  return text;
}

/** The children that are elements; blanks between them mean nothing. */
export function elementsOf(node: XmlElement): readonly XmlElement[] {
  return node.children.filter((child) => typeof child !== 'string');
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
