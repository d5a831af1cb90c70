/** Every tool, parameter and result field of the F* operations, over a real F* or over the recording of one. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { useTestFstar } from '../../provers/fstar/testing/fstar-program.ts';
import { type Caller, openCaller } from '../testing/caller.ts';
import { fstarAudit } from './audit-operation.ts';
import { FSTAR_MCP_OPERATIONS } from './fstar-operations.ts';

const CODE = 'module Demo\nlet rec f (n:nat) : nat = if n = 0 then 0 else 1 + f (n-1)\n';
const BAD = 'let three () : Lemma (f 3 == 4) = ()\n';
const GOOD = 'let three () : Lemma (f 3 == 3) = ()\n';

const real = locateFstar();
const environment = { ...process.env };

let caller: Caller;

/** A folder with files and an F* of its own: the real one, recorded or not, or one that plays the recording `name`. */
async function open(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  caller = await openCaller(files);
  await useTestFstar(caller.folder, name, real);
}

beforeEach(() => {
  process.env = { ...environment };
});
afterEach(() => caller.close());
afterAll(() => {
  process.env = environment;
});

const shape = (answer: Record<string, unknown>): readonly string[] =>
  (answer['fragments'] as readonly { names: string[]; status: string; cached: boolean }[]).map(
    ({ names, status, cached }) => `${names.join()}:${status}${cached ? ' kept' : ''}`,
  );

