/** Sessions over a real F*, or over the recording of one. */
import { afterEach, describe, expect, it } from 'vitest';
import { type FstarUnderTest, fstarUnderTest } from '../../provers/fstar/testing/fstar-under-test.ts';
import { FstarSession } from './fstar-session.ts';
import type { CheckReport } from '../../provers/fstar/session/report.ts';
import { join } from 'node:path';

const HEAD = 'module Demo\nlet rec f (n:nat) : nat = if n = 0 then 0 else 1 + f (n-1)\n';
const LEMMA = 'let rec l (n:nat) : Lemma (f n == n) = if n = 0 then () else l (n-1)\n';
const BAD = 'let three () : Lemma (f 3 == 4) = ()\n';
const GOOD = 'let three () : Lemma (f 3 == 3) = l 3\n';
const END = 'let after = 1\n';

let fstar: FstarUnderTest | undefined;
const open: FstarSession[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
  await fstar?.end();
});

async function start(
  name: string,
  files: Readonly<Record<string, string>> = { 'Demo.fst': HEAD },
): Promise<FstarUnderTest> {
  fstar = await fstarUnderTest(name, files);
  return fstar;
}

async function session(
  under: FstarUnderTest,
  file = 'Demo.fst',
  options: readonly string[] = [],
): Promise<FstarSession> {
  const opened = await FstarSession.open(join(under.folder, file), await under.launch(file, options));
  open.push(opened);
  return opened;
}

function shape({ fragments }: CheckReport): readonly string[] {
  return fragments.map(({ names, status, cached }) => `${names.join()}:${status}${cached ? ' kept' : ''}`);
}

