/** On what a recorded proof rests: in what is shown, answered and exported of a run. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../agent/runs/events.ts';
import { RunLog, runsFolder } from '../../agent/runs/run-log.ts';
import { mergeSettings } from '../../agent/settings.ts';
import { operationNamed } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;
beforeEach(async () => {
  caller = await openCaller();
});
afterEach(() => caller.close());

const UNCHECKED = 'loop is assumed to be guarded.';

function proved(
  theorem: string,
  rests: Pick<RunEvent & { kind: 'theorem-ended' }, 'restsOnOpen' | 'grounds'>,
) {
  const proof = 'Proof. exact I. Qed.';
  const outcome = rests.restsOnOpen.length === 0 ? 'proved' : 'proved-but';
  const ended = {
    kind: 'theorem-ended',
    key: theorem,
    theorem,
    outcome,
    proof,
    reason: '',
    found: null,
  } as const;
  return { ...ended, ...rests };
}

function record(): void {
  const theorems = ['classical', 'free', 'resting', 'old', 'open'];
  const events: readonly RunEvent[] = [
    {
      ...{ kind: 'run-started', format: 1, quod: 'test', file: '/a.v', fileHash: '' },
      ...{ theorems, files: [], task: null, settings: mergeSettings() },
    },
    proved('classical', {
      restsOnOpen: [],
      grounds: { axioms: ['Classical_Prop.classic', UNCHECKED], warnings: ['No sandbox was used.'] },
    }),
    proved('free', { restsOnOpen: [], grounds: { axioms: [], warnings: [] } }),
    proved('resting', { restsOnOpen: ['helper'], grounds: { axioms: [], warnings: [] } }),
    proved('old', { restsOnOpen: [], grounds: undefined }),
  ];
  recordAll(events);
}

function recordAll(events: readonly RunEvent[]): void {
  const log = RunLog.create(runsFolder(caller.folder));
  for (const event of events) log.append(event);
  log.close();
}

const GROUNDS = [
  {
    theorem: 'classical',
    rests_on_open: [],
    axioms: ['Classical_Prop.classic', UNCHECKED],
    warnings: ['No sandbox was used.'],
  },
  { theorem: 'free', rests_on_open: [], axioms: [], warnings: [] },
  { theorem: 'resting', rests_on_open: ['helper'], axioms: [], warnings: [] },
  { theorem: 'old', rests_on_open: [], axioms: null },
  { theorem: 'open', proof: null, rests_on_open: [], axioms: null },
];

it('is in the answers', async () => {
  record();
  expect(await caller.call('agent_show', { run: 'last' })).toMatchObject({ results: GROUNDS });
  expect(await caller.call('agent_events', { run: 'last' })).toMatchObject({ theorems: GROUNDS });
});

it('has the file of each theorem, and the lemmas that its proof uses', async () => {
  const before = 'Local Lemma helper : True.\nProof. exact I. Qed.';
  const { folder } = caller;
  const files = ['a.v', 'b.v'].map((file) => ({
    ...{ file: join(folder, file), fileHash: '', text: '' },
    theorems: [file.replace('.v', '')],
  }));
  recordAll([
    {
      ...{ kind: 'run-started', format: 1, quod: 'test', file: join(folder, 'a.v'), fileHash: '' },
      ...{ theorems: ['a', 'b'], files, task: null, settings: mergeSettings() },
    },
    proved('a', { restsOnOpen: [], grounds: undefined }),
    { ...proved('b', { restsOnOpen: [], grounds: undefined }), before },
  ]);
  const found = [
    { theorem: 'a', file: 'a.v', before: null },
    { theorem: 'b', file: 'b.v', before },
  ];
  expect(await caller.call('agent_show', { run: 'last' })).toMatchObject({ results: found });
  expect(await caller.call('agent_events', { run: 'last' })).toMatchObject({ theorems: found });
  const body = (await operationNamed('agent_show')?.answer({ run: 'last' }, caller.context()))?.body();
  expect(body).toContain(`${before}\n\nProof. exact I. Qed.`);
});

it.each(['agent_show', 'agent_export'])('is said for people by %s', async (name) => {
  record();
  const body = (await operationNamed(name)?.answer({ run: 'last' }, caller.context()))?.body() ?? '';
  const of = (theorem: string): string =>
    body.slice(body.lastIndexOf(`${theorem}: recorded as`)).split('Lemma')[0] ?? '';
  expect(of('classical')).toContain('Classical_Prop.classic');
  expect(of('classical')).toContain('loop is assumed to be guarded');
  expect(of('classical')).toContain('No sandbox was used.');
  expect(of('free')).toMatch(/rests on no axiom/u);
  expect(of('resting')).toMatch(/open.*helper/u);
  expect(of('old')).toMatch(/the log does not say/iu);
  expect(of('open: recorded as open')).not.toMatch(/rests/u);
});