describe('the eight operations of the seed', () => {
  it('repair a file from its opening to its closing', async () => {
    await open('operations-repair', { 'Demo.fst': CODE + BAD });
    const created = await caller.call('fstar_create_session', {
      file_path: 'Demo.fst',
      include_dirs: ['.'],
      options: ['--z3rlimit', '10'],
    });
    expect(created).toMatchObject({
      session_id: expect.any(String) as string,
      status: 'error',
      created_at: expect.stringMatching(/^\d{4}-/) as string,
      file_path: 'Demo.fst',
      counterpart: null,
      settings_from: null,
      protocol_version: 2,
      rests_on: { prover: 'fstar', backend: 'ide-2', file: 'Demo.fst', stale: [] },
    });
    expect(shape(created)).toEqual(['Demo:ok', 'f:ok', 'three:failed']);
    const diagnostics = created['diagnostics'] as readonly {
      level: string;
      range: unknown;
      number: unknown;
    }[];
    expect(diagnostics.find(({ level }) => level === 'error')).toMatchObject({
      number: null,
      range: { file: 'Demo.fst', start_line: 3 },
    });
    const { session_id } = created;

    const repaired = await caller.call('fstar_typecheck_buffer', { session_id, code: CODE + GOOD });
    expect(repaired).toMatchObject({ status: 'ok', reason: null, kind: 'full', escapes: [], generation: 0 });
    expect(shape(repaired)).toEqual(['Demo:ok kept', 'f:ok kept', 'three:ok']);

    const position = { session_id, code: CODE + GOOD, kind: 'verify-to-position', to_line: 1, to_column: 0 };
    expect(shape(await caller.call('fstar_typecheck_buffer', position))).toEqual([
      'Demo:ok kept',
      'f:not-checked',
      'three:not-checked',
    ]);
    const lax = await caller.call('fstar_typecheck_buffer', {
      session_id,
      code: CODE + BAD,
      lax: true,
      kind: 'full',
    });
    expect(lax).toMatchObject({ status: 'ok', kind: 'lax' });
    expect(shape(lax)).toEqual(['Demo:ok kept', 'f:lax-ok', 'three:lax-ok']);
    const admitted = await caller.call('fstar_typecheck_buffer', {
      session_id,
      code: `${CODE}let g () : Lemma False = admit ()\n`,
      kind: 'lax',
    });
    expect(admitted).toMatchObject({
      status: 'ok',
      escapes: [{ line: 3, column: 25, kind: 'admit', text: 'admit' }],
    });

    expect(
      await caller.call('fstar_lookup_symbol', {
        session_id,
        file_path: 'Demo.fst',
        line: 2,
        column: 8,
        symbol: 'f',
      }),
    ).toMatchObject({
      kind: 'symbol',
      name: 'Demo.f',
      type_info: expect.stringContaining('nat') as string,
      documentation: null,
      definition: expect.any(String) as string,
      defined_at: { file: 'Demo.fst', start_line: 2, start_column: 8, end_line: 2, end_column: 9 },
      message: null,
    });
    expect(
      await caller.call('fstar_lookup_symbol', {
        session_id,
        file_path: 'Demo.fst',
        line: 2,
        column: 0,
        symbol: 'zz',
      }),
    ).toMatchObject({ kind: 'not_found', name: 'zz', defined_at: null });
    expect(
      await caller.call('fstar_update_buffer', {
        session_id,
        file_path: 'Helper.fst',
        contents: 'module Helper\n',
      }),
    ).toEqual({
      status: 'ok',
    });
    expect(await caller.call('fstar_get_proof_context', { session_id })).toEqual({
      found: false,
      line: null,
      proof_state: null,
      count: 0,
      proof_states: [],
    });
    expect(await caller.call('fstar_get_proof_context', { session_id, line: 2 })).toMatchObject({
      found: false,
      line: 2,
    });
    expect(await caller.call('fstar_list_sessions')).toMatchObject({
      count: 1,
      sessions: [
        {
          session_id,
          file_path: 'Demo.fst',
          status: 'ok',
          generation: 0,
          idle_seconds: expect.any(Number) as number,
        },
      ],
    });
    expect(await caller.call('fstar_goals_at', { session_id, line: 3, column: 4 })).toMatchObject({
      kind: 'declaration',
      declaration: ['g'],
      statement: 'let g () : Lemma False',
    });
    expect(await caller.call('fstar_restart_solver', { session_id })).toEqual({
      status: 'ok',
      restarted: 'process',
    });
    expect(await caller.call('fstar_close_session', { session_id })).toEqual({ status: 'ok' });
    expect(await caller.failure('fstar_close_session', { session_id })).toMatchObject({
      reason: 'stale-state',
    });
    expect(await caller.call('fstar_list_sessions')).toEqual({ sessions: [], count: 0 });
  });

  it('open a scratch file, and replace the session of the same file', async () => {
    await open('operations-scratch', { 'Demo.fst': CODE });
    const first = await caller.call('fstar_create_session', { file_path: 'Demo.fst' });
    const second = await caller.call('fstar_create_session', { file_path: 'Demo.fst' });
    expect(
      await caller.failure('fstar_typecheck_buffer', { session_id: first['session_id'], code: CODE }),
    ).toMatchObject({
      reason: 'stale-state',
    });
    expect(await caller.call('fstar_list_sessions')).toMatchObject({
      count: 1,
      sessions: [{ session_id: second['session_id'] }],
    });
    expect(await caller.call('fstar_list_sessions', {}, { client: 'another' })).toEqual({
      sessions: [],
      count: 0,
    });
    expect(
      await caller.failure(
        'fstar_close_session',
        { session_id: second['session_id'] },
        { client: 'another' },
      ),
    ).toMatchObject({
      reason: 'not-found',
    });
    await caller.services.clientGone('a client');
    expect(await caller.call('fstar_list_sessions')).toMatchObject({ count: 0 });
  });

  it('check an implementation against its interface', async () => {
    await open('operations-pair', {
      'Pair.fst': 'module Pair\nlet f (x:int) : int = x\nlet h = 1\n',
      'Pair.fsti': 'module Pair\nval f : int -> Tot int\n',
    });
    const created = await caller.call('fstar_create_session', { file_path: 'Pair.fst' });
    expect(created).toMatchObject({ status: 'ok', counterpart: 'Pair.fsti' });
    expect(shape(created)).toEqual(['Pair:ok', 'f:ok', 'h:ok']);
  });

  it('have the names of fstar-mcp for its clients', async () => {
    await open('operations-none', {});
    expect(FSTAR_MCP_OPERATIONS.map(({ name }) => name)).toEqual([
      'create_session',
      'list_sessions',
      'typecheck_buffer',
      'update_buffer',
      'lookup_symbol',
      'get_proof_context',
      'restart_solver',
      'close_session',
    ]);
  });

  it('say of a buffer that is not taken that its status is an error, as fstar-mcp does', async () => {
    await open('operations-none', {});
    const update = FSTAR_MCP_OPERATIONS.find(({ name }) => name === 'update_buffer');
    const input = { session_id: 'none', file_path: 'Demo.fst', contents: '' };
    expect((await update?.answer(input, caller.context()))?.value).toEqual({
      status: 'error',
      error: expect.stringContaining('none') as unknown,
    });
  });
});

