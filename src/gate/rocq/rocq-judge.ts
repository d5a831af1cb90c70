/**
 * The judge of Rocq files. Text is never evidence: a verdict `accepted` rests on compiled objects alone. The order is the
 * argument:
 * 1. the target is compiled with its holes admitted: the reference (reference.ts);
 * 2. the submission is compiled by a process of its own, in a sandbox. Its text may be refused before, so that commands
 *    that reach out of the prover are not even run (text-findings.ts); nothing is accepted for its text;
 * 3. all that the reference declares is found again in the submission, in the kernel's terms: types, flags, and bodies
 *    but for proofs of propositions (unit-comparison.ts). What the submission adds is no axiom;
 * 4. a process that never read the submission says what its theorems rest on. Where asking is slow, proofs that rest on
 *    nothing are found by following the compiled files (closed-proofs.ts);
 * 5. the prover's separate checker checks the compiled submission again.
 * One submission's way through all of this is judged-submission.ts.
 */
import { lazyConstant } from '../../core/lazy-constant.ts';
import type { JudgeOptions, PreparedTarget } from '../judge.ts';
import type { AcceptedVerdict, SourceText, Verdict } from '../verdict.ts';
import { finishedProofs, isLeftOpen, declaresUnknown } from './finished-proofs.ts';
import { heldAgainstProject, inProject, judgedWithout } from './as-in-project.ts';
import { JudgedSubmission } from './judged-submission.ts';
import { unreadable, type JudgeSettings } from './judgement.ts';
import { References } from './reference.ts';
import type { ReferenceResult } from './reference-result.ts';
import { type Asked, type Extent, StatementsAsked } from './statement-selection.ts';
import { TargetPlugins } from './target-plugins.ts';
import { sayingItself } from './text/own-name.ts';
import { Script } from './text/script.ts';

/** A target to which many submissions are compared: what does not depend on them is done once. */
export class RocqTarget implements PreparedTarget {
  readonly #settings: JudgeSettings;
  readonly #script: Script;
  readonly #asked: () => Promise<StatementsAsked | Verdict>;
  readonly #extent: Extent;

  /** @param asked Default: what the policy names, else all holes. */
  constructor(
    source: SourceText,
    settings: JudgeSettings,
    asked: Asked = askedBy(settings),
    extent: Extent = { libraries: true, additions: 'any' },
  ) {
    this.#settings = settings;
    this.#extent = extent;
    this.#script = new Script(source);
    this.#asked = lazyConstant(async () => {
      const finished = await finishedProofs(this.#script, (isAdmitted) =>
        new References(this.#script, isAdmitted, settings).forNone(),
      );
      if ('kind' in finished) return finished;
      const open = this.#script.outline.statements.filter((item) => isLeftOpen(item, finished));
      return declaresUnknown(this.#script, open) ?? StatementsAsked.in(this.#script, asked, finished);
    });
  }

  #plugins: TargetPlugins | undefined;
  /** With the proofs that the target has; and, where one of these does not compile, without those to be proved anew. */
  #references: readonly References[] | undefined;
  /** With the statements that it gives up given up: for what the others mean. */
  #asItStands: References | undefined;

  readonly #inProject = lazyConstant(() =>
    inProject(
      this.#script.source,
      async () => {
        const { result, until } = (await this.#references?.[0]?.asItStands()) ?? {};
        return result?.status === 'compiled' && until === undefined ? result.reference.file : undefined;
      },
      this.#settings,
    ),
  );

  /** Compiles the target while there is no submission yet. Undefined where nothing can be asked of it. */
  async start(): Promise<ReferenceResult | undefined> {
    const asked = await this.#asked();
    return asked instanceof StatementsAsked ? this.#referencesTo(asked)[0]?.start() : undefined;
  }

  #referencesTo(asked: StatementsAsked): readonly References[] {
    this.#references ??= [asked.isHole, asked.isAdmitted].map(
      (isAdmitted) => new References(this.#script, isAdmitted, this.#settings),
    );
    return this.#references;
  }

  async judge(submission: SourceText): Promise<Verdict> {
    try {
      const { source } = this.#script;
      const itself = sayingItself(source.path, [source, submission], this.#settings);
      if (itself !== undefined) return itself;
      const asked = await this.#asked();
      if (!(asked instanceof StatementsAsked)) return asked;
      const references = this.#referencesTo(asked);
      if (asked.aborted.length > 0)
        this.#asItStands ??= new References(this.#script, asked.isLeftOpen, this.#settings);
      this.#plugins ??= new TargetPlugins(this.#settings.policy ?? {}, {
        target: () => this.start(),
        startsPrograms: async () =>
          this.#settings.startsPrograms !== false && ((await references[0]?.startsPrograms()) ?? false),
      });
      const judged = new JudgedSubmission(
        {
          target: this.#script,
          asked,
          references,
          asItStands: this.#asItStands,
          extent: this.#extent,
          plugins: this.#plugins,
        },
        this.#settings,
        submission,
      );
      const verdict = await judged.verdict();
      return verdict.kind === 'accepted' ? await this.#asInProject(verdict) : verdict;
    } catch (error) {
      return unreadable(error);
    }
  }

  /** A target by itself is accepted as what it is in its project; proofs in a file of one are, as the gate reads the file. */
  async #asInProject(verdict: AcceptedVerdict): Promise<Verdict> {
    const [unread] = this.#settings.project.unread ?? [];
    return this.#extent.proofs === undefined
      ? heldAgainstProject(verdict, await this.#inProject(), unread)
      : judgedWithout(verdict, unread);
  }
}

function askedBy({ policy }: Pick<JudgeOptions, 'policy'>): Asked {
  return policy?.theorems === undefined ? { kind: 'all-holes' } : { kind: 'names', names: policy.theorems };
}
