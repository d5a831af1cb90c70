import { describe, expect, it } from 'vitest';
import { type CoqOutput, add, readOutput, readStateId, readUnfocusedTip } from './protocol.ts';
import { type XmlElement, XmlReader } from './xml.ts';

function element(printed: string): XmlElement {
  const [read] = new XmlReader().push(Buffer.from(printed));
  if (read === undefined) throw new Error('nothing to read');
  return read;
}

const output = (printed: string): CoqOutput | undefined => readOutput(element(printed));
const TEXT = '<ppdoc val="string"><string>no&nbsp;way</string></ppdoc>';

describe('the answers of coqidetop', () => {
  it('carry the place of an error as attributes in 8.16', () => {
    expect(output(`<value val="fail" loc_s="3" loc_e="5"><state_id val="7"/>${TEXT}</value>`)).toEqual({
      kind: 'value',
      value: { kind: 'fail', text: 'no way', place: { start: 3, end: 5 }, good: 7 },
    });
  });

  it('carry it as an element in 8.20 and 9', () => {
    const location = '<option val="some"><loc line_nb="0" bol_pos="0" bp="3" ep="5"/></option>';
    expect(output(`<value val="fail"><state_id val="0"/>${location}${TEXT}</value>`)).toEqual({
      kind: 'value',
      value: { kind: 'fail', text: 'no way', place: { start: 3, end: 5 }, good: 0 },
    });
    expect(output(`<value val="fail"><state_id val="7"/><option val="none"/>${TEXT}</value>`)).toMatchObject({
      value: { text: 'no way', place: undefined },
    });
  });

  it('come between messages, of which only those with text count', () => {
    const feedback = (content: string): string =>
      `<feedback object="state" route="0"><state_id val="2"/>${content}</feedback>`;
    expect(output(feedback('<feedback_content val="processed"/>'))).toBeUndefined();
    const message = `<message><message_level val="warning"/><option val="some"><loc start="1" stop="2"/></option>${TEXT}</message>`;
    expect(output(feedback(`<feedback_content val="message">${message}</feedback_content>`))).toEqual({
      kind: 'message',
      message: { severity: 'warning', text: 'no way', place: { start: 1, end: 2 } },
    });
  });

  it('tell the new sentence and the tip after it', () => {
    const plain = element('<pair><state_id val="4"/><union val="in_l"><unit/></union></pair>');
    expect([readStateId(plain), readUnfocusedTip(plain)]).toEqual([4, undefined]);
    const middle = element('<pair><state_id val="4"/><union val="in_r"><state_id val="9"/></union></pair>');
    expect(readUnfocusedTip(middle)).toBe(9);
  });

  it('are of the protocol or refused', () => {
    expect(() => output('<html/>')).toThrow('protocol');
    expect(() => output('<value val="perhaps"/>')).toThrow('neither');
  });
});

it('sentences go out escaped', () => {
  expect(add('exact (a <> "b" & c).', 3)).toContain(
    '<string>exact (a &lt;&gt; &quot;b&quot; &amp; c).</string>',
  );
});
