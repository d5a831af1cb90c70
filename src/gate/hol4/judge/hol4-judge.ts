/**
 * Does a HOL4 script prove what a target script states? `accepted` rests on the kernel of Quod's own, which repeats
 * every step of the submission's proofs and of all theories below, down to the axioms. What comes before it only
 * refuses: a scan of the text; target and submission built by Holmake, each in a sandbox of its own, with the
 * trusted HOL read-only and nobody's Holmakefile; the data that the builds wrote, read without running it and
 * compared as terms. Without a HOL4 that exports its proofs the verdict is `unknown: not-replayed`, unless the
 * policy settles for Holmake's word.
 *
 * The target is trusted: its text, and the theories and libraries beside it. The submission is one file.
 */
import { basename, dirname } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { parseScript } from '../../../provers/hol4/syntax/script.ts';
import { incidentFindings, sandboxLimitsOf } from '../../foreign-run.ts';
import type { Judge, JudgeOptions, PreparedTarget } from '../../judge.ts';
import { notInTarget } from '../../policy-names.ts';
import { allowsAxiom, allowsAxiomsOfTarget, DEFAULT_LIMITS, type GatePolicy } from '../../policy.ts';
import { sha256 } from '../../../core/sha256.ts';
import {
  type Finding,
  type JudgedStatement,
  naming,
  type RestsOn,
  type SourceText,
  type Verdict,
  type Warning,
} from '../../verdict.ts';
import { ancestryOf, axiomsIn, theoryAxioms, type Ancestry } from '../theory/ancestry.ts';
import {
  insistOnEnd,
  InstalledHols,
  tellingLines,
  TargetBuilds,
  type BuiltTarget,
  type Hols,
} from '../theory/built-target.ts';
import { dataFindings, definedBy } from '../theory/data-findings.ts';
import { printStatement } from '../kernel/statement.ts';
import { theoryProjectFiles } from '../theory/project-files.ts';
import { findingKindOf, replaySubmission } from './replay-submission.ts';
import type { ReplayedTheory } from '../replay/replayed-theories.ts';
import { scanScript } from './script-scan.ts';
import type { TheoryBuild, TheoryFiles } from '../theory/theory-build.ts';
import { compareWithData, expectedSha1, readTheoryData, type TheoryData } from '../theory/theory-data.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

export interface Hol4JudgeSettings {
  /** Default: those of the machine. */
  readonly hols?: Hols;
  /** Keeps the theories that were replayed. Default: `QUOD_REPLAY_CACHE`, if it is set; else nothing is kept. */
  readonly replayCache?: string;
}

export class Hol4Judge implements Judge {
  readonly #settings: Hol4JudgeSettings;
  readonly #installed = new InstalledHols();
  readonly #builds = new TargetBuilds();

  constructor(settings: Hol4JudgeSettings = {}) {
    this.#settings = settings;
  }

  prepare(target: SourceText, options: JudgeOptions): Promise<PreparedTarget> {
    const setting: Setting = {
      target,
      policy: options.policy ?? {},
      othersMayStayOpen: options.othersMayStayOpen ?? false,
      signal: options.signal,
      hols: this.#settings.hols ?? this.#installed.find(process.env),
      builds: this.#builds,
      replayCache: this.#settings.replayCache ?? process.env['QUOD_REPLAY_CACHE'],
    };
    return Promise.resolve({
      judge: async (submission) => {
        try {
          return await new Judgement(setting, submission).judge();
        } catch (error) {
          if (!(error instanceof QuodError)) throw error;
          return { kind: 'unknown', reason: error.reason, message: error.toString() };
        }
      },
    });
  }
}

/** The gate's judge of HOL4. */
export const hol4Judge: Judge = new Hol4Judge();

interface Setting {
  readonly target: SourceText;
  readonly policy: GatePolicy;
  readonly othersMayStayOpen: boolean;
  readonly signal: AbortSignal | undefined;
  readonly hols: Hols;
  readonly builds: TargetBuilds;
  readonly replayCache: string | undefined;
}

/** On what an acceptance rests. */
type Ground =
  | { readonly kind: 'replay'; readonly theory: ReplayedTheory }
  | { readonly kind: 'holmake'; readonly why: string };

/** What was looked at before the proofs are. */
interface Looked {
  readonly data: TheoryData;
  readonly ancestry: Ancestry;
  readonly wanted: readonly string[];
}

