/**
 * What the project itself made of the target, where that is compiled and up to date. A project can be built in ways that the gate
 * does not read, with options that change what a text means: what came of it shows whether that is what is judged here. That
 * something is proved does not rest on it.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { lastOf } from '../../core/entry.ts';
import { isOutdated } from '../../provers/rocq/build/outdated.ts';
import { projectFiles } from '../../provers/rocq/build/project-sources.ts';
import { isInDuneWorkspace } from '../../provers/rocq/project/dune-project.ts';
import {
  type RocqProject,
  hasMakefile,
  isDuneProject,
  libraryNameIn,
} from '../../provers/rocq/project/project.ts';
import { withoutByteOrderMark } from '../../process/foreign-folder/byte-order-mark.ts';
import { LARGEST_SOURCE_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import type { AcceptedVerdict, SourceText, Verdict, Warning } from '../verdict.ts';
import type { DeclarationKind } from './compiled/kernel-layout.ts';
import { type CompiledFile, readCompiledFile } from './compiled/compiled-file.ts';
import { agreeOnLibraries, compiledLibrary } from './compiled/compiled-library.ts';
import { isDirectoryPath, logicalName } from './compiled/module-paths.ts';
import { blocksIn, MalformedValue, type OcamlValue, TooLarge } from './compiled/ocaml-values.ts';
import { placesInLoadPath } from './compiled/library-files.ts';
import { declarationsIn } from './compiled/declarations.ts';
import { isLeftByTactics } from './comparison/left-out-premises.ts';
import { ComparisonWork } from './comparison/comparison-work.ts';
import { compareUnits } from './comparison/unit-comparison.ts';
import { type JudgeSettings, unknown } from './judgement.ts';

/** Above this a compiled file is not compared. */
const LARGEST_BYTES = 1 << 28;

/** What the project's own compiled file says of the target as it was compiled here. */
export type InProject =
  | { readonly status: 'same' }
  /** `name` is the first that means something else there. */
  | { readonly status: 'different'; readonly name: string; readonly place: string }
  /** `why`: what there should be and is not, or cannot be compared; absent where nobody would expect anything. */
  | { readonly status: 'not-known'; readonly why?: string };

/** @param compiledHere the target as it stands, which is asked for where there is something to compare it with. */
export async function inProject(
  { path: named, text }: SourceText,
  compiledHere: () => Promise<CompiledFile | undefined>,
  { backend, project }: Pick<JudgeSettings, 'backend' | 'project'>,
): Promise<InProject> {
  const path = resolve(named);
  const name = libraryNameIn(project, path);
  const own = name === undefined ? [] : placesInLoadPath(project, name);
  const places = [...new Set([...own, ...besideOrBuilt(path)])].filter((place) => existsSync(place));
  const source =
    places.length === 0
      ? undefined
      : await readRegularFile(path, LARGEST_SOURCE_BYTES).catch(() => undefined);
  if (source === undefined || withoutByteOrderMark(source.toString('utf8')) !== text)
    return neverMade(project, path);
  const { where } = await projectFiles(project);
  let found: InProject | undefined;
  for (const place of places) {
    if (await isOutdated({ path, compiled: place, where })) continue;
    if (backend.name !== 'coqc')
      return { status: 'not-known', why: `${place} is of another Rocq than the one that judges here` };
    const compiled = await compiledHere();
    if (compiled === undefined)
      return { status: 'not-known', why: 'as it stands it does not compile here, or only in part' };
    const bytes = await readRegularFile(place, LARGEST_BYTES).catch(() => undefined);
    const changed = bytes && (await changedIn(bytes, compiled, text));
    // Of several files nobody knows which the project means: one that is different is enough.
    if (changed?.name !== undefined) return { status: 'different', name: changed.name, place };
    if (changed !== undefined) found = { status: 'same' };
    found ??= {
      status: 'not-known',
      why: `${place} cannot be compared: it is of another release or of other libraries, or cannot be read`,
    };
  }
  return found ?? neverMade(project, path);
}

/** Nothing that is up to date was found. What other programs are told to do with a file is not all known. */
function neverMade(project: RocqProject, path: string): InProject {
  const builds = isDuneProject(project)
    ? 'dune builds'
    : project.source !== undefined
      ? hasMakefile(project) && 'make builds'
      : isInDuneWorkspace(dirname(path)) && 'dune may build';
  if (builds === false) return { status: 'not-known' };
  return { status: 'not-known', why: `${builds} its project, and has not compiled it as it stands` };
}

/** Beside the file, and where dune compiles the files of each folder around it, whether or not the project is seen to be of dune. */
function besideOrBuilt(path: string): readonly string[] {
  const places = [`${path}o`];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    places.push(`${join(folder, '_build', 'default', relative(folder, path))}o`);
  return places;
}

