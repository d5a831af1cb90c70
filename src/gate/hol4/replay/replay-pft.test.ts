/** PFT in both encodings: an example of ours in the JSON form, and the same commands written in binary. */
import { expect, test } from 'vitest';
import { printStatement } from '../kernel/statement.ts';
import { PftReplay } from './replay-pft.ts';
import { unhurried } from '../testing/recorded-traces.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

/** `⊢ T`, as `bool` proves it, and a constant that is specified by `∃c. c = T`. */
const EXAMPLE = [
  { cmd: 'PFT', version: 1, ruleset: 'hol4' },
  { cmd: 'TYOP', id: 0, name: 'min$bool', args: [] },
  { cmd: 'TYOP', id: 1, name: 'min$fun', args: [0, 0] },
  { cmd: 'VAR', id: 0, name: 'x', ty: 0 },
  { cmd: 'ABS', id: 1, var: 0, body: 0 },
  { cmd: 'TYOP', id: 2, name: 'min$fun', args: [1, 0] },
  { cmd: 'TYOP', id: 3, name: 'min$fun', args: [1, 2] },
  { cmd: 'CONST', id: 2, name: 'min$=', ty: 3 },
  { cmd: 'COMB', id: 2, rator: 2, rand: 1 },
  { cmd: 'COMB', id: 3, rator: 2, rand: 1 },
  // ∃c. c = ((λx. x) = (λx. x))
  { cmd: 'TYOP', id: 4, name: 'min$fun', args: [0, 1] },
  { cmd: 'CONST', id: 4, name: 'min$=', ty: 4 },
  { cmd: 'VAR', id: 5, name: 'c', ty: 0 },
  { cmd: 'COMB', id: 6, rator: 4, rand: 5 },
  { cmd: 'COMB', id: 6, rator: 6, rand: 3 },
  { cmd: 'ABS', id: 6, var: 5, body: 6 },
  { cmd: 'CONST', id: 7, name: 'bool$?', ty: 2 },
  { cmd: 'COMB', id: 6, rator: 7, rand: 6 },
  { cmd: 'REFL', id: 0, tm: 3 },
  { cmd: 'EXISTS', id: 0, tm1: 6, tm2: 3, th: 0 },
  { cmd: 'DEL', ns: 'tm', id: 6, upto: 7 },
  { cmd: 'DEF_SPEC', id: 0, th: 0, names: ['bool$T'] },
  { cmd: 'REFL', id: 1, tm: 1 },
  { cmd: 'SYM', id: 2, th: 0 },
  { cmd: 'EQ_MP', id: 1, eq: 2, th: 1 },
  { cmd: 'SAVE', name: 'bool$TRUTH', th: 1 },
  { cmd: 'LIMITS', n_ty: 5, n_tm: 8, n_th: 3, n_ci: 0 },
];

const json = (commands: readonly object[]): Buffer =>
  Buffer.from(commands.map((command) => JSON.stringify(command)).join('\n'));
const replay = (bytes: Buffer): { codes: string[]; pft: PftReplay } => {
  const pft = new PftReplay(100_000);
  return { codes: pft.replay(bytes, unhurried).findings.map(({ code }) => code), pft };
};
const changed = (change: (commands: Record<string, unknown>[]) => void): Buffer => {
  const commands = structuredClone(EXAMPLE) as Record<string, unknown>[];
  change(commands);
  return json(commands);
};
const at = (commands: Record<string, unknown>[], name: string): number =>
  commands.findIndex(({ cmd }) => cmd === name);