describe('beyond them', () => {
  it('an outline needs no F*', async () => {
    await open('operations-none', {
      'Pair.fst': 'module Pair\nlet f = 1\nval g : int\n',
      'Pair.fsti': 'module Pair\nval f : int\nval h : int\n',
    });
    expect(await caller.call('fstar_outline', { file_path: 'Pair.fsti' })).toMatchObject({
      count: 3,
      counterpart: 'Pair.fst',
      declarations: [
        { kind: 'module' },
        {
          kind: 'val',
          names: ['f'],
          defined: true,
          signature: 'val f : int',
          start_line: 2,
          start_column: 0,
        },
        { kind: 'val', names: ['h'], defined: false },
      ],
    });
  });

  it('an audit judges options by their effect', async () => {
    await open('operations-audit', {
      'Esc.fst':
        'module Esc\n#push-options "--admit_smt_queries true"\nlet a () : Lemma (1 == 2) = ()\nlet b () : Lemma (1 == 1) = ()\n#pop-options\nlet c () : Lemma False = admit ()\nval d : int\n',
    });
    const audit = await caller.call('fstar_audit', { file_path: 'Esc.fst' });
    expect(audit).toMatchObject({
      verdict: 'unsound',
      judged: true,
      hidden_failures: ['a'],
      failing: [],
      files: ['Esc.fst'],
    });
    const findings = audit['findings'] as readonly { kind: string; line: number; affects: string[] }[];
    expect(findings.map(({ kind, line }) => [kind, line])).toEqual(
      expect.arrayContaining([
        ['option', 2],
        ['admit', 6],
        ['val-without-definition', 7],
      ]),
    );
    expect(findings.find(({ kind }) => kind === 'option')?.affects).toEqual(['a', 'b']);
    const read = await caller.call('fstar_audit', { file_path: 'Esc.fst', judge: false });
    expect(read).toMatchObject({
      judged: false,
      hidden_failures: [],
      not_judged_because: expect.any(String) as string,
    });
  });

  it('an audit follows the project, and names what F* would not prove', async () => {
    await open('operations-none', {
      'A.fst': 'module A\nopen B\nlet x = y\n',
      'B.fst': 'module B\nlet y : squash False = magic ()\n',
    });
    const audit = await caller.call('fstar_audit', { file_path: 'A.fst', judge: false });
    expect(fstarAudit.readAnswer(audit).holds()).toBe(false);
    expect(audit).toMatchObject({
      verdict: 'unsound',
      files: ['A.fst', 'B.fst'],
      dependencies: [{ module: 'B', file: 'B.fst', checked: 'missing' }],
    });
    const findings = audit['findings'] as readonly { kind: string; file: string }[];
    expect(findings.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'unchecked-dependency A.fst',
      'magic B.fst',
    ]);
  });

  it('a quake and a profile name what fails and what is slow', async () => {
    await open('operations-measure', { 'Demo.fst': CODE + BAD });
    const quake = await caller.call('fstar_quake', { file_path: 'Demo.fst', runs: 2 });
    expect(quake).toMatchObject({
      runs: [
        { seed: 1, fuel: null },
        { seed: 2, fuel: 0, options: ['--z3seed', '2', '--initial_fuel', '0', '--max_fuel', '8'] },
      ],
      flaky: [],
      failing: ['three'],
      stable: 2,
    });
    const profile = await caller.call('fstar_profile', { file_path: 'Demo.fst', top: 3 });
    const queries = profile['queries'] as readonly { name: string; milliseconds: number }[];
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.map(({ name }) => name)).toContain('Demo.three');
    expect(profile['queries_total']).toBeGreaterThanOrEqual(queries.length);
  });
});

