/**
 * What goes in and comes out of the sandbox, in every backend that works here; what tries to get out is in
 * sandbox-attacks.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findExecutable } from './executable.ts';
import { findSandbox, runInSandbox, type SandboxBackend, type SandboxRequest } from './sandbox.ts';

const MEGABYTE = 1024 ** 2;
const LIMITS = {
  ...{ timeoutMs: 20_000, memoryBytes: 400 * MEGABYTE, processes: 16 },
  ...{ diskBytes: 4 * MEGABYTE, outputBytes: MEGABYTE },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-sandbox-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function request(script: string, others: Partial<SandboxRequest> = {}): SandboxRequest {
  const files = new Map<string, string | Uint8Array>([
    ['given.txt', 'given'],
    ['deep/er.bin', Uint8Array.of(0, 255)],
  ]);
  return { program: '/bin/sh', arguments: ['-c', script], files, limits: LIMITS, ...others };
}

/** What is thrown by a run in a Quod that was started with a limit. */
function errorUnder(limit: string, script: string): string {
  const code = `
    import { runInSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))};
    const limits = { timeoutMs: 20_000, memoryBytes: 4e8, diskBytes: 4e6 };
    const request = { program: '/bin/sh', arguments: ['-c', ${JSON.stringify(script)}], files: new Map(), limits };
    runInSandbox(request).then(({ incidents }) => console.log(incidents.length), (error) => console.log(error.message));`;
  const node = [process.execPath, '--input-type=module', '-e', code];
  return execFileSync('/bin/sh', ['-c', `ulimit ${limit}; exec "$@"`, 'sh', ...node], { encoding: 'utf8' });
}

it('what a limit ended that Quod was started with is no deed of the program', () => {
  const writing = 'head -c 100000 /dev/zero >made';
  const ended = 'A limit with which Quod was started ended sh: ';
  expect(errorUnder('-f 64', writing)).toBe(`${ended}32768 bytes a file (\`ulimit -f\`).\n`);
  expect(errorUnder('-t 1', 'while :; do :; done')).toBe(`${ended}1 s of processor time (\`ulimit -t\`).\n`);
  expect(errorUnder('-f 64', 'echo >made')).toBe('0\n');
});

/** It hands filters to the kernel. */
const PERL = findExecutable(['perl']);

const backends = [await findSandbox(['bubblewrap']), await findSandbox(['unshare'])]
  .filter((backend) => backend !== undefined)
  .map((backend): [string, SandboxBackend] => [backend.isolation, backend]);

