/**
 * coqidetop as a {@link RocqDriver}. A step is one write: going back if needed, adding, evaluating. `Add` itself
 * mostly parses; errors of execution arrive with the goals, and then the document has to go back before the next step.
 *
 * Going back costs Coq time in proportion to the whole document (2 µs a sentence: 12 ms at 6,000), which would rule the
 * search. In long documents tactics avoid it twice: each is first run as a query, which leaves the document alone, so
 * those that fail cost nothing more; and from those that succeed `Undo` goes back, in constant time. (Sentences
 * that are expected to work are run at once, and gone back from the slow way.) `Undo` leaves marks
 * in the document, called aliases here, so only tactics are put on top of them: before any other sentence, and from
 * time to time, the document is made straight again.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { ExecutionMode, Interrupted, Lost } from '../../../core/driver.ts';
import type { Sentence } from '../../../core/prover.ts';
import type { AskAnswer, ExecuteAllAnswer, ExecuteAnswer, RocqDriver, StmId } from '../driver.ts';
import { answersAmong } from '../query-answer.ts';
import { diagnostic, coqDiagnostic, failed, failure, stateOf, type GoodValue } from './answers.ts';
import type { CoqAnswers, CoqConnection } from './connection.ts';
import { CoqDocument, isTactic } from './document.ts';
import {
  ABOUT,
  GOAL,
  add,
  editAt,
  opensMiddle,
  query,
  readGoals,
  readStateId,
  readUnfocusedTip,
  setPrintingAll,
  subgoals,
} from './protocol.ts';

/** The cheapest call that evaluates up to the tip. */
const EVALUATE = subgoals({ mode: 'short', focused: false, background: false });

/** How Coq names a warning, behind its text: `[deprecated-hint,deprecated]`. */
const WARNING = /\[[\w-]+(?:,[\w-]+)*\]\s*$/u;

type Moved = { readonly status: 'moved' } | Interrupted | Lost;

export class CoqidetopDriver implements RocqDriver {
  readonly root: StmId;
  readonly keepsStates = false;
  readonly readsAnywhere = false;
  readonly #connection: CoqConnection;
  readonly #document: CoqDocument;
  /** The newest sentence's. */
  #lastId: StmId = 0;
  #stopAsked = false;

  constructor(connection: CoqConnection, root: StmId) {
    this.#connection = connection;
    this.root = root;
    this.#document = new CoqDocument(root);
  }

