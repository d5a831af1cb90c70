/**
 * What a session in trouble costs the others: `npx node bench/neighbours.ts hol4|fstar [--rounds 5] [--calls 100]`.
 * One client's calls are timed while another client's session loops, floods its output, is interrupted again and
 * again, or loses its processes; before and after each trouble the same calls are timed alone, in the same run.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { orNothing } from '../src/core/entry.ts';
import { QuodError } from '../src/core/errors.ts';
import { fstarWorkbenchOf } from '../src/operations/fstar/fstar-workbench.ts';
import { openCaller, type Caller } from '../src/operations/testing/caller.ts';
import { processesOfSession } from '../src/process/process-table.ts';

const program: Command = new Command()
  .argument('<prover>', 'hol4 or fstar')
  .option('--rounds <n>', 'how often each trouble is made', Number, 5)
  .option('--calls <n>', 'timed calls a round, alone and beside the trouble, at least', Number, 100)
  .parse();
const { rounds, calls } = program.opts<{ rounds: number; calls: number }>();

/**
 * Makes trouble until it is told to stop, and tells how often. Throws when the trouble is not the one that was
 * meant.
 */
type Trouble = (until: AbortSignal) => Promise<number>;

interface Subject {
  readonly ask: (number: number) => Promise<void>;
  readonly troubles: Readonly<Record<string, Trouble>>;
}

const CALM = { client: 'calm' };
const TROUBLED = { client: 'in trouble' };

/** Does it again and again until it is time to stop, and counts. */
function again(once: (until: AbortSignal) => Promise<unknown>): Trouble {
  return async (until) => {
    let times = 0;
    for (; !until.aborted; times += 1) await once(until);
    return times;
  };
}

async function hol4(caller: Caller): Promise<Subject> {
  const send = (command: string, as: { client: string; signal?: AbortSignal }, timeout = 60) =>
    caller.call('hol_send', { session: as.client, command, timeout }, as);
  for (const as of [CALM, TROUBLED]) await caller.call('hol_start', { name: as.client }, as);
  const loop = 'let fun loop () : unit = loop () in loop () end';
  return {
    ask: async (number) => {
      expect(await send(`DECIDE “${number} + n < ${number + 1} + n:num”`, CALM), { status: 'ok' });
    },
    troubles: {
      loops: again(async () => expect(await send(loop, TROUBLED, 1), { status: 'timeout' })),
      'is interrupted again and again': again(async () => {
        const signal = AbortSignal.timeout(between(20, 100));
        expect(await send(loop, { ...TROUBLED, signal }), { status: 'interrupted' });
      }),
      'is killed and started again': again(async () => {
        const kill = 'Posix.Process.kill (Posix.Process.K_PROC (Posix.ProcEnv.getpid ()), Posix.Signal.kill)';
        expect(await send(kill, TROUBLED), { status: 'lost' });
        await pause(300);
      }),
      // Comes last: what succeeds is told again to a HOL that was killed.
      'floods its output, 100 MB a time': again(async () => {
        const flood =
          'List.app (fn _ => print (CharVector.tabulate (1000000, fn _ => #"x"))) (List.tabulate (100, I))';
        expect(await send(flood, TROUBLED), { status: 'ok', output_cut: true });
      }),
    },
  };
}

