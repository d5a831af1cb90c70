/**
 * What the proofs of a compiled submission rest on: asked of the prover, or told by the compiled files where they refer to
 * nothing that is not proved, and compared with what the policy allows.
 */
import { nameInVerdict } from '../axiom-sets.ts';
import type { Finding, JudgedStatement, Verdict } from '../verdict.ts';
import type { Account } from './account.ts';
import { chosenValueWarning } from './warnings/chosen-values.ts';
import { areClosed } from './compiled/closed-proofs.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { ReachedAssumptions, type Reached } from './reached-assumptions.ts';
import type { Dependency } from './compiled/compiled-library.ts';
import type { DeclaredConstant } from './compiled/declarations.ts';
import { ofUnasked, withPlace } from './difference-findings.ts';
import {
  judgeAssumptions,
  NOTHING_KNOWN,
  moduleNameOf,
  unknown,
  unknownVerdict,
  type JudgeSettings,
} from './judgement.ts';
import { openElsewhere } from './libraries/open-elsewhere.ts';
import type { CompiledUnit } from './backends/judge-backend.ts';
import type { Reference } from './reference-result.ts';
import type { RequiredLibraries } from './libraries/required-libraries.ts';
import type { Selection } from './statement-selection.ts';
import type { SubmissionQuestions } from './submission-questions.ts';
import type { Script } from './text/script.ts';

export interface CompiledSubmission {
  readonly file: CompiledFile;
  readonly unit: CompiledUnit;
  readonly questions: SubmissionQuestions;
}

/** What a submission decides besides the proofs that are asked for. */
export interface ChosenByTheSubmission {
  /** Of the target. */
  readonly libraries: readonly Dependency[];
  /** Of the submission. */
  readonly required: RequiredLibraries;
  /** Declarations of the target that have other bodies. */
  readonly otherBodies: readonly string[];
  /** Those that may. */
  readonly mayChange: ReadonlySet<string>;
}

type Texts = Readonly<Record<'target' | 'submission', Script>>;

export class SubmissionAssumptions {
  readonly #settings: JudgeSettings;
  readonly #texts: Texts;
  readonly #account: Account;

  /** @param texts the first says by its path what the file is called, the second where findings are. */
  constructor(settings: JudgeSettings, texts: Texts, account: Account) {
    this.#settings = settings;
    this.#texts = texts;
    this.#account = account;
  }

