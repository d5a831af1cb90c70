/**
 * What decides on a compiled submission: it is compared with the reference, object by object; its new opaque bodies and what it
 * rests on are asked about, and the checker. Its text only says where a finding is. `accepted` is said here and nowhere else.
 */
import { lazyConstant } from '../../core/lazy-constant.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { eliminatorsOf } from '../../provers/rocq/eliminators.ts';
import { libraryNameIn } from '../../provers/rocq/project/project.ts';
import { allowsAxiomsOfTarget, allowsFlag } from '../policy.ts';
import type { Finding, Verdict } from '../verdict.ts';
import type { Account } from './account.ts';
import type { ComparisonWork } from './comparison/comparison-work.ts';
import { compareUnits, type Comparison } from './comparison/unit-comparison.ts';
import type { UncheckedFlag } from './comparison/comparison-request.ts';
import { contradiction } from './comparison/joint-demands.ts';
import { misnamed, originals } from './comparison/name-pairs.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import {
  type DeclaredConstant,
  declaredConstants,
  declaredTypes,
  namesWithBody,
} from './compiled/declarations.ts';
import {
  addedLibrary,
  contradictionFinding,
  copiesImpredicative,
  definitionChanged,
  differenceFinding,
  foreignLibrary,
  forgedFinding,
  IMPREDICATIVE_COPIES,
  checkerDidNotFinish,
  kernelFinding,
  uncheckedFinding,
} from './difference-findings.ts';
import { limitsOf, unknown, type JudgeSettings } from './judgement.ts';
import { machineFindings } from './machine-findings.ts';
import { staleLibraries } from './libraries/project-libraries.ts';
import { recheckedLibraries, refusedByChecker } from './libraries/rechecked-libraries.ts';
import { KernelDoubts } from './kernel-doubts/kernel-doubts.ts';
import type { Reference } from './reference-result.ts';
import type { Extent, Selection } from './statement-selection.ts';
import { RequiredLibraries } from './libraries/required-libraries.ts';
import { byVisibility, SubmissionAssumptions, type CompiledSubmission } from './submission-assumptions.ts';
import {
  CHECKED_NO_FURTHER,
  NOT_KNOWN_WHOSE,
  noValueToChoose,
  targetContradicts,
  targetRefused,
} from './target-problem.ts';
import { DeclaredTexts } from './text/declared-texts.ts';
import type { Script } from './text/script.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

export const UNCHECKED_FLAGS: readonly UncheckedFlag[] = [
  'unchecked-guard',
  'unchecked-positivity',
  'unchecked-universes',
  'rewrite-rules',
];

/** For the places of findings, and for what the target says of its levels. */
export interface ComparedTexts {
  readonly target: Script;
  readonly submission: Script;
  readonly extent: Extent;
  readonly work: ComparisonWork;
}

/** One compiled submission against one reference. */
export class ComparedSubmission {
  readonly #extent: Extent;
  readonly #work: ComparisonWork;
  readonly #settings: JudgeSettings;
  readonly #texts: DeclaredTexts;
  readonly #account: Account;
  readonly #assumptions: SubmissionAssumptions;
  /** By the target: last parts of names, and all other words. */
  readonly #namesSaid = lazyConstant(() => {
    const { outline } = this.#texts.target;
    return new Set(outline.sentences.flatMap((_, index) => this.#texts.target.tokens(index).map(lastPart)));
  });

  constructor(
    { target, submission, extent, work }: ComparedTexts,
    settings: JudgeSettings,
    account: Account,
  ) {
    this.#extent = extent;
    this.#work = work;
    this.#settings = settings;
    this.#texts = new DeclaredTexts(target, submission);
    this.#account = account;
    this.#assumptions = new SubmissionAssumptions(settings, this.#texts, account);
  }

