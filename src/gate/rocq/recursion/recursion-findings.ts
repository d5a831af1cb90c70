/** Findings about recursive functions of a submission that the kernel alone takes for right. They can only refuse. */
import { orZero } from '../../../core/entry.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import { allowsFlag, type GatePolicy } from '../../policy.ts';
import { type Finding, naming } from '../../verdict.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { uncheckedDeclarations } from '../compiled/unchecked.ts';
import type { Script } from '../text/script.ts';
import { unconfirmedRecursion } from './unconfirmed-recursion.ts';

const MESSAGE =
  'It recurs in a way that the guard checker of Rocq takes for right and that of Quod does not know; in such ways Rocq has accepted proofs of False.';

/**
 * What the target has in a declaration is allowed there: of values and statements the submission has the same, and what
 * the target has proved is true.
 *
 * @throws MalformedValue
 */
export async function recursionFindings(
  { target, submission }: { readonly target: CompiledFile; readonly submission: CompiledFile },
  findLibrary: FindLibrary,
  script: Script,
  policy: GatePolicy,
): Promise<readonly Finding[]> {
  if (allowsFlag(policy, 'unconfirmed-recursion')) return [];
  const counted = await countsByName(submission, findLibrary);
  // Of what the kernel did not check either, the verdict says so.
  for (const [name, checks] of counted.size === 0 ? [] : uncheckedDeclarations(submission))
    if (checks.includes('guarded')) counted.delete(name);
  if (counted.size === 0) return [];
  const ofTarget = await countsByName(target, findLibrary);
  return [...counted].flatMap(([name, count]) => {
    if (count <= orZero(ofTarget.get(name))) return [];
    const sentence = placeOf(name, script);
    return [
      {
        kind: 'unconfirmed-recursion' as const,
        file: script.source.path,
        ...(name !== '' && { subject: name }),
        ...(sentence !== undefined && { position: script.positionOf(sentence) }),
        message: naming(name === '' ? undefined : name, MESSAGE),
        remedy:
          'Call the function on what a `match` takes out of the argument, or have the policy allow it (flags: "unconfirmed-recursion").',
      },
    ];
  });
}

/** The sentence that declares what has a name; undefined where the text shows none, or several with its short name. */
export function placeOf(name: string, script: Script): number | undefined {
  if (name === '') return undefined;
  const statement = script.statementNamed(name);
  if (statement !== undefined) return statement.item.sentence;
  const short = lastPart(name);
  const places = script.outline.sentences.flatMap(({ text }, place) =>
    definedIn(text)?.names.includes(short) === true ? [place] : [],
  );
  return places.length === 1 ? places[0] : undefined;
}

/** By the names that have some; under `''` what is in nothing that has a name. */
async function countsByName(file: CompiledFile, findLibrary: FindLibrary): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const names of await unconfirmedRecursion(file, findLibrary))
    for (const name of names.length === 0 ? [''] : names) counts.set(name, orZero(counts.get(name)) + 1);
  return counts;
}
