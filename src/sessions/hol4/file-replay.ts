/**
 * The goals at any place of a script: what stands before the theorem is executed once and remembered, and the proof is
 * taken apart and executed step by step up to the place. When the text changes, what stands before the first change
 * stays.
 */
import { orNothing, orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type PrintedPosition, type Span } from '../../core/position.ts';
import type { Goal } from '../../core/proof-state.ts';
import type { StateId, StepResult } from '../../core/prover.ts';
import { openingOf, tacticsOf } from '../../provers/hol4/session/sentence.ts';
import type { Script, ScriptItem, ScriptTheorem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { type TacticStep, tacticSteps } from '../../provers/hol4/syntax/tactic.ts';
import type { AssumedTheorem } from './context.ts';
import { assumedItem, exportsTheory } from './assume.ts';
import type { HolSession } from './hol-session.ts';

export interface ReplayLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

export type PlaceInFile =
  | {
      readonly kind: 'goals';
      readonly theorem: string;
      readonly goals: readonly Goal[];
      /** Goals that wait outside of the parentheses that are open here. */
      readonly unfocused: number;
      /** Steps of the proof that were executed, and how many there are. */
      readonly step: number;
      readonly steps: number;
      readonly state: StateId;
    }
  | {
      /** The proof fails before the place: its goals would not be those of the file. */
      readonly kind: 'broken';
      readonly theorem: string;
      readonly span: Span;
      readonly position: PrintedPosition;
      readonly tactic: string;
      readonly message: string;
      readonly goals: readonly Goal[];
      readonly step: number;
      readonly steps: number;
      readonly state: StateId;
    }
  | { readonly kind: 'outside'; readonly message: string };

interface Executed {
  readonly text: string;
  readonly state: StateId;
  readonly assumed: AssumedTheorem | undefined;
}

export class FileReplay {
  readonly session: HolSession;
  #executed: Executed[] = [];

  constructor(session: HolSession) {
    this.session = session;
  }

  /** @param offset A place in the text; the steps that end at it or before are executed. */
  async stateAt(text: string, offset: number, limits: ReplayLimits = {}): Promise<PlaceInFile> {
    const script = parseScript(text);
    const theorem = theoremAt(script, offset);
    if (theorem === undefined) {
      return { kind: 'outside', message: 'No proof by tactics stands at this place.' };
    }
    return await this.proofOf(script, theorem, offset, limits);
  }

  /** Executes the proof of a theorem up to an offset. */
  async proofOf(
    script: Script,
    theorem: ScriptTheorem,
    offset: number,
    limits: ReplayLimits = {},
  ): Promise<PlaceInFile> {
    const opened = await this.open(script, theorem, limits);
    return await walkProof(this.session, opened, { script, theorem, offset }, limits);
  }

  /** The state at the beginning of a theorem's proof. */
  async open(script: Script, theorem: ScriptTheorem, limits: ReplayLimits): Promise<StateId> {
    const item = script.items.findIndex(
      ({ span }) => span.start <= theorem.span.start && theorem.span.start < span.end,
    );
    const base = await this.#bring(script, Math.max(0, item), limits);
    return await openTheorem(this.session, base, { script, theorem }, limits);
  }

  /** Theorems before the place that could only be assumed. */
  get assumed(): readonly AssumedTheorem[] {
    return this.#executed.flatMap(({ assumed }) => assumed ?? []);
  }

  /** The state before an item; executes what is not executed yet, from the first change on. */
  async #bring(script: Script, until: number, limits: ReplayLimits): Promise<StateId> {
    const items = script.items.slice(0, until).filter((item) => !exportsTheory(textOf(script, item)));
    const same = this.#executed.findIndex(({ text }, index) => {
      const item = items[index];
      return item === undefined || text !== textOf(script, item);
    });
    // What lies behind the place stays known, as long as nothing before it changed.
    if (same >= 0 && same < items.length) this.#executed = this.#executed.slice(0, same);
    for (let index = this.#executed.length; index < items.length; index += 1) {
      const item = items[index];
      if (item === undefined) break;
      limits.progress?.(index, items.length);
      this.#executed.push(await this.#execute(script, item, limits));
    }
    return this.#executed[items.length - 1]?.state ?? this.session.root;
  }

  async #execute(script: Script, item: ScriptItem, limits: ReplayLimits): Promise<Executed> {
    const text = textOf(script, item);
    const from = this.#executed.at(-1)?.state ?? this.session.root;
    const result = await runOne(this.session, from, text, limits);
    if (result.status === 'done') return { text, state: result.state, assumed: undefined };
    const why = result.status === 'failed' ? result.error.message : result.message;
    if (result.status === 'unknown' && result.reason !== 'timeout') throw new QuodError(result.reason, why);
    const assumed = assumedItem(script, item);
    if (assumed !== undefined) {
      const again = await runOne(this.session, from, assumed.text, limits);
      if (again.status === 'done') return { text, state: again.state, assumed: { name: assumed.name, why } };
    }
    throw new QuodError('does-not-compile', `${item.name ?? 'A declaration'} fails: ${why}`, {
      place: { position: new LineIndex(script.text).printedAt(item.span.start) },
      remedy: 'Repair the file up to there first.',
    });
  }
}

