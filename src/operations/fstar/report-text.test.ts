/** What people read of F*'s answers in a terminal. */
import { expect, test } from 'vitest';
import { present } from '../../core/entry.ts';
import { operationNamed, type OperationName } from '../catalogue.ts';

const read = (name: OperationName, value: unknown): string =>
  present(operationNamed(name), name).readAnswer(value).body();

const GOAL = { hypotheses: [{ name: 'x', type: 'nat' }], goal: 'x + 0 == x', label: '' };
const STATE = { goals: [GOAL], smt_goals: [] };
const PLACE = { file: 'A.fst', start_line: 3, start_column: 2, end_line: 3, end_column: 9 };

test('goals before and after a step, and a step that fails or is not reached', () => {
  const tactic = { kind: 'tactic', declaration: ['lemma'], step: 'trefl ()', statement: null };
  const answer = { ...tactic, before: STATE, after: { goals: [], smt_goals: [] }, at_failure: null };
  expect(read('fstar_goals_at', { ...answer, diagnostics: [] })).toBe(
    'lemma: trefl ()\n\nBefore:\ngoal 1 of 1\nx : nat\n----\nx + 0 == x\n\nAfter:\nNo goals.',
  );
  const diagnostics = [{ level: 'error', number: 1, message: 'no\n', range: PLACE, related: [] }];
  const failing = { ...answer, before: null, after: null, at_failure: { goals: [], smt_goals: [GOAL] } };
  expect(read('fstar_goals_at', { ...failing, diagnostics })).toBe(
    'lemma: trefl ()\n\nThe step is not reached.\n\nWhere it fails:\nleft to the solver, 1 of 1\nx : nat\n----\nx + 0 == x\n\nA.fst:3:2: error: no',
  );
  const whole = { ...tactic, kind: 'declaration', step: null, statement: 'val lemma : unit', before: null };
  expect(read('fstar_goals_at', { ...whole, after: null, at_failure: null, diagnostics: [] })).toBe(
    'lemma\n\nval lemma : unit',
  );
});

test('states that tactics showed', () => {
  const none = { found: false, line: 4, proof_state: null, count: 0, proof_states: [] };
  expect(read('fstar_get_proof_context', none)).toBe('No tactic showed a state at line 4.');
  const state = { label: 'here', depth: 0, urgency: 1, ...STATE, location: PLACE };
  expect(
    read('fstar_get_proof_context', { ...none, found: true, line: null, count: 1, proof_states: [state] }),
  ).toBe('here at A.fst:3:2\ngoal 1 of 1\nx : nat\n----\nx + 0 == x');
});

test('names, sessions and solvers', () => {
  const found = {
    ...{ kind: 'symbol', name: 'A.f', type_info: 'nat -> nat', documentation: null },
    ...{ definition: 'let f x = x', defined_at: PLACE, message: null },
  };
  expect(read('fstar_lookup_symbol', found)).toBe('A.f : nat -> nat\nlet f x = x\ndefined at A.fst:3:2');
  const nothing = { ...found, type_info: null, definition: null, defined_at: null };
  expect(read('fstar_lookup_symbol', { ...nothing, kind: 'not_found', message: 'no such name' })).toBe(
    'A.f was not found: no such name',
  );
  expect(read('fstar_list_sessions', { sessions: [], count: 0 })).toBe('No sessions.');
  const session = {
    ...{ session_id: 's1', file_path: 'A.fst', created_at: '', last_activity: '' },
    ...{ idle_seconds: 90, status: 'ok', generation: 1 },
  };
  expect(read('fstar_list_sessions', { sessions: [session], count: 1 })).toBe(
    's1  A.fst  ok, idle for 1 min 30 s',
  );
  expect(read('fstar_restart_solver', { status: 'ok', restarted: 'process' })).toContain('a fresh F*');
  expect(read('fstar_close_session', { status: 'ok' })).toBe('The session is closed.');
  expect(read('fstar_update_buffer', { status: 'ok' })).not.toContain('{');
});

test('shaken and timed proofs: those that matter, with their lines', () => {
  const declaration = { names: ['f'], line: 2, verdict: 'stable', passed: 2, failed_with: [] };
  const times = { fastest_ms: 1, slowest_ms: 2 };
  const flaky = { ...declaration, names: ['g'], line: 5, verdict: 'flaky', passed: 1, failed_with: [7] };
  expect(
    read('fstar_quake', {
      runs: [
        { seed: 0, fuel: null, options: [] },
        { seed: 7, fuel: 1, options: [] },
      ],
      ...{ flaky: ['g'], failing: [], stable: 1 },
      declarations: [
        { ...declaration, ...times },
        { ...flaky, ...times },
      ],
    }),
  ).toBe('2 runs: 1 of 2 declarations stable\n  flaky: g (line 5) passed in 1 of 2, not with seed 7');
  const query = {
    ...{ name: 'A.g', index: 1, succeeded: false, milliseconds: 1500, fuel: 2, ifuel: 1, rlimit: 5 },
    ...{ rlimit_used: 5, reason: 'canceled', line: 5 },
  };
  const declarations = [{ names: ['g'], line: 5, status: 'failed', elapsed_ms: 2000 }];
  expect(read('fstar_profile', { total_ms: 2500, declarations, queries: [query], queries_total: 1 })).toBe(
    [
      '2.50 s in all; the slowest declarations:',
      '     2.00 s  g (line 5): failed',
      'The slowest of 1 question to the solver:',
      '     1.50 s  A.g, 1 (line 5): not proved (canceled)',
    ].join('\n'),
  );
});
