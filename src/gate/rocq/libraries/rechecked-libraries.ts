/**
 * The target's libraries that are not installed with the prover, as its separate checker sees them. A module operation that was
 * made while a check was off leaves no trace in a compiled file, so that what rests on it cannot be told otherwise.
 *
 * Each is checked once, as the bytes that it is, and the answer is kept. All of it is the target's: nothing of a submission is
 * looked at, nor can one write where answers are kept. What is said of a library is named or warned of, and accepts nothing.
 */
import { z } from 'zod';
import type { ReasonCode } from '../../../core/reason.ts';
import { sha256 } from '../../../core/sha256.ts';
import type { Warning } from '../../verdict.ts';
import { readCompiledFile } from '../compiled/compiled-file.ts';
import { declaresImpredicative } from '../difference-findings.ts';
import { type JudgeSettings, limitsOf, REFUSED_BY_CHECKER, unreadable } from '../judgement.ts';
import { type Limits, type RecheckAnswer, unknownAnswer } from '../backends/judge-backend.ts';
import type { RequiredLibraries } from './required-libraries.ts';

export interface LibrariesRechecked {
  /** What the checker refuses: sentences, each about a library. */
  readonly unchecked: readonly string[];
  /** Of those that it could not check. */
  readonly warnings: readonly Warning[];
  /** Why it could not, of the first of them. */
  readonly reason?: ReasonCode;
}

type Answer = Exclude<RecheckAnswer, { readonly status: 'missing' }>;

/** What is kept of an answer; one that took too much with what it took, and when (milliseconds since 1970). */
const keptSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('accepted'), by: z.string() }),
  z.object({ status: z.literal('refused'), message: z.string() }),
  z.object({
    status: z.literal('unknown'),
    reason: z.enum(['timeout', 'memory-exceeded']),
    message: z.string(),
    timeoutMs: z.number(),
    memoryLimit: z.number(),
    at: z.number(),
  }),
]);

/** A busy machine may have been why something took too much: it is asked again. */
const TOO_MUCH_KEPT_MS = 3_600_000;

/** More is not copied into a sandbox. */
const MOST_BYTES = 256 * 1024 ** 2;
/** Of the time that a process may take: nobody should wait for all of it before the first verdict. */
const PART_OF_TIME = 0.1;
const MOST_TOLD = 5;

interface Pending {
  readonly name: string;
  /** Where its answer is to be kept. */
  readonly place: string | undefined;
  /** Whether something in it says that it was declared so. */
  readonly isImpredicative: boolean;
}

/** @param libraries of the target. */
export async function recheckedLibraries(
  libraries: Pick<RequiredLibraries, 'foreign'>,
  settings: JudgeSettings,
): Promise<LibrariesRechecked> {
  const { backend, policy, project } = settings;
  const isAsked =
    backend.recheckLibraries !== undefined &&
    policy?.recheck !== 'never' &&
    !project.arguments.includes('-type-in-type');
  if (!isAsked) return { unchecked: [], warnings: [] };
  return new LibraryCheck(await libraries.foreign(), settings).all();
}

/** @param what the subject of the sentence. @param message of the checker. */
export function refusedByChecker(what: string, message: string): string {
  return `${what} ${REFUSED_BY_CHECKER} (${message}): compile it with all checks on, and with the options of the project.`;
}

class LibraryCheck {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #settings: JudgeSettings;
  readonly #limits: Limits;
  /** For all of them together. */
  readonly #time: number;
  readonly #until: number;
  readonly #answers = new Map<string, Answer>();
  #hasAsked = false;

  constructor(foreign: ReadonlyMap<string, Uint8Array>, settings: JudgeSettings) {
    this.#settings = settings;
    this.#limits = limitsOf(settings);
    this.#time = Math.ceil(this.#limits.timeoutMs * PART_OF_TIME);
    this.#until = performance.now() + this.#time;
    this.#files = foreign;
  }

  async all(): Promise<LibrariesRechecked> {
    const pending: Pending[] = [];
    for (const [name, bytes] of this.#files) {
      const place = await this.#placeOf(name, bytes);
      const known = place === undefined ? undefined : await this.#kept(place);
      if (known !== undefined) this.#answers.set(name, known);
      else pending.push({ name, place, isImpredicative: saysImpredicative(bytes) });
    }
    for (const those of Map.groupBy(pending, ({ isImpredicative }) => isImpredicative).values())
      await this.#check(those);
    if (pending.length > 0) await this.#settings.references?.makeRoom();
    const [reason] = [...this.#answers.values()].flatMap((answer) =>
      answer.status === 'unknown' ? [answer.reason] : [],
    );
    return {
      ...{ unchecked: this.#refused(), warnings: this.#warnings() },
      ...(reason !== undefined && { reason }),
    };
  }

  #refused(): readonly string[] {
    return [...this.#answers].flatMap(([name, answer]) =>
      answer.status === 'refused' ? [refusedByChecker(name, answer.message)] : [],
    );
  }

