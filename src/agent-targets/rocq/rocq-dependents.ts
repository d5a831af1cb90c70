/**
 * What other files of the project suppose of a file in which a run gave something a value. The gate compares a file with
 * what it was, and sees no other: so it is read from the texts which files require this one, and what they state without
 * a proof. It only warns.
 */
import { basename } from 'node:path';
import type { FoundProof } from '../../agent/target.ts';
import { someOf } from '../../core/counted.ts';
import { errorText } from '../../core/errors.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { clause } from '../../core/sentence.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import {
  directlyRequired,
  projectSources,
  requiresOf,
  type ProjectSource,
} from '../../provers/rocq/build/project-sources.ts';
import { findRocqProject } from '../../provers/rocq/project/project.ts';
import { assumptionHead } from '../../provers/rocq/syntax/assumption-head.ts';
import { outlineOf, scopesAround, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { isLemma } from '../../provers/rocq/syntax/statement-head.ts';

interface Stated {
  readonly theorem: string;
  readonly item: TheoremItem;
}

/** @param proofs of the run, by theorem. @returns as sentences; none where nothing got a value. */
export async function suppositionsElsewhere(
  path: string,
  statements: readonly Stated[],
  proofs: ReadonlyMap<string, Pick<FoundProof, 'proof'>>,
): Promise<readonly string[]> {
  const values = statements.flatMap(({ theorem, item }) => {
    const proof = proofs.get(theorem)?.proof;
    const isValue = proof !== undefined && (!isLemma(item) || /\bDefined\s*\.\s*$/u.test(proof));
    return isValue ? [foreignName(theorem)] : [];
  });
  if (values.length === 0) return [];
  const given = `values-chosen: this run gave a value to ${someOf(values)} (${foreignName(basename(path))})`;
  try {
    const found = await Promise.all((await dependentsOf(path)).map(suppositionsIn));
    const told = found.flatMap((one) => one ?? []);
    return told.length === 0
      ? []
      : [
          `${given}. What other files that require this one state without a proof may speak of it, and be false with it: ${someOf(told)}.`,
        ];
  } catch (error) {
    return [
      `${given}. Which other files require this one, and what they state of it without a proof, is not known: ${clause(errorText(error))}.`,
    ];
  }
}

/** Each file of the project that requires it, itself or by way of others, by the path. */
async function dependentsOf(path: string): Promise<readonly string[]> {
  const sources = await projectSources(await findRocqProject(path));
  const required = new Map<string, readonly ProjectSource[]>();
  for (const source of sources) {
    // Of one that cannot be read it is not known.
    const requires = await requiresOf(source.path).catch(() => undefined);
    required.set(
      source.path,
      requires === undefined
        ? sources.filter((one) => one.path === path)
        : directlyRequired(requires, sources),
    );
  }
  const found = new Set([path]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [one, needs] of required) if (needs.some((need) => found.has(need.path))) found.add(one);
  }
  found.delete(path);
  return [...found];
}

/** Undefined where nothing is stated without a proof. */
async function suppositionsIn(path: string): Promise<string | undefined> {
  const name = foreignName(basename(path));
  const text = await readRegularText(path).catch(() => undefined);
  if (text === undefined) return `${name} (which cannot be read)`;
  const outline = outlineOf(text);
  const assumed = outline.sentences.flatMap((sentence, index) => {
    const head = assumptionHead(sentence.text);
    const around = scopesAround(outline, index).map(({ kind }) => kind);
    // Whoever ends a section, or gives a module of the type, supposes nothing by it.
    const isLocal =
      around.includes('module-type') || (head?.isOfSection === true && around.includes('section'));
    return head === undefined || isLocal ? [] : head.names;
  });
  const open = outline.statements.flatMap(({ hole, name: one }) =>
    hole === undefined || hole === 'aborted' || one === undefined ? [] : [one],
  );
  const names = [...assumed, ...open].map((one) => foreignName(one));
  return names.length === 0 ? undefined : `${name} (${someOf(names)})`;
}
