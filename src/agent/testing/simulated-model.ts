/**
 * A model whose quality is a dial. It knows the author's proof of each theorem and spoils what it says of it with a
 * given chance: a wrong name of a lemma, a sentence that is missing or left open, two in the wrong order, a true fact
 * too many. Where the file lacks a lemma that the author had, it states that as a helper lemma, or inside of its
 * proof, with or without a script. So it can be measured what planning, criticism and repair add at a given quality, on machines that reach no model.
 *
 * What it assumes, and therefore cannot show: it writes a name right that stands anywhere in what it was sent; it
 * keeps what a check accepted and thinks again about the rest; an objection makes it think again about the
 * sentences objected to; the lemma that it states is the right one, and true. The same request gets the same answer.
 */
import { createHash } from 'node:crypto';
import { onOneLine } from '../../core/sentence.ts';
import { randomNumbers } from '../../core/random.ts';
import type { ChatRequest, Reply } from './scripted-model-server.ts';
import { textOfContent } from '../other-agents/driver-stream.ts';

export interface KnownProof {
  /** The statement behind the theorem's name, by which a request is recognised. */
  readonly statement: string;
  readonly sentences: readonly string[];
  /** One that the proof uses and that the file does not have. */
  readonly lemma?: KnownLemma;
}

export interface KnownLemma {
  readonly name: string;
  /** The whole sentence. */
  readonly sentence: string;
  /** What it says, closed: `forall n, n + 0 = n`. */
  readonly claim: string;
  readonly sentences: readonly string[];
  /** One that this proof uses and that the file does not have either. */
  readonly lemma?: KnownLemma;
}

/** The author's proof with what the file lacks stated and proved inside. */
export function wholeScript({
  lemma,
  sentences,
}: Pick<KnownProof, 'lemma' | 'sentences'>): readonly string[] {
  return lemma === undefined
    ? sentences
    : [statedInside(lemma), '{', ...wholeScript(lemma), '}', ...sentences];
}

function statedInside({ name, claim }: KnownLemma): string {
  return `assert (${name} : ${claim}).`;
}

/** @param quality The chance, from 0 to 1, that a sentence comes out as the author wrote it. */
export function simulatedAnswer(
  request: ChatRequest,
  proofs: readonly KnownProof[],
  quality: number,
  seed: number,
): Reply {
  const text = request.messages
    .map(({ role, content }) => (role === 'tool' ? TOOL_ANSWER : '') + textOfContent(content))
    .join('\n');
  const proof = knownProof(text, proofs);
  if (proof === undefined) return usage(text, { text: 'I do not know this theorem.' });
  const mind = new Mind(proof, text, quality, randomOf(request, seed));
  if (request.tools !== undefined && request.tools.length > 0) {
    const canState = request.tools.some(({ function: { name } }) => name === LEMMA_TOOL);
    const lemma = canState ? mind.statedLemma() : undefined;
    const call =
      lemma === undefined
        ? { name: 'rocq_check_proof', arguments: JSON.stringify({ proof: mind.nextScript().join('\n') }) }
        : { name: LEMMA_TOOL, arguments: JSON.stringify(lemma) };
    return usage(text, { calls: [call] });
  }
  return usage(text, { text: mind.words() });
}

const LEMMA_TOOL = 'lemma_prove';

/** The theorem that the request is about, as the briefing says it. */
const ASKED = /^Theorem:\n(.*?)\n\nGoals at its start:/msu;

/**
 * Of several that are in the text the longest: a statement may be part of another one. What a hole of a sketch leaves is
 * said in Rocq's words; it is the lemma of the theorem that stands behind it.
 */
function knownProof(text: string, proofs: readonly KnownProof[]): KnownProof | undefined {
  const said = ASKED.exec(text)?.[1];
  const proof = longestIn(said ?? text, proofs);
  if (proof !== undefined || said === undefined || !/^\w+ \w+_part_\d+\b/u.test(said)) return proof;
  const lemma = longestIn(text, proofs)?.lemma;
  return lemma && { ...lemma, statement: lemma.claim };
}

