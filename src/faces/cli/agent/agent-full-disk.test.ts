/** A run whose log finds no room any more ends as every run does: what is there is told, and how to go on. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { RunLog, readRun } from '../../../agent/runs/run-log.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const LONG = 600_000;
const canMount = process.getuid?.() === 0 && findExecutable(['mount']) !== undefined;

/** Until there is no room for a byte more. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, 'x'.repeat(4096));
  } catch {
    // It is full.
  }
}

/** A folder, and a disk in it; the test is skipped where none can be made. */
function smallDisk(skip: (note: string) => unknown): { readonly folder: string; readonly disk: string } {
  const folder = mkdtempSync(join(tmpdir(), 'quod-full-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const disk = join(folder, 'runs');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    skip('This container does not let root mount a disk.');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  return { folder, disk };
}

// Only root can make a disk that is full.
test.skipIf(!canMount)(
  'a log on a full disk keeps no half line, and goes on once there is room',
  ({ skip }) => {
    const { disk } = smallDisk(skip);
    const log = RunLog.create(disk);
    const say = (text: string) => log.append({ kind: 'user-said', text });
    say('first');
    fill(join(disk, 'other'));
    expect(() => say('long '.repeat(20_000))).toThrow(expect.objectContaining({ reason: 'file-unwritable' }));
    rmSync(join(disk, 'other'));
    say('second');
    log.close();
    const events = readRun(disk, log.name).map(({ event }) => event);
    expect(events).toEqual(['first', 'second'].map((text) => ({ kind: 'user-said', text })));
  },
);

test.skipIf(!canMount)(
  'the end of a run whose log found no room says what was proved and paid, what to do, and how to go on',
  async ({ skip }) => {
    const { folder, disk } = smallDisk(skip);
    writeFileSync(join(folder, 'a.v'), 'Lemma one : 1 = 1.\nProof.\nAdmitted.\n');
    const server = await startModelServer(() => {
      fill(join(disk, 'other'));
      return { text: `{"plan": "${'long '.repeat(20_000)}"}` };
    });
    onTestFinished(() => server.close());
    const providers = `providers=${JSON.stringify({ scripted: { url: server.url } })}`;
    const prices = `prices=${JSON.stringify({ 'scripted/m': { input: 10, output: 10 } })}`;
    const settings = ['--set', providers, prices, 'search-first=false', 'plans=1', 'refute-seconds=0'];
    const run = await runQuod(['agent', 'a.v', '--model', 'scripted/m', ...settings], folder, {
      QUOD_RUNS: disk,
    });
    expect(run.stderr).toMatch(
      /events\.jsonl: The log of the run cannot be written: no space left on device\. Make room on the disk/u,
    );
    // The model was asked, and what was sent is paid.
    expect(run.stderr).toMatch(/^0 of 1 theorem proved; .*; \d+ tokens in .*; \$(?!0\.0000)\d/mu);
    const [, name = ''] = /^Go on with: quod resume (\S+)/mu.exec(run.stderr) ?? [];
    expect(run.exitCode).not.toBe(0);
    // No line of it is half there.
    rmSync(join(disk, 'other'));
    expect(readRun(disk, name).length).toBeGreaterThan(1);
  },
  LONG,
);
