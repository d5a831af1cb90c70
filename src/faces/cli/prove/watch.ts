/**
 * `quod prove --watch`: proves again what changed, until Ctrl+C. A file that changes while it is searched is begun
 * anew; one that is written with the same content is left alone.
 */
import { watch, type FSWatcher } from 'chokidar';
import { resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { filesNamed, type NamedFile } from '../../../operations/project/named-files.ts';
import { readSourceFile } from '../../../operations/files/source-file.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

/** Editors write in several steps. */
const SETTLED_MS = 100;

/** Proves one file; the signal ends it early. */
export type ProveNamed = (file: NamedFile, signal: AbortSignal) => Promise<ExitCode>;

/** @param names Files, or folders of which the files with holes are meant. */
export async function proveWatching(
  names: readonly string[],
  prove: ProveNamed,
  signal: AbortSignal,
): Promise<ExitCode> {
  const changes = new Changes(names);
  const proved = new Map<string, string>();
  let exitCode: ExitCode = 0;
  try {
    for (;;) {
      const begun = changes.begin();
      const isOver = (): boolean => signal.aborted || begun.aborted;
      const files = await filesNamed(names);
      for (const file of files) {
        const hash = await hashOf(file.name);
        if (hash === undefined && proved.delete(file.name))
          console.error(
            `${foreignName(file.name)} cannot be read any more. It is proved again when it is back.`,
          );
        if (hash === undefined || proved.get(file.name) === hash || isOver()) continue;
        if (proved.has(file.name)) console.error(`${foreignName(file.name)} changed.`);
        proved.set(file.name, hash);
        const code = await prove(file, AbortSignal.any([signal, begun]));
        if (isOver()) proved.delete(file.name);
        else exitCode = code;
      }
      if (isEnded(signal)) return exitCode;
      if (isOver()) continue;
      console.error(`Watching ${counted(files.length, 'file')}; Ctrl+C ends.`);
      await changes.next(signal);
      if (isEnded(signal)) return exitCode;
    }
  } finally {
    await changes.close();
  }
}

/** Asked anew each time, also where it was not yet a line before. */
function isEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function hashOf(name: string): Promise<string | undefined> {
  try {
    return (await readSourceFile(name)).hash;
  } catch {
    // Gone, or half written: what comes next is told when it is there.
    return undefined;
  }
}

/** Whether anything was written since it was last asked. */
class Changes {
  readonly #watcher: FSWatcher;
  #current = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(names: readonly string[]) {
    this.#watcher = watch(
      names.map((name) => resolve(name)),
      { ignoreInitial: true, ignored: (path, stats) => stats?.isFile() === true && !SOURCE.test(path) },
    );
    this.#watcher.on('all', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#current.abort(), SETTLED_MS);
    });
    this.#watcher.on('error', () => undefined);
  }

  /** Aborts with the first change from now on. */
  begin(): AbortSignal {
    if (this.#current.signal.aborted) this.#current = new AbortController();
    return this.#current.signal;
  }

  next(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#current.signal]);
    return new Promise((done) => {
      if (either.aborted) done();
      else either.addEventListener('abort', () => done(), { once: true });
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#watcher.close();
  }
}

const SOURCE = /\.(?:v|sml|fst|fsti|lean)$/u;
