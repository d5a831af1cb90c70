/** A run as each face tells it: clients read names of operations, people in a terminal commands. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../agent/runs/events.ts';
import { RunLog, runsFolder } from '../../../agent/runs/run-log.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { inCommandWords } from './command-words.ts';
import { openCaller, type Caller } from '../../../operations/testing/caller.ts';
import { operationNamed } from '../../../operations/catalogue.ts';

let caller: Caller;
beforeEach(async () => {
  caller = await openCaller();
});
afterEach(() => caller.close());

const PROOF = 'Proof. exact "`agent_resume`". Qed.';
const EVENTS: readonly RunEvent[] = [
  {
    ...{ kind: 'run-started', format: 1, quod: 'test', file: '/a.v', fileHash: '' },
    ...{ theorems: ['a'], files: [], task: null, settings: mergeSettings() },
  },
  {
    kind: 'theorem-started',
    key: 'a',
    theorem: 'a',
    statement: 'Lemma a (* `induction`, `model` *) : True.',
  },
  {
    ...{ kind: 'model-failed', key: 'a/1', role: 'executor', model: 'm/n', cost: null, ms: 1, tries: 1 },
    message: 'Use `rocq_step` of `constructor`. Nothing that was paid for is lost: `agent_resume` goes on.',
  },
  {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved', proof: PROOF },
    ...{ reason: 'It used `name` and `rocq_try`', restsOnOpen: [], found: null },
  },
];

it.each(['agent_show', 'agent_events'])('%s names operations, in a terminal commands', async (name) => {
  const log = RunLog.create(runsFolder(caller.folder));
  for (const event of EVENTS) log.append(event);
  log.close();
  const answer = await operationNamed(name)?.answer({ run: 'last' }, caller.context());
  expect(answer?.body()).toContain(
    'm/n failed: Use `rocq_step` of `constructor`. Nothing that was paid for is lost: `agent_resume` goes on.',
  );
  expect(answer?.body()).not.toMatch(/`quod /u);
  expect(answer?.body(inCommandWords)).toContain(
    'm/n failed: Use `rocq_step` of `constructor`. Nothing that was paid for is lost: `quod resume` goes on.',
  );
  expect(answer?.body(inCommandWords)).toContain('`induction`, `model`');
  // A proof is no text of Quod's.
  if (name === 'agent_show') expect(answer?.body(inCommandWords)).toContain(PROOF);
  expect(answer?.body(inCommandWords)).toContain('`name` and `rocq_try`');
});
