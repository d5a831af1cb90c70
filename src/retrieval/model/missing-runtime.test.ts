/** A machine without the native runtime, which is what an install by default is: the WebAssembly runs the network. */
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { Encoder } from './encoder.ts';

vi.mock('onnxruntime-node', () => {
  throw new Error('Cannot find package onnxruntime-node');
});

const FOLDER = fileURLToPath(new URL('../testing/tiny-model', import.meta.url));

test('an encoder opens without the native runtime, and says what runs its network', async () => {
  const encoder = await Encoder.open(FOLDER);
  expect(encoder.runtime).toBe('webassembly');
  expect(await encoder.encode([{ id: '', hypotheses: [], conclusion: 'True' }])).toHaveLength(1);
  await encoder.close();
});

test('who asks for the native runtime is told that it is missing, and what to install', async () => {
  await expect(Encoder.open(FOLDER, { runtime: 'native' })).rejects.toMatchObject({
    reason: 'unsupported',
    remedy: expect.stringContaining('npm install onnxruntime-node') as unknown,
  });
});
