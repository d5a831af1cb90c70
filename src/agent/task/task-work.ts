/**
 * A task of several theorems, in one conversation that is continued in fresh contexts: at the message limit the
 * model leaves a note, progress is committed, and the next context goes on with the same live sessions. A theorem
 * is done when the gate accepted a proof and it is in the file; what the model says of its success is answered with
 * what the gate says.
 */
import { QuodError, isNestedTooDeep } from '../../core/errors.ts';
import type { Briefing } from '../context/briefing.ts';
import { CONVENTIONS, proofIn, withoutThoughts } from '../prover-conventions.ts';
import { jsonOf, type ToolCall, type ToolDescription } from '../models/conversation.ts';
import { estimateTokens } from '../models/prices.ts';
import { RecordedToolSession } from '../workflow/recorded-tool-session.ts';
import { theoremEnded } from '../workflow/conclusion.ts';
import { brief, judge, requireReachable, stoppable, judgedText } from '../workflow/run-context.ts';
import { History, tokensOf, type HistoryLimits } from '../context/history.ts';
import type { RunContextWithModels } from '../workflow/run-context.ts';
import { REPEATED, Repetition } from '../workflow/repetition.ts';
import { proveBySearch } from '../workflow/theorem.ts';
import type { EventOf } from '../runs/events.ts';
import type { Task } from '../runs/task-schema.ts';
import type { Target, TargetFile } from '../target.ts';
import { answerWithoutCall } from './answer-without-call.ts';
import { concludeTask } from './concluded-task.ts';
import { commitTask, resumesOf } from './task-commit.ts';
import type { TaskFiles } from './task-files.ts';
import { handoffText, namedTarget, targetList, withHandoff, withoutHandoff } from './task-file.ts';

const GO_TO: ToolDescription = {
  name: 'task_go_to',
  description: 'Goes to another target of the task, whose proof is then open.',
  inputSchema: {
    type: 'object',
    properties: { theorem: { type: 'string', description: 'One of the open targets.' } },
    required: ['theorem'],
    additionalProperties: false,
  },
};

/** The part of what the model takes at which a context hands off. */
const FULL_SHARE = 0.75;

interface Begun {
  readonly target: Target;
  readonly goals: string;
  readonly briefing: Briefing;
}

type ContextEnd = 'finished' | 'handed-off' | 'silent';

export class TaskWork {
  readonly #run: RunContextWithModels;
  readonly #task: Task;
  readonly #files: TaskFiles;
  readonly #targetFiles: readonly TargetFile[];
  readonly #targets: readonly Target[];
  /** The absolute path of each target's file: a target's own name of it may be relative. */
  readonly #paths: ReadonlyMap<Target, string>;
  readonly #toolSessions = new Map<Target, RecordedToolSession>();
  readonly #proved = new Map<Target, string>();
  /** The latest proof of a target that the gate could not look at. */
  readonly #unjudged = new Map<Target, EventOf<'judged'>>();
  /** Whatever is said of them, no session of theirs can be read. */
  readonly #tooDeep = new Set<Target>();
  readonly #written = new Set<string>();
  readonly #repetition = new Repetition();
  #current: Target | undefined;
  #calls = 0;
  /** Those that stood in the text of an answer. */
  #writtenProofs = 0;

