import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHol4 } from '../../provers/hol4/discovery.ts';
import { operationNamed } from '../catalogue.ts';
import { type Caller, openCaller } from '../testing/caller.ts';
import { HOL4_OPERATIONS } from './hol4-operations.ts';

describe('the operations on HOL4', () => {
  it.each([
    ['hol_start', ['workdir', 'name'], ['session', 'workdir', 'found', 'version']],
    ['hol_sessions', [], ['sessions']],
    ['hol_attach', ['session'], ['session', 'workdir', 'file', 'commands', 'proof']],
    ['hol_stop', ['session'], ['session', 'stopped']],
    [
      'hol_send',
      ['session', 'command', 'timeout'],
      ['status', 'output', 'error', 'warnings', 'proof', 'seconds'],
    ],
    ['hol_proof_state', ['session'], ['kind', 'proved', 'goals', 'initial_goal', 'theorem']],
    ['hol_interrupt', ['session'], ['session', 'interrupted']],
    ['holmake', ['workdir', 'target'], ['status', 'exit_code', 'theories', 'output']],
    ['hol_cursor_init', ['session', 'file'], ['file', 'current', 'remaining', 'filled']],
    ['hol_cursor_status', ['session'], ['file', 'current', 'remaining', 'filled']],
    ['hol_cursor_start', ['session'], ['theorem', 'proof']],
    ['hol_cursor_complete', ['session'], ['theorem', 'proof', 'current', 'remaining']],
  ])('%s takes and answers what clients of the first HOL server know', (name, parameters, fields) => {
    const operation = operationNamed(name);
    expect(Object.keys(operation?.input.shape ?? {})).toEqual(expect.arrayContaining(parameters));
    expect(Object.keys(operation?.output.shape ?? {})).toEqual(expect.arrayContaining(fields));
  });

  it('are all in the catalogue, in the area hol', () => {
    for (const { name, area } of HOL4_OPERATIONS) {
      expect(operationNamed(name)?.area).toBe('hol');
      expect(area).toBe('hol');
    }
  });

  it('refuse what makes no sense, and say what to do', async () => {
    const caller = await openCaller();
    try {
      for (const [name, input, reason] of [
        ['hol_send', { command: '1' }, 'not-found'],
        ['hol_send', { command: '' }, 'invalid-input'],
        ['hol_send', { command: '1', sesion: 'x' }, 'invalid-input'],
        ['hol_send', { command: '1', timeout: -1 }, 'invalid-input'],
        ['hol_proof_state', { session: 'nobody' }, 'not-found'],
        ['hol_stop', { session: 'nobody' }, 'not-found'],
        ['hol_attach', { session: '' }, 'invalid-input'],
        ['hol_cursor_init', { file: 'noneScript.sml' }, 'not-found'],
        ['hol_cursor_init', { file: '../../etc/passwd' }, 'outside-workspace'],
        ['hol_start', { workdir: '/' }, 'outside-workspace'],
        ['holmake', { target: '--no_overlay' }, 'invalid-input'],
        ['hol_tags', { theorems: ['x; y'] }, 'invalid-input'],
      ] as const) {
        const failure = await caller.failure(name, input);
        expect(failure.reason, `${name} ${JSON.stringify(input)}`).toBe(reason);
        expect(failure.text).not.toBe('');
      }
    } finally {
      await caller.close();
    }
  });
});

const SCRIPT = `Theory five
Ancestors list arithmetic

Definition dbl_def:
  dbl n = n + n:num
End

Theorem dbl_even:
  !n. EVEN (dbl n)
Proof
  cheat (* one *)
QED

Theorem and_swap[simp]:
  !p q. p /\\ q ==> q /\\ p
Proof
  cheat
QED

(* cheat in a comment *)
Theorem fine:
  dbl 2 = 4
Proof
  simp[dbl_def]
QED

Triviality len_dbl:
  LENGTH (xs ++ xs) = dbl (LENGTH xs)
Proof
  cheat
QED

val old = store_thm("old",
  “!n. dbl (SUC n) = SUC (SUC (dbl n))”,
  cheat);

Theorem ind:
  !n. dbl n = 2 * n
Proof[exclude_simps = MULT_0]
  cheat
QED
`;

