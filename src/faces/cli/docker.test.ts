/** The image of the Dockerfile proves a theorem with the embedded Rocq. Needs an engine that may load base images. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const hasEngine = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
const BUILD_MS = 15 * 60_000;

test.skipIf(!hasEngine)(
  'the image proves a theorem (skipped where no Docker engine answers)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-docker-'));
    chmodSync(folder, 0o755);
    try {
      writeFileSync(join(folder, 'twice.v'), 'Lemma twice (n : nat) : n + 0 = n.\nProof.\nAdmitted.\n');
      execFileSync('docker', ['build', '--quiet', '--tag', 'quod-test', root], { stdio: 'pipe' });
      const command = ['run', '--rm', '--volume', `${folder}:/work:ro`, 'quod-test', 'prove', 'twice.v'];
      expect(execFileSync('docker', command, { encoding: 'utf8' })).toMatch(/^Lemma twice [^]*Qed\.\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  BUILD_MS,
);

test('the Dockerfile installs on a Node that Quod runs on', () => {
  const images = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM node:(\d+)/gm);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const least = Number(/\d+/.exec(engines.node)?.[0]);
  for (const [, major] of images) expect(Number(major)).toBeGreaterThanOrEqual(least);
});
