/**
 * Carries a plan out: a model calls tools until the gate accepts a proof or the plan's tool calls are used up. The
 * goal of a check that failed goes to automation and search first. After some failed checks in a row a critic looks
 * on, similar proofs are explained, and the plan is revised.
 */
import { restsOnOpenText } from '../../core/rests-on.ts';
import { clause } from '../../core/sentence.ts';
import { tailOf, type Briefing } from '../context/briefing.ts';
import { hasHoles, CONVENTIONS, proofIn, wholeProofOf, withoutThoughts } from '../prover-conventions.ts';
import type { ToolCall } from '../models/conversation.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import { LEMMA_TOOL } from './lemma-tool.ts';
import type { Begun, Lemmas } from './lemmas.ts';
import { judgedText, claimsFalsehood, earlierWords, historyText, judge, refute } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';
import { History } from '../context/history.ts';
import type { Plan } from './planning.ts';
import { REPEATED, Repetition } from './repetition.ts';
import { revise } from './revising.ts';
import { fillSketch } from './sketch.ts';

export type AttemptEnd =
  | { readonly kind: 'proved'; readonly judged: EventOf<'judged'> }
  | { readonly kind: 'refuted'; readonly refuted: EventOf<'refuted'> }
  /** The gate cannot look at what is proved here, for a reason that no other proof takes away. */
  | { readonly kind: 'not-judged'; readonly judged: EventOf<'judged'> }
  /** `lesson` is what the next plan should know. */
  | { readonly kind: 'failed'; readonly reason: string; readonly lesson: string };

export interface Attempt {
  /** From 1, in the order in which plans are carried out. */
  readonly number: number;
  readonly plan: Plan;
  readonly briefing: Briefing;
  /** What earlier plans came to. */
  readonly lessons: readonly string[];
  /** Of all attempts on the theorem. */
  readonly lemmas: Lemmas;
  /** The place in the workflow; default: the theorem and the number. */
  readonly key?: string;
}

export async function carryOut(
  run: RunContextWithModels,
  target: Target,
  attempt: Attempt,
): Promise<AttemptEnd> {
  const execution = new Execution(run, target, attempt);
  try {
    return await execution.run();
  } finally {
    await execution.close();
  }
}

/** Goals of failed checks that are searched in one attempt. */
const MOST_REPAIRS = 4;

class Execution {
  readonly #run: RunContextWithModels;
  /** Behind the lemmas that are proved. */
  #target: Target;
  #toolSession: RecordedToolSession;
  #closeTarget: () => Promise<void> = () => Promise.resolve();
  readonly #attempt: Attempt;
  readonly #key: string;
  readonly #history: History;
  readonly #repetition = new Repetition();
  /** Goals that the search was given. */
  readonly #searched = new Set<string>();
  #plan: string;
  #calls = 0;
  #repeated = 0;
  #failures = 0;
  #revisions = 0;
  #goal: string | undefined;
  /** Why the gate could not look at the last proof that it could not look at. */
  #notJudged: string | undefined;

  constructor(run: RunContextWithModels, target: Target, attempt: Attempt) {
    this.#run = run;
    this.#target = target;
    this.#attempt = attempt;
    this.#toolSession = new RecordedToolSession(run, target);
    const { theorem } = target;
    this.#key = attempt.key ?? `${theorem}/attempt-${attempt.number}`;
    this.#plan = attempt.plan.text;
    const { briefing, lessons } = attempt;
    const before = Array.from(
      { length: attempt.number - 1 },
      (_, index) => `${theorem}/attempt-${index + 1}/`,
    );
    const said = earlierWords(run, [`${theorem}/plan-`, ...before]);
    this.#history = new History(
      briefing.question((left) =>
        run.prompts.fill('execute', {
          plan: tailOf(attempt.plan.text, left),
          failures: tailOf(lessons.join('\n\n'), left / 2),
          calls: String(run.settings.toolCallsPerPlan),
          said,
        }),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#toolSession.close();
    await this.#closeTarget();
  }

  /** Goes on behind the lemmas that are proved, in a session that begins anew. */
  #beginAnew(key: string): Promise<Begun> {
    return this.#attempt.lemmas.begin(() => this.#begin(key));
  }