  async verdict(
    reference: Reference,
    selection: Selection,
    submission: CompiledSubmission,
  ): Promise<Verdict> {
    const { file, unit } = submission;
    const { policy = {} } = this.#settings;
    const mayChange = withOriginals(policy.definitionsMayChange ?? [], reference);
    const unchoosable = noValueToChoose(reference, selection, [...mayChange]);
    if (unchoosable !== undefined) return unchoosable;
    const eliminators = lazyConstant(
      () => new Set([...declaredTypes(reference.file)].flatMap(eliminatorsOf)),
    );
    const comparison = await compareUnits({
      target: reference.file,
      submission: file,
      work: this.#work,
      provable: (name) => selection.provable.has(name),
      open: (name) => selection.open.has(name),
      demandsAll: (name) => demandsAllOfLevels(this.#texts.target, name),
      stated: (name) => this.#texts.target.statementNamed(name) !== undefined,
      mayChange: (name) => mayChange.has(name),
      mayAdd: (name) => (policy.helperLemmas ?? true) && this.#mayAdd(name, selection.provable, eliminators),
      unchecked: new Set(UNCHECKED_FLAGS.filter((flag) => allowsFlag(policy, flag))),
    });
    const ofTarget = new RequiredLibraries(reference.file, reference.unit);
    const libraries = await ofTarget.all();
    const required = new RequiredLibraries(file, unit);
    const itself = libraryNameIn(this.#settings.project, this.#texts.target.source.path);
    if (itself !== undefined && libraries.some(({ name }) => name === itself))
      return unknown(
        'invalid-input',
        `The target requires ${itself}, which was compiled from an earlier version of it: a proof could rest on itself.`,
      );
    const libraryNames = libraries.map(({ name }) => name);
    const stale = await staleLibraries(this.#settings, libraryNames);
    if (stale !== undefined) this.#account.warn(stale);
    const news = await required.besides(libraries);
    const admitted = lazyConstant(() => namesAdmitted(file));
    const isAdmitted = (name: string) => selection.provable.has(name) || admitted().has(name);
    const findings = [
      ...news.foreign.map((name) => foreignLibrary(this.#texts.submission, name)),
      ...(this.#extent.libraries ? [] : news.added.map((name) => addedLibrary(this.#texts.submission, name))),
      ...comparison.differences.map((difference) => differenceFinding(this.#texts, difference, isAdmitted)),
    ];
    const [bodies, orders] = await Promise.all([
      this.otherBodies(reference, comparison, file),
      this.#lostOrders(comparison, required),
    ]);
    for (const found of [...bodies, ...orders]) findings.push(found);
    if (findings.length > 0) return this.#account.rejected(findings);
    const contradictory = await this.#contradictory(reference, file, { ofTarget, required });
    if (contradictory !== undefined) return contradictory;
    if (policy.dependencies !== undefined) {
      const objection = await required.unpinned(policy.dependencies);
      if (objection !== undefined) return unknown('file-changed', objection);
      const pinned = new Set((await required.all()).map(({ name }) => name));
      const needless = Object.keys(policy.dependencies).filter((name) => !pinned.has(name));
      if (needless.length > 0)
        this.#account.warn({
          kind: 'pins-nothing',
          message: `The policy pins ${needless.join(', ')}, and the submission requires no such library.`,
        });
    }
    const machines = machineFindings(reference.file, file, this.#texts.submission, policy);
    if (machines.length > 0) return this.#account.rejected(machines);
    const files = { target: reference.file, submission: file, work: this.#work };
    const doubts = new KernelDoubts(files, required, policy);
    const unconfirmed = await doubts.findings(this.#texts.submission);
    if (unconfirmed.length > 0) return this.#account.rejected(unconfirmed);
    // While the prover's processes work.
    const [assumptions, recheck, rechecked, wrongName] = await Promise.all([
      this.#assumptions.judged(submission, reference, selection, {
        libraries,
        required,
        otherBodies: comparison.otherBodies,
        mayChange,
      }),
      this.#recheck(submission, reference),
      recheckedLibraries(ofTarget, this.#settings),
      misnamed(file, mayChange.size === 0 ? reference.file : undefined, required.find, this.#work),
    ]);
    if (wrongName?.isForged === false)
      return unknown('unsupported', `${wrongName.message} Nobody can be asked whether they are the same.`);
    if (wrongName !== undefined)
      return this.#account.rejected([forgedFinding(this.#texts.submission, wrongName.message)]);
    if ('kind' in assumptions) return assumptions;
    if ('kind' in recheck) return recheck;
    const unchecked = [...recheck.unchecked, ...rechecked.unchecked];
    if (unchecked.length > 0 && !allowsAxiomsOfTarget(policy))
      return this.#account.rejected(
        unchecked.map((ground) => uncheckedFinding(this.#texts.submission, ground)),
      );
    if (rechecked.reason !== undefined && policy.recheck === 'always')
      return unknown(rechecked.reason, rechecked.warnings.map(({ message }) => message).join(' '));
    for (const warning of rechecked.warnings) this.#account.warn(warning);
    for (const warning of await doubts.warnings([...selection.provable])) this.#account.warn(warning);
    if (this.#settings.inDetail === true) this.#account.note({ libraries: await required.files() });
    this.#settings.onLibraries?.([...libraryNames, ...news.added]);
    return this.#account.accepted(
      assumptions.statements.map((one) => ({ ...one, assumptions: [...one.assumptions, ...unchecked] })),
    );
  }

  #mayAdd(name: string, provable: ReadonlySet<string>, eliminators: () => ReadonlySet<string>): boolean {
    const { additions, lemmas = NO_NAMES } = this.#extent;
    if (additions !== 'by-tactics') return additions === 'any';
    // In other files, too, Rocq would find it where something of the type is eliminated.
    if (eliminators().has(name)) return false;
    // What the file says of a name it could mean of this one, where a notation or a tactic finds it.
    if (lemmas.has(name)) return !this.#namesSaid().has(lastPart(name));
    const isMentioned = this.#texts.target.source.text.includes(lastPart(name));
    return !isMentioned && isNamedByTactics(name, [...provable, ...lemmas]);
  }

  /** Bodies that are not the target's: a proof may be another one, a value may not. @param file what has them. */
  async otherBodies(
    reference: Reference,
    { otherBodies }: Comparison,
    file: CompiledFile,
  ): Promise<readonly Finding[]> {
    if (otherBodies.length === 0) return [];
    const transparent = namesWithBody(declaredConstants(file), 'transparent');
    // The value of a copy is that of what it is a copy of.
    const stated = reference.constants.filter(({ assumed }) => assumed !== 'copy');
    const open = namesWithBody(stated, 'undefined');
    const unfoldable = new Set(otherBodies.filter((name) => open.has(name) && transparent.has(name)));
    const others = otherBodies.filter((name) => !unfoldable.has(name));
    const { shown, hidden } = byVisibility(others, reference.constants);
    const propositions = await reference.unit.propositions(shown, limitsOf(this.#settings));
    const changed = (subjects: readonly string[], message: string): readonly Finding[] =>
      subjects.map((subject) => definitionChanged(this.#texts, subject, message));
    return [
      ...changed(
        [...unfoldable],
        'Nobody asked for it, and the value given to it can be looked into: it is a choice. End the proof with Qed, where it is one, or have the policy name it (theorems).',
      ),
      ...changed(
        shown.filter((subject) => !propositions.has(subject)),
        'Its value is not the one of the target. Only proofs of propositions may be others.',
      ),
      ...changed(
        hidden.length === 0 ? [] : hidden.filter(isChosenValue(reference.constants, file)),
        'Its value is not the one of the target. It is behind a signature that does not show it, so nobody can be asked whether it is a proof.',
      ),
    ];
  }

  /** The order of universe levels is part of what statements mean. */
  async #lostOrders(comparison: Comparison, required: RequiredLibraries): Promise<readonly Finding[]> {
    if (comparison.lostOrders([]).length === 0) return [];
    const [lost] = comparison.lostOrders(await required.contents());
    if (lost === undefined) return [];
    const message = 'It does not demand of universe levels what the target demands.';
    return [definitionChanged(this.#texts, '', message)];
  }

  /** A verdict where what is proved does not hold together with what else the target declares, whatever the order of universe levels. */
  async #contradictory(
    { file: target, names }: Reference,
    submission: CompiledFile,
    { ofTarget, required }: Readonly<Record<'ofTarget' | 'required', RequiredLibraries>>,
  ): Promise<Verdict | undefined> {
    const isOfTarget = (name: string) => names().has(name);
    const found = await contradiction(submission, isOfTarget, required.contents, this.#work);
    if (found.length === 0) return undefined;
    // Its own proofs, which are finished, may demand what nobody can have.
    const own = await contradiction(target, isOfTarget, ofTarget.contents, this.#work);
    return own.length > 0
      ? targetContradicts(target, own)
      : this.#account.rejected([contradictionFinding(this.#texts.submission, submission, found)]);
  }

  /** A verdict when the separate checker says no, or had to look and could not; else what it refuses of the target itself. */
  async #recheck(
    { file, unit, questions }: CompiledSubmission,
    reference: Reference,
  ): Promise<Verdict | { readonly unchecked: readonly string[] }> {
    const { policy = {}, project } = this.#settings;
    const answer = await questions.recheck();
    switch (answer.status) {
      case 'accepted':
        this.#account.note({ recheckedBy: answer.by });
        return { unchecked: [] };
      case 'refused': {
        if (copiesImpredicative(file, project))
          return unknown('unsupported', `${IMPREDICATIVE_COPIES} It says: ${answer.message}`);
        const target = await reference.unit.recheck?.(limitsOf(this.#settings));
        if (target?.status === 'unknown')
          return unknown(target.reason, `${NOT_KNOWN_WHOSE} ${answer.message} ${target.message}`);
        if (target?.status !== 'refused')
          return this.#account.rejected([kernelFinding(this.#texts.submission, file, answer.message)]);
        // It stops there, and has seen no more of the submission.
        if (policy.recheck !== 'if-possible') return targetRefused(target.message);
        this.#account.warn({ kind: 'not-rechecked', message: CHECKED_NO_FURTHER });
        return { unchecked: [refusedByChecker('The target', target.message)] };
      }
      case 'unknown':
        return unknown(answer.reason, checkerDidNotFinish(file, answer.message));
      case 'missing':
        if (policy.recheck === 'always' || (policy.recheck === undefined && unit.recheck !== undefined))
          return unknown('prover-missing', `${answer.message} The policy asks for a second check.`);
        if (unit.recheck === undefined && unit.hadChecksOff === true)
          return unknown(
            'unsupported',
            'Kernel checks were off at some time, and this prover has no separate checker that would tell for which proofs.',
          );
        this.#account.warn({ kind: 'not-rechecked', message: answer.message });
        return { unchecked: [] };
    }
  }
}

/**
 * Nobody can be asked whether something hidden is a proof. Where the target leaves it open and the submission closes it
 * opaquely, that does not matter: nothing outside can refer to it, and nothing at all looks into it, so that all else is
 * proved for whatever it is. A value that the target gives, or that can be unfolded, would be the submission's choice.
 */
function isChosenValue(target: readonly DeclaredConstant[], file: CompiledFile): (name: string) => boolean {
  const open = namesWithBody(target, 'undefined');
  const opaque = namesWithBody(declaredConstants(file), 'opaque');
  return (name) => !(open.has(name) && opaque.has(name));
}

/** What stands for another definition of the file (`N.d` after `Module N := M`) stands for that one, too. */
function withOriginals(names: readonly string[], { file, constants }: Reference): ReadonlySet<string> {
  if (names.length === 0) return NO_NAMES;
  const copies = originals(file);
  const inFile = new Set(constants.map(({ name }) => name));
  return new Set([
    ...names,
    ...names.flatMap((name) => copies.get(name) ?? []).filter((name) => inFile.has(name)),
  ]);
}

function namesAdmitted(file: CompiledFile): ReadonlySet<string> {
  return new Set(
    declaredConstants(file).flatMap(({ name, assumed }) => (assumed === 'admitted' ? [name] : [])),
  );
}

/** What `abstract`, `Program` and schemes made on demand are called: after the statement, or apart from all others. */
function isNamedByTactics(name: string, statements: readonly string[]): boolean {
  if (/^(?:internal|ltac_gen)_/.test(lastPart(name))) return true;
  return statements.some(
    (statement) =>
      name.startsWith(statement) &&
      /^(?:_obligation_\d+|_subproof\d*|_subterm\d*)+$/.test(name.slice(statement.length)),
  );
}

/** Whether the target lists what a statement demands of its universe levels, and leaves nothing open with a `+`. */
function demandsAllOfLevels(target: Script, name: string): boolean {
  const statement = target.statementNamed(name);
  const text = statement === undefined ? '' : target.key(statement.item.sentence);
  const [, demands] = /@\{[^|}]*\|([^}]*)\}/u.exec(text) ?? [];
  return demands !== undefined && !demands.includes('+');
}
