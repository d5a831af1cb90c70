/** Compiles a text with a fresh coqc in a folder of its own, which is gone afterwards. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { orNothing } from '../../src/core/entry.ts';
import { runCommand, type CommandResult } from './command.ts';

export function coqFolder(): string {
  return execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();
}

export async function compile(
  text: string,
  options: {
    /** The file's name decides the name of the module. */
    readonly source: string;
    readonly loadPath: readonly string[];
    readonly timeoutSeconds: number;
    /** Processor time: unlike the other, this does not depend on what else the machine does. */
    readonly processorSeconds?: number;
  },
): Promise<CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  try {
    const file = basename(options.source);
    writeFileSync(join(folder, file), text);
    const limit = options.processorSeconds === undefined ? [] : [`--cpu=${options.processorSeconds}`];
    const words = [...limit, 'coqc', '-q', '-w', 'none', ...options.loadPath, file];
    return await runCommand('prlimit', words, {
      folder,
      timeoutSeconds: options.timeoutSeconds,
      // CoqHammer looks for its own programs on the path.
      environment: { PATH: `${orNothing(process.env['PATH'])}:/usr/libexec/coq-hammer` },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
