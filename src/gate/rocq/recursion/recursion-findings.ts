/** Findings about recursive functions of a submission that the kernel alone takes for right. They can only refuse. */
import { lastPart } from '../../../core/qualified-name.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import { allowsFlag, type GatePolicy } from '../../policy.ts';
import { type Finding, naming } from '../../verdict.ts';
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { uncheckedDeclarations } from '../compiled/unchecked.ts';
import type { Script } from '../text/script.ts';
import { RecursionOfTarget } from './recursion-of-target.ts';
import { unconfirmedRecursion } from './unconfirmed-recursion.ts';

const MESSAGE =
  'It recurs in a way that the guard checker of Rocq takes for right and that of Quod does not know; in such ways Rocq has accepted proofs of False.';

/**
 * A function that the target has is allowed: of values and statements the submission has the same, and what the target has proved is
 * true.
 *
 * @throws MalformedValue, TooMuchWork
 */
export async function recursionFindings(
  { target, submission }: { readonly target: CompiledFile; readonly submission: CompiledFile },
  { findLibrary, work }: { readonly findLibrary: FindLibrary; readonly work: ComparisonWork },
  script: Script,
  policy: GatePolicy,
): Promise<readonly Finding[]> {
  if (allowsFlag(policy, 'unconfirmed-recursion')) return [];
  const found = await unconfirmedRecursion(submission, findLibrary);
  if (found.length === 0) return [];
  const ofTarget = new RecursionOfTarget(target, await unconfirmedRecursion(target, findLibrary), work);
  const isChanged = policy.definitionsMayChange !== undefined && ofTarget.isChanged(submission);
  const others = found.filter((one) => isChanged || !ofTarget.has(one));
  const names = new Set(others.flatMap((one) => (one.names.length === 0 ? [''] : one.names)));
  // Of what the kernel did not check either, the verdict says so.
  for (const [name, checks] of names.size === 0 ? [] : uncheckedDeclarations(submission))
    if (checks.includes('guarded')) names.delete(name);
  return [...names].flatMap((name) => {
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
