/**
 * Builds what a file requires, or a whole project, in the way that the project itself is built: by dune where dune says
 * how, by make where there is a Makefile, else with Quod's own compile.
 */
import { basename, join, relative } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { findExecutable } from '../../../process/executable.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import type { BuildSources } from './needed-projects.ts';
import { findRocqProject, hasMakefile, isDuneProject, type RocqProject } from '../project/project.ts';
import {
  type BuildEvent,
  type BuildRequest,
  buildSources,
  compileError,
  findRocqCompiler,
  runToEnd,
} from './build.ts';
import { compiledStates } from './compiled-state.ts';
import { systemErrorIn } from './system-error.ts';
import {
  notCompiled,
  projectFiles,
  type ProjectSource,
  projectSources,
  type Require,
} from './project-sources.ts';
import { sourcesInDependencyOrder } from './required-sources.ts';

export type BuildTool = 'dune' | 'make' | 'quod';

export interface ProjectBuildRequest extends Omit<BuildRequest, 'compiler'> {
  /** Default: what the project uses. */
  readonly tool?: BuildTool;
  /** The prover that is to read what is compiled. */
  readonly prover?: string;
}

export type ProjectBuildEvent =
  | BuildEvent
  | { readonly kind: 'tool'; readonly tool: BuildTool; readonly command: string }
  /** A line that the tool prints while it works. */
  | { readonly kind: 'output'; readonly line: string };

/** All sources of a project, each behind what it requires. */
export async function allSources(project: RocqProject): Promise<readonly ProjectSource[]> {
  const sources = await projectSources(project);
  return sourcesInDependencyOrder([{ modules: sources.map(({ library }) => library) }], sources);
}

/** What a text that stands in `file` requires of its project, each behind what it requires itself. */
export async function dependenciesOf(file: string, requires: readonly Require[]): Promise<BuildSources> {
  const project = await findRocqProject(file);
  return { project, sources: await sourcesInDependencyOrder(requires, await projectSources(project), file) };
}

function buildToolOf(project: RocqProject): BuildTool {
  if (isDuneProject(project)) return 'dune';
  return hasMakefile(project) ? 'make' : 'quod';
}

/** Answers whether everything is compiled. @throws QuodError `prover-missing`, `does-not-compile`, `interrupted`. */
export async function buildProject(
  request: ProjectBuildRequest,
  onEvent: (event: ProjectBuildEvent) => void,
): Promise<boolean> {
  const { project, sources } = request;
  const tool = request.tool ?? buildToolOf(project);
  const targets = sources.map(({ compiled }) => relative(project.root, compiled));
  switch (tool) {
    case 'quod': {
      const compiler = await findRocqCompiler(request.prover);
      return await buildSources({ ...request, compiler }, onEvent);
    }
    case 'dune':
      await runTool(
        'dune',
        ['build', `-j${String(request.jobs)}`, ...targets.map(inSources)],
        request,
        onEvent,
      );
      return true;
    case 'make': {
      const canMake = async (wanted: readonly string[]): Promise<boolean> => {
        const settings = { folder: project.root, signal: request.signal };
        return (await runToEnd('make', ['-n', ...wanted], settings)).code === 0;
      };
      // Makefiles that only hand on to another have no rule for a single file.
      const own = (await canMake(targets)) ? targets : [];
      const jobs = `-j${String(request.jobs)}`;
      await runTool('make', [jobs, ...own], request, onEvent);
      // What is there, and has no rule in this makefile, passes for made.
      const made = await asMade(request);
      if (own.length > 0 && (await isBehind(made)) && (await canMake([])))
        await runTool('make', [jobs], request, onEvent);
      return areMade((await asMade(request)).sources, onEvent);
    }
  }
}

/** Whether a file, or what it requires, is not compiled as it is now. */
async function isBehind({ project, sources }: BuildSources): Promise<boolean> {
  const states = await compiledStates(sources, await projectFiles(project));
  return [...states.values()].includes('no');
}

/** Under the names that the project gives them: where no project file does, what make has just told coq_makefile may. */
async function asMade({ project, sources }: BuildSources): Promise<BuildSources> {
  if (project.source !== undefined) return { project, sources };
  const told = await findRocqProject(join(project.root, 'any.v'));
  const named = new Map((await projectSources(told)).map((source) => [source.path, source]));
  const made = sources.flatMap(({ path }) => named.get(path) ?? []);
  return made.length === sources.length ? { project: told, sources: made } : { project, sources };
}

