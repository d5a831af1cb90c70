/** What a search for counterexamples may use, and what each part of it may use of that. */
import type { StepBudget } from '../core/prover.ts';

export interface Allowance {
  readonly isSpent: () => boolean;
  /** Milliseconds that a pass over values may take. */
  readonly forPass: () => number;
  /** Milliseconds that the next sentence of a proof may take; undefined when nothing may run any more. */
  readonly forSentence: () => number | undefined;
  /** What the proof of one counterexample may use of it. */
  readonly forDisproof: () => Allowance;
}

/** No pass and no proof may use up more than this part of what is left, so that one that hangs costs not all. */
const SHARE = 0.5;
const LEAST_MS = 300;
const SENTENCE_MS = 2000;
/** Where sentences are counted, a session that goes by the prover's own work gives a multiple of these. */
const COUNTED = { passMs: 250, sentenceMs: 50, leastSentences: 40 } as const;

/** @param preparedMs What was used before anything was looked for: it counts up to half of what there is. */
export function allowanceOf(allowed: StepBudget, preparedMs = 0): Allowance {
  if (!('milliseconds' in allowed)) return bySentences(allowed.sentences);
  const { milliseconds } = allowed;
  return byClock(milliseconds - Math.min(preparedMs, milliseconds * SHARE));
}

function byClock(milliseconds: number): Allowance {
  const deadline = performance.now() + milliseconds;
  const left = (): number => deadline - performance.now();
  const part = (): number => Math.max(LEAST_MS, left() * SHARE);
  return {
    isSpent: () => left() <= 0,
    forPass: part,
    forSentence: () => {
      const timeoutMs = Math.min(SENTENCE_MS, left());
      return timeoutMs > 0 ? timeoutMs : undefined;
    },
    forDisproof: () => byClock(part()),
  };
}

/** @param use Takes one sentence of those that there are besides; false: there is none any more. */
function bySentences(sentences: number, use: () => boolean = () => true): Allowance {
  let left = sentences;
  const take = (): boolean => {
    if (left <= 0 || !use()) return false;
    left -= 1;
    return true;
  };
  return {
    isSpent: () => left <= 0,
    forPass: () => COUNTED.passMs,
    forSentence: () => (take() ? COUNTED.sentenceMs : undefined),
    forDisproof: () => bySentences(Math.max(COUNTED.leastSentences, Math.floor(left * SHARE)), take),
  };
}
