/**
 * Drives Coq's document inside one jsCoq thread, and starts from a memory image where there is one.
 *
 * The document in the thread may run ahead of what was asked for: an image holds a whole header (`Require …`), and
 * restoring it for the first sentence already executes the others. That is invisible: a sentence that is asked for next
 * and is there is answered from what was recorded; any other throws the rest of the document away first.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { AskAnswer, ExecuteAnswer, Lost, StmId, StmTransport } from '../stm/transport.ts';
import { skipBlanksAndComments } from '../syntax/sentences.ts';
import { backgroundOf, digestAnswers, proofStateOf, type AnswerDigest } from './answers.ts';
import { isHeaderSentence } from './header.ts';
import type { Snapshot, SnapshotSentence, SnapshotStore } from './snapshot-store.ts';
import type { Command } from './thread-protocol.ts';
import type { CoqThread } from './thread.ts';

/** Coq's own number for the state before the first sentence. */
const INITIAL = 1;
/** Coq numbers the states that it adds itself from 2 on; ours must not meet them. */
const FIRST_ID = 1_000_000;
/** A header that loads faster than this is not worth an image. */
const WORTH_AN_IMAGE_MS = 300;

function shiftedDiagnostic(diagnostic: Diagnostic, by: number): Diagnostic {
  const { span } = diagnostic;
  return span ? { ...diagnostic, span: { start: span.start + by, end: span.end + by } } : diagnostic;
}

function shifted(answer: ExecuteAnswer, by: number): ExecuteAnswer {
  if (answer.status !== 'done' && answer.status !== 'failed') return answer;
  const messages = answer.messages.map((message) => shiftedDiagnostic(message, by));
  return answer.status === 'done'
    ? { ...answer, messages }
    : { ...answer, messages, error: shiftedDiagnostic(answer.error, by) };
}

interface Executed extends SnapshotSentence {
  /** The number that the caller knows it by: stays when an image gives the sentence another id. */
  readonly outer: StmId;
}

export interface TransportStart {
  /** The commands that make the document, run when no image does. */
  readonly opening: readonly Command[];
  /** Absent: nothing is kept and nothing is restored. */
  readonly store?: SnapshotStore | undefined;
}

type Told = { readonly status: 'told'; readonly digest: AnswerDigest } | Lost;

export class EmbeddedTransport implements StmTransport {
  readonly root: StmId = INITIAL;
  readonly readsAnywhere = true;
  readonly #thread: CoqThread;
  readonly #start: TransportStart;
  #opened = false;
  #document: Executed[] = [];
  #lastId = FIRST_ID;
  #lastOuter = INITIAL;
  /** Time spent on the header that is in no image yet. */
  #headerMs = 0;
  #killed: Promise<void> | undefined;

  constructor(thread: CoqThread, start: TransportStart) {
    this.#thread = thread;
    this.#start = start;
  }

  async execute(base: StmId, text: string, withGoals: boolean): Promise<ExecuteAnswer> {
    // Comments before the sentence are no part of it: files that differ in them share images.
    const start = skipBlanksAndComments(text, 0);
    const answer = await this.#execute(base, text.slice(start), withGoals);
    return start === 0 ? answer : shifted(answer, start);
  }

  async #execute(base: StmId, sentence: string, withGoals: boolean): Promise<ExecuteAnswer> {
    const at = this.#indexOf(base);
    const ahead = this.#document[at + 1];
    if (ahead?.text === sentence) return this.#recall(ahead, withGoals);
    const lost = await this.#prepare(at, sentence);
    if (lost) return lost;
    const restored = this.#document[at + 1];
    if (restored?.text === sentence) return this.#recall(restored, withGoals);

