/** A session behind the header of a library, in which `quod refute` is asked about one statement after the other. */
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Prover, ProverSession, StateId } from '../../src/core/prover.ts';
import { judgeDisproof } from '../../src/operations/proof/judge-disproof.ts';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { asSentence } from '../../src/provers/rocq/syntax/sentences.ts';
import { refuteTheorem, type Refutation } from '../../src/refute/refute-theorem.ts';

import { findRocq } from '../../src/sessions/find-rocq.ts';
import { FileRun } from '../../src/sessions/rocq/file-run.ts';
import type { Library } from './libraries.ts';

export interface Asked {
  readonly answer: Refutation;
  /** Of the search, the engine's loading included, without the gate. */
  readonly searchSeconds: number;
  readonly seconds: number;
}

/** Processes that want to run now, for each processor. */
export function load(): number {
  return (loadavg()[0] ?? Number.NaN) / cpus().length;
}

export class RefuteSession {
  readonly #library: Library;
  readonly #prover: Prover;
  readonly #session: ProverSession;
  readonly #start: StateId;
  readonly #file: string;

  private constructor(
    library: Library,
    prover: Prover,
    { session, start, file }: { session: ProverSession; start: StateId; file: string },
  ) {
    this.#library = library;
    this.#prover = prover;
    this.#session = session;
    this.#start = start;
    this.#file = file;
  }

  static async open(library: Library): Promise<RefuteSession> {
    const prover = await findRocq('coqidetop');
    const file = join(process.cwd(), 'refuted.v');
    const session = await prover.openSession({ file });
    let start = session.root;
    for (const { text } of outlineOf(library.header).sentences) {
      const result = await session.run(start, asSentence(text), { expected: true });
      if (result.status !== 'done') throw new Error(`${library.name}: ${text}`);
      start = result.state;
    }
    return new RefuteSession(library, prover, { session, start, file });
  }

  async ask(statement: string, budgetSeconds: number): Promise<Asked> {
    const { signal } = new AbortController();
    const { header } = this.#library;
    const file = this.#file;
    const text = `${header}\nTheorem asked : ${statement}.\nProof.\nAdmitted.\n`;
    const outline = outlineOf(text);
    const theorem = outline.statements[0];
    // The header was run: the session begins behind it.
    const rest = outlineOf(text.slice(header.length));
    const inRest = rest.statements[0];
    if (theorem === undefined || inRest === undefined) throw new Error('There is no theorem.');
    const run = new FileRun(
      this.#session,
      { outline: rest, file },
      { onTrace: () => undefined, onError: (error) => console.error(String(error)) },
      { record: false, signal, start: this.#start },
    );
    const opened = await run.advanceTo(inRest);
    if (opened === undefined) throw new Error(`Rocq does not accept ${statement}`);
    const begun = performance.now();
    let judging = 0;
    const judge = judgeDisproof({ path: file }, this.#prover, signal);
    const judged = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      const asked = performance.now();
      const answer = await ask();
      judging += performance.now() - asked;
      return answer;
    };
    const answer = await refuteTheorem(
      { outline, theorem, session: this.#session, opened },
      {
        judge: (filled) => judged(() => judge.judge(filled)),
        negates: (target, names) => judged(() => judge.negates(target, names)),
      },
      { allowed: { milliseconds: budgetSeconds * 1000 }, signal },
    );
    const elapsed = performance.now() - begun;
    return { answer, searchSeconds: (elapsed - judging) / 1000, seconds: elapsed / 1000 };
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
