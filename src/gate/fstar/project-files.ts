/**
 * The files that F* gets for a judgement: the submission, and of the target's folder the modules that it or the target
 * mentions, and those that these mention.
 *
 * Promise: what cannot be read is an error that says so. A folder that was not seen is no folder without modules:
 * F* would look for them elsewhere, or take others.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorText, QuodError } from '../../core/errors.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { modulesMentioned } from '../../provers/fstar/syntax/declaration-parts.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import type { SourceText } from '../verdict.ts';

export interface FstarFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Implementations beside the submission, those that others rest on first. */
  readonly modules: readonly string[];
}

/** Each file is read once, so that all submissions to a target are judged with the same ones. */
export class TargetFolder {
  readonly #target: SourceText;
  readonly #dialect: Dialect;
  readonly #folder: string;
  readonly #texts = new Map<string, Promise<string>>();
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(target: SourceText, dialect: Dialect) {
    this.#target = target;
    this.#dialect = dialect;
    this.#folder = dirname(target.path);
  }

  /**
   * @param own the name of the submission's file: `A.fst`
   * @throws QuodError `file-unreadable`
   */
  async filesFor(own: string, submission: string): Promise<FstarFiles> {
    this.#names ??= this.#list();
    const beside = await this.#names;
    const files = new Map<string, string>([[own, submission]]);
    if (this.#target.path.endsWith('.fsti')) files.set(basename(this.#target.path), this.#target.text);
    const modules: string[] = [];
    const waiting = [submission, this.#target.text];
    const take = async (name: string): Promise<void> => {
      if (!beside.has(name) || files.has(name)) return;
      const text = await this.#read(name);
      files.set(name, text);
      waiting.push(text);
      if (name.endsWith('.fst')) modules.unshift(name);
    };
    await take(`${own}i`);
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      for (const module of modulesMentioned(parseDeclarations(text, this.#dialect))) {
        if (`${module}.fst` === own) continue;
        for (const name of [`${module}.fsti`, `${module}.fst`]) await take(name);
      }
    }
    return { files, modules };
  }

  async #list(): Promise<ReadonlySet<string>> {
    try {
      const names = await readdir(this.#folder);
      return new Set(names.filter((name) => /^[\w.']+\.fsti?$/.test(name)));
    } catch (error) {
      throw unreadable(this.#folder, error);
    }
  }

  #read(name: string): Promise<string> {
    const path = join(this.#folder, name);
    const text =
      this.#texts.get(name) ??
      readRegularText(path).catch((error: unknown) => {
        throw unreadable(path, error);
      });
    this.#texts.set(name, text);
    return text;
  }
}

function unreadable(path: string, error: unknown): QuodError {
  return new QuodError('file-unreadable', `It cannot be read: ${errorText(error)}`, {
    place: { file: path },
    remedy: 'Make the folder of the target and the modules in it readable.',
    cause: error,
  });
}
