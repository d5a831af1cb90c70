/**
 * Before `npm test`: the command line in few files, from the sources as they are, as users get it. Node takes two seconds
 * of processor time for the thousand modules of the sources, and tests start the program some thousand times. Vitest
 * alone (`npx vitest FILE`) builds nothing: `runQuod` then starts it from its sources.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** @returns What takes it away again. */
export default async function bundleProgram(): Promise<(() => void) | undefined> {
  if (process.env['QUOD_TEST_BUNDLED'] === undefined) return undefined;
  const dist = join(ROOT, 'dist');
  mkdirSync(dist, { recursive: true });
  const outDir = mkdtempSync(join(dist, 'tests-'));
  const ssr = join(ROOT, 'src', 'faces', 'cli', 'start.ts');
  await build({ configFile: join(ROOT, 'vite.config.ts'), build: { ssr, outDir } });
  process.env['QUOD_TEST_PROGRAM'] = join(outDir, 'start.js');
  return () => rmSync(outDir, { recursive: true });
}
