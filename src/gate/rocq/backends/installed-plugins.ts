/**
 * The machine code that libraries of Rocq bring (plugins), and which of it a submission has a right to: what the target
 * loads and what the policy names. Code inside the compiler could write any compiled file, so no other is in its reach.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { readRegularFileSync } from '../../../process/foreign-folder/regular-file.ts';
import { foldersOfEnvironment } from '../compiled/library-files.ts';

/** Those of the prover itself. */
const OWN_PACKAGES = new Set(['coq-core', 'rocq-runtime']);
const MADE_FOR_ROCQ = /\b(?:coq-core|rocq-runtime)\b/u;
const SUFFIX = '.cmxs';

export class InstalledPlugins {
  /** By its file, absolute and without links, the package that a plugin belongs to; else what the file is called. */
  readonly #plugins = new Map<string, string>();
  /** What packages say of themselves, by their names. */
  readonly #packages = new Map<string, string>();

  /**
   * @param packages folders in which OCaml's packages are, each in one of its own
   * @param libraries folders with libraries of Rocq, at any depth; Debian has copies of plugins there
   */
  constructor(packages: readonly string[], libraries: readonly string[]) {
    const seen = new Set<string>();
    const names = new Map<string, string>();
    for (const folder of packages) {
      for (const name of namesIn(folder)) {
        const about = textOf(join(folder, name, 'META'));
        if (about === undefined || OWN_PACKAGES.has(name) || !MADE_FOR_ROCQ.test(about)) continue;
        this.#packages.set(name, `${orNothing(this.#packages.get(name))}\n${about}`);
        for (const file of pluginsBelow(join(folder, name), seen)) {
          this.#plugins.set(file, name);
          names.set(stemOf(file), name);
        }
      }
    }
    for (const folder of libraries)
      for (const file of pluginsBelow(folder, seen))
        this.#plugins.set(file, names.get(stemOf(file)) ?? stemOf(file));
  }

  /** @param folders of the project, with libraries; @param environment what says where other libraries are */
  static of(
    library: string,
    folders: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): InstalledPlugins {
    const libraries = [join(library, 'user-contrib'), ...folders, ...foldersOfEnvironment(environment)];
    return new InstalledPlugins(packageFolders(library, environment), libraries.filter(isAbsolute));
  }

  /**
   * What nobody may load who has a right to some plugins only.
   * @param allowed as Rocq and policies name them: `coq-elpi.elpi`, `coq-elpi`, `elpi_plugin`, `elpi_plugin:coq-elpi.elpi`
   */
  without(allowed: readonly string[]): HiddenPlugins {
    const parts = allowed.flatMap((name) => name.split(':'));
    const stems = new Set(parts.map(stemOf));
    const packages = this.#withWhatTheyNeed(parts.map((part) => part.split('.', 1).join('')));
    const isAllowed = (file: string, name: string): boolean => stems.has(stemOf(file)) || packages.has(name);
    return {
      files: new Map([...this.#plugins].filter(([file, name]) => !isAllowed(file, name))),
      packages: [...this.#packages.keys()].filter((name) => !packages.has(name)),
    };
  }

  #withWhatTheyNeed(names: readonly string[]): ReadonlySet<string> {
    const all = new Set<string>();
    const pending = names.map(unversioned);
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      for (const [other, about] of this.#packages) {
        if (all.has(other) || unversioned(other) !== name) continue;
        all.add(other);
        const mentioned = new Set(about.match(/[\w-]+/gu));
        for (const one of this.#packages.keys()) if (mentioned.has(one)) pending.push(unversioned(one));
      }
    }
    return all;
  }
}

/** Where OCaml's packages are: beside the prover's own, and where OCaml's package manager looks for them. */
export function packageFolders(
  library: string,
  {
    OCAMLPATH: named,
    OCAMLFIND_CONF: configuration = '/etc/ocamlfind.conf',
  }: Readonly<Record<string, string>>,
): readonly string[] {
  const configured = /^\s*path\s*=\s*"([^"]*)"/mu.exec(orNothing(textOf(configuration)))?.[1];
  const folders = [named, configured].flatMap((paths) => orNothing(paths).split(delimiter));
  return [...new Set([dirname(library), ...folders])].filter(isAbsolute);
}

export interface HiddenPlugins {
  /** By the file what a policy calls it. */
  readonly files: ReadonlyMap<string, string>;
  readonly packages: readonly string[];
}

/** Which of the hidden ones an error of the prover is about. */
export function hiddenIn(message: string, { files, packages }: HiddenPlugins): string | undefined {
  const [, ofFile] = [...files].find(([file]) => message.includes(basename(file))) ?? [];
  return ofFile ?? packages.find((name) => message.includes(name));
}

interface Command {
  readonly arguments: readonly string[];
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Where the stand-ins are, in the working folder. */
const STAND_INS = 'quod_hidden';

/**
 * Empty stand-ins for plugins, and what makes Rocq find them before the plugins themselves: for where nothing else keeps
 * it from these.
 */
export function withStandIns(command: Command, { files, packages }: HiddenPlugins): Command {
  const { OCAMLPATH: others } = command.environment;
  const folders = [`./${STAND_INS}`, ...(others === undefined ? [] : [others])];
  const nothing = 'requires = "a-plugin-that-is-not-allowed"\n';
  return {
    arguments: ['-I', STAND_INS, ...command.arguments],
    files: new Map<string, string | Uint8Array>([
      ...command.files,
      ...packages.map((name) => [`${STAND_INS}/${name}/META`, nothing] as const),
      ...[...files.keys()].map((file) => [`${STAND_INS}/${basename(file)}`, ''] as const),
    ]),
    environment: { ...command.environment, OCAMLPATH: folders.join(delimiter) },
  };
}

/** The names in what `Print ML Modules` prints. */
export function pluginsIn(answer: string): readonly string[] {
  const listed = /^Loaded ML Modules:?([\s\S]*)$/u.exec(answer.trim())?.[1];
  return listed === undefined ? [] : (listed.replaceAll(/\(.*?\)/gu, '').match(/\S+/gu) ?? []);
}

/** Packages are called anew with the prover: `coq-elpi`, `rocq-elpi`. */
function unversioned(name: string): string {
  return name.replace(/^(?:coq|rocq)-/u, '');
}

function stemOf(path: string): string {
  return basename(path, SUFFIX);
}

function textOf(path: string): string | undefined {
  try {
    return readRegularFileSync(path).toString('utf8');
  } catch {
    return undefined;
  }
}

/** None where there is no such folder, or one that nobody here may read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function pluginsBelow(folder: string, seen: Set<string>): readonly string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const real = realOf(next);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    if (real.endsWith(SUFFIX)) found.push(real);
    else
      for (const name of namesIn(real))
        if (!name.includes('.') || name.endsWith(SUFFIX)) pending.push(join(real, name));
  }
  return found;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
