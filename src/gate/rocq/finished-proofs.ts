/**
 * Proofs that the text shows as holes, and that end as finished ones do: `admit` can be a name, and an instance may leave
 * nothing to prove. Rocq tells which they are: what it takes as it stands is no hole.
 */
import { mayBeFinished } from '../../provers/rocq/syntax/holes.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { Verdict } from '../verdict.ts';
import { unknown, unknownVerdict } from './judgement.ts';
import type { ReferenceResult } from './reference-result.ts';
import type { Script } from './text/script.ts';

/** So many of them may be holes: the target is compiled once more for each. */
const MOST_HOLES = 60;

type Compiled = (isAdmitted: (item: TheoremItem) => boolean) => Promise<ReferenceResult>;

/**
 * @param compiled the target without the proofs of some of its statements.
 * @returns those that are finished; a verdict where Rocq cannot tell.
 */
export async function finishedProofs(
  script: Script,
  compiled: Compiled,
): Promise<ReadonlySet<TheoremItem> | Verdict> {
  const uncertain = script.outline.statements.filter(mayBeFinished);
  const { finished, untold: why } = await takenAsFinished(
    script,
    { uncertain, mostHoles: MOST_HOLES },
    compiled,
  );
  return why ?? finished;
}

/** Those of `uncertain` that Rocq takes as they stand; where it cannot tell of all, why, and those of which it can. */
export async function takenAsFinished(
  script: Script,
  { uncertain, mostHoles }: { readonly uncertain: readonly TheoremItem[]; readonly mostHoles: number },
  compiled: Compiled,
): Promise<{ readonly finished: ReadonlySet<TheoremItem>; readonly untold?: Verdict }> {
  const finished = new Set(uncertain);
  for (let holes = 0; finished.size > 0; holes += 1) {
    const result = await compiled((item) => isLeftOpen(item, finished));
    // One that starts programs is told of when it is the reference.
    if (result.status === 'compiled' || result.status === 'stopped') break;
    if (result.status === 'unknown') return { finished: new Set(), untold: unknownVerdict(result) };
    const failing = script.sentenceBegunAt(result.error.span?.start);
    const broken = [...finished].find(
      ({ sentence, closing = -1 }) => sentence < failing && failing <= closing,
    );
    if (broken !== undefined && holes < mostHoles) finished.delete(broken);
    // What stands before is as it is; whether the target compiles otherwise is seen when it is the reference.
    else if (broken === undefined && [...finished].every(({ sentence }) => sentence < failing)) break;
    else
      return {
        finished: new Set([...finished].filter(({ closing = Infinity }) => closing < failing)),
        untold: untold(broken ?? [...finished].find(({ sentence }) => sentence >= failing)),
      };
  }
  return { finished };
}

function untold(item: TheoremItem | undefined): Verdict {
  const name = item?.name === undefined ? '' : ` (${item.name})`;
  return unknown(
    'unsupported',
    `A proof of the target${name} shows as a hole (\`admit\`, or nothing in it) and ends as a finished one, and the target does not compile up to there: ` +
      'Rocq cannot tell which it is. End holes with Admitted.',
  );
}

/** Whether a statement is left without a proof. @param finished those that only show as such. */
export function isLeftWithout(item: TheoremItem, finished: ReadonlySet<TheoremItem>): boolean {
  return item.hole !== undefined && !finished.has(item);
}

/** Whether it is, and declares something all the same. */
export function isLeftOpen(item: TheoremItem, finished: ReadonlySet<TheoremItem>): boolean {
  return isLeftWithout(item, finished) && item.hole !== 'aborted';
}

/**
 * @param open proofs that are left out: one that says at its end what it declares (`Save name`) is called otherwise then, and
 *   what is stated inside of one is gone with it.
 */
export function declaresUnknown(script: Script, open: readonly TheoremItem[]): Verdict | undefined {
  for (const item of open) {
    if (item.closing !== undefined && saysMoreAtItsEnd(script, item))
      return unknownHole(
        script,
        item.closing,
        'ends with more than a word (`Save name`, `Defined name`): what it declares is not known. End it with Admitted.',
      );
    const inner = script.outline.statements.find((other) => standsInside(other, item));
    if (inner !== undefined)
      return unknownHole(
        script,
        inner.sentence,
        'states something itself (`Set Nested Proofs Allowed`), which is gone with that proof. State it in front.',
      );
  }
  return undefined;
}

function unknownHole(script: Script, sentence: number, why: string): Verdict {
  const { line, column } = script.positionOf(sentence);
  return unknown(
    'unsupported',
    `${script.source.path}:${line}:${column}: A proof that is left open, or replaced, ${why}`,
  );
}

function standsInside({ sentence }: TheoremItem, { sentence: outer, closing, body }: TheoremItem): boolean {
  return outer < sentence && sentence < (closing ?? body.end);
}

function saysMoreAtItsEnd(script: Script, { closing, closingWord }: TheoremItem): boolean {
  if (closing === undefined) return false;
  const words = script.tokens(closing).filter((token) => token !== '.');
  return words.slice(words.indexOf(closingWord) + 1).length > 0;
}
