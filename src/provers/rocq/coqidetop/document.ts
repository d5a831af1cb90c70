/**
 * The document of one coqidetop, as far as a driver must know it: which sentences stand in it, under which of Coq's
 * numbers, and which marks `Undo` left (driver.ts says why they are there).
 */
import { QuodError } from '../../../core/errors.ts';
import type { StmId } from '../driver.ts';
import { skipBlanksAndComments } from '../syntax/sentences.ts';

/** Documents shorter than this go back faster than they ask first. */
const LONG_DOCUMENT = 150;
/** Aliases after which the document is made straight: each keeps a state alive and lengthens what `Undo` walks. */
const MOST_ALIASES = 200;

export interface Entry {
  /** What the session knows it by. */
  readonly id: StmId;
  readonly sentence: string;
  readonly tactic: boolean;
  /** Coq's number for it, which changes when the document is made straight. */
  node: StmId;
  /** Coq's number for the alias on top of it, when there is one, else `node`. */
  tip: StmId;
}

export class CoqDocument {
  /** A step failed on top of it, or it is not known what happened there. */
  isDirty = false;
  /** Never empty. */
  readonly #entries: Entry[];
  readonly #root: StmId;
  #aliases = 0;
  /** The place of the first entry with an alias on top. */
  #firstAlias = Infinity;

  constructor(root: StmId) {
    this.#root = root;
    this.#entries = [{ id: root, sentence: '', tactic: false, node: root, tip: root }];
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Whether going back in it costs so much that asking first is faster. */
  get isLong(): boolean {
    return this.#entries.length >= LONG_DOCUMENT;
  }

  get hasAliases(): boolean {
    return this.#aliases > 0;
  }

  /** What Coq puts the next sentence on. */
  get tip(): StmId {
    return this.#entries.at(-1)?.tip ?? this.#root;
  }

  endsAt(id: StmId): boolean {
    return this.#entries.at(-1)?.id === id;
  }

  depth(id: StmId): number {
    return this.#entries.findLastIndex((entry) => entry.id === id);
  }

  /** @throws QuodError `internal` for what is not in it. */
  entry(id: StmId): Entry {
    const entry = this.#entries[this.depth(id)];
    if (entry === undefined) throw new QuodError('internal', `The document has no sentence ${id}.`);
    return entry;
  }

  add(id: StmId, sentence: string): void {
    this.#entries.push({ id, sentence, tactic: isTactic(sentence), node: id, tip: id });
  }

  /** A sentence that stood in it before, now under another number of Coq's. */
  addAgain(entry: Entry, node: StmId): void {
    entry.node = entry.tip = node;
    this.#entries.push(entry);
  }

  /** It ends at `depth` once Coq was told to go back to the node there. */
  cut(depth: number): void {
    this.#entries.length = depth + 1;
    const last = this.#entries[depth];
    if (last !== undefined) last.tip = last.node;
    if (this.#firstAlias < depth) return;
    this.#firstAlias = Infinity;
    this.#aliases = 0;
  }

  canUndoTo(base: StmId): boolean {
    const after = this.#entries.slice(this.depth(base) + 1);
    return !this.isDirty && this.isLong && after.length > 0 && after.every(({ tactic }) => tactic);
  }

  /** It ends at `base`, where `Undo` left an alias. */
  undone(base: StmId, alias: StmId): void {
    const depth = this.depth(base);
    this.#entries.length = depth + 1;
    this.entry(base).tip = alias;
    this.#aliases += 1;
    this.#firstAlias = Math.min(this.#firstAlias, depth);
  }

  /** Whether it must be made straight before a sentence is put on top. */
  isTooCrooked(sentence: string): boolean {
    return this.#aliases >= (isTactic(sentence) ? MOST_ALIASES : 1);
  }

  /** Where it has to be cut to be without aliases, and what must be added again to end at `base`. */
  crookedPart(base: StmId): { readonly depth: number; readonly start: Entry; readonly again: Entry[] } {
    const depth = Math.min(this.#firstAlias, this.depth(base));
    const start = this.#entries[depth];
    if (start === undefined) throw new QuodError('internal', 'The document has lost its beginning.');
    return { depth, start, again: this.#entries.slice(depth + 1, this.depth(base) + 1) };
  }
}

/**
 * True for sentences that only change the proof, for certain: tactics begin with a small letter or a bracket, commands
 * with a capital, also behind a goal selector. A tactic named otherwise is only slower.
 */
export function isTactic(sentence: string): boolean {
  const text = sentence.slice(skipBlanksAndComments(sentence, 0));
  return /^(?:(?:[\d,\s-]+|\[\w+\]|all|par|!)\s*:\s*)?[a-z_([]/.test(text);
}
