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
import { type JudgeSettings, limitsOf, unknown } from './judgement.ts';
import type { Reference } from './reference-result.ts';

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
  compiledHere: () => Promise<Reference | undefined>,
  settings: JudgeSettings,
): Promise<InProject> {
  const { backend, project } = settings;
  if (backend.name !== 'coqc') return { status: 'not-known' };
  const path = resolve(named);
  const name = libraryNameIn(project, path);
  const own = name === undefined ? [] : placesInLoadPath(project, name);
  const places = [...new Set([...own, ...besideOrBuilt(path)])].filter((place) => existsSync(place));
  const source = await readRegularFile(path, LARGEST_SOURCE_BYTES).catch(() => undefined);
  const isTheText = source !== undefined && withoutByteOrderMark(source.toString('utf8')) === text;
  if (places.length === 0 || !isTheText) return neverMade(project, path);
  const { where } = await projectFiles(project);
  let found: InProject | undefined;
  for (const place of places) {
    if (await isOutdated({ path, compiled: place, where })) continue;
    const compiled = await compiledHere();
    if (compiled === undefined) return { status: 'not-known' };
    const bytes = await readRegularFile(place, LARGEST_BYTES).catch(() => undefined);
    const here = (bytes && (await compared(bytes, compiled, { place, settings, text }))) ?? {
      status: 'not-known' as const,
      why: `${place} cannot be compared: it is of another release or of other libraries, or cannot be read`,
    };
    // Of several files nobody knows which the project means: one that is different is enough.
    if (here.status === 'different') return here;
    if (found?.status !== 'same') found = here;
  }
  return found ?? neverMade(project, path);
}

/** Nothing that is up to date was found. What other programs are told to do with a file is not all known. */
function neverMade(project: RocqProject, path: string): InProject {
  const program =
    isDuneProject(project) || isInDuneWorkspace(dirname(path))
      ? 'dune'
      : project.source !== undefined && hasMakefile(project)
        ? 'make'
        : undefined;
  return {
    status: 'not-known',
    ...(program && { why: `${program} builds its project, and has not compiled it as it stands` }),
  };
}

/** Beside the file, and where dune compiles the files of each folder around it, whether or not the project is seen to be of dune. */
function besideOrBuilt(path: string): readonly string[] {
  const places = [`${path}o`];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    places.push(`${join(folder, '_build', 'default', relative(folder, path))}o`);
  return places;
}

interface Compared {
  readonly place: string;
  readonly settings: JudgeSettings;
  readonly text: string;
}

/** Undefined where they cannot be compared: of another release, or with other files of libraries. */
async function compared(
  bytes: Uint8Array,
  { file: compiled, unit }: Reference,
  { place, settings, text }: Compared,
): Promise<InProject | undefined> {
  try {
    const ofProject = readCompiledFile(bytes);
    if (ofProject.version !== compiled.version || !agreeOnLibraries(ofProject, compiled)) return undefined;
    const { differences, otherBodies } = await compareUnits({
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
    // Nobody can be asked what is a proposition in a functor.
    const others = otherBodies.filter((one) => !one.includes('.') && isMeant(one));
    const propositions =
      others.length === 0 ? new Set() : await unit.propositions(others, limitsOf(settings));
    const name =
      differences.find(
        ({ kind, subject }) =>
          kind !== 'missing' && (subject === '' || (declared.has(subject) && isMeant(subject))),
      )?.subject ?? others.find((one) => !propositions.has(one));
    return name === undefined ? { status: 'same' } : { status: 'different', name, place };
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
  const { layout, library } = compiledLibrary(file);
  const name = layout.library.of(library, 'name');
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
