/** What a real HOL does when it is treated badly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHol4, requireHol4 } from '../discovery.ts';
import { type HolAnswer, HolProcess } from './process.ts';

function answered(answer: Awaited<ReturnType<HolProcess['execute']>>): HolAnswer {
  if (answer.status === 'answered') return answer;
  throw new Error(answer.message);
}

describe.skipIf(findHol4() === undefined)('a real HOL (skipped without one: set QUOD_HOL4)', () => {
  let hol: HolProcess;
  beforeAll(async () => {
    hol = await HolProcess.start({ executable: requireHol4().hol });
  });
  afterAll(async () => {
    await hol.kill();
  });

  it('goes on after 200 signals at random moments, busy or idle', async () => {
    let seed = 20261122;
    const random = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    let generation = 0;
    const seen = new Map<string, number>();
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const command = `val x = ${attempt}; List.foldl (op +) 0 (List.tabulate (${random(60_000)}, fn i => i mod 7))`;
      const running = hol.execute(command, { timeoutMs: 20_000 });
      const signal = setTimeout(() => process.kill(hol.pid, 'SIGINT'), random(12));
      const answer = await running;
      clearTimeout(signal);
      if (answer.status === 'lost') {
        // Allowed only with a reason; the session above starts another one and tells it everything again.
        expect(answer.message).not.toBe('');
        generation += 1;
        hol = await HolProcess.start({ executable: requireHol4().hol });
        continue;
      }
      seen.set(answer.reply.status, (seen.get(answer.reply.status) ?? 0) + 1);
      expect(['ok', 'interrupted']).toContain(answer.reply.status);
      // The answer is that of this command, not of another one.
      if (answer.reply.status === 'ok') expect(answer.reply.output).toContain(`val x = ${attempt}: int`);
    }
    expect(generation).toBeLessThan(10);
    let alive = answered(await hol.execute('"alive"', { timeoutMs: 20_000 }));
    if (alive.reply.status === 'interrupted')
      alive = answered(await hol.execute('"alive"', { timeoutMs: 20_000 }));
    expect(alive.reply.output).toContain('val it = "alive": string');
  });

  it('floods: 100 MB are read, the ends are kept, and the next answer is right', async () => {
    const line = 'x'.repeat(99);
    const flood = `let fun go 0 = () | go n = (print "${line}\\n"; go (n - 1)) in go 1048576 end`;
    const answer = answered(await hol.execute(flood, { timeoutMs: 100_000 }));
    expect(answer.reply.status).toBe('ok');
    expect(answer.droppedBytes).toBeGreaterThan(100_000_000);
    expect(answered(await hol.execute('2 + 2')).reply.output).toBe('val it = 4: int\n');
  });

  it('prints null bytes and marks of its own making', async () => {
    const answer = answered(await hol.execute('print "\\000\\000a\\000"'));
    expect(answer.reply).toMatchObject({ status: 'ok' });
    expect(answered(await hol.execute('3 + 3')).reply.output).toBe('val it = 6: int\n');
  });

  it('loops in code that catches every exception, and is killed with the reason', async () => {
    const other = await HolProcess.start({ executable: requireHol4().hol });
    const stubborn =
      'let fun f () : int = (let fun g () : int = g () in g () end) handle _ => f () in f () end';
    expect(await other.execute(stubborn, { timeoutMs: 300 })).toMatchObject({
      status: 'lost',
      reason: 'timeout',
    });
    expect(other.ended).toBe(true);
  });

  it('asks for more memory than it was given, and is killed with the reason', async () => {
    const other = await HolProcess.start({ executable: requireHol4().hol, memoryLimit: 400 * 1024 ** 2 });
    const greedy = 'let fun f l = f (List.tabulate (100000, I) :: l) in f ([] : int list list) : unit end';
    expect(await other.execute(greedy, { timeoutMs: 100_000 })).toMatchObject({
      status: 'lost',
      reason: 'memory-exceeded',
    });
  });
});
