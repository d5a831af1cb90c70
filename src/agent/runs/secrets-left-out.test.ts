/** A key in what a model, a server or a prover says, in whatever way it is written there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsOf } from '../models/conversation.ts';
import type { RunEvent } from './events.ts';
import { SecretsLeftOut, textWithoutKey } from './secrets-left-out.ts';

function recorded(key: string, text: string): string {
  const secrets = new SecretsLeftOut();
  secrets.add(key);
  const event: RunEvent = { kind: 'user-said', text };
  return secrets.from(event).text;
}

test('what is around a key in its variable is not searched for: it is not sent either', () => {
  for (const around of ['\n', '\r\n', '\t', ' ', '"', "'"])
    expect(recorded(`${around}sk-SECRET-abc${around}`, 'It is sk-SECRET-abc.')).toBe('It is [key].');
});

const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

test('a key is found in JSON, in JSON that is written in JSON, and where letters are escaped without need', () => {
  const keys = fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '-', '_', '"', '\\', '/', '.', '+', '$&', '(', 'é'),
    minLength: 8,
    maxLength: 20,
  });
  const isEscaped = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(keys, isEscaped, fc.nat(2), (key, escaped, depth) => {
      let text = key
        .split('')
        .map((unit, at) =>
          escaped[at] === true ? unicode(unit) : depth > 0 ? JSON.stringify(unit).slice(1, -1) : unit,
        )
        .join('');
      for (let more = 1; more < depth; more++) text = JSON.stringify(text).slice(1, -1);
      expect(recorded(key, `before ${text} after`)).toBe('before [key] after');
      expect(textWithoutKey(`before ${text} after`, key)).toBe('before [key] after');
    }),
  );
});

test('what a call has for names of its arguments is cleaned too, and what is left is the JSON that it was', () => {
  const key = 'sk-"SECRET"\\abc';
  const input = argumentsOf(JSON.stringify({ [key]: [key, 'x'] }));
  expect(JSON.parse(recorded(key, input))).toEqual({ '[key]': ['[key]', 'x'] });
});

test('arguments have one form, whatever a model escapes', () => {
  const script = 'idtac "sk-SECRET".';
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (escaped) => {
      const written = script
        .split('')
        .map((unit, at) => (escaped[at] === true ? unicode(unit) : JSON.stringify(unit).slice(1, -1)));
      expect(argumentsOf(`{ "script": "${written.join('')}" }`)).toBe(JSON.stringify({ script }));
    }),
  );
  expect(argumentsOf('no JSON')).toBe('no JSON');
  expect(argumentsOf('')).toBe('');
});