describe.skipIf(findHol4() === undefined)('a HOL4 (skipped without one: set QUOD_HOL4)', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller({ 'fiveScript.sml': SCRIPT });
  });
  afterAll(async () => {
    await caller.close();
  });
  const call = (name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    caller.call(name, input);
  const text = (): Promise<string> => readFile(join(caller.folder, 'fiveScript.sml'), 'utf8');

  it('reports what Holmake hides: cheats, also when everything is built', async () => {
    for (const state of ['built', 'up-to-date']) {
      expect(await call('holmake', { target: 'fiveTheory' })).toMatchObject({
        status: 'cheated',
        exit_code: 0,
        theories: [
          {
            theory: 'five',
            state,
            flagged: expect.arrayContaining([
              expect.objectContaining({ name: 'dbl_even', standing: 'cheated', oracles: ['cheat'], line: 8 }),
              expect.objectContaining({ name: 'old', standing: 'cheated' }),
            ]) as unknown,
            cheats: [11, 17, 30, 35, 40].map((line) => ({ name: 'cheat', line })),
            axioms: [],
            missing: [],
            tampered: false,
          },
        ],
      });
    }
    expect(caller.progress.map(({ message }) => message)).toContain('fiveTheory finished');
  });

  it('fills five cheats through the cursor, and Holmake is clean', async () => {
    expect(await call('hol_start')).toMatchObject({ session: 'default', found: false });
    expect(await call('hol_start', { workdir: '.', name: 'default' })).toMatchObject({ found: true });
    const at = await call('hol_cursor_init', { file: 'fiveScript.sml' });
    expect(at).toMatchObject({
      current: { name: 'dbl_even', line: 8, statement: '!n. EVEN (dbl n)' },
      remaining: ['dbl_even', 'and_swap', 'len_dbl', 'old', 'ind'].map((name) => ({ name })),
      assumed: [],
      other_cheats: [],
    });
    expect((await caller.failure('hol_cursor_complete')).reason).toBe('invalid-input');
    expect(await call('hol_cursor_start')).toMatchObject({
      theorem: 'dbl_even',
      proof: { kind: 'goaltree', proved: false, goals: [{ hypotheses: [], conclusion: '∀n. EVEN (dbl n)' }] },
    });

    // The text of a tactic may lie: only what was executed as text is written.
    await call('hol_send', { command: 'et ("simp[]", cheat)' });
    expect(await call('hol_proof_state')).toMatchObject({ proved: true, goals: [] });
    expect((await caller.failure('hol_cursor_complete')).reason).toBe('not-verified');
    for (const [proof, reason] of [
      ['cheat', 'invalid-input'],
      ['simp[', 'invalid-input'],
      ['simp[]', 'not-verified'],
      ['no_such_tactic', 'not-verified'],
    ])
      expect((await caller.failure('hol_cursor_complete', { proof })).reason).toBe(reason);
    expect(await text()).toBe(SCRIPT);

    await call('hol_send', { command: 'b()' });
    expect(
      await call('hol_send', { command: 'e (strip_tac \\\\ (* x *) rewrite_tac[dbl_def]);' }),
    ).toMatchObject({
      status: 'ok',
      sent: expect.stringContaining('et ("strip_tac') as string,
    });
    await call('hol_send', { command: 'e (simp[EVEN_ADD])' });
    expect(await call('hol_cursor_complete', { unjudged: true })).toMatchObject({
      theorem: 'dbl_even',
      oracles: [],
      filled: ['dbl_even'],
      current: { name: 'and_swap' },
    });

    await call('hol_cursor_start');
    await call('hol_send', {
      command: 'e (rpt gen_tac \\\\ disch_then (fn th => conj_tac \\\\ assume_tac th))',
    });
    const split = await call('hol_send', { command: 'e (gvs[])' });
    expect(split).toMatchObject({ status: 'ok', proof: { goals: [{ conclusion: 'p' }] } });
    const tried = await call('hol_try', { tactics: ['gvs[]', 'ALL_TAC', 'nope', 'cheat', 'FAIL_TAC "x"'] });
    expect((tried['attempts'] as { status: string }[]).map(({ status }) => status)).toEqual([
      'solved',
      'unchanged',
      'failed',
      'solved',
      'failed',
    ]);
    await call('hol_send', { command: 'e (gvs[])' });
    const swapped = await call('hol_cursor_complete', { unjudged: true });
    expect(swapped['proof']).toContain('>- gvs[]\n>- gvs[]');

    expect(await call('hol_cursor_complete', { proof: 'simp[dbl_def]', unjudged: true })).toMatchObject({
      theorem: 'len_dbl',
    });
    expect(await call('hol_cursor_complete', { proof: 'simp[dbl_def]', unjudged: true })).toMatchObject({
      theorem: 'old',
    });
    expect(
      await call('hol_cursor_complete', {
        proof: 'Induct\n>- simp[dbl_def]\n>> simp[dbl_def]',
        unjudged: true,
      }),
    ).toMatchObject({ theorem: 'ind', current: null, remaining: [], oracles: [] });
    expect(await call('hol_cursor_status')).toMatchObject({
      filled: ['dbl_even', 'and_swap', 'len_dbl', 'old', 'ind'],
      proving: false,
    });

    const now = await text();
    expect(now).toContain(
      '(* cheat in a comment *)\nTheorem fine:\n  dbl 2 = 4\nProof\n  simp[dbl_def]\nQED',
    );
    expect(now).toContain(
      'Proof[exclude_simps = MULT_0]\n  Induct\n  >- simp[dbl_def]\n  >> simp[dbl_def]\nQED',
    );
    expect(await call('holmake')).toMatchObject({
      status: 'clean',
      exit_code: 0,
      theories: [{ theory: 'five', state: 'built', flagged: [], cheats: [], missing: [] }],
    });
  });

  it('shows the goals at any place of a proof, and where a proof breaks', async () => {
    const lines = (await text()).split('\n');
    const line = lines.indexOf('  Induct') + 1;
    expect(await call('hol_state_at', { file: 'fiveScript.sml', line, column: 4 })).toMatchObject({
      kind: 'goals',
      theorem: 'ind',
      goals: [{ conclusion: '∀n. dbl n = 2 * n' }],
      step: 0,
    });
    expect(await call('hol_state_at', { file: 'fiveScript.sml', line: line + 1, column: 6 })).toMatchObject({
      goals: [{ hypotheses: [], conclusion: 'dbl 0 = 2 * 0' }],
      unfocused: 1,
      step: 2,
    });
    expect(await call('hol_state_at', { file: 'fiveScript.sml', line: line + 2, column: 2 })).toMatchObject({
      goals: [{ hypotheses: [{ name: '0', type: 'dbl n = 2 * n' }], conclusion: 'dbl (SUC n) = 2 * SUC n' }],
    });
    const attempts = await call('hol_try', {
      file: 'fiveScript.sml',
      line: line + 2,
      column: 2,
      tactics: ['simp[dbl_def]', 'FAIL_TAC "no"'],
    });
    expect(attempts).toMatchObject({ attempts: [{ status: 'solved' }, { status: 'failed' }] });
    await caller.write(
      'brokenScript.sml',
      `Theory broken\n\nTheorem b:\n  p /\\ T\nProof\n  conj_tac >- FAIL_TAC "here" >> simp[]\nQED\n`,
    );
    expect(await call('hol_state_at', { file: 'brokenScript.sml', line: 7, column: 0 })).toMatchObject({
      kind: 'broken',
      failure: { line: 6, column: 14, tactic: 'FAIL_TAC "here"', message: 'Tactical.FAIL_TAC: here' },
      goals: [{ conclusion: 'p' }],
    });
    expect(await call('hol_state_at', { file: 'brokenScript.sml', line: 1 })).toMatchObject({
      kind: 'outside',
    });
    expect(await call('holmake', { target: 'brokenTheory' })).toMatchObject({
      status: 'failed',
      theories: expect.arrayContaining([
        expect.objectContaining({
          theory: 'broken',
          state: 'failed',
          failure: expect.objectContaining({
            theorem: 'b',
            line: 6,
            column: 14,
            tactic: 'FAIL_TAC "here"',
            goals: [{ hypotheses: [], conclusion: 'p' }],
          }) as unknown,
        }),
      ]) as unknown,
    });
  });

  it('searches, and says what theorems rest on', async () => {
    expect(await call('hol_search', { query: 'LENGTH_APPEND', limit: 2 })).toMatchObject({
      results: [
        {
          theory: 'list',
          name: 'LENGTH_APPEND',
          statement: '∀l1 l2. LENGTH (l1 ⧺ l2) = LENGTH l1 + LENGTH l2',
        },
        {},
      ],
    });
    const matched = await call('hol_search', { query: 'LENGTH (a ++ b)', by: 'match' });
    expect(matched['total']).toBeGreaterThan(0);
    await call('hol_send', {
      command: 'val wrong = prove(“F”, cheat) val other = CONJ wrong TRUTH val hyps = ASSUME “p:bool”',
    });
    expect(
      await call('hol_tags', { theorems: ['wrong', 'other', 'hyps', 'listTheory.LENGTH_APPEND'] }),
    ).toMatchObject({
      theorems: [
        { name: 'wrong', oracles: ['cheat'] },
        { name: 'other', oracles: ['cheat'] },
        { name: 'hyps', oracles: [], hypotheses: ['p'] },
        { oracles: [], hypotheses: [] },
      ],
      axioms: ['bool$SELECT_AX', 'bool$INFINITY_AX', 'bool$ETA_AX', 'bool$BOOL_CASES_AX'],
    });
  });

  it('stops a command that loops, at its timeout and when somebody asks, and the session goes on', async () => {
    await call('hol_send', { command: 'val kept = 42; fun loop () : int = loop ()' });
    expect(await call('hol_send', { command: 'loop ()', timeout: 1 })).toMatchObject({ status: 'timeout' });
    const running = call('hol_send', { command: 'loop ()', timeout: 60 });
    let stopped = false;
    while (!stopped) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      stopped = (await call('hol_interrupt'))['interrupted'] === true;
    }
    expect(await running).toMatchObject({ status: 'interrupted' });
    expect(await call('hol_interrupt')).toMatchObject({ interrupted: false });
    expect(await call('hol_send', { command: 'kept' })).toMatchObject({
      status: 'ok',
      output: 'val it = 42: int',
    });
  });

  it('brings a session back when its HOL dies, with all that was executed', async () => {
    expect(await call('hol_send', { command: 'OS.Process.exit OS.Process.failure : unit' })).toMatchObject({
      status: 'lost',
      recovery: { failed_at: null },
    });
    expect(await call('hol_send', { command: '(kept, concl wrong)' })).toMatchObject({
      status: 'ok',
      output: 'val it = (42, “F”): int * term',
    });
  });

  it('survives SIGINT at random moments', async () => {
    expect(await call('hol_sessions')).toMatchObject({
      sessions: [{ session: 'default', held: 'by-you', busy: false }],
    });
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const sent = call('hol_send', {
        command: `List.tabulate (${attempt * 3000}, fn i => i * i); kept`,
        timeout: 30,
      });
      await new Promise((resolve) => setTimeout(resolve, (attempt * 7) % 23));
      await call('hol_interrupt');
      expect(['ok', 'interrupted', 'exception']).toContain((await sent)['status']);
    }
    expect(await call('hol_send', { command: 'kept' })).toMatchObject({
      status: 'ok',
      output: 'val it = 42: int',
    });
  });

  it('hands a session over when its client has gone', async () => {
    expect((await caller.failure('hol_send', { command: 'kept' }, { client: 'the next' })).reason).toBe(
      'not-found',
    );
    expect((await caller.failure('hol_attach', {}, { client: 'the next' })).reason).toBe('invalid-input');
    await caller.services.clientGone('a client');
    expect(await caller.call('hol_attach', {}, { client: 'the next' })).toMatchObject({ session: 'default' });
    expect(await caller.call('hol_send', { command: 'kept' }, { client: 'the next' })).toMatchObject({
      output: 'val it = 42: int',
    });
    expect(await caller.call('hol_stop', {}, { client: 'the next' })).toEqual({
      session: 'default',
      stopped: true,
    });
    expect((await caller.failure('hol_send', { command: '1' }, { client: 'the next' })).reason).toBe(
      'not-found',
    );
  });

  it('names what a file needs and cannot be found', async () => {
    await call('hol_start', { name: 'other' });
    await caller.write(
      'needyScript.sml',
      'Theory needy\nAncestors no_such\n\nTheorem x: T\nProof cheat\nQED\n',
    );
    const missing = await caller.failure('hol_cursor_init', { session: 'other', file: 'needyScript.sml' });
    expect(missing).toMatchObject({ reason: 'library-missing' });
    expect(missing.text).toContain('no_such');
    await caller.write('openScript.sml', 'Theory open\nTheorem x: T\nProof cheat\n');
    expect(
      (await caller.failure('hol_cursor_init', { session: 'other', file: 'openScript.sml' })).reason,
    ).toBe('invalid-input');
  });

  it('gets past a proof that fails, and says so', async () => {
    await caller.write(
      'pastScript.sml',
      'Theory past\n\nTheorem fails: (p:bool) = q\nProof simp[]\nQED\n\nTheorem hole: T\nProof cheat\nQED\n',
    );
    expect(await call('hol_cursor_init', { session: 'other', file: 'pastScript.sml' })).toMatchObject({
      current: { name: 'hole' },
      assumed: [{ name: 'fails', why: expect.stringContaining('unsolved') as string }],
    });
    await caller.write('pastScript.sml', 'Theory past\n\nTheorem hole: T\nProof cheat\nQED\n');
    expect((await caller.failure('hol_cursor_complete', { session: 'other', proof: 'simp[]' })).reason).toBe(
      'file-changed',
    );
  });
});