describe('bad input', () => {
  beforeEach(() =>
    open('operations-bad', {
      'Demo.fst': CODE,
      'text.txt': 'x',
      'Bad.fst.config.json': '{"options": "--lax"}',
    }),
  );

  it.each([
    ['fstar_create_session', { file_path: '' }, 'invalid-input'],
    ['fstar_create_session', { file_path: '../Demo.fst' }, 'outside-workspace'],
    ['fstar_create_session', { file_path: 'Missing.fst' }, 'not-found'],
    ['fstar_create_session', { file_path: 'text.txt' }, 'invalid-input'],
    ['fstar_create_session', { file_path: 'Demo.fst' }, 'invalid-input'],
    ['fstar_create_session', { include_dirs: ['/etc'] }, 'outside-workspace'],
    ['fstar_create_session', { fstar_exe: '/bin/true' }, 'outside-workspace'],
    ['fstar_create_session', { cwd: 'no/such/folder' }, 'not-found'],
    ['fstar_create_session', { fstar_exe: 'fstar-absent' }, 'prover-missing'],
    ['fstar_create_session', { fstar_exe: 'sh' }, 'not-allowed'],
    ['fstar_create_session', { fstar_exe: './own.sh' }, 'not-allowed'],
    ['fstar_create_session', { options: ['--smt', './own.sh'] }, 'not-allowed'],
    ['fstar_create_session', { options: ['--include', '/etc'] }, 'outside-workspace'],
    ['fstar_create_session', { file: 'Demo.fst' }, 'invalid-input'],
    ['fstar_typecheck_buffer', { session_id: 'x', code: CODE }, 'not-found'],
    ['fstar_typecheck_buffer', { session_id: 'x' }, 'invalid-input'],
    ['fstar_typecheck_buffer', { session_id: 'x', code: '', kind: 'quick' }, 'invalid-input'],
    [
      'fstar_typecheck_buffer',
      { session_id: 'x', code: '', kind: 'lax-to-position', to_line: 1 },
      'invalid-input',
    ],
    [
      'fstar_typecheck_buffer',
      { session_id: 'x', code: '', kind: 'verify-to-position', to_column: 1 },
      'invalid-input',
    ],
    ['fstar_typecheck_buffer', { session_id: 'x', code: '', to_line: 1, to_column: 0 }, 'invalid-input'],
    [
      'fstar_typecheck_buffer',
      { session_id: 'x', code: '', kind: 'verify-to-position', to_line: 0, to_column: 0 },
      'invalid-input',
    ],
    ['fstar_update_buffer', { session_id: 'x', file_path: '/etc/passwd', contents: '' }, 'outside-workspace'],
    [
      'fstar_lookup_symbol',
      { session_id: 'x', file_path: 'Demo.fst', line: 1, column: -1, symbol: 'f' },
      'invalid-input',
    ],
    ['fstar_goals_at', { session_id: 'x', line: 1, column: 0 }, 'not-found'],
    ['fstar_outline', { file_path: 'Missing.fsti' }, 'not-found'],
    ['fstar_quake', { file_path: 'Demo.fst', runs: 1 }, 'invalid-input'],
    ['fstar_profile', { file_path: 'Demo.fst', top: 0 }, 'invalid-input'],
  ])('%s %j is refused as %s', async (name, input, reason) => {
    expect((await caller.failure(name, input)).reason).toBe(reason);
  });
});
