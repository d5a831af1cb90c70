/**
 * Drives Coq's document inside one jsCoq thread, and starts from a memory image where there is one.
 *
 * The document in the thread may run ahead of what was asked for: an image holds a whole header (`Require …`), and
 * restoring it for the first sentence already executes the others. That is invisible: a sentence that is asked for next
 * and is there is answered from what was recorded; any other throws the rest of the document away first.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { Lost } from '../../../core/driver.ts';
import type { Sentence } from '../../../core/prover.ts';
import { greatestOf } from '../../../core/lists/many.ts';
import type { AskAnswer, ExecuteAnswer, RocqDriver, StmId } from '../driver.ts';
import { answersAmong } from '../query-answer.ts';
import { skipBlanksAndComments } from '../syntax/sentences.ts';
import { backgroundOf, digestAnswers, readProofState, type AnswerDigest } from './answers.ts';
import { isHeaderSentence } from './header.ts';
import { shifted } from './shifted-answer.ts';
import { ShownFiles } from './shown-files.ts';
import type { FileForCoq, ProjectLibrary } from './project-library.ts';
import type { Snapshot, SnapshotSentence, SnapshotStore } from './snapshot-store.ts';
import type { Command, ThreadReply } from './thread-protocol.ts';
import type { CoqThread } from './thread.ts';

/** Coq's own number for the state before the first sentence. */
const INITIAL = 1;
/** Coq numbers the states that it adds itself from 2 on; ours must not meet them. */
const FIRST_ID = 1_000_000;
/** A header that loads faster than this is not worth an image. */
const WORTH_AN_IMAGE_MS = 300;
/** A thread has to wait for its turn on a busy machine, and to begin anew takes longer than that. */
const GRACE_MS = 4000;

interface Executed extends SnapshotSentence {
  /**
   * The number that the caller knows it by: stays when an image gives the sentence another id. Sentences that the
   * caller does not know of (the load path of its project) have one that no caller has.
   */
  readonly outer: StmId;
}

export interface DocumentStart {
  /** The commands that make the document, run when no image does. */
  readonly opening: readonly Command[];
  /** Absent: nothing is kept and nothing is restored. */
  readonly store?: SnapshotStore | undefined;
  /** Absent: only the libraries that jsCoq ships can be required. */
  readonly library?: ProjectLibrary | undefined;
}

const STOPPED: AnswerDigest = { messages: [], interrupted: true };

type Stepped = { readonly status: 'stepped'; readonly coqId: number; readonly digest: AnswerDigest } | Lost;
type DigestReply = { readonly status: 'told'; readonly digest: AnswerDigest } | Lost;

export class EmbeddedDriver implements RocqDriver {
  readonly root: StmId = INITIAL;
  readonly keepsStates = false;
  readonly readsAnywhere = true;
  readonly graceMs = GRACE_MS;
  readonly #thread: CoqThread;
  readonly #start: DocumentStart;
  #document: Executed[] = [];
  #lastId = FIRST_ID;
  #lastOuter = INITIAL;
  /** Time spent on the header that is in no image yet. */
  #headerMs = 0;
  #stopWanted = false;
  #cutAsGiven = true;
  readonly #files: ShownFiles;
  #killed: Promise<void> | undefined;

  private constructor(thread: CoqThread, start: DocumentStart) {
    this.#thread = thread;
    this.#start = start;
    this.#files = new ShownFiles(start.library, (files) => this.#put(files));
  }

  /** Makes the document too, so that no step pays for it. @throws QuodError `prover-crashed`, `memory-exceeded`. */
  static async start(thread: CoqThread, start: DocumentStart): Promise<EmbeddedDriver> {
    const driver = new EmbeddedDriver(thread, start);
    const lost = await driver.#open();
    if (lost) throw new QuodError(lost.reason, lost.message);
    return driver;
  }

  async execute(base: StmId, { text }: Sentence, withGoals: boolean): Promise<ExecuteAnswer> {
    // Comments before the sentence are no part of it: files that differ in them share images.
    this.#stopWanted = false;
    const start = skipBlanksAndComments(text, 0);
    const answer = await this.#execute(base, text.slice(start), withGoals);
    return start === 0 ? answer : shifted(answer, start);
  }

