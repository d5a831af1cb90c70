/**
 * The F* that a test talks to: a real one when the machine has one, else the recording of a real one that the test made
 * before. The same test runs against both. With QUOD_FSTAR_RECORD set, and a real one, the recording is made anew.
 *
 * A test that starts several processes one after the other has a recording for each: `NAME-1.jsonl`, `NAME-2.jsonl`, ….
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFstar } from '../discovery.ts';
import type { Launch } from '../session/connection.ts';
import { chooseZ3 } from '../z3.ts';

export interface FstarUnderTest {
  readonly isReal: boolean;
  /** An empty folder for the test, with the files that it named. */
  readonly folder: string;
  /** How to start F* on a file of the folder. */
  readonly launch: (file: string, options?: readonly string[]) => Promise<Launch>;
  readonly end: () => Promise<void>;
}

export async function fstarUnderTest(
  name: string,
  files: Readonly<Record<string, string>> = {},
): Promise<FstarUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'quod-fstar-'));
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const end = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const real = await findFstar().catch(() => undefined);
  const program = (file: string): string => join(import.meta.dirname, file);
  if (real === undefined) {
    return {
      isReal: false,
      folder,
      end,
      launch: (file, options = []) =>
        Promise.resolve({
          executable: process.execPath,
          arguments: [program('scripted-fstar.ts'), name, '--ide', file, ...options],
          folder,
        }),
    };
  }
  return {
    isReal: true,
    folder,
    end,
    launch: async (file, options = []) => {
      const z3 = await chooseZ3(real, options);
      const fstarArguments = ['--ide', file, ...z3.arguments, ...options];
      if (!process.env['QUOD_FSTAR_RECORD']) {
        return { executable: real.location, arguments: fstarArguments, folder };
      }
      return {
        executable: process.execPath,
        arguments: [program('recording-fstar.ts'), name, real.location, ...fstarArguments],
        folder,
      };
    },
  };
}
