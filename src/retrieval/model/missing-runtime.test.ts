/** A machine without the optional runtime: the learned ranker says so. */
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { Encoder } from './encoder.ts';

vi.mock('onnxruntime-node', () => {
  throw new Error('Cannot find package onnxruntime-node');
});

test('an encoder without its runtime does not open, and says what to install', async () => {
  const folder = fileURLToPath(new URL('../testing/tiny-model', import.meta.url));
  await expect(Encoder.open(folder)).rejects.toMatchObject({
    reason: 'unsupported',
    remedy: expect.stringContaining('npm install onnxruntime-node') as unknown,
  });
});
