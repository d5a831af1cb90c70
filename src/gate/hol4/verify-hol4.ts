/**
 * Does a HOL4 script prove what a target script states? Layers, each with findings of its own: the text is scanned for what
 * gets around the kernel; target and submission are built by Holmake, each in a sandbox of its own, with the trusted HOL
 * read-only and nobody's Holmakefile; the data that the builds wrote is read without running it and compared as terms, with
 * oracles, hypotheses and the axioms of the whole ancestry; and where there is a HOL4 with the tracing kernel, the proofs are
 * replayed by a kernel of Quod's own. Without one the verdict says `not-independently-replayed`.
 *
 * The target is trusted: its text, and the theories and libraries beside it. The submission is one file.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findHol4, type HolInstallation } from '../../provers/hol4/discovery.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { allowsAxiom, allowsAxiomsOfTarget, DEFAULT_LIMITS, type GatePolicy } from '../policy.ts';
import { incidentFindings, sandboxLimitsOf, stoppedVerdict } from '../foreign-run.ts';
import { sha256 } from '../sha256.ts';
import type { Finding, JudgedStatement, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { ancestryOf, axiomsOf } from './ancestry.ts';
import { dataFindings } from './data-findings.ts';
import { printStatement } from './kernel/statement.ts';
import { findingKindOf, replaySubmission } from './replay-submission.ts';
import { scanScript } from './script-scan.ts';
import { installedHol, type TheoryBuild, type TheoryFiles, type TrustedHol } from './theory-build.ts';
import { expectedSha1, readTheoryData, type TheoryData } from './theory-data.ts';
import { MalformedTrace } from './trace-reader.ts';

export interface Hol4JudgeSettings {
  readonly policy?: GatePolicy | undefined;
  /** Default: `QUOD_HOL4` and the other places where HOL4 is looked for. */
  readonly hol?: TrustedHol | undefined;
  /** A HOL4 with the tracing kernel. Default: `QUOD_HOL4_TRACING`, if it is set. */
  readonly tracingHol?: TrustedHol | undefined;
  /** Keeps the theories that were replayed. Default: `QUOD_REPLAY_CACHE`, if it is set; else nothing is kept. */
  readonly replayCache?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws QuodError where there is no HOL4, no sandbox that the policy requires, or the limits are reached. */
