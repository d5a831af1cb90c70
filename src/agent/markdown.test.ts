/** What others wrote, put into Markdown and read again by a parser: it is text or code, and nothing around it changes. */
import fc from 'fast-check';
import * as prettier from 'prettier';
import { expect, test } from 'vitest';
import {
  markdownBlock,
  markdownCell,
  markdownCode,
  markdownSentence,
  markdownText,
  outsideBlocks,
} from './markdown.ts';
import { exportRun } from './runs/export.ts';
import { recordSchema, type RunEvent } from './runs/events.ts';
import { comparisonReport } from './evaluation/comparison.ts';
import { benchReport } from './evaluation/report.ts';
import { parseSpec } from './evaluation/spec.ts';
import { mergeSettings } from './settings.ts';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const { __debug: parser } = prettier as unknown as {
  readonly __debug: { parse(text: string, options: object): Promise<{ readonly ast: Node }> };
};

async function parsed(markdown: string): Promise<Node> {
  return (await parser.parse(markdown, { parser: 'markdown' })).ast;
}

/** The types of all nodes; code in a line is text to whoever reads it. */
function shapeOf({ type, children = [] }: Node): unknown {
  if (type === 'text' || type === 'sentence' || type === 'inlineCode') return 'text';
  const inside = children.map(shapeOf);
  return [type, ...inside.filter((one, at) => one !== 'text' || inside[at - 1] !== 'text')];
}

const codeOf = ({ type, value, children = [] }: Node): readonly string[] =>
  type === 'code' ? [String(value)] : children.flatMap(codeOf);

const PIECES = [
  ...[
    '`',
    '``',
    '```',
    '````',
    '~~~',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '|',
    '<',
    '>',
    '[',
    ']',
    '(',
    ')',
    '!',
    '#',
  ],
  ...[
    '*',
    '**',
    '_',
    '-',
    '+',
    '=',
    '\\',
    '&lt;',
    '&',
    ' ',
    '    ',
    '\t',
    'a',
    '1.',
    '1)',
    ':',
    '$',
    '@',
    '0',
  ],
  ...[
    '<img src=x onerror=a>',
    '![a](http://e.example/p)',
    '[a](javascript:b)',
    '[a]: http://e.example',
    '---',
  ],
  ...[
    'http://e.example',
    'https://e.example',
    'www.e.example',
    '<!--',
    '-->',
    '</b>',
    '|---|',
    '\n- ',
    '\n## ',
  ],
  ...[
    'a@e.example',
    '\u2028',
    '\u0000',
    '\u001b[2J',
    'Proof.',
    'x_1',
    '[^1]',
    '\n> ',
    '\n```\n',
    '\\`',
    '\\|',
  ],
];
const hostile = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((pieces) => `a${pieces.join('')}b`);

test('a line is one text or one piece of code, in a sentence, a heading, a list and a cell', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const page = (line: string, cell: string): string =>
        `## ${line}\n\n- ${line}: ${line}\n\n${line}\n\n| h | i |\n|---|---|\n| ${cell} | ${cell} |\n\nend`;
      for (const write of [markdownText, markdownCode]) {
        const written = await parsed(page(write(text), markdownCell(text)));
        expect(shapeOf(written)).toEqual(shapeOf(await parsed(page('word', 'word'))));
      }
    }),
    { numRuns: 400 },
  );
});

test('a block is one block of code with every line, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const tree = await parsed(`before\n\n${markdownBlock(text)}\n\nafter`);
      expect(tree.children?.map(({ type }) => type)).toEqual(['paragraph', 'code', 'paragraph']);
      expect(markdownBlock(text)).not.toMatch(/[\u0000\u001b\r]/u);
    }),
    { numRuns: 1500 },
  );
});

test('what means nothing in Markdown stays as it is written', () => {
  for (const text of [
    'accepted by the gate',
    '2 plans failed; the last one: 3 messages in a row',
    'few-shot',
    'Score 0.3',
  ])
    expect(markdownText(text)).toBe(text);
  expect(markdownText('add_comm')).toBe('`add_comm`');
  expect(markdownText('a | b')).toBe('`a | b`');
  expect(markdownCell('a | b')).toBe('`a \\u{7c} b`');
});

const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
const SPENT = { role: 'executor', model: 'm', usage, cost: 0, ms: 1, tries: 1, request: 'r', finish: 'stop' };