  async #execute(base: StmId, sentence: string, withGoals: boolean): Promise<ExecuteAnswer> {
    const at = this.#indexOf(base);
    const provided = await this.#files.provide(sentence);
    if (provided === undefined) return this.#run(at, sentence, withGoals);
    if ('status' in provided) return provided;
    let end = at;
    for (const text of provided.before) {
      const answer = await this.#run(end, text, false);
      if (answer.status !== 'done') return answer;
      end += 1;
    }
    return this.#run(end, provided.sentence, withGoals);
  }

  async #run(at: number, sentence: string, withGoals: boolean): Promise<ExecuteAnswer> {
    const ahead = this.#document[at + 1];
    if (ahead?.text === sentence) return this.#recall(ahead, withGoals);
    await this.#prepare(at, sentence);
    const restored = this.#document[at + 1];
    if (restored?.text === sentence) return this.#recall(restored, withGoals);

    const before = performance.now();
    const stepped = await this.#step(at, sentence, withGoals);
    if (stepped.status === 'lost') return stepped;
    const { digest, coqId } = stepped;
    if (digest.interrupted) return { status: 'interrupted' };
    if (digest.error) return { status: 'failed', error: digest.error, messages: digest.messages };
    if (isHeaderSentence(sentence)) this.#headerMs += performance.now() - before;
    this.#lastOuter += 1;
    const outer = this.#lastOuter;
    this.#document.push({ id: coqId, outer, text: sentence, messages: [...digest.messages] });
    return {
      status: 'done',
      place: outer,
      messages: digest.messages,
      ...(withGoals && { proof: readProofState(digest.goals) }),
    };
  }

  goals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    this.#stopWanted = false;
    return this.#goals(at, readProofState);
  }

  background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>> {
    this.#stopWanted = false;
    return this.#goals(at, backgroundOf);
  }

  async query(at: StmId, { text: command }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    this.#stopWanted = false;
    const told = await this.#tell([['Query', this.#coqId(at), 0, ['Vernac', command]]], command);
    if (told.status === 'lost') return told;
    const { digest } = told;
    if (digest.interrupted) return { status: 'interrupted' };
    return digest.error
      ? { status: 'failed', error: digest.error }
      : { status: 'done', value: answersAmong(digest.messages) };
  }

  workDone(): number {
    return this.#thread.workDone;
  }

  interrupt(): void {
    // The call may be between two requests, where Coq would not see it.
    this.#stopWanted = true;
    this.#files.stop();
    this.#thread.interrupt();
  }

  kill(): Promise<void> {
    this.#files.stop();
    this.#killed ??= this.#thread.end({
      status: 'lost',
      reason: 'interrupted',
      message: 'The embedded Rocq was ended.',
    });
    return this.#killed;
  }

  /**
   * True when Coq cut every sentence where it was cut before it was given to Coq: what Coq does not take of a text
   * that it is given as one sentence, it leaves unread.
   */
  get cutAsGiven(): boolean {
    return this.#cutAsGiven;
  }

  /** Shows files to Coq, in its own file system. */
  async show(files: readonly FileForCoq[]): Promise<void> {
    await this.#put(files);
  }

  async #put(files: readonly FileForCoq[]): Promise<Lost | undefined> {
    const reply = await this.#thread.ask({ kind: 'put', files });
    return reply.status === 'answered' ? undefined : this.#unexpected(reply);
  }

  /** The compiled file of the module that the document is. */
  async compiledFile(): Promise<Uint8Array | undefined> {
    const name = '/compiled.vo';
    const reply = await this.#thread.ask({
      kind: 'commands',
      commands: [
        ['Compile', name],
        ['Get', name],
      ],
    });
    if (reply.status !== 'answered') return undefined;
    const content = reply.answers.find(([kind]) => kind === 'Got')?.[2];
    return content instanceof Uint8Array ? content : undefined;
  }

  /** Index in the document; -1 for the root. @throws QuodError `internal` for what is not in it. */
  #indexOf(id: StmId): number {
    const index = this.#document.findIndex(({ outer }) => outer === id);
    if (index < 0 && id !== this.root)
      throw new QuodError('internal', `The document of the embedded Rocq has no sentence ${id}.`);
    return index;
  }

  #coqId(id: StmId): number {
    return this.#document[this.#indexOf(id)]?.id ?? INITIAL;
  }

  async #recall(sentence: Executed, withGoals: boolean): Promise<ExecuteAnswer> {
    const { outer, messages } = sentence;
    if (!withGoals) return { status: 'done', place: outer, messages };
    const goals = await this.#goals(outer, readProofState);
    if (goals.status === 'done') return { status: 'done', place: outer, messages, proof: goals.value };
    return goals.status === 'failed' ? { ...goals, messages } : goals;
  }

  async #goals<Value>(at: StmId, read: (goals: unknown) => Value): Promise<AskAnswer<Value>> {
    const told = await this.#tell([['Query', this.#coqId(at), 0, ['Goals']]], '');
    if (told.status === 'lost') return told;
    if (told.digest.interrupted) return { status: 'interrupted' };
    if (told.digest.error) return { status: 'failed', error: told.digest.error };
    return { status: 'done', value: read(told.digest.goals) };
  }

  async #tell(commands: readonly Command[], text: string): Promise<DigestReply> {
    if (this.#stopWanted) return { status: 'told', digest: STOPPED };
    const reply = await this.#thread.ask({ kind: 'commands', commands });
    if (reply.status === 'answered') return { status: 'told', digest: digestAnswers(reply.answers, text) };
    return this.#unexpected(reply);
  }

  /** Executes a sentence behind `at` and leaves the document ending at `at`. */
  async #step(at: number, sentence: string, withGoals: boolean): Promise<Stepped> {
    if (this.#stopWanted) return { status: 'stepped', coqId: INITIAL, digest: STOPPED };
    const cancel = this.#document[at + 1]?.id;
    const onTop = this.#document[at]?.id ?? INITIAL;
    this.#lastId += 1;
    const reply = await this.#thread.ask({
      kind: 'step',
      ...(cancel !== undefined && { cancel }),
      onTop,
      id: this.#lastId,
      text: sentence,
      withGoals,
    });
    switch (reply.status) {
      case 'stepped': {
        this.#document.length = at + 1;
        const digest = digestAnswers(reply.answers, sentence);
        const { addedEnd } = digest;
        if (addedEnd !== undefined && skipBlanksAndComments(sentence, addedEnd) < sentence.length)
          this.#cutAsGiven = false;
        const failed = digest.interrupted || digest.error !== undefined;
        const lost = failed && reply.tip !== onTop ? await this.#repair(at, reply.tip) : undefined;
        return lost ?? { status: 'stepped', coqId: reply.tip, digest };
      }
      case 'displaced':
        return (await this.#repair(at, reply.tip)) ?? this.#step(at, sentence, withGoals);
      default:
        return this.#unexpected(reply);
    }
  }

  /**
   * `tip` is the tip although `at` should be: throws away what is still too much, then executes again what is
   * missing.
   */
  async #repair(at: number, tip: number): Promise<Lost | undefined> {
    if (this.#isStopped() || Number.isNaN(tip)) return this.#abandon();
    let end = this.#document.findIndex(({ id }) => id === tip);
    if (end > at) {
      // The number of `tip` is smaller than all that come before it, so this goes back to the root.
      const told = await this.#tell([['Cancel', tip]], '');
      if (told.status === 'lost') return told;
      if (told.digest.interrupted) return this.#abandon();
      end = -1;
    }
    const missing = this.#document.slice(end + 1, at + 1);
    this.#document.length = end + 1;
    for (const executed of missing) {
      const again = await this.#step(this.#document.length - 1, executed.text, false);
      if (again.status === 'lost') return again;
      if (again.digest.interrupted) return this.#abandon();
      if (again.digest.error)
        return this.#giveUp(`a sentence failed that had succeeded: ${again.digest.error.message}`);
      this.#document.push({ ...executed, id: again.coqId });
    }
    return undefined;
  }

  /** Asked again after a wait. */
  #isStopped(): boolean {
    return this.#stopWanted;
  }

  #unexpected(reply: ThreadReply | Lost): Promise<Lost> {
    if (reply.status === 'lost') return Promise.resolve(reply);
    return this.#giveUp(reply.status === 'crashed' ? reply.message : 'it answered another question');
  }

  /**
   * Interrupted while the document was put right: nobody knows what it holds now, and a new one is made from the
   * start.
   */
  async #abandon(): Promise<Lost> {
    const lost: Lost = {
      status: 'lost',
      reason: 'interrupted',
      message: 'The embedded Rocq was interrupted while it went back.',
    };
    await this.#thread.end(lost);
    return lost;
  }

  /** A trap inside WebAssembly leaves Coq in no state that can be relied on. */
  async #giveUp(message: string): Promise<Lost> {
    const lost: Lost = {
      status: 'lost',
      reason: 'prover-crashed',
      message: `The embedded Rocq stopped: ${message}`,
    };
    await this.#thread.end(lost);
    return lost;
  }

  /** Before a sentence is executed behind `at`: restores an image that begins that way, or keeps one of the header. */
  async #prepare(at: number, sentence: string): Promise<void> {
    const { store } = this.#start;
    if (!store) return;
    const header = this.#document.slice(0, at + 1).map(({ text }) => text);
    const inHeader = header.every(isHeaderSentence);
    if (inHeader && isHeaderSentence(sentence)) {
      const wanted = [...header, sentence];
      const snapshot = (await store.findExact(wanted)) ?? (await store.find(wanted));
      if (snapshot) await this.#restore(snapshot, store);
    } else if (inHeader && at === this.#document.length - 1 && this.#headerMs > WORTH_AN_IMAGE_MS) {
      await this.#keepImage(store);
    }
  }

  /** Makes the document. */
  async #open(): Promise<Lost | undefined> {
    const { store, opening } = this.#start;
    const snapshot = await store?.findExact([]);
    if (store && snapshot && (await this.#restore(snapshot, store))) return undefined;
    for (const command of opening) {
      const told = await this.#tell([command], '');
      if (told.status === 'lost') return told;
      if (told.digest.error) return this.#giveUp(told.digest.error.message);
      if (told.digest.interrupted) return this.#giveUp('it was interrupted while it started');
    }
    if (store) await this.#keepImage(store);
    return undefined;
  }

  /** False when the image is damaged or of another start; then nothing has changed. */
  async #restore(snapshot: Snapshot, store: SnapshotStore): Promise<boolean> {
    if (snapshot.fingerprint !== this.#thread.fingerprint) return false;
    const { sentences, ...image } = snapshot;
    const reply = await this.#thread.ask({ kind: 'restore', image });
    if (reply.status !== 'answered') {
      await store.discard(snapshot);
      if (reply.status === 'crashed') await this.#giveUp(reply.message);
      return false;
    }
    await store.touch(snapshot);
    const known = this.#document;
    this.#document = sentences.map((sentence, index) => {
      const before = known[index];
      if (before?.text === sentence.text) return { ...sentence, outer: before.outer };
      this.#lastOuter += 1;
      return { ...sentence, outer: this.#lastOuter };
    });
    this.#lastId = greatestOf([FIRST_ID, ...sentences.map(({ id }) => id)]);
    this.#headerMs = 0;
    return true;
  }

  async #keepImage(store: SnapshotStore): Promise<void> {
    const reply = await this.#thread.ask({ kind: 'image' });
    if (reply.status !== 'image') return;
    this.#headerMs = 0;
    const sentences = this.#document.map(({ id, text, messages }) => ({ id, text, messages }));
    // Packed and written while Coq goes on.
    void store.write(this.#thread.fingerprint, sentences, reply.image);
  }
}
