/** What one judgement says of itself: how long it took, what was against it, and what its verdict rests on. */
import type { Finding, JudgedStatement, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { isUnchecked, judgedBy, type JudgeSettings } from './judgement.ts';

export class Account {
  readonly #target: SourceText;
  readonly #submissionText: string;
  readonly #settings: JudgeSettings;
  readonly #started = performance.now();
  readonly #processorBefore: number | undefined;
  readonly #warnings: Warning[] = [];
  #about: Pick<RestsOn, 'compiledSha256' | 'recheckedBy' | 'libraries'> = {};

  constructor(target: SourceText, submissionText: string, settings: JudgeSettings) {
    this.#target = target;
    this.#submissionText = submissionText;
    this.#settings = settings;
    this.#processorBefore = settings.backend.processorMs;
  }

  warn(warning: Warning): void {
    this.#warnings.push(warning);
  }

  note(about: Pick<RestsOn, 'compiledSha256' | 'recheckedBy' | 'libraries'>): void {
    this.#about = { ...this.#about, ...about };
  }

  async rejected(findings: readonly Finding[]): Promise<Verdict> {
    return { kind: 'rejected', findings, restsOn: await this.#restsOn() };
  }

  async accepted(statements: readonly JudgedStatement[]): Promise<Verdict> {
    // Who shows no assumptions shows warnings.
    const unchecked = statements.flatMap(({ assumptions }) => assumptions.filter(isUnchecked));
    for (const message of new Set(unchecked)) this.warn({ kind: 'unchecked', message });
    return { kind: 'accepted', statements, restsOn: await this.#restsOn() };
  }

  async #restsOn(): Promise<RestsOn> {
    const judged = await judgedBy(this.#settings, this.#target, this.#submissionText);
    const said = [...(judged.warnings ?? []), ...this.#warnings];
    const { processorMs } = this.#settings.backend;
    return {
      ...judged,
      pinnedBy: ['compiled-objects'],
      ...this.#about,
      ...(said.length > 0 && { warnings: said }),
      ...(processorMs !== undefined &&
        this.#processorBefore !== undefined && { processorMs: processorMs - this.#processorBefore }),
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}
