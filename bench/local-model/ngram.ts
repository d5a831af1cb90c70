/**
 * A language model that is tiny and real: token n-grams with interpolated back-off (Witten and Bell), trained on proof
 * scripts, and a cache of the same kind over the proofs that the prompt shows. It has no idea of a goal; what it
 * knows is what proofs look like and what those in front of it look like.
 */
import { countOf, orZero } from '../../src/core/entry.ts';
const ORDER = 5;
const BEGIN = '\u0002';
export const END = '\u0003';
/** How much the prompt's own proofs count against everything learned. */
const CACHE_SHARE = 0.5;

const TOKEN = /[A-Za-z_\u0080-\uffff][\w'\u0080-\uffff]*|\d+|\s+|[^\s\w]/gu;

export function tokensOf(text: string): string[] {
  return (text.match(TOKEN) ?? []).map((token) => (/^\s+$/u.test(token) ? ' ' : token));
}

interface Followers {
  total: number;
  readonly counts: Map<string, number>;
}

export class Ngrams {
  readonly #contexts = new Map<string, Followers>();
  tokens = 0;

  learn(script: string): void {
    const tokens = [BEGIN, ...tokensOf(script), END];
    this.tokens += tokens.length;
    for (let at = 1; at < tokens.length; at++) {
      const next = tokens[at] ?? END;
      for (let length = 0; length < ORDER && length <= at; length++) {
        const key = tokens.slice(at - length, at).join('\u0001');
        let followers = this.#contexts.get(key);
        if (followers === undefined) this.#contexts.set(key, (followers = { total: 0, counts: new Map() }));
        followers.total++;
        followers.counts.set(next, countOf(followers.counts, next) + 1);
      }
    }
  }

  /** Probabilities of the next token, by interpolation from the longest context down. */
  distribution(history: readonly string[]): Map<string, number> {
    const mixed = new Map<string, number>();
    let left = 1;
    for (let length = Math.min(ORDER - 1, history.length); length >= 0; length--) {
      const followers = this.#contexts.get(history.slice(history.length - length).join('\u0001'));
      if (followers === undefined) continue;
      // Witten and Bell: the share of what is shorter grows with how many different tokens were seen here.
      const trust = length === 0 ? 1 : followers.total / (followers.total + followers.counts.size);
      for (const [token, count] of followers.counts)
        mixed.set(token, orZero(mixed.get(token)) + (left * trust * count) / followers.total);
      left *= 1 - trust;
      if (left < 0.001) break;
    }
    return mixed;
  }
}

export interface Sampling {
  readonly temperature: number;
  readonly maxTokens: number;
  readonly random: () => number;
}

/** Writes one script. @param shown The proofs in the prompt. */
export function writeScript(model: Ngrams, shown: readonly string[], sampling: Sampling): string {
  const cache = new Ngrams();
  for (const script of shown) cache.learn(script);
  const cacheShare = shown.length === 0 ? 0 : CACHE_SHARE;
  const history = [BEGIN];
  for (let count = 0; count < sampling.maxTokens; count++) {
    const mixed = new Map<string, number>();
    for (const [part, share] of [
      [model, 1 - cacheShare],
      [cache, cacheShare],
    ] as const) {
      if (share === 0) continue;
      for (const [token, probability] of part.distribution(history))
        mixed.set(token, orZero(mixed.get(token)) + share * probability);
    }
    const token = drawn(mixed, sampling);
    if (token === END) break;
    history.push(token);
  }
  return history.slice(1).join('');
}

function drawn(mixed: ReadonlyMap<string, number>, { temperature, random }: Sampling): string {
  if (temperature === 0) {
    let best = END;
    let most = -1;
    for (const [token, probability] of mixed) if (probability > most) [best, most] = [token, probability];
    return best;
  }
  let sum = 0;
  const weights: [string, number][] = [];
  for (const [token, probability] of mixed) {
    const weight = probability ** (1 / temperature);
    sum += weight;
    weights.push([token, weight]);
  }
  let at = random() * sum;
  for (const [token, weight] of weights) {
    at -= weight;
    if (at <= 0) return token;
  }
  return END;
}
