/**
 * One submission on its way to the judge: its text may be refused, it is compiled beside the target, and what was compiled is
 * decided on (compared-submission.ts). Nothing here accepts. The order is that of rocq-judge.ts; what takes time and does
 * not depend on each other runs side by side.
 */
import { incidentFindings } from '../foreign-run.ts';
import { allowsFlag, type GatePolicy } from '../policy.ts';
import { clause } from '../../core/sentence.ts';
import { sha256 } from '../../core/sha256.ts';
import type { Finding, SourceText, Verdict } from '../verdict.ts';
import { Account } from './account.ts';
import { ComparedSubmission, UNCHECKED_FLAGS } from './compared-submission.ts';
import type { Difference } from './comparison/comparison-request.ts';
import { ComparisonWork } from './comparison/comparison-work.ts';
import { compareUnits } from './comparison/unit-comparison.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import { type DeclaredConstant, declaredConstants, namesWithBody } from './compiled/declarations.ts';
import { layoutOf } from './compiled/kernel-layout.ts';
import {
  limitsOf,
  moduleNameOf,
  OPTIONS_BY_FLAG,
  strangeOptions,
  unknown,
  unknownVerdict,
  type JudgeSettings,
} from './judgement.ts';
import { unfinishedLibrary } from './libraries/project-libraries.ts';
import type { References } from './reference.ts';
import type { Reference, ReferenceResult } from './reference-result.ts';
import type { Extent, Selection, StatementsAsked } from './statement-selection.ts';
import { byVisibility, type CompiledSubmission } from './submission-assumptions.ts';
import { isLeftByTactics } from './comparison/left-out-premises.ts';
import { SubmissionQuestions } from './submission-questions.ts';
import type { TargetPlugins } from './target-plugins.ts';
import {
  meaningChanged,
  namedDefinition,
  optionFinding,
  problemWithDeclared,
  targetProblem,
  goneWithHole,
  unreadProof,
  useChangesMeaning,
  variablesChosen,
} from './target-problem.ts';
import { compileFinding } from './text/compile-finding.ts';
import { commandFindings } from './text/proof-commands.ts';
import { confinedText, NO_SANDBOX_REMEDY } from './text/restricted-text.ts';
import { Script } from './text/script.ts';
import { textFindings } from './text/text-findings.ts';

interface PreparedParts {
  readonly target: Script;
  readonly asked: StatementsAsked;
  readonly references: readonly References[];
  /** Where statements that the target gives up are to be proved: the target that gives them up. */
  readonly asItStands: References | undefined;
  readonly extent: Extent;
  readonly plugins: TargetPlugins;
}

/** Options that set what a sentence of a file can set: how a text is read depends on it. */
const SET_BY: ReadonlySet<string> = new Set(['-set', '-unset']);

/** One submission against one target. */
export class JudgedSubmission {
  readonly #parts: PreparedParts;
  readonly #settings: JudgeSettings;
  readonly #submission: Script;
  readonly #account: Account;
  readonly #compared: ComparedSubmission;
  readonly #work = new ComparisonWork();

