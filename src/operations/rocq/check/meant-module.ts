/**
 * "Did you mean Lia?": the library or module that is spelt nearly like one that Rocq does not find. Rocq says where it looks for
 * libraries and which are loaded; their names and the modules in them are read from those folders. Of a Rocq whose folders are not
 * of this machine nothing is known.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { editDistance, nearestNames } from '../../../core/names/nearest-names.ts';
import type { ProverSession, StateId } from '../../../core/prover.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { missingLibrary } from '../../../provers/rocq/known-libraries.ts';
import { foldersOf, type LibraryFolder } from '../../../provers/rocq/load-path-answer.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';

const ASKING_TIMEOUT_MS = 10_000;

/** Their libraries are found by their last names alone. */
const STANDARD = /^(?:Coq|Stdlib|Corelib)(?:\.|$)/u;

export interface Misspelt {
  /** What Rocq says. */
  readonly message: string;
  /** Absolute: the file in which it says it. */
  readonly file: string;
  /** Of the file, up to there. */
  readonly before: string;
}

/** A question to whoever wrote it; undefined where nothing is spelt nearly like it. */
export async function meantModule(
  session: ProverSession,
  at: StateId,
  { message, file, before }: Misspelt,
  signal: AbortSignal,
): Promise<string | undefined> {
  const library = missingLibrary(message);
  const module = library === undefined ? /Cannot find module (\S+?)\.?$/mu.exec(message)?.[1] : undefined;
  const wanted = library ?? module;
  if (wanted === undefined) return undefined;
  const answered = async (question: string): Promise<string> => {
    const answer = await session.query(at, asSentence(question), { timeoutMs: ASKING_TIMEOUT_MS, signal });
    return answer.status === 'done' ? answer.messages.map((one) => one.message).join('\n') : '';
  };
  const isBehindFrom = /\bwith\s+prefix\b/u.test(message);
  const folders = foldersOf(await answered('Print LoadPath.'));
  const names =
    module === undefined
      ? await librariesIn(folders, await mayHold({ wanted, isBehindFrom, file }))
      : [...modulesIn(before), ...(await loadedModules(await answered('Print Libraries.'), folders))];
  const own = lastPart(wanted);
  // What is there is not misspelt: it is not compiled, or it is not what is asked for.
  if (names.includes(own)) return undefined;
  const most = Math.max(1, Math.floor(own.length / 5));
  // No file means itself.
  const asking = library === undefined ? undefined : basename(file, '.v');
  const near = names.filter(
    (name) => name !== asking && editDistance(own.toLowerCase(), name.toLowerCase()) <= most,
  );
  const [nearest] = nearestNames(own, near, 1);
  if (nearest === undefined) return undefined;
  // Behind `From` the names above it are not written again.
  const above = isBehindFrom ? '' : wanted.slice(0, wanted.length - own.length);
  return `Did you mean ${above}${nearest}?`;
}

interface Required {
  /** The name that is not found, with what stands behind `From` before it. */
  readonly wanted: string;
  readonly isBehindFrom: boolean;
  /** Absolute: the file that requires it. */
  readonly file: string;
}

/** Which folders a library may lie in that is meant: those with the same names above it, as far as these are said. */
async function mayHold({ wanted, isBehindFrom, file }: Required): Promise<(logical: string) => boolean> {
  const above = wanted.split('.').slice(0, -1).join('.');
  if (above !== '')
    return (logical) =>
      `.${logical}`.endsWith(`.${above}`) || (isBehindFrom && `${logical}.`.startsWith(`${above}.`));
  const { loadPath } = await findRocqProject(file);
  // What `-R` binds is found by its last name, too.
  const roots = loadPath.flatMap(({ flag, logical }) => (flag === '-R' ? [logical] : []));
  return (logical) =>
    logical === '' ||
    STANDARD.test(logical) ||
    roots.some((root) => logical === root || logical.startsWith(`${root}.`));
}

/** By their last names. */
async function librariesIn(
  folders: readonly LibraryFolder[],
  isLookedIn: (logical: string) => boolean,
): Promise<readonly string[]> {
  const files = await Promise.all(
    folders
      .filter(({ logical }) => isLookedIn(logical))
      .map(({ physical }) => readdir(physical).catch(() => [])),
  );
  return files.flat().flatMap((name) => /^(.+)\.vo?$/u.exec(name)?.[1] ?? []);
}

/** The loaded libraries by their last names, and the modules in them. */
async function loadedModules(printed: string, folders: readonly LibraryFolder[]): Promise<readonly string[]> {
  const loaded = [...printed.matchAll(/^\s+(\S+)$/gmu)].flatMap(([, name]) => name ?? []);
  const physical = new Map(folders.map((folder) => [folder.logical, folder.physical]));
  const inside = await Promise.all(
    loaded.map(async (name) => {
      const own = lastPart(name);
      const folder = physical.get(name.slice(0, Math.max(0, name.length - own.length - 1)));
      if (folder === undefined) return [];
      const text = await readRegularText(join(folder, `${own}.v`)).catch(() => undefined);
      return text === undefined ? [] : modulesIn(text);
    }),
  );
  return [...loaded.map(lastPart), ...inside.flat()];
}

function modulesIn(text: string): readonly string[] {
  const begun = /(?:^|\. )Module\s+(?:(?:Import|Export)\s+)?([\p{L}_][\p{L}\p{N}_']*)/gu;
  return [...withoutComments(text).matchAll(begun)].flatMap(([, name]) =>
    name === undefined || name === 'Type' ? [] : [name],
  );
}
