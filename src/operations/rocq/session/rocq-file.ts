/**
 * One version of a Rocq file, as the workbench sees it: its text, outline and the state after each sentence. A newer
 * version shares the states of every sentence before the first one that changed, since states are named by content.
 */
import { QuodError } from '../../../core/errors.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { LineIndex, type PrintedPosition } from '../../../core/position.ts';
import { Script } from '../../../gate/rocq/text/script.ts';
import { tacticWords } from '../../../gate/rocq/text/text-findings.ts';
import type { DigestsOf } from '../../../provers/rocq/build/dependency-digests.ts';
import { severalMeant, statementMeant } from '../../../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { unreadRest } from '../../../provers/rocq/syntax/unread-rest.ts';
import {
  rootState,
  stateAfter,
  type ScriptContext,
  type ScriptState,
} from '../../../sessions/script-state.ts';
import { nearestNames } from '../../../core/names/nearest-names.ts';
import type { SourceFile } from '../../files/source-file.ts';

const nothing = (): Promise<undefined> => Promise.resolve(undefined);
const NOTHING_THERE: DigestsOf = { compiled: nothing, source: nothing };

export class RocqFile {
  readonly source: SourceFile;
  /** As answers call it: relative to the workspace. */
  readonly name: string;
  readonly context: ScriptContext;
  /** What stood compiled on its load path when it was read. */
  readonly libraries: DigestsOf;
  readonly outline: FileOutline;
  readonly lines: LineIndex;
  /** As the gate reads it. */
  readonly script: () => Script;
  /** Capitalised words that the file's own proofs use as tactics. */
  readonly tacticWords: () => ReadonlySet<string>;
  /** `#states[n]` is the state before sentence n. */
  readonly #states: ScriptState[];

  constructor(
    source: SourceFile,
    name: string,
    context: ScriptContext,
    libraries: DigestsOf = NOTHING_THERE,
  ) {
    this.source = source;
    this.name = name;
    this.context = context;
    this.libraries = libraries;
    this.outline = outlineOf(source.text);
    this.lines = new LineIndex(source.text);
    const { path, text } = source;
    this.script = lazyConstant(() => new Script({ path, text }));
    this.tacticWords = lazyConstant(() => tacticWords(this.script()));
    this.#states = [rootState(context)];
  }

  /** The state before a sentence; before the one behind the last it is the end of the file. */
  stateBefore(sentence: number): ScriptState {
    for (let index = this.#states.length; index <= sentence; index += 1) {
      const before = this.#states[index - 1];
      const text = this.outline.sentences[index - 1]?.text;
      if (before === undefined || text === undefined) break;
      this.#states.push(stateAfter(before, text));
    }
    const state = this.#states[Math.min(sentence, this.#states.length - 1)];
    if (state === undefined) throw new QuodError('internal', 'A file has no state at its start.');
    return state;
  }

  get stateAtEnd(): ScriptState {
    return this.stateBefore(this.outline.sentences.length);
  }

  /** The sentence after whose execution a state is the state of this file, or undefined when it is not one of them. */
  sentenceBefore(state: ScriptState): number | undefined {
    return this.stateBefore(state.depth).key === state.key ? state.depth - 1 : undefined;
  }

  /**
   * The state at a printed position: that behind the last sentence that ends at it or before it. Between sentences
   * this is what an editor shows; inside a sentence it is the state before it. @throws QuodError `invalid-input`.
   */
  stateAt(position: PrintedPosition): ScriptState {
    const offset = this.lines.offsetOfPrinted(position);
    if (offset === undefined) {
      throw new QuodError('invalid-input', `The file has no place ${position.line}:${position.column}.`, {
        place: { file: this.name },
        remedy: `It has ${this.lines.lineCount} lines; lines count from 1 and columns from 0.`,
      });
    }
    const { sentences } = this.outline;
    let count = 0;
    while (count < sentences.length && (sentences[count]?.span.end ?? Infinity) <= offset) count += 1;
    return this.stateBefore(count);
  }

  /**
   * A statement by its name, which may be qualified by modules of the file: the one that has just this name, else the only
   * one with such an end. @throws QuodError `not-found`; `invalid-input` when the name is short for several.
   */
  theorem(name: string): TheoremItem {
    const meant = statementMeant(this.outline, name);
    if (meant.kind === 'one') return meant.item;
    if (meant.kind === 'several') throw severalMeant(name, meant.names, this.name);
    const names = this.outline.statements.flatMap((item) => item.name ?? []);
    const near = nearestNames(name, names);
    const said =
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : names.length > 0
          ? `It states ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`
          : 'It states no theorem at all.';
    const unread = unreadRest(this.outline);
    throw new QuodError('not-found', `The file states no ${name}.`, {
      place: { file: this.name },
      remedy: unread === undefined ? said : `${said} ${unread}`,
    });
  }

  positionOf(offset: number): PrintedPosition {
    return this.lines.printedAt(offset);
  }
}
