/**
 * Judges a compiled Lean module against another one that states what is to be proved. Both are data: nothing of them is
 * run. The checks are SafeVerify's, and beyond them: every constant that a statement mentions is the same, imports
 * agree, axioms are what the target means by their names, and modules that only the submission imports are checked.
 */
import { QuodError } from '../../../core/errors.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { notInTarget } from '../../policy-names.ts';
import type { Finding, JudgedStatement, RestsOn, Verdict } from '../../verdict.ts';
import { axiomFinding } from '../axiom-finding.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import { constantsIn } from '../expression.ts';
import type { Name } from '../name.ts';
import { printTerm } from '../print-term.ts';
import { TermStore } from '../term-store.ts';
import { AxiomPolicy, foreignMeaning } from './axiom-policy.ts';
import { AxiomUse } from './axiom-use.ts';
import { denies, disproofOf } from './claimed-disproof.ts';
import { type AttributeUse, compilerAttributes } from './compiler-attributes.ts';
import { importProblems } from './import-agreement.ts';
import {
  attributeFinding,
  failureFinding,
  helperFinding,
  importFindings,
  replayFinding,
} from './judge-findings.ts';
import { JudgedFile, ModuleShelf } from './judged-file.ts';
import {
  type DeclarationOutcome,
  type DeclarationWithAxioms,
  type Failure,
  compareConstantWithTarget,
} from './outcome.ts';
import type { LeanPolicy } from './lean-policy.ts';
import { type Replay, isCompilerLeftover, replay } from './replay.ts';
import { safetyFindings } from './safety.ts';

/** What happens while a pair is judged, in order: for those who watch. */
export type JudgeEvent =
  | { readonly kind: 'began'; readonly leanVersion: string | undefined }
  | { readonly kind: 'replaying' | 'environment-ready'; readonly path: string }
  | { readonly kind: 'replayed'; readonly path: string; readonly declarations: number };

export interface LeanJudgement {
  readonly verdict: Verdict;
  /** For each declaration of the target; empty when the judge stopped before it compared them. */
  readonly outcomes: readonly DeclarationOutcome[];
  /** Declarations of the submission that rest on axioms that the policy does not allow. */
  readonly disallowedAxioms: readonly { readonly name: Name; readonly axioms: readonly Name[] }[];
  /** Why the judge stopped before it compared declarations: SafeVerify throws there. */
  readonly stopped: string | undefined;
  readonly attributes: readonly AttributeUse[];
  /** What a reader of the verdict may want to know and the policy allows. */
  readonly remarks: readonly string[];
}

export interface PairToJudge {
  readonly target: string;
  readonly submission: string;
}

export function judgePair(
  pair: PairToJudge,
  policy: LeanPolicy = {},
  watch: (event: JudgeEvent) => void = () => {},
): LeanJudgement {
  const started = performance.now();
  try {
    return new Judge(pair, policy, watch, started).judge();
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
    const verdict = { kind: 'unknown', reason: error.reason, message: error.toString() } as const;
    return { ...NOTHING_COMPARED, verdict, stopped: error.toString() };
  }
}

const NOTHING_COMPARED = {
  outcomes: [],
  disallowedAxioms: [],
  stopped: undefined,
  attributes: [],
  remarks: [],
};

class Judge {
  readonly #policy: LeanPolicy;
  readonly #watch: (event: JudgeEvent) => void;
  readonly #started: number;
  readonly #store = new TermStore();
  readonly #target: JudgedFile;
  readonly #submission: JudgedFile;
  readonly #axioms: AxiomPolicy;
  readonly #sorry: Name;
  readonly #mayChange: ReadonlySet<Name>;
  readonly #remarks: string[] = [];
  readonly #findings: Finding[] = [];