/** One submission. What cannot be looked at ends in a QuodError, which is the verdict `unknown`. */
class Judgement {
  readonly #setting: Setting;
  readonly #policy: GatePolicy;
  readonly #submission: SourceText;
  readonly #theory: string;
  readonly #started = performance.now();
  readonly #findings: Finding[] = [];

  constructor(setting: Setting, submission: SourceText) {
    this.#setting = setting;
    this.#policy = setting.policy;
    this.#submission = submission;
    this.#theory = basename(setting.target.path).replace(/Script\.sml$/, '');
  }

  async judge(): Promise<Verdict> {
    this.#insistOnScripts();
    const project = await this.#project();
    const { target, builds, hols, policy, signal } = this.#setting;
    const script = `${this.#theory}Script.sml`;
    const files = new Map<string, string | Uint8Array>([...project, [script, target.text]]);
    const built = await builds.build({ theory: this.#theory, files, policy, signal }, hols);
    const wanted = this.#wanted(built.data);

    this.#scan();
    if (this.#findings.length > 0) return this.#rejected(built);
    const build = await this.#buildSubmission(built, project);
    for (const found of incidentFindings(this.#submission.path, build.incidents)) this.#findings.push(found);
    const submission = build.theories.get(this.#theory);
    if (submission === undefined) {
      const message = `Holmake does not build it: ${tellingLines(build.said)}`;
      this.#report('does-not-compile', message, 'Build it with Holmake.');
      return this.#rejected(built, build);
    }
    const data = this.#readData(submission);
    if (data === undefined) return this.#rejected(built, build);
    const ancestry = this.#compare(built, data);
    if (this.#findings.length > 0) return this.#rejected(built, build);
    const ground = await this.#ground(built, submission, { data, ancestry, wanted });
    if (this.#findings.length > 0) return this.#rejected(built, build, ground);

    const below = [...ancestry.axioms, ...theoryAxioms(data)].sort();
    const statements = wanted.map((name): JudgedStatement => {
      const theorem = data.theorems.get(name);
      if (theorem === undefined)
        throw new QuodError('internal', `The theorem ${name} was not compared with the target's.`);
      const restsOn = ground.kind === 'replay' ? ground.theory.theorems.get(name)?.restsOn : below;
      if (restsOn === undefined) throw new QuodError('internal', `The replay does not have ${name}.`);
      return { name, printed: printStatement(theorem.statement), ...splitAxioms(restsOn, below) };
    });
    return { kind: 'accepted', statements, restsOn: this.#restsOn(built, build, ground) };
  }

  /** @throws QuodError where the files alone tell that nothing can be judged. */
  #insistOnScripts(): void {
    const { target } = this.#setting;
    for (const { path, text } of [target, this.#submission]) {
      if (!path.endsWith('Script.sml'))
        throw unfit(`${basename(path)} is no HOL4 script. Name files that end in Script.sml.`);
      if (text.includes('\uFFFD')) throw unfit(`${basename(path)} is not UTF-8.`);
    }
    if (!/^[A-Za-z][\w']*$/.test(this.#theory)) throw unfit(`${this.#theory} is no name of a theory.`);
    const { header, problems } = parseScript(target.text);
    if (header !== undefined && header.name !== this.#theory)
      throw unfit(
        `The target is a script of ${header.name}, and its file is called ${basename(target.path)}.`,
      );
    const [problem] = problems;
    if (problem !== undefined) throw unfit(`The target cannot be read: ${problem.message}`);
  }

  async #project(): Promise<ReadonlyMap<string, Uint8Array>> {
    const { target } = this.#setting;
    const isBeside = dirname(this.#submission.path) === dirname(target.path);
    return await theoryProjectFiles(target, new Set(isBeside ? [basename(this.#submission.path)] : []));
  }

  /** The text may be refused, and then nothing of it is run. It is no reason to accept anything. */
  #scan(): void {
    const allowed = new Set(this.#policy.commands ?? []);
    const mayAssert =
      (this.#policy.axioms !== undefined && this.#policy.axioms !== 'target') ||
      scanScript(this.#setting.target).some(({ kind }) => kind === 'new-axiom');
    for (const finding of scanScript(this.#submission)) {
      // Which axioms they are is compared as terms.
      if (finding.kind === 'new-axiom' && mayAssert) continue;
      // What stays open, and what rests on it, is told by the proofs.
      if (finding.kind === 'admitted' && this.#setting.othersMayStayOpen) continue;
      const { subject } = finding;
      if (subject?.split('.').some((part) => allowed.has(part)) !== true) this.#findings.push(finding);
    }
  }

  async #buildSubmission(
    { hol, build }: BuiltTarget,
    project: ReadonlyMap<string, Uint8Array>,
  ): Promise<TheoryBuild> {
    const theory = this.#theory;
    const ofTarget = (path: string): boolean =>
      basename(path).startsWith(`${theory}Theory.`) || basename(path).startsWith(`${theory}Script.`);
    const built = await hol.build({
      theory,
      files: new Map<string, string | Uint8Array>([
        ...project,
        ...[...build.objects].filter(([path]) => !ofTarget(path)),
        [`${theory}Script.sml`, this.#submission.text],
      ]),
      requireSandbox: this.#policy.requireSandbox ?? false,
      signal: this.#setting.signal,
      limits: sandboxLimitsOf(this.#policy),
    });
    insistOnEnd(built, 'Building the submission');
    return built;
  }

  /** The statements to be proved: those that the target leaves open, or those that the policy names. */
  #wanted({ theorems }: TheoryData): readonly string[] {
    const unknownName = notInTarget(
      'definition',
      this.#policy.definitionsMayChange ?? [],
      definedBy(theorems),
    );
    if (unknownName !== undefined) throw unfit(unknownName);
    const named = this.#policy.theorems;
    if (named === undefined) {
      const open = [...theorems].filter(([, { oracles }]) => oracles.includes('cheat')).map(([name]) => name);
      if (open.length > 0) return open;
      throw unfit(
        'The target leaves no statement open: a proof to be given is `cheat` there, and not local.',
      );
    }
    const absent = notInTarget('statement', named, theorems.keys());
    if (absent !== undefined) throw unfit(absent);
    return named;
  }

  #readData({ data, module }: TheoryFiles): TheoryData | undefined {
    let read: TheoryData;
    try {
      read = readTheoryData(data);
    } catch (error) {
      if (!(error instanceof MalformedTrace)) throw error;
      const message = `The data that the build left is none of HOL's: ${error.message}`;
      this.#report('result-tampered', message, LEAVE_ALONE);
      return undefined;
    }
    if (expectedSha1(module) !== read.sha1) {
      const message = 'The data is not the one that was exported with its module.';
      this.#report('result-tampered', message, LEAVE_ALONE);
    }
    if (read.name !== this.#theory)
      this.#report('missing', `It builds the theory ${read.name}.`, `Build ${this.#theory}.`);
    return read;
  }

  #compare({ hol, build, data }: BuiltTarget, submission: TheoryData): Ancestry {
    const policy = this.#policy;
    const project = new Map<string, TheoryData>();
    for (const [name, files] of build.theories)
      if (name !== this.#theory) project.set(name, readTheoryData(files.data));
    const ofTarget = new Set([...ancestryOf(data, hol, project).axioms, ...theoryAxioms(data)]);
    const allows = (axiom: string): boolean =>
      (allowsAxiomsOfTarget(policy) && ofTarget.has(axiom)) || allowsAxiom(policy, axiom);
    const inData = dataFindings(this.#submission.path, data, submission, {
      allowsAxiom: allows,
      allowsOracle: (oracle) =>
        allowsAxiom(policy, oracle) || (this.#setting.othersMayStayOpen && oracle === 'cheat'),
      definitionsMayChange: policy.definitionsMayChange ?? [],
      helperLemmas: policy.helperLemmas ?? true,
    });
    for (const found of inData) this.#findings.push(found);
    const ancestry = ancestryOf(submission, hol, project);
    for (const { name, message } of ancestry.foreign)
      this.#report('new-dependency', message, "Rest on HOL's own theories and the target's.", name);
    for (const axiom of ancestry.axioms) {
      if (allows(axiom)) continue;
      const message = 'A theory below asserts it, and none below the target does.';
      this.#report('new-axiom', message, 'Do without.', axiom);
    }
    return ancestry;
  }

  /** Replays the proofs, or says why Holmake's word is enough. What is found against them is reported. */
  async #ground(
    { hol, build, files, replay }: BuiltTarget,
    submission: TheoryFiles,
    { data, ancestry, wanted }: Looked,
  ): Promise<Ground> {
    if (replay.kind === 'impossible') {
      const isEnough =
        this.#policy.settleFor?.includes('holmake') === true && this.#policy.recheck !== 'always';
      const open = wanted.filter((name) => data.theorems.get(name)?.oracles.includes('cheat') === true);
      if (isEnough && open.length === 0) return { kind: 'holmake', why: replay.why };
      throw new QuodError(
        'not-replayed',
        open.length > 0
          ? `Only a replay tells which open statements ${open.join(', ')} rests on. ${replay.why}`
          : `Holmake has nothing against the submission, but its proofs were not replayed. ${replay.why}`,
        { remedy: replay.remedy },
      );
    }
    const replayed = await replaySubmission({
      theory: this.#theory,
      target: files,
      submission,
      ancestry,
      // Which axioms they are, and that they are allowed, was compared as terms before.
      ...(this.#setting.othersMayStayOpen && { wanted }),
      axioms: new Map([
        ...[...ancestry.ancestors.values()].flatMap(({ theory }) => axiomsIn(theory)),
        ...axiomsIn(data),
      ]),
      project: build.theories,
      hol,
      timeoutMs: this.#policy.limits?.time ?? DEFAULT_LIMITS.time,
      cacheDirectory: this.#setting.replayCache,
      signal: this.#setting.signal,
    });
    const mayChange = new Set(this.#policy.definitionsMayChange ?? []);
    for (const { code, message, subject } of replayed.findings) {
      const local = subject?.slice(subject.indexOf('$') + 1);
      if (code === 'definition-changed' && local !== undefined && mayChange.has(local)) continue;
      const said = `The replay of its proofs refuses it (${code}): ${message}`;
      this.#report(findingKindOf(code), said, 'Prove it by the rules of HOL4’s kernel.', subject);
    }
    const { theory } = replayed;
    if (theory === undefined) {
      if (this.#findings.length === 0)
        throw new QuodError('internal', 'The replay has no theory and no findings.');
      return { kind: 'holmake', why: 'The replay refuses it.' };
    }
    for (const { code, subject, message } of compareWithData(data, theory)) {
      if (code === 'oracle-tag') continue;
      this.#report('result-tampered', `Data and proofs disagree: ${message}`, LEAVE_ALONE, subject);
    }
    return { kind: 'replay', theory };
  }

  #report(kind: Finding['kind'], message: string, remedy: string, subject?: string): void {
    const file = this.#submission.path;
    const said = naming(subject, message);
    this.#findings.push({ kind, file, message: said, remedy, ...(subject !== undefined && { subject }) });
  }

  #rejected(target: BuiltTarget, build?: TheoryBuild, ground?: Ground): Verdict {
    return { kind: 'rejected', findings: this.#findings, restsOn: this.#restsOn(target, build, ground) };
  }

  /** `build` is that of the submission, where it came so far. */
  #restsOn({ hol, files }: BuiltTarget, build?: TheoryBuild, ground?: Ground): RestsOn {
    const warnings: Warning[] = [];
    if (build?.isolation === 'none')
      warnings.push({ kind: 'no-sandbox', message: 'There is no bubblewrap here: only limits held.' });
    if (ground?.kind === 'holmake')
      warnings.push({ kind: 'not-independently-replayed', message: ground.why });
    const built = build?.theories.get(this.#theory);
    return {
      prover: `hol4 ${hol.version}`,
      backend: ground?.kind === 'replay' ? 'holmake, replayed' : 'holmake',
      targetSha256: sha256(this.#setting.target.text),
      submissionSha256: sha256(this.#submission.text),
      pinnedBy: ['compiled-objects'],
      ...(built && { compiledSha256: sha256(built.data) }),
      files: [{ path: `${this.#theory}Theory.dat of the target`, sha256: sha256(files.data) }],
      ...(build && { isolation: build.isolation }),
      ...(warnings.length > 0 && { warnings }),
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}

/** What a theorem rests on that is no axiom is an open statement of the target. */
function splitAxioms(
  restsOn: readonly string[],
  axioms: readonly string[],
): Pick<JudgedStatement, 'assumptions' | 'openStatements'> {
  const known = new Set(axioms);
  return {
    assumptions: restsOn.filter((name) => known.has(name)),
    openStatements: restsOn.filter((name) => !known.has(name)),
  };
}

const LEAVE_ALONE = 'Leave what Holmake writes alone.';

function unfit(message: string): QuodError {
  return new QuodError('invalid-input', message);
}
