import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { withFileLock } from '../../process/foreign-folder/file-lock.ts';
import { replaceFile } from './replace-file.ts';
import { encode, readSourceFile } from './source-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-lock-'));
const path = join(folder, 'file.v');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(path, 'old');
});

const LOCK = JSON.stringify(new URL('../../process/foreign-folder/file-lock.ts', import.meta.url).href);

/** Another process that runs a program with `withFileLock`, `folder` and what else it imports. */
function process(program: string): ChildProcess {
  const source = `import { withFileLock } from ${LOCK}; const folder = ${JSON.stringify(folder)};\n${program}`;
  return spawn(globalThis.process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** Holds the lock until its input ends. */
async function holder(): Promise<ChildProcess> {
  const child = process(`
    await withFileLock(folder, 'file.v', async (lock) => {
      (await import('node:fs')).writeFileSync(lock.path('new'), 'half');
      process.stdout.write('held');
      for await (const piece of process.stdin) void piece;
    });`);
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

/** Until so many wait for the lock beside its holder. */
async function waiting(count: number): Promise<void> {
  while (readdirSync(folder).filter((name) => /^\.quod-[0-9a-f]{16}-/u.test(name)).length < count)
    await turn();
}

test('of several who read the same, whatever process they are in, one writes, and its bytes are what stands there', async () => {
  const other = await holder();
  const source = await readSourceFile(path);
  const texts = ['one', 'two', 'three'];
  const elsewhere = process(`
    const { replaceFile } = await import(${JSON.stringify(new URL('replace-file.ts', import.meta.url).href)});
    const { readSourceFile } = await import(${JSON.stringify(new URL('source-file.ts', import.meta.url).href)});
    const source = await readSourceFile(folder + '/file.v');
    const said = await replaceFile(source, Buffer.from('elsewhere')).then(() => 'written', (error) => error.reason);
    process.stdout.write(said);`);
  const heard: string[] = [];
  elsewhere.stdout?.on('data', (piece) => heard.push(String(piece)));
  const writers = texts.map((text) => replaceFile(source, encode(source, text)));
  const settled = Promise.allSettled(writers);
  await waiting(4);
  expect(readFileSync(path, 'utf8')).toBe('old');
  other.stdin?.end();
  await once(elsewhere, 'close');
  const outcomes = (await settled).map((outcome, index) =>
    outcome.status === 'fulfilled' ? texts[index] : (outcome.reason as { reason: string }).reason,
  );
  const said = [...outcomes, heard.join('') === 'written' ? 'elsewhere' : heard.join('')];
  expect(said.filter((word) => word !== 'file-changed')).toEqual([readFileSync(path, 'utf8')]);
  expect(readdirSync(folder)).toEqual(['file.v']);
});

test('who writes what another has just written is told that it stands there', async () => {
  const other = await holder();
  const source = await readSourceFile(path);
  const writers = ['same', 'same'].map((text) => replaceFile(source, encode(source, text)));
  await waiting(2);
  other.stdin?.end();
  await Promise.all(writers);
  expect(readFileSync(path, 'utf8')).toBe('same');
});

test('the lock of a killed writer is taken over, and what it left goes away', async () => {
  const killed = await holder();
  const waiter = process(`await withFileLock(folder, 'file.v', async () => {});`);
  await waiting(1);
  waiter.kill('SIGKILL');
  await once(waiter, 'close');
  const source = await readSourceFile(path);
  const written = replaceFile(source, encode(source, 'new'));
  killed.kill('SIGKILL');
  await once(killed, 'close');
  await written;
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['file.v']);
});

test('never two hold it, also while holders are killed', async () => {
  const entered = join(folder, 'entered');
  // Whoever is in makes a file that must not be there yet; a killed one leaves it, and the next one may say so.
  const program = `
    const { rmSync, writeFileSync, readFileSync } = await import('node:fs');
    for (let turn = 0; turn < 40; turn += 1)
      await withFileLock(folder, 'file.v', async () => {
        let before = 0;
        try { before = Number(readFileSync(${JSON.stringify(entered)}, 'utf8')); } catch {}
        if (before !== 0) { try { process.kill(before, 0); process.stdout.write('two'); } catch {} }
        writeFileSync(${JSON.stringify(entered)}, String(process.pid));
        await new Promise(setImmediate);
        if (readFileSync(${JSON.stringify(entered)}, 'utf8') !== String(process.pid)) process.stdout.write('two');
        if (turn === 30 && process.argv[1] === 'die') process.kill(process.pid, 'SIGKILL');
        rmSync(${JSON.stringify(entered)});
      });`;
  const source = `import { withFileLock } from ${LOCK}; const folder = ${JSON.stringify(folder)};\n${program}`;
  const heard: string[] = [];
  const children = ['die', 'live', 'die', 'live'].map((fate) =>
    spawn(globalThis.process.execPath, ['--input-type=module', '-e', source, fate], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  for (const child of children) child.stdout.on('data', (piece) => heard.push(String(piece)));
  const ends = await Promise.all(children.map(async (child) => (await once(child, 'close')) as unknown[]));
  expect(ends.map(([code]) => code)).toEqual([null, 0, null, 0]);
  expect(heard).toEqual([]);
  await withFileLock(folder, 'file.v', async () => Promise.resolve());
  rmSync(entered, { force: true });
  expect(readdirSync(folder)).toEqual(['file.v']);
});

test('a file whose name has as many letters as the system takes is locked like another', async () => {
  const long = `${'n'.repeat(253)}.v`;
  writeFileSync(join(folder, long), 'old');
  const source = await readSourceFile(join(folder, long));
  await replaceFile(source, encode(source, 'new'));
  expect(readFileSync(join(folder, long), 'utf8')).toBe('new');
});
