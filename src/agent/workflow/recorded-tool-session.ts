/**
 * The tools of one attempt. The prover session is opened by the first call that is really made; after a resume,
 * recorded calls that left something behind are made again before it, so that the states they named are there. A call
 * that shows a defect of Quod ends the run, and is recorded: a resumed run goes on behind it.
 */
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { jsonFault } from '../../core/json.ts';
import { hasHoles, withoutFence } from '../prover-conventions.ts';
import { isTooDeep, type ToolCall } from '../models/conversation.ts';
import type { EventOf } from '../runs/events.ts';
import type { Check, ToolSession, Target, ToolAnswer } from '../target.ts';
import { timed } from './run-context.ts';
import type { RunContext } from './run-context.ts';

const ANSWER_SHARE = 0.12;

export class RecordedToolSession {
  readonly #run: RunContext;
  readonly #target: Target;
  /** What was done before a resume and left something behind. */
  readonly #toRepeat: ((session: ToolSession, signal: AbortSignal) => Promise<unknown>)[] = [];
  #toolSession: ToolSession | undefined;

  constructor(run: RunContext, target: Target) {
    this.#run = run;
    this.#target = target;
  }

  /** The goals at the start of the proof. */
  async start(key: string): Promise<string> {
    const { state } = await this.#run.eventLog.once('session-opened', key, async () => ({
      state: (await this.#live()).state,
    }));
    return state;
  }

  /** Makes a call, also one that makes no sense: then the answer says why. @throws BudgetExhausted, `interrupted`. */
  async call(key: string, { name, input }: ToolCall): Promise<EventOf<'tool-answered'>> {
    const tool = this.#target.tools.find((one) => one.name === name);
    const known = this.#run.eventLog.recorded('tool-answered', key);
    const parsed = objectOf(input);
    if (known !== undefined) {
      if (tool?.leavesState === true && 'value' in parsed && known.outcome !== DEFECT)
        this.#toRepeat.push((session, signal) => session.call(name, parsed.value, signal));
      return known;
    }
    this.#run.budget.takeToolCall();
    return this.#onceOrDefect('tool-answered', key, async (toldOf) => {
      const { answer, ms } =
        tool === undefined || 'fault' in parsed
          ? { answer: refusal(name, 'fault' in parsed ? parsed.fault : undefined, this.#target), ms: 0 }
          : await this.#callNow(name, parsed.value, toldOf);
      const { text, check } = answer;
      return {
        tool: name,
        input,
        text: this.#shortened(text),
        outcome: check?.outcome ?? null,
        proof: check?.proof ?? null,
        goal: check?.goal ?? null,
        state: check?.state ?? null,
        ms,
      };
    });
  }

  /**
   * Executes a proof with holes; undefined where it has none that can be left out. @throws BudgetExhausted,
   * `interrupted`.
   */
  async sketch(key: string, script: string): Promise<EventOf<'sketched'> | undefined> {
    if (!hasHoles(script, this.#target.prover)) return undefined;
    const known = this.#run.eventLog.recorded('sketched', key);
    if (known !== undefined) {
      if (!isDefectText(known.text))
        this.#toRepeat.push(async (session, signal) => session.sketch?.(script, signal));
      return known;
    }
    const toolSession = await this.#live();
    const sketch = toolSession.sketch?.bind(toolSession);
    if (sketch === undefined) return undefined;
    this.#run.budget.takeToolCall();
    return this.#onceOrDefect('sketched', key, async (toldOf) => {
      const { result, ms } = await timed(this.#run, (signal) => sketch(script, signal)).catch(
        (error: unknown) => ({
          result: { kind: 'refused', text: toldOf(error), goal: null, state: null } as const,
          ms: 0,
        }),
      );
      if (result.kind === 'refused') {
        const { goal, state } = result;
        return { script, texts: [], holes: [], text: this.#shortened(result.text), goal, state, ms };
      }
      const holes = result.holes.map(({ lemma, ...hole }) => ({
        ...hole,
        lemma: lemma && { ...lemma, given: [...lemma.given] },
      }));
      return { script, texts: [...result.texts], holes, text: '', goal: null, state: null, ms };
    });
  }

  /**
   * What automation and search make of a state; undefined where there is no search. @throws BudgetExhausted,
   * `interrupted`.
   * @param goal Of a hole in a sketch: one that was closed for the theorem is not searched again.
   */
  async repair(key: string, state: string, goal?: string): Promise<EventOf<'repaired'> | undefined> {
    const { eventLog } = this.#run;
    const closed = eventLog
      .recordedUnder('repaired', `${this.#target.theorem}/`)
      .find((one) => goal !== undefined && one.goal === goal && one.closing !== null);
    const known = eventLog.recorded('repaired', key) ?? closed;
    if (known !== undefined) return known;
    const toolSession = await this.#live();
    if (toolSession.repair === undefined) return undefined;
    const repair = toolSession.repair.bind(toolSession);
    return this.#onceOrDefect('repaired', key, async (toldOf) => {
      const { result, ms } = await timed(
        this.#run,
        (signal) => repair(state, this.#run.settings.repairSeconds, signal),
        ({ proof, closing }) => proof !== null || closing !== null,
      ).catch((error: unknown) => ({
        result: { proof: null, closing: null, text: toldOf(error) },
        ms: 0,
      }));
      const { proof, closing, text } = result;
      return {
        ...{ state, proof, closing, text: this.#shortened(text), ms },
        ...(goal !== undefined && { goal }),
      };
    });
  }

  /** Records the text that is told of a defect as what came of it, and then ends the run. */
  async #onceOrDefect<Kind extends 'tool-answered' | 'sketched' | 'repaired'>(
    kind: Kind,
    key: string,
    make: (toldOf: (error: unknown) => string) => Promise<Omit<EventOf<Kind>, 'kind' | 'key'>>,
  ): Promise<EventOf<Kind>> {
    const defects: unknown[] = [];
    const event = await this.#run.eventLog.once(kind, key, () =>
      make((error) => {
        const text = defectText(error);
        defects.push(error);
        return text;
      }),
    );
    for (const defect of defects) throw defect;
    return event;
  }

  /** One answer takes a small part of what the model takes, where that is known. */
  #shortened(text: string): string {
    const { answerCharacters, contextTokens } = this.#run.settings;
    const share =
      contextTokens === 0 ? Number.POSITIVE_INFINITY : Math.max(600, contextTokens * ANSWER_SHARE * 4);
    return cutWithLength(text, Math.min(answerCharacters, Math.floor(share)));
  }

  async close(): Promise<void> {
    await this.#toolSession?.close();
    this.#toolSession = undefined;
  }

  async #callNow(
    tool: string,
    input: unknown,
    toldOf: (error: unknown) => string,
  ): Promise<{ answer: ToolAnswer; ms: number }> {
    const toolSession = await this.#live();
    const { result, ms } = await timed(
      this.#run,
      (signal) => toolSession.call(tool, input, signal),
      ({ check }) => check !== null && check.proof !== null,
    ).catch((error: unknown) => {
      const check: Check = { outcome: DEFECT, proof: null, goal: null };
      return { result: { text: toldOf(error), check }, ms: 0 };
    });
    return { answer: result, ms };
  }

  async #live(): Promise<ToolSession> {
    if (this.#toolSession === undefined) {
      // One that was opened has to be closed, also when the run was stopped meanwhile.
      const { result } = await timed(
        this.#run,
        (signal) => this.#target.openToolSession(signal),
        () => true,
      );
      this.#toolSession = result;
      for (const repeat of this.#toRepeat.splice(0))
        // Without what a defect keeps from being made again.
        await timed(this.#run, (signal) => repeat(result, signal)).catch(defectText);
    }
    return this.#toolSession;
  }
}

