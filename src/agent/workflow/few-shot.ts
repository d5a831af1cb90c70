/**
 * Whole proofs at once: the nearest proofs of the file are shown and several samples are taken. Each is checked as it
 * arrives, in the order of the samples: in a session and, where that finds it complete, by the gate. The first that is
 * accepted ends the sampling. Further rounds show a sample its error. Whatever ends a run, each answer that had come
 * was looked at.
 */
import { errorText } from '../../core/errors.ts';
import type { Message } from '../models/conversation.ts';
import type { Question } from '../role-models.ts';
import type { Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import type { EventOf } from '../runs/events.ts';
import { CONVENTIONS, scriptIn } from '../prover-conventions.ts';
import { tailOf } from '../context/briefing.ts';
import { brief, judge, similarProofs, userWords, judgedText } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

export async function proveByExamples(
  run: RunContextWithModels,
  target: Target,
): Promise<EventOf<'judged'> | undefined> {
  const toolSession = new RecordedToolSession(run, target);
  try {
    return await sample(run, target, toolSession);
  } finally {
    await toolSession.close();
  }
}

async function sample(
  run: RunContextWithModels,
  target: Target,
  toolSession: RecordedToolSession,
): Promise<EventOf<'judged'> | undefined> {
  const { roleModels, prompts, settings } = run;
  const key = `${target.theorem}/few-shot`;
  const briefing = await brief(run, target, await toolSession.start(target.theorem));
  const examples = await similarProofs(run, target, { key, limit: settings.examples });
  const said = userWords(run, `${key}/round-1/sample-0`);
  const question = briefing.question((left) =>
    prompts.fill('few-shot', { examples: tailOf(examples, left), said }),
  );
  let open: readonly Sample[] = Array.from({ length: settings.samples }, (_, number) => ({
    number,
    answers: [],
  }));
  for (let round = 1; round <= settings.rounds && open.length > 0; round++) {
    const place = `${key}/round-${round}`;
    const taken = new Round(run, target, toolSession, place);
    const judged = await taken.take(open, ({ number, answers: before }, when) =>
      roleModels.ask({
        role: 'few-shot',
        key: `${place}/sample-${number}`,
        messages: (room) => [...question(room), ...before],
        temperature: settings.sampleTemperature,
        ...when,
      }),
    );
    if (judged !== undefined) return judged;
    open = taken.failed.map(({ number, answers: before, text, error }) => ({
      number,
      answers: [
        ...before,
        { role: 'assistant', text: text || '(nothing)', calls: [] },
        { role: 'user', text: prompts.fill('few-shot-again', { error }) },
      ],
    }));
  }
  return undefined;
}

interface Sample {
  /** From 0. */
  readonly number: number;
  /** Of earlier rounds, with what was wrong with them. */
  readonly answers: readonly Message[];
}

interface FailedSample extends Sample {
  readonly text: string;
  readonly error: string;
}

type Answer = EventOf<'model-answered'>;

type Taken = { readonly sample: Sample } & ({ readonly answer: Answer } | { readonly failure: unknown });

class Round {
  readonly #run: RunContextWithModels;
  readonly #target: Target;
  readonly #toolSession: RecordedToolSession;
  readonly #place: string;
  readonly #stop = new AbortController();
  /** What is wrong with each script. */
  readonly #errors = new Map<string, string>();
  readonly #failed: FailedSample[] = [];
  readonly #failures: unknown[] = [];
  #accepted: EventOf<'judged'> | undefined;

  constructor(run: RunContextWithModels, target: Target, toolSession: RecordedToolSession, place: string) {
    this.#run = run;
    this.#target = target;
    this.#toolSession = toolSession;
    this.#place = place;
  }

  /** Those that were not accepted, in their order. */
  get failed(): readonly FailedSample[] {
    return this.#failed.toSorted((one, other) => one.number - other.number);
  }

  /**
   * @returns the first that the gate accepts.
   * @throws what kept a sample from being taken or checked, once all that had come were looked at.
   */
  async take(
    samples: readonly Sample[],
    ask: (sample: Sample, when: Pick<Question, 'signal' | 'ready'>) => Promise<Answer>,
  ): Promise<EventOf<'judged'> | undefined> {
    const isPaid = ({ number }: Sample): boolean =>
      this.#run.eventLog.recorded('model-answered', `${this.#place}/sample-${number}`) !== undefined;
    // What was paid for before a resume may be all that is needed.
    for (const part of [samples.filter(isPaid), samples.filter((one) => !isPaid(one))]) {
      let looked = 0;
      const turns: Promise<void>[] = [];
      // What can be asked only after another has answered is not asked before that answer was looked at.
      const ready = async (): Promise<void> => {
        for (let next = part[looked]; next !== undefined && isPaid(next); next = part[looked])
          await turns[looked];
      };
      const asked = part.map(async (sample) => {
        try {
          return { sample, answer: await ask(sample, { signal: this.#stop.signal, ready }) };
        } catch (failure) {
          return { sample, failure };
        }
      });
      for (const [index, one] of asked.entries())
        turns.push(
          Promise.all([one, turns[index - 1]]).then(async ([taken]) => {
            await this.#look(taken);
            looked = index + 1;
          }),
        );
      await Promise.all(turns);
      if (this.#accepted !== undefined) return this.#accepted;
      const [failure] = this.#failures;
      if (failure !== undefined) throw failure instanceof Error ? failure : new Error(errorText(failure));
    }
    return undefined;
  }

  async #look(taken: Taken): Promise<void> {
    if (this.#stop.signal.aborted) return;
    if ('failure' in taken) {
      this.#failures.push(taken.failure);
      return;
    }
    const { sample, answer } = taken;
    const { text } = answer;
    const script = scriptIn(text, this.#target.prover);
    try {
      const found = this.#errors.get(script) ?? (await this.#check(sample, script));
      if (typeof found === 'string') {
        this.#errors.set(script, found);
        this.#failed.push({ ...sample, text, error: found });
        return;
      }
      this.#accepted = found;
    } catch (failure) {
      this.#failures.push(failure);
    }
    // Nobody needs the others, or can look at them.
    this.#stop.abort();
  }

  /** @returns what is wrong with it, or the gate's word. */
  async #check({ number }: Sample, script: string): Promise<EventOf<'judged'> | string> {
    if (script === '') return 'There was no proof in the answer.';
    const input = JSON.stringify({ proof: script });
    // Another sample with the same script may have been checked before a resume.
    const before = this.#run.eventLog
      .recordedUnder('tool-answered', `${this.#place}/`)
      .find((one) => one.input === input);
    const key = before?.key ?? `${this.#place}/sample-${number}`;
    const name = CONVENTIONS[this.#target.prover].checkTool;
    const answer = await this.#toolSession.call(key, { id: key, name, input });
    if (answer.proof === null) return answer.text;
    const judged = await judge(this.#run, this.#target, key, answer.proof);
    return judged.verdict === 'accepted' ? judged : judgedText(judged);
  }
}
