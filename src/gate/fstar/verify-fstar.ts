/**
 * Does an F* file prove what a target states? The statements are held by an interface (a target `A.fsti`) or by the
 * text of the target, token by token (`A.fst`, open where it has `admit`, `assume` or `magic`). The submission is
 * scanned for escapes and for options that could weaken the check; then it and the modules of the target's project
 * that it rests on are verified in one run, in a sandbox, with Quod's own options and no cache. What F* asked the
 * solver is read from its log and asked again of a solver that F* does not talk to: each question must be answered
 * with a proof.
 */
import { basename } from 'node:path';
import { orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type PrintedPosition } from '../../core/position.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import { notInTarget } from '../policy-names.ts';
import { type GatePolicy } from '../policy.ts';
import { diedVerdict, incidentFindings, sandboxLimitsOf, stoppedVerdict } from '../foreign-run.ts';
import type { Judge, JudgeOptions, PreparedTarget } from '../judge.ts';
import { sha256 } from '../../core/sha256.ts';
import { appendAll } from '../../core/lists/many.ts';
import {
  type Finding,
  type JudgedStatement,
  naming,
  type RestsOn,
  type SourceText,
  type Verdict,
  type Warning,
} from '../verdict.ts';
import { NO_QUERIES, type QueryCount, countQueries, withUnitBodies } from './declared-queries.ts';
import { escapeFindings } from './escapes.ts';
import { isModule, pinInterface } from './interface-pin.ts';
import { withHarmlessOptions } from './options.ts';
import { readErrors } from './printed-errors.ts';
import { TargetFolder } from './project-files.ts';
import { type AnsweredQuery, answered, readAnswers, readQueryLog } from './queries.ts';
import { type PinnedStatement, pinText } from './text-pin.ts';
import { type FstarRun, installedFstar, type TrustedFstar } from './trusted-fstar.ts';