  /** @returns the statements with what they rest on; a verdict when that is not allowed, or cannot be told. */
  async judged(
    { file, unit, questions }: CompiledSubmission,
    reference: Reference,
    { provable, open, axioms, copied }: Selection,
    { libraries, required, otherBodies, mayChange }: ChosenByTheSubmission,
  ): Promise<{ readonly statements: readonly JudgedStatement[] } | Verdict> {
    const { policy = {}, inDetail = false, project } = this.#settings;
    const { target, submission } = this.#texts;
    const { constants } = reference;
    const { shown, hidden } = byVisibility([...provable], constants);
    const declared = new Set(constants.map(({ name }) => name));
    // What is not asked for and has another body than in the target: it may rest on no more than what is asked for may.
    const others = byVisibility([...otherBodies, ...mayChange], constants).shown.filter(
      (name) => declared.has(name) && !provable.has(name),
    );
    const names = [...shown, ...others];
    const areAllClosed = (those: readonly string[]): Promise<boolean> =>
      areClosed(file, those, required.find);
    const restOnNothing = (those: readonly string[]): readonly JudgedStatement[] =>
      those.map((name) => ({ name, assumptions: [], openStatements: [] }));
    if (hidden.length > 0 && !(await areAllClosed(hidden)))
      return unknown(
        'unsupported',
        `Nobody can be asked what ${hidden.join(', ')} rests on: a signature hides it. State it outside of the module.`,
      );
    const warnOfChosen = async (reached: readonly Reached[]): Promise<void> => {
      const values = { mayChange, otherBodies, axioms, open, reached, file };
      const warning = await chosenValueWarning(reference, values, this.#settings);
      if (warning !== undefined) this.#account.warn(warning);
    };
    const follows = unit.asksSlowly === true && !inDetail;
    if (names.length === 0 || (follows && (await areAllClosed(names)))) {
      await warnOfChosen([]);
      return { statements: restOnNothing([...provable]) };
    }
    const asked = await questions.assumptions(names);
    if (asked.status === 'unknown') return unknownVerdict(asked);
    const allLibraries = await required.all();
    const digests = new Map(libraries.map(({ name, digest }) => [name, digest]));
    const shared = allLibraries.filter(({ name, digest }) => digests.get(name) === digest);
    const ofTarget = new Set(shared.map(({ name }) => name));
    const reached = new ReachedAssumptions(file, required, ofTarget);
    const answer = new Map<string, Reached>();
    const addsNone = shared.length === allLibraries.length;
    for (const name of names) {
      const found = await reached.of(name, asked.of.get(name) ?? NOTHING_KNOWN);
      answer.set(name, { ...found, checksAreTargets: addsNone || found.checksAreTargets });
    }
    const used = [...answer.values()].flatMap(({ axioms: each }) => each);
    const usedNames = used.filter(({ local }) => !local).map(({ name }) => name);
    const [elsewhere, installed] = await Promise.all([
      openElsewhere(required, usedNames),
      required.declaredByInstalled(usedNames),
    ]);
    const ofTargetLibraries = new Set<string>();
    for (const axiom of usedNames) {
      const those = await required.mayDeclare(axiom);
      if (those.length > 0 && those.every(({ name }) => ofTarget.has(name))) ofTargetLibraries.add(axiom);
    }
    const { path } = target.source;
    const itself = moduleNameOf(path, project);
    const findings: Finding[] = [];
    const statements = names.map((name) => {
      const original = copied.get(name);
      const elsewhereNamed = original?.includes('#') === true ? original.replace('#', '.') : undefined;
      const judged = judgeAssumptions(name, answer.get(name) ?? NOTHING_KNOWN, {
        policy,
        ofTargetFile: (axiom) => axioms.has(axiom),
        calledInFile: (axiom) => nameInVerdict(axiom, itself, digests.keys()),
        ofTargetLibraries: (axiom) => ofTargetLibraries.has(axiom),
        openElsewhere: (axiom) => elsewhere.get(axiom),
        isInstalled: (axiom) => installed.has(axiom),
        isStatement: (axiom) => provable.has(axiom) || open.has(axiom),
        openInFile: (axiom) => open.get(axiom),
        isItself: (axiom) => axiom === elsewhereNamed,
      });
      for (const objection of judged.objections)
        findings.push(withPlace(submission, name, ofUnasked(objection, name, { provable, open })));
      return judged.statement;
    });
    if (findings.length > 0) return this.#account.rejected(findings);
    await warnOfChosen([...answer.values()]);
    // What rests on nothing is as good as the target's own.
    const told = statements.filter(
      ({ name, assumptions, openStatements }) =>
        provable.has(name) || assumptions.length > 0 || openStatements.length > 0,
    );
    const order = [...provable, ...others];
    const placeOf = ({ name }: JudgedStatement): number => order.indexOf(name);
    const all = [...told, ...restOnNothing(hidden)];
    return { statements: all.sort((one, other) => placeOf(one) - placeOf(other)) };
  }
}

/** What a signature hides cannot be named, so nothing can be asked about it. */
export function byVisibility(
  names: readonly string[],
  constants: readonly DeclaredConstant[],
): { readonly shown: readonly string[]; readonly hidden: readonly string[] } {
  const isHidden = new Set(constants.flatMap((constant) => (constant.isHidden ? [constant.name] : [])));
  return {
    shown: names.filter((name) => !isHidden.has(name)),
    hidden: names.filter((name) => isHidden.has(name)),
  };
}
