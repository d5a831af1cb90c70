import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operationsOf } from '../../operations/catalogue.ts';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { quodSurface } from './quod-surface.ts';

const { signal } = new AbortController();
let folder = '';
let host: Host;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-resources-'));
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in', 'a b.v'), 'Lemma one : True.\nProof. exact I. Qed.\n');
  symlinkSync('/etc/passwd', join(folder, 'out.v'));
  host = await openHost({ folder, confined: true, operations: operationsOf(['rocq']) });
});

afterEach(async () => {
  await host.services.close();
  rmSync(folder, { recursive: true });
});

test('files are listed, read, outlined and completed', async () => {
  const { resources, complete } = quodSurface(host, 'client');
  const listed = await resources.list(signal);
  expect(listed).toContainEqual({ uri: 'quod://file/in/a%20b.v', name: 'in/a b.v', mimeType: 'text/plain' });
  const file = await resources.read('quod://file/in/a%20b.v', signal);
  expect(file?.contents[0]).toMatchObject({ text: 'Lemma one : True.\nProof. exact I. Qed.\n' });
  const outline = await resources.read('quod://outline/in/a%20b.v', signal);
  expect(JSON.stringify(outline)).toContain('one');
  const argument = { name: 'file', value: 'in/' };
  expect(await complete({ ref: { type: 'ref/prompt', name: 'repair_file' }, argument }, signal)).toEqual([
    'in/a b.v',
  ]);
});

test('a file is shown without the reference proof of what a session of the client proves', async () => {
  const client = 'prover';
  const open = host.operations.find(({ name }) => name === 'rocq_open');
  const input = { file: 'in/a b.v', theorem: 'one' };
  await (open && host.calls.answer(open, input, { client, signal, progress: () => {} }));
  const textFor = async (reader: string) =>
    (await quodSurface(host, reader).resources.read('quod://file/in/a%20b.v', signal))?.contents[0];
  expect(await textFor(client)).toMatchObject({
    text: 'Lemma one : True.\n(* the proof is withheld: this is the target of a session *)\n',
  });
  expect(await textFor('another')).toMatchObject({ text: 'Lemma one : True.\nProof. exact I. Qed.\n' });
});

test('what is not there or not inside is not read', async () => {
  const { resources } = quodSurface(host, 'client');
  for (const uri of ['quod://file/absent.v', 'quod://elsewhere/x', 'https://example.org/a.v']) {
    expect(await resources.read(uri, signal)).toBeUndefined();
  }
  for (const path of ['../../etc/passwd', 'out.v', '%2E%2E/%2E%2E/etc/passwd', '/etc/passwd']) {
    await expect(resources.read(`quod://file/${path}`, signal)).rejects.toMatchObject({
      data: { reason: 'outside-workspace' },
    });
  }
});

test('what no prover reads is not read: keys, configurations, what leads to them by a link', async () => {
  const { resources } = quodSurface(host, 'client');
  mkdirSync(join(folder, '.git'));
  for (const name of ['.env', '.git/config', 'notes.txt', 'lib.sml'])
    writeFileSync(join(folder, name), 'key');
  symlinkSync('.env', join(folder, 'env.v'));
  for (const path of ['.env', '.git/config', 'notes.txt', 'lib.sml', 'env.v', '.git%2Fconfig']) {
    await expect(resources.read(`quod://file/${path}`, signal)).rejects.toMatchObject({
      data: { reason: 'invalid-input' },
    });
  }
  await expect(resources.read('quod://file/in', signal)).rejects.toMatchObject({
    data: { reason: 'file-unreadable' },
  });
  writeFileSync(join(folder, 'oneScript.sml'), 'val one = 1;');
  const script = await resources.read('quod://file/oneScript.sml', signal);
  expect(script?.contents[0]).toMatchObject({ text: 'val one = 1;' });
});
