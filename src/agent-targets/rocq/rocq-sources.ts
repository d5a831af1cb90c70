/** The sources that a Rocq file rests on: itself and the files of its project that it requires, as text. */
import { basename, dirname, join, relative } from 'node:path';
import { leadsOut } from '../../process/foreign-folder/leads-out.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { projectSources, directlyRequired } from '../../provers/rocq/build/project-sources.ts';
import { findRocqProject, sourceFolderOf } from '../../provers/rocq/project/project.ts';
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
    const sources = await projectSources(project);
    const roots = project.loadPath.map((entry) => sourceFolderOf(project, entry));
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
      const required = frontier.flatMap(({ outline }) => directlyRequired(outline.requires, sources));
      for (const { path: file } of required) {
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