  async #begin(key: string): Promise<string> {
    this.#repetition.forget();
    await this.close();
    this.#closeTarget = () => Promise.resolve();
    const { target, close } = await this.#attempt.lemmas.theorem();
    this.#closeTarget = close;
    this.#target = target;
    this.#toolSession = new RecordedToolSession(this.#run, target);
    return this.#toolSession.start(key);
  }

  async run(): Promise<AttemptEnd> {
    const { roleModels, eventLog, settings } = this.#run;
    eventLog.note({ kind: 'attempt-started', key: this.#key, plan: this.#attempt.plan.number });
    const { lemmas } = this.#attempt;
    const tools = [
      ...this.#target.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ...(lemmas.areOffered ? [LEMMA_TOOL] : []),
    ];
    if (lemmas.known.length > 0) {
      await this.#beginAnew(`${this.#key}/begin`);
      const texts = lemmas.known.map(({ statement }) => statement).join('\n');
      this.#history.push({
        role: 'user',
        text: `These lemmas are proved and can be used by their names:\n${texts}`,
      });
    }
    const { elsewhere } = lemmas;
    if (elsewhere.length > 0)
      this.#history.push({
        role: 'user',
        text: `These are proved for other theorems of the file. One that you state by ${LEMMA_TOOL.name} costs nothing:\n${elsewhere.join('\n')}`,
      });
    const sketched = await this.#planned();
    if (sketched !== undefined) return this.#ended(sketched);
    let silent = 0;
    for (let step = 1; this.#calls < settings.toolCallsPerPlan; step++) {
      const key = `${this.#key}/executor-${step}`;
      const heard = eventLog.userMessage(key);
      if (heard !== undefined) {
        this.#repetition.forget();
        this.#history.push({ role: 'user', text: heard });
      }
      const answer = await roleModels.ask({
        ...{ role: 'executor', key, tools },
        messages: (tokens) =>
          this.#history.messages({ tokens, messages: settings.historyMessages, tail: settings.historyTail }),
      });
      const { calls, thoughts } = answer;
      const text = withoutThoughts(answer.text);
      this.#history.push({ role: 'assistant', text, calls, ...(thoughts !== undefined && { thoughts }) });
      if (calls.length === 0) {
        const written = proofIn(text, this.#target.prover);
        const judged = written === undefined ? undefined : await this.#checkWritten(written);
        if (judged !== undefined) return this.#ended(judged);
        silent = written === undefined ? silent + 1 : 0;
        if (silent >= settings.silentMessages) {
          return this.#fail(`${silent} messages in a row without a tool call`);
        }
        if (claimsFalsehood(text)) {
          const refuted = await refute(this.#run, this.#target, `${this.#key}/claim-${step}`);
          if (refuted?.refuted === true) return this.#refuted(refuted);
          this.#history.push({
            role: 'user',
            text: `${refuted === undefined ? 'Your claim was not checked: nobody looks for counterexamples here' : `Your claim was checked: ${clause(refuted.message)}`}. Only a counterexample that the gate accepts counts; go on with the proof.`,
          });
        } else if (written === undefined)
          this.#history.push({ role: 'user', text: this.#run.prompts.fill('nothing-called', {}) });
      } else silent = 0;
      for (const call of calls) {
        const judged = await this.#call(call);
        if (judged !== undefined) return this.#ended(judged);
      }
      const { failuresBeforeCritic: most, toolCallsPerPlan } = settings;
      if (most !== null && this.#failures >= most && this.#calls < toolCallsPerPlan) await this.#revise();
    }
    const repeated = this.#repeated === 0 ? '' : `, ${this.#repeated} of them by repeating earlier ones`;
    return this.#fail(`${settings.toolCallsPerPlan} tool calls were used up${repeated}`);
  }

  /** A sketch in the plan is filled before a model is asked. @returns a proof that ends the attempt. */
  async #planned(): Promise<EventOf<'judged'> | undefined> {
    const { prover } = this.#target;
    const script = proofIn(this.#plan, prover);
    if (script === undefined || !hasHoles(script, prover)) return undefined;
    const performed = await this.#sketch(0, script);
    if (performed?.judged !== undefined || performed === undefined) return performed?.judged;
    this.#history.push({ role: 'user', text: `The sketch in the plan was tried:\n${performed.text}` });
    return undefined;
  }

  #ended(judged: EventOf<'judged'>): AttemptEnd {
    const { restsOnOpen } = judged;
    if (judged.verdict === 'unknown') {
      const reason = `the gate could not judge two proofs, and said the same of both: ${judged.findings.join('; ')}`;
      this.#run.eventLog.note({ kind: 'attempt-ended', key: this.#key, outcome: 'failed', reason });
      return { kind: 'not-judged', judged };
    }
    const rests = restsOnOpen.length === 0 ? '' : `, but ${restsOnOpenText(restsOnOpen)}`;
    const reason = `accepted by the gate${rests}`;
    this.#run.eventLog.note({ kind: 'attempt-ended', key: this.#key, outcome: 'proved', reason });
    return { kind: 'proved', judged };
  }

  #refuted(refuted: EventOf<'refuted'>): AttemptEnd {
    const reason = `refuted: ${refuted.counterexample}`;
    this.#run.eventLog.note({ kind: 'attempt-ended', key: this.#key, outcome: 'failed', reason });
    return { kind: 'refuted', refuted };
  }

  /** A proof that stands in the text of an answer is checked as if the tool had been called with it. */
  async #checkWritten(proof: string): Promise<EventOf<'judged'> | undefined> {
    const name = CONVENTIONS[this.#target.prover].checkTool;
    const { judged, text } = await this.#perform({ id: 'written', name, input: JSON.stringify({ proof }) });
    this.#history.push({ role: 'user', text: `The proof in your answer was checked with ${name}:\n${text}` });
    return judged;
  }

  /** @returns a proof that ends the attempt. */
  async #call(call: ToolCall): Promise<EventOf<'judged'> | undefined> {
    const { judged, text } = await this.#perform(call);
    this.#history.push({ role: 'tool', call, text });
    return judged;
  }

  async #perform(call: ToolCall): Promise<Performed> {
    if (this.#calls >= this.#run.settings.toolCallsPerPlan)
      return { text: 'Not called: the tool calls of this plan are used up.' };
    const number = ++this.#calls;
    if (this.#repetition.notes(call)) {
      this.#repeated++;
      this.#failures++;
      return { text: REPEATED };
    }
    if (call.name === LEMMA_TOOL.name && this.#attempt.lemmas.areOffered) return this.#lemma(number, call);
    const sketched = await this.#sketchOf(number, call);
    if (sketched !== undefined) return sketched;
    const answer = await this.#toolSession.call(`${this.#key}/tool-${number}`, call);
    if (CONVENTIONS[this.#target.prover].movesOn) this.#repetition.answered(answer.text);
    if (answer.outcome === null) return { text: answer.text };
    this.#goal = answer.goal ?? this.#goal;
    if (answer.proof !== null) return this.#judged(`judged-${number}`, answer.proof, answer.text);
    const wrong = answer.outcome !== 'incomplete' && answer.outcome !== 'branch-closed';
    this.#failures = wrong ? this.#failures + 1 : 0;
    return wrong ? this.#repaired(number, answer) : { text: answer.text };
  }

  async #lemma(number: number, call: ToolCall): Promise<Performed> {
    this.#run.budget.takeToolCall();
    const key = `${this.#key}/lemma-${number}`;
    const { lemma, text } = await this.#attempt.lemmas.prove(key, call.input);
    if (lemma === undefined) {
      this.#failures++;
      return { text };
    }
    const { goals, refused } = await this.#beginAnew(`${key}/begin`);
    if (refused !== '') {
      this.#failures++;
      return { text: `${refused}Your session begins anew without it:\n${goals}` };
    }
    return { text: `${text}\n\nYour session begins anew behind it:\n${goals}` };
  }

  /** What is checked with holes is a sketch. */
  async #sketchOf(number: number, { name, input }: ToolCall): Promise<Performed | undefined> {
    if (name !== CONVENTIONS[this.#target.prover].checkTool) return undefined;
    const script = wholeProofOf(input);
    return script === undefined ? undefined : this.#sketch(number, script);
  }

  async #sketch(number: number, script: string): Promise<Performed | undefined> {
    const key = `${this.#key}/sketch-${number}`;
    const { lemmas } = this.#attempt;
    const end = await fillSketch(this.#run, { session: this.#toolSession, lemmas, key, script });
    if (end === undefined) return undefined;
    if (end.kind === 'refused') {
      this.#failures++;
      this.#goal = end.goal ?? this.#goal;
      return { text: end.text };
    }
    const { goals, refused } =
      end.lemmas.length === 0 ? { goals: '', refused: '' } : await this.#beginAnew(`${key}/begin`);
    const begun =
      goals === ''
        ? ''
        : `\n\n${refused}Your session begins anew behind the lemmas that were proved:\n${goals}`;
    if (end.kind === 'open') {
      this.#failures++;
      return { text: `${end.text}${begun}` };
    }
    const name = CONVENTIONS[this.#target.prover].checkTool;
    const call = { id: key, name, input: JSON.stringify({ proof: end.proof }) };
    const { proof, text } = await this.#toolSession.call(`${key}/whole`, call);
    const said = `Every hole is filled:\n${end.proof}\n\n${text}${begun}`;
    if (proof !== null) return this.#judged(`sketched-${number}`, proof, said);
    this.#failures++;
    return { text: said };
  }

  async #judged(place: string, proof: string, text: string): Promise<Performed> {
    const judged = await judge(this.#run, this.#target, `${this.#key}/${place}`, proof);
    if (judged.verdict === 'accepted') return { judged, text };
    if (judged.verdict === 'unknown') {
      this.#repetition.forget();
      const said = judged.findings.join('\n');
      if (said === this.#notJudged && !OF_THE_PROOF.test(said)) return { judged, text };
      this.#notJudged = said;
    }
    this.#failures++;
    return { text: `${text}\n\n${judgedText(judged)}` };
  }

  /** What was accepted of a script that failed is kept, and its next goal is tried without a model. */
  async #repaired(number: number, { state, goal, text }: EventOf<'tool-answered'>): Promise<Performed> {
    if (state == null || goal === null || this.#run.settings.repairSeconds === 0) return { text };
    if (this.#searched.has(goal) || this.#searched.size >= MOST_REPAIRS) return { text };
    this.#searched.add(goal);
    const repair = await this.#toolSession.repair(`${this.#key}/repair-${number}`, state);
    if (repair === undefined) return { text };
    const said = `${text}\n\n${repair.text}`;
    return repair.proof === null ? { text: said } : this.#judged(`repaired-${number}`, repair.proof, said);
  }

  async #revise(): Promise<void> {
    const revision = await revise(this.#run, this.#target, {
      key: `${this.#key}/revision-${++this.#revisions}`,
      briefing: this.#attempt.briefing,
      plan: this.#plan,
      goal: this.#goal,
      failures: this.#failures,
      turns: this.#history.turns,
    });
    this.#plan = revision.plan;
    this.#history.push({ role: 'user', text: this.#run.prompts.fill('new-plan', revision) });
    this.#failures = 0;
  }

  async #fail(reason: string): Promise<AttemptEnd> {
    const { roleModels, prompts, eventLog, settings } = this.#run;
    eventLog.note({ kind: 'attempt-ended', key: this.#key, outcome: 'failed', reason });
    // Nobody reads the lesson of the last plan.
    if (this.#attempt.number >= settings.plansExecuted) return { kind: 'failed', reason, lesson: '' };
    const plan = this.#plan;
    const history = historyText(this.#history.turns);
    const { text } = await roleModels.ask({
      role: 'failure-summariser',
      key: `${this.#key}/lesson`,
      messages: this.#attempt.briefing.question((left) =>
        prompts.fill('summarise-failure', {
          reason,
          plan: tailOf(plan, left / 4),
          history: tailOf(history, left),
        }),
      ),
    });
    return { kind: 'failed', reason, lesson: `Plan ${this.#attempt.number}: ${withoutThoughts(text)}` };
  }
}

/** Why the gate could not look at a proof, where it may look at another one. */
const OF_THE_PROOF = /^(?:timeout|memory-exceeded|too-large|interrupted|unsupported|internal): /u;

interface Performed {
  /** A proof that the gate accepted, or one with which the attempt ends. */
  readonly judged?: EventOf<'judged'>;
  /** What the model is told. */
  readonly text: string;
}