function longestIn(text: string, proofs: readonly KnownProof[]): KnownProof | undefined {
  const asked = onOneLine(text);
  return proofs
    .filter(({ statement }) => asked.includes(onOneLine(statement)))
    .toSorted((one, other) => other.statement.length - one.statement.length)[0];
}

const OPENING = '```coq\n';

class Mind {
  readonly #lemma: KnownLemma | undefined;
  /** What it would say with a quality of 1. */
  readonly #right: readonly string[];
  readonly #text: string;
  readonly #quality: number;
  readonly #random: () => number;

  constructor(proof: KnownProof, text: string, quality: number, random: () => number) {
    // One that was proved is used by its name.
    const isThere = proof.lemma !== undefined && hasProved(text, proof.lemma);
    this.#lemma = isThere ? undefined : proof.lemma;
    this.#right = isThere ? proof.sentences : wholeScript(proof);
    this.#text = text;
    this.#quality = quality;
    this.#random = random;
  }

  /** What a role without tools says. */
  words(): string {
    const has = (words: string): boolean => this.#text.includes(words);
    if (has('You rate plans')) return JSON.stringify({ score: this.#rated(), reason: 'as far as I can see' });
    if (has('You judge a debate')) return JSON.stringify({ winner: 'pro', plan: this.#plan() });
    if (has('You write proofs in')) return this.#thoughtOfAll().join('\n');
    if (has('you argue against it') || has('You watch somebody')) return this.#objection();
    return this.#plan();
  }

  /** What was accepted so far, or the plan at first, with everything behind it thought out again. */
  nextScript(): readonly string[] {
    // A plan that is newer than the last check goes before what that said.
    const isPlanNewer = this.#text.lastIndexOf(OPENING) > this.#text.lastIndexOf(TOOL_ANSWER);
    const planned = isPlanNewer ? this.#lastScript() : undefined;
    if (planned !== undefined) return planned;
    const accepted = this.#acceptedCount();
    return accepted === 0
      ? this.#thoughtOfAll()
      : [...this.#right.slice(0, accepted), ...this.#thought(this.#right.slice(accepted))];
  }

  /** A lemma that the file lacks is stated by itself or inside of the proof, as it comes. */
  statedLemma(): { readonly statement: string; readonly proof: string } | undefined {
    const lemma = this.#lemma;
    if (lemma === undefined || this.#random() < 0.5) return undefined;
    return { statement: lemma.sentence, proof: this.#thought(lemma.sentences).join('\n') };
  }

  /** Where the lemma is stated inside, its script may be left open. */
  #thoughtOfAll(): readonly string[] {
    const lemma = this.#lemma;
    if (lemma === undefined || this.#random() < this.#quality) return this.#thought(this.#right);
    const rest = this.#right.slice(wholeScript(lemma).length + 3);
    return [statedInside(lemma), '{', 'admit.', '}', ...this.#thought(rest)];
  }

  #plan(): string {
    const before = this.#lastScript();
    const objected = this.#objectedSentences();
    // What nobody objected to stays as it was said.
    const script =
      before !== undefined && before.length === this.#right.length
        ? before.map((said, at) =>
            objected.has(at) ? (this.#thought(this.#right.slice(at, at + 1))[0] ?? said) : said,
          )
        : this.#thoughtOfAll();
    return `1. Follow this script.\n${OPENING}${script.join('\n')}\n\`\`\``;
  }

  /** Names the sentences that differ from the author's, each with the model's own chance. */
  #objection(): string {
    const said = this.#lastScript() ?? [];
    const wrong = this.#right.flatMap((sentence, at) =>
      said[at] !== sentence && this.#random() < this.#quality ? [at] : [],
    );
    return wrong.length === 0
      ? 'I have no objection.'
      : wrong.map((at) => `I object to sentence ${at}.`).join('\n');
  }

  #objectedSentences(): ReadonlySet<number> {
    return new Set([...this.#text.matchAll(/I object to sentence (\d+)\./gu)].map(([, at]) => Number(at)));
  }

  #rated(): number {
    const said = this.#lastScript() ?? [];
    const right = this.#right.filter((sentence, at) => said[at] === sentence).length;
    const share = right / this.#right.length;
    return this.#random() < this.#quality ? 1 + Math.round(9 * share) : 1 + Math.floor(this.#random() * 10);
  }

  #lastScript(): readonly string[] | undefined {
    const at = this.#text.lastIndexOf(OPENING);
    if (at < 0) return undefined;
    const end = this.#text.indexOf('\n```', at);
    return end < 0 ? undefined : this.#text.slice(at + OPENING.length, end).split('\n');
  }

  /** The longest beginning of the author's proof in what the last check accepted. */
  #acceptedCount(): number {
    const answer = onOneLine(this.#lastAnswer());
    for (let count = this.#right.length; count > 0; count--) {
      if (answer.includes(onOneLine(this.#right.slice(0, count).join(' ')))) return count;
    }
    return 0;
  }

  #lastAnswer(): string {
    const at = this.#text.lastIndexOf(TOOL_ANSWER);
    return at < 0 ? '' : this.#text.slice(at + TOOL_ANSWER.length);
  }

  #thought(sentences: readonly string[]): readonly string[] {
    return spoiled(sentences, {
      chance: 1 - this.#quality,
      random: this.#random,
      isSeen: (name) => new RegExp(`(?<![\\w'])${name}(?![\\w'])`, 'u').test(this.#text),
    });
  }
}

/** Whether the agent says so, in the answer of a tool or at the start of an attempt. */
function hasProved(text: string, { name, sentence }: KnownLemma): boolean {
  const said = onOneLine(text);
  if (said.includes(`The lemma ${name} is proved`)) return true;
  const at = said.lastIndexOf('These lemmas are proved');
  return at >= 0 && said.includes(onOneLine(sentence), at);
}

/** Stands before what a tool answered, where the messages of a request are joined. */
const TOOL_ANSWER = '\u0000tool\u0000';

export interface Spoiling {
  /** For each sentence. */
  readonly chance: number;
  readonly random: () => number;
  /** Whether a name was shown, and so is written right. */
  readonly isSeen: (name: string) => boolean;
}

/** A script with some sentences wrong, each in one of the ways in which models are wrong. */
export function spoiled(
  sentences: readonly string[],
  { chance, random, isSeen }: Spoiling,
): readonly string[] {
  const script: string[] = [];
  for (let at = 0; at < sentences.length; at++) {
    const sentence = sentences[at] ?? '';
    const next = sentences[at + 1];
    if (random() >= chance) {
      script.push(sentence);
      continue;
    }
    const ways = [
      ...namesIn(sentence)
        .filter((name) => !isSeen(name))
        .map((name) => () => script.push(sentence.replace(name, wrongName(name)))),
      // A case that is missing.
      () => 0,
      // One that is left open.
      () => script.push('admit.'),
      () => script.push('assert (one_too_many : True) by exact I.', sentence),
      ...(next === undefined
        ? []
        : [
            () => {
              at++;
              return script.push(next, sentence);
            },
          ]),
    ];
    ways[Math.floor(random() * ways.length)]?.();
  }
  return script;
}

/** Names long enough to be those of lemmas. */
function namesIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(/(?<![\w'.])[A-Za-z]\w*_\w+(?![\w'])/gu)].map(([name]) => name);
}

function wrongName(name: string): string {
  for (const [right, wrong] of [
    ['comm', 'assoc'],
    ['assoc', 'comm'],
    ['_l', '_r'],
    ['_r', '_l'],
  ] as const) {
    if (name.includes(right)) return name.replace(right, wrong);
  }
  return `${name}_iff`;
}

function randomOf({ messages, model }: ChatRequest, seed: number): () => number {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, model, messages]))
    .digest();
  return randomNumbers(digest.readUInt32LE(0));
}

/** Four characters are a token, which is near enough to compare what methods spend. */
function usage(
  asked: string,
  reply: { readonly text?: string; readonly calls?: readonly { name: string; arguments: string }[] },
): Reply {
  const written = (reply.text ?? '') + (reply.calls ?? []).map((call) => call.arguments).join('');
  return {
    ...reply,
    usage: { input: Math.ceil(asked.length / 4), output: Math.ceil(written.length / 4) },
  };
}
