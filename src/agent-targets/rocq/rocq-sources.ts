/** The sources that a Rocq file rests on: itself and the files of its project that it requires, as text. */
import { lastPart } from '../../core/qualified-name.ts';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { leadsOut } from '../../process/foreign-folder/leads-out.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { findRocqProject, libraryNameIn, sourceFolderOf } from '../../provers/rocq/project.ts';
import { outlineOf, type FileOutline } from '../../provers/rocq/syntax/outline.ts';
import { unitsOf, type Unit } from './rocq-declarations.ts';

export interface ReadSource {
  /** Absolute. */
  readonly path: string;
  /** As models are told. */
  readonly name: string;
  readonly outline: FileOutline;
  readonly units: readonly Unit[];
}

const MOST_FILES = 3000;
const MOST_READ = 80;
const MOST_CHARACTERS = 6_000_000;

export class RocqSources {
  readonly own: ReadSource;
  /** Of its project: what it requires, and what that requires, the nearest first. */
  readonly required: readonly ReadSource[];
  readonly #folder: string;

  private constructor(own: ReadSource, required: readonly ReadSource[]) {
    this.own = own;
    this.required = required;
    this.#folder = dirname(own.path);
  }

  static async read(path: string, text: string): Promise<RocqSources> {
    const project = await findRocqProject(path);
    const roots =
      project.source === undefined
        ? [dirname(path)]
        : project.loadPath.map((entry) => sourceFolderOf(project, entry));
    const byLast = new Map<string, { readonly path: string; readonly library: string }[]>();
    const files = new Set<string>();
    for (const root of roots) {
      const entries = await readdir(root, { recursive: project.source !== undefined }).catch(() => []);
      for (const entry of entries.filter((one) => one.endsWith('.v')).slice(0, MOST_FILES)) {
        const file = join(root, entry);
        if (files.has(file)) continue;
        files.add(file);
        const library = libraryNameIn(project, file) ?? basename(file, '.v');
        const last = lastPart(library);
        byLast.set(last, [...(byLast.get(last) ?? []), { path: file, library }]);
      }
    }
    const nameOf = (file: string): string => relative(dirname(path), file);
    const sourceOf = (file: string, content: string): ReadSource => {
      const outline = outlineOf(content);
      return { path: file, name: nameOf(file), outline, units: unitsOf(outline) };
    };
    const own = sourceOf(path, text);
    const read = new Map<string, ReadSource>([[path, own]]);
    let characters = 0;
    let frontier = [own];
    while (frontier.length > 0) {
      const next: ReadSource[] = [];
      for (const file of frontier.flatMap(({ outline }) => requiredOf(outline, byLast))) {
        if (read.has(file) || read.size > MOST_READ || characters > MOST_CHARACTERS) continue;
        // What is read here is sent to a model. The load path says which folders are the project's.
        if (leadsOut(file, project.root, ...roots)) continue;
        const content = await readRegularText(file).catch(() => undefined);
        if (content === undefined) continue;
        characters += content.length;
        const source = sourceOf(file, content);
        read.set(file, source);
        next.push(source);
      }
      frontier = next;
    }
    const required = [...read.values()].filter((source) => source !== own);
    return new RocqSources(own, required);
  }

  /** All that can be read: the file first. */
  get all(): readonly ReadSource[] {
    return [this.own, ...this.required];
  }

  /** A source by its name, of those that the file rests on. */
  named(name: string): ReadSource | undefined {
    const path = join(this.#folder, name);
    return this.all.find(
      (source) => source.path === path || source.name === name || basename(source.path) === name,
    );
  }
}

function requiredOf(
  { requires }: FileOutline,
  byLast: ReadonlyMap<string, readonly { readonly path: string; readonly library: string }[]>,
): readonly string[] {
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) =>
      (byLast.get(lastPart(module)) ?? [])
        .filter(
          ({ library }) =>
            (from === undefined || library.startsWith(`${from}.`)) &&
            (library === module || library.endsWith(`.${module}`)),
        )
        .map(({ path }) => path),
    ),
  );
}
