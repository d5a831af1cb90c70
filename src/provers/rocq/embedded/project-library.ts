/**
 * The files of the user's own project, for the embedded Rocq: compiled files of an installed Rocq are of no use to it,
 * so what a file requires of its project is compiled from source, in threads of its own, and kept by content.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '../../../core/sha256.ts';
import { entryAt } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { LineIndex } from '../../../core/position.ts';
import { leadsOut } from '../../../process/foreign-folder/leads-out.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { readSealedFile, writeSealedFile } from '../../../process/whole-file.ts';
import { findRocqProject, type LoadPathEntry, sourceFolderOf } from '../project/project.ts';
import { sentenceHead } from '../syntax/sentence-head.ts';
import { type Sentence, splitSentences } from '../syntax/sentences.ts';

export interface FileForCoq {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What must be in place before a sentence that requires project files. */
export interface Provision {
  readonly files: readonly FileForCoq[];
  /** Sentences that tell Coq where those files are. */
  readonly loadPath: readonly string[];
  /** Digests of the names of all files and of the content of those that are required. */
  readonly listing: string;
  readonly content: string;
}

interface ProjectModule {
  /** Full logical name. */
  readonly name: string;
  readonly source: string;
  /** Where Coq finds it. */
  readonly target: string;
  readonly entry: LoadPathEntry;
}

/** Compiles one file: executes its sentences in a document of that name and answers the compiled file. */
export type CompileModule = (
  module: { readonly name: string; readonly source: string },
  sentences: readonly Sentence[],
  signal: AbortSignal,
) => Promise<Uint8Array>;

const MOST_FILES = 5000;
/** Where the project lies in Coq's own file system. */
const ROOT = '/project';

export class ProjectLibrary {
  readonly #file: string;
  readonly #compile: CompileModule;
  /** Compiled files are kept here; nowhere when undefined. */
  readonly #cache: string | undefined;
  #modules: Promise<readonly ProjectModule[]> | undefined;
  readonly #compiled = new Map<string, Promise<{ readonly key: string; readonly bytes: Uint8Array }>>();

  constructor(file: string, compile: CompileModule, cache: string | undefined) {
    this.#file = resolve(file);
    this.#compile = compile;
    this.#cache = cache;
  }

  /**
   * What a sentence needs of the project; undefined when nothing.
   * @throws QuodError `library-missing` when a file that it requires does not compile, `interrupted`.
   */
  async provide(sentence: string, signal: AbortSignal): Promise<Provision | undefined> {
    if (!sentence.includes('Require')) return undefined;
    const required = await this.#requiredBy(sentence);
    if (required.length === 0) return undefined;
    const needed = new Map<string, Uint8Array>();
    for (const module of required) await this.#collect(module, needed, [], signal);
    const all = await this.#all();
    const files = all.map(({ target }) => ({ name: target, bytes: needed.get(target) ?? new Uint8Array() }));
    const entries = new Map(all.map(({ entry }) => [entry.physical, entry]));
    return {
      files,
      loadPath: [...entries.values()].map(loadPathSentence),
      listing: shortDigest(all.map(({ target }) => target)),
      content: shortDigest([...needed].map(([target, bytes]) => target + sha256(bytes))),
    };
  }