/** A rule that does nothing, or goes on after an error, ends well without what it is for; and some files have none. */
async function areMade(
  sources: readonly ProjectSource[],
  onEvent: (event: ProjectBuildEvent) => void,
): Promise<boolean> {
  const missing = await notCompiled(sources);
  for (const { path, library, compiled } of missing) {
    const error = new QuodError(
      'does-not-compile',
      `make ended well, but made no ${basename(compiled)} of the source as it is.`,
      {
        place: { file: path },
        remedy: 'Look at its rule; where it has none, add the file to what make builds.',
      },
    );
    onEvent({ path, library, kind: 'failed', error });
  }
  return missing.length === 0;
}

/** A path in `_build/default` as dune calls the target. */
function inSources(target: string): string {
  return relative(join('_build', 'default'), target).replace(/^\.\.\/\.\.\//u, '');
}

async function runTool(
  program: 'dune' | 'make',
  words: readonly string[],
  { project, sources, signal }: ProjectBuildRequest,
  onEvent: (event: ProjectBuildEvent) => void,
): Promise<void> {
  const executable = findExecutable([program]);
  if (executable === undefined) {
    throw new QuodError('prover-missing', `The project is built with ${program}, which is not in PATH.`, {
      place: { file: project.source ?? project.root },
      remedy: `Install ${program}. Or let Quod compile it: \`proof_build\` with \`tool\` quod.`,
    });
  }
  onEvent({ kind: 'tool', tool: program, command: [program, ...words].join(' ') });
  const { code, output, errorOutput } = await runToEnd(executable, words, {
    folder: project.root,
    signal,
    onLine: (line) => {
      if (line.trim() !== '') onEvent({ kind: 'output', line: line.trim() });
    },
  });
  if (signal.aborted) throw new QuodError('interrupted', 'The build was interrupted.');
  if (code === 0) return;
  const remedy = `Run \`${program}\` in the folder of the project to see all of it.`;
  const first =
    (await compileErrorIn(project.root, errorOutput)) ??
    (await systemErrorIn(errorOutput, project.root)) ??
    (program === 'dune' ? takenInByNone({ project, sources }, errorOutput) : undefined);
  if (first === undefined)
    throw new QuodError(
      'does-not-compile',
      `${program} fails: ${lastLines(causesOfMake(errorOutput) || errorOutput || output)}`,
      {
        place: { file: project.root },
        remedy,
      },
    );
  throw new QuodError(first.reason, `${program} fails: ${first.message}`, {
    place: first.place,
    remedy: first.remedy ?? remedy,
  });
}

/** The first source for which dune has no rule; its own words name the compiled file alone. */
function takenInByNone({ project, sources }: BuildSources, printed: string): QuodError | undefined {
  const target = /Don't know how to build (\S+)/u.exec(printed)?.[1];
  const source = sources.find(({ compiled }) => inSources(relative(project.root, compiled)) === target);
  if (source === undefined) return undefined;
  return new QuodError('does-not-compile', 'No theory of dune takes this file in.', {
    place: { file: source.path },
    remedy:
      'Name it in `modules` of the `coq.theory` (or `rocq.theory`) of its folder, or add such a stanza; files of folders below need `(include_subdirs qualified)`.',
  });
}

const ERROR_PLACE = /^File "[^"\n]*", line \d+, characters \d+-\d+:\nError:/gmu;

/** The first error of Rocq among what a tool printed, at its place; undefined where there is none. */
async function compileErrorIn(root: string, printed: string): Promise<QuodError | undefined> {
  const [begin, next] = [...printed.matchAll(ERROR_PLACE)].map(({ index }) => index);
  if (begin === undefined) return undefined;
  // Behind it stands what the tool says of itself.
  const [own = ''] = printed.slice(begin, next).split(/^make(?:\[\d+\])?: /mu);
  const name = /^File "([^"\n]*)"/u.exec(own)?.[1];
  if (name === undefined) return undefined;
  const path = join(root, name);
  const text = await readRegularText(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
  return text === undefined ? undefined : compileError(path, text, own);
}

/**
 * Why make itself could not go on, which other lines may follow; not that a command of it failed, which tells why itself, nor that
 * it waits for others then.
 */
function causesOfMake(printed: string): string {
  const own = /^make(?:\[\d+\])?: \*\*\* (?!.*\] Error \d+$|Waiting for unfinished jobs).*$/gmu;
  return [...printed.matchAll(own)].map(([line]) => line).join('\n');
}

const LINES_SHOWN = 12;

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-LINES_SHOWN).join('\n');
}