/** The state in which a theorem of a script is to be proved, from the state before its declaration. */
export async function openTheorem(
  session: HolSession,
  before: StateId,
  { script: { text }, theorem }: { readonly script: Script; readonly theorem: ScriptTheorem },
  limits: ReplayLimits,
): Promise<StateId> {
  if (theorem.statement === undefined) {
    throw new QuodError('unsupported', `The statement of ${theorem.name} is not written as one quotation.`);
  }
  if (theorem.form === 'Termination' || theorem.nested) {
    throw new QuodError('unsupported', `The proof of ${theorem.name} cannot be opened by itself.`);
  }
  const statement = text.slice(theorem.statement.start, theorem.statement.end);
  const result = await session.run(before, openingOf(theorem.name, statement), limits);
  if (result.status === 'done') return result.state;
  if (result.status === 'unknown') throw new QuodError(result.reason, result.message);
  throw new QuodError('does-not-compile', `The statement of ${theorem.name}: ${result.error.message}`, {
    place: { position: new LineIndex(text).printedAt(theorem.span.start) },
  });
}

/** Executes the steps of a proof that end before an offset, or until one fails. */
export async function walkProof(
  session: HolSession,
  opened: StateId,
  {
    script,
    theorem,
    offset,
  }: { readonly script: Script; readonly theorem: ScriptTheorem; readonly offset: number },
  limits: ReplayLimits,
): Promise<PlaceInFile> {
  const { text } = script;
  const { proof, name } = theorem;
  if (proof === undefined) return { kind: 'outside', message: `${name} has no proof by tactics.` };
  const steps = tacticSteps(text, proof);
  let state = opened;
  for (const [index, step] of steps.entries()) {
    if (stepEnd(step) > offset)
      return await shown(session, name, { state, step: index, steps: steps.length });
    const result = await session.run(state, tacticsOf(text, [step], attributesOf(script, theorem)), limits);
    if (result.status === 'done') {
      state = result.state;
      continue;
    }
    if (result.status === 'unknown') throw new QuodError(result.reason, result.message);
    const before = await session.goals(state);
    return {
      kind: 'broken',
      theorem: name,
      span: step.span,
      position: new LineIndex(text).printedAt(step.span.start),
      tactic: text.slice(step.span.start, step.span.end),
      message: result.error.message,
      goals: before?.goals ?? [],
      step: index,
      steps: steps.length,
      state,
    };
  }
  return await shown(session, name, { state, step: steps.length, steps: steps.length });
}

async function shown(
  session: HolSession,
  theorem: string,
  { state, step, steps }: { readonly state: StateId; readonly step: number; readonly steps: number },
): Promise<PlaceInFile> {
  const proof = await session.goals(state);
  return {
    kind: 'goals',
    theorem,
    goals: proof?.goals ?? [],
    unfocused: orZero(proof?.unfocused.reduce((sum, count) => sum + count, 0)),
    step,
    steps,
    state,
  };
}

async function runOne(
  session: HolSession,
  from: StateId,
  text: string,
  { timeoutMs, signal }: ReplayLimits,
): Promise<StepResult> {
  return await session.run(
    from,
    { text },
    {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal !== undefined && { signal }),
    },
  );
}

function theoremAt(script: Script, offset: number): ScriptTheorem | undefined {
  return script.theorems.find(
    ({ span, proof, statement }) =>
      proof !== undefined && statement !== undefined && span.start <= offset && offset <= span.end,
  );
}

function attributesOf({ text }: Script, { statement, proof, form }: ScriptTheorem): string {
  if (statement === undefined || proof === undefined || form === 'store_thm' || form === 'prove') return '';
  return orNothing(/\[([^\]]*)\]/.exec(text.slice(statement.end, proof.start))?.[1]);
}

/** A step is done at a place when the place is not before its end; a parenthesis opens where it stands. */
function stepEnd({ span }: TacticStep): number {
  return span.end;
}

function textOf({ text }: Script, { span }: { readonly span: Span }): string {
  return text.slice(span.start, span.end);
}
