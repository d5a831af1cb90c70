/**
 * Makes a found proof smaller while it still passes: one closer for a whole branch, sentences dropped, alternatives of
 * `solve [a | b]` and pieces of `a; b; c` cut to what is needed. Every change is checked by the prover at once.
 */
import type { ProverSession, StateId } from '../../core/prover.ts';
import { isGuarded } from '../candidates/recursion.ts';
import { scriptSentences, type ScriptTree, sentenceCount } from '../../provers/rocq/syntax/script-tree.ts';
import { written } from '../../provers/rocq/syntax/sentences.ts';

export interface MinimiseOptions {
  /** Tactics that may close a whole branch, the most welcome first. */
  readonly closers: readonly string[];
  /** How many changed proofs may be tried. */
  readonly attempts: number;
  /** Nothing is tried after this moment of `performance.now()`. */
  readonly deadline: number | undefined;
  readonly signal: AbortSignal;
}

const STEP_TIMEOUT_MS = 3000;

/** What may stay open behind a script: what its hole did not have in focus. */
export interface OpenBefore {
  readonly unfocused: number;
  readonly shelved: number;
  readonly givenUp: number;
}

export class ScriptChecker {
  readonly #session: ProverSession;
  readonly #root: StateId;
  readonly #openBefore: OpenBefore;
  readonly #recursive: boolean;
  readonly #signal: AbortSignal;
  readonly #states = new Map<string, StateId | undefined>();

  constructor(
    session: ProverSession,
    root: StateId,
    openBefore: OpenBefore,
    options: {
      /** Whether the theorem stands among its own hypotheses. */
      readonly recursive: boolean;
      readonly signal: AbortSignal;
    },
  ) {
    this.#session = session;
    this.#root = root;
    this.#openBefore = openBefore;
    this.#recursive = options.recursive;
    this.#signal = options.signal;
  }

  /** Whether the sentences close every goal in focus at the root. */
  async passes(tree: ScriptTree): Promise<boolean> {
    const sentences = scriptSentences(tree);
    const state = await this.#run(sentences);
    if (state === undefined) return false;
    const proof = await this.#session.goals(state);
    const { unfocused, shelved, givenUp } = this.#openBefore;
    const closed =
      proof?.goals.length === 0 &&
      proof.givenUp <= givenUp &&
      proof.shelved <= shelved &&
      sum(proof.unfocused) <= unfocused;
    const recurs = this.#recursive || sentences.some((sentence) => /\bcofix\b/u.test(sentence));
    return closed && (!recurs || (await isGuarded(this.#session, state, this.#signal)));
  }

  /** Prefixes are remembered, so that a change near the end costs only what follows it. */
  async #run(sentences: readonly string[]): Promise<StateId | undefined> {
    let state: StateId = this.#root;
    let prefix = '';
    for (const sentence of sentences) {
      prefix += `\n${sentence}`;
      if (this.#states.has(prefix)) {
        const known = this.#states.get(prefix);
        if (known === undefined) return undefined;
        state = known;
        continue;
      }
      const result = await this.#session.run(state, written(sentence), {
        timeoutMs: STEP_TIMEOUT_MS,
        signal: this.#signal,
      });
      this.#states.set(prefix, result.status === 'done' ? result.state : undefined);
      if (result.status !== 'done') return undefined;
      state = result.state;
    }
    return state;
  }
}

export async function minimise(
  tree: ScriptTree,
  checker: ScriptChecker,
  options: MinimiseOptions,
): Promise<ScriptTree> {
  let best = tree;
  let attempts = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const smaller of smallerTrees(best, options.closers)) {
      const late = options.deadline !== undefined && performance.now() > options.deadline;
      if (attempts >= options.attempts || late || options.signal.aborted) return best;
      attempts += 1;
      if (await checker.passes(smaller)) {
        best = smaller;
        changed = true;
        break;
      }
    }
  }
  return best;
}

/** Changes of one place, the ones that save most first. Each is strictly smaller in sentences or in characters. */
function* smallerTrees(tree: ScriptTree, closers: readonly string[]): Generator<ScriptTree> {
  if (sentenceCount(tree) > 1) for (const closer of closers) yield { sentences: [closer], children: [] };
  const only = tree.children.length === 1 ? tree.children[0] : undefined;
  if (only !== undefined) yield only;
  for (const [index, child] of tree.children.entries())
    for (const smaller of smallerTrees(child, closers))
      yield { ...tree, children: tree.children.with(index, smaller) };
  for (const [index, sentence] of tree.sentences.entries())
    for (const shorter of shorterSentences(sentence))
      yield { ...tree, sentences: tree.sentences.with(index, shorter) };
}

export function* shorterSentences(sentence: string): Generator<string> {
  const solve = /^(?<before>.*?)(?:first|solve) \[(?<inside>.*)\]$/su.exec(sentence)?.groups;
  if (solve?.['inside'] !== undefined)
    for (const alternative of splitTopLevel(solve['inside'], '|')) {
      const bare = alternative.replace(/^solve \[(.*)\]$/su, '$1').trim();
      if (bare !== '') yield `${solve['before'] ?? ''}${bare}`;
    }
  if (/\busing\b/u.test(sentence)) yield sentence.replace(/ using [^;|)\]]+/u, '');
  const hints = /^(?<head>.*\busing )(?<names>[^;]+)$/su.exec(sentence)?.groups;
  const names = hints?.['names']?.split(',').map((name) => name.trim()) ?? [];
  for (const index of names.length > 1 ? names.keys() : [])
    yield `${hints?.['head'] ?? ''}${names.toSpliced(index, 1).join(', ')}`;
  const pieces = splitTopLevel(sentence, ';');
  if (pieces.length > 1)
    for (const index of pieces.keys()) {
      const rest = pieces.toSpliced(index, 1).join('; ');
      if (rest !== '') yield rest;
    }
  for (const [index, piece] of pieces.entries())
    for (const plain of plainPieces(piece)) yield pieces.with(index, plain).join('; ');
}

/** `t` for `try t`, and `(lemma x)` for `(@lemma _ x)`. */
function* plainPieces(piece: string): Generator<string> {
  if (piece.startsWith('try pose proof')) yield piece.slice('try '.length);
  const posed = /^(?<before>(?:try )?pose proof \()@(?<name>\S+)(?<holes>(?: _)*)(?<rest>.*)$/su.exec(
    piece,
  )?.groups;
  if (posed !== undefined) yield `${posed['before'] ?? ''}${posed['name'] ?? ''}${posed['rest'] ?? ''}`;
}

/** Splits at a separator outside brackets, quotes and `match … end`. */
export function splitTopLevel(text: string, separator: ';' | '|'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (isWordStart(text, at) && /^(?:lazy|multi)?match\b/u.test(text.slice(at, at + 10))) depth += 1;
    else if (
      text.startsWith('end', at) &&
      isWordStart(text, at) &&
      !/[\p{L}\p{N}_']/u.test(text[at + 3] ?? ' ')
    )
      depth -= 1;
    else if (
      character === separator &&
      depth === 0 &&
      text[at + 1] !== separator &&
      text[at - 1] !== separator
    ) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

function isWordStart(text: string, at: number): boolean {
  return !/[\p{L}\p{N}_']/u.test(text[at - 1] ?? ' ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
