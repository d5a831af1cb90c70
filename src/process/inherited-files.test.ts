/** A file that Quod was started with is not there for a child: seen with a Node that inherits one. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const GUARDED_CHILD = fileURLToPath(new URL('guarded-child.ts', import.meta.url));
/** Node itself sees to the first few. */
const NUMBER = 40;

it.skipIf(!existsSync('/proc/self/fd'))(
  'a child gets the null device in the place of what was inherited (skipped without /proc)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-inherited-'));
    const log = join(folder, 'log');
    writeFileSync(log, 'secret');
    const program = join(folder, 'program.mts');
    writeFileSync(
      program,
      `const { GuardedChild } = await import(${JSON.stringify(GUARDED_CHILD)});
      const { readlinkSync } = await import('node:fs');
      console.log(readlinkSync('/proc/self/fd/${NUMBER}'));
      const child = await GuardedChild.start('/bin/readlink', ['/proc/self/fd/${NUMBER}']);
      child.input.end();
      child.output.pipe(process.stdout);
      await child.exited;`,
    );
    const opened = openSync(log, 'r');
    try {
      const stdio = Array.from({ length: NUMBER + 1 }, (_, index) =>
        index === NUMBER ? opened : index === 1 ? 'pipe' : 'ignore',
      );
      const { stdout } = spawnSync(process.execPath, [program], { stdio });
      expect(stdout.toString()).toBe(`${log}\n/dev/null\n`);
    } finally {
      closeSync(opened);
      rmSync(folder, { recursive: true });
    }
  },
);