  async execute(
    base: StmId,
    { text: sentence }: Sentence,
    withGoals: boolean,
    mode: ExecutionMode,
  ): Promise<ExecuteAnswer> {
    this.#stopAsked = false;
    if (mode === 'tried' && this.#document.isLong && isTactic(sentence)) {
      const refusal = await this.#tryOut(base, sentence);
      if (refusal !== undefined) return refusal;
    }
    if (this.#document.isTooCrooked(sentence)) {
      const straight = await this.#straighten(base);
      if (straight.status !== 'moved') return straight;
    }
    const answers = await this.#at(
      base,
      (tip) => [add(sentence, tip), withGoals ? GOAL : EVALUATE],
      mode === 'expected',
    );
    if (answers.status !== 'answered') return answers;
    const { values, messages } = answers;
    const [added, evaluated] = values;
    if (added?.kind !== 'good' || evaluated?.kind !== 'good') {
      if (added?.kind === 'fail' && added.good === 0) this.#document.isDirty = false;
      return failure(failed(added) ?? failed(evaluated), messages, sentence);
    }
    if (readUnfocusedTip(added.content) !== undefined) {
      return await this.#lose('the document was edited in its middle');
    }
    this.#document.isDirty = false;
    const id = readStateId(added.content);
    this.#lastId = id;
    this.#document.add(id, sentence);
    return {
      status: 'done',
      place: id,
      messages: messages.map((message) => coqDiagnostic(message, sentence)),
      ...(withGoals ? { proof: stateOf(evaluated) } : {}),
    };
  }

  /**
   * The tip that each `Add` names is the answer of the one before, which is not there yet: Coq numbers sentences one
   * after the other, so it is guessed, and Coq refuses a wrong guess. Executed is all of it at the end.
   */
  async executeAll(base: StmId, steps: readonly Sentence[]): Promise<ExecuteAllAnswer> {
    this.#stopAsked = false;
    const sentences = steps.map(({ text }) => text);
    const [first = ''] = sentences;
    if (this.#document.hasAliases || this.#document.isDirty || !this.#document.endsAt(base))
      return { status: 'apart' };
    const guess = this.#lastId + 1;
    const answers = await this.#at(
      base,
      (tip) => [
        add(first, tip),
        ...sentences.slice(1).map((sentence, index) => add(sentence, guess + index)),
        EVALUATE,
      ],
      true,
    );
    if (answers.status !== 'answered') return answers;
    const { values, messages } = answers;
    const ids: StmId[] = [];
    for (const [index, sentence] of sentences.entries()) {
      const value = values[index];
      const isGuessed = index > 0 && ids.at(-1) !== guess + index - 1;
      if (isGuessed) return { status: 'apart' };
      if (value?.kind !== 'good') {
        const error = diagnostic('error', orNothing(value?.text), value?.place, sentence);
        return { status: 'failed', index, error };
      }
      if (readUnfocusedTip(value.content) !== undefined)
        return await this.#lose('the document was edited in its middle');
      ids.push((this.#lastId = readStateId(value.content)));
    }
    const evaluated = values.at(-1);
    if (evaluated?.kind !== 'good') {
      // What Coq names is the last sentence that is good.
      const index = ids.findIndex((id) => id === evaluated?.good) + 1;
      const error = diagnostic(
        'error',
        orNothing(evaluated?.text),
        evaluated?.place,
        entryAt(sentences, index, 'sentence'),
      );
      return { status: 'failed', index, error };
    }
    this.#document.isDirty = false;
    for (const [index, id] of ids.entries()) {
      this.#document.add(id, entryAt(sentences, index, 'sentence'));
    }
    return {
      status: 'done',
      places: ids,
      messages: messages.map(({ severity, text }) => ({ severity, message: text })),
    };
  }

  async goals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    return this.#ask(at, GOAL, stateOf);
  }

  async explicitGoals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    this.#stopAsked = false;
    const answers = await this.#at(at, () => [setPrintingAll(true), GOAL, setPrintingAll(false)]);
    if (answers.status !== 'answered') return answers;
    const [set, value, reset] = answers.values;
    const refused = failed(set) ?? failed(value) ?? failed(reset);
    if (refused !== undefined || value?.kind !== 'good')
      return { status: 'failed', error: { severity: 'error', message: refused?.text ?? 'no answer' } };
    this.#document.isDirty = false;
    return { status: 'done', value: stateOf(value) };
  }

  async background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>> {
    const call = subgoals({ mode: 'full', focused: false, background: true });
    return this.#ask(at, call, ({ content }) => {
      const goals = readGoals(content);
      return goals && { unfocused: goals.unfocused, shelved: goals.shelved, givenUp: goals.givenUp };
    });
  }

  async query(at: StmId, { text: command }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    this.#stopAsked = false;
    const answers = await this.#send([query(command, this.#document.entry(at).node)]);
    if (answers.status !== 'answered') return answers;
    const refused = failed(answers.values[0]);
    if (refused !== undefined) {
      if (!this.#concerns(at, refused.text)) return await this.#lose(`it cannot go back: ${refused.text}`);
      return { status: 'failed', error: diagnostic('error', refused.text, refused.place, command) };
    }
    const said = answers.messages.map((message) => coqDiagnostic(message, command));
    return { status: 'done', value: answersAmong(said) };
  }

  workDone(): number | undefined {
    return this.#connection.processorMs;
  }

  interrupt(): void {
    this.#stopAsked = true;
    if (this.#connection.busy) this.#connection.interrupt();
  }

  async kill(): Promise<void> {
    await this.#connection.kill();
  }

  async #ask<Value>(at: StmId, call: string, read: (value: GoodValue) => Value): Promise<AskAnswer<Value>> {
    this.#stopAsked = false;
    const answers = await this.#at(at, () => [call]);
    if (answers.status !== 'answered') return answers;
    const [value] = answers.values;
    if (value?.kind !== 'good') {
      return { status: 'failed', error: { severity: 'error', message: value?.text ?? 'no answer' } };
    }
    this.#document.isDirty = false;
    return { status: 'done', value: read(value) };
  }

  /** What a tactic says at a state where it does not work; undefined where it does. */
  async #tryOut(base: StmId, tactic: string): Promise<ExecuteAnswer | undefined> {
    const answers = await this.#send([query(tactic, this.#document.entry(base).node)]);
    if (answers.status !== 'answered') return answers;
    const refused = failed(answers.values[0]);
    return refused && this.#concerns(base, refused.text)
      ? failure(refused, answers.messages, tactic)
      : undefined;
  }

  /**
   * Whether what is refused at a place is what was asked. On the way to a place Coq has the warnings of where it was:
   * with `Set Warnings "+all"` there, that it leaves plugins behind is an error. What may be such a one is asked again
   * at the end of a document.
   */
  #concerns(place: StmId, error: string): boolean {
    return this.#document.endsAt(place) || !WARNING.test(error);
  }

  /** Calls made with `base` as tip. Leaves the document dirty, for the caller to clean when all went well. */
  async #at(
    base: StmId,
    calls: (tip: StmId) => readonly string[],
    keepsStraight = false,
  ): Promise<CoqAnswers | Interrupted | Lost> {
    if (!keepsStraight && this.#document.canUndoTo(base)) {
      const undone = await this.#undo(base);
      if (undone.status !== 'moved') return undone;
    }
    const depth = this.#document.depth(base);
    const entry = this.#document.entry(base);
    const goesBack = this.#document.isDirty || depth < this.#document.length - 1;
    if (goesBack) this.#document.cut(depth);
    this.#document.isDirty = true;
    const answers = await this.#send(goesBack ? [editAt(entry.node), ...calls(entry.tip)] : calls(entry.tip));
    if (answers.status !== 'answered' || !goesBack) return answers;
    const [edited, ...values] = answers.values;
    if (edited?.kind !== 'good') return await this.#lose(`it cannot go back: ${orNothing(edited?.text)}`);
    // Coq can reopen a finished proof and keep what follows it; Quod's states are paths, so it starts afresh instead.
    if (opensMiddle(edited.content)) return await this.#lose('the document was edited in its middle');
    return { ...answers, values };
  }

  async #undo(base: StmId): Promise<Moved> {
    const steps = this.#document.length - 1 - this.#document.depth(base);
    this.#document.isDirty = true;
    const answers = await this.#send([add(`Undo ${steps}.`, this.#document.tip)]);
    if (answers.status !== 'answered') return answers;
    const [undone] = answers.values;
    // Left dirty, the document goes back the slow way.
    if (undone?.kind !== 'good') return { status: 'moved' };
    this.#document.isDirty = false;
    this.#document.undone(base, readStateId(undone.content));
    return { status: 'moved' };
  }

  /** Makes a document without aliases that ends at `base`, by going back before the first and adding what follows. */
  async #straighten(base: StmId): Promise<Moved> {
    const { depth, start, again } = this.#document.crookedPart(base);
    this.#document.cut(depth);
    this.#document.isDirty = true;
    const edited = await this.#send([editAt(start.node)]);
    if (edited.status !== 'answered') return await this.#loseHalf(edited);
    if (failed(edited.values[0]) !== undefined) return await this.#lose('it cannot go back');
    for (const entry of again) {
      const answers = await this.#send([add(entry.sentence, this.#document.tip), EVALUATE]);
      if (answers.status !== 'answered') return await this.#loseHalf(answers);
      const [added, evaluated] = answers.values;
      if (added?.kind !== 'good' || evaluated?.kind !== 'good')
        return await this.#lose('a step cannot be repeated');
      this.#document.addAgain(entry, readStateId(added.content));
    }
    this.#document.isDirty = false;
    return { status: 'moved' };
  }

  async #send(calls: readonly string[]): Promise<CoqAnswers | Interrupted | Lost> {
    if (this.#stopAsked) return { status: 'interrupted' };
    const answers = await this.#connection.exchange(calls);
    if (answers.status === 'lost' || !this.#stopRequested()) return answers;
    await this.#settle();
    return answers.values.every((value) => value.kind === 'good') ? answers : { status: 'interrupted' };
  }

  /**
   * After an interrupt: the signal may have come too late, and would hit the next call. A call that asks nothing takes
   * it. If it hits while nothing runs, the process dies, and the next call notices.
   */
  async #settle(): Promise<void> {
    await this.#connection.killHelpers();
    do {
      this.#stopAsked = false;
      await this.#connection.exchange([ABOUT]);
    } while (this.#stopRequested());
    this.#stopAsked = true;
  }

  /** Set from outside while a call is awaited, which the compiler cannot know. */
  #stopRequested(): boolean {
    return this.#stopAsked;
  }

  /** A document of which only the beginning is there again is of no use to a session that counts on all of it. */
  async #loseHalf(stop: Interrupted | Lost): Promise<Lost> {
    return stop.status === 'lost' ? stop : await this.#lose('it was stopped while it repeated steps');
  }

  async #lose(why: string): Promise<Lost> {
    await this.#connection.kill();
    const message = `The prover has to start again: ${why}.`;
    return { status: 'lost', reason: 'protocol-error', message, onlyProcess: true };
  }
}
