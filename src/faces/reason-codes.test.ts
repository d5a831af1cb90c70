/**
 * Every reason code, provoked by what a user can do: real operations on real files with a real prover, except where the
 * prover itself has to misbehave. The codes that only HTTP gives come from a real server.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { REASON_CODES, type ReasonCode } from '../core/reason.ts';
import { CATALOGUE } from '../operations/catalogue.ts';
import { readScriptAttacks } from '../gate/hol4/testing/attack-files.ts';
import { recordedInstallation } from '../gate/hol4/testing/recorded-installation.ts';
import { LARGEST_SOURCE_BYTES } from '../process/foreign-folder/regular-file.ts';
import { openCaller, type Caller } from '../operations/testing/caller.ts';
import { findExecutable } from '../process/executable.ts';
import { asQuodError } from './error-object.ts';
import { openHost } from './host.ts';
import { makeToken, serveHttp } from './server/serve.ts';
import { quodSurface } from './mcp/quod-surface.ts';
import { SAMPLE_OPERATIONS } from './testing/sample-operations.ts';

const HOLE = 'Theorem t : forall n : nat, n = n.\nAdmitted.\n';
const UNPROVABLE = 'Theorem t : forall n m : nat, n * m = S n.\nAdmitted.\n';

type Answer = Record<string, unknown>;
type Provoke = (caller: Caller) => Promise<unknown>;

async function stepOn(caller: Caller, script: string, timeout?: number): Promise<Answer> {
  const { session_id } = await caller.call('rocq_open', { file: 'a.v', theorem: 't' });
  return caller.call('rocq_check_proof', {
    session_id,
    proof: script,
    ...(timeout !== undefined && { timeout }),
  });
}

/** Puts a program in the place of coqidetop: it answers what is asked of its version, and is then what `rest` says. */
async function behind(caller: Caller, rest: string): Promise<void> {
  const path = join(caller.folder, 'coqidetop.opt');
  const real = findExecutable(['coqidetop.opt', 'coqidetop']) ?? 'coqidetop.opt';
  await writeFile(path, `#!/bin/sh\ncase "$*" in *-main-channel*) ${rest};; esac\nexec '${real}' "$@"\n`);
  await chmod(path, 0o755);
  vi.stubEnv('QUOD_COQIDETOP', path);
  vi.stubEnv('QUOD_ROCQ_BACKEND', 'coqidetop');
}

/** A project that compiles with an option of its own. */
async function writeProject(caller: Caller, option: string): Promise<void> {
  await mkdir(join(caller.folder, 'project'));
  await caller.write('project/_CoqProject', `-arg ${option}\na.v\n`);
  await caller.write('project/a.v', HOLE);
}

async function askHttp(headers: Record<string, string>): Promise<unknown> {
  const host = await openHost({ folder: '.', confined: true, operations: CATALOGUE });
  const token = makeToken();
  const server = await serveHttp({
    host,
    surface: (client) => quodSurface(host, client),
    port: 0,
    token,
    onError: () => {},
    onClientError: () => {},
  });
  try {
    const authorization = headers['authorization'] ?? `Bearer ${token}`;
    return await (await fetch(`${server.url}/api/server`, { headers: { ...headers, authorization } })).json();
  } finally {
    await server.close();
    await host.services.close();
  }
}

async function fail(reason: string): Promise<unknown> {
  const failing = SAMPLE_OPERATIONS.find(({ name }) => name === 'proof_fail');
  const caller = await openCaller();
  try {
    return await failing?.answer({ reason }, caller.context());
  } finally {
    await caller.close();
  }
}