/** Every kind of event with the text in every field that a model, a prover, a server or a file name fills. */
function eventsWith(text: string): readonly RunEvent[] {
  const call = { id: text, name: text, input: text };
  const own = { key: text, ms: 1 };
  const events: readonly object[] = [
    {
      ...{ kind: 'run-started', format: 1, quod: text, file: text, fileHash: text, theorems: [text] },
      settings: mergeSettings(),
    },
    { kind: 'theorem-started', key: text, theorem: text, statement: text },
    { kind: 'searched', ...own, proof: null, message: text },
    { kind: 'searched', ...own, proof: text, message: text },
    { kind: 'model-waits', ...own, model: text, message: text },
    { kind: 'context-limited', ...own, model: text, tokens: 1, message: text },
    { kind: 'model-answered', ...SPENT, ...own, model: text, text, calls: [call] },
    { kind: 'model-failed', ...SPENT, ...own, model: text, message: text },
    { kind: 'planned', key: text, plan: text, by: 'direct' },
    { kind: 'scored', key: text, score: 1, reason: text },
    { kind: 'tool-answered', ...own, tool: text, input: text, text, outcome: text, proof: null, goal: null },
    { kind: 'repaired', ...own, state: text, proof: text, text },
    { kind: 'sketched', ...own, script: text, texts: [text], holes: [], text, goal: null, state: null },
    { kind: 'replanned', key: text, plan: text },
    { kind: 'judged', ...own, proof: text, verdict: 'rejected', findings: [text, text], restsOnOpen: [text] },
    { kind: 'refuted', ...own, refuted: true, counterexample: text, negation: text, message: text },
    { kind: 'refuted', ...own, refuted: false, counterexample: '', negation: null, message: text },
    {
      ...{ kind: 'lemma-ended', key: text, theorem: text, name: text, statement: text, proof: text },
      ...{ by: 'model', reason: text },
    },
    { kind: 'user-said', text },
    { kind: 'handed-off', key: text, note: text, state: text, task: text },
    { kind: 'committed', key: text, files: [text], commit: text, message: text },
    { kind: 'committed', key: text, files: [text], commit: null, message: text },
    { kind: 'rechecked', ...own, verdict: 'rejected', findings: [text] },
    { kind: 'compared', ...own, clean: true, accepted: [{ theorem: text, proof: text }], findings: [text] },
    { kind: 'driver-said', key: text, text, calls: [call], results: [text] },
    {
      ...{ kind: 'driver-ended', ...own, driver: text, session: null, outcome: 'failed', message: text },
      ...{ usage, cost: 0, calls: 1, toolCalls: 1 },
    },
    { kind: 'attempt-ended', key: text, outcome: 'failed', reason: text },
    {
      ...{ kind: 'theorem-ended', key: text, theorem: text, outcome: 'proved', proof: text, before: text },
      ...{ found: 'plan', reason: text },
    },
    { kind: 'run-ended', outcome: 'proved', message: text },
  ];
  const at = new Date(0).toISOString();
  return events.map((event, seq) => recordSchema.parse({ seq, at, event }).event);
}

function exported(text: string): string {
  const at = new Date(0).toISOString();
  return exportRun(
    text,
    eventsWith(text).map((event, seq) => ({ seq, at, event })),
  );
}

test('the export of a run has the same shape whatever was said in it', async () => {
  const expected = shapeOf(await parsed(exported('word')));
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const tree = await parsed(exported(text));
      expect(shapeOf(tree)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
  const said = 'Here:\n```coq\nProof.\n\n- easy.\n\n| x\n```\n<b>';
  expect(codeOf(await parsed(exported(said)))).toContain(said);
}, 60_000);

test('the reports of benchmarks have the same shape whatever methods, theorems and errors are called', async () => {
  const reports = (text: string): string => {
    const spec = parseSpec(
      { name: text, theorems: { 'a.v': [text] }, methods: [{ name: text }, { name: 'other' }] },
      'spec.json',
    );
    const cell = {
      ...{ method: text, task: text, repeat: 0, outcome: 'failed' as const, why: text, group: '1–4' },
      ...{
        seconds: 1,
        cost: 0,
        uncosted: 0,
        modelCalls: 1,
        toolCalls: 1,
        inputTokens: 1,
        cachedTokens: 0,
        outputTokens: 1,
      },
    };
    const { markdown } = benchReport(spec, [cell], [{ task: text, why: text }]);
    return `${markdown}\n\n${comparisonReport([text, [cell]], [text, [{ ...cell, method: `${text}c` }]])}`;
  };
  const expected = shapeOf(await parsed(reports('word')));
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(shapeOf(await parsed(reports(text)))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
}, 60_000);

test('what stands outside of blocks is said otherwise, and what is in one is left to the letter', () => {
  const inside = 'word\n```\nword\n````';
  const document = ['word', markdownBlock(inside), 'a word', markdownBlock('word'), 'word'].join('\n\n');
  const said = outsideBlocks(document, (line) => line.replaceAll('word', 'other'));
  expect(said).toBe(['other', markdownBlock(inside), 'a other', markdownBlock('word'), 'other'].join('\n\n'));
});

test('what somebody said stands in one line, and a name shows its line ends', () => {
  expect(markdownSentence('it failed: If this\nis really so')).toBe('it failed: If this is really so');
  expect(markdownText('a\nb')).toBe('`a\\u{a}b`');
});
