/**
 * What a resumed run takes over as proved. A log is text that anybody can write, and text is no evidence: the gate
 * judges the recorded proofs again, against the files as they are now, before any of them is counted, printed or
 * written. Those of a file are judged together; one by one only where they are not accepted together.
 */
import { QuodError } from '../../core/errors.ts';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { underName } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { EventOf, RunRecord } from '../runs/events.ts';
import { confirmedKey } from '../runs/rechecked-keys.ts';
import type { Grounds, JointJudgement, Judgement, TargetFile } from '../target.ts';
import { spoken } from '../spoken-proof.ts';
import { stoppable } from './run-context.ts';

type Ended = EventOf<'theorem-ended'>;

interface ConfirmedProof {
  readonly proof: string;
  /** Helper lemmas that it uses. */
  readonly before?: string | undefined;
  readonly restsOnOpen: readonly string[];
  readonly grounds?: Grounds | undefined;
  /** It stands in the file. */
  readonly isWritten: boolean;
}

export interface Confirmation {
  /** By theorem. */
  readonly proofs: ReadonlyMap<string, ConfirmedProof>;
  /** What the gate said, to be recorded. */
  readonly events: readonly EventOf<'rechecked'>[];
  /** Files whose proofs the gate accepted one by one, and did not accept together. */
  readonly apart: ReadonlySet<string>;
}

export const NOTHING_CONFIRMED: Confirmation = { proofs: new Map(), events: [], apart: new Set() };

interface Recorded {
  readonly theorem: string;
  readonly proof: string;
  readonly before: string | undefined;
}

/** @throws QuodError `interrupted`, `file-changed`, and what keeps the gate from looking. */
export async function confirm(
  past: readonly RunRecord[],
  files: readonly TargetFile[],
  signal: AbortSignal,
): Promise<Confirmation> {
  const resumed = past.filter(({ event }) => event.kind === 'run-resumed').length + 1;
  requireSameStatements(past, files);
  const recorded = recordedProofs(past);
  const claimedWritten = new Set(past.flatMap(({ event }) => (event.kind === 'written' ? [event.key] : [])));
  const proofs = new Map<string, ConfirmedProof>();
  const events: EventOf<'rechecked'>[] = [];
  const apart = new Set<string>();
  for (const file of files) {
    const own = file.targets.flatMap(({ theorem }) => recorded.get(theorem) ?? []);
    if (own.length === 0) continue;
    const begunAt = performance.now();
    const gate = new RecordedProofs(file, signal);
    const text = spoken(file.text);
    await gate.standing(
      own.filter((one) => claimedWritten.has(one.theorem) && text.includes(spoken(one.proof))),
    );
    await gate.notStanding(own.filter(({ theorem }) => !gate.accepted.has(theorem)));
    for (const [theorem, proof] of gate.accepted) proofs.set(theorem, proof);
    if (gate.isApart) apart.add(file.file);
    events.push({
      ...{ kind: 'rechecked', key: confirmedKey(resumed, file.file) },
      verdict: gate.verdict,
      findings: gate.findings,
      restsOnOpen: Object.fromEntries(
        [...gate.accepted].map(([theorem, { restsOnOpen }]) => [theorem, [...restsOnOpen]]),
      ),
      grounds: Object.fromEntries(
        [...gate.accepted].flatMap(([theorem, { grounds }]) =>
          grounds === undefined ? [] : [[theorem, grounds]],
        ),
      ),
      ms: Math.round(performance.now() - begunAt),
    });
  }
  return { proofs, events, apart };
}

/**
 * What is told of a theorem is told of the statement that the log has, and what the gate says is said of the one in the
 * file.
 */
function requireSameStatements(past: readonly RunRecord[], files: readonly TargetFile[]): void {
  const now = new Map(files.flatMap(({ targets }) => targets.map((target) => [target.theorem, target])));
  for (const { event } of past) {
    if (event.kind !== 'theorem-started') continue;
    const target = now.get(event.theorem);
    if (target === undefined || inWords(target.statement) === inWords(event.statement)) continue;
    throw new QuodError('file-changed', `The statement of ${event.theorem} is not the one of the run.`, {
      place: { file: target.file },
      remedy: RUN_REMEDIES.startAnew,
    });
  }
}

function inWords(text: string): string {
  return text.trim().split(/\s+/u).join(' ');
}