export async function verifyHol4(
  target: SourceText,
  submission: SourceText,
  settings: Hol4JudgeSettings = {},
): Promise<Verdict> {
  return await new Hol4Judgement(target, submission, settings).judge();
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

interface Prepared {
  readonly hol: TrustedHol;
  readonly build: TheoryBuild;
  readonly files: TheoryFiles;
  readonly data: TheoryData;
}

/** More beside a target is no project but a disk. */
const MOST_FILES = 2000;
const MOST_BYTES = 64 * 1024 ** 2;

class Hol4Judgement {
  readonly #target: SourceText;
  readonly #submission: SourceText;
  readonly #settings: Hol4JudgeSettings;
  readonly #policy: GatePolicy;
  readonly #theory: string;
  readonly #started = performance.now();
  readonly #findings: Finding[] = [];
  readonly #warnings: Warning[] = [];

  constructor(target: SourceText, submission: SourceText, settings: Hol4JudgeSettings) {
    this.#target = target;
    this.#submission = submission;
    this.#settings = settings;
    this.#policy = settings.policy ?? {};
    this.#theory = basename(target.path).replace(/Script\.sml$/, '');
  }

  async judge(): Promise<Verdict> {
    const unfit = this.#unfit();
    if (unfit !== undefined) return unfit;
    this.#scan();
    const project = await this.#projectFiles();
    const prepared = await this.#prepareTarget(project);
    if ('kind' in prepared) return prepared;
    const wanted = this.#wanted(prepared.data);
    if ('kind' in wanted) return wanted;
    const theory = this.#theory;
    const script = `${theory}Script.sml`;
    const kept = [...prepared.build.objects].filter(
      ([path]) => !basename(path).startsWith(`${theory}Theory.`),
    );
    const objects = kept.filter(([path]) => !basename(path).startsWith(`${theory}Script.`));
    const files = new Map<string, string | Uint8Array>([
      ...project,
      ...objects,
      [script, this.#submission.text],
    ]);
    const build = await this.#build(prepared.hol, files);
    if (build.stopped !== undefined) return stoppedVerdict(build.stopped, 'Building the submission');
    this.#findings.push(...incidentFindings(this.#submission.path, build.incidents));
    const built = build.theories.get(theory);
    const rests = this.#restsOn(prepared, build);
    if (built === undefined) {
      this.#report(
        'does-not-compile',
        `Holmake does not build it: ${lastWords(build.said)}`,
        'Build it with Holmake.',
      );
      return { kind: 'rejected', findings: this.#findings, restsOn: rests() };
    }
    const data = this.#readData(built);
    if (data === undefined) return { kind: 'rejected', findings: this.#findings, restsOn: rests() };
    const ancestry = this.#compare(prepared, data);
    if (this.#findings.length === 0) {
      const undecided = await this.#replay(prepared, built, ancestry);
      if (undecided !== undefined) return undecided;
    }
    if (this.#findings.length > 0) return { kind: 'rejected', findings: this.#findings, restsOn: rests() };
    const assumptions = [...ancestry.axioms, ...axiomsOf(data)].sort();
    const statements = wanted.map((name): JudgedStatement => {
      const statement = data.theorems.get(name)?.statement ?? '';
      return { name, printed: printStatement(statement), assumptions, openStatements: [] };
    });
    return { kind: 'accepted', statements, restsOn: rests() };
  }

  /** Why nothing can be judged, told by the files alone. */
  #unfit(): Unknown | undefined {
    const wrong = (message: string): Unknown => ({ kind: 'unknown', reason: 'invalid-input', message });
    for (const { path, text } of [this.#target, this.#submission]) {
      if (!path.endsWith('Script.sml'))
        return wrong(`${basename(path)} is no HOL4 script. Name files that end in Script.sml.`);
      if (text.includes('\uFFFD')) return wrong(`${basename(path)} is not UTF-8.`);
    }
    if (!/^[A-Za-z][\w']*$/.test(this.#theory)) return wrong(`${this.#theory} is no name of a theory.`);
    const { header, problems } = parseScript(this.#target.text);
    if (header !== undefined && header.name !== this.#theory)
      return wrong(
        `The target is a script of ${header.name}, and its file is called ${basename(this.#target.path)}.`,
      );
    const [problem] = problems;
    return problem === undefined ? undefined : wrong(`The target cannot be read: ${problem.message}`);
  }

  #scan(): void {
    const allowed = new Set(this.#policy.commands ?? []);
    const targetAsserts = scanScript(this.#target).some(({ kind }) => kind === 'new-axiom');
    this.#findings.push(
      ...scanScript(this.#submission).filter(({ subject, kind }) => {
        if ((subject ?? '').split('.').some((part) => allowed.has(part))) return false;
        // Which axioms they are is compared as terms.
        return !(kind === 'new-axiom' && targetAsserts);
      }),
    );
  }

  /** The target's own theories and libraries: what lies beside it, without scripts of its name and without Holmakefiles. */
  async #projectFiles(): Promise<ReadonlyMap<string, string>> {
    const folder = dirname(this.#target.path);
    const own = new Set([basename(this.#target.path), basename(this.#submission.path)]);
    const sameFolder = dirname(this.#submission.path) === folder;
    const files = new Map<string, string>();
    let bytes = 0;
    for (const name of await readdir(folder).catch(() => [])) {
      if (!/^[\w']+\.(?:sml|sig)$/.test(name) || /Theory\.(?:sml|sig)$/.test(name)) continue;
      if (name === basename(this.#target.path) || (sameFolder && own.has(name))) continue;
      const text = await readFile(join(folder, name), 'utf8');
      bytes += text.length;
      if (files.size >= MOST_FILES || bytes > MOST_BYTES) break;
      files.set(name, text);
    }
    return files;
  }

  /** Builds the target with the tracing HOL4, if there is one that can, else with the other. */
  async #prepareTarget(project: ReadonlyMap<string, string>): Promise<Prepared | Unknown> {
    const files = new Map([...project, [`${this.#theory}Script.sml`, this.#target.text]]);
    const tracing = this.#policy.recheck === 'never' ? undefined : this.#tracingHol();
    const ordinary = this.#settings.hol ?? trusted(findHol4());
    let said = '';
    for (const hol of [tracing, ordinary]) {
      if (hol === undefined) continue;
      const key = sha256(JSON.stringify([this.#theory, [...files].sort()]));
      const before = builtTargets.get(hol)?.get(key);
      const build = before ?? (await this.#build(hol, files));
      if (build.stopped !== undefined) return stoppedVerdict(build.stopped, 'Building the target');
      const built = build.theories.get(this.#theory);
      if (built !== undefined && before === undefined) keepTarget(hol, key, build);
      if (built !== undefined) {
        if (hol !== tracing) this.#notReplayed(tracing, said);
        return { hol, build, files: built, data: readTheoryData(built.data) };
      }
      said = lastWords(build.said);
    }
    if (tracing === undefined && ordinary === undefined)
      return {
        kind: 'unknown',
        reason: 'prover-missing',
        message: 'There is no HOL4: set QUOD_HOL4 to its folder.',
      };
    return { kind: 'unknown', reason: 'does-not-compile', message: `The target cannot be built: ${said}` };
  }

  #notReplayed(tracing: TrustedHol | undefined, said: string): void {
    const message =
      this.#policy.recheck === 'never'
        ? 'The policy asks for no replay.'
        : tracing === undefined
          ? 'There is no HOL4 with the tracing kernel here (QUOD_HOL4_TRACING).'
          : `The HOL4 with the tracing kernel cannot build the target: ${said}`;
    this.#warnings.push({ kind: 'not-independently-replayed', message });
  }

  #tracingHol(): TrustedHol | undefined {
    const chosen = process.env['QUOD_HOL4_TRACING'];
    return (
      this.#settings.tracingHol ??
      (chosen ? trusted(findHol4({ ...process.env, QUOD_HOL4: chosen })) : undefined)
    );
  }

  async #build(hol: TrustedHol, files: ReadonlyMap<string, string | Uint8Array>): Promise<TheoryBuild> {
    return await hol.build({
      theory: this.#theory,
      files,
      requireSandbox: this.#policy.requireSandbox ?? false,
      signal: this.#settings.signal,
      limits: sandboxLimitsOf(this.#policy),
    });
  }

  /** The statements to be proved: those that the target leaves open, or those that the policy names. */
  #wanted({ theorems }: TheoryData): readonly string[] | Unknown {
    const named = this.#policy.theorems;
    const open = [...theorems].filter(([, { oracles }]) => oracles.includes('cheat')).map(([name]) => name);
    const unknown = (message: string): Unknown => ({ kind: 'unknown', reason: 'invalid-input', message });
    if (named === undefined) {
      return open.length > 0
        ? open
        : unknown(
            'The target leaves no statement open: a proof to be given is `cheat` there, and not local.',
          );
    }
    const absent = named.filter((name) => !theorems.has(name));
    return absent.length === 0 ? named : unknown(`The target has no theorem ${absent.join(', ')}.`);
  }

  #readData({ data, module }: TheoryFiles): TheoryData | undefined {
    let read: TheoryData;
    try {
      read = readTheoryData(data);
    } catch (error) {
      if (!(error instanceof MalformedTrace)) throw error;
      this.#report(
        'result-tampered',
        `The data that the build left is none of HOL's: ${error.message}`,
        LEAVE_ALONE,
      );
      return undefined;
    }
    const recorded = expectedSha1(module);
    if (recorded !== read.sha1)
      this.#report(
        'result-tampered',
        'The data is not the one that was exported with its module.',
        LEAVE_ALONE,
      );
    if (read.name !== this.#theory)
      this.#report('missing', `It builds the theory ${read.name}.`, `Build ${this.#theory}.`);
    return read;
  }

  #compare({ hol, build, data }: Prepared, submission: TheoryData): ReturnType<typeof ancestryOf> {
    const policy = this.#policy;
    const project = new Map<string, TheoryData>();
    for (const [name, files] of build.theories)
      if (name !== this.#theory) project.set(name, readTheoryData(files.data));
    const allows = (name: string): boolean => allowsAxiom(policy, name);
    this.#findings.push(
      ...dataFindings(this.#submission.path, data, submission, {
        allowsAxiom: allows,
        definitionsMayChange: policy.definitionsMayChange ?? [],
        helperLemmas: policy.helperLemmas ?? true,
      }),
    );
    const ancestry = ancestryOf(submission, hol, project);
    for (const { name, message } of ancestry.foreign)
      this.#report('new-dependency', message, "Rest on HOL's own theories and the target's.", name);
    const before = ancestryOf(data, hol, project).axioms;
    for (const axiom of ancestry.axioms) {
      if ((allowsAxiomsOfTarget(policy) && before.has(axiom)) || allows(axiom)) continue;
      this.#report(
        'new-axiom',
        'A theory below asserts it, and none below the target does.',
        'Do without.',
        axiom,
      );
    }
    return ancestry;
  }

  async #replay(
    { hol, build, files }: Prepared,
    submission: TheoryFiles,
    ancestry: ReturnType<typeof ancestryOf>,
  ): Promise<Unknown | undefined> {
    const always = this.#policy.recheck === 'always';
    if (this.#warnings.some(({ kind }) => kind === 'not-independently-replayed')) {
      const message = `The policy asks for a replay. ${this.#warnings[0]?.message ?? ''}`;
      return always ? { kind: 'unknown', reason: 'prover-missing', message } : undefined;
    }
    const replayed = await replaySubmission({
      theory: this.#theory,
      target: files,
      submission,
      ancestry,
      project: build.theories,
      hol,
      timeoutMs: this.#policy.limits?.time ?? DEFAULT_LIMITS.time,
      cacheDirectory: this.#settings.replayCache ?? process.env['QUOD_REPLAY_CACHE'],
      signal: this.#settings.signal,
    });
    if (replayed.kind === 'no-traces') {
      // The target's own trace was there: it is the submission that goes without.
      const message = `There are no traces of ${replayed.missing.slice(0, 5).join(', ')}, so its proofs cannot be replayed.`;
      return { kind: 'unknown', reason: 'library-missing', message };
    }
    const { verdict } = replayed;
    if (verdict.kind === 'unknown')
      return { kind: 'unknown', reason: verdict.reason, message: verdict.message };
    if (verdict.kind === 'accepted') return undefined;
    const mayChange = new Set(this.#policy.definitionsMayChange ?? []);
    for (const { code, message, subject } of verdict.findings) {
      if (code === 'definition-changed' && mayChange.has(subject?.split('$').at(-1) ?? '')) continue;
      this.#report(
        findingKindOf(code),
        `The replay of its proofs refuses it (${code}): ${message}`,
        'Prove it by the rules of HOL4’s kernel.',
        subject,
      );
    }
    return undefined;
  }

  #report(kind: Finding['kind'], message: string, remedy: string, subject?: string): void {
    const file = this.#submission.path;
    this.#findings.push({ kind, file, message, remedy, ...(subject !== undefined && { subject }) });
  }

  #restsOn({ hol, files }: Prepared, build: TheoryBuild): () => RestsOn {
    return () => {
      const warnings: Warning[] = [...this.#warnings];
      if (build.isolation === 'none')
        warnings.unshift({ kind: 'no-sandbox', message: 'There is no bubblewrap here: only limits held.' });
      const built = build.theories.get(this.#theory);
      const replayed = !warnings.some(({ kind }) => kind === 'not-independently-replayed');
      return {
        prover: `hol4 ${hol.version}`,
        backend: replayed ? 'holmake, replayed' : 'holmake',
        targetSha256: sha256(this.#target.text),
        submissionSha256: sha256(this.#submission.text),
        pinnedBy: ['compiled-objects'],
        ...(built && { compiledSha256: sha256(built.data) }),
        files: [{ path: `${this.#theory}Theory.dat of the target`, sha256: sha256(files.data) }],
        isolation: build.isolation,
        ...(warnings.length > 0 && { warnings }),
        elapsedMs: Math.round(performance.now() - this.#started),
      };
    };
  }
}

/** Targets that were built, so that many submissions against one target cost it once. */
const builtTargets = new WeakMap<TrustedHol, Map<string, TheoryBuild>>();
const MOST_TARGETS = 8;

function keepTarget(hol: TrustedHol, key: string, build: TheoryBuild): void {
  const kept = builtTargets.get(hol) ?? new Map<string, TheoryBuild>();
  builtTargets.set(hol, kept.set(key, build));
  const [oldest] = kept.keys();
  if (kept.size > MOST_TARGETS && oldest !== undefined) kept.delete(oldest);
}

const LEAVE_ALONE = 'Leave what Holmake writes alone.';

function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /error|exception|failed|cannot|not found/i.test(line));
  return (telling.length > 0 ? telling : lines).slice(0, 4).join(' ').slice(0, 600) || 'it says nothing';
}

const installed = new Map<string, TrustedHol>();

/** One for each folder, so that what is remembered of it serves many submissions. */
function trusted(found: HolInstallation | undefined): TrustedHol | undefined {
  if (found === undefined) return undefined;
  const known = installed.get(found.folder) ?? installedHol(found.folder, found.holmake);
  installed.set(found.folder, known);
  return known;
}
