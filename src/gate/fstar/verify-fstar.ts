/**
 * Does an F* file prove what a target states? The statements are held by an interface (a target `A.fsti`) or by the text of
 * the target, token by token (`A.fst`, open where it has `admit`, `assume` or `magic`). The submission is scanned for escapes
 * and for options that could weaken the check; then it and the modules of the target's project that it rests on
 * are verified in one run, in a sandbox, with Quod's own options and no cache. What F* asked the solver is read from its
 * log and asked again of a solver that F* does not talk to: each question must be answered with a proof.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LineIndex, type PrintedPosition } from '../../core/position.ts';
import { undefinedVals } from '../../provers/fstar/audit/scan.ts';
import {
  bodyOf,
  modulesMentioned,
  parseDeclarations,
  signatureOf,
} from '../../provers/fstar/syntax/declarations.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import { type GatePolicy } from '../policy.ts';
import { incidentFindings, sandboxLimitsOf, stoppedVerdict } from '../foreign-run.ts';
import { sha256 } from '../sha256.ts';
import type { Finding, JudgedStatement, RestsOn, SourceText, Verdict, Warning } from '../verdict.ts';
import { escapeFindings } from './escapes.ts';
import { withHarmlessOptions } from './options.ts';
import { type AnsweredQuery, answered, readAnswers, readQueryLog } from './queries.ts';
import { type PinnedStatement, pinText } from './text-pin.ts';
import { type FstarRun, installedFstar, type TrustedFstar } from './trusted-fstar.ts';

export interface FstarJudgeSettings {
  readonly policy?: GatePolicy | undefined;
  /** Default: the one that Quod finds. */
  readonly fstar?: TrustedFstar | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws QuodError where there is no F*, no solver, or no sandbox that the policy requires. */
