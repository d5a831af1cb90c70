/**
 * coqidetop as an {@link StmTransport}. A step is one write: going back if needed, adding, evaluating. `Add` itself
 * mostly parses; errors of execution arrive with the goals, and then the document has to go back before the next step.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { AskAnswer, ExecuteAnswer, Interrupted, Lost, StmId, StmTransport } from '../stm/transport.ts';
import { spanOfBytes } from '../utf8-span.ts';
import type { CoqAnswers, CoqConnection } from './connection.ts';
import {
  ABOUT,
  type ByteSpan,
  type CoqMessage,
  type CoqValue,
  GOAL,
  add,
  editAt,
  opensMiddle,
  proofStateOf,
  query,
  readGoals,
  readStateId,
  readUnfocusedTip,
  subgoals,
} from './protocol.ts';

/** The cheapest call that evaluates up to the tip. */
const EVALUATE = subgoals({ mode: 'short', focused: false, background: false });

export class CoqidetopTransport implements StmTransport {
  readonly root: StmId;
  readonly readsAnywhere = false;
  readonly #connection: CoqConnection;
  /** The end of the document; undefined when a step failed and nobody has gone back yet. */
  #tip: StmId | undefined;
  #interrupted = false;

  constructor(connection: CoqConnection, root: StmId) {
    this.#connection = connection;
    this.root = root;
    this.#tip = root;
  }

  async execute(base: StmId, sentence: string, withGoals: boolean): Promise<ExecuteAnswer> {
    const answers = await this.#at(base, [add(sentence, base), withGoals ? GOAL : EVALUATE]);
    if (answers.status !== 'answered') return answers;
    const { values, messages } = answers;
    const [added, evaluated] = values;
    const failure = failed(added) ?? failed(evaluated);
    if (added?.kind !== 'good' || evaluated?.kind !== 'good' || failure !== undefined) {
      const error = diagnostic('error', failure?.text ?? '', failure?.place, sentence);
      return { status: 'failed', error, messages: others(messages, error, sentence) };
    }
    const unfocused = readUnfocusedTip(added.content);
    if (unfocused !== undefined) return await this.#lose('the document was edited in its middle');
    const id = readStateId(added.content);
    this.#tip = id;
    return {
      status: 'done',
      id,
      messages: messages.map((message) => diagnosticOf(message, sentence)),
      ...(withGoals ? { proof: stateOf(evaluated) } : {}),
    };
  }

  async goals(at: StmId): Promise<AskAnswer<ProofState | null>> {
    return this.#ask(at, GOAL, stateOf);
  }

  async background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>> {
    const call = subgoals({ mode: 'full', focused: false, background: true });
    return this.#ask(at, call, ({ content }) => {
      const goals = readGoals(content);
      return goals && { unfocused: goals.unfocused, shelved: goals.shelved, givenUp: goals.givenUp };
    });
  }

  async query(at: StmId, command: string): Promise<AskAnswer<readonly Diagnostic[]>> {
    const tip = this.#tip ?? at;
    const answers = await this.#at(tip, [query(command, at)]);
    if (answers.status !== 'answered') return answers;
    this.#tip = tip;
    const failure = failed(answers.values[0]);
    if (failure !== undefined) {
      return { status: 'failed', error: diagnostic('error', failure.text, failure.place, command) };
    }
    return { status: 'done', value: answers.messages.map((message) => diagnosticOf(message, command)) };
  }

  interrupt(): void {
    if (!this.#connection.busy) return;
    this.#interrupted = true;
    this.#connection.interrupt();
  }

  async kill(): Promise<void> {
    await this.#connection.kill();
  }

  async #ask<Value>(
    at: StmId,
    call: string,
    read: (value: Extract<CoqValue, { kind: 'good' }>) => Value,
  ): Promise<AskAnswer<Value>> {
    const answers = await this.#at(at, [call]);
    if (answers.status !== 'answered') return answers;
    this.#tip = at;
    const [value] = answers.values;
    if (value?.kind !== 'good') {
      return { status: 'failed', error: { severity: 'error', message: value?.text ?? 'no answer' } };
    }
    return { status: 'done', value: read(value) };
  }

  /** Calls made with `base` as tip. Leaves the tip unknown, for the caller to set when all went well. */
  async #at(base: StmId, calls: readonly string[]): Promise<CoqAnswers | Interrupted | Lost> {
    const goesBack = this.#tip !== base;
    this.#tip = undefined;
    const answers = await this.#exchange(goesBack ? [editAt(base), ...calls] : calls);
    if (answers.status === 'lost') return answers;
    if (this.#interrupted && !(await this.#settle(answers))) return { status: 'interrupted' };
    if (!goesBack) return answers;
    const [edited, ...values] = answers.values;
    if (edited?.kind !== 'good') return await this.#lose(`it cannot go back: ${edited?.text ?? ''}`);
    // Coq can reopen a finished proof and keep what follows it; Quod's states are paths, so it starts afresh instead.
    if (opensMiddle(edited.content)) return await this.#lose('the document was edited in its middle');
    return { ...answers, values };
  }

  #exchange(calls: readonly string[]): Promise<CoqAnswers | Lost> {
    this.#interrupted = false;
    return this.#connection.exchange(calls);
  }

  /**
   * After an interrupt: true when the calls had finished before it arrived. The signal may still be on its way, and
   * would hit the next call: a call that asks nothing takes it. If it hits while nothing runs, the process dies, and the
   * next call notices.
   */
  async #settle(answers: CoqAnswers): Promise<boolean> {
    await this.#connection.killHelpers();
    do await this.#exchange([ABOUT]);
    while (this.#interrupted);
    return answers.values.every((value) => value.kind === 'good');
  }

  async #lose(why: string): Promise<Lost> {
    await this.#connection.kill();
    return { status: 'lost', reason: 'protocol-error', message: `The prover has to start again: ${why}.` };
  }
}

function stateOf({ content }: Extract<CoqValue, { kind: 'good' }>): ProofState | null {
  const goals = readGoals(content);
  return goals && proofStateOf(goals);
}

function failed(value: CoqValue | undefined): Extract<CoqValue, { kind: 'fail' }> | undefined {
  return value?.kind === 'fail' ? value : undefined;
}

function diagnostic(
  severity: Diagnostic['severity'],
  message: string,
  place: ByteSpan | undefined,
  text: string,
): Diagnostic {
  return place === undefined ? { severity, message } : { severity, message, span: spanOfBytes(text, place) };
}

function diagnosticOf({ severity, text, place }: CoqMessage, sentence: string): Diagnostic {
  return diagnostic(severity, text, place, sentence);
}

/** Coq reports an error of execution twice: as a message and as the answer. */
function others(messages: readonly CoqMessage[], error: Diagnostic, sentence: string): readonly Diagnostic[] {
  return messages
    .filter(({ severity, text }) => severity !== 'error' || text !== error.message)
    .map((message) => diagnosticOf(message, sentence));
}
