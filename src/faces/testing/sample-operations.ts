/**
 * Operations that the tests of the faces call: small, without a prover, one for each thing that a face must get
 * right.
 */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { REASON_CODES } from '../../core/reason.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { defineOperation } from '../../operations/definition/operation.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import type { Service } from '../../operations/definition/services.ts';

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/** Notes that belong to the client that wrote them, like sessions. */
class Notes implements Service {
  static readonly factory = (): Notes => new Notes();
  readonly byClient = new Map<string, string[]>();
  /** What happened to the calls of `proof_wait`, in order. */
  readonly waits: string[] = [];

  clientGone(client: string): Promise<void> {
    this.byClient.delete(client);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.byClient.clear();
    return Promise.resolve();
  }
}

export const sampleNotes = Notes.factory;

const describe = defineOperation({
  name: 'gate_describe',
  area: 'gate',
  title: 'Describe a value',
  summary: 'Says back what it was given.',
  details: 'For tests. Use `gate_note` to keep something.',
  input: z.object({
    file: z.string().describe('A file of the workspace.'),
    lines: z.number().int().min(1).default(3).describe('How many lines.'),
    verbose: z.boolean().default(false).describe('Say more.'),
    kind: z.enum(['short', 'long']).default('short').describe('How to say it.'),
    words: z.array(z.string()).default([]).describe('Words to say as well.'),
  }),
  output: z.object({
    path: z.string(),
    lines: z.number(),
    verbose: z.boolean(),
    kind: z.string(),
    words: z.array(z.string()),
  }),
  annotations: READ_ONLY,
  defaultTimeout: 10,
  positional: ['file'],
  render: ({ path, lines, kind, words }) => [`${path}: ${lines} lines, ${kind}`, ...words].join(' '),
  run: async ({ file, ...rest }, { workspace }) => ({
    path: workspace.nameOf(await workspace.resolve(file)),
    ...rest,
  }),
});

const scalars = defineOperation({
  name: 'gate_add',
  area: 'gate',
  title: 'Add',
  summary: 'Adds two numbers.',
  input: z.object({ left: z.number(), right: z.number(), negate: z.boolean().default(false) }),
  output: z.object({ sum: z.number() }),
  annotations: READ_ONLY,
  defaultTimeout: 10,
  positional: ['left', 'right'],
  run: ({ left, right, negate }) => Promise.resolve({ sum: (left + right) * (negate ? -1 : 1) }),
});

const note = defineOperation({
  name: 'gate_note',
  area: 'gate',
  title: 'Keep a note',
  summary: 'Keeps a note for the client that calls.',
  input: z.object({ text: z.string() }),
  output: z.object({ notes: z.array(z.string()) }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  defaultTimeout: 10,
  positional: ['text'],
  render: ({ notes }) => notes.join('\n'),
  run: ({ text }, { client, services }) => {
    const { byClient } = services.get(sampleNotes);
    const notes = [...(byClient.get(client) ?? []), text];
    byClient.set(client, notes);
    return Promise.resolve({ notes });
  },
});

const wait = defineOperation({
  name: 'proof_wait',
  area: 'proof',
  title: 'Wait',
  summary: 'Tells its progress and then waits until it is cancelled.',
  input: z.object({ steps: z.number().int().min(0).default(0) }),
  output: z.object({}),
  annotations: READ_ONLY,
  defaultTimeout: 60,
  run: async ({ steps }, { signal, progress, services }) => {
    const { waits } = services.get(sampleNotes);
    waits.push('begun');
    for (let done = 1; done <= steps; done += 1) progress({ message: `Step ${done}`, done, total: steps });
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        waits.push('cancelled');
        reject(new QuodError('interrupted', 'The wait was cancelled.'));
      });
    });
    return {};
  },
});

const fail = defineOperation({
  name: 'proof_fail',
  area: 'proof',
  title: 'Fail',
  summary: 'Fails with the reason that it is given.',
  input: z.object({ reason: z.string() }),
  output: z.object({}),
  annotations: READ_ONLY,
  defaultTimeout: 10,
  positional: ['reason'],
  run: ({ reason }) => {
    if (!isReason(reason)) return Promise.reject(new Error('A failure without a reason.'));
    return Promise.reject(
      new QuodError(reason, `It failed with ${reason}.`, {
        place: { file: 'a.v', position: { line: 3, column: 5 } },
        remedy: 'Do something else.',
      }),
    );
  },
});

function isReason(text: string): text is ReasonCode {
  return text in REASON_CODES;
}

export const SAMPLE_OPERATIONS: readonly AnyOperation[] = [describe, scalars, note, wait, fail];
