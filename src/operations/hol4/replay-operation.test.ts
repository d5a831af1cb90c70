/** Exported proofs by a call: what is accepted, what is not, and what cannot be told. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixturePath } from '../../gate/hol4/testing/recorded-traces.ts';
import { bool, constant, TraceWriter } from '../../gate/hol4/testing/trace-writer.ts';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const BASE = ['one', 'num', 'bool', 'sat', 'combin', 'marker'];
let caller: Caller;
const fileOf = (name: string): string => basename(fixturePath(name));
beforeAll(async () => {
  caller = await openCaller();
  for (const name of BASE) copyFileSync(fixturePath(name), join(caller.folder, fileOf(name)));
});
afterAll(() => caller.close());

it('accepts what the kernel replays, in the order of the parents', async () => {
  const answer = await operations.hol_replay.answer({ files: BASE.map(fileOf) }, caller.context());
  expect(answer.value).toMatchObject({ verdict: 'accepted', findings: [], reason: null });
  expect(answer.value.files.map(({ theory }) => theory)[0]).toBe('bool');
  expect(answer.value.files.map(({ file }) => file).sort()).toEqual(BASE.map(fileOf).sort());
  expect(answer.holds()).toBe(true);
  expect(answer.text()).toMatch(/\naccepted: .* nothing is believed but the axioms above$/u);
});

it('rejects a theorem that was only asserted, and says where', async () => {
  const writer = new TraceWriter('mine');
  writer.declareConstant('c', bool);
  const statement = constant('mine$c', bool);
  const { number } = writer.step('AXIOM', statement);
  writer.line(`named asserted T ${number} [] [] ${writer.term(statement)}`);
  writeFileSync(join(caller.folder, 'mine.prf'), writer.bytes());
  const files = [fileOf('bool'), 'mine.prf'];
  const answer = await operations.hol_replay.answer({ files }, caller.context());
  expect(answer.value).toMatchObject({ verdict: 'rejected', reason: null });
  expect(answer.value.findings[0]).toMatchObject({ code: 'unproved-statement', file: 'mine.prf' });
  expect(answer.holds()).toBe(false);
  expect(answer.text()).toMatch(/^mine\.prf.* \[unproved-statement\]$/mu);
});

it('cannot tell without the theories below', async () => {
  const answer = await operations.hol_replay.answer({ files: [fileOf('sat')] }, caller.context());
  expect(answer.value).toMatchObject({ verdict: 'unknown' });
  expect(answer.holds()).toBeUndefined();
});

it('cannot tell of an export that holds no theorem', async () => {
  const steps = [
    '{"cmd":"PFT","version":1,"ruleset":"hol4"}',
    '{"cmd":"LIMITS","n_ty":0,"n_tm":0,"n_th":0,"n_ci":0}',
  ];
  writeFileSync(join(caller.folder, 'empty.pft'), steps.join('\n'));
  const answer = await operations.hol_replay.answer({ files: ['empty.pft'] }, caller.context());
  expect(answer.value).toMatchObject({ verdict: 'unknown', reason: 'invalid-input' });
  expect(answer.value.message).toContain('no theorem');
  expect(answer.holds()).toBeUndefined();
});