/**
 * The first declaration of the target that means something else in the project's file, if there is one. Undefined where they cannot
 * be compared: of another release, or with other files of libraries.
 */
async function changedIn(
  bytes: Uint8Array,
  compiled: CompiledFile,
  text: string,
): Promise<{ readonly name: string | undefined } | undefined> {
  try {
    const ofProject = readCompiledFile(bytes);
    if (ofProject.version !== compiled.version || !agreeOnLibraries(ofProject, compiled)) return undefined;
    const { differences } = await compareUnits({
      target: calledAs(ofProject, compiled),
      submission: compiled,
      work: new ComparisonWork(),
      provable: () => false,
      open: () => true,
      demandsAll: () => false,
    });
    const words = new Set(text.split(/[^\p{L}\p{N}_'$]+/u));
    // What a tactic leaves can be written down in another order under another name, unless the text says its name.
    const isMeant = (name: string): boolean =>
      !isLeftByTactics(name) || words.has(lastOf(name.split('.'), 'name'));
    // So can how a functor is made; what is in it is compared as well.
    const declared = new Set(
      [...declarationsIn(compiled)].flatMap(({ name, kind }) => (COMPARED.has(kind) ? [name] : [])),
    );
    const different = differences.find(
      ({ kind, subject }) =>
        kind !== 'missing' && (subject === '' || (declared.has(subject) && isMeant(subject))),
    );
    return { name: different?.subject };
  } catch (error) {
    if (error instanceof MalformedValue || error instanceof TooLarge || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

const COMPARED: ReadonlySet<DeclarationKind> = new Set(['constant', 'inductive']);

/** A file that nobody else reads, as if it had been compiled under the name of another. */
function calledAs(file: CompiledFile, other: CompiledFile): CompiledFile {
  const own = logicalName(pathOf(file));
  const wanted = pathOf(other);
  const renamed = new Map<string, OcamlValue>();
  const segment = (name: string): OcamlValue => {
    const known = renamed.get(name);
    if (known !== undefined) return known;
    const value = file.segment(name);
    const isOwn = (part: OcamlValue): boolean => isDirectoryPath(part) && logicalName(part) === own;
    for (const block of blocksIn(value)) {
      // What a path goes on with is the path of a folder: a library below one that is called like the file keeps its name.
      if (isDirectoryPath(block)) continue;
      for (const [index, part] of block.fields.entries()) if (isOwn(part)) block.fields[index] = wanted;
    }
    renamed.set(name, value);
    return value;
  };
  return { ...file, segment };
}

/** The directory path that is a library's name. */
function pathOf(file: CompiledFile): OcamlValue {
  const { name } = compiledLibrary(file);
  if (!isDirectoryPath(name)) throw new MalformedValue('the name of the library is no path');
  return name;
}

/** @param unread what the project says of options that nobody can read, if it does. */
export function heldAgainstProject(
  verdict: AcceptedVerdict,
  found: InProject,
  unread: string | undefined,
): Verdict {
  switch (found.status) {
    case 'same':
      return verdict;
    case 'different':
      return unknown(
        'unsupported',
        `${found.name === '' ? 'The target' : found.name} means something else in the project than what is judged here: ${found.place}, which was compiled of this text, has it otherwise. The project is compiled with options that the gate does not find: say them in _CoqProject, or in the file.`,
      );
    case 'not-known':
      if (unread === undefined) return found.why === undefined ? verdict : notCompared(verdict, found.why);
      return unknown(
        'unsupported',
        `${cannotRead(unread)} Compile the target as its project does: the gate then compares what it declares. Or say the options in _CoqProject.`,
      );
  }
}

function notCompared(verdict: AcceptedVerdict, why: string): AcceptedVerdict {
  return warned(verdict, {
    kind: 'not-compared',
    message: `The target was not compared with what its project makes of it: ${why}.`,
  });
}

/** Of proofs in a file, with what was left out. */
export function judgedWithout(verdict: AcceptedVerdict, unread: string | undefined): AcceptedVerdict {
  if (unread === undefined) return verdict;
  return warned(verdict, {
    kind: 'options-unread',
    message: `${cannotRead(unread)} The file was judged without them.`,
  });
}

function warned(verdict: AcceptedVerdict, warning: Warning): AcceptedVerdict {
  const { restsOn } = verdict;
  return { ...verdict, restsOn: { ...restsOn, warnings: [...(restsOn.warnings ?? []), warning] } };
}

function cannotRead(unread: string): string {
  return `The project says options in a way that the gate cannot read: ${unread}.`;
}
