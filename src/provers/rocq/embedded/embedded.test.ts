import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { describePort } from '../conformance/port.ts';
import { createEmbeddedRocq, findEmbeddedRocq } from './adapter.ts';

const cache = mkdtempSync(join(tmpdir(), 'quod-embedded-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

if (findEmbeddedRocq()) {
  describePort('the embedded Rocq', { open: () => createEmbeddedRocq({ cache }) });
} else {
  describe('the embedded Rocq', () => {
    it.skip('needs the optional npm package jscoq, which is not installed', () => {});
  });
}
