/**
 * Runs a HOL4 script and goes on after each error. A theorem whose proof fails is assumed, so that what stands
 * behind it is looked at too; its proof is walked through step by step for the place of the error. Any other
 * declaration that fails is left out, and an error that only repeats that it is missing names it. Nothing is
 * written: `export_theory` is not run.
 */
import { dirname } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import type { Span } from '../../core/position.ts';
import type { ProverIdentity, StateId, StepResult } from '../../core/prover.ts';
import { appendAll } from '../../core/lists/many.ts';
import { requireHol4 } from '../../provers/hol4/discovery.ts';
import type { Script, ScriptItem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { assumedItem, exportsTheory } from '../../sessions/hol4/assume.ts';
import { openTheorem, walkProof } from '../../sessions/hol4/file-replay.ts';
import { type HolSession, type HolSessionStart, openHolSession } from '../../sessions/hol4/hol-session.ts';
import type { CheckError, CheckReport, FoundHole, TimedSpan } from '../files/check-report.ts';

export interface ScriptCheckRequest {
  /** Absolute path of a `Script.sml`; theories of its folder are found. */
  readonly file: string;
  readonly text: string;
  /** Milliseconds for each declaration. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Instead of the HOL that is found, for tests that play a recording. */
  readonly program?: HolSessionStart;
}

/** @throws QuodError `prover-missing`, and as starting HOL does. */
export async function checkScript(
  request: ScriptCheckRequest,
): Promise<{ readonly identity: ProverIdentity; readonly report: CheckReport }> {
  const session = await openHolSession({
    ...(request.program ?? { executable: requireHol4().hol }),
    folder: dirname(request.file),
    signal: request.signal,
  });
  try {
    return { identity: session.identity, report: await new ScriptCheck(request, session).run() };
  } finally {
    await session.close();
  }
}

type NotDone = Exclude<StepResult, { status: 'done' }>;

class ScriptCheck {
  readonly #request: ScriptCheckRequest;
  readonly #session: HolSession;
  readonly #script: Script;
  readonly #errors: CheckError[] = [];
  readonly #warnings: { readonly span: Span; readonly message: string }[] = [];
  readonly #times: TimedSpan[] = [];
  readonly #failedNames = new Set<string>();
  #state: StateId;
  #skipped = 0;

  constructor(request: ScriptCheckRequest, session: HolSession) {
    this.#request = request;
    this.#session = session;
    this.#script = parseScript(request.text);
    this.#state = session.root;
  }

  async run(): Promise<CheckReport> {
    const script = this.#script;
    const items = script.items.filter((item) => !exportsTheory(textOf(script, item)));
    appendAll(
      this.#errors,
      script.problems.map(({ message, span }) => ({ message, span })),
    );
    let partial = false;
    for (const [index, item] of items.entries()) {
      this.#request.onProgress?.(index, items.length);
      const result = await this.#execute(textOf(script, item));
      if (this.#request.signal.aborted) {
        partial = true;
        break;
      }
      this.#times.push({ span: item.span, elapsedMs: result.elapsedMs });
      if (result.status === 'done') this.#accept(item, result);
      else if (!(await this.#refuse(item, result))) {
        partial = true;
        break;
      }
    }
    return {
      errors: this.#errors,
      holes: cheatsOf(script),
      warnings: this.#warnings,
      times: this.#times,
      skipped: this.#skipped,
      partial,
    };
  }

  async #execute(text: string): Promise<StepResult> {
    const { timeoutMs, signal } = this.#request;
    return await this.#session.run(this.#state, { text }, { timeoutMs, signal });
  }

  #accept({ span }: ScriptItem, { state, messages }: StepResult & { status: 'done' }): void {
    this.#state = state;
    for (const { severity, message } of messages)
      if (severity === 'warning') this.#warnings.push({ span, message });
  }

  /**
   * Notes the error and goes on as if the theorem were proved, or without the declaration; false when there is no
   * going on.
   */
  async #refuse(item: ScriptItem, result: NotDone): Promise<boolean> {
    this.#errors.push(await this.#errorOf(item, result));
    if (result.status === 'unknown' && result.reason !== 'timeout' && result.reason !== 'memory-exceeded')
      return false;
    const assumed = assumedItem(this.#script, item);
    const again = assumed === undefined ? undefined : await this.#execute(assumed.text);
    if (again?.status === 'done') {
      this.#state = again.state;
      return true;
    }
    this.#skipped += 1;
    if (item.name !== undefined) this.#failedNames.add(item.name);
    for (const { name } of theoremsIn(this.#script, item)) this.#failedNames.add(name);
    return true;
  }

  async #errorOf(item: ScriptItem, result: NotDone): Promise<CheckError> {
    if (result.status === 'unknown')
      return { span: item.span, message: result.message, reason: result.reason };
    const { message, span } = result.error;
    const missing = /\(([^)\s]+)\) has not been declared/.exec(message)?.[1];
    return (
      (await this.#failedStep(item)) ?? {
        span: span === undefined ? item.span : within(item, span),
        message,
        ...(missing !== undefined && this.#failedNames.has(missing) && { follows: missing }),
      }
    );
  }

  /** Where the proof of a theorem fails and what the goals are there; undefined when it is not the proof that fails. */
  async #failedStep(item: ScriptItem): Promise<CheckError | undefined> {
    const [theorem, ...others] = theoremsIn(this.#script, item);
    const proof = theorem?.proof;
    if (theorem === undefined || proof === undefined || others.length > 0) return undefined;
    const { timeoutMs, signal } = this.#request;
    const limits = { timeoutMs, signal };
    try {
      const opened = await openTheorem(this.#session, this.#state, { script: this.#script, theorem }, limits);
      const place = await walkProof(
        this.#session,
        opened,
        { script: this.#script, theorem, offset: proof.end },
        limits,
      );
      if (place.kind === 'broken') return { span: place.span, message: place.message, goals: place.goals };
      if (place.kind === 'outside' || place.goals.length + place.unfocused === 0) return undefined;
      const end = { start: proof.end, end: theorem.span.end };
      return { span: end, message: 'The proof ends before all goals are proved.', goals: place.goals };
    } catch (error) {
      // The statement itself is wrong, or a step takes for ever: what HOL said of the whole theorem stands.
      if (error instanceof QuodError) return undefined;
      throw error;
    }
  }
}

export function cheatsOf(script: Script): FoundHole[] {
  return script.cheats.map(({ name, span }) => {
    const encloses = (whole: Span): boolean => whole.start <= span.start && span.end <= whole.end;
    const theorem = script.theorems.find((candidate) => encloses(candidate.span))?.name;
    const item = script.items.find((candidate) => encloses(candidate.span));
    return { theorem: theorem ?? item?.name ?? item?.kind ?? 'script', kind: name, span };
  });
}

function theoremsIn(script: Script, { span }: ScriptItem): Script['theorems'] {
  return script.theorems.filter(
    (theorem) => theorem.span.start >= span.start && theorem.span.end <= span.end,
  );
}

function textOf({ text }: Script, { span }: ScriptItem): string {
  return text.slice(span.start, span.end);
}

function within({ span: { start } }: ScriptItem, span: Span): Span {
  return { start: start + span.start, end: start + span.end };
}
