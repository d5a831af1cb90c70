/** A client of a server chooses neither hosts nor programs: those are the user's, by the environment or `quod run allow`. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeAllowed } from '../../process/foreign-folder/allowed.ts';
import { Workspace } from '../definition/workspace.ts';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;
let outside: string;

beforeAll(async () => {
  caller = await openCaller();
  outside = mkdtempSync(join(tmpdir(), 'quod-outside-'));
  for (const name of ['data', 'model']) mkdirSync(join(caller.folder, name));
  await caller.write('data/dataset.json', '{"format":1,"seed":1,"after":null}');
  await caller.write('model/card.json', '{}');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await caller.close();
  rmSync(outside, { recursive: true });
});

describe('data_index_proofs', () => {
  const connections = { count: 0 };
  const server = createServer((socket) => {
    connections.count += 1;
    socket.destroy();
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `postgres://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}/proofs`;
  });
  afterAll(() => server.close());

  it('connects to no server that a client names, but to the one that the user configured', async () => {
    const input = { folder: 'data', output: url };
    const refused = await caller.failure('data_index_proofs', input);
    expect(refused.reason).toBe('not-allowed');
    expect(refused.text).not.toContain('secret');
    expect(connections.count).toBe(0);
    vi.stubEnv('QUOD_PROOF_INDEX', url);
    await caller.failure('data_index_proofs', input);
    await caller.failure('data_index_proofs', { ...input, output: url.replace('secret', '***') });
    expect(connections.count).toBe(2);
  });

  it('connects where the person at the command line says', async () => {
    const before = connections.count;
    const workspace = await Workspace.openFrom(caller.folder);
    const context = { ...caller.context(), workspace };
    await expect(
      operations.data_index_proofs.call({ folder: 'data', output: url }, context),
    ).rejects.toThrow();
    expect(connections.count).toBe(before + 1);
  });

  it('takes what only looks like a URL for a path', async () => {
    const output = `x://../../../${basename(outside)}/index`;
    expect(await caller.failure('data_index_proofs', { folder: 'data', output })).toMatchObject({
      reason: 'outside-workspace',
    });
  });
});

describe('data_train', () => {
  const training = { datasets: ['data'], output: 'out', start_from: 'model' };

  it('starts no program that a client names, until the user allowed it', async () => {
    const program = join(outside, 'own-python');
    writeFileSync(
      program,
      `#!/bin/sh\ntouch ${join(outside, 'ran')}\n[ "$1" = -c ] && exit 0\necho trained\n`,
    );
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${outside}:${String(process.env['PATH'])}`);
    vi.stubEnv('QUOD_CONFIG', join(outside, 'settings'));
    const input = { ...training, python: 'own-python' };
    expect(await caller.failure('data_train', input)).toMatchObject({ reason: 'not-allowed' });
    expect(existsSync(join(outside, 'ran'))).toBe(false);
    const folder = caller.context().workspace.root;
    await changeAllowed(() => [{ folder, reach: { kind: 'program', program } }], process.env);
    expect(await caller.call('data_train', input)).toEqual({ output: 'trained', stopped: null });
  });

  it.each(['output=/elsewhere', 'run=..', 'sources=/', 'licences=/etc/passwd', 'outp=../x'])(
    'takes no setting that names files: %s',
    async (setting) => {
      const refused = await caller.failure('data_train', { ...training, set: ['steps=5', setting] });
      expect(refused.text).toContain('has no number as its value');
    },
  );
});
