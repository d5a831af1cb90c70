/** Every command that is run in a folder which was removed says so, and exits as one that could not look. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const START = process.env['QUOD_TEST_PROGRAM'] ?? fileURLToPath(new URL('start.ts', import.meta.url));

function inGoneFolder(...commandLine: readonly string[]): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-gone-'));
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  return promisify(execFile)('/bin/sh', [
    '-c',
    script,
    'sh',
    folder,
    process.execPath,
    START,
    ...commandLine,
  ]).catch((error: unknown) => error);
}

test.each([
  [['verify', 'T.v', 'g.v']],
  [['prove', 'a.v']],
  [['check', 'a.v']],
  [['rocq', 'fill', 'a.v', 't', 'reflexivity.']],
  [['agent', 'list']],
  [['status']],
  [['mcp']],
  [['serve']],
])('%s', async (commandLine) => {
  expect(await inGoneFolder(...commandLine)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^[^\n]*The folder in which `quod` was run is not there any more[^\n]*\n$/u,
    ) as string,
  });
});

test('what needs no folder is told', async () => {
  expect(await inGoneFolder('--version')).toMatchObject({ stdout: expect.stringMatching(/^\d/u) as string });
});