  #warnings(): readonly Warning[] {
    const byReason = Map.groupBy(this.#answers, ([, answer]) =>
      answer.status === 'unknown' ? answer.message : undefined,
    );
    return [...byReason].flatMap(([message, those]) =>
      message === undefined
        ? []
        : [
            notRechecked(
              those.map(([name]) => name),
              message,
            ),
          ],
    );
  }

  /** By its bytes, which have the digests of what it rests on in them, and what is asked of it. */
  async #placeOf(name: string, bytes: Uint8Array): Promise<string | undefined> {
    const { references, project } = this.#settings;
    return references?.placeOfAnswer([name, sha256(bytes), ...project.arguments]);
  }

  async #kept(place: string): Promise<Answer | undefined> {
    const bytes = await this.#settings.references?.read(place);
    if (bytes === undefined) return undefined;
    const { data: kept } = keptSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    const { timeoutMs, memoryLimit } = this.#limits;
    const isAskedAgain =
      kept?.status === 'unknown' &&
      (timeoutMs > kept.timeoutMs ||
        memoryLimit > kept.memoryLimit ||
        Date.now() > kept.at + TOO_MUCH_KEPT_MS);
    return isAskedAgain ? undefined : kept;
  }

  /**
   * More and more of them at one time, because the checker reads each time what they rest on; where it does not accept all of
   * them, one by one. What is accepted is kept before it goes on: a next time begins where this one ends.
   */
  async #check(those: readonly Pending[]): Promise<void> {
    let size = 1;
    for (let first = 0; first < those.length;) {
      const group = those.slice(first, first + size);
      const hasAllTime = !this.#hasAsked;
      const answer = await this.#ask(group);
      if (answer.status === 'missing') return;
      size = answer.status === 'accepted' ? size * 2 : 1;
      if (answer.status !== 'accepted' && group.length > 1) continue;
      first += group.length;
      for (const { name, place } of group) {
        this.#answers.set(name, answer);
        if (place !== undefined) await this.#keep(place, answer, hasAllTime);
      }
    }
  }

  async #ask(group: readonly Pending[]): Promise<RecheckAnswer> {
    const { backend, project } = this.#settings;
    const { signal, diskBytes = MOST_BYTES } = this.#limits;
    if (signal?.aborted === true) return unknownAnswer('interrupted', 'The judgement was cancelled.');
    const bytes = [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
    if (bytes > Math.min(MOST_BYTES, diskBytes))
      return unknownAnswer('too-large', `The libraries of the target have ${bytes} bytes.`);
    const left = this.#hasAsked ? Math.ceil(this.#until - performance.now()) : this.#time;
    if (left <= 0) return unknownAnswer('timeout', 'There was no time left.');
    this.#hasAsked = true;
    const theory = group.some(({ isImpredicative }) => isImpredicative) ? ['-impredicative-set'] : [];
    const asked = await backend.recheckLibraries?.({
      names: group.map(({ name }) => name),
      files: this.#files,
      project: { ...project, arguments: [...project.arguments, ...theory] },
      limits: { ...this.#limits, timeoutMs: left },
    });
    return asked ?? { status: 'missing', message: 'Libraries are not checked here.' };
  }

  /** What took more than it was given is kept where that was all. */
  async #keep(place: string, answer: Answer, hadAllTime: boolean): Promise<void> {
    const { timeoutMs, memoryLimit } = this.#limits;
    const { success, data } = keptSchema.safeParse({ ...answer, timeoutMs, memoryLimit, at: Date.now() });
    if (success && (data.status !== 'unknown' || hadAllTime))
      await this.#settings.references?.put(place, Buffer.from(JSON.stringify(data)));
  }
}

function notRechecked(names: readonly string[], message: string): Warning {
  const others = names.length > MOST_TOLD ? ` and ${names.length - MOST_TOLD} others` : '';
  return {
    kind: 'not-rechecked',
    message: `The separate checker did not check ${names.slice(0, MOST_TOLD).join(', ')}${others}, on which the target rests: ${message} Where it needs more, the policy gives it more (limits).`,
  };
}

/** What rests on such a declaration is told, and allowed or not, by itself. */
function saysImpredicative(bytes: Uint8Array): boolean {
  try {
    return declaresImpredicative(readCompiledFile(bytes));
  } catch (error) {
    unreadable(error);
    return false;
  }
}
