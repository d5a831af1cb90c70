/**
 * One submission on its way through the judge: read, compiled, compared, asked about, checked again. The order is that of
 * rocq-judge.ts; what takes time and does not depend on each other runs side by side.
 */
import { orNothing } from '../../core/entry.ts';
import { incidentFindings } from '../foreign-run.ts';
import { allowsFlag, type GatePolicy } from '../policy.ts';
import { sha256 } from '../sha256.ts';
import type { Finding, JudgedStatement, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { areClosed } from './compiled/closed-proofs.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import { declaredConstants, type DeclaredConstant } from './compiled/declarations.ts';
import { compileFinding } from './text/compile-finding.ts';
import { addedLibrary, differenceFinding, foreignLibrary, withPlace } from './difference-findings.ts';
import type { CompiledUnit, Unknown } from './provers/judge-backend.ts';
import {
  judgeAssumptions,
  judgedBy,
  limitsOf,
  moduleNameOf,
  OPTIONS_BY_FLAG,
  strangeOptions,
  unknown,
  type JudgeSettings,
} from './judgement.ts';
import { layoutOf } from './compiled/kernel-layout.ts';
import { machineFindings } from './machine-findings.ts';
import type { Reference, ReferenceResult, References } from './reference.ts';
import { confinedText, NO_SANDBOX_REMEDY } from './text/restricted-text.ts';
import { commandFindings } from './text/proof-commands.ts';
import { Script } from './text/script.ts';
import type { Extent, Selection, StatementsAsked } from './statement-selection.ts';
import { SubmissionQuestions } from './submission-questions.ts';
import {
  allDependencies,
  librariesOf,
  libraryContents,
  libraryFiles,
  newDependencies,
  unpinned,
} from './target-library.ts';
import { libraryNameIn } from '../../provers/rocq/project.ts';
import { openElsewhere } from './open-elsewhere.ts';
import { staleLibraries } from './project-libraries.ts';
import { textFindings } from './text/text-findings.ts';
import { compareUnits, type Comparison, type UncheckedFlag } from './comparison/unit-comparison.ts';

const UNCHECKED_FLAGS: readonly UncheckedFlag[] = [
  'unchecked-guard',
  'unchecked-positivity',
  'unchecked-universes',
  'rewrite-rules',
];

interface CompiledSubmission {
  readonly file: CompiledFile;
  readonly unit: CompiledUnit;
  readonly questions: SubmissionQuestions;
}

interface PreparedParts {
  readonly script: Script;
  readonly asked: StatementsAsked;
  readonly references: readonly References[];
  /** Where statements that the target gives up are to be proved: the target that gives them up. */
  readonly asItStands: References | undefined;
  readonly extent: Extent;
}

/** One submission against one target. */
export class JudgedSubmission {
  readonly #target: Script;
  readonly #asked: StatementsAsked;
  readonly #references: readonly References[];
  readonly #asItStands: References | undefined;
  readonly #extent: Extent;
  readonly #settings: JudgeSettings;
  readonly #submission: Script;
  readonly #started = performance.now();
  readonly #processorBefore: number | undefined;
  readonly #warnings: Warning[] = [];
  #about: Pick<RestsOn, 'compiledSha256' | 'recheckedBy' | 'libraries'> = {};

  constructor(
    { script, asked, references, asItStands, extent }: PreparedParts,
    settings: JudgeSettings,
    submission: SourceText,
  ) {
    this.#target = script;
    this.#asked = asked;
    this.#references = references;
    this.#asItStands = asItStands;
    this.#extent = extent;
    this.#settings = settings;
    this.#submission = new Script(submission);
    this.#processorBefore = settings.backend.processorMs;
  }

  async verdict(): Promise<Verdict> {
    const { policy = {}, project } = this.#settings;
    for (const option of strangeOptions(project.arguments)) {
      const known = OPTIONS_BY_FLAG.get(option);
      if (known === undefined)
        return unknown('unsupported', `The gate does not know the project's option ${option}.`);
      if (!allowsFlag(policy, known.flag))
        return this.#rejected([optionFinding(this.#target.source.path, option, known.what)]);
    }
    const said = textFindings(this.#target, this.#submission, this.#asked.mayStayOpen, policy);
    const commands = commandFindings(this.#target, this.#submission, this.#extent.proofs ?? []);
    const early = said.length > 0 ? said : commands;
    if (early.length > 0) return this.#rejected(early);
    const confined = await this.#confined(policy);
    if (confined !== undefined) return confined;
    this.#references[0]?.start();
    return this.#compile();
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
    const { backend, project } = this.#settings;
    const { path } = this.#target.source;
    const { source } = this.#submission;
    const compiled = await backend.compile({
      path,
      moduleName: moduleNameOf(path),
      project,
      limits: limitsOf(this.#settings),
      text: source.text,
      confirmCuts: this.#extent.proofs !== undefined,
    });
    switch (compiled.status) {
      case 'unknown':
        return unknownVerdict(compiled);
      case 'stopped':
        return this.#rejected(incidentFindings(source.path, compiled.incidents));
      case 'failed':
        return this.#refused(compileFinding(this.#submission, compiled.error));
      case 'compiled': {
        const { unit } = compiled;
        const file = readCompiledFile(unit.bytes);
        if (layoutOf(file.version) === undefined)
          return unknown(
            'unsupported',
            `The layout of the compiled files of this prover is not known (number ${file.version}).`,
          );
        this.#about = { compiledSha256: sha256(unit.bytes) };
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
    const expected = this.#asked.in(declared);
    if (!('kind' in expected)) questions.begin(byVisibility([...expected.provable], declared).shown);
    const result = await this.#reference((references) => references.for(file));
    if (result.status !== 'compiled') return this.#targetProblem(result, file);
    const selection = this.#asked.in(result.reference.constants);
    if ('kind' in selection) return selection;
    const changed = await this.#changedByGivenUp(result.reference, selection, file);
    return changed ?? this.#compareWith(result.reference, selection, submission);
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
    const standing = await this.#asItStands?.for(file);
    // Where the target does not compile without it, it means what it means with it.
    if (standing?.status !== 'compiled') return undefined;
    const comparison = compareUnits({
      target: standing.reference.file,
      submission: reference.file,
      provable: () => false,
      open: (name) => provable.has(name) || open.has(name),
      demandsAll: () => false,
      unchecked: new Set(UNCHECKED_FLAGS),
    });
    const bodies = await this.#otherBodies(standing.reference, comparison);
    // What is given up is added.
    const declared = new Set(standing.reference.constants.map(({ name }) => name));
    const added = new Set(reference.constants.map(({ name }) => name).filter((name) => !declared.has(name)));
    const others = comparison.differences.filter((difference) => !added.has(difference.subject));
    const subject = others[0]?.subject ?? bodies[0]?.subject;
    if (subject === undefined) return undefined;
    return unknown(
      'invalid-input',
      `The target gives up ${this.#namesGivenUp}, and ${subject} means something else when that is proved. Give it another name, or say ` +
        'what is to be proved (theorems).',
    );
  }

  /** Where the target does not compile because what it gives up is declared, it is not the target that is wrong. */
  async #targetProblem(
    result: Exclude<ReferenceResult, { status: 'compiled' }>,
    file: CompiledFile,
  ): Promise<Verdict> {
    const problem = targetProblem(result, this.#target.source.path);
    if (result.status !== 'failed' || (await this.#asItStands?.for(file))?.status !== 'compiled')
      return problem;
    return unknown(
      'invalid-input',
      `The target gives up ${this.#namesGivenUp}, and does not compile when that is proved: ${result.error.message} Give it ` +
        'another name, or say what is to be proved (theorems).',
    );
  }

  get #namesGivenUp(): string {
    return this.#asked.aborted.map(({ name = 'a statement without a name' }) => name).join(', ');
  }

  /** The first of the references that compiles. */
  async #reference(ask: (references: References) => Promise<ReferenceResult>): Promise<ReferenceResult> {
    let first: ReferenceResult | undefined;
    for (const references of this.#references) {
      const result = await ask(references);
      if (result.status !== 'failed') return result;
      first ??= result;
    }
    return first ?? { status: 'unknown', reason: 'internal', message: 'There is no target.' };
  }

  /** A submission that does not compile says nothing about a target that does not compile either. */
  async #refused(finding: Finding): Promise<Verdict> {
    const result = await this.#reference((references) => references.forNone());
    return result.status === 'failed'
      ? targetProblem(result, this.#target.source.path)
      : this.#rejected([finding]);
  }

  async #compareWith(
    reference: Reference,
    selection: Selection,
    submission: CompiledSubmission,
  ): Promise<Verdict> {
    const { file, unit } = submission;
    const { policy = {} } = this.#settings;
    const mayChange = new Set(policy.definitionsMayChange ?? []);
    const comparison = compareUnits({
      target: reference.file,
      submission: file,
      provable: (name) => selection.provable.has(name),
      open: (name) => selection.open.has(name),
      demandsAll: (name) => demandsAllOfLevels(this.#target, name),
      mayChange: (name) => mayChange.has(name),
      mayAdd: (name) => (policy.helperLemmas ?? true) && this.#mayAdd(name, selection.provable),
      unchecked: new Set(UNCHECKED_FLAGS.filter((flag) => allowsFlag(policy, flag))),
    });
    const libraries = await allDependencies(reference.file, reference.unit);
    const itself = libraryNameIn(this.#settings.project, this.#target.source.path);
    if (itself !== undefined && libraries.some(({ name }) => name === itself))
      return unknown(
        'invalid-input',
        `The target requires ${itself}, which was compiled from an earlier version of it: a proof could rest on itself.`,
      );
    const stale = await staleLibraries(
      this.#settings.project,
      libraries.map(({ name }) => name),
    );
    if (stale.length > 0)
      this.#warnings.push({
        kind: 'stale-libraries',
        message: `${stale.join(', ')} changed after it was compiled; the verdict rests on what was compiled. Build the project first (quod build).`,
      });
    const news = await newDependencies(libraries, file, unit);
    const findings = [
      ...news.foreign.map((name) => foreignLibrary(this.#submission, name)),
      ...(this.#extent.libraries ? [] : news.added.map((name) => addedLibrary(this.#submission, name))),
      ...comparison.differences.map((difference) => differenceFinding(this.#submission, difference)),
    ];
    const [bodies, orders] = await Promise.all([
      this.#otherBodies(reference, comparison),
      this.#lostOrders(comparison, submission),
    ]);
    findings.push(...bodies, ...orders);
    if (findings.length > 0) return this.#rejected(findings);
    if (policy.dependencies !== undefined) {
      const objection = await unpinned(await allDependencies(file, unit), unit, policy.dependencies);
      if (objection !== undefined) return unknown('file-changed', objection);
    }
    const machines = machineFindings(reference.file, file, this.#submission, policy);
    if (machines.length > 0) return this.#rejected(machines);
    const [assumptions, recheck] = await Promise.all([
      this.#assumptions(submission, selection, reference, {
        libraries: libraries.map(({ name }) => name),
        addsLibraries: news.added.length > 0,
      }),
      this.#recheck(submission),
    ]);
    if ('kind' in assumptions) return assumptions;
    if (recheck !== undefined) return recheck;
    if (this.#settings.inDetail === true) {
      const found = await libraryFiles(await allDependencies(file, unit), unit);
      this.#about = { ...this.#about, libraries: found.filter((library) => library !== undefined) };
    }
    return { kind: 'accepted', statements: assumptions.statements, restsOn: await this.#restsOn() };
  }

  #mayAdd(name: string, provable: ReadonlySet<string>): boolean {
    const { additions } = this.#extent;
    return additions === 'by-tactics' ? isNamedByTactics(name, provable) : additions === 'any';
  }

  /** Opaque bodies that are not the target's: a proof may be another one, a value may not. */
  async #otherBodies(reference: Reference, { otherBodies }: Comparison): Promise<readonly Finding[]> {
    if (otherBodies.length === 0) return [];
    const { shown, hidden } = byVisibility(otherBodies, reference.constants);
    const propositions = await reference.unit.propositions(shown, limitsOf(this.#settings));
    const changed = (subjects: readonly string[], why: string): readonly Finding[] =>
      subjects.map((subject) =>
        differenceFinding(this.#submission, { kind: 'definition-changed', subject, message: why }),
      );
    return [
      ...changed(
        shown.filter((subject) => !propositions.has(subject)),
        'Its value is not the one of the target. Only proofs of propositions may be others.',
      ),
      ...changed(
        hidden,
        'Its value is not the one of the target. It is behind a signature that does not show it, so nobody can be asked whether it is a proof.',
      ),
    ];
  }

  /** The order of universe levels is part of what statements mean. */
  async #lostOrders(comparison: Comparison, { file, unit }: CompiledSubmission): Promise<readonly Finding[]> {
    if (comparison.lostOrders([]).length === 0) return [];
    const [lost] = comparison.lostOrders(await libraryContents(file, unit));
    return lost === undefined
      ? []
      : [
          differenceFinding(this.#submission, {
            kind: 'definition-changed',
            subject: '',
            message: 'It does not demand of universe levels what the target demands.',
          }),
        ];
  }

  async #assumptions(
    { file, unit, questions }: CompiledSubmission,
    { provable, open, axioms }: Selection,
    { constants }: Reference,
    { libraries, addsLibraries }: { readonly libraries: readonly string[]; readonly addsLibraries: boolean },
  ): Promise<{ readonly statements: readonly JudgedStatement[] } | Verdict> {
    const { policy = {}, inDetail = false } = this.#settings;
    const { shown: names, hidden } = byVisibility([...provable], constants);
    const areAllClosed = async (those: readonly string[]): Promise<boolean> =>
      areClosed(file, those, await librariesOf(file, unit));
    const restOnNothing = (those: readonly string[]): readonly JudgedStatement[] =>
      those.map((name) => ({ name, assumptions: [], openStatements: [] }));
    if (hidden.length > 0 && !(await areAllClosed(hidden)))
      return unknown(
        'unsupported',
        `Nobody can be asked what ${hidden.join(', ')} rests on: a signature hides it. State it outside of the module.`,
      );
    if (names.length === 0) return { statements: restOnNothing(hidden) };
    const follows = unit.asksSlowly === true && !inDetail;
    if (follows && (await areAllClosed(names))) return { statements: restOnNothing([...provable]) };
    const answer = await questions.assumptions(names);
    if (answer.status === 'unknown') return unknownVerdict(answer);
    const used = [...answer.of.values()].flatMap(({ axioms: all }) => all.filter(({ local }) => !local));
    const elsewhere = await openElsewhere(
      this.#settings.project,
      libraries,
      used.map(({ name }) => name),
    );
    const findings: Finding[] = [];
    const statements = names.map((name) => {
      const judged = judgeAssumptions(name, answer.of.get(name), {
        policy,
        ofTargetFile: (axiom) => axioms.has(axiom),
        ofTargetLibraries: (axiom) => libraries.some((library) => axiom.startsWith(`${library}.`)),
        isOpenElsewhere: (axiom) => elsewhere.has(axiom),
        isStatement: (axiom) => provable.has(axiom) || open.has(axiom),
        mayBeOpen: (axiom) => open.has(axiom),
        checksAreTargets: !addsLibraries,
      });
      findings.push(...judged.objections.map((objection) => withPlace(this.#submission, name, objection)));
      return judged.statement;
    });
    return findings.length > 0
      ? this.#rejected(findings)
      : { statements: inOrder([...statements, ...restOnNothing(hidden)], [...provable]) };
  }

  /** A verdict when the separate checker says no, or had to look and could not. */
  async #recheck({ unit, questions }: CompiledSubmission): Promise<Verdict | undefined> {
    const { policy = {} } = this.#settings;
    const answer = await questions.recheck();
    switch (answer.status) {
      case 'accepted':
        this.#about = { ...this.#about, recheckedBy: answer.by };
        return undefined;
      case 'refused':
        return this.#rejected([kernelFinding(this.#submission, answer.message)]);
      case 'unknown':
        return unknown(answer.reason, `The separate checker did not finish: ${answer.message}`);
      case 'missing':
        if (policy.recheck === 'always' || (policy.recheck === undefined && unit.recheck !== undefined))
          return unknown(
            'prover-missing',
            `${answer.message} The policy does not do without a second check.`,
          );
        if (unit.recheck === undefined && unit.hadChecksOff === true)
          return unknown(
            'unsupported',
            'Kernel checks were off at some time, and this prover has no separate checker that would tell for which proofs.',
          );
        this.#warnings.push({ kind: 'not-rechecked', message: answer.message });
        return undefined;
    }
  }

  async #rejected(findings: readonly Finding[]): Promise<Verdict> {
    return { kind: 'rejected', findings, restsOn: await this.#restsOn() };
  }

  async #restsOn(): Promise<RestsOn> {
    const judged = await judgedBy(this.#settings, this.#target.source, this.#submission.source.text);
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

function inOrder(
  statements: readonly JudgedStatement[],
  names: readonly string[],
): readonly JudgedStatement[] {
  return statements.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
}

/** What a signature hides cannot be named, so nothing can be asked about it. */
function byVisibility(
  names: readonly string[],
  constants: readonly DeclaredConstant[],
): { readonly shown: readonly string[]; readonly hidden: readonly string[] } {
  const isHidden = new Set(constants.flatMap((constant) => (constant.isHidden ? [constant.name] : [])));
  return {
    shown: names.filter((name) => !isHidden.has(name)),
    hidden: names.filter((name) => isHidden.has(name)),
  };
}

/** What `abstract`, `Program` and schemes made on demand are called: after the statement, or apart from all others. */
function isNamedByTactics(name: string, provable: ReadonlySet<string>): boolean {
  const own = name.slice(name.lastIndexOf('.') + 1);
  if (/^(?:internal|ltac_gen)_/.test(own)) return true;
  return [...provable].some((statement) => name.startsWith(`${statement}_`));
}

/** Whether the target lists what a statement demands of its universe levels, and leaves nothing open with a `+`. */
function demandsAllOfLevels(target: Script, name: string): boolean {
  const statement = target.statements.find(({ names }) => names.includes(name));
  const text = statement && target.outline.sentences[statement.item.sentence]?.text;
  const [, demands] = /@\{[^|}]*\|([^}]*)\}/u.exec(orNothing(text)) ?? [];
  return demands !== undefined && !demands.includes('+');
}

function unknownVerdict({ reason, message }: Unknown): Verdict {
  return { kind: 'unknown', reason, message };
}

function targetProblem(result: Exclude<ReferenceResult, { status: 'compiled' }>, path: string): Verdict {
  switch (result.status) {
    case 'failed':
      return unknown('does-not-compile', `The target ${path} does not compile: ${result.error.message}`);
    case 'stopped':
      return unknown(
        'invalid-input',
        `The target ${path} does what no proof needs: ${result.incidents.map(({ detail }) => detail).join('; ')}`,
      );
    case 'unknown':
      return unknownVerdict(result);
  }
}

function optionFinding(file: string, option: string, what: string): Finding {
  return {
    kind: 'checks-disabled',
    file,
    message: `The project ${what} with ${option}.`,
    remedy: 'Remove the option from the project file, or have the policy allow it (flags).',
  };
}

function kernelFinding(submission: Script, message: string): Finding {
  return {
    kind: 'kernel-rejected',
    file: submission.source.path,
    message: `The separate checker refuses the compiled submission: ${message}`,
    remedy: 'Report it with the file: the prover accepted what its own checker refuses.',
  };
}
