/** What is asked for must be a file, and one of the prover that is asked: a folder is told with the files in it. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import type { Workspace } from '../definition/workspace.ts';
import { sourceLanguageOf, type SourceLanguage } from './source-language.ts';

const NAMES: Readonly<Record<SourceLanguage, { readonly prover: string; readonly names: string }>> = {
  rocq: { prover: 'Rocq', names: '`.v`' },
  hol4: { prover: 'HOL4', names: '`Script.sml`' },
  fstar: { prover: 'F*', names: '`.fst` or `.fsti`' },
  lean: { prover: 'Lean', names: '`.lean`' },
};

/**
 * @param path as it is, links resolved: a link's own name says nothing of what it leads to.
 * @param named as it was asked for.
 * @throws QuodError `invalid-input`, and `file-unreadable` for a folder.
 */
export async function requireLanguage(language: SourceLanguage, path: string, named: string): Promise<void> {
  if (sourceLanguageOf(path) === language) return;
  await refuseFolder(path, named, { language });
  const { prover, names } = NAMES[language];
  throw new QuodError('invalid-input', `The file is not one of ${prover}.`, {
    place: { file: named },
    remedy: `Name a file that ends in ${names}.`,
  });
}

/**
 * Where a file lies whose text is handed out or written, and its language. Every face hands out and writes only what a prover
 * reads by its name: no client gets a key, or the configuration of a repository, that lies in the workspace.
 *
 * @throws QuodError `invalid-input`, `file-unreadable` for a folder, and as `resolve`.
 */
export async function sourcePlace(
  workspace: Workspace,
  named: string,
): Promise<{ readonly path: string; readonly language: SourceLanguage }> {
  const path = await workspace.resolve(named);
  const language = sourceLanguageOf(path);
  if (language !== undefined) return { path, language };
  await refuseFolder(path, named);
  throw new QuodError('invalid-input', 'No prover reads files of that name.', {
    place: { file: named },
    remedy: 'Rocq reads `.v`, HOL4 `…Script.sml`, F* `.fst` and `.fsti`, Lean `.lean`.',
  });
}

const MOST_NAMED = 3;

/**
 * @param name as it was asked for.
 * @throws QuodError `file-unreadable` where a folder lies, with files of it that may be meant.
 */
export async function refuseFolder(
  path: string,
  name: string,
  {
    sought,
    language,
  }: { readonly sought?: string | undefined; readonly language?: SourceLanguage | undefined } = {},
): Promise<void> {
  const inside = await readdir(path).catch(() => undefined);
  if (inside === undefined) return;
  const sources = inside.filter((one) => {
    const its = sourceLanguageOf(one);
    return its !== undefined && (language === undefined || its === language);
  });
  throw new QuodError('file-unreadable', 'This is a folder, where a file is asked for.', {
    place: { file: name },
    remedy: fileInside(name, sources.sort(), sought),
  });
}

function fileInside(folder: string, sources: readonly string[], sought: string | undefined): string {
  const meant = sought !== undefined && sources.includes(sought) ? [sought] : sources.slice(0, MOST_NAMED);
  if (meant.length === 0) return 'Name a file: `proof_status` lists those in a folder and below it.';
  const named = meant.map((one) => `\`${join(folder, one)}\``).join(', ');
  const isAll = meant.length === sources.length || meant[0] === sought;
  return `Name a file in it: ${named}${isAll ? '' : ', …'}.`;
}
