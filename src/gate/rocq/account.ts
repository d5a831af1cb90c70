/** What one judgement says of itself: how long it took, what was against it, and what its verdict rests on. */
import { sha256 } from '../../core/sha256.ts';
import type { Finding, JudgedStatement, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { mayReachOut } from './text/commands.ts';
import { isUnchecked, type JudgeSettings } from './judgement.ts';

export class Account {
  readonly #target: SourceText;
  readonly #submissionText: string;
  readonly #settings: JudgeSettings;
  readonly #started = performance.now();
  readonly #processorBefore: number | undefined;
  readonly #warnings: Warning[] = [];
  readonly #trusted: string[] = [];
  #about: Pick<RestsOn, 'compiledSha256' | 'recheckedBy' | 'libraries'> = {};

  constructor(target: SourceText, submissionText: string, settings: JudgeSettings) {
    this.#target = target;
    this.#submissionText = submissionText;
    this.#settings = settings;
    this.#processorBefore = settings.backend.processorMs;
  }

  warn(warning: Warning): void {
    this.#warnings.push({ ...warning, message: asInFile(warning.message) });
  }

  note(about: Pick<RestsOn, 'compiledSha256' | 'recheckedBy' | 'libraries'>): void {
    this.#about = { ...this.#about, ...about };
  }

  /** @param what the submission may do that could forge what is judged */
  trust(what: string): void {
    this.#trusted.push(what);
  }

  async rejected(findings: readonly Finding[]): Promise<Verdict> {
    const told = findings.map((finding) => ({ ...finding, message: asInFile(finding.message) }));
    // What is compared in two ways can be found by both.
    const once = new Map(told.map((finding) => [JSON.stringify(finding), finding]));
    return { kind: 'rejected', findings: [...once.values()], restsOn: await this.#restsOn() };
  }

  async accepted(statements: readonly JudgedStatement[]): Promise<Verdict> {
    // Who shows no assumptions shows warnings.
    const unchecked = statements.flatMap(({ assumptions }) => assumptions.filter(isUnchecked));
    for (const message of new Set(unchecked)) this.warn({ kind: 'unchecked', message });
    const { commands = [], plugins = [] } = this.#settings.policy ?? {};
    const reaching = commands.filter(mayReachOut);
    if (plugins.length > 0)
      this.trust(`run the machine code of the plugins that the policy names (${plugins.join(', ')})`);
    if (reaching.length > 0) this.trust(`use ${reaching.join(', ')}, which may reach beyond the prover`);
    if (this.#trusted.length > 0)
      this.warn({
        kind: 'author-trusted',
        message: `The submission may ${this.#trusted.join(' and ')}: its author is trusted not to forge what is judged, as the author of the target is.`,
      });
    const told = statements.map((one) => ({ ...one, assumptions: one.assumptions.map(asInFile) }));
    return { kind: 'accepted', statements: told, restsOn: await this.#restsOn() };
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

const NO_SANDBOX: Warning = {
  kind: 'no-sandbox',
  message:
    'There is no bubblewrap here, or it may not do its work: only limits on time, memory, processes and files held.',
};

/** What every verdict rests on. */
async function judgedBy(
  { backend }: JudgeSettings,
  target: SourceText,
  submissionText: string,
): Promise<
  Pick<RestsOn, 'prover' | 'backend' | 'targetSha256' | 'submissionSha256' | 'isolation' | 'warnings'>
> {
  const isolation = await backend.isolation();
  return {
    ...(isolation !== undefined && { isolation }),
    ...(isolation === 'none' && { warnings: [NO_SANDBOX] }),
    prover: `rocq ${await backend.version()}`,
    backend: backend.name,
    targetSha256: sha256(target.text),
    submissionSha256: sha256(submissionText),
  };
}

/** The prover is asked under names that are the judge's own; a reader knows those of the file. */
function asInFile(text: string): string {
  return text.replaceAll(/\bQuod(?:Judged|Instance\d+)\./gu, '');
}