const PROVOKED: Readonly<Record<ReasonCode, Provoke>> = {
  timeout: (caller) => stepOn(caller, 'do 2000000000 idtac.', 0.3),
  interrupted: async (caller) => {
    const controller = new AbortController();
    const search = caller.call(
      'proof_search',
      { file: 'unprovable.v', budget: 60 },
      { signal: controller.signal },
    );
    setTimeout(() => {
      controller.abort();
    }, 200);
    return search;
  },
  'prover-crashed': async (caller) => {
    await behind(caller, 'exit 3');
    return caller.call('rocq_open', { file: 'a.v', theorem: 't' });
  },
  'protocol-error': async (caller) => {
    await behind(caller, 'echo "<value val=maybe/>"; sleep 1; exit 0');
    return caller.call('rocq_open', { file: 'a.v', theorem: 't' });
  },
  'memory-exceeded': (caller) => stepOn(caller, 'assert (Nat.pow 2 28 = 0) by (vm_compute; fail).'),
  'stale-state': async (caller) => {
    const { session_id } = await caller.call('rocq_open', { file: 'a.v', theorem: 't' });
    await caller.call('rocq_close', { session_id });
    return caller.call('rocq_step', { session_id, script: 'intros.' });
  },
  'not-found': (caller) => caller.call('rocq_open', { file: 'a.v', theorem: 'tt' }),
  'invalid-input': (caller) => caller.call('rocq_open', { file: 'a.v', theorem: 't', line: 'three' }),
  'outside-workspace': (caller) => caller.call('rocq_outline', { file: '../../etc/hostname' }),
  'prover-missing': async (caller) => {
    vi.stubEnv('QUOD_ROCQ_BACKEND', 'coqidetop');
    vi.stubEnv('QUOD_COQIDETOP', '/nowhere/coqidetop');
    return caller.call('rocq_open', { file: 'a.v', theorem: 't' });
  },
  'library-missing': (caller) => caller.call('rocq_open', { file: 'requires.v', theorem: 't' }),
  'does-not-compile': (caller) => caller.call('rocq_open', { file: 'broken.v', theorem: 't' }),
  'file-changed': (caller) =>
    caller.call('rocq_fill', { file: 'a.v', theorem: 't', proof: 'reflexivity.', file_hash: '0'.repeat(64) }),
  'file-unreadable': async (caller) => {
    await writeFile(join(caller.folder, 'latin.v'), Buffer.from('(* \xe9 *)', 'latin1'));
    return caller.call('rocq_outline', { file: 'latin.v' });
  },
  'file-unwritable': async (caller) => {
    await chmod(join(caller.folder, 'a.v'), 0o444);
    return caller.call('rocq_fill', { file: 'a.v', theorem: 't', proof: 'reflexivity.' });
  },
  'too-large': async (caller) => {
    await writeFile(join(caller.folder, 'large.v'), Buffer.alloc(LARGEST_SOURCE_BYTES + 1, ' '));
    return caller.call('rocq_outline', { file: 'large.v' });
  },
  'budget-exhausted': (caller) => caller.call('proof_search', { file: 'open.v', nodes: 2 }),
  'search-exhausted': (caller) =>
    caller.call('proof_search', { file: 'open.v', budget: 300, nodes: 100_000 }),
  'not-verified': async (caller) => {
    await writeProject(caller, '-type-in-type');
    return caller.call('proof_search', { file: 'project/a.v', budget: 60 });
  },
  'not-replayed': async (caller) => {
    const [attack] = readScriptAttacks();
    if (attack === undefined) throw new Error('There are no attacks.');
    const { target, innocent: honest } = attack;
    const hol4 = recordedInstallation(false, [target, honest]);
    vi.stubEnv('QUOD_HOL4', hol4.folder);
    vi.stubEnv('QUOD_HOL4_TRACING', '');
    await mkdir(join(caller.folder, 'submission'));
    await caller.write('mineScript.sml', target);
    await caller.write('submission/mineScript.sml', honest);
    try {
      const [target, submission] = ['mineScript.sml', 'submission/mineScript.sml'];
      return await caller.call('gate_verify', { target, submission });
    } finally {
      hol4.remove();
    }
  },
  unauthorized: () => askHttp({ authorization: `Bearer ${makeToken()}` }),
  'foreign-origin': () => askHttp({ origin: 'https://evil.example' }),
  'not-allowed': async (caller) => {
    await mkdir(join(caller.folder, '.quod'));
    const settings = { model: 'other/model', providers: { other: { url: 'https://other.example/v1' } } };
    await caller.write('.quod/agent.json', JSON.stringify({ ...settings, searchFirst: false }));
    return caller.call('agent_start', { file: 'a.v' });
  },
  unsupported: async (caller) => {
    await writeProject(caller, '-strange');
    return caller.call('gate_verify', { target: 'project/a.v', submission: 'project/a.v' });
  },
  // The machine may have a sandbox, and a defect cannot be asked for: an operation of the tests has both.
  'no-sandbox': () => fail('no-sandbox'),
  internal: () => fail('none'),
};

const LITTLE_MEMORY = 300e6;
const callers: Caller[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await Promise.all(callers.map((caller) => caller.close()));
});

/** These need a Rocq that is a program of its own. */
const OF_PROGRAMS: readonly string[] = ['timeout', 'prover-crashed', 'protocol-error', 'memory-exceeded'];
const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

test.for(Object.entries(PROVOKED))('%s', async ([reason, provoke], context) => {
  context.skip(!hasNativeRocq && OF_PROGRAMS.includes(reason), 'no native Rocq');
  const caller = await openCaller(
    {
      'a.v': HOLE,
      'unprovable.v': UNPROVABLE,
      // Neither provable nor false.
      'open.v': 'Parameter p : Prop.\nTheorem t : p.\nAdmitted.\n',
      'requires.v': `Require Import Nowhere.Nothing.\n${HOLE}`,
      'broken.v': `Definition d := nonsense.\n${HOLE}`,
    },
    reason === 'memory-exceeded' ? LITTLE_MEMORY : undefined,
  );
  callers.push(caller);
  const reasons = await provoke(caller).then(reasonsIn, (error: unknown) => [asQuodError(error).reason]);
  expect(reasons).toEqual([reason]);
});

test('every code in the list is provoked', () => {
  expect(Object.keys(PROVOKED).sort()).toEqual(Object.keys(REASON_CODES).sort());
});

/** The reason codes in an answer, wherever they stand. */
function reasonsIn(answer: unknown): unknown[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer as Answer).flatMap(([key, value]) =>
    key === 'reason' && value !== null ? [value] : reasonsIn(value),
  );
}
