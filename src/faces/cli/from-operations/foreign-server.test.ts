/** A server of the folder was killed, and somebody else has its port: a command sends that one nothing. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { proveServer } from '../../access/server-proof.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { accessTo, runQuod, startQuod } from '../testing/run-quod.ts';

let folder = '';
let cache = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quod-foreign-')));
  cache = mkdtempSync(join(tmpdir(), 'quod-foreign-cache-'));
  writeFileSync(join(folder, 'a.v'), 'Lemma one : True.\nProof. exact I. Qed.\n');
  vi.stubEnv('QUOD_CACHE', cache);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  rmSync(cache, { recursive: true });
});

test('a command gives the token to no server that does not prove itself', async () => {
  const heard: string[] = [];
  const impostor = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    request.resume();
    response.end('{"page":null,"program":"AAAA","sessions":[],"ticket":"AAAA"}');
  });
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const { port } = impostor.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  // The process number was given to another program meanwhile: to this one.
  await writeServerFile({
    url,
    token: 'the-token',
    identity: 'the-identity',
    pid: process.pid,
    workspace: folder,
  });
  const { exitCode, stderr } = await runQuod(['rocq', 'sessions'], folder, { QUOD_CACHE: cache });
  expect(stderr).toContain(`Another program answers at ${url}.`);
  expect(exitCode).toBe(0);
  expect(heard.map((line) => line.split(' ')[0])).toEqual(['/ui/proof']);
  expect(heard.join()).not.toMatch(/the-token|the-identity/);
  await new Promise((resolve) => impostor.close(resolve));
  expect(await proveServer({ url, identity: 'the-identity' })).toBe('silent');
});

test('a server proves itself by what it wrote into its file, and by nothing else', async () => {
  const started = startQuod(['serve', '--port', '0'], folder, { QUOD_CACHE: cache });
  const { url } = await accessTo(started);
  expect(await proveServer({ url, identity: 'the-identity' })).toBe('foreign');
  const called = await runQuod(['rocq', 'sessions', '--json'], folder, { QUOD_CACHE: cache });
  expect(called).toMatchObject({ exitCode: 0, stderr: '' });
  started.child.kill('SIGTERM');
  await started.finished;
});
