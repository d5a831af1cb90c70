import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { descendantsOf, isEnding, parseStat, readProcess, residentBytes } from './process-table.ts';

it('reads a line of /proc/PID/stat whatever the program is called', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
      (name, numbers) => {
        const [pid, parent, group, session] = numbers;
        const line = `${pid} (${name}) S ${parent} ${group} ${session} 0 -1 4194304 0 0`;
        expect(parseStat(line)).toEqual({ pid, parent, group, session, state: 'S' });
      },
    ),
  );
});

it('knows this process and what it holds, and nothing of one that is not there', () => {
  expect(readProcess(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(residentBytes(process.pid)).toBeGreaterThan(10e6);
  expect(readProcess(2 ** 30)).toBeUndefined();
  expect(residentBytes(2 ** 30)).toBe(0);
});

it('knows a process that has ended and is still there from one that can go on', async () => {
  // Nobody collects the first one: its parent has become a program that knows nothing of it.
  const parent = spawn('/bin/sh', ['-c', 'true & exec sleep 1000'], { stdio: 'ignore' });
  const pid = parent.pid ?? 0;
  try {
    await expect.poll(() => descendantsOf(pid).map(isEnding)).toEqual([true]);
    expect(isEnding(pid)).toBe(false);
    expect(isEnding(2 ** 30)).toBe(false);
  } finally {
    parent.kill('SIGKILL');
  }
});
