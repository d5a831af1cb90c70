/**
 * What an operation costs beside its work: `npx node bench/operation-call.ts`. One that does nothing is called from
 * this process and at the border, in turns, so that a loaded machine slows both.
 */
import { z } from 'zod';
import { defineOperation, type OperationContext } from '../src/operations/definition/operation.ts';
import { Services } from '../src/operations/definition/services.ts';
import { Workspace } from '../src/operations/definition/workspace.ts';

const CALLS = 20_000;
const ROUNDS = 9;

/** Of the shape of `rocq_about`: a name, a place, a page of an answer. */
const nothing = defineOperation({
  name: 'bench_nothing',
  area: 'rocq',
  title: 'Nothing',
  summary: 'Does nothing.',
  input: z.object({
    name: z.string().regex(/^\w+$/u),
    session_id: z.string().optional(),
    from: z.string().optional(),
    file: z.string().optional(),
    theorem: z.string().optional(),
    line: z.int().positive().optional(),
    column: z.int().nonnegative().optional(),
    offset: z.int().nonnegative().default(0),
    limit: z.int().positive().max(1000).default(50),
    max_characters: z.int().positive().max(1_000_000).default(8000),
  }),
  output: z.object({ results: z.array(z.string()), total: z.int(), cut: z.boolean() }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 10,
  run: ({ name }) => Promise.resolve({ results: [name], total: 1, cut: false }),
});

const context: OperationContext = {
  workspace: await Workspace.openFrom('.'),
  client: 'bench',
  signal: new AbortController().signal,
  services: new Services({ sessionIdleMs: 1000, maximumSessions: 1, proverMemory: 1 }),
  progress: () => undefined,
};
const input = { session_id: 's', name: 'plus' };

async function microseconds(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < CALLS; count += 1) await call();
  return ((performance.now() - started) * 1000) / CALLS;
}

const figures = { inside: [] as number[], border: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  figures.inside.push(await microseconds(() => nothing.call(input, context)));
  figures.border.push(await microseconds(() => nothing.answer(input, context)));
}
for (const [name, values] of Object.entries(figures)) {
  const sorted = values.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(ROUNDS / 2)];
  console.log(
    `${name}: ${median?.toFixed(1) ?? 'nothing'} µs a call (median of ${ROUNDS} rounds of ${CALLS})`,
  );
}