const DEFECT = 'internal';
const DEFECT_BEGINS = `Error [${DEFECT}]: `;

/** What is recorded of a defect. @throws what was thrown, where it is none. */
function defectText(error: unknown): string {
  if (!(error instanceof QuodError) || error.reason !== DEFECT) throw error;
  return `${DEFECT_BEGINS}${error.toString()}`;
}

function isDefectText(text: string): boolean {
  return text.startsWith(DEFECT_BEGINS);
}

function objectOf(input: string): { readonly value: object } | { readonly fault: string } {
  if (input.trim() === '') return { value: {} };
  if (isTooDeep(input)) return { fault: 'they are nested too deep' };
  try {
    const value = JSON.parse(input) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: inputsWithoutFences(value) }
      : { fault: 'it is JSON, but not an object' };
  } catch (error) {
    return { fault: jsonFault(error) };
  }
}

/** Models like to fence scripts also where nothing else can stand. */
function inputsWithoutFences(input: object): object {
  const plain = (value: unknown): unknown =>
    typeof value === 'string' ? withoutFence(value) : Array.isArray(value) ? value.map(plain) : value;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, plain(value)]));
}

function refusal(name: string, fault: string | undefined, { tools }: Target): ToolAnswer {
  const known = tools.find((one) => one.name === name);
  const error =
    known === undefined
      ? new QuodError('not-found', `There is no tool ${name}.`, {
          remedy: `Tools: ${tools.map((one) => one.name).join(', ')}.`,
        })
      : new QuodError(
          'invalid-input',
          `The arguments of ${name} are not a JSON object: ${orNothing(fault)}.`,
          {
            remedy: 'Call it again with valid JSON.',
          },
        );
  const check = { outcome: error.reason, proof: null, goal: null };
  return { text: `Error [${error.reason}]: ${error.toString()}`, check };
}

function cutWithLength(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)}\n… (${text.length} characters; the rest was cut)`;
}
