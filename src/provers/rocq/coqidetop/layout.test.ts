import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printLayout, readHypotheses } from './layout.ts';
import { type XmlElement, XmlReader, escapeXml } from './xml.ts';

const string = (text: string): string => `<ppdoc val="string"><string>${escapeXml(text)}</string></ppdoc>`;
const glue = (...parts: readonly string[]): string =>
  `<ppdoc val="glue"><list>${parts.join('')}</list></ppdoc>`;
const lineBreak = (blanks: number, offset: number): string =>
  `<ppdoc val="break"><pair><int>${blanks}</int><int>${offset}</int></pair></ppdoc>`;
const box = (kind: string, indentation: number, content: string): string =>
  `<ppdoc val="box"><pair><ppbox val="${kind}"><int>${indentation}</int></ppbox>${content}</pair></ppdoc>`;
const tag = (content: string): string =>
  `<ppdoc val="tag"><pair><string>constr.keyword</string>${content}</pair></ppdoc>`;
const newline = '<ppdoc val="newline"/>';

function tree(printed: string): XmlElement {
  const [element] = new XmlReader().push(Buffer.from(printed));
  if (element === undefined) throw new Error('nothing to read');
  return element;
}

describe('a layout tree', () => {
  it('is one line but for line ends that are asked for and breaks of vertical boxes', () => {
    const flat = glue(tag(string('forall')), lineBreak(1, 0), string('x,'), lineBreak(2, 5), string('P'));
    expect(printLayout(tree(box('hovbox', 2, flat)))).toBe('forall x,  P');
    const vertical = box('vbox', 2, glue(string('a'), lineBreak(1, 1), string('b'), newline, string('c')));
    expect(printLayout(tree(glue(string('>> '), vertical)))).toBe('>> a\n      b\n     c');
    expect(printLayout(tree(glue(string('a'), '<ppdoc val="empty"/>', newline, string('b'))))).toBe('a\nb');
  });
});

describe('a printed declaration', () => {
  it('is one hypothesis for each name', () => {
    const names = glue(glue(string('n'), string(','), lineBreak(1, 0)), string('m'));
    expect(readHypotheses(tree(box('hovbox', 0, glue(names, string(' : '), tag(string('nat'))))))).toEqual([
      { name: 'n', type: 'nat' },
      { name: 'm', type: 'nat' },
    ]);
  });

  it('ends its body before its type, whatever colons both contain', () => {
    const word = fc.constantFrom(' : ', ' := ', 'fun', 'x', ',', ' ', '=>', '(', ')');
    const term = fc.array(word, { minLength: 1 }).filter((words) => words.join('').trim() !== '');
    const boxed = (words: readonly string[]): string => box('hovbox', 2, glue(...words.map(string)));
    fc.assert(
      fc.property(term, term, (body, type) => {
        const value = glue(string('x'), string(' := '), boxed(body), lineBreak(0, 0));
        expect(readHypotheses(tree(box('hovbox', 0, glue(value, string(' : '), boxed(type)))))).toEqual([
          { name: 'x', body: body.join('').trim(), type: type.join('').trim() },
        ]);
      }),
    );
  });

  it('ends a body without box at the cut', () => {
    const body = glue(
      string('x'),
      glue(string(' := '), string('a'), string(' : '), string('b')),
      lineBreak(0, 0),
    );
    expect(readHypotheses(tree(box('hovbox', 0, glue(body, string(' : '), string('T')))))).toEqual([
      { name: 'x', body: 'a : b', type: 'T' },
    ]);
  });
});

it('is read however deep it is nested', () => {
  const levels = 20_000;
  const [before = '', behind = ''] = box('hovbox', 0, glue(string('S'), tag('|'))).split('|');
  const printed = `${before.repeat(levels)}${string('0')}${behind.repeat(levels)}`;
  expect(printLayout(tree(printed))).toBe(`${'S'.repeat(levels)}0`);
});
