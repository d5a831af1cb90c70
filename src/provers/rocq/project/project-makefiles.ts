/** The makefiles of a project, and what they give to coqc. */
import { readdir } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { leadsOut } from '../../../process/foreign-folder/leads-out.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { type Inclusion, inclusionsOf, makefileOptions, type SaidOptions } from './makefile-options.ts';
import { escaped } from './makefile-text.ts';
import { MakefileVariables } from './makefile-variables.ts';
import { MADE_MAKEFILES, MAKEFILES, PROJECT_FILES } from './project-sayings.ts';
import { isFile } from './project-text.ts';

/** A makefile that coq_makefile was told to make, by its settings beside it. */
export interface MadeMakefile {
  readonly name: string;
  /** The path of its settings, and what they are. */
  readonly conf: string;
  readonly text: string;
}

const SETTINGS = '.conf';
const HAS_SETTINGS = /^COQMF_COQLIBS *=/mu;

/** Under whatever name, the usual ones first. @throws as `isFile` for the usual ones. */
export async function madeMakefilesIn(folder: string): Promise<readonly MadeMakefile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(SETTINGS));
  const usual = MADE_MAKEFILES.filter((name) => names.includes(name + SETTINGS));
  const all = new Set([...usual, ...names.toSorted().map((name) => name.slice(0, -SETTINGS.length))]);
  const found: MadeMakefile[] = [];
  for (const name of all) {
    const conf = join(folder, name + SETTINGS);
    // Of any other name nobody knows that it has to do with the project.
    if (usual.includes(name) && !isFile(conf)) continue;
    const text = await textOf(conf);
    if (text !== undefined && HAS_SETTINGS.test(text)) found.push({ name, conf, text });
  }
  return found;
}

/** What makefiles give. */
export interface GivenOptions extends SaidOptions {
  /** Whether any of them has to do with Rocq. */
  readonly namesRocq: boolean;
}

/**
 * What is given by makefiles: those that make takes by itself, those that coq_makefile made or is going to, what is added to them,
 * and what they include.
 * @param projectFile a text that gives variables to the makefile that is made from it
 * @throws as `isFile`.
 */
export async function makefileOptionsIn(
  folder: string,
  made: readonly MadeMakefile[],
  projectFile = '',
): Promise<GivenOptions> {
  const names = new Set([...made.map(({ name }) => name), ...MADE_MAKEFILES]);
  const added = [...names].flatMap((name) => [`${name}.local`, `${name}.local-late`]);
  const reading = new Reading(folder, [...names]);
  for (const path of [...new Set([...names, ...MAKEFILES, ...added])].map((name) => join(folder, name)))
    if (isFile(path)) await reading.read(path);
  return reading.options([
    ...made.map(({ text }) => text),
    ...[...projectFile.matchAll(/(\w+)\s*=\s*("[^"]*"|\S+)/gu)].map(
      ([, name, value]) => `${name} = ${value}`,
    ),
  ]);
}

class Reading {
  readonly #unread: string[] = [];
  readonly #folder: string;
  readonly #made: readonly string[];
  readonly #seen = new Set<string>();
  readonly #texts: string[] = [];
  /** Whether there is no other text that make reads. */
  #isWhole = true;

  constructor(folder: string, made: readonly string[]) {
    this.#folder = folder;
    this.#made = made;
  }

  /** @param others texts that set variables, too. */
  options(others: readonly string[]): GivenOptions {
    const variables = new MakefileVariables(
      [...this.#texts, ...others],
      this.#isWhole && this.#unread.length === 0,
    );
    const all = this.#texts.map((text) => makefileOptions(text, variables));
    return {
      flags: all.flatMap(({ flags }) => flags),
      unread: [...all.flatMap(({ unread }) => unread), ...this.#unread],
      namesRocq: this.#texts.some((text) => /(?<![a-z])coq[a-z_]|makefile\.coq\b|\brocq/iu.test(text)),
    };
  }

  /** @returns whether it could be read. */
  async read(path: string): Promise<boolean> {
    if (this.#seen.has(path)) return true;
    this.#seen.add(path);
    const text = await textOf(path);
    if (text === undefined) return false;
    this.#texts.push(text);
    for (const inclusion of inclusionsOf(text)) await this.#include(inclusion, text);
    return true;
  }

  async #include({ name: written, isOptional, isChosen, line }: Inclusion, text: string): Promise<void> {
    const name = written.includes('$')
      ? withValues(written, new MakefileVariables(this.#texts, true))
      : written;
    if (name === '') return;
    const isKnown = !/[$*?[]/u.test(name);
    const path = resolve(this.#folder, name);
    if (isKnown && existsSync(path)) {
      if (leadsOut(path, repositoryOf(this.#folder)) || !(await this.#isReadOrMade(path)))
        this.#unread.push(line.trim());
      return;
    }
    const isGoingToBeMade = this.#made.some((one) => name === one || name === one + SETTINGS);
    // Where it is not there make goes on without it, or does not choose it.
    const isLeftOut = isOptional || (isChosen && isKnown);
    const isFoundOut = /\.d\b|depend/iu.test(name);
    this.#isWhole &&= isKnown || isFoundOut;
    if (!isGoingToBeMade && !isLeftOut && !isFoundOut && !makes(text, name)) this.#unread.push(line.trim());
  }

  async #isReadOrMade(path: string): Promise<boolean> {
    const settings = path.endsWith(SETTINGS) ? await textOf(path) : undefined;
    return (settings !== undefined && HAS_SETTINGS.test(settings)) || this.read(path);
  }
}

/** Whether a makefile has coq_makefile make another. */
function makes(text: string, name: string): boolean {
  return new RegExp(String.raw`-o\s+["']?(?:\./)?${escaped(name)}(?:["'\s]|$)`, 'mu').test(text);
}

/** With the values that are given once, or nowhere, to what stands for them. */
function withValues(name: string, variables: MakefileVariables): string {
  return name.replaceAll(/\$[({](\w+)[)}]/gu, (whole, variable: string) => {
    const values = variables.of(variable);
    const text = variables.expand(orNothing(values?.[0]?.text)).text;
    return values === undefined || values.length > 1 || /\s/u.test(text) ? whole : text;
  });
}

/** Around the folder: without one, as where an archive was unpacked, the outermost folder with what says a project. */
function repositoryOf(folder: string): string {
  const folders = [folder];
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    folders.push(dirname(at));
  }
  return folders.findLast(saysProject) ?? folder;
}

function saysProject(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (name) => name === 'dune-project' || name.endsWith('.opam') || PROJECT_FILES.includes(name),
    );
  } catch {
    return false;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readRegularText(path).catch(() => undefined);
}