  constructor(run: RunContextWithModels, targetFiles: readonly TargetFile[], task: Task, files: TaskFiles) {
    this.#run = run;
    this.#targets = targetFiles.flatMap(({ targets }) => targets);
    this.#paths = new Map(
      targetFiles.flatMap(({ file, targets }) => targets.map((target) => [target, file] as const)),
    );
    this.#targetFiles = targetFiles;
    this.#task = task;
    this.#files = files;
  }

  /**
   * Works until every target is proved, the contexts are used up or the model goes silent. However it ends, what is written is
   * committed; what an earlier part of the run failed to commit is tried again. @throws what ends a run.
   */
  async run(): Promise<void> {
    try {
      await this.#work();
    } finally {
      for (const toolSession of this.#toolSessions.values()) await toolSession.close();
      if (!this.#run.signal.aborted) await this.#conclude();
    }
  }

  async #conclude(): Promise<void> {
    const key = `task/end-${this.#proved.size}-${resumesOf(this.#run)}`;
    await concludeTask(this.#run, key, {
      ...{ task: this.#task, files: this.#files, targets: this.#targets },
      isProved: (target) => this.#proved.has(target),
    });
    await this.#commit(key, { handsOff: false });
  }

  async #work(): Promise<void> {
    const { eventLog, settings } = this.#run;
    for (const target of this.#targets) {
      const { theorem, statement } = target;
      eventLog.note({ kind: 'theorem-started', key: theorem, theorem, statement });
      if (settings.searchFirst) await this.#searchFirst(target);
    }
    const [first] = this.#open;
    if (first !== undefined && eventLog.past.length > 0) await this.#requireReachable(first);
    let task = withoutHandoff(this.#task.text);
    for (let context = 1; context <= settings.contexts && this.#open.length > 0; context++) {
      const end = await this.#context(`task/context-${context}`, task);
      if (end === 'silent') break;
      if (end === 'handed-off') {
        task = eventLog.recorded('handed-off', `task/context-${context}`)?.task ?? task;
      }
    }
    for (const target of this.#open) {
      const judged = this.#unjudged.get(target);
      if (judged !== undefined)
        eventLog.note(theoremEnded(target.theorem, judged, 'task', 'the gate could not look'));
    }
  }

  get #open(): readonly Target[] {
    return this.#targets.filter((target) => !this.#proved.has(target) && !this.#tooDeep.has(target));
  }

  async #requireReachable(target: Target): Promise<void> {
    await requireReachable(this.#run, target).catch((error: unknown) => {
      if (!isNestedTooDeep(error)) throw error;
    });
  }

  async #searchFirst(target: Target): Promise<void> {
    const { judged } = await proveBySearch(this.#run, target);
    if (judged !== undefined) await this.#settle(target, judged, 'search');
  }

  /** Writes a proof that the gate accepted, and is done with its theorem. */
  async #settle(target: Target, judged: EventOf<'judged'>, found: 'task' | 'search'): Promise<void> {
    const { eventLog, judgedFiles, signal } = this.#run;
    const { theorem } = target;
    const { proof } = judged;
    eventLog.note(theoremEnded(theorem, judged, found, 'accepted by the gate'));
    await eventLog.once('written', theorem, async () => {
      const written = await stoppable(
        signal,
        (stop) => target.write(proof, stop),
        () => true,
      );
      await judgedFiles.writtenFor(target, written.fileHash);
      return written;
    });
    this.#proved.set(target, proof);
    this.#written.add(this.#paths.get(target) ?? target.file);
    await this.#toolSessions.get(target)?.close();
    this.#toolSessions.delete(target);
    if (this.#current === target) this.#current = undefined;
  }

  #toolSession(target: Target): RecordedToolSession {
    let toolSession = this.#toolSessions.get(target);
    if (toolSession === undefined) {
      toolSession = new RecordedToolSession(this.#run, target);
      this.#toolSessions.set(target, toolSession);
    }
    return toolSession;
  }

  async #context(key: string, task: string): Promise<ContextEnd> {
    const { roleModels, eventLog, settings } = this.#run;
    const begun = await this.#begin();
    if (begun === undefined) return 'finished';
    const { target, goals, briefing } = begun;
    // A fresh context has seen no answer.
    this.#repetition.forget();
    const prompts = this.#run.prompts.in(target.prover);
    const targets = this.#targetList();
    const history = new History((room) => [
      {
        role: 'system',
        text: prompts.fill('task', {
          ...{ task, instructions: this.#task.instructions, targets, goals },
          ...{ theorem: target.theorem, statement: target.statement },
          context: briefing.fileText(room),
        }),
      },
      { role: 'user', text: this.#task.prompt || 'Go on.' },
    ]);
    let silent = 0;
    for (let number = 1; number <= settings.handoffMessages && !this.#isFull(history); number++) {
      const questionKey = `${key}/message-${number}`;
      const heard = eventLog.userMessage(questionKey);
      if (heard !== undefined) {
        this.#repetition.forget();
        history.push({ role: 'user', text: heard });
      }
      const answer = await roleModels.ask({
        role: 'executor',
        key: questionKey,
        messages: (room) => history.messages(this.#limits(room)),
        tools: this.#tools(),
      });
      const { calls, thoughts } = answer;
      const text = withoutThoughts(answer.text) || (calls.length === 0 ? '(nothing)' : '');
      history.push({ role: 'assistant', text, calls, ...(thoughts !== undefined && { thoughts }) });
      if (calls.length === 0) {
        const checked = await this.#checkWritten(text);
        if (this.#open.length === 0) return 'finished';
        silent = checked === undefined || checked === REPEATED ? silent + 1 : 0;
        if (silent >= settings.silentMessages) return 'silent';
        history.push({ role: 'user', text: this.#answerTo(text, checked) });
        continue;
      }
      silent = 0;
      const at = this.#current;
      for (const call of calls) {
        const moved = this.#current !== at;
        const result = moved
          ? 'Not called: the calls before it led to another target.'
          : await this.#call(call, `task/tool-${++this.#calls}`);
        history.push({ role: 'tool', call, text: result });
      }
      if (this.#open.length === 0) return 'finished';
    }
    await this.#handOff(key, history);
    return 'handed-off';
  }

  /** Handing off comes before compaction: a note of the model says more than a digest. */
  #isFull(history: History): boolean {
    const { contextTokens } = this.#run.settings;
    if (contextTokens === 0 || history.turns.length <= 2) return false;
    const said = tokensOf(history.messages(this.#limits(undefined)));
    return said + estimateTokens(JSON.stringify(this.#tools())) > contextTokens * FULL_SHARE;
  }

  #limits(tokens: number | undefined): HistoryLimits {
    const { handoffMessages, historyTail: tail } = this.#run.settings;
    return { tokens, messages: handoffMessages * 4, tail };
  }

  #tools(): readonly ToolDescription[] {
    const tools = (this.#current ?? this.#targets[0])?.tools ?? [];
    return [
      ...tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ...(this.#targets.length > 1 ? [GO_TO] : []),
    ];
  }

  /** A proof that stands in the text of an answer is checked as if the tool had been called; undefined where none does. */
  async #checkWritten(text: string): Promise<string | undefined> {
    const target = this.#current;
    const proof = target === undefined ? undefined : proofIn(text, target.prover);
    if (target === undefined || proof === undefined) return undefined;
    const { checkTool: name } = CONVENTIONS[target.prover];
    return await this.#call(
      { id: 'written', name, input: JSON.stringify({ proof }) },
      `task/written-${++this.#writtenProofs}`,
    );
  }

  async #call(call: ToolCall, key: string): Promise<string> {
    const target = this.#current;
    if (target === undefined) throw new QuodError('internal', 'There is no target.');
    if (this.#repetition.notes(call)) return REPEATED;
    if (call.name === GO_TO.name) return await this.#goTo(call.input);
    const answer = await this.#toolSession(target).call(key, call);
    if (CONVENTIONS[target.prover].movesOn) this.#repetition.answered(answer.text);
    if (answer.proof === null) return answer.text;
    const judged = await judge(this.#run, target, key, answer.proof);
    if (judged.verdict === 'unknown') {
      this.#unjudged.set(target, judged);
      this.#repetition.forget();
    }
    if (judged.verdict !== 'accepted') return `${answer.text}\n\n${judgedText(judged)}`;
    await this.#settle(target, judged, 'task');
    const [next] = this.#open;
    if (next === undefined)
      return `The judge accepted the proof of ${target.theorem}. Every target is proved.`;
    return `The judge accepted the proof of ${target.theorem}, and it is written.\n\n${await this.#moveTo(next)}`;
  }

  async #goTo(input: string): Promise<string> {
    const said = jsonOf(input);
    const wanted = typeof said === 'object' && said !== null && 'theorem' in said ? said.theorem : undefined;
    const target = this.#open.find(({ theorem }) => theorem === wanted);
    if (target !== undefined) return await this.#moveTo(target);
    const deep = [...this.#tooDeep].filter(({ theorem }) => theorem === wanted);
    const why = deep.length > 0 ? tooDeepText(deep) : 'There is no such open target.';
    return `${why} Open: ${this.#open.map(({ theorem }) => theorem).join(', ')}.`;
  }

  /** The current target, or the first open one that can be worked on. */
  async #begin(): Promise<Begun | undefined> {
    const { eventLog, prompts } = this.#run;
    const first = this.#current;
    for (const target of new Set([...(first === undefined ? [] : [first]), ...this.#open])) {
      if (this.#tooDeep.has(target)) continue;
      this.#current = target;
      try {
        const goals = await this.#toolSession(target).start(`task/${target.theorem}`);
        const run = { ...this.#run, prompts: prompts.in(target.prover) };
        return { target, goals, briefing: await brief(run, target, goals) };
      } catch (error) {
        if (!isNestedTooDeep(error)) throw error;
        eventLog.note(theoremEnded(target.theorem, undefined, 'task', error.toString()));
        this.#tooDeep.add(target);
      }
    }
    this.#current = undefined;
    return undefined;
  }

  async #moveTo(wanted: Target): Promise<string> {
    if (this.#current !== wanted) this.#repetition.forget();
    this.#current = wanted;
    const known = this.#tooDeep.size;
    const begun = await this.#begin();
    if (begun === undefined) return 'No other target can be worked on: they are nested too deep.';
    const { target, goals, briefing } = begun;
    const { name } = CONVENTIONS[target.prover];
    const { contextTokens } = this.#run.settings;
    const context = briefing.fileText(contextTokens === 0 ? undefined : Math.floor(contextTokens / 3));
    const passed = [...this.#tooDeep].slice(known);
    const why = passed.length === 0 ? '' : `${tooDeepText(passed)}\n\n`;
    return `${why}You are now inside the proof of ${target.theorem} (${name}):\n${target.statement}\n\n${goals}\n\n${context}`;
  }

  #targetList(): string {
    return targetList(this.#targets, (target) => this.#proved.has(target), this.#task);
  }

  #answerTo(said: string, checked: string | undefined): string {
    const open = this.#open.map((target) => namedTarget(target, this.#task));
    return answerWithoutCall(this.#run.prompts, { said, checked, open });
  }

  async #handOff(key: string, history: History): Promise<void> {
    const { roleModels, eventLog, prompts } = this.#run;
    const { text: note } = await roleModels.ask({
      role: 'executor',
      key: `${key}/note`,
      messages: (room) => [
        ...history.messages(this.#limits(room)),
        { role: 'user', text: prompts.fill('hand-off', {}) },
      ],
      // Providers refuse a history with calls in it where no tools are offered.
      tools: this.#tools(),
    });
    const state = await this.#state(key);
    await eventLog.once('handed-off', key, async () => {
      const written = handoffText({ list: this.#targetList(), note, state });
      const task = await this.#files.updateTask((text) => withHandoff(text, written));
      return { note, state, task };
    });
    await this.#commit(key, { handsOff: true });
  }

  /** The live state of the current proof, for the one who goes on. */
  async #state(key: string): Promise<string> {
    const target = this.#current;
    if (target === undefined) return '';
    const { stateTool } = CONVENTIONS[target.prover];
    const call = { id: `${key}/state`, name: stateTool, input: '{}' };
    const { text } = await this.#toolSession(target).call(`${key}/state`, call);
    return `State of ${target.theorem}:\n\n${text.replace(/^/gmu, '    ')}`;
  }

  async #commit(key: string, { handsOff }: { readonly handsOff: boolean }): Promise<void> {
    const proofs = new Map([...this.#proved].map(([{ theorem }, proof]) => [theorem, { proof }]));
    await commitTask(this.#run, key, {
      ...{ task: this.#task, taskFiles: this.#files, targetFiles: this.#targetFiles },
      ...{ written: [...this.#written], proofs, handsOff },
    });
  }
}

function tooDeepText(targets: readonly Target[]): string {
  const names = targets.map(({ theorem }) => theorem).join(', ');
  return `Something in ${names} is nested too deep to be worked on.`;
}
