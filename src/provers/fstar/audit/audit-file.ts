/**
 * Everything to know about a file before believing that it was checked: its text, its interface, its dependencies,
 * its options.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { orNothing, present } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { counterpartOf, shellWords } from '../project.ts';
import { parseDeclarations } from '../syntax/declarations.ts';
import { modulesMentioned, pragmaOptions } from '../syntax/declaration-parts.ts';
import { scanCommandLine, scanText, undefinedVals } from './scan.ts';
import type { Escape } from './escape.ts';
import { unsafeOptions } from './unsafe-options.ts';

export interface FileEscape extends Escape {
  /** Absolute. */
  readonly file: string;
}

export interface Dependency {
  readonly module: string;
  /** Absolute, or null when no folder has the module: F*'s own library, or nothing. */
  readonly file: string | null;
  /** Whether there is a compiled form of it, and whether it is newer than the source. */
  readonly checked: 'fresh' | 'stale' | 'missing' | 'library';
}

export interface StaticAudit {
  readonly escapes: readonly FileEscape[];
  readonly dependencies: readonly Dependency[];
  /** The texts that were looked at, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface AuditSetting {
  readonly folder: string;
  readonly includeFolders: readonly string[];
  readonly options: readonly string[];
  /** The folder of F*'s own library, whose modules are taken for granted; null: not known. */
  readonly library: string | null;
}

/** Bounds a project that names itself in circles or is very large; the answer says when it is reached. */
const MOST_FILES = 2000;

/** The file, its counterpart, and all files of the project that they depend on. */
export async function auditFile(file: string, text: string, setting: AuditSetting): Promise<StaticAudit> {
  const texts = new Map<string, string>([[file, text]]);
  const escapes: FileEscape[] = scanCommandLine(setting.options).map((escape) => ({ ...escape, file }));
  const dependencies = new Map<string, Dependency>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const own = present(texts.get(next), 'text of a file that waits');
    const here = next;
    appendAll(
      escapes,
      scanText(own).map((escape) => ({ ...escape, file: here })),
    );
    const counterpart = counterpartOf(next);
    if (counterpart !== null) await take(counterpart, texts, waiting);
    appendAll(escapes, await valsOf(next, own, counterpart, texts));
    for (const module of modulesMentioned(parseDeclarations(own))) {
      if (dependencies.has(module)) continue;
      const found = locate(module, setting);
      if (found === undefined) continue;
      const dependency = await describe(module, found, setting);
      dependencies.set(module, dependency);
      if (dependency.checked === 'library') continue;
      await take(found, texts, waiting);
      if (dependency.checked === 'fresh') continue;
      escapes.push({
        kind: 'unchecked-dependency',
        severity: 'suspicious',
        text: module,
        explanation: `F* loads it without proving it: its checked file is ${dependency.checked}.`,
        span: null,
        declaration: null,
        affects: [],
        file: here,
      });
    }
  }
  return { escapes, dependencies: [...dependencies.values()], texts };
}

async function take(file: string, texts: Map<string, string>, waiting: string[]): Promise<void> {
  if (texts.has(file) || texts.size >= MOST_FILES) return;
  texts.set(file, await readRegularText(file));
  waiting.push(file);
}

async function valsOf(
  file: string,
  text: string,
  counterpart: string | null,
  texts: ReadonlyMap<string, string>,
): Promise<readonly FileEscape[]> {
  const isInterface = file.endsWith('.fsti');
  if (!isInterface) return undefinedVals(text).map((escape) => ({ ...escape, file }));
  if (counterpart === null) {
    return undefinedVals(text).map((escape) => ({
      ...escape,
      explanation: 'The interface states it, and there is no implementation beside it.',
      severity: 'suspicious',
      file,
    }));
  }
  const implementation = texts.get(counterpart) ?? (await readRegularText(counterpart));
  return undefinedVals(text, implementation).map((escape) => ({ ...escape, file }));
}

function locate(module: string, { folder, includeFolders, library }: AuditSetting): string | undefined {
  const folders = [
    folder,
    ...includeFolders.map((include) => resolve(folder, include)),
    ...(library ? [library] : []),
  ];
  for (const place of folders) {
    for (const name of [`${module}.fst`, `${module}.fsti`]) {
      const path = join(place, name);
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}

async function describe(
  module: string,
  file: string,
  { options, folder, library }: AuditSetting,
): Promise<Dependency> {
  if (library !== null && dirname(file).startsWith(library)) return { module, file, checked: 'library' };
  const cache = options.indexOf('--cache_dir');
  const cacheFolder = cache < 0 ? dirname(file) : resolve(folder, options[cache + 1] ?? '.');
  const compiled = join(cacheFolder, `${file.slice(dirname(file).length + 1)}.checked`);
  const [source, made] = await Promise.all([stat(file), stat(compiled).catch(() => undefined)]);
  if (made === undefined) return { module, file, checked: 'missing' };
  return { module, file, checked: made.mtimeMs >= source.mtimeMs ? 'fresh' : 'stale' };
}

/**
 * The text with the unsafe words of its option pragmas taken out and nothing else changed, lines included: what it says
 * when it may not admit. Undefined when there is nothing to take out.
 */
export function withoutUnsafeOptions(text: string): string | undefined {
  let changed = '';
  let copied = 0;
  for (const declaration of parseDeclarations(text)) {
    const options = pragmaOptions(declaration);
    const argument = declaration.tokens[1];
    if (options === undefined || argument === undefined) continue;
    const words = shellWords(options);
    if (unsafeOptions(words).length === 0) continue;
    const safe = words.filter((word, index) => {
      const pair = [word, orNothing(words[index + 1])];
      const previous = [orNothing(words[index - 1]), word];
      const unsafeHere = word.startsWith('--') && unsafeOptions(pair).length > 0;
      const unsafeValue = !word.startsWith('--') && unsafeOptions(previous).length > 0;
      return !unsafeHere && !unsafeValue;
    });
    // F* accepts no empty option text.
    const replacement = safe.length === 0 ? '--admit_smt_queries false' : safe.join(' ');
    changed += `${text.slice(copied, argument.start)}"${replacement}"`;
    copied = argument.start + argument.text.length;
  }
  return copied === 0 ? undefined : changed + text.slice(copied);
}
