/** The makefiles of a project, and what they give to coqc. */
import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { appendAll } from '../../core/lists/many.ts';
import { leadsOut } from '../../process/foreign-folder/leads-out.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { type Inclusion, makefileOptions, type SaidOptions } from './makefile-options.ts';
import { MADE_MAKEFILES, MAKEFILES } from './project-sayings.ts';

/** A makefile that coq_makefile was told to make, by its settings beside it. */
export interface MadeMakefile {
  readonly name: string;
  /** The path of its settings, and what they are. */
  readonly conf: string;
  readonly text: string;
}

const SETTINGS = '.conf';

/** Under whatever name, the usual ones first. */
export async function madeMakefilesIn(folder: string): Promise<readonly MadeMakefile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(SETTINGS));
  const usual = MADE_MAKEFILES.filter((name) => names.includes(name + SETTINGS));
  const all = new Set([...usual, ...names.toSorted().map((name) => name.slice(0, -SETTINGS.length))]);
  const found: MadeMakefile[] = [];
  for (const name of all) {
    const conf = join(folder, name + SETTINGS);
    const text = await textOf(conf);
    if (text !== undefined && /^COQMF_COQLIBS *=/mu.test(text)) found.push({ name, conf, text });
  }
  return found;
}

/** What is given by makefiles: those that make takes by itself, those that coq_makefile made, what is added to them, and what they include. */
export async function makefileOptionsIn(folder: string, made: readonly MadeMakefile[]): Promise<SaidOptions> {
  const names = new Set([...made.map(({ name }) => name), ...MADE_MAKEFILES]);
  const files = [...names].flatMap((name) => [`${name}.local`, `${name}.local-late`]);
  const reading = new Reading(folder, [...names]);
  for (const name of [...made.map(({ name: one }) => one), ...MAKEFILES, ...files])
    await reading.read(join(folder, name));
  return reading;
}

class Reading implements SaidOptions {
  readonly flags: string[] = [];
  readonly unread: string[] = [];
  readonly #folder: string;
  readonly #made: readonly string[];
  readonly #seen = new Set<string>();

  constructor(folder: string, made: readonly string[]) {
    this.#folder = folder;
    this.#made = made;
  }

  /** @returns whether it could be read. */
  async read(path: string): Promise<boolean> {
    if (this.#seen.has(path)) return true;
    this.#seen.add(path);
    const text = await textOf(path);
    if (text === undefined) return false;
    const { flags, unread, inclusions } = makefileOptions(text);
    appendAll(this.flags, flags);
    appendAll(this.unread, unread);
    for (const inclusion of inclusions) await this.#include(inclusion, text);
    return true;
  }

  async #include({ name: written, isOptional, line }: Inclusion, text: string): Promise<void> {
    const name = withValues(written, text);
    const isMade = this.#made.some((one) => name === one || name === one + SETTINGS);
    if (isMade) return;
    const isKnown = !name.includes('$');
    const path = resolve(this.#folder, name);
    const isRead =
      isKnown && existsSync(path)
        ? !leadsOut(path, repositoryOf(this.#folder)) && (await this.read(path))
        : // What coqdep finds out, what coq_makefile is going to make, and what make goes on without.
          /\.d\b|depend/iu.test(name) || (isKnown && isOptional) || makes(text, name);
    if (!isRead) this.unread.push(line.trim());
  }
}

/** Whether a makefile has coq_makefile make another. */
function makes(text: string, name: string): boolean {
  return new RegExp(String.raw`-o\s+["']?(?:\./)?${escaped(name)}(?:["'\s]|$)`, 'mu').test(text);
}

/** With the values that the makefile gives once to what stands for them. */
function withValues(name: string, text: string): string {
  return name.replaceAll(/\$[({](\w+)[)}]/gu, (whole, variable: string) => {
    const [value, another] = [...text.matchAll(new RegExp(`^ *${variable} *[:?]*= *(\\S+)\\s*$`, 'gmu'))];
    return another === undefined ? (value?.[1] ?? whole) : whole;
  });
}

function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}

/** Around the folder; without one it is the folder. */
function repositoryOf(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return folder;
}

async function textOf(path: string): Promise<string | undefined> {
  return readRegularText(path).catch(() => undefined);
}