  constructor(parts: PreparedParts, settings: JudgeSettings, submission: SourceText) {
    const { target, extent } = parts;
    this.#parts = parts;
    this.#settings = settings;
    this.#submission = new Script(submission);
    this.#account = new Account(target.source, submission.text, settings);
    const texts = { target, submission: this.#submission, extent, work: this.#work };
    this.#compared = new ComparedSubmission(texts, settings, this.#account);
  }

  async verdict(): Promise<Verdict> {
    const { policy = {}, project } = this.#settings;
    for (const option of strangeOptions(project.arguments)) {
      const known = OPTIONS_BY_FLAG.get(option);
      if (known === undefined)
        return unknown(
          'unsupported',
          `The gate does not know the project's option ${option}.${SET_BY.has(option) ? ' What it sets, set in the file: `Set …`, `Unset …`.' : ''}`,
        );
      if (!allowsFlag(policy, known.flag))
        return this.#account.rejected([optionFinding(this.#parts.target.source.path, option, known.what)]);
    }
    const nothing = await this.#nothingAsked();
    if (nothing !== undefined) return nothing;
    const said = textFindings(this.#parts.target, this.#submission, this.#parts.asked.mayStayOpen, policy);
    const commands = commandFindings(this.#parts.target, this.#submission, this.#parts.extent.proofs ?? []);
    const early = said.length > 0 ? said : commands;
    if (early.length > 0) return this.#account.rejected(early);
    const confined = await this.#confined(policy);
    if (confined !== undefined) return confined;
    const unfinished = await unfinishedLibrary(this.#settings, [this.#parts.target, this.#submission]);
    if (unfinished !== undefined) return unfinished;
    void this.#parts.references[0]?.start();
    return this.#compile();
  }

  /** A verdict where no sentence of the target states what is to be proved, and its objects have no hole either. */
  async #nothingAsked(): Promise<Verdict | undefined> {
    if (!this.#parts.asked.statesNothing) return undefined;
    const result = await this.#reference((references) => references.forNone());
    if (result.status !== 'compiled') return targetProblem(result, this.#parts.target, this.#settings);
    const selection = this.#parts.asked.in(result.reference.constants, result.reference.file);
    return 'kind' in selection ? selection : undefined;
  }

  /** Without a sandbox nothing is run in which Rocq could find a command that reaches out of it, however it reads the text. */
  async #confined({ commands = [], plugins = [] }: GatePolicy): Promise<Verdict | undefined> {
    if ((await this.#settings.backend.isolation()) !== 'none') return undefined;
    const { path, text } = this.#submission.source;
    const answer = confinedText(text, [...commands, ...plugins]);
    if (answer.ok) return undefined;
    const { line, column } = answer.position;
    return unknown('no-sandbox', `${path}:${line}:${column}: ${answer.message} ${NO_SANDBOX_REMEDY}`);
  }

  async #compile(): Promise<Verdict> {
    const { backend, project, begun } = this.#settings;
    const { path } = this.#parts.target.source;
    const { source } = this.#submission;
    const request = {
      path,
      moduleName: moduleNameOf(path, project),
      project,
      limits: limitsOf(this.#settings),
      text: source.text,
      confirmCuts: this.#parts.extent.proofs !== undefined,
    };
    const compiled =
      (await begun?.submission.finish(request)) ??
      (await this.#parts.plugins.compiled(request, (withPlugins) => backend.compile(withPlugins)));
    switch (compiled.status) {
      case 'unknown':
        return unknownVerdict(compiled);
      case 'stopped':
        return this.#account.rejected(incidentFindings(source.path, compiled.incidents));
      case 'failed':
        // What it says depends on the machine.
        if (/^(?:Stack overflow|Out of memory)\b/u.test(compiled.error.message))
          return unknown(
            'memory-exceeded',
            `The prover came to no end with the submission: ${clause(compiled.error.message)}. Write its terms and proofs smaller, or raise the limit on the stack (\`ulimit -s\`).`,
          );
        return this.#refused(compileFinding(this.#submission, compiled));
      case 'compiled': {
        const { bytes } = compiled.unit;
        const file = readCompiledFile(bytes);
        if (layoutOf(file.version) === undefined)
          return unknown(
            'unsupported',
            `The layout of the compiled files of this prover is not known (number ${file.version}).`,
          );
        this.#account.note({ compiledSha256: sha256(bytes) });
        if (this.#parts.plugins.mayStartPrograms) this.#account.trust('start programs');
        const ahead = begun?.libraries?.for(file);
        const unit = ahead === undefined ? compiled.unit : await backend.unitOf(request, bytes, ahead);
        const questions = new SubmissionQuestions(unit, this.#settings);
        try {
          return await this.#judgeCompiled({ file, unit, questions });
        } finally {
          await questions.close();
        }
      }
    }
  }

  async #judgeCompiled(submission: CompiledSubmission): Promise<Verdict> {
    const { file, questions } = submission;
    // The names are the reference's at the end. Those of an honest submission are the same.
    const declared = declaredConstants(file);
    const expected = this.#parts.asked.in(declared, file);
    if (!('kind' in expected)) questions.begin(byVisibility([...expected.provable], declared).shown);
    let made: References | undefined;
    const result = await this.#reference((references) => {
      made = references;
      return references.for(file, this.#work);
    });
    if (result.status !== 'compiled')
      return this.#targetProblem(result, this.#parts.asItStands?.for(file, this.#work));
    const selection = this.#parts.asked.in(result.reference.constants, result.reference.file);
    if ('kind' in selection) return selection;
    const nothing = await namedDefinition(result.reference, selection, this.#parts.target, this.#settings);
    if (nothing !== undefined) return nothing;
    const changed =
      (await this.#changedByGivenUp(result.reference, selection, file)) ??
      (await this.#changedByUse(result.reference, selection, { declared, made }));
    return changed ?? this.#compared.verdict(result.reference, selection, submission);
  }

  /**
   * What the target gives up (`Abort`) it does not declare, and what follows is read without it. A proof of it declares it:
   * where that changes the meaning of anything else, the target does not say what is asked.
   */
  async #changedByGivenUp(
    reference: Reference,
    { provable, open }: Selection,
    file: CompiledFile,
  ): Promise<Verdict | undefined> {
    const standing = await this.#parts.asItStands?.for(file, this.#work);
    // Where the target does not compile without it, it means what it means with it.
    if (standing?.status !== 'compiled') return undefined;
    const { differences, bodies } = await this.#otherMeanings(
      standing.reference,
      reference,
      (name) => provable.has(name) || open.has(name),
    );
    // What is given up is added.
    const declared = new Set(standing.reference.constants.map(({ name }) => name));
    const added = new Set(reference.constants.map(({ name }) => name).filter((name) => !declared.has(name)));
    const others = differences.filter((difference) => !added.has(difference.subject));
    const subject = others[0]?.subject ?? bodies[0]?.subject;
    if (subject === undefined) return undefined;
    return meaningChanged(this.#parts.asked.aborted, subject);
  }

  /**
   * What a proof uses of its section decides over what its statement is generalised. The submission chooses that; where it
   * changes the meaning of anything else (an instance that is found then, a tactic that looks), the target does not say what is meant.
   * The same where a hole says something besides tactics that the reference has not.
   */
  async #changedByUse(
    reference: Reference,
    { provable, open }: Selection,
    {
      declared,
      made,
    }: { readonly declared: readonly DeclaredConstant[]; readonly made: References | undefined },
  ): Promise<Verdict | undefined> {
    const standing = await made?.asItStands(reference);
    if (standing === undefined) return undefined;
    const { result, until, asChosen, unread } = standing;
    if (until !== undefined) this.#account.warn(variablesChosen(this.#parts.target, until));
    if (result !== undefined && result.status !== 'compiled')
      return targetProblem(result, this.#parts.target, this.#settings);
    const isHole = (name: string): boolean => provable.has(name) || open.has(name);
    const assumed = namesWithBody(declared, 'undefined');
    const changedBetween = async (
      one: Reference,
      other: Reference,
      isWhole: boolean,
    ): Promise<string | undefined> => {
      const { differences, bodies } = await this.#otherMeanings(
        one,
        other,
        isHole,
        (name) => !assumed.has(name),
      );
      // What stands behind the beginning, or what a hole declares (`abstract`), one of them lacks: whatever mentions it differs.
      const isInBoth = (name: string): boolean => [one, other].every(({ names }) => names().has(name));
      const isOfFile = (name: string): boolean => name === '' && isWhole;
      const different = differences.find(({ subject }) => isInBoth(subject) || isOfFile(subject));
      return different?.subject ?? bodies[0]?.subject;
    };
    const whole = until === undefined ? result : asChosen;
    if (unread !== undefined && whole?.status !== 'compiled') return unreadProof(this.#parts.target, unread);
    const lost =
      whole?.status === 'compiled' ? lostIn(whole.reference.names(), reference.names()) : undefined;
    if (lost !== undefined) return goneWithHole(lost);
    for (const read of [result, asChosen]) {
      if (read?.status !== 'compiled') continue;
      const isWhole = read === whole;
      const changed = await changedBetween(read.reference, reference, isWhole);
      if (changed === undefined) continue;
      // What a hole says already can use less of its section than the proof does: both are held against what uses all.
      const general = until === undefined ? await made?.general() : undefined;
      if (general?.status !== 'compiled') return useChangesMeaning(changed);
      const isSame =
        (await changedBetween(general.reference, read.reference, true)) === undefined &&
        (await changedBetween(general.reference, reference, true)) === undefined;
      if (!isSame) return useChangesMeaning(changed);
    }
    return undefined;
  }

  /** In what two readings of the target differ, apart from its holes. */
  async #otherMeanings(
    standing: Reference,
    reference: Reference,
    isHole: (name: string) => boolean,
    mayTakeFewer?: (name: string) => boolean,
  ): Promise<{ readonly differences: readonly Difference[]; readonly bodies: readonly Finding[] }> {
    const comparison = await compareUnits({
      target: standing.file,
      submission: reference.file,
      work: this.#work,
      provable: () => false,
      open: isHole,
      demandsAll: () => false,
      ...(mayTakeFewer && { mayTakeFewer }),
      unchecked: new Set(UNCHECKED_FLAGS),
    });
    const bodies = await this.#compared.otherBodies(standing, comparison, reference.file);
    return { differences: comparison.differences, bodies };
  }

  #targetProblem(
    result: Exclude<ReferenceResult, { status: 'compiled' }>,
    asItStands?: Promise<ReferenceResult>,
  ): Promise<Verdict> {
    const { aborted } = this.#parts.asked;
    return problemWithDeclared(result, { aborted, asItStands }, this.#parts.target, this.#settings);
  }

  /** The first of the references that compiles. */
  async #reference(ask: (references: References) => Promise<ReferenceResult>): Promise<ReferenceResult> {
    let first: ReferenceResult | undefined;
    for (const references of this.#parts.references) {
      const result = await ask(references);
      if (result.status !== 'failed') return result;
      first ??= result;
    }
    return first ?? { status: 'unknown', reason: 'internal', message: 'There is no target.' };
  }

  /** A submission that does not compile says nothing about a target that does not compile either. */
  async #refused(finding: Finding): Promise<Verdict> {
    const result = await this.#reference((references) => references.forNone());
    if (result.status !== 'failed') return this.#account.rejected([finding]);
    // A hole takes fewer variables of its section where a default says so.
    const standing = await this.#parts.references[0]?.asItStands();
    return standing?.result?.status === 'compiled' && standing.until === undefined
      ? this.#account.rejected([finding])
      : this.#targetProblem(result, this.#parts.asItStands?.forNone());
  }
}

/** What one reading of the target declares, and the other does not. */
function lostIn(declared: ReadonlySet<string>, kept: ReadonlySet<string>): string | undefined {
  return [...declared].find((name) => !kept.has(name) && !isLeftByTactics(name));
}
