/**
 * Compiles sources of a project in the order of what they require, several at once. What was compiled from the same
 * text, on top of the same compiled files, by the same compiler is left as it is, whatever the times of the files
 * say. A source that does not compile costs those that require it and no other.
 */
import { createHash } from 'node:crypto';
import { rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../core/sha256.ts';
import { QuodError } from '../../../core/errors.ts';
import { LineIndex } from '../../../core/position.ts';
import { greatestOf } from '../../../core/lists/many.ts';
import { findExecutable } from '../../../process/executable.ts';
import {
  LARGEST_WRITTEN_BYTES,
  readRegularFile,
  readRegularText,
} from '../../../process/foreign-folder/regular-file.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { writeWholeFile } from '../../../process/whole-file.ts';
import { changeTime, globOf, isCompiledFrom, isWhole, unfinishedFileOf } from './compiled-from.ts';
import { coqArguments } from '../project/project.ts';
import { loadedFiles, readUnknownFiles } from './loaded-files.ts';
import type { PlannedBuild } from './needed-projects.ts';
import { withDotHint } from '../syntax/missing-dot.ts';
import { splitSentences } from '../syntax/sentences.ts';
import { isOutdated } from './outdated.ts';
import { systemErrorIn } from './system-error.ts';
import {
  type ProjectSource,
  directlyRequired,
  notCompiledWithAllBelow,
  requiresOf,
} from './project-sources.ts';

export interface BuildRequest extends Omit<PlannedBuild, 'behind'> {
  readonly compiler: RocqCompiler;
  readonly jobs: number;
  /** Where it is noted what was compiled from what. */
  readonly cacheDirectory: string;
  readonly signal: AbortSignal;
}

export type BuildEvent = { readonly path: string; readonly library: string } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'fresh' }
  | { readonly kind: 'compiled'; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly error: QuodError }
  /** Something that it requires did not compile. */
  | { readonly kind: 'left-out'; readonly because: string }
  /** The build was stopped before it was compiled: nothing is known of it. */
  | { readonly kind: 'stopped' }
);

export interface RocqCompiler {
  readonly executable: string;
  /** Before those of the project. */
  readonly arguments: readonly string[];
  /** As it prints it, with that of its OCaml: what one compiled another does not read. */
  readonly version: string;
}

/** The compiler that stands beside a prover, else the first in PATH. @throws QuodError `prover-missing`. */
export async function findRocqCompiler(besides?: string): Promise<RocqCompiler> {
  const beside =
    besides === undefined ? [] : [join(dirname(besides), 'coqc'), join(dirname(besides), 'rocq')];
  const executable = findExecutable([...beside, 'coqc', 'rocq']);
  if (executable === undefined) {
    throw new QuodError('prover-missing', 'There is no Rocq compiler (coqc or rocq) in PATH.', {
      remedy:
        'Install one (`apt install coq`); the embedded Rocq compiles what it needs by itself (`--backend embedded`).',
    });
  }
  const words = executable.endsWith('rocq') ? ['compile'] : [];
  const { code, output, errorOutput } = await runToEnd(executable, [...words, '-print-version'], {});
  if (code !== 0)
    throw new QuodError('prover-missing', `${executable} does not print its version: ${errorOutput.trim()}`);
  return { executable, arguments: words, version: output.trim() };
}

/** Answers whether everything is compiled. */
export async function buildSources(
  request: BuildRequest,
  onEvent: (event: BuildEvent) => void,
): Promise<boolean> {
  const build = new Build(request, onEvent);
  await build.run();
  return build.complete;
}

const recordSchema = z.object({ key: z.string(), compiled: z.string() });

/** What a compiled file is made of. */
interface MadeOf {
  readonly text: Uint8Array;
  /** The compiled files of what it requires itself. */
  readonly below: readonly string[];
  /** The files that the text loads. */
  readonly loaded: Iterable<string>;
  /** Stands for all of it, and for what it requires. */
  readonly key: string;
}

