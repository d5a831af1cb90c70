/**
 * A HOL4 installation for tests of whole programs, which start several HOLs and Holmakes: the real one, or programs
 * that answer as a real one did. With QUOD_HOL4_RECORD set, and a real one, the recording is made anew.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { findHol4 } from '../discovery.ts';

export interface HolPrograms {
  /** For QUOD_HOL4. */
  readonly folder: string;
  /** Deletes what was made; writes the recording, if one was asked for. */
  readonly close: () => void;
}

/** @param name Of the recording `NAME.programs.json.gz`. */
export function holProgramsUnderTest(name: string): HolPrograms {
  const real = findHol4();
  if (real !== undefined && !process.env['QUOD_HOL4_RECORD'])
    return { folder: real.folder, close: () => undefined };
  const recording = fileURLToPath(new URL(`recordings/${name}.programs.json.gz`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'quod-hol-programs-'));
  const runs = join(folder, 'runs');
  mkdirSync(join(folder, 'bin'));
  mkdirSync(runs);
  const player = fileURLToPath(new URL('recorded-program.ts', import.meta.url));
  for (const program of ['hol', 'Holmake']) {
    const words = [process.execPath, player, real?.folder ?? recording, runs, program];
    const path = join(folder, 'bin', program);
    writeFileSync(path, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`);
    chmodSync(path, 0o755);
  }
  return {
    folder,
    close: () => {
      if (real !== undefined) {
        const recorded = readdirSync(runs)
          .filter((file) => file.endsWith('.json'))
          .map((file) => JSON.parse(readFileSync(join(runs, file), 'utf8')) as unknown);
        writeFileSync(recording, gzipSync(JSON.stringify(recorded), { level: 9 }));
      }
      rmSync(folder, { recursive: true });
    },
  };
}
