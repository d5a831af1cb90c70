/** Recorded theories and cheats, and what the reader does with damaged ones. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareTheoryWithTarget } from './compare-target.ts';
import { replayFiles } from './replay-files.ts';
import { replayTrace } from './replay-trace.ts';
import type { ReplayedTheory } from './replayed-theories.ts';
import {
  fixturePath,
  recordedBase,
  recordedTrace,
  theoriesAfter,
  unhurried,
} from '../testing/recorded-traces.ts';
import {
  apply,
  bool,
  constant,
  equal,
  fun,
  lambda,
  not,
  T,
  TraceWriter,
  free,
  type Term,
} from '../testing/trace-writer.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

test('mini: 3,958 steps on theorems of nine theories', () => {
  const { theory, findings } = replayTrace(recordedTrace('mini'), 'hash', recordedBase(), unhurried);
  expect(findings).toEqual([]);
  expect(theory.steps).toBe(3_958);
  expect(theory.theorems.size).toBe(9);
  expect(theory.axioms).toEqual([]);
});

test.each([
  ['c1', ['unproved-statement', 'oracle-tag', 'oracle-tag']],
  ['c3', ['import-changed']],
  ['c5', ['proof-missing', 'proof-missing', 'proof-missing']],
])('the cheat %s is refused', (name, codes) => {
  const { findings } = replayTrace(recordedTrace(name), 'hash', recordedBase(), unhurried);
  expect(findings.map(({ code }) => code)).toEqual(codes);
});

const wholeBase = process.env['QUOD_HOL4_TRACES'];

test.skipIf(wholeBase === undefined)(
  'the whole base (only where QUOD_HOL4_TRACES names its folder, because it is 13 MB)',
  async () => {
    const folder = join(wholeBase ?? '', 'base');
    const files = readdirSync(folder).map((name) => join(folder, name));
    const { verdict } = await replayFiles(files);
    expect(verdict.kind).toBe('accepted');
    expect(verdict.files.reduce((sum, { steps }) => sum + steps, 0)).toBe(2_227_501);
    expect(verdict.files.flatMap(({ axioms }) => axioms).sort()).toEqual([
      'BOOL_CASES_AX',
      'ETA_AX',
      'INFINITY_AX',
      'SELECT_AX',
    ]);
  },
  600_000,
);

test('files are replayed in the order of their parents', async () => {
  const { verdict } = await replayFiles(['one', 'num', 'bool', 'sat', 'combin', 'marker'].map(fixturePath));
  expect(verdict.kind).toBe('accepted');
  const order = verdict.files.map(({ theory }) => theory);
  expect(order.indexOf('bool')).toBeLessThan(order.indexOf('combin'));
  expect(order.indexOf('combin')).toBeLessThan(order.indexOf('one'));
});

test('what rests on a theory that is not there cannot be judged', async () => {
  const { verdict } = await replayFiles([fixturePath('bool'), fixturePath('c3')]);
  expect(verdict).toMatchObject({ kind: 'unknown', reason: 'library-missing' });
});

test('limits of time and size end in no verdict', async () => {
  const bytes = recordedTrace('bool');
  const known = theoriesAfter();
  expect(() => replayTrace(bytes, 'hash', known, { ...unhurried, termLimit: 1_000 })).toThrow(
    /more than 1000 terms/,
  );
  expect((await replayFiles([fixturePath('bool')], { maximumBytes: 10_000 })).verdict).toMatchObject({
    kind: 'unknown',
    reason: 'too-large',
  });
  expect((await replayFiles([fixturePath('bool')], { timeoutMs: 1 })).verdict).toMatchObject({
    kind: 'unknown',
    reason: 'timeout',
  });
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20)],
  ['without its last line', (text: string) => text.slice(0, text.lastIndexOf('end'))],
  ['with something after its end', (text: string) => `${text}t REFL 0\n`],
  ['with a step taken out', (text: string) => text.replace(/^t REFL .*\n/m, '')],
  ['with an unknown rule', (text: string) => text.replace(/^t REFL /m, 't ORACLE ')],
  ['with a number too much', (text: string) => text.replace(/^t REFL (\d+)/m, 't REFL $1 0')],
  ['with a term that comes later', (text: string) => text.replace(/^t REFL (\d+)/m, 't REFL 99999')],
  ['with a number written otherwise', (text: string) => text.replace(/^t REFL (\d+)/m, 't REFL 0$1')],
  ['of another kind', () => 'Theorem t: T\nProof simp[] QED\n'],
  ['empty', () => ''],
])('a trace that is damaged: %s', (_, damage) => {
  const text = damage(recordedTrace('one').toString('utf8'));
  expect(() => replayTrace(Buffer.from(text), 'hash', theoriesAfter('bool'), unhurried)).toThrow(
    MalformedTrace,
  );
});

test('a term nested too deeply for the machine is no crash', async () => {
  const writer = new TraceWriter('mine');
  let term: Term = T;
  for (let depth = 0; depth < 20; depth += 1) term = not(term);
  writer.step('REFL', term);
  // 60,000 further negations as raw lines: the writer itself would recurse.
  const lines = writer.text().split('\n').slice(0, -2);
  const negation = lines
    .filter((line) => line.startsWith('m '))
    .findIndex((line) => line.startsWith('m c bool$~'));
  let count = lines.filter((line) => line.startsWith('m ')).length;
  for (let depth = 0; depth < 60_000; depth += 1, count += 1) lines.push(`m a ${negation} ${count - 1}`);
  lines.push(
    `t REFL ${count - 1}`,
    `end ${lines.filter((line) => line.startsWith('y ')).length} ${count} 2`,
    '',
  );
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const folder = mkdtempSync(join(tmpdir(), 'quod-hol-'));
  try {
    const path = join(folder, 'deep.prf');
    writeFileSync(path, lines.join('\n'));
    const { verdict } = await replayFiles([fixturePath('bool'), path]);
    expect(['accepted', 'unknown']).toContain(verdict.kind);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the target is what counts: statements, and what their constants mean', () => {
  const known = theoriesAfter('bool');
  const p = free('p');
  const predicate = constant('mine$safe', fun(bool, bool));
  const theory = (meaning: Term, statement: Term | undefined, isProved: boolean): Buffer => {
    const writer = new TraceWriter('mine');
    const definition = writer.step('DEF_CONST', lambda(p, meaning), 'mine$safe');
    if (statement === undefined) return writer.bytes();
    if (!isProved) return writer.export('goal', writer.step('AXIOM', statement), statement).bytes();
    const applied = writer.step('AP_THM', T, definition);
    const unfolded = writer.step('TRANS', applied, writer.step('BETA_CONV', apply(lambda(p, meaning), T)));
    return writer.export('goal', unfolded, statement).bytes();
  };
  const replayed = (bytes: Buffer) => replayTrace(bytes, 'hash', known, unhurried).theory;
  const goal = equal(apply(predicate, T), T);
  const target = replayed(theory(p, goal, false));
  const compare = (bytes: Buffer): string[] =>
    compareTheoryWithTarget(target, replayed(bytes)).map(({ code }) => code);
  expect(compare(theory(p, goal, true))).toEqual([]);
  expect(compare(theory(T, goal, true))).toEqual(['definition-changed']);
  expect(compare(theory(p, undefined, true))).toEqual(['missing']);
  expect(compare(theory(not(p), equal(apply(predicate, T), not(T)), true)).sort()).toEqual([
    'definition-changed',
    'statement-changed',
  ]);
});

test('a target and a submission that name another build of a parent are of different worlds', () => {
  const known = theoriesAfter('bool');
  const theory = (build: string, isProved: boolean): ReplayedTheory => {
    const writer = new TraceWriter('mine', { parents: [['bool', build]] });
    const proof = isProved ? writer.step('REFL', T) : writer.step('AXIOM', equal(T, T));
    return replayTrace(writer.export('goal', proof, equal(T, T)).bytes(), 'hash', known, unhurried).theory;
  };
  const compare = (build: string) =>
    compareTheoryWithTarget(theory('h1', false), theory(build, true)).map(({ code }) => code);
  expect(compare('h1')).toEqual([]);
  expect(compare('h2')).toEqual(['parents-disagree']);
});

test('names of a trace make no lines and hide nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-replay-'));
  const file = join(folder, 'mine.prf');
  writeFileSync(file, 'theory mine\\naccepted\u3164\nparent bool 5\ny o min$bool\nm c x\u2028y$z 0\n');
  try {
    const { verdict } = await replayFiles([fixturePath('bool'), file]);
    expect(verdict).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('x\\u{2028}y') as unknown,
    });
    writeFileSync(file, 'theory mine\\naccepted\u3164\nparent bool 5\ny o min$bool\nm c bool$z\u2028 0\n');
    const other = await replayFiles([fixturePath('bool'), file]);
    expect(other.verdict).toMatchObject({
      kind: 'rejected',
      findings: [
        {
          theory: 'mine\\u{a}accepted\\u{3164}',
          message: expect.stringContaining('bool$z\\u{2028}') as unknown,
        },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a parent without a trace ends with no verdict, though nothing is taken from it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-replay-'));
  const file = join(folder, 'mine.prf');
  const step = ['y o min$bool', 'm f x 0', 't REFL 0', 'end 1 1 1', ''];
  const replay = async (...parents: readonly string[]) => {
    writeFileSync(
      file,
      ['theory mine', ...parents.map((parent) => `parent ${parent} 5`), ...step].join('\n'),
    );
    const { verdict } = await replayFiles([file, fixturePath('bool')]);
    return verdict.kind === 'unknown' ? verdict.reason : verdict.kind;
  };
  try {
    expect(await replay('bool')).toBe('accepted');
    expect(await replay('bool', 'nowhere')).toBe('library-missing');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