/** The example in the binary form, written out from the tables of the format. */
function binary(): Buffer {
  const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
  const type = (id: number, ...args: number[]): number[] => [
    2,
    id,
    ...text(args.length === 0 ? 'min$bool' : 'min$fun'),
    args.length,
    ...args,
  ];
  const footer = [0xff, 5, 8, 3, 0];
  return Buffer.from([
    ...Buffer.from('PFT\0'),
    ...[1, ...text('hol4')],
    ...[type(0), type(1, 0, 0), [3, 0, ...text('x'), 0], [6, 1, 0, 0], type(2, 1, 0), type(3, 1, 2)].flat(),
    ...[4, 2, ...text('min$='), 3],
    ...[5, 2, 2, 1, 5, 3, 2, 1],
    ...[...type(4, 0, 1), 4, 4, ...text('min$='), 4, 3, 5, ...text('c'), 0],
    ...[5, 6, 4, 5, 5, 6, 6, 3, 6, 6, 5, 6, 4, 7, ...text('bool$?'), 2, 5, 6, 7, 6],
    ...[0x10, 0, 3, 0x22, 0, 6, 3, 0, 0xf1, 6, 7],
    ...[
      0x41,
      0,
      0,
      1,
      ...text('bool$T'),
      0x10,
      1,
      1,
      0x16,
      2,
      0,
      0x14,
      1,
      2,
      1,
      0x50,
      ...text('bool$TRUTH'),
      1,
    ],
    ...[...footer, footer.length, 0],
  ]);
}

test.each([
  ['JSON', json(EXAMPLE)],
  ['binary', binary()],
])('the example in %s', (_, bytes) => {
  const { codes, pft } = replay(bytes);
  expect(codes).toEqual([]);
  expect(printStatement(pft.statementOf('bool$TRUTH') ?? '')).toBe('⊢ bool$T');
});

test.each<[string, string, (commands: Record<string, unknown>[]) => void]>([
  ['an axiom', 'unproved-statement', (c) => c.splice(at(c, 'REFL'), 0, { cmd: 'AXIOM', id: 5, tm: 3 })],
  [
    'a statement never saved',
    'import-unknown',
    (c) => c.splice(at(c, 'SAVE'), 0, { cmd: 'LOAD', id: 5, name: 'none' }),
  ],
  [
    'a constant never declared',
    'undeclared',
    (c) => c.splice(1, 0, { cmd: 'TYOP', id: 9, name: 'mine$t', args: [] }),
  ],
  [
    'T under another definition',
    'logic-redefined',
    (c) => {
      const specification = at(c, 'DEF_SPEC');
      const names = { ...c[specification], names: ['bool$F'] };
      c[specification] = names;
    },
  ],
  [
    'EQ_MP the wrong way',
    'wrong-inference',
    (c) => {
      const step = at(c, 'EQ_MP');
      c[step] = { ...c[step], eq: 0 };
    },
  ],
  [
    'a witness that is none',
    'wrong-inference',
    (c) => {
      const step = at(c, 'EXISTS');
      c[step] = { ...c[step], tm2: 5 };
    },
  ],
  [
    'one name saved twice',
    'duplicate-name',
    (c) => c.splice(at(c, 'SAVE'), 0, { cmd: 'SAVE', name: 'bool$TRUTH', th: 0 }),
  ],
  [
    'a constant declared twice',
    'duplicate-name',
    (c) => {
      const declaration = { cmd: 'NEW_CONST', name: 'mine$c', ty: 0 };
      c.splice(2, 0, declaration, declaration);
    },
  ],
])('is refused: %s', (_, code, change) => {
  expect(replay(changed(change)).codes).toEqual([code]);
});

test.each<[string, Buffer]>([
  ['no header', json(EXAMPLE.slice(1))],
  ['no end', json(EXAMPLE.slice(0, -1))],
  ['another ruleset', json([{ cmd: 'PFT', version: 1, ruleset: 'light' }, ...EXAMPLE.slice(1)])],
  ['an unknown command', json([EXAMPLE[0] ?? {}, { cmd: 'TRUST', id: 0 }, ...EXAMPLE.slice(1)])],
  [
    'an object that is not there',
    json([EXAMPLE[0] ?? {}, { cmd: 'REFL', id: 0, tm: 3 }, ...EXAMPLE.slice(1)]),
  ],
  ['a binary file that is cut off', binary().subarray(0, 60)],
  ['a binary file with a long end', Buffer.concat([binary(), Buffer.from([0])])],
  [
    'a list longer than the file',
    Buffer.concat([binary().subarray(0, 10), Buffer.from([2, 0, 1, 65, 255, 255, 127])]),
  ],
])('is damaged: %s', (_, bytes) => {
  expect(() => replay(bytes)).toThrow(MalformedTrace);
});
