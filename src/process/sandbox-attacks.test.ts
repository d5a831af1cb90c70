/** Every attack on the sandbox, in every backend that works here; skipped where the machine allows none. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findExecutable } from './executable.ts';
import { findSandbox, runInSandbox, type SandboxBackend } from './sandbox.ts';
import { ATTACK_LIMITS, SANDBOX_ATTACKS, type SandboxAttack } from './testing/sandbox-attacks.ts';

const SECRET = 'quod-secret-7f3a';
const found = [await findSandbox(['bubblewrap']), await findSandbox(['unshare'])];
const backends = found.filter((backend) => backend !== undefined);

let folder: string;
let server: Server;
const unixServer = createServer();
let port: number;
let bystander: ChildProcess;

beforeAll(async () => {
  // Not in /tmp, which is empty inside anyway: what must stay unread and unwritten has to be in sight.
  folder = mkdtempSync(join(homedir(), '.quod-sandbox-attacks-'));
  writeFileSync(join(folder, 'secret'), SECRET);
  mkdirSync(join(folder, 'library'));
  writeFileSync(join(folder, 'library', 'library'), 'trusted');
  vi.stubEnv('QUOD_TEST_SECRET', SECRET);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
  bystander = spawn('sleep', ['3600'], { stdio: 'ignore' });
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => unixServer.listen(join(folder, 'library', 'socket'), resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  port = address.port;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  unixServer.close();
  bystander.kill();
  rmSync(folder, { recursive: true });
});

function filled(program: string): string {
  return program
    .replaceAll('@SECRET@', join(folder, 'secret'))
    .replaceAll('@FOLDER@', folder)
    .replaceAll('@PORT@', String(port))
    .replaceAll('@PROCESS@', String(bystander.pid))
    .replaceAll('@SOCKET@', 'quod-test')
    .replaceAll('@RUN@', String(process.pid)); // Two runs of these tests on one machine do not see each other's processes.
}

function commandOf({ shell, perl }: SandboxAttack): { program: string; arguments: string[] } {
  return shell === undefined
    ? { program: '/usr/bin/perl', arguments: ['-e', filled(perl ?? '')] }
    : { program: '/bin/sh', arguments: ['-c', filled(shell)] };
}

function cannotBeTried({ perl, processor }: SandboxAttack): boolean {
  return (
    (perl !== undefined && findExecutable(['/usr/bin/perl']) === undefined) ||
    (processor !== undefined && processor !== process.arch)
  );
}

describe.each(backends.map((backend): [string, SandboxBackend] => [backend.isolation, backend]))(
  'in %s',
  (_, backend) => {
    for (const attack of SANDBOX_ATTACKS)
      it.skipIf(cannotBeTried(attack))(
        `${attack.aim}: ${attack.name} (skipped where there is no Perl, or for another processor)`,
        async () => {
          const run = await runInSandbox(
            {
              ...commandOf(attack),
              files: new Map([['given', 'given']]),
              readable: [join(folder, 'library')],
              limits: { ...ATTACK_LIMITS, ...attack.limits },
            },
            true,
            backend,
          );
          const { seen } = attack;
          const shown = JSON.stringify({ ...run, files: [...run.files.keys()].slice(0, 20) });
          expect(run.isolation).toBe(backend.isolation);
          expect(run.stopped, shown).toBe(seen.stopped);
          expect(
            run.incidents.map(({ kind }) => kind),
            shown,
          ).toEqual(seen.incidents ?? []);
          if (seen.output !== undefined)
            expect(run.output, shown).toEqual(
              typeof seen.output === 'string' ? seen.output : expect.stringMatching(seen.output),
            );
          if (seen.code !== undefined) expect(run.code, shown).toBe(seen.code);
          expect(run.stalled ?? '', shown).toMatch(seen.stalled ?? /^$/);
          const made = [...run.files.keys()].filter((name) => name !== 'given').sort();
          if (seen.files !== undefined) expect(made, shown).toEqual([...seen.files].sort());
          expect(run.files.get('said')?.toString() ?? 'little\n').toBe('little\n');
          // Whatever it tried: no secret, and no name of a home or of this machine.
          const told = `${run.output}${run.errorOutput.replaceAll(filled('@FOLDER@'), '')}`;
          expect(told).not.toContain(SECRET);
          expect(run.output).not.toContain(basename(folder));
          if (hostname() !== 'sandbox' && hostname().length > 4) expect(run.output).not.toContain(hostname());
          expect(readdirSync(folder).sort()).toEqual(['library', 'secret']);
          expect(existsSync('/tmp/quod-sandbox-stolen')).toBe(false);
          expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
          expect(processesCalled(filled('sleep\x00987.@RUN@'))).toEqual([]);
        },
      );
  },
);

function processesCalled(command: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith(command);
    } catch {
      return false;
    }
  });
}

describe('the list of attacks', () => {
  it('is long, and no name stands for two', () => {
    expect(SANDBOX_ATTACKS.length).toBeGreaterThan(60);
    expect(new Set(SANDBOX_ATTACKS.map(({ name }) => name)).size).toBe(SANDBOX_ATTACKS.length);
  });
});