class Build {
  readonly #request: BuildRequest;
  readonly #onEvent: (event: BuildEvent) => void;
  /** What each source was compiled from, once it is; undefined when it could not be. */
  readonly #keys = new Map<string, Promise<string | undefined>>();
  /** Where each source is in the order. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #slots: Slots;
  complete = true;

  constructor(request: BuildRequest, onEvent: (event: BuildEvent) => void) {
    this.#request = request;
    this.#onEvent = onEvent;
    this.#places = new Map(request.sources.map(({ path }, index) => [path, index]));
    this.#slots = new Slots(request.jobs);
  }

  async run(): Promise<void> {
    const { sources, given } = this.#request;
    const taken = sources.filter(({ path }) => given.has(path));
    const broken = await notCompiledWithAllBelow(taken);
    for (const source of taken) {
      const key = broken.has(source.path) ? undefined : sha256(await this.#compiledOf(source));
      this.#keys.set(source.path, Promise.resolve(key));
    }
    // In the order of what they require, so that the promises that a source waits for are there.
    for (const source of sources)
      if (!given.has(source.path)) this.#keys.set(source.path, this.#madeOrFailed(source));
    await Promise.all(this.#keys.values());
  }

  /** A source that cannot be read is one that does not compile. */
  async #madeOrFailed(source: ProjectSource): Promise<string | undefined> {
    try {
      return await this.#make(source);
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
      return this.#leave(source, { kind: 'failed', error });
    }
  }

  /** @returns its key: it has none. */
  #leave({ path, library }: ProjectSource, why: Distributed<BuildEvent>): string | undefined {
    this.complete = false;
    this.#onEvent({ path, library, ...why });
    return undefined;
  }

  async #make(source: ProjectSource): Promise<string | undefined> {
    const { path, library } = source;
    const tell = (event: Distributed<BuildEvent>): void => this.#onEvent({ path, library, ...event });
    const clash = this.#request.clashes.get(path);
    if (clash !== undefined) throw clash;
    const text = await readRegularFile(path, LARGEST_WRITTEN_BYTES);
    const hash = createHash('sha256').update(this.#settings()).update(library).update('\0').update(text);
    const required = directlyRequired(await requiresOf(path), this.#request.sources).filter(
      (needed) => needed.path !== path,
    );
    for (const needed of required) {
      if (this.#place(needed) > this.#place(source)) {
        const message = `${library} and ${needed.library} require each other.`;
        throw new QuodError('invalid-input', message, { place: { file: path } });
      }
      const key = await this.#keys.get(needed.path);
      if (key === undefined)
        return this.#leave(
          source,
          this.#isStopped() ? { kind: 'stopped' } : { kind: 'left-out', because: needed.library },
        );
      hash.update(key);
    }
    const loaded = (await loadedFiles(path, source.where)) ?? [];
    for (const file of loaded) hash.update(await readRegularFile(file, LARGEST_WRITTEN_BYTES));
    const key = hash.digest('hex');
    const madeOf = { text, loaded, key, below: required.map(({ compiled }) => compiled) };
    const readsMore = await readUnknownFiles(path, loaded);
    return this.#slots.use(async () => {
      if (this.#isStopped()) return this.#leave(source, { kind: 'stopped' });
      if (!readsMore && (await this.#isFresh(source, madeOf))) {
        await this.#renew(source, madeOf);
        tell({ kind: 'fresh' });
        return key;
      }
      tell({ kind: 'started' });
      const started = performance.now();
      const error = await this.#compile(source, text.toString());
      if (error !== undefined)
        return this.#leave(source, this.#isStopped() ? { kind: 'stopped' } : { kind: 'failed', error });
      await this.#note(source, key);
      tell({ kind: 'compiled', elapsedMs: performance.now() - started });
      // What it was made of is not known; what came of it is.
      return readsMore ? sha256(`${key}${sha256(await this.#compiledOf(source))}`) : key;
    });
  }

  /** A compiled file that stands for its text is no older than that: make, and what tells how files are compiled, look at the times. */
  async #renew(source: ProjectSource, { loaded, below }: MadeOf): Promise<void> {
    const others = [source.path, unfinishedFileOf(source.compiled), ...loaded, ...below];
    const times = await Promise.all(others.map(changeTime));
    const latest = greatestOf(times.map((time) => time ?? -Infinity));
    const made = await changeTime(source.compiled);
    if (made === undefined || made >= latest) return;
    const now = new Date(Math.max(Date.now(), Math.ceil(latest)));
    // Where nothing may be written the times stay.
    await utimes(source.compiled, now, now).catch(() => undefined);
  }

  #compiledOf({ compiled }: ProjectSource): Promise<Buffer> {
    return readRegularFile(compiled, LARGEST_WRITTEN_BYTES);
  }

  #place({ path }: ProjectSource): number {
    return this.#places.get(path) ?? Infinity;
  }

  /** Asked again after a wait. */
  #isStopped(): boolean {
    return this.#request.signal.aborted;
  }

  #settings(): string {
    const { compiler, project } = this.#request;
    return JSON.stringify([compiler.version, coqArguments(project)]);
  }

  /**
   * By what was noted of an earlier build. Without a note, of one by make, by what the compiled file says that it was
   * compiled from, and by the times of the files.
   */
  async #isFresh(source: ProjectSource, { text, key, below }: MadeOf): Promise<boolean> {
    const compiled = await readRegularFile(source.compiled, LARGEST_WRITTEN_BYTES).catch(() => undefined);
    if (compiled === undefined) return false;
    const noted = await this.#noted(source);
    if (noted !== undefined && noted.compiled === sha256(compiled)) return noted.key === key;
    const { version } = this.#request.compiler;
    if (!isWhole(compiled, version) || isCompiledFrom(source.compiled, text, source.names) !== true)
      return false;
    if (await isOutdated(source, () => Promise.resolve(true))) return false;
    const made = await changeTime(source.compiled);
    for (const needed of below) {
      const time = await changeTime(needed);
      if (made === undefined || time === undefined || time > made) return false;
    }
    await this.#note(source, key);
    return true;
  }

  async #noted(source: ProjectSource): Promise<z.output<typeof recordSchema> | undefined> {
    const text = await readRegularText(this.#notePath(source), LARGEST_WRITTEN_BYTES).catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return recordSchema.parse(JSON.parse(text));
    } catch {
      // Cut by a crash: as if it were not there.
      return undefined;
    }
  }

  async #note(source: ProjectSource, key: string): Promise<void> {
    const compiled = sha256(await readRegularFile(source.compiled, LARGEST_WRITTEN_BYTES));
    await writeWholeFile(this.#notePath(source), Buffer.from(JSON.stringify({ key, compiled })));
  }

  #notePath({ compiled }: ProjectSource): string {
    return join(this.#request.cacheDirectory, 'builds', `${sha256(Buffer.from(compiled))}.json`);
  }

  async #compile({ path, compiled }: ProjectSource, text: string): Promise<QuodError | undefined> {
    const { compiler, project, signal } = this.#request;
    const before = await changeTime(compiled);
    const glob = globOf(compiled);
    const wasNoted = await changeTime(glob);
    const noted = await readRegularFile(glob, LARGEST_WRITTEN_BYTES).catch(() => undefined);
    const { code, errorOutput } = await runToEnd(
      compiler.executable,
      [...compiler.arguments, '-q', ...coqArguments(project), path],
      { folder: project.root, signal },
    );
    if (code === 0) {
      const made = await changeTime(compiled);
      return made === undefined || made === before ? nothingMade(path, compiled) : undefined;
    }
    // The compiler has noted this text there, and what was compiled before is of another.
    if (noted !== undefined) await writeWholeFile(glob, noted).catch(() => undefined);
    else if (wasNoted === undefined) await rm(glob, { force: true }).catch(() => undefined);
    return (await systemErrorIn(errorOutput, project.root)) ?? compileError(path, text, errorOutput);
  }
}

