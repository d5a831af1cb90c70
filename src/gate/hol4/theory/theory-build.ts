/**
 * Builds one theory with Holmake in a sandbox, from files that are handed in, with no Holmakefile of anybody's, and
 * hands out what it wrote. HOL runs the script: nothing of what comes out is to be believed before it was looked at.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, QuodError } from '../../../core/errors.ts';
import { clause } from '../../../core/sentence.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../../../process/foreign-folder/regular-file.ts';
import { asOutside, runInSandbox, type SandboxLimits, type SandboxRun } from '../../../process/sandbox.ts';
import type { TheoryData } from './theory-data.ts';

/** A HOL4 that is trusted: builds theories, and has some of its own. */
export interface TrustedHol {
  readonly version: string;
  build(request: BuildRequest): Promise<TheoryBuild>;
  /** The data of a theory of its own; undefined when it has none of that name. */
  readonly dataOf: (theory: string) => Uint8Array | undefined;
  /** What was read of it, by theory: it serves many submissions. */
  readonly theoriesRead: Map<string, TheoryData | undefined>;
  /** The file with the trace of such a theory, where it was built with the tracing kernel. */
  traceOf(theory: string): string | undefined;
}

export interface BuildRequest {
  /** Name of the theory; `files` has its script. */
  readonly theory: string;
  /** By the path in the folder in which Holmake runs. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly limits: SandboxLimits;
  readonly requireSandbox: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TheoryFiles {
  /** `fooTheory.dat`: names, statements, tags. */
  readonly data: Uint8Array;
  /** `fooTheory.sml`, which names the hash that the data should have. */
  readonly module: string;
  /** `fooTheory.prf`, from the tracing kernel. */
  readonly proof?: Uint8Array;
}

export interface TheoryBuild extends Pick<SandboxRun, 'isolation' | 'stopped' | 'incidents' | 'code'> {
  /** Every theory that was built, by name. */
  readonly theories: ReadonlyMap<string, TheoryFiles>;
  /** Files that spare the next build the same work. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** What was printed, and the log of the theory: for people, not for judging. */
  readonly said: string;
}

const OBJECTS = /^\.hol\/objs\//;

/** @param folder What HOL calls HOLDIR: read, never written. */
export function installedHol(folder: string, holmake: string): TrustedHol {
  const folderOf = (theory: string): string | undefined => {
    // `sigobj` has links to where the outputs of each theory lie.
    const link = join(folder, 'sigobj', `${theory}Theory.uo`);
    try {
      return dirname(realpathSync(link));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new QuodError('file-unreadable', `HOL4's theory cannot be read: ${clause(errorText(error))}.`, {
        place: { file: link },
        cause: error,
      });
    }
  };
  const fileOf = (theory: string, ending: string): string | undefined => {
    const place = folderOf(theory);
    const path = place && join(place, `${theory}Theory.${ending}`);
    return path !== undefined && existsSync(path) ? path : undefined;
  };
  return {
    version: versionOf(folder),
    build: (request) => buildTheory(folder, holmake, request),
    dataOf: (theory) => {
      const path = fileOf(theory, 'dat');
      return path === undefined ? undefined : readRegularFileSync(path, LARGEST_WRITTEN_BYTES);
    },
    theoriesRead: new Map(),
    traceOf: (theory) => fileOf(theory, 'prf'),
  };
}

function versionOf(folder: string): string {
  try {
    const text = readRegularFileSync(join(folder, 'tools', 'Holmake', 'Systeml.sml')).toString('utf8');
    const said = (name: string): string => new RegExp(`val ${name} = "?(\\w+)`).exec(text)?.[1] ?? 'unknown';
    return `${said('release')} ${said('version')}`.trim();
  } catch {
    return 'of unknown version';
  }
}

async function buildTheory(folder: string, holmake: string, request: BuildRequest): Promise<TheoryBuild> {
  const { theory, files, limits, requireSandbox, signal } = request;
  const run = await runInSandbox(
    {
      program: holmake,
      arguments: ['--qof', '--no_hmakefile', ...heapOf(folder), `${theory}Theory`],
      files,
      readable: [folder],
      // Colours would stand in the log.
      environment: { TERM: 'dumb' },
      collect: (path) => OBJECTS.test(path) || path === logOf(theory),
      limits,
      ...(signal !== undefined && { signal }),
    },
    requireSandbox,
  );
  return theoryBuildOf(theory, run);
}

/** What a run of Holmake left, sorted by theories. */
function theoryBuildOf(
  theory: string,
  run: Pick<
    SandboxRun,
    'isolation' | 'stopped' | 'incidents' | 'code' | 'files' | 'output' | 'errorOutput' | 'places'
  >,
): TheoryBuild {
  const objects = new Map([...run.files].filter(([path]) => OBJECTS.test(path)));
  const log = run.files.get(logOf(theory));
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
  const theories = new Map<string, TheoryFiles>();
  for (const [path, data] of objects) {
    const name = /^(\w+)Theory\.dat$/.exec(basename(path))?.[1];
    if (name === undefined) continue;
    const sibling = (ending: string): Uint8Array | undefined =>
      objects.get(`.hol/objs/${name}Theory.${ending}`);
    const proof = sibling('prf');
    theories.set(name, { data, module: text(sibling('sml')), ...(proof && { proof }) });
  }
  return {
    isolation: run.isolation,
    stopped: run.stopped,
    incidents: run.incidents,
    code: run.code,
    theories,
    objects,
    said: asOutside(`${text(log)}\n${run.output}\n${run.errorOutput}`.trim(), run.places),
  };
}

function logOf(theory: string): string {
  return `.hol/logs/${theory}Theory`;
}

/** A HOL whose build was not finished has only the heap of the first stage. */
function heapOf(folder: string): readonly string[] {
  const [full, first] = ['hol.state', 'hol.state0'].map((name) => join(folder, 'bin', name));
  return full !== undefined && first !== undefined && !existsSync(full) && existsSync(first)
    ? [`--holstate=${first}`]
    : [];
}