describe('a buffer', () => {
  it('is repaired: what did not change is kept, with what was said about it', async () => {
    const under = await start('session-repair');
    const demo = await session(under);
    const broken = await demo.check(HEAD + LEMMA + BAD + END, { kind: 'full' });
    expect(broken.status).toBe('error');
    expect(shape(broken)).toEqual(['Demo:ok', 'f:ok', 'l:ok', 'three:failed', 'after:not-checked']);
    const error = broken.issues.find(({ level }) => level === 'error');
    expect(error?.message).toMatch(/could not prove post-condition/);
    expect(error?.ranges[0]).toMatchObject({ file: join(under.folder, 'Demo.fst'), start: { line: 4 } });

    const again = await demo.check(HEAD + LEMMA + BAD + END, { kind: 'cache' });
    expect(shape(again)).toEqual([
      'Demo:ok kept',
      'f:ok kept',
      'l:ok kept',
      'three:not-checked',
      'after:not-checked',
    ]);

    const repaired = await demo.check(HEAD + LEMMA + GOOD + END, { kind: 'full' });
    expect(repaired.status).toBe('ok');
    expect(shape(repaired)).toEqual(['Demo:ok kept', 'f:ok kept', 'l:ok kept', 'three:ok', 'after:ok']);
    const warnings = (report: CheckReport): readonly string[] =>
      report.issues.filter(({ level }) => level === 'warning').map(({ message }) => message);
    expect(warnings(repaired)).toEqual(warnings(broken));

    expect(await demo.lookup('f', { file: '<input>', line: 2, column: 8 })).toMatchObject({
      kind: 'symbol',
      name: 'Demo.f',
      definedAt: { file: join(under.folder, 'Demo.fst'), start: { line: 2, column: 8 } },
    });
    expect(await demo.lookup('nothing')).toMatchObject({ kind: 'not-found' });
    expect(await demo.option('--lax')).toBe(false);
    expect(demo.generation).toBe(0);
  });

  it('is checked up to a position, laxly, and from its dependencies on', async () => {
    const under = await start('session-kinds');
    const demo = await session(under);
    const text = HEAD + LEMMA + BAD;
    const part = await demo.check(text, { kind: 'verify-to-position', line: 2, column: 0 });
    expect(part.status).toBe('ok');
    expect(shape(part)).toEqual(['Demo:ok', 'f:ok', 'l:not-checked', 'three:not-checked']);
    const lax = await demo.check(text, { kind: 'lax' });
    expect(lax.status).toBe('ok');
    expect(shape(lax)).toEqual(['Demo:ok kept', 'f:ok kept', 'l:lax-ok', 'three:lax-ok']);
    const full = await demo.check(text, { kind: 'full' });
    expect(shape(full)).toEqual(['Demo:ok kept', 'f:ok kept', 'l:ok', 'three:failed']);
    const reloaded = await demo.check(text, { kind: 'reload-deps' });
    expect(shape(reloaded)).toEqual(['Demo:ok', 'f:not-checked', 'l:not-checked', 'three:not-checked']);
  });

  it('with a syntax error is not ok, and what stands before it is checked', async () => {
    const demo = await session(await start('session-syntax'));
    const report = await demo.check(`${HEAD}let x = (1\n`, { kind: 'full' });
    expect(report.status).toBe('error');
    expect(shape(report)).toEqual(['Demo:ok', 'f:ok', 'x:failed']);
    expect(report.issues.some(({ message }) => message.includes('Syntax error'))).toBe(true);
  });

  it('sees files that are given to F*, and a dependency that is added later', async () => {
    const under = await start('session-virtual', {
      'Demo.fst': HEAD,
      'Helper.fst': 'module Helper\nlet h : int = 1\n',
    });
    const demo = await session(under);
    expect((await demo.check(HEAD, { kind: 'full' })).status).toBe('ok');
    await demo.addVirtualFile('Helper.fst', 'module Helper\nlet h : int = 42\n');
    const text = 'module Demo\nopen Helper\nlet _ = assert_norm (h == 42)\n';
    const report = await demo.check(text, { kind: 'full' });
    expect(report.issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(report.status).toBe('ok');
  });

  it('in which an option admits everything is accepted by F*, which is why there is an audit', async () => {
    const demo = await session(await start('session-escape'));
    const text = `${HEAD}#push-options "--admit_smt_queries true"\nlet a () : Lemma (1 == 2) = ()\n#pop-options\n`;
    expect((await demo.check(text, { kind: 'full' })).status).toBe('ok');
  });
});

describe('a process that dies', () => {
  it('is replaced, and the next check starts at the beginning', async () => {
    const under = await start('session-killed');
    const demo = await session(under);
    expect((await demo.check(HEAD, { kind: 'full' })).status).toBe('ok');
    const { processId } = demo;
    if (processId === undefined) throw new Error('there is no process');
    process.kill(processId, 'SIGKILL');
    await demo.gone();
    const report = await demo.check(HEAD + LEMMA, { kind: 'full' });
    expect(report.status).toBe('ok');
    expect(shape(report)).toEqual(['Demo:ok', 'f:ok', 'l:ok']);
    expect(demo.generation).toBe(1);
    expect(report.generation).toBe(1);
  });

  it('answers a lookup from what the session knew', async () => {
    const under = await start('session-killed-lookup');
    const demo = await session(under);
    await demo.check(HEAD, { kind: 'full' });
    process.kill(demo.processId ?? 0, 'SIGKILL');
    await demo.gone();
    expect(await demo.lookup('f')).toMatchObject({ kind: 'symbol', name: 'Demo.f' });
    expect(demo.generation).toBe(1);
  });
});

it('a solver is replaced with its process where F* cannot do it alone', async () => {
  const demo = await session(await start('session-solver'));
  await demo.check(HEAD, { kind: 'full' });
  expect(await demo.restartSolver()).toBe('process');
  const report = await demo.check(HEAD, { kind: 'full' });
  expect(shape(report)).toEqual(['Demo:ok', 'f:ok']);
});

it('a check that takes too long costs itself, and what was checked before it is kept', async () => {
  const demo = await session(await start('session-timeout'));
  const slow = [
    '#push-options "--z3rlimit 1000 --max_fuel 40 --initial_fuel 40"\n',
    'let rec ack (m n:nat) : Tot nat (decreases %[m;n]) = if m = 0 then n + 1 else if n = 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))\n',
    'let h (a b c:nat) : Lemma (ack a (b + c + c) + a + b > ack b a + c + a) = ()\n',
  ].join('');
  expect((await demo.check(HEAD, { kind: 'full' })).status).toBe('ok');
  const stopped = await demo.check(HEAD + slow + END, { kind: 'full' }, { timeoutMs: 2000 });
  expect(stopped).toMatchObject({ status: 'stopped', reason: 'timeout' });
  expect(shape(stopped).filter((fragment) => fragment.includes('interrupted'))).toHaveLength(1);
  expect(shape(stopped).at(-1)).toBe('after:not-checked');
  const next = await demo.check(HEAD + END, { kind: 'full' });
  expect(next.status).toBe('ok');
});

it('a closed session ends what runs and refuses what comes', async () => {
  const under = await start('session-closed');
  const demo = await session(under);
  await demo.check(HEAD, { kind: 'full' });
  await Promise.all([demo.close(), demo.close()]);
  await expect(demo.check(HEAD, { kind: 'full' })).rejects.toMatchObject({ reason: 'stale-state' });
  await expect(demo.lookup('f')).rejects.toMatchObject({ reason: 'stale-state' });
});