  /**
   * A file of the project by its logical name; undefined for what is none of its files.
   * @throws QuodError as `provide`.
   */
  async compiled(name: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const module = (await this.#all()).find((one) => one.name === name);
    return module && (await this.#compiledFile(module, signal)).bytes;
  }

  async #collect(
    module: ProjectModule,
    into: Map<string, Uint8Array>,
    path: readonly ProjectModule[],
    signal: AbortSignal,
  ): Promise<void> {
    if (into.has(module.target)) return;
    for (const dependency of await this.#dependencies(module)) {
      if (path.includes(dependency) || dependency === module)
        throw new QuodError('library-missing', `${module.name} and ${dependency.name} require each other.`);
      await this.#collect(dependency, into, [...path, module], signal);
    }
    into.set(module.target, (await this.#compiledFile(module, signal)).bytes);
  }

  #compiledFile(
    module: ProjectModule,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly bytes: Uint8Array }> {
    const known = this.#compiled.get(module.target);
    if (known) return known;
    const compiling = this.#makeCompiled(module, signal);
    this.#compiled.set(module.target, compiling);
    // What was interrupted or did not compile may do so the next time.
    compiling.catch(() => this.#compiled.delete(module.target));
    return compiling;
  }

  async #makeCompiled(
    module: ProjectModule,
    signal: AbortSignal,
  ): Promise<{ readonly key: string; readonly bytes: Uint8Array }> {
    const text = await readRegularText(module.source);
    const hash = createHash('sha256').update(JSON.stringify([module.name, text]));
    for (const dependency of await this.#dependencies(module))
      hash.update((await this.#compiledFile(dependency, signal)).key);
    const key = hash.digest('hex');
    const kept = await this.#kept(key);
    if (kept) return { key, bytes: kept };
    const sentences = splitSentences(text).sentences;
    const starts = new LineIndex(text);
    let bytes: Uint8Array;
    try {
      bytes = await this.#compile(module, sentences, signal);
    } catch (error) {
      if (!(error instanceof FailedSentence)) throw error;
      const at = entryAt(sentences, error.index, 'sentence').span.start;
      throw new QuodError('library-missing', `${module.name} does not compile: ${error.message}`, {
        place: { file: module.source, position: starts.printedAt(at) },
        remedy: 'The embedded Rocq compiles project files from source; correct this one first.',
      });
    }
    await this.#keep(key, bytes);
    return { key, bytes };
  }

  async #dependencies(module: ProjectModule): Promise<readonly ProjectModule[]> {
    const text = await readRegularText(module.source).catch(() => '');
    return this.#requiredBy(text);
  }

  async #requiredBy(text: string): Promise<readonly ProjectModule[]> {
    const found = new Set<ProjectModule>();
    for (const sentence of splitSentences(text).sentences) {
      const head = sentenceHead(sentence);
      if (head.kind !== 'require') continue;
      for (const name of head.modules) {
        const module = matching(await this.#all(), head.from, name);
        if (module) found.add(module);
      }
    }
    return [...found];
  }

  #all(): Promise<readonly ProjectModule[]> {
    this.#modules ??= this.#list();
    return this.#modules;
  }

  async #list(): Promise<readonly ProjectModule[]> {
    const project = await findRocqProject(this.#file);
    const entries: readonly LoadPathEntry[] =
      project.source === undefined
        ? [{ flag: '-Q', physical: dirname(this.#file), logical: '' }]
        : project.loadPath;
    const modules: ProjectModule[] = [];
    for (const [index, entry] of entries.entries()) {
      const recursive = project.source !== undefined;
      // Not the copies that dune made when it last compiled.
      const folder = sourceFolderOf(project, entry);
      for (const parts of await sourcesIn(folder, recursive, MOST_FILES - modules.length)) {
        const source = join(folder, ...parts) + '.v';
        // What is compiled can be printed, also for a model: a link out of the project is none of its files.
        if (source === this.#file || leadsOut(source, project.root, folder)) continue;
        const name = [...(entry.logical === '' ? [] : entry.logical.split('.')), ...parts].join('.');
        modules.push({ name, source, entry, target: `${ROOT}/${String(index)}/${parts.join('/')}.vo` });
      }
    }
    const numbers = new Map(entries.map((entry, index) => [entry, index]));
    return modules.map((module) => ({
      ...module,
      entry: { ...module.entry, physical: `${ROOT}/${String(numbers.get(module.entry))}` },
    }));
  }

  async #kept(key: string): Promise<Uint8Array | undefined> {
    if (this.#cache === undefined) return undefined;
    const bytes = await readSealedFile(join(this.#cache, `${key}.module`));
    return bytes && new Uint8Array(bytes);
  }

  async #keep(key: string, bytes: Uint8Array): Promise<void> {
    if (this.#cache === undefined) return;
    try {
      await writeSealedFile(join(this.#cache, `${key}.module`), bytes);
    } catch {
      // It will be compiled again.
    }
  }
}

/** A sentence of a project file was refused. */
export class FailedSentence extends Error {
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

function shortDigest(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

function loadPathSentence({ flag, physical, logical }: LoadPathEntry): string {
  const as = logical === '' ? '' : ` as ${logical}`;
  return `Add ${flag === '-R' ? 'Rec ' : ''}LoadPath "${physical}"${as}.`;
}

/** The module that `From from Require name` means: the one of that very name, else one whose name ends so. */
function matching(
  modules: readonly ProjectModule[],
  from: string | undefined,
  name: string,
): ProjectModule | undefined {
  const exact = from === undefined ? name : `${from}.${name}`;
  const fits = (module: ProjectModule): boolean => {
    if (!module.name.endsWith(`.${name}`)) return false;
    // Without `From`, only what `-R` maps is visible by the end of its name.
    return from === undefined ? module.entry.flag === '-R' : module.name.startsWith(`${from}.`);
  };
  return modules.find((module) => module.name === exact) ?? modules.find(fits);
}

/** The sources below a folder, as the parts of their names without `.v`. */
async function sourcesIn(
  folder: string,
  recursive: boolean,
  most: number,
): Promise<readonly (readonly string[])[]> {
  const sources: (readonly string[])[] = [];
  const waiting: (readonly string[])[] = [[]];
  for (let parts = waiting.pop(); parts !== undefined && sources.length < most; parts = waiting.pop()) {
    const entries = await readdir(join(folder, ...parts), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isDirectory()) {
        // What cannot be part of a logical name is not searched: `.git`, `_build` holds copies.
        if (recursive && /^[\p{L}][\p{L}\p{N}_']*$/u.test(entry.name)) waiting.push([...parts, entry.name]);
      } else if (entry.name.endsWith('.v')) sources.push([...parts, basename(entry.name, '.v')]);
    }
  }
  return sources.slice(0, Math.max(0, most));
}
