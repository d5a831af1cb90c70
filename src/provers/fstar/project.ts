/**
 * With which program, folder, include folders and options a file is checked. The first that there is, from the
 * strongest to the weakest: what the caller says; the nearest `*.fst.config.json` in the folders above the file;
 * what `make FILE-in` prints, where a Makefile has such a rule and the user allowed `make` there; F*'s own defaults in
 * the file's folder. The caller's include folders and options are added to those of the project. A project may be a
 * stranger's: to read one runs nothing of it that nobody allowed.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { entryAt, orNothing } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { isProgramAllowed } from '../../process/foreign-folder/allowed.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { GuardedChild } from '../../process/guarded-child.ts';
import { PASSED_ON, isToldToProvers } from '../../process/rights/child-environment.ts';
import { possiblePrograms } from './caller-options.ts';

export interface FstarProject {
  /** Where the settings come from: a file, `make`, or null for the defaults. */
  readonly source: string | null;
  /** As it is written there; looked up in PATH when it has no slash. */
  readonly executable: string | null;
  /** The folder in which F* runs, and to which relative paths refer. Absolute. */
  readonly folder: string;
  readonly includeFolders: readonly string[];
  readonly options: readonly string[];
  /** Settings that may be there and were not read, since that runs a program, and how the user allows it. */
  readonly withheld: string | null;
  /** What the settings file names that may be a program: F* itself, a solver, an option not known. As it is written there. */
  readonly programs: readonly string[];
}

export interface ProjectWishes {
  readonly executable?: string | undefined;
  readonly folder?: string | undefined;
  readonly includeFolders?: readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
}

const CONFIG_SUFFIX = '.fst.config.json';

const configSchema = z.object({
  fstar_exe: z.string().optional(),
  cwd: z.string().optional(),
  include_dirs: z.array(z.string()).optional(),
  options: z.array(z.string()).optional(),
});

/**
 * @param root The workspace: settings above it are not looked at. @throws QuodError `invalid-input` for a bad
 * config file.
 */
export async function findFstarProject(
  file: string,
  wishes: ProjectWishes = {},
  root?: string,
): Promise<FstarProject> {
  const found = (await fromConfigFile(file, root)) ?? (await fromMakefile(file)) ?? defaults(file);
  return {
    source: found.source,
    executable: wishes.executable ?? found.executable,
    folder: wishes.folder ?? found.folder,
    includeFolders: [...found.includeFolders, ...(wishes.includeFolders ?? [])],
    options: [...found.options, ...(wishes.options ?? [])],
    withheld: found.withheld,
    // The caller's own F* goes before that of the project, which is not started then.
    programs: found.programs.filter((name) => wishes.executable === undefined || name !== found.executable),
  };
}

const RUNS_NOTHING = { withheld: null, programs: [] };

function defaults(file: string): FstarProject {
  const folder = dirname(file);
  return { source: null, executable: null, folder, includeFolders: [], options: [], ...RUNS_NOTHING };
}

async function fromConfigFile(file: string, root: string | undefined): Promise<FstarProject | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => []);
    const [name] = names.filter((entry) => entry.endsWith(CONFIG_SUFFIX)).sort();
    if (name !== undefined) return await readConfigFile(join(folder, name));
    if (folder === root || dirname(folder) === folder) return undefined;
  }
}

async function readConfigFile(path: string): Promise<FstarProject> {
  let config: z.output<typeof configSchema>;
  try {
    config = configSchema.parse(withEnvironment(JSON.parse(await readRegularText(path))));
  } catch (cause) {
    throw new QuodError('invalid-input', `The settings cannot be read: ${errorText(cause)}`, {
      place: { file: path },
      remedy: 'It is an object with `fstar_exe`, `cwd`, `include_dirs` and `options`; all may be missing.',
      cause,
    });
  }
  return {
    source: path,
    executable: config.fstar_exe ?? null,
    folder: resolve(dirname(path), config.cwd ?? '.'),
    includeFolders: config.include_dirs ?? [],
    options: config.options ?? [],
    withheld: null,
    programs: programsOf(config),
  };
}

/** A name without a slash is looked up in PATH, which is the user's. */
function programsOf({ fstar_exe: executable, options = [] }: z.output<typeof configSchema>): string[] {
  return [...(executable?.includes('/') === true ? [executable] : []), ...possiblePrograms(options)];
}

/**
 * `$NAME` and `${NAME}` in strings stand for variables of the environment; a missing one is an error, not an empty
 * text.
 */
function withEnvironment(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(
      /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z0-9_]+)\})/g,
      (_, plain: string, braced: string) => {
        const name = plain || braced;
        // What settings name comes back in answers and errors, which go to models.
        if (!isToldToProvers(name))
          throw new Error(
            `${name} is not told to a project: it may hold a key (${PASSED_ON}=${name} tells it)`,
          );
        const known = process.env[name];
        if (known === undefined) throw new Error(`the environment has no ${name}`);
        return known;
      },
    );
  }
  if (Array.isArray(value)) return value.map(withEnvironment);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withEnvironment(inside)]));
  }
  return value;
}

/** A rule for `File.fst-in` is how F* projects tell editors their flags. */
const IN_RULE = /^[^#\t\n]*\.fsti?-in\b[^\n]*:|^[^#\t\n]*%-in\b[^\n]*:/m;
const MAKE_MS = 30_000;

async function fromMakefile(file: string): Promise<FstarProject | undefined> {
  const folder = dirname(file);
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => join(folder, name)).find(existsSync);
  if (makefile === undefined) return undefined;
  const text = await readRegularText(makefile).catch(() => '');
  // Rules may also stand in an included file; what `make` cannot make it says without doing anything.
  if (!IN_RULE.test(text) && !/^\s*-?include\b/m.test(text)) return undefined;
  if (!isProgramAllowed('make', folder)) {
    const withheld = `${makefile} may tell settings of F*. To read them runs what stands there, which you did not allow. If you trust it, say so in that folder: quod run allow --program make`;
    return { ...defaults(file), withheld };
  }
  const printed = await runMake(folder, `${basename(file)}-in`);
  if (printed === undefined) return undefined;
  const words = shellWords(printed);
  const includeFolders: string[] = [];
  const options: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = entryAt(words, index, 'word');
    const next = words[index + 1];
    if (word === '--include' && next !== undefined) {
      includeFolders.push(next);
      index += 1;
    } else options.push(word);
  }
  return { source: makefile, executable: null, folder, includeFolders, options, ...RUNS_NOTHING };
}

async function runMake(folder: string, target: string): Promise<string | undefined> {
  const child = await GuardedChild.start('make', ['--silent', '--no-print-directory', target], {
    folder,
  }).catch(() => undefined);
  if (child === undefined) return undefined;
  const ended = await Promise.race([child.readToEnd(), delay(MAKE_MS, undefined, { ref: false })]);
  if (ended === undefined) await child.kill();
  return ended?.code === 0 ? ended.printed : undefined;
}

/** Words as a shell reads them: quotes and backslashes count, nothing is expanded. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const pieces = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|[^\s'"\\]+|['"\\]/g;
  for (const [piece, single, double, escaped] of text.matchAll(pieces)) {
    if (/^\s/.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = orNothing(word) + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? piece);
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The interface of an implementation, or the implementation of an interface, when there is one beside it. */
export function counterpartOf(file: string): string | null {
  const other = file.endsWith('.fsti') ? file.slice(0, -1) : file.endsWith('.fst') ? `${file}i` : null;
  return other !== null && existsSync(other) ? other : null;
}