function recordedProofs(past: readonly RunRecord[]): ReadonlyMap<string, Recorded> {
  const recorded = new Map<string, Recorded>();
  for (const { event } of past) {
    if (event.kind !== 'theorem-ended') continue;
    const { theorem, proof, before } = event;
    if (proof !== null && isProved(event)) recorded.set(theorem, { theorem, proof, before });
    else recorded.delete(theorem);
  }
  return recorded;
}

function isProved({ outcome }: Ended): boolean {
  return outcome === 'proved' || outcome === 'proved-but';
}

type Rests = Pick<JointJudgement, 'restsOnOpen' | 'grounds'>;

function ofOne(theorem: string, { restsOnOpen, grounds }: Judgement): Rests {
  return {
    restsOnOpen: { [theorem]: restsOnOpen },
    ...(grounds !== undefined && { grounds: { [theorem]: grounds } }),
  };
}

/** The gate's word on recorded proofs of a file. */
class RecordedProofs {
  readonly accepted = new Map<string, ConfirmedProof>();
  readonly findings: string[] = [];
  /** On what it was asked last, or first of what it did not accept. */
  verdict: JointJudgement['verdict'] = 'unknown';
  /** Several were to be judged together, and were not accepted so. */
  isApart = false;
  #isRefused = false;
  readonly #file: TargetFile;
  readonly #signal: AbortSignal;

  constructor(file: TargetFile, signal: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
  }

  /** Those that are in the file: it is judged as it is. */
  async standing(proofs: readonly Recorded[]): Promise<void> {
    if (proofs.length === 0) return;
    const names = proofs.map(({ theorem }) => theorem);
    const judged = await this.#ask((stop) => this.#file.recheck(names, stop));
    if (judged.verdict === 'accepted') this.#accept(proofs, judged, true);
    else appendAll(this.findings, judged.findings);
    this.verdict = judged.verdict;
  }

  async notStanding(proofs: readonly Recorded[]): Promise<void> {
    const together = this.#file.judgeTogether?.bind(this.#file);
    // What stands in the file already is the run's, too: one beside it is judged with it.
    if (together !== undefined && proofs.length > 0 && proofs.length + this.accepted.size > 1) {
      const texts = new Map(proofs.map(({ theorem, proof, before }) => [theorem, { proof, before }]));
      const judged = await this.#ask((stop) => together(texts, stop));
      if (judged.verdict === 'accepted') this.#accept(proofs, judged, false);
      else this.isApart = true;
      this.verdict = judged.verdict;
    }
    for (const one of proofs) {
      if (this.accepted.has(one.theorem)) continue;
      const target = this.#file.targets.find(({ theorem }) => theorem === one.theorem);
      if (target === undefined) continue;
      const judged = await this.#ask((stop) => target.judge(one.proof, stop, one.before));
      const alone = judged.verdict === 'accepted' ? undefined : await this.#besideOthers(one);
      const isAccepted = judged.verdict === 'accepted' || alone !== undefined;
      if (!this.#isRefused) this.verdict = isAccepted ? 'accepted' : judged.verdict;
      this.#isRefused ||= !isAccepted;
      if (isAccepted) this.#accept([one], alone ?? ofOne(one.theorem, judged), false);
      else
        appendAll(
          this.findings,
          judged.findings.map((finding) => `${one.theorem}: ${finding}`),
        );
    }
  }

  /** What is accepted where the proofs that stand in the file do not: it is as good as they are, and does not go with them. */
  async #besideOthers({ theorem, proof, before }: Recorded): Promise<JointJudgement | undefined> {
    const ask = this.#file.judgeAlone?.bind(this.#file);
    const isAlone = [...this.accepted.values()].every(({ isWritten }) => !isWritten);
    if (ask === undefined || isAlone) return undefined;
    const judged = await this.#ask((stop) => ask(theorem, { proof, before }, stop));
    return judged.verdict === 'accepted' ? judged : undefined;
  }

  #accept(proofs: readonly Recorded[], judged: Rests, isWritten: boolean): void {
    for (const { theorem, proof, before } of proofs)
      this.accepted.set(theorem, {
        ...{ proof, before, isWritten },
        restsOnOpen: underName(judged.restsOnOpen, theorem) ?? [],
        grounds: underName(judged.grounds ?? {}, theorem),
      });
  }

  #ask<Judged extends { readonly verdict: string }>(
    ask: (signal: AbortSignal) => Promise<Judged>,
  ): Promise<Judged> {
    return stoppable(this.#signal, ask, ({ verdict }) => verdict === 'accepted');
  }
}