describe.each(backends)('in %s', (isolation, backend) => {
  const run = (script: string, others: Partial<SandboxRequest> = {}) =>
    runInSandbox(request(script, others), true, backend);

  it('files go in and come out, and the program is heard', async () => {
    const ended = await run('cat given.txt; echo said >&2; cp deep/er.bin made; exit 3');
    expect(ended).toMatchObject({
      ...{ isolation, code: 3, stopped: undefined, incidents: [] },
      ...{ output: 'given', errorOutput: 'said\n' },
    });
    expect(Buffer.from(ended.files.get('made') ?? [])).toEqual(Buffer.of(0, 255));
  });

  it('a file grows while it is read, and is there as a whole afterwards', async () => {
    const { promise: rest, resolve } = Promise.withResolvers<string>();
    const running = run('cat given.txt; { read -r first; cat; echo; } <given.txt; cat given.txt', {
      ...{ files: new Map([['given.txt', 'known\n']]), growing: { path: 'given.txt', rest } },
    });
    resolve('läter');
    expect(await running).toMatchObject({ code: 0, incidents: [], output: 'known\nläter\nknown\nläter' });
  });

  it('a program that does not wait for the rest of a file that grows has done nothing', async () => {
    const never = new Promise<string>(() => undefined);
    const files = new Map([['given.txt', 'known']]);
    const ended = await run('cat given.txt; head -c 5 <given.txt', {
      files,
      growing: { path: 'given.txt', rest: never },
    });
    expect(ended).toMatchObject({ code: undefined, incidents: [{ kind: 'interfered' }] });
    const given = Promise.reject<string>(new Error('not asked for any more'));
    const dropped = await run('cat given.txt given.txt', {
      files,
      growing: { path: 'given.txt', rest: given },
    });
    expect(dropped.stopped).toBe('interrupted');
  });

  it('a program waits for files that come later, and can move about in them', async () => {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, string | Uint8Array>>();
    const files = new Map<string, string>([['there/first.txt', 'first\n']]);
    const awaited = { paths: ['there/large', 'last.txt'], files: promise };
    // The last 3 of 200,000 bytes: a pipe has neither an end nor a place to go to.
    const script = 'cat there/first.txt; test -e last.txt && tail -c 3 there/large; cat last.txt; ls -A';
    const running = run(script, { files, awaited });
    await sleep(300);
    resolve(
      new Map<string, string | Uint8Array>([
        ['there/large', `${'a'.repeat(200_000)}end`],
        ['last.txt', '!\n'],
      ]),
    );
    expect(await running).toMatchObject({
      ...{ code: 0, stopped: undefined, incidents: [] },
      output: 'first\nend!\n.awaited\nlast.txt\nthere\n',
    });
  });

  it('finds files that came before the program looks', async () => {
    const files = Promise.resolve(new Map([['late.txt', 'here']]));
    const ended = await run('sleep 0.5; cat late.txt', { awaited: { paths: ['late.txt'], files } });
    expect(ended).toMatchObject({ code: 0, output: 'here' });
  });

  it('a program that does not wait for files has done nothing', async () => {
    const never = new Promise<ReadonlyMap<string, string>>(() => undefined);
    const ended = await run('test -p late.txt', { awaited: { paths: ['late.txt'], files: never } });
    expect(ended).toMatchObject({ code: undefined, incidents: [{ kind: 'interfered' }] });
    const given = Promise.reject<ReadonlyMap<string, string>>(new Error('not asked for any more'));
    const dropped = await run('cat late.txt', { awaited: { paths: ['late.txt'], files: given } });
    expect(dropped.stopped).toBe('interrupted');
    const others = Promise.resolve(new Map([['other.txt', '']]));
    const wrong = await run('cat late.txt', { awaited: { paths: ['late.txt'], files: others } });
    expect(wrong.stopped).toBe('interrupted');
  });

  it('what it may read has another place, and whatever names the place names that one', async () => {
    writeFileSync(join(folder, 'library'), 'trusted');
    mkdirSync(join(folder, 'more'));
    const { output } = await run(`cat ${folder}/library; echo ":$SEARCH"`, {
      readable: [folder, join(folder, 'more')],
      environment: { SEARCH: `${folder}/more:${folder}:${folder}more` },
    });
    // The last is another path that only begins alike; it stays what the caller said.
    expect(output).toBe(`trusted:/readable/2:/readable/1:${folder}more\n`);
  });

  it('an installation stays where it is, because its programs know their own place', async () => {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'lib'));
    const program = join(folder, 'bin', 'prover');
    writeFileSync(program, `#!/bin/sh\ncat ${folder}/lib/core\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'lib', 'core'), 'its own');
    const { output } = await run('', { program, arguments: [], readable: [folder] });
    expect(output).toBe('its own');
  });

  it.skipIf(PERL === undefined)(
    'a program that may start no other is ended where it tries, and may become another',
    async () => {
      const limits = { ...LIMITS, startsPrograms: false };
      const started = await run('echo before; /bin/true; echo after', { limits });
      expect(started).toMatchObject({
        output: 'before\n',
        incidents: [{ kind: 'started-program' }],
      });
      const became = await run('exec cat given.txt', { limits });
      expect(became).toMatchObject({ code: 0, output: 'given', incidents: [] });
    },
  );

  it('needs no files', async () => {
    expect(await run('ls -A', { files: new Map() })).toMatchObject({ code: 0, output: '', incidents: [] });
  });

  it('what fails before the program starts is not laid at its door', async () => {
    const broken: SandboxBackend = {
      isolation: backend.isolation,
      command: (view, command, place) => backend.command({ ...view, mounts: [] }, command, place),
    };
    await expect(runInSandbox(request('true'), true, broken)).rejects.toMatchObject({ reason: 'no-sandbox' });
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const running = run('sleep 1000', { signal: controller.signal });
    controller.abort();
    expect((await running).stopped).toBe('interrupted');
  });

  it('what waits is ended by the limit on time without work, and it is said what did so', async () => {
    const limits = { ...LIMITS, idleMs: 500 };
    const ended = await run('mkfifo t.vo; : <t.vo', { limits });
    expect(ended).toMatchObject({ stopped: 'timeout', code: undefined, incidents: [] });
    expect(ended.stalled).toMatch(/^nothing ran for 0.5 s: .*sh \(waiting\)$/);
  });

  it('what works is not taken for waiting', async () => {
    const limits = { ...LIMITS, idleMs: 500 };
    const script = 'end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do :; done; echo done';
    expect(await run(script, { limits })).toMatchObject({ stopped: undefined, output: 'done\n' });
  });

  it('leaves nothing in the temporary folder', async () => {
    vi.stubEnv('TMPDIR', folder);
    expect(tmpdir()).toBe(folder);
    await run('echo x >y').finally(() => vi.unstubAllEnvs());
    expect(readdirSync(folder)).toEqual([]);
  });

  it('files that lead out are refused', async () => {
    for (const path of ['../x', '/x', 'a/../../x'])
      await expect(run('true', { files: new Map([[path, '']]) })).rejects.toMatchObject({
        reason: 'internal',
      });
  });
});

describe('without a sandbox', () => {
  it('a run needs no program but the shell, wherever PATH leads', async () => {
    vi.stubEnv('PATH', folder);
    try {
      const ended = await runInSandbox(
        request('read -r line <given.txt; echo "$line" >made; exit 3'),
        false,
        'none',
      );
      expect(ended).toMatchObject({ isolation: 'none', code: 3, incidents: [] });
      expect(Buffer.from(ended.files.get('made') ?? []).toString()).toBe('given\n');
      expect([...ended.files.keys()].toSorted()).toEqual(['deep/er.bin', 'given.txt', 'made']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('the limits that are left are kept, and the run says that there was no sandbox', async () => {
    const run = (script: string, required = false) => runInSandbox(request(script), required, 'none');
    await expect(run('true', true)).rejects.toMatchObject({ reason: 'no-sandbox' });
    const fine = await run('cat given.txt; echo made >made; exit 4');
    expect(fine).toMatchObject({ isolation: 'none', code: 4, output: 'given', incidents: [] });
    expect([...fine.files.keys()].sort()).toEqual(['deep/er.bin', 'given.txt', 'made']);
    const loud = await run('head -c 2000000 /dev/zero');
    expect(loud.incidents.map(({ kind }) => kind)).toEqual(['output']);
    expect((await run('while :; do sleep 3 & done')).stopped).toBe('processes');
  });

  it.skipIf(PERL === undefined)('a program that may start no other is ended where it tries', async () => {
    const limits = { ...LIMITS, startsPrograms: false };
    const started = await runInSandbox(request('/bin/true; echo after', { limits }), false, 'none');
    expect(started).toMatchObject({ output: '', incidents: [{ kind: 'started-program' }] });
  });

  it('what waits is ended all the same', async () => {
    const waiting = { ...request('sleep 1000'), limits: { ...LIMITS, idleMs: 500 } };
    expect(await runInSandbox(waiting, false, 'none')).toMatchObject({ stopped: 'timeout' });
  });
});