    this.#lastId += 1;
    const id = this.#lastId;
    const before = performance.now();
    const told = await this.#tell(
      [
        ...this.#cut(at),
        ['Add', this.#document[at]?.id ?? INITIAL, id, sentence, true],
        ['Exec', id],
        ...(withGoals ? [['Query', id, 0, ['Goals']]] : []),
      ],
      sentence,
      ['Cancel', id],
    );
    if (told.status === 'lost') return told;
    const { digest } = told;
    if (digest.interrupted) return { status: 'interrupted' };
    if (digest.error) return { status: 'failed', error: digest.error, messages: digest.messages };
    if (isHeaderSentence(sentence)) this.#headerMs += performance.now() - before;
    this.#lastOuter += 1;
    const outer = this.#lastOuter;
    this.#document.push({ id, outer, text: sentence, messages: [...digest.messages] });
    return {
      status: 'done',
      id: outer,
      messages: digest.messages,
      ...(withGoals && { proof: proofStateOf(digest.goals) }),
    };
  }

  goals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    return this.#goals(at, proofStateOf);
  }

  background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>> {
    return this.#goals(at, backgroundOf);
  }

  async query(at: StmId, command: string): Promise<AskAnswer<readonly Diagnostic[]>> {
    const lost = await this.#open();
    if (lost) return lost;
    const told = await this.#tell([['Query', this.#coqId(at), 0, ['Vernac', command]]], command);
    if (told.status === 'lost') return told;
    const { digest } = told;
    if (digest.interrupted) return { status: 'interrupted' };
    return digest.error
      ? { status: 'failed', error: digest.error }
      : { status: 'done', value: digest.messages };
  }

  interrupt(): void {
    this.#thread.interrupt();
  }

  kill(): Promise<void> {
    this.#killed ??= this.#thread.end({
      status: 'lost',
      reason: 'interrupted',
      message: 'The embedded Rocq was ended.',
    });
    return this.#killed;
  }

  /** Index in the document; -1 for the root. */
  #indexOf(id: StmId): number {
    return this.#document.findIndex(({ outer }) => outer === id);
  }

  #coqId(id: StmId): number {
    return this.#document[this.#indexOf(id)]?.id ?? INITIAL;
  }

  /** The commands that throw everything behind an index away. */
  #cut(at: number): readonly Command[] {
    const next = this.#document[at + 1];
    this.#document.length = at + 1;
    return next ? [['Cancel', next.id]] : [];
  }

  async #recall(sentence: Executed, withGoals: boolean): Promise<ExecuteAnswer> {
    const { outer, messages } = sentence;
    if (!withGoals) return { status: 'done', id: outer, messages };
    const goals = await this.goals(outer);
    if (goals.status === 'done') return { status: 'done', id: outer, messages, proof: goals.value };
    return goals.status === 'failed' ? { ...goals, messages } : goals;
  }

  async #goals<Value>(at: StmId, read: (goals: unknown) => Value): Promise<AskAnswer<Value>> {
    const lost = await this.#open();
    if (lost) return lost;
    const told = await this.#tell([['Query', this.#coqId(at), 0, ['Goals']]], '');
    if (told.status === 'lost') return told;
    if (told.digest.interrupted) return { status: 'interrupted' };
    if (told.digest.error) return { status: 'failed', error: told.digest.error };
    return { status: 'done', value: read(told.digest.goals) };
  }

  async #tell(commands: readonly Command[], text: string, afterError?: Command): Promise<Told> {
    const reply = await this.#thread.ask({ kind: 'commands', commands, ...(afterError && { afterError }) });
    switch (reply.status) {
      case 'answered':
        return { status: 'told', digest: digestAnswers(reply.answers, text) };
      case 'lost':
        return reply;
      case 'crashed':
        return this.#giveUp(reply.message);
      case 'image':
      case 'unfit':
        return this.#giveUp('it answered another question');
    }
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
  async #prepare(at: number, sentence: string): Promise<Lost | undefined> {
    const { store } = this.#start;
    if (!store) return this.#open();
    const header = this.#document.slice(0, at + 1).map(({ text }) => text);
    const inHeader = header.every(isHeaderSentence);
    if (inHeader && isHeaderSentence(sentence)) {
      const wanted = [...header, sentence];
      const snapshot = (await store.findExact(wanted)) ?? (await store.find(wanted));
      if (snapshot && (await this.#restore(snapshot, store))) return undefined;
      return this.#open();
    }
    const lost = await this.#open();
    if (!lost && inHeader && at === this.#document.length - 1 && this.#headerMs > WORTH_AN_IMAGE_MS)
      await this.#keepImage(store);
    return lost;
  }

  /** Makes the document, unless there is one. */
  async #open(): Promise<Lost | undefined> {
    if (this.#opened) return undefined;
    const { store, opening } = this.#start;
    const snapshot = await store?.findExact([]);
    if (store && snapshot && (await this.#restore(snapshot, store))) return undefined;
    for (const command of opening) {
      const told = await this.#tell([command], '');
      if (told.status === 'lost') return told;
      if (told.digest.error) return this.#giveUp(told.digest.error.message);
    }
    this.#opened = true;
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
    this.#lastId = Math.max(FIRST_ID, ...sentences.map(({ id }) => id));
    this.#opened = true;
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