export async function verifyFstar(
  target: SourceText,
  submission: SourceText,
  settings: FstarJudgeSettings = {},
): Promise<Verdict> {
  const fstar = settings.fstar ?? (await installedFstar());
  return await new FstarJudgement(target, submission, fstar, settings).judge();
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

class FstarJudgement {
  readonly #target: SourceText;
  readonly #submission: SourceText;
  readonly #fstar: TrustedFstar;
  readonly #policy: GatePolicy;
  readonly #signal: AbortSignal | undefined;
  readonly #dialect: Dialect;
  readonly #module: string;
  readonly #started = performance.now();
  readonly #findings: Finding[] = [];

  constructor(target: SourceText, submission: SourceText, fstar: TrustedFstar, settings: FstarJudgeSettings) {
    this.#target = target;
    this.#submission = submission;
    this.#fstar = fstar;
    this.#policy = settings.policy ?? {};
    this.#signal = settings.signal;
    this.#dialect = fstar.version.startsWith('0.') ? '2019' : 'modern';
    this.#module = basename(target.path).replace(/\.fsti?$/, '');
  }

  async judge(): Promise<Verdict> {
    const unfit = this.#unfit();
    if (unfit !== undefined) return unfit;
    const open = this.#pin();
    if ('kind' in open) return open;
    const allowed = new Set(this.#policy.commands ?? []);
    this.#findings.push(...escapeFindings(this.#submission, this.#dialect, allowed));
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
    const { files, modules } = await this.#project(cleaned.text);
    const own = `${this.#module}.fst`;
    const request = this.#request();
    const run = await this.#fstar.run({ files, verify: [...modules, own], ...request });
    if (run.stopped !== undefined) return stoppedVerdict(run.stopped, 'The verification');
    // F* does not wait for its solvers: that one was still there is none of the submission's doing.
    const incidents = run.incidents.filter(({ kind }) => kind !== 'left-process');
    this.#findings.push(...incidentFindings(this.#submission.path, incidents));
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

  /** Why nothing can be judged, told by the files alone. */
  #unfit(): Unknown | undefined {
    const [target, submission] = [basename(this.#target.path), basename(this.#submission.path)];
    if (!/\.fsti?$/.test(target)) return invalid(`${target} is no F* file.`);
    if (!submission.endsWith('.fst'))
      return invalid(`${submission} is no implementation. Name a file that ends in .fst.`);
    for (const { text, path } of [this.#target, this.#submission])
      if (text.includes('\uFFFD')) return invalid(`${basename(path)} is not UTF-8.`);
    const [first] = parseDeclarations(this.#target.text, this.#dialect);
    if (first?.kind !== 'module' || first.names[0] !== this.#module)
      return invalid(
        `The target does not begin with \`module ${this.#module}\`, which its file is called after.`,
      );
    return undefined;
  }

  /** The statements to be proved, after the submission was held to them. */
  #pin(): readonly PinnedStatement[] | Unknown {
    const { theorems, definitionsMayChange = [], helperLemmas = true } = this.#policy;
    if (this.#target.path.endsWith('.fsti')) return this.#pinByInterface(theorems);
    const settings = { dialect: this.#dialect, theorems, definitionsMayChange, helperLemmas };
    const { open, findings } = pinText(this.#target, this.#submission, settings);
    this.#findings.push(...findings);
    if (open.length > 0) return open;
    return invalid(
      theorems === undefined
        ? 'The target leaves nothing open: what is to be proved has `admit ()` as its body, or stands in an interface.'
        : `The target has no definition ${theorems.join(', ')}.`,
    );
  }

  /** F* itself holds an implementation to its interface; here it is seen that nothing is left out. */
  #pinByInterface(theorems: readonly string[] | undefined): readonly PinnedStatement[] | Unknown {
    const vals = parseDeclarations(this.#target.text, this.#dialect).filter(
      ({ kind, qualifiers, names }) =>
        kind === 'val' &&
        !qualifiers.includes('assume') &&
        (theorems === undefined || names.some((name) => theorems.includes(name))),
    );
    if (vals.length === 0) return invalid('The interface states nothing that is to be defined.');
    const [first] = parseDeclarations(this.#submission.text, this.#dialect);
    if (first?.kind !== 'module' || first.names[0] !== this.#module)
      this.#report(
        'missing',
        `It is not the module ${this.#module}.`,
        `Begin with \`module ${this.#module}\`.`,
      );
    for (const { declaration } of undefinedVals(this.#target.text, this.#submission.text)) {
      if (declaration === null) continue;
      this.#report(
        'missing',
        'The submission does not define what the interface states.',
        'Define it.',
        declaration,
      );
    }
    return vals.map((declaration) => ({
      name: declaration.names.join(', '),
      statement: signatureOf(declaration),
    }));
  }

  /** The files that F* gets: those of the target's folder, the submission in the place of its own. */
  async #project(
    submission: string,
  ): Promise<{ readonly files: ReadonlyMap<string, string>; readonly modules: readonly string[] }> {
    const folder = dirname(this.#target.path);
    const own = `${this.#module}.fst`;
    const beside = new Set(
      (await readdir(folder).catch(() => [])).filter((name) => /^[\w.']+\.fsti?$/.test(name)),
    );
    const files = new Map<string, string>([[own, submission]]);
    if (this.#target.path.endsWith('.fsti')) files.set(basename(this.#target.path), this.#target.text);
    const modules: string[] = [];
    const waiting = [submission, this.#target.text];
    const take = async (name: string): Promise<void> => {
      if (!beside.has(name) || files.has(name)) return;
      const text = await readFile(join(folder, name), 'utf8');
      files.set(name, text);
      waiting.push(text);
      if (name.endsWith('.fst')) modules.unshift(name);
    };
    await take(`${this.#module}.fsti`);
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      for (const module of modulesMentioned(parseDeclarations(text, this.#dialect))) {
        if (module === this.#module) continue;
        for (const name of [`${module}.fsti`, `${module}.fst`]) await take(name);
      }
    }
    return { files, modules };
  }

  #request() {
    return {
      requireSandbox: this.#policy.requireSandbox ?? false,
      signal: this.#signal,
      limits: sandboxLimitsOf(this.#policy),
    };
  }

  #reportErrors({ said }: FstarRun, own: string): void {
    const errors = readErrors(said).filter(({ file }) => file === own);
    for (const { position, message } of errors.slice(0, MOST_ERRORS))
      this.#report('does-not-compile', message, 'Have F* accept it.', undefined, position);
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
      const { stopped, output } = await this.#fstar.solve(log, this.#request());
      if (stopped !== undefined) return stoppedVerdict(stopped, 'The verification');
      const own = answered(queries, readAnswers(output));
      if (own === undefined) {
        const message = 'The solver does not answer every question of the log.';
        return { kind: 'unknown', reason: 'protocol-error', message };
      }
      all.push(...own);
    }
    return all;
  }

  #judgeQueries(queries: readonly AnsweredQuery[], own: string): void {
    if (this.#findings.some(({ kind }) => kind === 'does-not-compile')) return;
    for (const { file, start, proved } of queries) {
      if (proved || basename(file) !== own) continue;
      const message = 'What F* asked the solver here is not proved when it is asked again.';
      this.#report('not-verified', message, 'Have F* prove it without other options.', undefined, start);
    }
  }

  /**
   * Where the policy lets escapes stand in the text: a lemma about which the solver was asked nothing, while it has to be
   * asked when the body is `()`, was not proved but admitted. Elsewhere it may repeat a lemma that says the very same.
   */
  async #judgeSilence(
    open: readonly PinnedStatement[],
    counts: ReadonlyMap<string, QueryCount>,
    submission: string,
  ): Promise<Unknown | undefined> {
    const silent = open.filter(
      ({ name, statement }) => /\bLemma\b/u.test(statement) && (counts.get(name)?.asked ?? 0) === 0,
    );
    const isAsked = (this.#policy.commands ?? []).length > 0 && !this.#target.path.endsWith('.fsti');
    if (silent.length === 0 || this.#findings.length > 0 || !isAsked) return undefined;
    const names = new Set(silent.map(({ name }) => name));
    const text = withUnitBodies(submission, this.#dialect, names);
    const { files, modules } = await this.#project(text);
    const own = `${this.#module}.fst`;
    const run = await this.#fstar.run({ files, verify: [...modules, own], ...this.#request() });
    if (run.stopped !== undefined) return stoppedVerdict(run.stopped, 'The verification');
    const asked = run.logs.flatMap(readQueryLog).map((query) => ({ ...query, proved: false }));
    const needed = countQueries(text, this.#dialect, asked, own);
    for (const { name } of silent) {
      if ((needed.get(name)?.asked ?? 0) === 0) continue;
      const message =
        'F* asks the solver nothing about it, although its statement is not trivial: it is admitted.';
      this.#report('not-verified', message, 'Prove it.', name);
    }
    return undefined;
  }

  #report(
    kind: Finding['kind'],
    message: string,
    remedy: string,
    subject?: string,
    position?: PrintedPosition,
  ): void {
    const file = this.#submission.path;
    this.#findings.push({
      ...{ kind, file, message, remedy },
      ...(position !== undefined && { position }),
      ...(subject !== undefined && { subject }),
    });
  }

  #restsOn(run?: FstarRun): RestsOn {
    const warnings: Warning[] =
      run?.isolation === 'none'
        ? [{ kind: 'no-sandbox', message: 'There is no bubblewrap here: only limits held.' }]
        : [];
    return {
      prover: `fstar ${this.#fstar.version}`,
      backend: run === undefined ? 'text' : `fresh run, queries answered again by ${this.#fstar.solver}`,
      targetSha256: sha256(this.#target.text),
      submissionSha256: sha256(this.#submission.text),
      pinnedBy: [this.#target.path.endsWith('.fsti') ? 'interface' : 'text'],
      ...(run && { isolation: run.isolation }),
      ...(warnings.length > 0 && { warnings }),
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }
}

const MOST_ERRORS = 10;

interface QueryCount {
  readonly asked: number;
  readonly proved: number;
}

const NO_QUERIES: QueryCount = { asked: 0, proved: 0 };

/** The questions of each declaration, by its names. */
function countQueries(
  text: string,
  dialect: Dialect,
  queries: readonly AnsweredQuery[],
  own: string,
): ReadonlyMap<string, QueryCount> {
  const lines = new LineIndex(text);
  const declarations = parseDeclarations(text, dialect);
  const counts = new Map<string, QueryCount>();
  for (const { file, start, proved } of queries) {
    const offset = lines.offsetOfPrinted(start);
    if (basename(file) !== own || offset === undefined) continue;
    const name = declarations.find((one) => one.start <= offset && offset < one.end)?.names.join(', ');
    if (name === undefined) continue;
    const before = counts.get(name) ?? NO_QUERIES;
    counts.set(name, { asked: before.asked + 1, proved: before.proved + (proved ? 1 : 0) });
  }
  return counts;
}

/** The text with `()` as the body of some definitions. */
function withUnitBodies(text: string, dialect: Dialect, names: ReadonlySet<string>): string {
  let changed = '';
  let copied = 0;
  for (const declaration of parseDeclarations(text, dialect)) {
    const body = bodyOf(declaration);
    if (body === undefined || declaration.kind !== 'let' || !names.has(declaration.names.join(', ')))
      continue;
    changed += `${text.slice(copied, body)} ()\n`;
    copied = declaration.end;
  }
  return changed + text.slice(copied);
}

interface PrintedError {
  readonly file: string;
  readonly position: PrintedPosition;
  readonly message: string;
}

/** `A.fst(3,4-3,9): (Error 19) …`, and with a star and on more lines in F* of today. */
function readErrors(said: string): readonly PrintedError[] {
  const form =
    /^(?:\* Error \d+ at )?([\w.']+\.fsti?)\((\d+),(\d+)-\d+,\d+\): ?(?:\(Error(?: \d+)?\) )?([^\n]*(?:\n {2}[^\n]*)*)/gm;
  return [...said.matchAll(form)]
    .filter(([whole]) => whole.includes('Error'))
    .map(([, file = '', line, column, message = '']) => ({
      file,
      position: { line: Number(line), column: Number(column) },
      message: message.trim().slice(0, 500),
    }));
}

function invalid(message: string): Unknown {
  return { kind: 'unknown', reason: 'invalid-input', message };
}
