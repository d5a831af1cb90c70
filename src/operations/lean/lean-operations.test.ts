/** The operations on Lean, and the gate's own on Lean files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Build, openStatement, proved } from '../../gate/lean/judge/testing/attack.ts';
import { ModuleBuilder } from '../../gate/lean/judge/testing/module-builder.ts';
import { smallLibrary } from '../../gate/lean/judge/testing/small-library.ts';
import { writtenExport } from '../../gate/lean/testing/written-export.ts';
import { type Caller, openCaller } from '../testing/caller.ts';

const STATEMENT = '∀ (n : Nat), Eq.{1} Nat n n';
const PROOF = 'fun (n : Nat) => Eq.refl.{1} Nat n';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({
    'good.ndjson': writtenExport([['theorem', 't', STATEMENT, PROOF]]),
    'cut.ndjson': writtenExport(
      [['theorem', 't', STATEMENT, PROOF]],
      [{ kind: 'cut-before', declaration: 't' }],
    ),
    'sorry.ndjson': writtenExport([['theorem', 't', STATEMENT, `sorryAx.{0} (${STATEMENT}) Bool.false`]]),
  });
  const library = smallLibrary();
  const write = (name: string, build: Build): void => {
    const module = new ModuleBuilder(['Init'], [library]);
    build(module);
    writeFileSync(join(caller.folder, `${name}.olean`), module.bytes());
  };
  writeFileSync(join(caller.folder, 'Init.olean'), library.bytes());
  write('target', openStatement);
  write('good', proved);
  write('axiom', (m) => {
    m.axiom('ax', STATEMENT);
    m.theorem('t', STATEMENT, 'ax');
  });
  mkdirSync(join(caller.folder, 'sub'));
});
afterAll(() => caller.close());

describe('lean_verify', () => {
  const verify = (submission: string, more: Record<string, unknown> = {}) =>
    caller.call('lean_verify', { target: 'target.olean', submission, ...more });

  it('accepts with the statement, its axioms and what was judged', async () => {
    expect(await verify('good.olean')).toMatchObject({
      verdict: 'accepted',
      statements: [{ name: 't', type: STATEMENT, assumptions: [] }],
      findings: [],
      files: [{ path: 'target.olean' }, { path: 'good.olean' }],
      checked_modules: 0,
      trusted_modules: 1,
      judged_by: expect.stringContaining("Quod's kernel") as unknown,
    });
  });

  it('rejects with findings, and takes the policy from its fields', async () => {
    expect(await verify('target.olean')).toMatchObject({
      verdict: 'rejected',
      findings: [{ kind: 'admitted' }],
    });
    expect(await verify('axiom.olean')).toMatchObject({
      verdict: 'rejected',
      findings: [{ kind: 'new-axiom' }],
    });
    expect(await verify('axiom.olean', { allow_axiom: ['ax'] })).toMatchObject({
      verdict: 'accepted',
      statements: [{ assumptions: ['ax'] }],
      remarks: [expect.stringContaining('ax') as unknown],
    });
    await caller.write('policy.toml', 'helperLemmas = false\n[lean]\nfresh = true\n');
    expect(await verify('axiom.olean', { allow_axiom: ['ax'], policy: 'policy.toml' })).toMatchObject({
      verdict: 'rejected',
      findings: [{ kind: 'helper-not-allowed', subject: 'ax' }],
      checked_modules: 1,
    });
  });

  it('cannot tell, and says why', async () => {
    expect(await verify('good.olean', { theorem: ['other'] })).toMatchObject({
      verdict: 'unknown',
      reason: 'invalid-input',
    });
    await caller.write('text.olean', 'no module');
    expect(await verify('text.olean')).toMatchObject({ verdict: 'unknown', reason: 'file-unreadable' });
    await caller.write('pins.toml', `[dependencies]\nInit = "sha256:${'0'.repeat(64)}"\n`);
    expect(await verify('good.olean', { policy: 'pins.toml' })).toMatchObject({
      verdict: 'unknown',
      reason: 'unsupported',
    });
  });

  it('does not leave the workspace', async () => {
    expect(
      await caller.failure('lean_verify', { target: '../x.olean', submission: 'good.olean' }),
    ).toMatchObject({
      reason: 'outside-workspace',
    });
    expect(
      await caller.failure('lean_verify', {
        target: 'target.olean',
        submission: 'good.olean',
        search_path: ['/etc'],
      }),
    ).toMatchObject({ reason: 'outside-workspace' });
  });
});

it('gate_verify judges Lean, too', async () => {
  expect(
    await caller.call('gate_verify', { target: 'target.olean', submission: 'good.olean' }),
  ).toMatchObject({ verdict: 'accepted', statements: [{ name: 't', assumptions: [] }] });
  expect(
    await caller.call('gate_verify', { target: 'target.olean', submission: 'axiom.olean' }),
  ).toMatchObject({ verdict: 'rejected' });
});

describe('lean_check', () => {
  it('checks exports, and what must be in them', async () => {
    expect(await caller.call('lean_check', { file: 'good.ndjson', theorem: ['t'] })).toMatchObject({
      verdict: 'accepted',
      statements: [{ name: 't', level_parameters: [], type: STATEMENT, axioms: [] }],
      declared_axioms: expect.arrayContaining(['sorryAx', 'propext']) as unknown,
      format: '3.1.0',
      exporter: 'quod 0',
    });
    expect(
      await caller.call('lean_check', { file: 'cut.ndjson', theorem: ['t'], target: 'good.ndjson' }),
    ).toMatchObject({ verdict: 'rejected', findings: [{ kind: 'missing', subject: 't' }] });
    expect(await caller.call('lean_check', { file: 'sorry.ndjson' })).toMatchObject({
      verdict: 'rejected',
      findings: [{ kind: 'admitted', subject: 't' }],
    });
  });

  it('checks modules', async () => {
    expect(
      await caller.call('lean_check', { file: 'good.olean', theorem: ['t'], fresh: true }),
    ).toMatchObject({
      verdict: 'accepted',
      statements: [{ name: 't', type: STATEMENT }],
      checked_modules: 1,
    });
    expect(await caller.call('lean_check', { file: 'axiom.olean' })).toMatchObject({
      verdict: 'rejected',
      findings: [{ kind: 'new-axiom', subject: 't' }],
    });
    expect(await caller.call('lean_check', { file: 'axiom.olean', any_axiom: true })).toMatchObject({
      verdict: 'accepted',
      allowed_by_name: [{ name: 'ax', type: STATEMENT }],
    });
  });
});

describe('lean_show', () => {
  it('shows one constant, or what the file declares', async () => {
    expect(await caller.call('lean_show', { file: 'axiom.olean', name: 't' })).toMatchObject({
      declarations: [{ kind: 'theorem', name: 't', type: STATEMENT, value: 'ax', axioms: ['ax'] }],
      total: 2,
    });
    const all = await caller.call('lean_show', { file: 'sorry.ndjson', limit: 5 });
    expect(all['declarations']).toHaveLength(5);
    expect(await caller.call('lean_show', { file: 'sorry.ndjson', name: 't' })).toMatchObject({
      declarations: [{ axioms: ['sorryAx'] }],
    });
    expect(await caller.failure('lean_show', { file: 'good.olean', name: 'none' })).toMatchObject({
      reason: 'not-found',
    });
  });
});