/** With an option such as `-vos` or `-where` a compiler ends well and compiles nothing. */
function nothingMade(path: string, compiled: string): QuodError {
  return new QuodError('does-not-compile', `The compiler ended well, but made no ${basename(compiled)}.`, {
    place: { file: path },
    remedy: 'Take the option out of the project (`-arg`) that keeps it from compiling.',
  });
}

type Distributed<Event> = Event extends unknown ? Omit<Event, 'path' | 'library'> : never;

/** The last error that the compiler printed; its characters are counted in bytes. */
export function compileError(file: string, text: string, errorOutput: string): QuodError {
  const header = [
    ...errorOutput.matchAll(/^File "[^"\n]*", line (\d+), characters (\d+)-\d+:\nError:\s*/gmu),
  ].at(-1);
  if (header === undefined) {
    const message = /^Error:\s*([^]*)/mu.exec(errorOutput)?.[1] ?? errorOutput;
    return new QuodError('does-not-compile', message.trim(), { place: { file } });
  }
  const lines = new LineIndex(text);
  const start = lines.offsetAt({ line: Number(header[1]) - 1, character: 0 }) ?? text.length;
  const before = Buffer.from(text.slice(start)).subarray(0, Number(header[2])).toString();
  const position = lines.printedAt(start + before.length);
  const message = errorOutput.slice(header.index + header[0].length).trim();
  const at = start + before.length;
  const refused = splitSentences(text).sentences.find(({ span }) => span.start <= at && at < span.end);
  const told = refused === undefined ? message : withDotHint(message, text, refused.span);
  return new QuodError('does-not-compile', told, { place: { file, position } });
}

interface ProgramSettings {
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: string) => void;
}

/** Runs a program to its end, or kills it when the signal says so. `onLine` hears each line of its output as it comes. */
export async function runToEnd(
  executable: string,
  programArguments: readonly string[],
  { folder, signal, onLine }: ProgramSettings,
): Promise<{ readonly code: number | null; readonly output: string; readonly errorOutput: string }> {
  const child = await GuardedChild.start(
    executable,
    programArguments,
    folder === undefined ? {} : { folder },
  );
  const stop = (): void => void child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  let output = '';
  let told = 0;
  child.output.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    for (let end = output.indexOf('\n', told); end >= 0; end = output.indexOf('\n', told)) {
      onLine?.(output.slice(told, end));
      told = end + 1;
    }
  });
  try {
    const { code, errorOutput } = await child.exited;
    return { code, output, errorOutput };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** So many works at once; the others wait in order. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
