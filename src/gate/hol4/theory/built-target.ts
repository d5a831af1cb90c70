/** A target as HOL built it, once for all submissions against it, and whether its proofs can be replayed. */
import { findHol4, type HolInstallation } from '../../../provers/hol4/discovery.ts';
import { QuodError } from '../../../core/errors.ts';
import { installedPage } from '../../../core/installed-package.ts';
import { sandboxLimitsOf, stoppedVerdict } from '../../foreign-run.ts';
import type { GatePolicy } from '../../policy.ts';
import { sha256 } from '../../../core/sha256.ts';
import { installedHol, type TheoryBuild, type TheoryFiles, type TrustedHol } from './theory-build.ts';
import { readTheoryData, type TheoryData } from './theory-data.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

export interface BuiltTarget {
  readonly hol: TrustedHol;
  readonly build: TheoryBuild;
  readonly files: TheoryFiles;
  readonly data: TheoryData;
  readonly replay: Replay;
}

/** Whether proofs can be replayed. */
export type Replay =
  | { readonly kind: 'possible' }
  /** `why` is a sentence, `remedy` another. */
  | { readonly kind: 'impossible'; readonly why: string; readonly remedy: string };

/** The HOLs that a judge has. */
export interface Hols {
  readonly ordinary: TrustedHol | undefined;
  /** One with the tracing kernel. */
  readonly tracing: TrustedHol | undefined;
}

export interface TargetToBuild {
  readonly theory: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly policy: GatePolicy;
  readonly signal: AbortSignal | undefined;
}

const HOW_TO_REPLAY = `${installedPage('judge/hol4-replay.md')} says how to build a HOL4 that exports its proofs; name it in QUOD_HOL4_TRACING. A policy may settle for Holmake: settleFor = ["holmake"].`;
const MOST_TARGETS = 8;

/** Keeps the last targets that were built, by content. */
export class TargetBuilds {
  readonly #kept = new Map<TrustedHol, Map<string, TheoryBuild>>();

  /**
   * By the tracing HOL4, if there is one that can, else by the other.
   *
   * @throws QuodError where there is no HOL4, or the target cannot be built within its limits.
   */
  async build(target: TargetToBuild, { tracing, ordinary }: Hols): Promise<BuiltTarget> {
    const wantsReplay = target.policy.recheck !== 'never';
    let said: string | undefined;
    if (tracing !== undefined && wantsReplay) {
      const build = await this.#buildBy(tracing, target);
      const files = build.theories.get(target.theory);
      if (files !== undefined)
        return { hol: tracing, build, files, data: dataOf(files), replay: { kind: 'possible' } };
      said = tellingLines(build.said);
    }
    if (ordinary !== undefined) {
      const build = await this.#buildBy(ordinary, target);
      const files = build.theories.get(target.theory);
      if (files !== undefined)
        return { hol: ordinary, build, files, data: dataOf(files), replay: impossible(wantsReplay, said) };
      said = tellingLines(build.said);
    }
    if (said === undefined)
      throw new QuodError('prover-missing', 'There is no HOL4.', { remedy: 'Set QUOD_HOL4 to its folder.' });
    throw new QuodError('does-not-compile', `The target cannot be built: ${said}`);
  }

  async #buildBy(hol: TrustedHol, target: TargetToBuild): Promise<TheoryBuild> {
    const { theory, files, policy, signal } = target;
    const contents = [...files].sort().map(([path, content]) => [path, sha256(content)]);
    const key = sha256(JSON.stringify([theory, contents]));
    const kept = this.#kept.get(hol) ?? new Map<string, TheoryBuild>();
    this.#kept.set(hol, kept);
    const before = kept.get(key);
    if (before !== undefined) return before;
    const build = await hol.build({
      theory,
      files,
      requireSandbox: policy.requireSandbox ?? false,
      signal,
      limits: sandboxLimitsOf(policy),
    });
    insistOnEnd(build, 'Building the target');
    if (build.theories.has(theory)) {
      kept.set(key, build);
      const [oldest] = kept.keys();
      if (kept.size > MOST_TARGETS && oldest !== undefined) kept.delete(oldest);
    }
    return build;
  }
}

/** A build that was ended from outside says nothing about what was built. */
export function insistOnEnd(build: TheoryBuild, what: string): void {
  if (build.stopped !== undefined) {
    const { reason, message } = stoppedVerdict(build.stopped, what);
    throw new QuodError(reason, message);
  }
  if (build.code === undefined)
    throw new QuodError('prover-crashed', `${what} did not come to its end: Holmake was killed.`);
}

/** What an output says of a failure, for people. */
export function tellingLines(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /error|exception|failed|cannot|not found/i.test(line));
  return (telling.length > 0 ? telling : lines).slice(0, 4).join(' ').slice(0, 600) || 'it says nothing';
}

/** The HOLs of the machine: `QUOD_HOL4` and the other places where HOL4 is looked for, and `QUOD_HOL4_TRACING`. */
export class InstalledHols {
  readonly #known = new Map<string, TrustedHol>();

  find(environment: NodeJS.ProcessEnv): Hols {
    const chosen = environment['QUOD_HOL4_TRACING'];
    return {
      ordinary: this.#trusted(findHol4(environment)),
      tracing: chosen ? this.#trusted(findHol4({ ...environment, QUOD_HOL4: chosen })) : undefined,
    };
  }

  /** One for each folder, so that what is remembered of it serves many submissions. */
  #trusted(found: HolInstallation | undefined): TrustedHol | undefined {
    if (found === undefined) return undefined;
    const known = this.#known.get(found.folder) ?? installedHol(found.folder, found.holmake);
    this.#known.set(found.folder, known);
    return known;
  }
}

function impossible(wantsReplay: boolean, said: string | undefined): Replay {
  if (!wantsReplay)
    return {
      kind: 'impossible',
      why: 'The policy asks for no replay (recheck = "never").',
      remedy: 'Leave recheck out, or let the policy settle for Holmake: settleFor = ["holmake"].',
    };
  const why =
    said === undefined
      ? 'There is no HOL4 here that exports its proofs (QUOD_HOL4_TRACING).'
      : `The HOL4 that exports its proofs cannot build the target: ${said}`;
  return { kind: 'impossible', why, remedy: HOW_TO_REPLAY };
}

function dataOf({ data }: TheoryFiles): TheoryData {
  try {
    return readTheoryData(data);
  } catch (error) {
    if (!(error instanceof MalformedTrace)) throw error;
    throw new QuodError(
      'protocol-error',
      `HOL wrote data of the target that cannot be read: ${error.message}`,
      {
        cause: error,
      },
    );
  }
}
