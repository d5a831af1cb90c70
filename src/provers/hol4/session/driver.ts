/**
 * The driver of HOL4. Going back to an earlier world needs a new process and the declarations once more, from the
 * nearest saved heap. A tactic can be tried from any proof state at no cost but its own, as long as nothing was
 * declared since. A proof's `QED` executes the theorem as it would stand in the file; that is also the shortest way
 * to what follows it.
 */
import type { AskAnswer, ExecuteAnswer, Lost, ProverDriver } from '../../../core/driver.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import type { Sentence } from '../../../core/prover.ts';
import { errorDiagnostic, messagesIn } from './diagnostics.ts';
import { focusAfter, type HolPlace, kindOfPlace, type OpenProof, theoremOf } from './place.ts';
import type { HolAnswer, HolLost, HolProcess } from './process.ts';
import { type Declaration, type Executed, type InvalidSentence, readSentence } from './sentence.ts';
import { mlString, quotation, saveHeap, stepList } from './step-code.ts';
import { readShownState, readStepCounts, readTheorem } from './values.ts';

/**
 * A sentence that its caller has read, or a text. The driver reads a text itself, since only it knows whether it stands
 * inside of a proof.
 */
export type HolStep = Executed | (Sentence & { readonly kind?: undefined });

type Answer = ExecuteAnswer<HolStep, HolPlace>;
type ProofSentence = Extract<Executed, { kind: 'open' | 'step' }>;

/** Proof states that HOL holds at a time. */
const MOST_KNOWN = 5000;
const SEGMENT_LIMIT_MS = 60_000;

export class HolDriver implements ProverDriver<HolStep, HolPlace> {
  readonly root: HolPlace;
  readonly keepsStates = true;
  readonly readsAnywhere = true;
  readonly banner: string;
  readonly #process: HolProcess;
  /** Where a heap may be written. */
  readonly #heapFile: () => string;
  /** Proof states that HOL holds. */
  readonly #known = new Set<number>();
  #world = 0;
  #lastNumber = 1;
  /** Told by HOL after a declaration: changes when the theory does. */
  #segment = '';
  /** Something was executed that belongs to no state. */
  #isDirty = false;
  #isStopAsked = false;

