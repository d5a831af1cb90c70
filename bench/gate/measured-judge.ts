/** The judge's prover with a note of how much processor time each of its steps took. */
import type {
  CompiledUnit,
  CompileRequest,
  CompileResult,
  JudgeBackend,
} from '../../src/gate/rocq/backends/judge-backend.ts';
import { NativeJudge } from '../../src/gate/rocq/backends/native-judge.ts';
import { findExecutable } from '../../src/process/executable.ts';

export type Step = 'compile' | 'assumptions' | 'propositions' | 'recheck';

export class MeasuredJudge implements JudgeBackend {
  readonly #judge: NativeJudge;
  readonly name = 'coqc';
  readonly steps: { readonly step: Step; readonly processorMs: number; readonly elapsedMs: number }[] = [];

  constructor() {
    const coqc = findExecutable(['coqc']);
    if (coqc === undefined) throw new Error('There is no coqc here.');
    this.#judge = new NativeJudge(coqc);
  }

  get processorMs(): number {
    return this.#judge.processorMs;
  }

  version(): Promise<string> {
    return this.#judge.version();
  }

  isolation(): ReturnType<JudgeBackend['isolation']> {
    return this.#judge.isolation();
  }

  libraryPlaces(project: CompileRequest['project']): ReturnType<JudgeBackend['libraryPlaces']> {
    return this.#judge.libraryPlaces(project);
  }

  async compile(request: CompileRequest): Promise<CompileResult> {
    const result = await this.#noted('compile', () => this.#judge.compile(request));
    return result.status === 'compiled' ? { ...result, unit: this.#measured(result.unit) } : result;
  }

  async unitOf(request: CompileRequest, bytes: Uint8Array): Promise<CompiledUnit> {
    return this.#measured(await this.#judge.unitOf(request, bytes));
  }

  #measured(unit: CompiledUnit): CompiledUnit {
    return {
      ...unit,
      assumptions: (...parameters) => this.#noted('assumptions', () => unit.assumptions(...parameters)),
      propositions: (...parameters) => this.#noted('propositions', () => unit.propositions(...parameters)),
      recheck: (limits) =>
        this.#noted(
          'recheck',
          async () =>
            (await unit.recheck?.(limits)) ?? { status: 'missing', message: 'There is no checker.' },
        ),
    };
  }

  async #noted<Answer>(step: Step, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#judge.processorMs;
    const started = performance.now();
    const answer = await work();
    const processorMs = this.#judge.processorMs - before;
    this.steps.push({ step, processorMs, elapsedMs: performance.now() - started });
    return answer;
  }
}