export interface FstarJudgeSettings {
  readonly policy?: GatePolicy | undefined;
  /** Default: the one that Quod finds. */
  readonly fstar?: TrustedFstar | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const fstarJudge: Judge = {
  prepare: (target: SourceText, options: JudgeOptions) =>
    Promise.resolve(prepareFstar(target, { policy: options.policy, signal: options.signal })),
};

/** F* is looked for when the first submission needs it, and the target's folder is read once. */
export function prepareFstar(target: SourceText, settings: FstarJudgeSettings = {}): PreparedTarget {
  let fstar: Promise<TrustedFstar> | undefined;
  let folder: TargetFolder | undefined;
  return {
    judge: async (submission) => {
      const unfit = unfitness(target, submission);
      if (unfit !== undefined) return unfit;
      try {
        fstar ??= settings.fstar === undefined ? installedFstar() : Promise.resolve(settings.fstar);
        const found = await fstar;
        folder ??= new TargetFolder(target, dialectOf(found));
        return await new FstarJudgement(target, submission, { fstar: found, folder, settings }).judge();
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        return { kind: 'unknown', reason: error.reason, message: error.toString() };
      }
    },
  };
}

export function verifyFstar(
  target: SourceText,
  submission: SourceText,
  settings: FstarJudgeSettings = {},
): Promise<Verdict> {
  return prepareFstar(target, settings).judge(submission);
}

function dialectOf({ version }: TrustedFstar): Dialect {
  return version.startsWith('0.') ? '2019' : 'modern';
}

function moduleOf({ path }: SourceText): string {
  return basename(path).replace(/\.fsti?$/, '');
}

/** Why nothing can be judged, told by the files alone. */
function unfitness(target: SourceText, submission: SourceText): Unknown | undefined {
  const [wanted, given] = [basename(target.path), basename(submission.path)];
  if (!/\.fsti?$/.test(wanted)) return invalid(`${wanted} is no F* file.`);
  if (!given.endsWith('.fst'))
    return invalid(`${given} is no implementation. Name a file that ends in .fst.`);
  for (const { text, path } of [target, submission])
    if (text.includes('\uFFFD')) return invalid(`${basename(path)} is not UTF-8.`);
  return undefined;
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

const NO_KERNEL: Warning = {
  kind: 'no-kernel',
  message:
    'F* has no kernel: its type checker and its solver are believed, and that nothing was admitted was seen in the text.',
};
const BY_TEXT: Warning = {
  kind: 'statements-by-text',
  message:
    'The target has no interface: the submission was held to its statements token by token, not by F*.',
};

const MOST_ERRORS = 10;

class FstarJudgement {
  readonly #target: SourceText;
  readonly #submission: SourceText;
  readonly #fstar: TrustedFstar;
  readonly #folder: TargetFolder;
  readonly #policy: GatePolicy;
  readonly #signal: AbortSignal | undefined;
  readonly #dialect: Dialect;
  readonly #module: string;
  readonly #started = performance.now();
  readonly #findings: Finding[] = [];

  constructor(
    target: SourceText,
    submission: SourceText,
    {
      fstar,
      folder,
      settings,
    }: { readonly fstar: TrustedFstar; readonly folder: TargetFolder; readonly settings: FstarJudgeSettings },
  ) {
    this.#target = target;
    this.#submission = submission;
    this.#fstar = fstar;
    this.#folder = folder;
    this.#policy = settings.policy ?? {};
    this.#signal = settings.signal;
    this.#dialect = dialectOf(fstar);
    this.#module = moduleOf(target);
  }

  get #isByInterface(): boolean {
    return this.#target.path.endsWith('.fsti');
  }

  async judge(): Promise<Verdict> {
    const unfit = this.#unfitTarget();
    if (unfit !== undefined) return unfit;
    const open = this.#pin();
    if ('kind' in open) return open;
    if (parseDeclarations(this.#submission.text, this.#dialect).length === 0)
      return this.#rejected('missing', 'The submission is empty.', "Give the target's text with its proofs.");
    const allowed = new Set(this.#policy.commands ?? []);
    appendAll(this.#findings, escapeFindings(this.#submission, this.#dialect, allowed));
    const cleaned = withHarmlessOptions(this.#submission.text, this.#dialect, allowed);
    const lines = new LineIndex(this.#submission.text);
    for (const { text, name, offset } of cleaned.refused) {
      this.#findings.push({
        kind: 'checks-disabled',
        file: this.#submission.path,
        position: lines.printedAt(offset),
        subject: name,
        message: `The option \`${text}\` may weaken the check.`,
        remedy: `Do without it, or have the policy allow it: commands = ["${name}"].`,
      });
    }
    // What is refused by its text is not run.
    if (this.#findings.length > 0)
      return { kind: 'rejected', findings: this.#findings, restsOn: this.#restsOn() };
    const own = `${this.#module}.fst`;
    const { files, modules } = await this.#folder.filesFor(own, cleaned.text);
    const request = this.#request();
    const run = await this.#fstar.run({ files, verify: [...modules, own], ...request });
    if (run.stopped !== undefined) return stoppedVerdict(run.stopped, 'The verification', run.stalled);
    // F* does not wait for its solvers: that one was still there is none of the submission's doing.
    const incidents = run.incidents.filter(({ kind }) => kind !== 'left-process');
    const died = diedVerdict({ code: run.code, incidents }, 'F*');
    if (died !== undefined) return died;
    appendAll(this.#findings, incidentFindings(this.#submission.path, incidents));
    if (run.code !== 0) this.#reportErrors(run, own);
    const queries = await this.#answers(run);
    if ('kind' in queries) return queries;
    this.#judgeQueries(queries, own);
    const counts = countQueries(cleaned.text, this.#dialect, queries, own);
    const undecided = await this.#judgeSilence(open, counts, cleaned.text);
    if (undecided !== undefined) return undecided;
    const solverQueries = open.map(({ name }) => ({ name, ...(counts.get(name) ?? NO_QUERIES) }));
    const rests = { ...this.#restsOn(run), solverQueries };
    if (this.#findings.length > 0) return { kind: 'rejected', findings: this.#findings, restsOn: rests };
    const statements = open.map(({ name, statement }): JudgedStatement => ({
      name,
      printed: statement,
      assumptions: [],
      openStatements: [],
    }));
    return { kind: 'accepted', statements, restsOn: rests };
  }

  #unfitTarget(): Unknown | undefined {
    if (isModule(this.#target.text, this.#dialect, this.#module)) return undefined;
    return invalid(
      `The target does not begin with \`module ${this.#module}\`, which its file is called after.`,
    );
  }

  /** The statements to be proved, after the submission was held to them. */
  #pin(): readonly PinnedStatement[] | Unknown {
    const { theorems, definitionsMayChange = [], helperLemmas = true } = this.#policy;
    const settings = { dialect: this.#dialect, theorems };
    const declared = parseDeclarations(this.#target.text, this.#dialect).flatMap(({ names }) => names);
    const absent = notInTarget('definition', [...(theorems ?? []), ...definitionsMayChange], declared);
    if (absent !== undefined) return invalid(absent);
    const { open, findings } = this.#isByInterface
      ? pinInterface(this.#target, this.#submission, { ...settings, module: this.#module })
      : pinText(this.#target, this.#submission, { ...settings, definitionsMayChange, helperLemmas });
    appendAll(this.#findings, findings);
    if (open.length > 0) return open;
    if (this.#isByInterface) return invalid('The interface states nothing that is to be defined.');
    return invalid(
      theorems === undefined
        ? 'The target leaves nothing open: what is to be proved has `admit ()` as its body, or stands in an interface.'
        : `The target does not define ${theorems.join(', ')} by a \`let\`.`,
    );
  }

  #request() {
    return { signal: this.#signal, limits: sandboxLimitsOf(this.#policy) };
  }

  #reportErrors({ said }: FstarRun, own: string): void {
    const errors = readErrors(said).filter(({ file }) => file === own);
    for (const { position, message } of errors.slice(0, MOST_ERRORS))
      this.#report('does-not-compile', message, 'Have F* accept it.', { position });
    if (errors.length === 0)
      this.#report(
        'does-not-compile',
        `F* refuses it: ${said.slice(-500) || 'without a word'}`,
        'Have F* accept it.',
      );
  }

  /** Every question in the logs, with what a solver of its own answers. */
  async #answers({ logs }: FstarRun): Promise<readonly AnsweredQuery[] | Unknown> {
    const all: AnsweredQuery[] = [];
    for (const log of logs) {
      const queries = readQueryLog(log);
      if (queries.length === 0) continue;
      const { stopped, stalled, output } = await this.#fstar.solve(log, this.#request());
      if (stopped !== undefined) return stoppedVerdict(stopped, 'The verification', stalled);
      const own = answered(queries, readAnswers(output));
      if (own === undefined) {
        const message = 'The solver does not answer every question of the log.';
        return { kind: 'unknown', reason: 'protocol-error', message };
      }
      appendAll(all, own);
    }
    return all;
  }

  #judgeQueries(queries: readonly AnsweredQuery[], own: string): void {
    if (this.#findings.some(({ kind }) => kind === 'does-not-compile')) return;
    for (const { file, start, proved } of queries) {
      if (proved || basename(file) !== own) continue;
      const message = 'What F* asked the solver here is not proved when it is asked again.';
      this.#report('not-verified', message, 'Have F* prove it without other options.', { position: start });
    }
  }

  /**
   * Where the policy lets escapes stand in the text: a lemma about which the solver was asked nothing, while it has
   * to be asked when the body is `()`, was not proved but admitted. Elsewhere it may repeat a lemma that says the
   * very same.
   */
  async #judgeSilence(
    open: readonly PinnedStatement[],
    counts: ReadonlyMap<string, QueryCount>,
    submission: string,
  ): Promise<Unknown | undefined> {
    const silent = open.filter(
      ({ name, statement }) => /\bLemma\b/u.test(statement) && orZero(counts.get(name)?.asked) === 0,
    );
    const isAsked = (this.#policy.commands ?? []).length > 0 && !this.#isByInterface;
    if (silent.length === 0 || this.#findings.length > 0 || !isAsked) return undefined;
    const names = new Set(silent.map(({ name }) => name));
    const text = withUnitBodies(submission, this.#dialect, names);
    const own = `${this.#module}.fst`;
    const { files, modules } = await this.#folder.filesFor(own, text);
    const run = await this.#fstar.run({ files, verify: [...modules, own], ...this.#request() });
    if (run.stopped !== undefined) return stoppedVerdict(run.stopped, 'The verification', run.stalled);
    const died = diedVerdict(run, 'F*');
    if (died !== undefined) return died;
    const asked = run.logs.flatMap(readQueryLog).map((query) => ({ ...query, proved: false }));
    const needed = countQueries(text, this.#dialect, asked, own);
    for (const { name } of silent) {
      if (orZero(needed.get(name)?.asked) === 0) continue;
      const message =
        'F* asks the solver nothing about it, although its statement is not trivial: it is admitted.';
      this.#report('not-verified', message, 'Prove it.', { subject: name });
    }
    return undefined;
  }

  #rejected(kind: Finding['kind'], message: string, remedy: string): Verdict {
    this.#report(kind, message, remedy);
    return { kind: 'rejected', findings: this.#findings, restsOn: this.#restsOn() };
  }

  #report(
    kind: Finding['kind'],
    message: string,
    remedy: string,
    {
      subject,
      position,
    }: { readonly subject?: string | undefined; readonly position?: PrintedPosition | undefined } = {},
  ): void {
    const file = this.#submission.path;
    this.#findings.push({
      ...{ kind, file, message: naming(subject, message), remedy },
      ...(position !== undefined && { position }),
      ...(subject !== undefined && { subject }),
    });
  }

  #restsOn(run?: FstarRun): RestsOn {
    const byInterface = this.#isByInterface;
    const warnings: Warning[] = run === undefined ? [] : byInterface ? [NO_KERNEL] : [NO_KERNEL, BY_TEXT];
    return {
      prover: `fstar ${this.#fstar.version}`,
      backend: run === undefined ? 'text' : `fresh run, queries answered again by ${this.#fstar.solver}`,
      targetSha256: sha256(this.#target.text),
      submissionSha256: sha256(this.#submission.text),
      pinnedBy: [byInterface ? 'interface' : 'text'],
      ...(run && { isolation: run.isolation }),
      ...(warnings.length > 0 && { warnings }),
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}

function invalid(message: string): Unknown {
  return { kind: 'unknown', reason: 'invalid-input', message };
}
