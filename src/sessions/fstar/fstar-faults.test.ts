/**
 * What may go wrong with the program at the other end: it lies, floods, hangs, dies. Each is a program that does
 * it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processesOfSession } from '../../process/process-table.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { fstarUnderTest } from '../../provers/fstar/testing/fstar-under-test.ts';
import { FstarConnection, type Launch } from '../../provers/fstar/session/connection.ts';
import { FstarSession } from './fstar-session.ts';

const HELLO =
  '{"kind":"protocol-info","version":2,"features":["push","pop","segment","vfs-add","interrupt"]}';

let folder = '';
const open: FstarSession[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-fstar-faults-'));
});
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that answers every query with success, except that `onPush` is run for a push; `say` writes a line. */
async function program(onPush: string, hello = HELLO): Promise<Launch> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    path,
    `import { createInterface } from 'node:readline';
const say = (line) => process.stdout.write(line + '\\n');
process.on('SIGINT', () => {});
say(${JSON.stringify(hello)});
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { 'query-id': id, query, args } = JSON.parse(line);
  const ok = (response) => say(JSON.stringify({ kind: 'response', 'query-id': id, status: 'success', response }));
  if (query !== 'push') return ok(query === 'segment' ? { decls: [] } : null);
  ${onPush}
});
`,
  );
  return { executable: process.execPath, arguments: [path], folder };
}

async function session(launch: Launch): Promise<FstarSession> {
  const opened = await FstarSession.open(join(folder, 'A.fst'), launch);
  open.push(opened);
  return opened;
}

const TEXT = 'module A\nlet x = 1\n';

describe('a program', () => {
  it('that floods 100 MB before it answers costs time and no memory', async () => {
    const flood = `const text = JSON.stringify({ kind: 'message', 'query-id': id, level: 'info', contents: 'x'.repeat(10000) });
      for (let n = 0; n < 5000; n += 1) { if (!process.stdout.write(text + '\\n')) await new Promise((r) => process.stdout.once('drain', r)); }
      ok([]);`;
    const report = await (await session(await program(flood))).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('ok');
    const kept = report.texts.reduce((sum, { text }) => sum + text.length, 0);
    expect(kept).toBeLessThanOrEqual(2 * 2_000_000);
    expect(report.dropped).toBeGreaterThan(9000);
  });

  it('that writes one line of 100 MB is understood afterwards', async () => {
    const line = `for (let n = 0; n < 1000; n += 1) { if (!process.stdout.write('x'.repeat(100000))) await new Promise((r) => process.stdout.once('drain', r)); }
      say(''); ok([]);`;
    const report = await (await session(await program(line))).check('module A\n', { kind: 'full' });
    expect(report.status).toBe('ok');
    expect(report.texts.some(({ text }) => text.includes('100000000 bytes'))).toBe(true);
  });

  it('that writes garbage between messages is understood', async () => {
    const garbage = `say('Fatal?'); say('{"kind":"response"}'); say('{"kind":"response","query-id":"77","status":"success","response":null}'); ok([]);`;
    const report = await (await session(await program(garbage))).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('ok');
    expect(report.texts.map(({ text }) => text)).toContain('Fatal?');
  });

  it.each([
    [
      'in the middle of a message',
      `process.stdout.write('{"kind":"resp', () => process.exit(3));`,
      'exit code 3',
    ],
    ['with words', `process.stderr.write('Out of luck', () => process.exit(1));`, 'Out of luck'],
  ])('that ends %s is started once more, then the check says so', async (_, onPush, said) => {
    const mortal = await session(await program(onPush));
    const report = await mortal.check(TEXT, { kind: 'full' });
    expect(report).toMatchObject({ status: 'stopped', reason: 'prover-crashed' });
    expect(report.message).toContain(said);
    expect(report.fragments.map(({ status }) => status)).toEqual(['interrupted', 'not-checked']);
    expect(mortal.generation).toBe(1);
  });

  it('that does not answer and does not obey is killed, and the session goes on', async () => {
    const deaf = await session(await program(`if (args.code.includes('let')) return; ok([]);`));
    const report = await deaf.check(TEXT, { kind: 'full' }, { timeoutMs: 300 });
    expect(report).toMatchObject({ status: 'stopped', reason: 'timeout' });
    expect(report.fragments.map(({ status }) => status)).toEqual(['ok', 'interrupted']);
    expect((await deaf.check('module A\n', { kind: 'full' })).status).toBe('ok');
    expect(deaf.generation).toBe(1);
  });

  it('that fails without an issue was interrupted, not successful', async () => {
    const silent = `say(JSON.stringify({ kind: 'response', 'query-id': id, status: 'failure', response: [] }));`;
    const report = await (await session(await program(silent))).check(TEXT, { kind: 'full' });
    expect(report).toMatchObject({ status: 'stopped', reason: 'interrupted' });
  });

  it('that is no F* is not taken for one', async () => {
    await expect(
      FstarConnection.start({ executable: '/bin/false', arguments: [], folder }),
    ).rejects.toMatchObject({
      reason: 'prover-crashed',
    });
    const mute = await program('', 'good day');
    await expect(FstarConnection.start(mute, AbortSignal.timeout(500))).rejects.toMatchObject({
      reason: 'interrupted',
    });
    await expect(
      FstarConnection.start({ executable: join(folder, 'nothing'), arguments: [], folder }),
    ).rejects.toMatchObject({ reason: 'prover-crashed' });
  });
});

/** How many signals at random moments; a long run may ask for more. */
const INTERRUPTS = Number(process.env['QUOD_FSTAR_INTERRUPTS'] ?? 20);
const CHECKED = 'module A\nlet rec f (n:nat) : nat = if n = 0 then 0 else 1 + f (n - 1)\n';

describe.skipIf(locateFstar() === undefined)('a real F* (skipped when there is none on the machine)', () => {
  it('whose solver is killed is started once more, and the check goes on', async () => {
    const under = await fstarUnderTest('solver-killed', { 'A.fst': CHECKED });
    const real = await FstarSession.open(join(under.folder, 'A.fst'), await under.launch('A.fst'));
    open.push(real);
    expect((await real.check(CHECKED, { kind: 'full' })).status).toBe('ok');
    for (const { pid } of processesOfSession(real.processId ?? 0)) {
      if (pid !== real.processId) process.kill(pid, 'SIGKILL');
    }
    const lemma = 'let rec g (n:nat) : Lemma (f n >= 0) = if n = 0 then () else g (n - 1)\n';
    expect((await real.check(CHECKED + lemma, { kind: 'full' })).status).toBe('ok');
    await under.end();
  });

  it(`answers after each of ${INTERRUPTS} signals at random moments`, { timeout: 3_600_000 }, async () => {
    const under = await fstarUnderTest('interrupts', { 'A.fst': CHECKED });
    const real = await FstarSession.open(join(under.folder, 'A.fst'), await under.launch('A.fst'));
    open.push(real);
    for (let round = 0; round < INTERRUPTS; round += 1) {
      const lemma = `let g${round} (a b:nat) : Lemma (f (a + b) >= f 0 - ${round}) = ()\n`;
      const running = real.check(CHECKED + lemma, { kind: 'full' });
      setTimeout(() => real.processId !== undefined && kill(real.processId), Math.random() * 600);
      const report = await running;
      expect(['ok', 'error', 'stopped']).toContain(report.status);
    }
    const last = await real.check(CHECKED, { kind: 'full' });
    expect(last.status === 'ok' ? 'ok' : (await real.check(CHECKED, { kind: 'full' })).status).toBe('ok');
    await under.end();
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It was replaced in the meantime.
  }
}