  constructor(process: HolProcess, heapFile: () => string) {
    this.#process = process;
    this.#heapFile = heapFile;
    this.banner = process.banner;
    this.root = { number: this.#lastNumber, world: 0, proof: undefined };
  }

  holds({ world, proof, number }: HolPlace): boolean {
    return world === this.#world && (proof === undefined || this.#known.has(number));
  }

  isWorn(): boolean {
    return this.#isDirty;
  }

  async execute(base: HolPlace, step: HolStep, withGoals: boolean): Promise<Answer> {
    this.#isStopAsked = false;
    const sentence = step.kind === undefined ? readSentence(step.text, kindOfPlace(base)) : step;
    const { proof } = base;
    const isInFocus = proof !== undefined && proof.focus.length > 0;
    switch (sentence.kind) {
      case 'invalid':
        return failed(invalid(sentence));
      case 'open':
        return await this.#proofStep(base, sentence, withGoals);
      case 'step':
        if (sentence.focus === 'back' && !isInFocus) return failed(error('No parenthesis is open.'));
        return await this.#proofStep(base, sentence, withGoals);
      case 'qed': {
        if (isInFocus) return failed(error('A parenthesis is still open.'));
        if (proof === undefined) throw new QuodError('internal', 'QED stands outside of a proof.');
        const theorem = theoremOf(proof);
        const answer = await this.#declare(theorem, sentence, withGoals);
        const shortcut = { steps: proof.sentences.length, step: theorem };
        return answer.status === 'done' ? { ...answer, shortcut } : answer;
      }
      case 'declaration':
        return await this.#declare(sentence, sentence, withGoals);
    }
  }

  async goals({ proof, number }: HolPlace): Promise<AskAnswer<ProofState | null>> {
    this.#isStopAsked = false;
    if (proof === undefined) return { status: 'done', value: null };
    const answer = await this.#send(`val () = Quod_Port.tell_state ${number}`);
    return answer.status === 'answered' ? { status: 'done', value: shownState(proof, answer) } : answer;
  }

  async query(_at: HolPlace, { text }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    this.#isStopAsked = false;
    const sentence = readSentence(text, 'outside');
    if (sentence.kind === 'invalid') return { status: 'failed', error: invalid(sentence) };
    const answer = await this.#send(text);
    if (!isHarmless(text)) this.#isDirty = true;
    if (answer.status !== 'answered') return answer;
    const { reply } = answer;
    if (reply.status !== 'ok') return { status: 'failed', error: errorDiagnostic(reply, text) };
    return { status: 'done', value: messagesIn(reply.output) };
  }

  async save({ proof }: HolPlace): Promise<string | undefined> {
    if (proof !== undefined || this.#isDirty) return undefined;
    this.#isStopAsked = false;
    const heap = this.#heapFile();
    const answer = await this.#send(`val () = (Quod_Port.forget_all (); ${saveHeap(heap)})`);
    if (answer.status !== 'answered' || answer.reply.status !== 'ok') return undefined;
    this.#known.clear();
    return heap;
  }

  interrupt(): void {
    // The call may be between two commands, where HOL would not see it.
    this.#isStopAsked = true;
    this.#process.stop();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  async #proofStep(base: HolPlace, sentence: ProofSentence, withGoals: boolean): Promise<Answer> {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const show = withGoals ? `\n;val () = Quod_Port.tell_state ${number}` : '';
    const answer = await this.#send(proofCode(base, number, sentence) + show);
    if (answer.status !== 'answered') return answer;
    const { reply, values } = answer;
    if (reply.status !== 'ok') return failed(errorDiagnostic(reply, sentence.text));
    const proof = proofAfter(base.proof, sentence, values[0]);
    this.#known.add(number);
    this.#trimKnown();
    const place = { number, world: base.world, proof };
    const done = { status: 'done', place, messages: messagesIn(reply.output) } as const;
    return withGoals ? { ...done, proof: shownState(proof, answer) } : done;
  }

  /** Executes a declaration on top of the world. */
  async #declare(declaration: Declaration, sentence: Executed, withGoals: boolean): Promise<Answer> {
    const answer = await this.#sendDeclaration(declaration);
    if (answer.status === 'lost') return answer;
    if (answer.status === 'interrupted') {
      this.#isDirty ||= !(await this.#isUntouched(declaration, answer.mayHaveActed));
      return { status: 'interrupted' };
    }
    const { reply, values } = answer;
    if (reply.status !== 'ok') {
      this.#isDirty ||= !(await this.#isUntouched(declaration, reply.mayHaveActed));
      return failed(errorDiagnostic(reply, sentence.text, declaration.text));
    }
    this.#lastNumber += 1;
    this.#world += 1;
    this.#known.clear();
    const segment = values.find((value) => typeof value === 'string');
    if (segment !== undefined) this.#segment = segment;
    const place = { number: this.#lastNumber, world: this.#world, proof: undefined };
    const messages = [...messagesIn(reply.output), ...oracleWarnings(answer)];
    return { status: 'done', place, messages, ...(withGoals && { proof: null }) };
  }

  /** Loads the modules that a declaration opens, executes it, and asks for the segment when all went well. */
  async #sendDeclaration({ text, modules }: Declaration): Promise<Sent> {
    if (modules.length > 0) {
      const names = modules.map(mlString).join(', ');
      const loaded = await this.#send(`val () = Quod_Port.load [${names}]`);
      if (loaded.status !== 'answered' || loaded.reply.status !== 'ok') return loaded;
    }
    return await this.#send(`${text}\n;val () = Quod_Port.tell_segment ()`);
  }

  /** True when a declaration that failed left no trace. */
  async #isUntouched({ isTheorem }: Declaration, mayHaveActed: boolean): Promise<boolean> {
    if (!mayHaveActed) return true;
    if (!isTheorem) return false;
    const told = await this.#process.execute('val () = Quod_Port.tell_segment ()', {
      timeoutMs: SEGMENT_LIMIT_MS,
    });
    return told.status === 'answered' && told.values[0] === this.#segment;
  }

  async #send(code: string): Promise<Sent> {
    if (this.#isStopAsked) return { status: 'interrupted', mayHaveActed: false };
    const answer: HolAnswer | HolLost = await this.#process.execute(code);
    if (answer.status === 'lost') {
      const { reason, message } = answer;
      return { status: 'lost', reason, message };
    }
    const { mayHaveActed, status } = answer.reply;
    if (answer.stopped !== undefined)
      return { status: 'interrupted', mayHaveActed: mayHaveActed || status === 'ok' };
    // Somebody else's signal: nobody knows what it left behind.
    if (status !== 'interrupted') return answer;
    this.#isDirty = true;
    return { status: 'interrupted', mayHaveActed: true };
  }

  #trimKnown(): void {
    if (this.#known.size <= MOST_KNOWN) return;
    const [oldest] = this.#known;
    if (oldest === undefined) return;
    this.#known.delete(oldest);
    void this.#process.execute(`val () = Quod_Port.forget ${oldest}`, { timeoutMs: SEGMENT_LIMIT_MS });
  }
}