  constructor(pair: PairToJudge, policy: LeanPolicy, watch: (event: JudgeEvent) => void, started: number) {
    this.#policy = policy;
    this.#watch = watch;
    this.#started = started;
    const shelf = new ModuleShelf(this.#store);
    this.#target = new JudgedFile(pair.target, shelf, policy);
    this.#submission = new JudgedFile(pair.submission, shelf, policy);
    const { names } = this.#store;
    this.#axioms = new AxiomPolicy(policy, this.#store);
    this.#sorry = names.of('sorryAx');
    this.#mayChange = new Set(policy.definitionsMayChange?.map((name) => names.parse(name)));
  }

  judge(): LeanJudgement {
    const target = this.#target;
    const submission = this.#submission;
    this.#watch({ kind: 'began', leanVersion: target.module.graph.header.leanVersion });
    const fresh = this.#policy.fresh === true;
    const targetImports = new Set(target.graph.closure().map(({ name }) => name));
    target.divideImports(() => !fresh);
    // What the target imports is as trusted as the target; other modules only if they are installed for the target, too.
    submission.divideImports(
      (module) => !fresh && (targetImports.has(module.name) || target.hasInstalled(module)),
    );
    const attributes = compilerAttributes(submission.module);

    this.#requireStatements();
    appendAll(this.#findings, importFindings(submission.path, importProblems(target, submission)));
    if (this.#findings.length > 0) return this.#stop(attributes);
    const targetReplay = this.#replay(target);
    if (targetReplay === undefined) return this.#stop(attributes);
    const submissionReplay = this.#replay(submission);
    if (submissionReplay === undefined) return this.#stop(attributes);

    const use = new AxiomUse(submission.module.names.keys(), (name) => submission.placeOf(name));
    const targetUse = new AxiomUse(target.module.names.keys(), (name) => target.placeOf(name));
    const disallowedAxioms = this.#checkAxioms(use);
    const outcomes = [...target.module.constants()]
      .filter((constant) => !isCompilerLeftover(constant))
      .map((constant) => this.#compare(constant, targetUse, use, submissionReplay));
    this.#tellFailures(outcomes);
    this.#checkAttributes(attributes);
    this.#checkHelpers();
    return {
      verdict: this.#verdict(outcomes),
      outcomes,
      disallowedAxioms,
      stopped: undefined,
      attributes,
      remarks: this.#remarks,
    };
  }

  /** A target that does not state what is asked for is no target: nothing could be concluded. */
  #requireStatements(): void {
    for (const name of this.#axioms.asked ?? [])
      if (this.#target.module.find(name)?.kind !== 'theorem')
        throw new QuodError('invalid-input', `The target has no theorem ${name.toString()}.`, {
          place: { file: this.#target.path },
        });
    const definitions = [...this.#target.module.constants()].flatMap(({ kind, name }) =>
      kind === 'definition' ? [name.toString()] : [],
    );
    const mayChange = [...this.#mayChange].map((name) => name.toString());
    const absent = notInTarget('definition', mayChange, definitions);
    if (absent !== undefined)
      throw new QuodError('invalid-input', absent, { place: { file: this.#target.path } });
    if (this.#target.module.constantCount === 0)
      throw new QuodError('invalid-input', 'The target declares nothing.', {
        place: { file: this.#target.path },
      });
  }

  /** Undefined when the file is not fit to be compared; then a finding says why. */
  #replay(file: JudgedFile): Replay | undefined {
    this.#watch({ kind: 'replaying', path: file.path });
    const unsafe = safetyFindings(file.path, file.module, this.#policy.disallowPartial === true);
    appendAll(this.#findings, unsafe);
    if (unsafe.length > 0) return undefined;
    this.#watch({ kind: 'environment-ready', path: file.path });
    const done = replay(file, this.#store, this.#policy.fuel);
    if (done.problem !== undefined) {
      this.#findings.push(replayFinding(done.problem));
      return undefined;
    }
    this.#watch({ kind: 'replayed', path: file.path, declarations: file.module.constantCount });
    return done;
  }

  #checkAxioms(use: AxiomUse): { name: Name; axioms: readonly Name[] }[] {
    const violations: { name: Name; axioms: readonly Name[] }[] = [];
    const allowedInUse = new Set<Name>();
    for (const constant of this.#submission.module.constants()) {
      if (constant.kind === 'axiom' || isCompilerLeftover(constant)) continue;
      if (!this.#axioms.mustHold(constant.name)) continue;
      const axioms = use.of(constant.name);
      const refused = this.#axioms.refused(axioms);
      if (refused.length > 0) violations.push({ name: constant.name, axioms: refused });
      for (const axiom of axioms) if (this.#axioms.allows(axiom)) allowedInUse.add(axiom);
    }
    for (const { name, axioms } of violations)
      this.#findings.push(axiomFinding(this.#submission.path, name, axioms));
    for (const axiom of allowedInUse) {
      const told = foreignMeaning(axiom, this.#target, this.#submission, this.#store);
      if (told?.kind === 'remark') this.#remarks.push(told.message);
      else if (told !== undefined) this.#findings.push(told);
    }
    return violations;
  }

  #checkHelpers(): void {
    if (this.#policy.helpers !== false) return;
    for (const constant of this.#submission.module.constants()) {
      if (isCompilerLeftover(constant) || this.#target.module.names.has(constant.name)) continue;
      this.#findings.push(helperFinding(this.#submission.path, constant.name));
    }
  }

  #compare(
    constant: ConstantDeclaration,
    targetUse: AxiomUse,
    use: AxiomUse,
    { kernel }: Replay,
  ): DeclarationOutcome {
    const target = { constant, axioms: targetUse.of(constant.name) };
    const outcome = (submission: DeclarationWithAxioms | undefined, failure: Failure | undefined) => ({
      name: constant.name,
      target,
      submission,
      failure: failure ?? this.#axiomFailure(submission),
    });
    const disproofs = { store: this.#store, target: this.#target, submission: this.#submission, kernel };
    const theorem = this.#policy.disproofs === true ? disproofOf(constant, disproofs) : undefined;
    if (theorem !== undefined) {
      const failure = denies(theorem, constant, disproofs)
        ? undefined
        : ({ kind: 'theorem', what: 'type (of the disproof)' } as const);
      return outcome({ constant: theorem, axioms: use.of(theorem.name) }, failure);
    }
    const own = this.#submission.find(constant.name);
    if (own === undefined) return outcome(undefined, { kind: 'not-found' });
    const place = this.#submission.placeOf(constant.name);
    if (place !== this.#submission.module)
      this.#remarks.push(
        `${constant.name.toString()} was found in ${place?.path ?? 'a module'}, which the submission imports`,
      );
    const axioms =
      place === this.#submission.module
        ? use.of(constant.name)
        : new AxiomUse([constant.name], (name) => this.#submission.placeOf(name)).of(constant.name);
    return outcome({ constant: own, axioms }, compareConstantWithTarget(constant, own, this.#isHole(target)));
  }

  /** Whether the submission may fill the constant. */
  #isHole({ constant, axioms }: DeclarationWithAxioms): boolean {
    if (constant.kind === 'definition' && this.#mayChange.has(constant.name)) return true;
    if (this.#policy.strictHoles !== true) return axioms.includes(this.#sorry);
    return constant.kind === 'definition' && constantsIn(constant.value).has(this.#sorry);
  }

  /** Axioms, types and what comes with them rest on `sorry` where they speak of what does, but nobody proves them. */
  #isProvedBySubmission(target: DeclarationWithAxioms): boolean {
    const { kind } = target.constant;
    return kind === 'theorem' || ((kind === 'definition' || kind === 'opaque') && this.#isHole(target));
  }

  #axiomFailure(submission: DeclarationWithAxioms | undefined): Failure | undefined {
    if (submission === undefined || submission.constant.kind === 'axiom') return undefined;
    if (!this.#axioms.mustHold(submission.constant.name)) return undefined;
    const disallowed = this.#axioms.refused(submission.axioms);
    return disallowed.length === 0 ? undefined : { kind: 'axioms', disallowed };
  }

  #checkAttributes(attributes: readonly AttributeUse[]): void {
    const forbidden = new Set(this.#policy.disallowedAttributes ?? []);
    for (const { attribute, name } of attributes) {
      const subject = name.toString();
      if (forbidden.has(attribute))
        this.#findings.push(attributeFinding(this.#submission.path, subject, attribute));
      else this.#remarks.push(`${subject} is ${attribute}`);
    }
  }

  #tellFailures(outcomes: readonly DeclarationOutcome[]): void {
    const file = this.#submission.path;
    for (const outcome of outcomes) {
      const { name, submission, failure } = outcome;
      if (failure === undefined) continue;
      if (failure.kind !== 'axioms') {
        this.#findings.push(failureFinding(file, outcome, failure));
        continue;
      }
      // Told already, unless the declaration stands in a module that the submission imports.
      const subject = submission?.constant.name ?? name;
      if (!this.#findings.some((finding) => finding.subject === subject.toString()))
        this.#findings.push(axiomFinding(file, subject, failure.disallowed));
    }
  }

  #stop(attributes: readonly AttributeUse[]): LeanJudgement {
    return {
      ...NOTHING_COMPARED,
      verdict: { kind: 'rejected', findings: this.#findings, restsOn: this.#restsOn() },
      stopped: this.#findings[0]?.message,
      attributes,
      remarks: this.#remarks,
    };
  }

  #verdict(outcomes: readonly DeclarationOutcome[]): Verdict {
    const restsOn = this.#restsOn();
    if (this.#findings.length > 0) return { kind: 'rejected', findings: this.#findings, restsOn };
    const statements = outcomes
      .filter(({ target }) => this.#isProvedBySubmission(target))
      .filter(({ name }) => this.#axioms.mustHold(name))
      .map(({ submission, name }): JudgedStatement => {
        if (submission === undefined)
          throw new QuodError('internal', `${name.toString()} is accepted and was not found.`);
        return {
          name: submission.constant.name.toString(),
          printed: printTerm(submission.constant.type),
          assumptions: submission.axioms.map((axiom) => axiom.toString()),
          openStatements: [],
        };
      });
    return { kind: 'accepted', statements, restsOn };
  }

  #restsOn(): RestsOn {
    const target = this.#target;
    const submission = this.#submission;
    const version = submission.module.graph.header.leanVersion;
    return {
      prover: `modules of Lean ${version ?? 'of an unknown version'}`,
      backend: "Quod's kernel for Lean",
      targetSha256: target.firstDigest.sha256,
      submissionSha256: submission.firstDigest.sha256,
      pinnedBy: ['compiled-objects'],
      files: [...target.digests, ...submission.digests],
      checkedModules: submission.checked.map(({ name }) => name.toString()),
      trustedModules: submission.trusted.map(({ name }) => name.toString()),
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}
