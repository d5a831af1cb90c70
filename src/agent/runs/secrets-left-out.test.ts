/** A key in what a model, a server or a prover says, in whatever way it is written there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsOf } from '../models/conversation.ts';
import { mergeSettings } from '../settings.ts';
import { recordSchema, type RunEvent } from './events.ts';
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

test('what is read back stays: the user’s file, its path, names of theorems, hashes, proofs; what is said does not', () => {
  const key = 'not-proved-1';
  const secrets = new SecretsLeftOut();
  secrets.add(key);
  const text = `Lemma ${key} : True. (* ${key} *)`;
  const model = `${key}/${key}`;
  const settings = mergeSettings({
    ...{ model, models: { judge: model }, prompts: `/${key}`, driverCommand: key },
    ...{
      providers: { [key]: { url: 'http://localhost:1/v1' } },
      prices: { [model]: { input: 1, output: 1 } },
    },
  });
  const file = { file: `/${key}/a.v`, fileHash: key, theorems: [key] };
  const task = { file: `/${key}/T.md`, text: key, instructions: key, prompt: key, usersOwn: [`/${key}`] };
  const started: RunEvent = {
    ...{
      kind: 'run-started',
      format: 1,
      quod: '1',
      ...file,
      files: [{ ...file, text }],
      beside: { [key]: key },
    },
    ...{ task, settings },
  };
  expect(secrets.from(started)).toEqual({
    ...started,
    task: { ...task, instructions: '[key]', prompt: '[key]' },
    settings: { ...settings, driverCommand: '[key]' },
  });
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key, theorem: key, outcome: 'proved', proof: key, found: 'search' },
    ...{ restsOnOpen: [key], reason: key },
  };
  expect(secrets.from(ended)).toEqual({ ...ended, reason: '[key]' });
  const last: RunEvent = { kind: 'run-ended', outcome: 'failed', message: key, replaced: [`/${key}/a.v`] };
  expect(secrets.from(last)).toEqual({ ...last, message: '[key]' });
  const rechecked: RunEvent = {
    ...{ kind: 'rechecked', key, verdict: 'accepted', findings: [key], restsOnOpen: { [key]: [key] }, ms: 1 },
  };
  expect(secrets.from(rechecked)).toEqual({ ...rechecked, findings: ['[key]'] });
});

test.each(['accepted', 'few-shot', 'theorem-ended', 'run-ended', 'not-proved', 'interrupted'])(
  'a key that is a word of the log itself makes no log that cannot be read: %s',
  (key) => {
    const secrets = new SecretsLeftOut();
    secrets.add(key);
    const events: readonly RunEvent[] = [
      { kind: 'run-ended', outcome: 'not-proved', message: key },
      { kind: 'run-ended', outcome: 'interrupted', message: key },
      {
        ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'not-proved', proof: null },
        ...{ restsOnOpen: [], found: 'few-shot', reason: '' },
      },
    ];
    for (const event of events) {
      const record = { seq: 0, at: new Date().toISOString(), event: secrets.from(event) };
      expect(recordSchema.safeParse(record).success).toBe(true);
    }
  },
);

test('one word of letters is no key that could be found: it stands in other texts; what goes to a model has no other', () => {
  for (const word of ['anything', 'Reflexivity', 'DUMMYKEY'])
    expect(recorded(word, `For ${word}.`)).toBe(`For ${word}.`);
  for (const key of ['any-thing', 'aBcDeFgH', 'anything1', 'a'.repeat(20)])
    expect(recorded(key, `For ${key}.`)).toBe('For [key].');
  const secrets = new SecretsLeftOut();
  secrets.add('sk-SECRET-1');
  expect(secrets.fromAll([{ role: 'system', key: 'sk-SECRET-1', 'sk-SECRET-1': 1 }])).toEqual([
    { role: 'system', key: '[key]', '[key]': 1 },
  ]);
});