async function fstar(caller: Caller): Promise<Subject> {
  const code = (module: string, number: number): string =>
    `module ${module}\nlet rec f (n:nat) : nat = if n = 0 then 0 else 1 + f (n-1)\nlet a () : Lemma (f 3 + ${number} == ${3 + number}) = ()\n`;
  const open = async (module: string, as: { client: string }): Promise<unknown> => {
    await caller.write(`${module}.fst`, code(module, 0));
    return (await caller.call('fstar_create_session', { file_path: `${module}.fst` }, as))['session_id'];
  };
  const session_id = await open('Calm', CALM);
  const troubled = await open('Troubled', TROUBLED);
  // Arithmetic without end for Z3, which gives up after its resources only.
  const hard = `module Troubled\nopen FStar.Mul\n#set-options "--z3rlimit 2000"\nlet hard (x y z:pos) : Lemma (x*x*x + y*y*y =!= z*z*z) = ()\n`;
  const check = (signal?: AbortSignal) =>
    caller.call(
      'fstar_typecheck_buffer',
      { session_id: troubled, code: hard, timeout: 60 },
      { ...TROUBLED, ...(signal && { signal }) },
    );
  const interrupted = async (signal: AbortSignal): Promise<void> => {
    try {
      expect(await check(signal), { message: 'The check was cancelled. What was checked before is kept.' });
    } catch (error) {
      // It was interrupted while a fresh F* was started.
      if (!(error instanceof QuodError && error.reason === 'interrupted')) throw error;
    }
  };
  return {
    ask: async (number) => {
      const input = { session_id, code: code('Calm', number) };
      expect(await caller.call('fstar_typecheck_buffer', input, CALM), { status: 'ok' });
    },
    troubles: {
      'waits for a query without end': again((until) =>
        interrupted(AbortSignal.any([until, AbortSignal.timeout(5000)])),
      ),
      'is interrupted again and again': again(() => interrupted(AbortSignal.timeout(between(50, 3000)))),
      'loses its Z3': again(async () => {
        const over = new AbortController();
        const checking = check().finally(() => over.abort());
        const [answer, killed] = await Promise.all([checking, killSolvers(caller, over.signal)]);
        expect(answer, { status: 'error' });
        if (killed === 0) throw new Error(`No Z3 was killed: ${JSON.stringify(answer)}`);
        // F* ends with its solver or goes on with one that knows nothing: the next time begins afresh.
        await caller.call('fstar_restart_solver', { session_id: troubled }, TROUBLED);
      }),
    },
  };
}

/** Kills every Z3 of the session in trouble that computes; tells how many. */
async function killSolvers(caller: Caller, until: AbortSignal): Promise<number> {
  let killed = 0;
  while (!until.aborted) {
    await pause(500);
    const [open] = fstarWorkbenchOf(caller.context(TROUBLED)).sessions.of(TROUBLED.client);
    for (const { pid, state } of processesOfSession(open?.session.session.processId ?? -1)) {
      if (state !== 'R' || !/^z3/u.test(nameOf(pid))) continue;
      process.kill(pid, 'SIGKILL');
      killed += 1;
    }
  }
  return killed;
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return '';
  }
}

function between(least: number, most: number): number {
  return Math.round(least + Math.random() * (most - least));
}

function expect(answer: Record<string, unknown>, expected: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(expected))
    if (answer[name] !== value) throw new Error(`${name} is not ${String(value)}: ${JSON.stringify(answer)}`);
}

/** Each call asks something new. */
let number = 0;
/** However quick the calls are, the trouble has this long to happen. */
const LEAST_MS = 3000;

async function timed(subject: Subject): Promise<number[]> {
  const latencies: number[] = [];
  const since = performance.now();
  while (latencies.length < calls || performance.now() - since < LEAST_MS) {
    const started = performance.now();
    await subject.ask((number += 1));
    latencies.push(performance.now() - started);
  }
  return latencies;
}

function at(share: number, latencies: readonly number[]): number {
  return (
    latencies.toSorted((one, other) => one - other)[Math.floor(share * (latencies.length - 1))] ?? Number.NaN
  );
}

const makers: Readonly<Record<string, (caller: Caller) => Promise<Subject>>> = { hol4, fstar };
const make = makers[orNothing(program.args[0])];
if (make === undefined) program.error('The prover is hol4 or fstar.');
const caller = await openCaller();
try {
  const subject = await make(caller);
  await timed(subject);
  for (const [name, trouble] of Object.entries(subject.troubles)) {
    const alone: number[] = [];
    const beside: number[] = [];
    let times = 0;
    for (let round = 0; round < rounds; round += 1) {
      alone.push(...(await timed(subject)));
      const over = new AbortController();
      const troubled = trouble(over.signal);
      // Told below; a trouble that fails ends the bench after its round.
      troubled.catch(() => undefined);
      await pause(200);
      beside.push(...(await timed(subject)));
      over.abort();
      times += await troubled;
    }
    const [p50, p95] = [0.5, 0.95].map((share) => [at(share, alone), at(share, beside)] as const);
    const told = (pair: readonly [number, number] | undefined): string =>
      pair === undefined
        ? ''
        : `${pair[0].toFixed(1)} → ${pair[1].toFixed(1)} ms (${(pair[1] / pair[0]).toFixed(2)})`;
    console.log(`the other session ${name} (${times} times): p50 ${told(p50)}, p95 ${told(p95)}`);
  }
} finally {
  await caller.close();
}
