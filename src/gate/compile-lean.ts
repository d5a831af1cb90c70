/**
 * Compiles a Lean source to a module that the judge of src/gate/lean can read. Elaborating a Lean file runs its code, so
 * this happens in a sandbox (bubblewrap): no network, no other processes in sight, nothing writable but a scratch folder,
 * and limits on time, memory and the size of files. What comes out is data like any other compiled module.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { QuodError } from '../core/errors.ts';
import { findExecutable } from '../process/executable.ts';
import { GuardedChild } from '../process/guarded-child.ts';
import { underLimits } from '../process/interrupt-ladder.ts';
import { type SearchSettings, searchRoots } from './lean/olean/search-path.ts';
import { makeScratchFolder } from '../process/scratch-folder.ts';

export interface CompileSettings extends SearchSettings {
  /** Milliseconds. Default 600,000. */
  readonly timeoutMs?: number;
  /** Bytes of memory. Default 8 GiB. */
  readonly memoryLimit?: number;
  readonly signal?: AbortSignal;
}

export interface CompiledSource {
  readonly path: string;
  /** Where the modules that it imports were looked for. */
  readonly searchPath: readonly string[];
  /** Removes the scratch folder with the module in it. */
  readonly remove: () => void;
}

const FILE_LIMIT_KB = 1024 * 1024;
/** `ulimit` holds for everything below; bubblewrap itself has no limits. */
const LIMITED = `ulimit -f ${FILE_LIMIT_KB * 2} -c 0; exec "$@"`;

/**
 * @throws QuodError `prover-missing` without a toolchain or a sandbox, `does-not-compile` with Lean's messages, `timeout`,
 * `memory-exceeded`, `interrupted`.
 */
export async function compileLean(source: string, settings: CompileSettings = {}): Promise<CompiledSource> {
  if (!existsSync(source))
    throw new QuodError('not-found', 'There is no such file.', { place: { file: source } });
  const environment = settings.environment ?? process.env;
  const roots = searchRoots(source, settings);
  const toolchain = roots.find(({ origin }) => origin === 'toolchain');
  if (toolchain === undefined)
    throw new QuodError('prover-missing', 'No Lean toolchain was found to compile the source with.', {
      place: { file: source },
      remedy: 'Install Lean (elan), set LEAN_SYSROOT, or judge compiled modules (.olean).',
    });
  const sandbox = findExecutable(['bwrap'], environment);
  if (sandbox === undefined)
    throw new QuodError('prover-missing', 'Without bubblewrap (bwrap) no foreign Lean source is compiled.', {
      place: { file: source },
      remedy: 'Install bubblewrap, or compile the source in a sandbox of your own and judge the .olean file.',
    });
  const scratch = makeScratchFolder('lean');
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    copyFileSync(source, join(scratch, 'Main.lean'));
    const path = join(scratch, 'Main.olean');
    const child = await GuardedChild.start(
      sandbox,
      [
        ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
        // Libraries may lie in the folder that was just hidden.
        ...roots.flatMap(({ folder }) => ['--ro-bind', folder, folder]),
        ...['--ro-bind', join(toolchain.folder, '..', '..'), join(toolchain.folder, '..', '..')],
        ...['--bind', scratch, scratch, '--chdir', scratch],
        ...['--unshare-all', '--die-with-parent', '--clearenv'],
        ...['--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'HOME', scratch],
        ...['--setenv', 'LEAN_PATH', roots.map(({ folder }) => folder).join(':')],
        ...['/bin/sh', '-c', LIMITED, 'sh'],
        ...[join(toolchain.folder, '..', '..', 'bin', 'lean'), '-o', path, join(scratch, 'Main.lean')],
      ],
      // Bubblewrap's own environment can be read inside.
      { folder: scratch, environment: {}, memoryLimit: settings.memoryLimit ?? 8 * 1024 ** 3 },
    );
    await finished(child, source, settings);
    if (!existsSync(path))
      throw new QuodError('does-not-compile', 'Lean wrote no module.', { place: { file: source } });
    return { path, searchPath: roots.map(({ folder }) => folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function finished(child: GuardedChild, source: string, settings: CompileSettings): Promise<void> {
  let messages = '';
  child.output.setEncoding('utf8').on('data', (text: string) => {
    if (messages.length < 4000) messages += text;
  });
  const { timeoutMs = 600_000, signal } = settings;
  const stoppable = {
    interrupt: () => child.interrupt(),
    kill: async () => {
      await child.kill();
    },
  };
  const { answer, stopped } = await underLimits(stoppable, { timeoutMs, signal }, () => child.exited);
  const place = { file: source };
  if (answer.memoryExceeded)
    throw new QuodError('memory-exceeded', 'Lean used more memory than it was given.', { place });
  if (stopped !== undefined)
    throw new QuodError(stopped, 'Lean was stopped before it had compiled the source.', { place });
  if (answer.code !== 0) {
    const said = (messages + answer.errorOutput).trim().split('\n').slice(0, 5).join(' ');
    throw new QuodError('does-not-compile', `Lean refuses the source: ${said || 'without a message'}`, {
      place,
    });
  }
}
