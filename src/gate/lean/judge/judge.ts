/**
 * Judges a compiled Lean module against another one that states what is to be proved. Both are data: nothing of them is
 * run. The checks are SafeVerify's, and beyond them: every constant that a statement mentions is the same, imports
 * agree, axioms are what the target means by their names, and modules that only the submission imports are checked.
 */
import { QuodError } from '../../../core/errors.ts';
import type { Finding, JudgedStatement, RestsOn, Verdict } from '../../verdict.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import { axiomFinding } from '../axiom-finding.ts';
import { constantsIn } from '../expression.ts';
import type { Name } from '../name.ts';
import type { CompiledModule } from '../olean/module.ts';
import { TermStore } from '../term-store.ts';
import { AxiomUse } from './axiom-use.ts';
import { type AttributeUse, compilerAttributes } from './compiler-attributes.ts';
import { LOGICAL_CONSTANTS, refutes } from './disproof.ts';
import { importProblems } from './import-agreement.ts';
import { JudgedFile, ModuleShelf } from './judged-file.ts';
import {
  type DeclarationOutcome,
  type DeclarationWithAxioms,
  type Failure,
  compareWithTarget,
  failureText,
} from './outcome.ts';
import { type LeanPolicy, STANDARD_AXIOMS } from './policy.ts';
import { printTerm } from '../print-term.ts';
import { difference } from './same-constant.ts';
import { type Replay, type ReplayProblem, isCompilerLeftover, replay } from './replay.ts';

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
  readonly #allowed: ReadonlySet<Name>;
  readonly #sorry: Name;
  /** The theorems that must be proved; undefined: all. */
  readonly #asked: ReadonlySet<Name> | undefined;
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
    this.#allowed = new Set((policy.allowedAxioms ?? STANDARD_AXIOMS).map((name) => names.parse(name)));
    this.#sorry = names.of('sorryAx');
    this.#asked = policy.theorems && new Set(policy.theorems.map((name) => names.parse(name)));
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
    this.#checkImports();
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
    for (const name of this.#asked ?? [])
      if (this.#target.module.find(name)?.kind !== 'theorem')
        throw new QuodError('invalid-input', `The target has no theorem ${name.toString()}.`, {
          place: { file: this.#target.path },
        });
    if (this.#target.module.constantCount === 0)
      throw new QuodError('invalid-input', 'The target declares nothing.', {
        place: { file: this.#target.path },
      });
  }

  #checkImports(): void {
    const problems = importProblems(this.#target, this.#submission);
    const missing = problems.filter(({ kind }) => kind === 'missing').map(({ module }) => module);
    if (missing.length > 0) {
      const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
      this.#find({
        kind: 'imports-changed',
        message: `it is missing ${missing.length} transitive imports required by target: ${missing.slice(0, 10).join(', ')}${more}`,
        remedy: 'Import everything that the target imports: without it, a name may mean something else.',
      });
    }
    for (const problem of problems) {
      if (problem.kind === 'missing') continue;
      this.#find({
        kind: 'imports-changed',
        subject: problem.module,
        message: `the module ${problem.module} that it imports is not the one that the target imports: ${problem.message}`,
        remedy: 'Compile the submission against the libraries of the target.',
      });
    }
  }

  /** Undefined when the file is not fit to be compared; then a finding says why. */
  #replay(file: JudgedFile): Replay | undefined {
    this.#watch({ kind: 'replaying', path: file.path });
    if (!this.#checkSafety(file)) return undefined;
    this.#watch({ kind: 'environment-ready', path: file.path });
    const done = replay(file, this.#store, this.#policy.fuel);
    if (done.problem !== undefined) {
      this.#tellProblem(done.problem);
      return undefined;
    }
    this.#watch({ kind: 'replayed', path: file.path, declarations: file.module.constantCount });
    return done;
  }

  #checkSafety({ path, module }: JudgedFile): boolean {
    const found = this.#findings.length;
    for (const constant of module.constants()) {
      const name = constant.name.toString();
      if (isUnsafe(constant) && !isCompilerLeftover(constant)) {
        this.#find({
          kind: 'unsafe-code',
          file: path,
          subject: name,
          message: `unsafe constant ${name} detected`,
          remedy: 'Write it without unsafe.',
        });
      } else if (this.#policy.disallowPartial === true && this.#isPartial(constant, module)) {
        this.#find({
          kind: 'partial-definition',
          file: path,
          subject: name,
          message: `partial constant ${name} detected`,
          remedy: 'Prove that it terminates, or drop --disallow-partial.',
        });
      }
    }
    return this.#findings.length === found;
  }

  /**
   * `partial def f` leaves an opaque `f` and its code `f._unsafe_rec`. Other recursive definitions leave that code, too, but
   * they are no opaque constants.
   */
  #isPartial(constant: ConstantDeclaration, module: CompiledModule): boolean {
    if (constant.kind === 'definition') return constant.safety === 'partial' && !isCompilerLeftover(constant);
    return constant.kind === 'opaque' && module.names.has(constant.name.child('_unsafe_rec'));
  }

  #checkAxioms(use: AxiomUse): { name: Name; axioms: readonly Name[] }[] {
    const violations: { name: Name; axioms: readonly Name[] }[] = [];
    const allowedInUse = new Set<Name>();
    for (const constant of this.#submission.module.constants()) {
      if (constant.kind === 'axiom' || isCompilerLeftover(constant)) continue;
      if (!this.#mustHold(constant.name)) continue;
      const axioms = use.of(constant.name);
      const disallowed = axioms.filter((axiom) => !this.#allowed.has(axiom));
      if (disallowed.length > 0) violations.push({ name: constant.name, axioms: disallowed });
      for (const axiom of axioms) if (this.#allowed.has(axiom)) allowedInUse.add(axiom);
    }
    for (const { name, axioms } of violations) this.#find(axiomFinding(this.#submission.path, name, axioms));
    for (const axiom of allowedInUse) this.#checkMeaning(axiom);
    return violations;
  }

  /** Whether what a constant rests on matters by itself, and not only through what must be proved. */
  #mustHold(name: Name): boolean {
    const asked = this.#asked;
    if (asked === undefined || asked.has(name)) return true;
    return name.component === 'disproof' && name.prefix !== undefined && asked.has(name.prefix);
  }

  #checkHelpers(): void {
    if (this.#policy.helpers !== false) return;
    for (const constant of this.#submission.module.constants()) {
      if (isCompilerLeftover(constant) || this.#target.module.names.has(constant.name)) continue;
      const name = constant.name.toString();
      this.#find({
        kind: 'helper-not-allowed',
        subject: name,
        message: `${name} is not in the target`,
        remedy: 'Prove the statement without declarations of your own.',
      });
    }
  }

  /** An axiom is allowed by its name, so the name must mean what the target means by it. */
  #checkMeaning(axiom: Name): void {
    const own = this.#submission.find(axiom);
    const expected = this.#target.find(axiom);
    if (own === undefined) return;
    const name = axiom.toString();
    if (expected !== undefined) {
      const what = difference(expected, own);
      if (what !== undefined)
        this.#find({
          kind: 'new-axiom',
          subject: name,
          message: `the axiom ${name} has another ${what} than in the target's environment`,
          remedy: 'Use the axiom of the library.',
        });
    } else if (STANDARD_AXIOMS.some((standard) => standard === name)) {
      this.#find({
        kind: 'new-axiom',
        subject: name,
        message: `the target does not know the axiom ${name}, so nobody can tell whether the submission's is the standard one`,
        remedy: 'Let the target import Init, which declares it.',
      });
    } else {
      this.#remarks.push(`the axiom ${name} was allowed by its name; the target does not declare it`);
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
    const { theorem, denies } = this.#disproofOf(constant, kernel);
    if (theorem !== undefined) {
      const failure = denies ? undefined : ({ kind: 'theorem', what: 'type (of the disproof)' } as const);
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
    return outcome({ constant: own, axioms }, compareWithTarget(constant, own, this.#isHole(target)));
  }

  /** Whether the submission may fill the constant. */
  #isHole({ constant, axioms }: DeclarationWithAxioms): boolean {
    if (constant.kind === 'definition' && this.#mayChange.has(constant.name)) return true;
    if (this.#policy.strictHoles !== true) return axioms.includes(this.#sorry);
    return constant.kind === 'definition' && constantsIn(constant.value).has(this.#sorry);
  }

  #axiomFailure(submission: DeclarationWithAxioms | undefined): Failure | undefined {
    if (submission === undefined || submission.constant.kind === 'axiom') return undefined;
    if (!this.#mustHold(submission.constant.name)) return undefined;
    const disallowed = submission.axioms.filter((axiom) => !this.#allowed.has(axiom));
    return disallowed.length === 0 ? undefined : { kind: 'axioms', disallowed };
  }

  /** The theorem `X.disproof` for a theorem `X`, if there is one, and whether it says that `X` is false. */
  #disproofOf(
    claim: ConstantDeclaration,
    kernel: Replay['kernel'],
  ): { readonly theorem: ConstantDeclaration | undefined; readonly denies: boolean } {
    if (this.#policy.disproofs !== true || claim.kind !== 'theorem')
      return { theorem: undefined, denies: false };
    const theorem = this.#submission.find(claim.name.child('disproof'));
    if (theorem === undefined) return { theorem, denies: false };
    if (theorem.kind !== 'theorem') return { theorem, denies: false };
    const { names } = this.#store;
    // The logical constants must be those of the target, or the denial could say anything.
    const logical = LOGICAL_CONSTANTS.map((name) => names.of(name));
    const foreign = logical.some(
      (name) => this.#submission.find(name) !== undefined && this.#target.find(name) === undefined,
    );
    const sameParameters =
      theorem.levelParameters.length === claim.levelParameters.length &&
      theorem.levelParameters.every((name, index) => name === claim.levelParameters[index]);
    if (foreign || !sameParameters) return { theorem, denies: false };
    if (refutes(theorem.type.plain, claim.type.plain)) return { theorem, denies: true };
    return { theorem, denies: this.#isNegationByComputation(theorem, claim, kernel) };
  }

  /** Whether the kernel takes the disproof as a proof of `¬ X`. */
  #isNegationByComputation(
    theorem: ConstantDeclaration,
    claim: ConstantDeclaration,
    kernel: Replay['kernel'],
  ): boolean {
    const store = this.#store;
    const not = store.names.of('Not');
    if (this.#target.find(not) === undefined) return false;
    const { levelParameters } = claim;
    const levels = levelParameters.map((name) => store.levels.parameter(name));
    const name = theorem.name.child('isNegation');
    const answer = kernel.add({
      kind: 'theorem',
      name,
      levelParameters,
      type: store.apply(store.constant(not, []), claim.type),
      value: store.constant(theorem.name, levels),
      all: [name],
    });
    return answer.kind === 'accepted';
  }

  #checkAttributes(attributes: readonly AttributeUse[]): void {
    const forbidden = new Set(this.#policy.disallowedAttributes ?? []);
    for (const { attribute, name } of attributes) {
      if (forbidden.has(attribute)) {
        this.#find({
          kind: 'forbidden-attribute',
          subject: name.toString(),
          message: `${name.toString()} is ${attribute}`,
          remedy: 'Write it without, or drop the flag that forbids it.',
        });
      } else {
        this.#remarks.push(`${name.toString()} is ${attribute}`);
      }
    }
  }

  #tellFailures(outcomes: readonly DeclarationOutcome[]): void {
    for (const { name, target, submission, failure } of outcomes) {
      if (failure === undefined) continue;
      if (failure.kind === 'axioms') {
        // Told already, unless the declaration stands in a module that the submission imports.
        const subject = submission?.constant.name ?? name;
        if (!this.#findings.some((finding) => finding.subject === subject.toString()))
          this.#find(axiomFinding(this.#submission.path, subject, failure.disallowed));
        continue;
      }
      const isStatement = target.constant.kind === 'theorem';
      const detail = 'what' in failure ? ` (other ${failure.what})` : '';
      this.#find({
        kind:
          failure.kind === 'not-found' ? 'missing' : isStatement ? 'statement-changed' : 'definition-changed',
        subject: name.toString(),
        message: `${name.toString()}: ${failureText(failure)}${detail}`,
        remedy: isStatement ? 'Prove the statement as the target has it.' : 'Leave it as the target has it.',
      });
    }
  }

  #tellProblem({ kind, module, name, message }: ReplayProblem): void {
    const subject = name?.toString() ?? 'a declaration';
    if (kind === 'declined')
      throw new QuodError('unsupported', `The kernel declines ${subject}: ${message}.`, {
        place: { file: module.path },
        remedy: 'Nobody may conclude anything; try more --fuel, or another checker.',
      });
    this.#find({
      kind: kind === 'name-taken' ? 'name-taken' : 'kernel-rejected',
      file: module.path,
      subject,
      message: `the kernel rejects ${subject}: ${message}`,
      remedy: 'Compile the file again; if Lean accepts it, something has changed its environment.',
    });
  }

  #find(finding: FindingInSubmission): void {
    this.#findings.push({ file: this.#submission.path, ...finding });
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
      .filter(({ target }) => target.constant.kind === 'theorem' || this.#isHole(target))
      .filter(({ name }) => this.#mustHold(name))
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

type FindingInSubmission = Omit<Finding, 'file'> & { readonly file?: string };

function isUnsafe(constant: ConstantDeclaration): boolean {
  return constant.kind === 'definition'
    ? constant.safety === 'unsafe'
    : 'isUnsafe' in constant && constant.isUnsafe;
}
