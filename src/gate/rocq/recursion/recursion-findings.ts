/** Findings about recursive functions of a submission that the kernel alone takes for right. They can only refuse. */
import { lastPart } from '../../../core/qualified-name.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import type { GatePolicy } from '../../policy.ts';
import { type Finding, naming } from '../../verdict.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import { uncheckedDeclarations } from '../compiled/unchecked.ts';
import type { Script } from '../text/script.ts';
import { type Compared, RecursionOfTarget } from './recursion-of-target.ts';
import { unconfirmedRecursion, type UnconfirmedRecursion } from './unconfirmed-recursion.ts';

const MESSAGE =
  'It recurs in a way that the guard checker of Rocq takes for right and that of Quod does not know; in such ways Rocq has accepted proofs of False.';

/** Names of what has recursion that is not confirmed; `''` for what has no name. */
export interface Unconfirmed {
  /** It is the target's own. */
  readonly ofTarget: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/**
 * A function that the target has counts as its own: of values and statements the submission has the same, and what the target has
 * proved is true.
 *
 * @throws MalformedValue, TooMuchWork
 */
export async function unconfirmedFunctions(
  files: Compared,
  findLibrary: FindLibrary,
  policy: GatePolicy,
): Promise<Unconfirmed> {
  const { target, submission } = files;
  const found = await unconfirmedRecursion(submission, findLibrary);
  if (found.length === 0) return { ofTarget: new Set(), others: new Set() };
  const mayChange = policy.definitionsMayChange !== undefined;
  const targets = new RecursionOfTarget(files, await unconfirmedRecursion(target, findLibrary), mayChange);
  // Of what the kernel did not check either, the verdict says so.
  const unguarded = new Set(
    [...uncheckedDeclarations(submission)].flatMap(([name, checks]) =>
      checks.includes('guarded') ? [name] : [],
    ),
  );
  const namesOf = (those: readonly UnconfirmedRecursion[]): ReadonlySet<string> =>
    new Set(
      those
        .flatMap(({ names }) => (names.length === 0 ? [''] : names))
        .filter((name) => !unguarded.has(name)),
    );
  const isOfTarget = Map.groupBy(found, (one) => targets.has(one));
  return { ofTarget: namesOf(isOfTarget.get(true) ?? []), others: namesOf(isOfTarget.get(false) ?? []) };
}

export function recursionFindings({ others }: Unconfirmed, script: Script): readonly Finding[] {
  return [...others].map((name) => {
    const sentence = placeOf(name, script);
    return {
      kind: 'unconfirmed-recursion',
      file: script.source.path,
      ...(name !== '' && { subject: name }),
      ...(sentence !== undefined && { position: script.positionOf(sentence) }),
      message: naming(name === '' ? undefined : name, MESSAGE),
      remedy:
        'Call the function on what a `match` takes out of the argument, or have the policy allow it (flags: "unconfirmed-recursion").',
    };
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
