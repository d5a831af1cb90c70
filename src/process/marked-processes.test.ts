import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test as anyTest } from 'vitest';
import { isAlive } from './process-table.ts';
import { ProcessMark } from './marked-processes.ts';

const test = anyTest.skipIf(!existsSync('/proc/self/environ'));

test('what was left in a session of its own is ended, with what it started, and nothing else', async () => {
  const [mark, other] = [new ProcessMark(), new ProcessMark()];
  const start = (marked: ProcessMark) =>
    spawn('/bin/sh', ['-c', 'setsid sleep 60 & exec sleep 60'], {
      ...{ detached: true, stdio: 'ignore' },
      env: marked.in({ PATH: process.env['PATH'] }),
    });
  const left = start(mark);
  const stays = start(other);
  try {
    await Promise.all([left, stays].map((child) => once(child, 'spawn')));
    await expect.poll(() => mark.processes().length).toBe(2);
    await expect.poll(() => other.processes().length).toBe(2);
    await mark.end();
    expect(mark.processes()).toEqual([]);
    expect(other.processes()).toHaveLength(2);
    expect(isAlive(Number(stays.pid))).toBe(true);
  } finally {
    await mark.end();
    await other.end();
  }
});
