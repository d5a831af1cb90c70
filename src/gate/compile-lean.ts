/**
 * Compiles a Lean source to a module that the judge of src/gate/lean can read. Elaborating a Lean file runs its
 * code, so this happens in the sandbox (src/process/sandbox.ts), and only where there is one. The source is handed
 * in as the text that is judged. What comes out is data like any other compiled module.
 *
 * The code in the source reads the toolchain, the folders of compiled libraries, and beside the source nothing but the
 * compiled modules that it imports.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { QuodError } from '../core/errors.ts';
import { appendAll } from '../core/lists/many.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../process/foreign-folder/regular-file.ts';
import {
  type Incident,
  type Isolation,
  type SandboxLimits,
  type SandboxRun,
  asOutside,
  runInSandbox,
} from '../process/sandbox.ts';
import { stoppedVerdict } from './foreign-run.ts';
import { FURTHER_PARTS } from './lean/olean/module.ts';
import { type SearchRoot, type SearchSettings, searchRoots } from './lean/olean/search-path.ts';
import { DEFAULT_LIMITS } from './policy.ts';
import type { SourceText } from './verdict.ts';

export interface CompileSettings extends SearchSettings {
  /** Default: those of a policy that names none. */
  readonly limits?: SandboxLimits;
  readonly signal?: AbortSignal;
}

export interface CompiledSource {
  /** The parts of the module by what is written behind its name: `.olean`, `.olean.server`, `.olean.private`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly isolation: Isolation;
  /** What the sandbox saw of an attempt to get out. */
  readonly incidents: readonly Incident[];
}

const NAME = 'Main';
const PARTS: readonly string[] = ['', ...FURTHER_PARTS].map((part) => `.olean${part}`);

/** More compiled modules beside a source than anybody has. */
const MOST_BESIDE = 5000;

/**
 * @throws QuodError `prover-missing` without a toolchain or a sandbox, `does-not-compile` with Lean's messages,
 * `timeout`, `memory-exceeded`, `too-large`, `interrupted`.
 */
export async function compileLean(
  source: SourceText,
  settings: CompileSettings = {},
): Promise<CompiledSource> {
  const place = { file: source.path };
  const roots = searchRoots(source.path, settings);
  const toolchain = roots.find(({ origin }) => origin === 'toolchain');
  if (toolchain === undefined)
    throw new QuodError('prover-missing', 'No Lean toolchain was found to compile the source with.', {
      place,
      remedy: 'Install Lean (elan), set LEAN_SYSROOT, or judge compiled modules (.olean).',
    });
  const prefix = resolve(toolchain.folder, '..', '..');
  const run = await runInSandbox(
    {
      program: join(prefix, 'bin', 'lean'),
      arguments: ['-o', `${NAME}.olean`, `${NAME}.lean`],
      files: new Map<string, string | Uint8Array>([
        [`${NAME}.lean`, source.text],
        ...roots.filter(isBeside).flatMap(({ folder }) => modulesBeside(folder, source)),
      ]),
      readable: [prefix, ...roots.filter((root) => !isBeside(root)).map(({ folder }) => folder)],
      environment: { LEAN_PATH: roots.map((root) => (isBeside(root) ? BESIDE : root.folder)).join(':') },
      collect: (path) => PARTS.some((part) => path === NAME + part),
      limits: settings.limits ?? {
        timeoutMs: DEFAULT_LIMITS.time,
        memoryBytes: DEFAULT_LIMITS.memory,
        processes: DEFAULT_LIMITS.processes,
        diskBytes: DEFAULT_LIMITS.disk,
        outputBytes: DEFAULT_LIMITS.output,
      },
      ...(settings.signal && { signal: settings.signal }),
    },
    true,
  );
  requireSuccess(run, source.path);
  return {
    files: new Map([...run.files].map(([path, content]) => [path.slice(NAME.length), content])),
    isolation: run.isolation,
    incidents: run.incidents,
  };
}

function requireSuccess(run: SandboxRun, file: string): void {
  const place = { file };
  if (run.stopped !== undefined) {
    const { reason, message } = stoppedVerdict(run.stopped, 'Compiling the Lean source');
    throw new QuodError(reason, message, { place });
  }
  if (run.code !== 0) {
    const all = asOutside((run.output + run.errorOutput).trim(), run.places);
    const said = all.split('\n').slice(0, 5).join(' ').slice(0, 4000);
    throw new QuodError('does-not-compile', `Lean refuses the source: ${said || 'without a message'}`, {
      place,
    });
  }
  if (!run.files.has(`${NAME}.olean`))
    throw new QuodError('does-not-compile', 'Lean wrote no module.', { place });
}

/** Where modules of the source's own folder stand inside, below the working folder. */
const BESIDE = 'beside';

function isBeside({ origin }: SearchRoot): boolean {
  return origin === 'beside';
}

/** Of the source's own folder, which may be anybody's home, the modules that it imports. */
function modulesBeside(folder: string, source: SourceText): (readonly [path: string, content: Uint8Array])[] {
  const found: string[] = [];
  for (const module of importedRoots(source.text)) {
    appendAll(found, partsOf(join(folder, `${module}.olean`)));
    if (statSync(join(folder, module), { throwIfNoEntry: false })?.isDirectory() === true)
      addModulesBelow(join(folder, module), found);
  }
  return found.map(
    (path) =>
      [join(BESIDE, relative(folder, path)), readRegularFileSync(path, LARGEST_WRITTEN_BYTES)] as const,
  );
}

/** The first components of the names of imported modules: `A` for `import A.B`. */
function importedRoots(text: string): ReadonlySet<string> {
  const imports = text.matchAll(/^\s*(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?([\p{L}\p{N}_']+)/gmu);
  return new Set([...imports].flatMap(([, name]) => (name === undefined ? [] : [name])));
}

function partsOf(path: string): string[] {
  return ['', ...FURTHER_PARTS].map((part) => path + part).filter((part) => existsSync(part));
}

function addModulesBelow(folder: string, found: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addModulesBelow(path, found);
    else if (/\.olean(?:\.server|\.private)?$/.test(entry.name)) found.push(path);
    if (found.length > MOST_BESIDE)
      throw new QuodError('too-large', `More than ${MOST_BESIDE} compiled modules lie beside the source.`, {
        place: { file: dirname(path) },
        remedy: 'Put libraries into a Lake project, or name their folder with --search-path.',
      });
  }
}
