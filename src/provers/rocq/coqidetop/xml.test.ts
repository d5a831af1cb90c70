import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type XmlElement, type XmlNode, XmlReader, XmlSyntaxError, escapeXml, xmlText } from './xml.ts';

const name = fc.stringMatching(/^[a-z_][a-z._]{0,5}$/);
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
  element: fc.record({
    name,
    attributes: fc.dictionary(name, text, { maxKeys: 2 }),
    children: fc
      .array(fc.oneof({ maxDepth: 4 }, text, tie('element') as fc.Arbitrary<XmlNode>), { maxLength: 4 })
      .map(joinTexts),
  }),
}));

/** Two texts side by side are one in XML. */
function joinTexts(nodes: readonly XmlNode[]): readonly XmlNode[] {
  return nodes.reduce<readonly XmlNode[]>((joined, node) => {
    const last = joined.at(-1);
    return typeof node === 'string' && typeof last === 'string'
      ? [...joined.slice(0, -1), last + node]
      : [...joined, node];
  }, []);
}

function print(node: XmlNode): string {
  if (typeof node === 'string') return escapeXml(node);
  const attributes = Object.entries(node.attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const opening = `<${node.name}${attributes.join('')}`;
  return node.children.length === 0
    ? `${opening}/>`
    : `${opening}>${node.children.map(print).join('')}</${node.name}>`;
}

const plain = (node: XmlElement): unknown => JSON.parse(JSON.stringify(node));

function read(...chunks: readonly Uint8Array[]): readonly XmlElement[] {
  const reader = new XmlReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
}

describe('the XML of coqidetop', () => {
  it('is read back as it was printed, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(element, { maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (elements, cuts) => {
          const bytes = Buffer.from(elements.map(print).join('\n'));
          const places = [
            0,
            ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
            bytes.length,
          ];
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
          expect(read(...chunks).map(plain)).toEqual(elements.map(plain));
        },
      ),
    );
  });

  it('arrives element by element', () => {
    const reader = new XmlReader();
    const push = (part: string): readonly string[] => reader.push(Buffer.from(part)).map(xmlText);
    expect(push('<a>1</a><b>2')).toEqual(['1']);
    expect(push('</b')).toEqual([]);
    expect(push('>\n<c/>')).toEqual(['2', '']);
  });

  it('has non-breaking blanks, entities and numbers for characters', () => {
    const [read1] = read(
      Buffer.from('<a t="1 &gt; &quot;0&quot;">x&nbsp;&amp;lt;&#955;&#x1D538;&unknown;</a>'),
    );
    expect(read1?.attributes['t']).toBe('1 > "0"');
    expect(read1 && xmlText(read1)).toBe('x &lt;λ𝔸&unknown;');
  });

  it.each(['hello', '<a>text</b>', '</a>', '<a></a> x <b/>', '<1/>', '<a b=c/>', '<<>'])(
    'is not %s',
    (garbage) => {
      expect(() => read(Buffer.from(garbage))).toThrow(XmlSyntaxError);
    },
  );

  it('is UTF-8', () => {
    expect(() => read(Buffer.from([0x3c, 0x61, 0x3e, 0xff]))).toThrow(XmlSyntaxError);
  });
});
