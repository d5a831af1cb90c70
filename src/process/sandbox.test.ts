/** Real programs that try to get out, in the real sandbox; skipped where the machine allows none. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findExecutable } from './executable.ts';
import { findSandbox, runInSandbox, type SandboxRun } from './sandbox.ts';

const MEGABYTE = 1024 ** 2;
const LIMITS = {
  timeoutMs: 20_000,
  memoryBytes: 400 * MEGABYTE,
  diskBytes: 4 * MEGABYTE,
  outputBytes: MEGABYTE,
  processes: 16,
};

let folder: string;
beforeEach(() => {
  // Not in /tmp, which is empty inside anyway: what must stay unread and unwritten has to be in sight.
  folder = mkdtempSync(join(homedir(), '.quod-sandbox-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function shell(
  script: string,
  limits: Partial<typeof LIMITS> = {},
  readable: string[] = [],
): Promise<SandboxRun> {
  return runInSandbox({
    program: '/bin/sh',
    arguments: ['-c', script],
    files: new Map<string, string | Uint8Array>([
      ['given.txt', 'given'],
      ['deep/er.bin', Uint8Array.of(0, 255)],
    ]),
    readable,
    limits: { ...LIMITS, ...limits },
  });
}

const kinds = (run: SandboxRun): string[] => run.incidents.map(({ kind }) => kind);

const sandbox = await findSandbox();

describe.runIf(sandbox !== undefined)('in bubblewrap', () => {
  it('files go in and come out, and the program is heard', async () => {
    const run = await shell('cat given.txt; echo said >&2; cp deep/er.bin made; exit 3');
    expect(run).toMatchObject({
      isolation: 'bubblewrap',
      code: 3,
      stopped: undefined,
      output: 'given',
      errorOutput: 'said\n',
      incidents: [],
    });
    expect(Buffer.from(run.files.get('made') ?? [])).toEqual(Buffer.of(0, 255));
  });

  it('what it may read is where it was, and cannot be changed', async () => {
    writeFileSync(join(folder, 'library'), 'trusted');
    const run = await shell(`cat ${folder}/library; echo bad >${folder}/library`, {}, [folder]);
    expect(run.output).toBe('trusted');
    expect(run.errorOutput).toMatch(/Read-only/);
    expect(kinds(run)).toEqual([]);
  });

  it('writing outside changes nothing and is seen', async () => {
    const run = await shell(
      `mkdir -p ${folder}; echo x >${folder}/stolen; echo y >/tmp/quod-sandbox-stolen; true`,
    );
    expect(existsSync(join(folder, 'stolen'))).toBe(false);
    expect(existsSync('/tmp/quod-sandbox-stolen')).toBe(false);
    expect(kinds(run)).toContain('wrote-outside');
  });

  it('a secret is not there: neither files, nor the environment, nor other processes', async () => {
    writeFileSync(join(folder, 'secret'), 'the key');
    vi.stubEnv('QUOD_TEST_SECRET', 'the key');
    const run = await shell(
      `cat ${folder}/secret /etc/shadow /etc/passwd; env; cat /proc/*/environ | tr '\\0' '\\n'; true`,
    ).finally(() => vi.unstubAllEnvs());
    expect(run.output).not.toMatch(/the key|root:/);
  });

  it.skipIf(findExecutable(['perl']) === undefined)(
    'the network is not reached, and the attempt is seen',
    async () => {
      const connect = (address: string): string =>
        `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(q(${address})) ? "reached" : "refused"'`;
      const run = await shell(`${connect('192.0.2.1:80')}; ${connect('127.0.0.1:22')}`);
      expect(run.output).toBe('refusedrefused');
      expect(kinds(run)).toEqual(['network']);
    },
  );

  it('forking without end is stopped', async () => {
    const run = await shell('while :; do sleep 30 & done');
    expect(run.stopped).toBe('processes');
    expect(kinds(run)).toEqual(['processes']);
  });

  it.each([
    ['one file', 'cat /dev/zero >big'],
    ['many files', 'for n in 1 2 3 4 5 6 7 8 9; do head -c 1000000 /dev/zero >f$n; done'],
    ['a file that is gone afterwards', 'cat /dev/zero >big; rm big'],
  ])('filling the disk with %s is stopped', async (_, script) => {
    const run = await shell(script);
    expect(kinds(run)).toEqual(['disk']);
    expect([...run.files.values()].every(({ length }) => length <= LIMITS.diskBytes)).toBe(true);
  });

  it('printing without end is stopped', async () => {
    expect(kinds(await shell('yes'))).toEqual(['output']);
    expect(kinds(await shell('yes >&2'))).toEqual(['output']);
  });

  it('running for ever is stopped, sleeping or busy', async () => {
    expect((await shell('sleep 1000', { timeoutMs: 500 })).stopped).toBe('timeout');
    expect((await shell("trap '' INT TERM; while :; do :; done", { timeoutMs: 500 })).stopped).toBe(
      'timeout',
    );
  });

  it.skipIf(findExecutable(['perl']) === undefined)('more memory than it may have ends it', async () => {
    const run = await shell('perl -e \'$x = "x" x 200_000_000; sleep 30\'', { memoryBytes: 100 * MEGABYTE });
    expect(run.stopped).toBe('memory');
  });

  it('a process left behind is seen and does not live on', async () => {
    const run = await shell('setsid sleep 987.6 & exit 0');
    expect(kinds(run)).toEqual(['left-process']);
    const alive = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && commandOf(name) === 'sleep\x00987.6\x00',
    );
    expect(alive).toEqual([]);
  });

  it('killing everything in sight gives no result', async () => {
    const run = await shell('echo done; kill -KILL -1');
    expect(run.code).toBeUndefined();
    expect(kinds(run)).toEqual(['interfered']);
    expect(run.files.size).toBe(0);
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const run = runInSandbox({
      program: '/bin/sleep',
      arguments: ['1000'],
      files: new Map(),
      limits: LIMITS,
      signal: controller.signal,
    });
    controller.abort();
    expect((await run).stopped).toBe('interrupted');
  });

  it('leaves nothing in the temporary folder', async () => {
    vi.stubEnv('TMPDIR', folder);
    expect(tmpdir()).toBe(folder);
    await shell('echo x >y').finally(() => vi.unstubAllEnvs());
    expect(readdirSync(folder)).toEqual([]);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe('without bubblewrap', () => {
  it('the limits that are left are kept, and the run says that there was no sandbox', async () => {
    vi.stubEnv('PATH', '/bin-that-is-not-there');
    vi.resetModules();
    const { runInSandbox: run } = await import('./sandbox.ts');
    const request = (script: string) => ({
      program: '/bin/sh',
      arguments: ['-c', script],
      files: new Map([['given.txt', 'given']]),
      limits: { ...LIMITS, timeoutMs: 5000 },
      environment: { PATH: '/usr/bin:/bin' },
    });
    try {
      await expect(run(request('true'), true)).rejects.toMatchObject({ reason: 'prover-missing' });
      vi.stubEnv('PATH', '/bin-that-is-not-there:/nowhere');
      const fine = await run(request('cat given.txt; echo made >made; exit 4'));
      expect(fine).toMatchObject({ isolation: 'none', code: 4, output: 'given', incidents: [] });
      expect([...fine.files.keys()].sort()).toEqual(['given.txt', 'made']);
      expect(kinds(await run(request('head -c 2000000 /dev/zero')))).toEqual(['output']);
      expect((await run(request('while :; do sleep 3 & done'))).stopped).toBe('processes');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
