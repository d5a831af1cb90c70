import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GuardedChild, LAUNCHER } from './guarded-child.ts';
import { processesOfSession, readProcess } from './process-table.ts';

/** Waits for something that the kernel does in its own time; the test's own timeout is the limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

const shell = (script: string): Promise<GuardedChild> => GuardedChild.start('/bin/sh', ['-c', script]);

async function readLine(child: GuardedChild): Promise<string> {
  const [chunk] = (await once(child.output, 'data')) as [Buffer];
  return chunk.toString().trim();
}

describe('a guarded child', () => {
  it('that is told nothing is read to its end, with letters that two pieces of its output share', async () => {
    const script = String.raw`cat; printf 'caf\303'; sleep 0.1; printf '\251'; echo oops >&2; exit 3`;
    const ended = await (await shell(script)).readToEnd();
    expect(ended).toMatchObject({ code: 3, printed: 'café', errorOutput: 'oops\n' });
  });

  it('is the program itself, with its pipes, exit code and error output', async () => {
    const child = await GuardedChild.start('/bin/sh', [
      '-c',
      'read x; echo "got $x $$"; echo oops >&2; exit 7',
    ]);
    child.input.write('something\n');
    expect(await readLine(child)).toBe(`got something ${child.pid}`);
    expect(await child.exited).toEqual({
      code: 7,
      signal: null,
      errorOutput: 'oops\n',
      memoryExceeded: false,
    });
  });

  it('gives way to others where it is asked to, with all that it starts', async () => {
    const child = await GuardedChild.start('/bin/sh', ['-c', 'read x; nice; nice'], { givesWay: true });
    child.input.end('\n');
    let printed = '';
    child.output.on('data', (part: Buffer) => (printed += part.toString()));
    await child.exited;
    expect(printed).toBe('5\n5\n');
  });

  it('leaves nothing when the program ends by itself, not even helpers in a group of their own', async () => {
    const child = await shell('sleep 1000 & timeout 1000 sleep 1000 & echo started');
    await readLine(child);
    await child.exited;
    await until(() => processesOfSession(child.pid).length === 0);
  });

  it('is not waited for when a process that escaped holds its output open', async () => {
    const child = await shell(`setsid sh -c 'echo $$; exec sleep 1000' & exec sleep 1000`);
    const escaped = Number(await readLine(child));
    try {
      expect(await child.kill()).toMatchObject({ signal: 'SIGKILL' });
    } finally {
      process.kill(escaped, 'SIGKILL');
    }
  });

  it('leaves nothing when the program ends before its guardian is at its post', async () => {
    for (let round = 0; round < 20; round += 1) {
      const children = await Promise.all(
        Array.from({ length: 4 }, () => shell('timeout 1000 sleep 1000 & exit')),
      );
      // A helper that is left holds the output, and `exited` waits for it.
      for (const { output } of children) output.resume();
      await Promise.all(children.map(({ exited }) => exited));
      await until(() => children.every(({ pid }) => processesOfSession(pid).length === 0));
    }
  });

  it('leaves nothing when it is killed, stopped or not', async () => {
    const child = await shell('sleep 1000 & timeout 1000 sleep 1000 & kill -STOP $$; sleep 1000');
    await until(() => readProcess(child.pid)?.state === 'T');
    expect((await child.kill()).signal).toBe('SIGKILL');
    expect(processesOfSession(child.pid)).toEqual([]);
  });

  it('loses its helpers alone on request', async () => {
    const child = await shell('sleep 1000 & echo $!; wait; echo woken; read forever');
    const helper = Number(await readLine(child));
    await until(() => processesOfSession(child.pid).length === 3);
    await child.killHelpers();
    expect(await readLine(child)).toBe('woken');
    expect(readProcess(helper)).toBeUndefined();
    expect(child.ended).toBe(false);
    await child.kill();
  });

  it('is killed when it and its helpers hold more memory than allowed', async () => {
    // Stops at twice the limit and stays: whoever looks late finds it too.
    const eat =
      'const held = []; setInterval(() => held.length < 30 && held.push(Buffer.alloc(20e6, 1)), 10)';
    const child = await GuardedChild.start('/bin/sh', ['-c', '"$0" -e "$1" & wait', process.execPath, eat], {
      memoryLimit: 300e6,
    });
    expect(await child.exited).toMatchObject({ memoryExceeded: true, signal: 'SIGKILL' });
    await until(() => processesOfSession(child.pid).length === 0);
  });

  it('does not outlive a Quod that is killed with -9', async () => {
    const module = fileURLToPath(new URL('guarded-child.ts', import.meta.url));
    const program = `
      const { GuardedChild } = await import(${JSON.stringify(module)});
      const child = await GuardedChild.start('/bin/sh', ['-c', 'sleep 1000 & timeout 1000 sleep 1000 & echo up; sleep 1000']);
      child.output.once('data', () => process.stdout.write(String(child.pid)));
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
    const session = Number(chunk.toString());
    await until(() => processesOfSession(session).length >= 4);
    parent.kill('SIGKILL');
    await until(() => processesOfSession(session).length === 0);
  });

  it('does not outlive a Quod that was killed before the guardian was at its post', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-guardian-'));
    const server = createServer((connection) => connection.destroy());
    server.listen(join(folder, 'quod'));
    await once(server, 'listening');
    // The other end is gone before the launcher begins.
    const pipe = connect({ path: join(folder, 'quod'), allowHalfOpen: true });
    pipe.resume();
    await once(pipe, 'end');
    const child = spawn('/bin/sh', ['-c', LAUNCHER, 'sh', '/bin/sleep', '1000'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', pipe],
    });
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    pipe.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('says so when the folder to start in is not there', async () => {
    await expect(GuardedChild.start('/bin/true', [], { folder: '/no/such/folder' })).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});
