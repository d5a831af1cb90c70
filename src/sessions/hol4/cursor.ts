/**
 * Works through the holes of a script, one after the other: a hole is a theorem whose proof uses `cheat`. The
 * cursor loads what stands before the theorem, opens its proof, takes the finished proof out of HOL's goal tree,
 * executes it as text, and only then answers the file with the new proof in it. Writing the file is its caller's:
 * `complete` prepares, `advance` goes on when the file is written.
 */
import { counted } from '../../core/counted.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type LineEnd, type PrintedPosition } from '../../core/position.ts';
import { quotation, stepList } from '../../provers/hol4/session/step-code.ts';
import { type HolTheorem, type ManagedProof, readTheorem } from '../../provers/hol4/session/values.ts';
import type { Script, ScriptTheorem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { spliceProof } from '../../provers/hol4/syntax/splice.ts';
import type { Limits } from '../../process/interrupt-ladder.ts';
import { type AssumedTheorem, loadContext } from './context.ts';
import { requireFitProof } from './fit-proof.ts';
import { extractProof } from './proof-text.ts';
import { type HolWorkbench, saidBy } from './workbench.ts';

export interface Hole {
  readonly name: string;
  /** Its place among the theorems of the script. */
  readonly index: number;
  readonly position: PrintedPosition;
  readonly statement: string;
}

export interface CursorStatus {
  readonly file: string;
  /** Null when every hole is filled. */
  readonly current: Hole | null;
  readonly remaining: readonly Hole[];
  /** Holes that were filled since the cursor was made. */
  readonly filled: readonly string[];
  /** Theorems before the current one that could only be assumed. */
  readonly assumed: readonly AssumedTheorem[];
  /** Cheats that no cursor fills: in termination proofs, values, old theorems without a statement in quotes. */
  readonly otherCheats: readonly { readonly name: string; readonly position: PrintedPosition }[];
  readonly proving: boolean;
}

export interface PreparedCompletion {
  readonly theorem: string;
  readonly proof: string;
  readonly text: string;
  /** What the theorem rests on besides HOL's axioms: other holes of the file. */
  readonly oracles: readonly string[];
  readonly conclusion: string;
}

export class HolCursor {
  readonly file: string;
  readonly #session: HolWorkbench;
  #script: Script;
  #hole: Hole | null;
  /** Items that the session has executed. */
  #executed = 0;
  #assumed: readonly AssumedTheorem[] = [];
  readonly #filled: string[] = [];
  #proving = false;

  private constructor(session: HolWorkbench, file: string, script: Script) {
    this.#session = session;
    this.file = file;
    this.#script = script;
    this.#hole = fillableTheorems(script)[0] ?? null;
  }

  /**
   * Parses the file and goes to its first hole, or to the named theorem, executing what stands before it.
   * @throws QuodError `not-found`, `invalid-input`, and what loading throws.
   */
  static async init(
    session: HolWorkbench,
    {
      file,
      text,
      limits,
      theorem,
      progress,
    }: {
      readonly file: string;
      readonly text: string;
      readonly limits: Limits;
      readonly theorem?: string | undefined;
      readonly progress?: ((done: number, total: number) => void) | undefined;
    },
  ): Promise<HolCursor> {
    const script = parseScript(text);
    const [problem] = script.problems;
    if (problem !== undefined) {
      throw new QuodError('invalid-input', problem.message, {
        place: { file, position: new LineIndex(text).printedAt(problem.span.start) },
        remedy: 'Repair the file; HOL would not read it either.',
      });
    }
    const cursor = new HolCursor(session, file, script);
    if (theorem !== undefined) cursor.#hole = cursor.#named(theorem);
    await cursor.#load(limits, progress);
    return cursor;
  }

  get status(): CursorStatus {
    const lines = new LineIndex(this.#script.text);
    const holes = fillableTheorems(this.#script);
    const known = new Set(holes.map(({ index }) => index));
    return {
      file: this.file,
      current: this.#hole,
      remaining: holes,
      filled: this.#filled,
      assumed: this.#assumed,
      otherCheats: this.#script.cheats
        .filter(({ span }) => {
          const index = this.#script.theorems.findIndex(
            ({ proof }) => proof !== undefined && proof.start <= span.start && span.end <= proof.end,
          );
          return !known.has(index);
        })
        .map(({ name, span }) => ({ name, position: lines.printedAt(span.start) })),
      proving: this.#proving,
    };
  }

  get text(): string {
    return this.#script.text;
  }

  /** Opens the proof of the current theorem as a goal tree. @throws QuodError. */
  async start(limits: Limits): Promise<ManagedProof> {
    const theorem = this.#current();
    const statement = this.#statement(theorem);
    await this.#tell('val _ = proofManagerLib.drop_all ()', limits);
    await this.#tell(`val _ = proofManagerLib.gt ${quotation(statement)}`, limits);
    this.#proving = true;
    return await this.#session.proof(limits);
  }

  /**
   * The file with the current theorem proved.
   * @param proof The proof's text; without it, it is taken out of the goal tree.
   * @throws QuodError `invalid-input` when there is no finished proof or when it does not prove the theorem.
   */
  async complete(limits: Limits, proof?: string, lineEnd: LineEnd = '\n'): Promise<PreparedCompletion> {
    const theorem = this.#current();
    const text = proof?.trim() ?? (await this.#extract(limits));
    requireFitProof(text);
    const spliced = spliceProof(this.#script, theorem, text, lineEnd);
    const proved = await this.#replay(theorem, text, proof === undefined, limits);
    return {
      theorem: theorem.name,
      proof: text,
      text: spliced,
      oracles: proved.oracles,
      conclusion: proved.conclusion,
    };
  }

  /** Goes on to the next hole of the file, which now has this text. */
  async advance(
    text: string,
    limits: Limits,
    progress?: (done: number, total: number) => void,
  ): Promise<CursorStatus> {
    const filled = this.#hole?.name;
    this.#script = parseScript(text);
    if (filled !== undefined) this.#filled.push(filled);
    this.#proving = false;
    await this.#tell('val _ = proofManagerLib.drop_all ()', limits);
    this.#hole = fillableTheorems(this.#script)[0] ?? null;
    await this.#load(limits, progress);
    return this.status;
  }

  /** Executes what belongs to the session's history, so that a HOL that is started again has the same proof open. */
  async #tell(command: string, limits: Limits): Promise<void> {
    const answer = await this.#session.send(command, limits);
    if (answer.status === 'lost') throw new QuodError(answer.reason, answer.message);
    if (answer.stopped !== undefined) throw new QuodError(answer.stopped, 'HOL did not answer in time.');
    const { status, error, output } = answer.reply;
    if (status === 'ok') return;
    throw new QuodError('does-not-compile', error === undefined ? output.trim() : saidBy(error), {
      remedy: 'The statement as it stands in the file is not accepted by HOL.',
    });
  }

  async #extract(limits: Limits): Promise<string> {
    const { kind, tree } = await this.#session.proof(limits);
    if (kind !== 'goaltree' || tree === null) {
      throw new QuodError('invalid-input', 'No proof by goal tree is in front.', {
        remedy: 'Call `hol_cursor_start` and prove with et("tactic", tactic), or give the proof as text.',
      });
    }
    const extracted = extractProof(tree);
    switch (extracted.status) {
      case 'complete':
        return extracted.text;
      case 'incomplete':
        throw new QuodError(
          'invalid-input',
          `The proof is not finished: ${counted(extracted.openGoals, 'goal')} left.`,
          {
            remedy: 'Ask `hol_proof_state` for them.',
          },
        );
      case 'anonymous':
        throw new QuodError(
          'invalid-input',
          `${extracted.tactics} tactics were applied in a way that leaves no text.`,
          { remedy: 'Use et("tactic", tactic) or e(tactic) as a command of its own; undo with b().' },
        );
    }
  }

  /** Executes the proof as text against the statement as it stands in the file. */
  async #replay(
    theorem: ScriptTheorem,
    proof: string,
    fromTree: boolean,
    limits: Limits,
  ): Promise<HolTheorem> {
    const statement = quotation(this.#statement(theorem));
    const attributes = this.#proofAttributes(theorem);
    const steps = stepList(
      proof,
      [
        {
          kind: 'tactic',
          source: { before: '', span: { start: 0, end: proof.length }, after: '' },
          span: { start: 0, end: 0 },
        },
      ],
      attributes,
    );
    const code = `val () = Quod_Port.check ${statement} ${steps}`;
    const answer = await this.#session.run(code, limits);
    if (answer.stopped !== undefined) {
      throw new QuodError(
        answer.stopped,
        'The proof ran longer than it was given when it was executed again.',
      );
    }
    const proved = readTheorem(answer.values[0]);
    if (answer.reply.status !== 'ok' || proved === undefined) {
      const { error, output } = answer.reply;
      const why = error === undefined ? output.trim() : saidBy(error);
      throw new QuodError('not-verified', `The text of the proof does not prove ${theorem.name}: ${why}`, {
        remedy: fromTree
          ? 'The file is unchanged. The text of a tactic is not what was executed: compare the arguments of et.'
          : 'The file is unchanged. Try the tactics with `hol_try`, or step by step with `hol_send`.',
      });
    }
    if (proved.hypotheses.length > 0) {
      throw new QuodError('not-verified', `The theorem has hypotheses: ${proved.hypotheses.join('; ')}.`);
    }
    return proved;
  }

  async #load(limits: Limits, progress?: (done: number, total: number) => void): Promise<void> {
    const until = this.#hole === null ? this.#script.items.length : this.#itemOf(this.#current());
    const { assumed } = await loadContext(this.#session, this.#script, {
      from: this.#executed,
      until,
      limits,
      progress,
    });
    this.#executed = Math.max(this.#executed, until);
    this.#assumed = [...this.#assumed, ...assumed];
  }

  #itemOf(theorem: ScriptTheorem): number {
    const index = this.#script.items.findIndex(
      ({ span }) => span.start <= theorem.span.start && theorem.span.start < span.end,
    );
    if (index < 0) throw new QuodError('internal', `${theorem.name} stands in no declaration.`);
    return index;
  }

  #current(): ScriptTheorem {
    const theorem = this.#hole === null ? undefined : this.#script.theorems[this.#hole.index];
    if (theorem !== undefined) return theorem;
    throw new QuodError('invalid-input', 'No hole is left in the file.', {
      remedy: 'Build it with `holmake`, or name a theorem in `hol_cursor_init`.',
    });
  }

  #named(name: string): Hole {
    const index = this.#script.theorems.findIndex((theorem) => theorem.name === name && isProvable(theorem));
    const theorem = this.#script.theorems[index];
    if (theorem !== undefined) return holeOf(this.#script, theorem, index);
    throw new QuodError('not-found', `The file has no theorem ${name} that is proved by a tactic.`, {
      place: { file: this.file },
      remedy: '`hol_cursor_status` lists the holes.',
    });
  }

  #statement({ statement, name }: ScriptTheorem): string {
    if (statement !== undefined) return this.#script.text.slice(statement.start, statement.end);
    throw new QuodError('unsupported', `The statement of ${name} is not written as one quotation.`);
  }

  #proofAttributes({ statement, proof, form }: ScriptTheorem): string {
    if (statement === undefined || proof === undefined || form === 'store_thm' || form === 'prove') return '';
    return orNothing(/\[([^\]]*)\]/.exec(this.#script.text.slice(statement.end, proof.start))?.[1]);
  }
}

/** The theorems that a cursor can fill. */
export function fillableTheorems(script: Script): readonly Hole[] {
  return script.theorems.flatMap((theorem, index) => {
    const cheats = theorem.cheats.some(({ kind }) => kind === 'cheat');
    return cheats && isProvable(theorem) ? [holeOf(script, theorem, index)] : [];
  });
}

function isProvable({ form, proof, statement, nested }: ScriptTheorem): boolean {
  if (proof === undefined || statement === undefined || nested) return false;
  return form === 'Theorem' || form === 'Triviality' || form === 'store_thm' || form === 'prove';
}

function holeOf(script: Script, { name, span, statement }: ScriptTheorem, index: number): Hole {
  return {
    name,
    index,
    position: new LineIndex(script.text).printedAt(span.start),
    statement: statement === undefined ? '' : script.text.slice(statement.start, statement.end).trim(),
  };
}
