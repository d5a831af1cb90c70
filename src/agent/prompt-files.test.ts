import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PROMPTS, PROMPT_NAMES, Prompts } from './prompt-files.ts';
import type { PromptName, VariablesOf } from './prompt-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-prompts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(PROMPT_NAMES)('every variable of %s is filled in, and nothing is left to fill', (name) => {
  const values = Object.fromEntries(
    PROMPTS[name].map((variable) => [variable, `<${variable} with {{braces}}>`]),
  );
  const text = Prompts.read(null).fill(name, values as VariablesOf<PromptName>);
  for (const value of Object.values(values)) expect(text).toContain(value);
  const rest = Object.values(values).reduce((left, value) => left.replaceAll(value, ''), text);
  expect(rest).not.toMatch(/\{\{|\}\}/u);
});

test('what is empty is said to be', () => {
  expect(Prompts.read(null).fill('few-shot-again', { error: '' })).toContain('(none)');
});

test.each(['plan', 'execute', 'few-shot', 'driver', 'driver-again'] as const)(
  'where the user says nothing %s does not end in a word about it',
  (name) => {
    const values = Object.fromEntries(PROMPTS[name].map((variable) => [variable, variable]));
    const text = Prompts.read(null).fill(name, { ...values, said: '' } as VariablesOf<PromptName>);
    expect(text).not.toMatch(/\(none\)|\s$/u);
  },
);

test('a file of the user’s goes before that of the package', () => {
  writeFileSync(join(folder, 'few-shot-again.md'), 'Mend {{error}}!');
  const prompts = Prompts.read(folder);
  expect(prompts.fill('few-shot-again', { error: 'this' })).toBe('Mend this!');
  expect(prompts.fill('plan-judgement-again', { fault: 'no JSON' })).toContain('no JSON');
});

test.each(['Mend it!', 'Mend {{error}} of {{theorem}}!', 'Mend {{ error }}'])(
  'one with other variables is refused before anything is spent: %s',
  (text) => {
    writeFileSync(join(folder, 'few-shot-again.md'), text);
    expect(() => Prompts.read(folder)).toThrow(/few-shot-again has other variables/u);
  },
);

test.each(['few-shots-again.md', 'Few-shot-again.md', 'few-shot-agian.md'])(
  'a file whose name is nearly that of a prompt is not passed over: %s',
  (name) => {
    const own = mkdtempSync(join(folder, 'misspelt-'));
    writeFileSync(join(own, 'plan.md'), '{{tools}} {{said}}');
    for (const beside of ['README.md', 'plan.md~', '#plan.md#'])
      writeFileSync(join(own, beside), 'What I change, and why.');
    expect(Prompts.read(own).fill('plan', { tools: 'a', said: 'b' })).toBe('a b');
    writeFileSync(join(own, name), 'Mend {{error}}!');
    expect(() => Prompts.read(own)).toThrow('has the name of no prompt');
  },
);

test('a folder that replaces no prompt is refused', () => {
  const own = mkdtempSync(join(folder, 'nothing-'));
  writeFileSync(join(own, 'notes.md'), 'Mend {{error}}!');
  expect(() => Prompts.read(own)).toThrow('replaces no prompt');
  expect(() => Prompts.read(join(own, 'notes.md'))).toThrow('`prompts` names no folder');
});
