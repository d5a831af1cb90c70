/**
 * Puts a program `fstar.exe` into a folder and makes it the F* that Quod finds: the real one of the machine,
 * recorded when QUOD_FSTAR_RECORD is set, or, where there is none, one that plays the recordings `NAME-1.jsonl`,
 * `NAME-2.jsonl`, …. The environment is changed; the caller puts it back.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export async function useTestFstar(folder: string, name: string, real: string | undefined): Promise<void> {
  const program = (file: string): string =>
    `exec '${process.execPath}' '${join(import.meta.dirname, file)}' '${name}'`;
  const play =
    real === undefined
      ? `${program('scripted-fstar.ts')} "$@"`
      : process.env['QUOD_FSTAR_RECORD']
        ? `${program('recording-fstar.ts')} '${real}' "$@"`
        : `exec '${real}' "$@"`;
  const version = real === undefined ? `echo 'F* 0.9.7.0~dev'` : `exec '${real}' --version`;
  const path = join(folder, 'fstar.exe');
  await writeFile(
    path,
    `#!/bin/sh\nif [ "$1" = --version ]; then ${version}; fi\n[ "$1" = --version ] || ${play}\n`,
  );
  await chmod(path, 0o755);
  process.env['QUOD_FSTAR'] = path;
  if (real !== undefined) process.env['QUOD_FSTAR_Z3'] = join(dirname(real), 'z3');
}
