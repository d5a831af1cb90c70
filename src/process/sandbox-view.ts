/**
 * What a program in the sandbox sees, as data that every backend prints in its own way: the system's programs and
 * libraries, what the caller names, and folders in memory. No `/proc`: it would show the paths that things have
 * outside.
 *
 * Promise: what is of this machine and not of its system stands at a neutral place (`/readable/1`), and arguments and
 * environment are rewritten to it. The program's own installation stays where it is, because provers are compiled with
 * the path of their libraries; that one path can be seen inside.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { isInside } from '../core/inside.ts';
import { orNothing } from '../core/entry.ts';
import { DECOYS } from './sandbox-script.ts';

export type Mount =
  /** A file or folder of this machine; with everything that is mounted below it. */
  | { readonly kind: 'read-only'; readonly from: string; readonly to: string; readonly folder: boolean }
  /** An empty folder in memory that can be written, up to so many bytes. */
  | { readonly kind: 'memory'; readonly at: string; readonly bytes: number }
  | { readonly kind: 'device'; readonly at: string }
  /** A file that is there, in a folder that is mounted before, and cannot be read. */
  | { readonly kind: 'hidden'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly to: string };

export interface View {
  readonly mounts: readonly Mount[];
  readonly environment: Readonly<Record<string, string>>;
  /** The program and its arguments, by the paths that are inside. */
  readonly command: readonly string[];
  /** Where things are inside that the caller named; they are no traces of the program. */
  readonly given: readonly Place[];
}

/** What the caller named, and where it stands inside. */
export interface Place {
  readonly from: string;
  readonly to: string;
}

export interface ViewSettings {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly readable: readonly string[];
  /** Files of this machine that it does not see, wherever else they would be. */
  readonly hidden?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly diskBytes: number;
  readonly outputBytes: number;
}

export const SCRATCH = '/scratch';
export const OUTPUT = '/output';
const TEMPORARY = '/temporary';
const READABLE = '/readable';

const MEGABYTE = 1024 ** 2;
/** A trace that somebody leaves there needs little room. */
const DECOY_BYTES = MEGABYTE;
/** Semaphores and what libraries share between processes. */
const SHARED_MEMORY_BYTES = 16 * MEGABYTE;

const SYSTEM_FOLDERS: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
];
/** What programs of distributions need of /etc, and nothing that is anybody's secret. */
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ocamlfind.conf'];
/** Software of the machine, not of a person: it stays where it is. */
const SHARED_FOLDERS = ['/opt'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
/**
 * How much memory and how many processors there are is asked of these by runtimes, and is told by the kernel
 * anyway. So is whether there are large pages, and of which size ({@link LARGE_PAGES}).
 */
const MACHINE_FACTS = [
  ...['/proc/meminfo', '/proc/cpuinfo'],
  ...['enabled', 'hpage_pmd_size'].map((name) => `/sys/kernel/mm/transparent_hugepage/${name}`),
];

export function viewOf(settings: ViewSettings): View {
  const places = placesOf(settings);
  const inside = (text: string): string => renamed(text, places);
  const [program, ...programArguments] = [settings.program, ...settings.arguments].map(inside);
  if (program === undefined) throw new TypeError('There is no program.');
  const environment: Record<string, string> = {
    PATH: searchPath(inside(dirname(settings.program))),
    HOME: SCRATCH,
    TMPDIR: TEMPORARY,
    LANG: 'C.UTF-8',
  };
  for (const [name, value] of Object.entries(settings.environment)) environment[name] = inside(value);
  return {
    mounts: [
      ...DECOYS.map((at): Mount => ({ kind: 'memory', at, bytes: DECOY_BYTES })),
      ...[...SYSTEM_FOLDERS, ...SYSTEM_FILES, ...MACHINE_FACTS].flatMap((path) => readOnly(path, path)),
      // The program itself: Lean finds its library by this. It is nobody's secret, since the program was started by it.
      { kind: 'link', at: '/proc/self/exe', to: inside(realOrSame(settings.program)) },
      ...places.flatMap(({ from, to }) => readOnly(from, to)),
      ...hiddenIn(settings.hidden ?? [], places),
      ...DEVICES.filter((path) => existsSync(path)).map((at): Mount => ({ kind: 'device', at })),
      { kind: 'memory', at: '/dev/shm', bytes: SHARED_MEMORY_BYTES },
      { kind: 'memory', at: SCRATCH, bytes: settings.diskBytes },
      { kind: 'memory', at: OUTPUT, bytes: settings.outputBytes },
      { kind: 'memory', at: TEMPORARY, bytes: settings.diskBytes },
    ],
    environment,
    command: [program, ...programArguments],
    given: places,
  };
}

/** Where each of the named files and folders stands inside; what is a part of the system stands there already. */
function placesOf({ program, readable }: ViewSettings): readonly Place[] {
  const installations = [program, realOrSame(program)].map((path) => dirname(dirname(path)));
  const staysInPlace = (path: string): boolean =>
    SHARED_FOLDERS.some((folder) => isInside(folder, path)) ||
    (path !== '/' &&
      installations.some((own) => own !== '/' && (isInside(own, path) || isInside(path, own))));
  return [...new Set(readable)]
    .filter((path) => isAbsolute(path) && !SYSTEM_FOLDERS.some((folder) => isInside(folder, path)))
    .filter((path) => existsSync(path))
    .map((from, index) => ({ from, to: staysInPlace(from) ? from : `${READABLE}/${index + 1}` }));
}

/** Each of them at every place where the program would see it. */
function hiddenIn(files: readonly string[], places: readonly Place[]): readonly Mount[] {
  const shown = [...SYSTEM_FOLDERS.map((folder) => ({ from: folder, to: folder })), ...places].map(
    ({ from, to }) => ({ from: realOrSame(from), to }),
  );
  const seen = files.flatMap((file) =>
    shown.flatMap(({ from, to }) => (isInside(from, file) ? [join(to, relative(from, file))] : [])),
  );
  return [...new Set(seen)].map((at) => ({ kind: 'hidden', at }));
}

function readOnly(from: string, to: string): Mount[] {
  const folder = isFolderIfThere(from);
  return folder === undefined ? [] : [{ kind: 'read-only', from, to, folder }];
}

function isFolderIfThere(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The text with every path that has another place inside replaced; the longest first. */
function renamed(text: string, places: readonly Place[]): string {
  return places
    .toSorted((one, other) => other.from.length - one.from.length)
    .reduce((changed, { from, to }) => (from === to ? changed : replacePath(changed, from, to)), text);
}

/** What was said inside, for people: with every path as it is outside. */
export function asOutside(said: string, places: readonly Place[] = []): string {
  return renamed(
    said,
    places.map(({ from, to }) => ({ from: to, to: from })),
  );
}

/** An occurrence begins where a path can begin: at the start, behind `-I`, or behind what is no part of a path. */
function replacePath(text: string, from: string, to: string): string {
  const path = from.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const occurrence = new RegExp(String.raw`(?<=^-[A-Za-z]|^|[^\w./-])${path}(?=$|[^\w.-])`, 'gu');
  return text.replace(occurrence, () => to);
}

/** The search path of whoever started Quod names folders of homes: what is left of it is the system's. */
function searchPath(ownFolder: string): string {
  const folders = orNothing(process.env['PATH']).split(delimiter).filter(isAbsolute);
  const ofSystem = folders.filter((folder) =>
    SYSTEM_FOLDERS.some((system) => isInside(system, realOrSame(folder))),
  );
  const ordinary = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  return [...new Set([ownFolder, ...ofSystem.map(realOrSame), ...ordinary])].join(delimiter);
}
