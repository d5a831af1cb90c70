/**
 * What the project itself made of the target, where that is compiled and up to date. A project can be built in ways that the gate
 * does not read, with options that change what a text means: what came of it shows whether that is what is judged here.
 * Nothing is accepted for it.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isOutdated } from '../../provers/rocq/build/outdated.ts';
import { projectFiles } from '../../provers/rocq/build/project-sources.ts';
import { readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import type { SourceText, UnknownVerdict } from '../verdict.ts';
import { type CompiledFile, readCompiledFile } from './compiled/compiled-file.ts';
import { agreeOnLibraries, compiledLibrary } from './compiled/compiled-library.ts';
import { isDirectoryPath, logicalName } from './compiled/module-paths.ts';
import { blocksIn, type Block, MalformedValue, type OcamlValue, TooLarge } from './compiled/ocaml-values.ts';
import { declaredConstants } from './compiled/declarations.ts';
import { isLeftByTactics } from './comparison/left-out-premises.ts';
import { ComparisonWork } from './comparison/comparison-work.ts';
import { compareUnits } from './comparison/unit-comparison.ts';
import { type JudgeSettings, unknown } from './judgement.ts';

/** What is larger than any compiled file that is compared. */
const LARGEST_BYTES = 1 << 28;

/**
 * A verdict where the project's own compiled file declares something else than the target as it was compiled here.
 * @param compiled the target as it stands.
 */
export async function otherwiseInProject(
  target: SourceText,
  compiled: CompiledFile,
  { backend, project }: Pick<JudgeSettings, 'backend' | 'project'>,
): Promise<UnknownVerdict | undefined> {
  if (backend.name !== 'coqc') return undefined;
  const { sources, where } = await projectFiles(project);
  const path = resolve(target.path);
  const listed = sources.find((one) => one.path === path);
  const places = [...(listed ? [listed.compiled] : []), ...besideOrBuilt(path)];
  const compiledAt = places.find((place) => existsSync(place));
  if (compiledAt === undefined) return undefined;
  const source = listed?.compiled === compiledAt ? listed : { path, where, compiled: compiledAt };
  const text = await readRegularFile(path, LARGEST_BYTES).catch(() => undefined);
  if (text?.toString('utf8') !== target.text || (await isOutdated(source))) return undefined;
  const bytes = await readRegularFile(compiledAt, LARGEST_BYTES).catch(() => undefined);
  const different = bytes && (await firstDifference(bytes, compiled));
  if (different === undefined) return undefined;
  return unknown(
    'unsupported',
    `${different} means something else in the project than what is judged here: ${compiledAt}, which was compiled of this text, has it otherwise. The project is compiled with options that the gate does not find: say them in _CoqProject, or in the file.`,
  );
}

/** For a file that is not seen to be of the project: beside it, and where dune compiles the files of a folder around it. */
function besideOrBuilt(path: string): readonly string[] {
  const places = [`${path}o`];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    places.push(`${join(folder, '_build', 'default', relative(folder, path))}o`);
  return places;
}

/** The first that both declare, and otherwise. None where they cannot be compared: of another release, with other files of libraries. */
async function firstDifference(bytes: Uint8Array, compiled: CompiledFile): Promise<string | undefined> {
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
    // How a functor is made can be written down in another order under another name; what is in it is compared as well.
    const constants = new Set(declaredConstants(compiled).map(({ name }) => name));
    return differences.find(
      ({ kind, subject }) => kind !== 'missing' && constants.has(subject) && !isLeftByTactics(subject),
    )?.subject;
  } catch (error) {
    if (error instanceof MalformedValue || error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** A file that nobody else reads, as if it had been compiled under the name of another. */
function calledAs(file: CompiledFile, other: CompiledFile): CompiledFile {
  const own = logicalName(pathOf(file));
  const { fields } = pathOf(other);
  const renamed = new Map<string, OcamlValue>();
  const segment = (name: string): OcamlValue => {
    const known = renamed.get(name);
    if (known !== undefined) return known;
    const value = file.segment(name);
    const isOwn = (block: Block): boolean => isDirectoryPath(block) && logicalName(block) === own;
    // All are found first: what is put into one is the other's.
    for (const path of Array.from(blocksIn(value)).filter(isOwn))
      for (const [index, part] of fields.entries()) path.fields[index] = part;
    renamed.set(name, value);
    return value;
  };
  return { ...file, segment };
}

/** The directory path that is a library's name. */
function pathOf(file: CompiledFile): Block {
  const { layout, library } = compiledLibrary(file);
  const name = layout.library.of(library, 'name');
  if (!isDirectoryPath(name)) throw new MalformedValue('the name of the library is no path');
  return name;
}