type Sent = HolAnswer | { readonly status: 'interrupted'; readonly mayHaveActed: boolean } | Lost;

function proofCode(base: HolPlace, number: number, sentence: ProofSentence): string {
  if (sentence.kind === 'open')
    return `val () = Quod_Port.state_goal ${number} ${quotation(sentence.statement)}`;
  const attributes = sentence.proofAttributes ?? base.proof?.opening.proofAttributes;
  const steps = stepList(sentence.code, sentence.steps, attributes);
  return `val () = Quod_Port.run ${base.number} ${number} ${steps}`;
}

/** @param told What HOL told of the goals at each opening of a focus. */
function proofAfter(before: OpenProof | undefined, sentence: ProofSentence, told: unknown): OpenProof {
  if (sentence.kind === 'open') return { opening: sentence, focus: [], cheats: 0, sentences: [sentence] };
  if (before === undefined) throw new QuodError('internal', 'A tactic stands outside of a proof.');
  return {
    opening: before.opening,
    focus: focusAfter(before.focus, sentence.steps, readStepCounts(told)?.opened ?? []),
    cheats: before.cheats + sentence.cheats.length,
    sentences: [...before.sentences, sentence],
  };
}

function shownState({ focus, cheats }: OpenProof, { values }: HolAnswer): ProofState {
  const shown = readShownState(values);
  const oracles = shown.oracles.length > 0 ? 1 : 0;
  return { goals: shown.goals, unfocused: focus, shelved: 0, givenUp: Math.max(cheats, oracles) };
}

function oracleWarnings({ values }: HolAnswer): readonly Diagnostic[] {
  const theorem = values.map(readTheorem).find((value) => value !== undefined);
  if (theorem === undefined || theorem.oracles.length === 0) return [];
  return [{ severity: 'warning', message: `The theorem rests on oracles: ${theorem.oracles.join(', ')}.` }];
}

function invalid({ message, span }: InvalidSentence): Diagnostic {
  return { severity: 'error', message, ...(span !== undefined && { span }) };
}

function error(message: string): Diagnostic {
  return { severity: 'error', message };
}

function failed(reason: Diagnostic): Extract<Answer, { status: 'failed' }> {
  return { status: 'failed', error: reason, messages: [] };
}

/** Expressions that only look; after any other the process is not used again for what comes later. */
const LOOKERS =
  /^(?:DB\.\w+|DB_\w+|concl|hyp|dest_\w+|type_of|EVAL|Tag\.\w+|Thm\.(?:concl|hyp|tag)|print_\w+|Theory\.current_theory)\b/;

function isHarmless(command: string): boolean {
  const text = command.trim().replace(/;$/, '').trim();
  return /^[\w.']+$/.test(text) || /^[“‘`][^”’`]*[”’`]+$/.test(text) || LOOKERS.test(text);
}
