/**
 * The agent as a face: its port to a theorem filled with operations, as MCP and REST are. A model gets the tools
 * that look and try; which file, theorem and session they mean is not for it to say, and none of them writes.
 */
import { orNothing, orZero } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import type {
  Comparison,
  ToolSession,
  Helpers,
  JointJudgement,
  Judgement,
  ProofsWanted,
  Refutation,
  Repair,
  SimilarProof,
  Sketched,
  Target,
  TargetFile,
  TargetTool,
  ToolAnswer,
} from '../../agent/target.ts';
import { operations, type OutputOf } from '../../operations/catalogue.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { judgeProof, verify } from '../../gate/verify.ts';
import { openStatementsOf } from '../../operations/rocq/proof/open-statements.ts';
import { splice } from '../../operations/rocq/proof/splice.ts';
import { replaceFile } from '../../operations/files/replace-file.ts';
import { applyReplacements, encode, readSourceFile } from '../../operations/files/source-file.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { replaced } from '../../core/replacement.ts';
import { sha256 } from '../../core/sha256.ts';
import type { TargetHost } from '../target-host.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import { rocqContext } from './rocq-context.ts';
import { insertion, rocqHelpers } from './rocq-helpers.ts';
import { READING_TOOLS } from './rocq-reading.ts';
import { runSketch } from './rocq-sketch.ts';
import { RocqSources } from './rocq-sources.ts';
import { agentTool, toolNamed, type AgentTool, type Closing } from '../agent-tools.ts';
import { OperationCalls, fileChanged, noSuchTheorem } from '../operation-calls.ts';
import type { TargetChoice } from '../target-choice.ts';

/** What is tried first at the goal of a failed check: it takes milliseconds where it fails. */
const AUTOMATION = (
  'easy|auto|lia|congruence|tauto|eauto|now simpl|simpl; auto|simpl; lia|intros; easy|intros; lia|intuition auto|' +
  'intuition lia|ring|field|nia|firstorder'
)
  .split('|')
  .map((tactic) => `${tactic}.`);

/** Filled in, or not for a model to choose. */
const HIDDEN = new Set([
  ...['session_id', 'file', 'theorem', 'theorems', 'line', 'column', 'preamble', 'search_in'],
  ...['timeout', 'final', 'jobs', 'seed'],
]);

/** What the tools leave for later calls to refer to. */
const LOOKS = { leavesState: false, hidden: HIDDEN };
const TRIES = { leavesState: true, hidden: HIDDEN };

/** The operations that a model may call. */
const TOOLS: readonly AgentTool[] = [
  agentTool(operations.rocq_check_proof, {
    ...TRIES,
    check: ({ outcome, proof, goals, state }) => ({
      ...{ outcome, proof, goal: goals[0]?.conclusion ?? null },
      state: outcome === 'failed' && goals.length > 0 ? state : null,
    }),
    // What stands behind the end of a proof is no reason to drop it.
    closed: (value) => (value.outcome === 'failed' && isClosed(value) ? [value.valid_prefix] : []),
  }),
  agentTool(operations.rocq_step, {
    ...TRIES,
    check: ({ error, goals, state }) => ({
      ...{ outcome: error === null ? 'incomplete' : 'failed', proof: null },
      goal: goals[0]?.conclusion ?? null,
      state: error !== null && goals.length > 0 ? state : null,
    }),
    closed: (value) => (value.accepted > 0 && isClosed(value) ? [value.valid_prefix] : []),
  }),
  agentTool(operations.rocq_try, {
    ...TRIES,
    check: ({ accepted }) => ({ outcome: accepted > 0 ? 'incomplete' : 'failed', proof: null, goal: null }),
    closed: ({ results }) => results.flatMap(({ closed, script }) => (closed ? [script] : [])),
  }),
  agentTool(operations.rocq_goals, LOOKS),
  agentTool(operations.rocq_premises, LOOKS),
  agentTool(operations.rocq_search, LOOKS),
  agentTool(operations.rocq_about, LOOKS),
  agentTool(operations.rocq_check_term, LOOKS),
  agentTool(operations.rocq_print, LOOKS),
  agentTool(operations.rocq_similar_proofs, LOOKS),
  agentTool(operations.proof_search, {
    ...LOOKS,
    closed: ({ closed }) => (closed?.goals_left === 0 ? [closed.script] : []),
    check: ({ results: [result] }) =>
      result === undefined || result.proof === null
        ? null
        : { outcome: result.outcome, proof: result.proof, goal: null },
  }),
];

/** Whether nothing is left of the proof at a state, or it was closed on the way there. */
function isClosed({
  in_proof,
  goals_total,
  unfocused,
  shelved,
  given_up,
}: Pick<OutputOf<'rocq_step'>, 'in_proof' | 'goals_total' | 'unfocused' | 'shelved' | 'given_up'>): boolean {
  return (
    !in_proof || goals_total + shelved + given_up + unfocused.reduce((sum, count) => sum + count, 0) === 0
  );
}

/** @throws QuodError `not-found`, `file-changed` when the file is none of the known versions. */
export async function openRocqTargets(
  host: TargetHost,
  choice: TargetChoice,
  signal: AbortSignal,
): Promise<TargetFile> {
  const calls = new OperationCalls(host);
  const outline = await calls.call('rocq_outline', { file: choice.file, limit: 5000 }, signal);
  const { file, file_hash: fileHash } = outline;
  const theorems = outline.theorems.filter(({ name }) => name !== null);
  const wanted =
    choice.theorems ?? theorems.flatMap(({ name, proved }) => (proved || name === null ? [] : [name]));
  const versions = new Set(choice.versions ?? [fileHash]);
  if (!versions.has(fileHash)) {
    if (!(await isOwnWork(calls, file, choice.perhapsWritten ?? new Map(), signal))) {
      throw fileChanged(file, 'since the run');
    }
    versions.add(fileHash);
  }
  // Relative to the workspace, which is not always the folder that the process is in.
  const path = await host.workspace.resolve(choice.file);
  const { text } = await readSourceFile(path);
  let read: Promise<RocqSources> | undefined;
  const sources = (): Promise<RocqSources> => (read ??= RocqSources.read(path, text));
  const targets = wanted.map((theorem) => {
    const found = theorems.find(({ name }) => name === theorem);
    if (found === undefined) {
      const names = theorems.flatMap(({ name }) => (name === null ? [] : [name]));
      throw noSuchTheorem(theorem, names, file);
    }
    const open = async (copy: string, name: string, stop: AbortSignal): Promise<Target> => {
      const opened = await openRocqTargets(host, { file: copy, theorems: [name] }, stop);
      return defined(opened.targets[0]);
    };
    return new RocqTarget(
      calls,
      { theorem, statement: found.statement, file, path, sources, open },
      versions,
    );
  });
  return {
    file: path,
    fileHash,
    text,
    targets,
    compare: (original, stop) => compareRocq(calls, { file: path, original, wanted }, stop),
    recheck: (names, stop) => judgeTogether(path, names, new Map(), stop),
    judgeTogether: (proofs, stop) => judgeTogether(path, [...proofs.keys()], proofs, stop),
  };
}

/**
 * The whole file is judged against what it was. Where that is not accepted (it has holes, or more of it is wrong),
 * the gate is asked about the proofs of the targets alone: first all of them in the file as it is, then each in the
 * file as it was.
 */
async function compareRocq(
  calls: OperationCalls,
  { file, original, wanted }: { file: string; original: string; wanted: readonly string[] },
  signal: AbortSignal,
): Promise<Comparison> {
  const { path, text } = await readSourceFile(file);
  const target = { path, text: original };
  const whole = await verify(target, { path, text }, { signal });
  const findings = findingsOf(whole);
  const proofs = await finishedProofs(calls, { file, original: outlineOf(original), wanted, signal });
  if (whole.kind === 'accepted') {
    const accepted = proofs.map(({ theorem, proof }) => ({ theorem, proof, restsOnOpen: [] }));
    return { clean: true, accepted, unjudged: [], findings };
  }
  const changed = proofs.filter(({ alone }) => alone !== original);
  const statements = changed.map(({ item }) => item.sentence);
  const together =
    changed.length === 0 ? undefined : await judgeProof({ target, text, statements }, { signal });
  if (together?.kind === 'accepted') {
    const open = openStatementsOf(
      together.statements,
      changed.map(({ item }) => item),
    );
    return {
      clean: true,
      accepted: changed.map(({ theorem, proof }, index) => ({
        ...{ theorem, proof },
        restsOnOpen: defined(open[index]),
      })),
      unjudged: [],
      findings,
    };
  }
  const accepted: Comparison['accepted'][number][] = [];
  const unjudged: Comparison['unjudged'][number][] = [];
  for (const { theorem, proof, item, alone } of changed) {
    const judged = await judgeProof({ target, text: alone, statements: [item.sentence] }, { signal });
    if (judged.kind === 'accepted')
      accepted.push({ theorem, proof, restsOnOpen: openStatementsOf(judged.statements, [item]).flat() });
    else if (judged.kind === 'unknown') unjudged.push({ theorem, proof, message: judged.message });
  }
  const clean = whole.kind === 'rejected' && whole.findings.every(({ kind }) => kind === 'admitted');
  return { clean, accepted, unjudged, findings };
}

interface FinishedProof {
  readonly theorem: string;
  readonly proof: string;
  readonly item: TheoremItem;
  /** The original with this proof and nothing else changed. */
  readonly alone: string;
}

async function finishedProofs(
  calls: OperationCalls,
  {
    file,
    original,
    wanted,
    signal,
  }: {
    readonly file: string;
    readonly original: FileOutline;
    readonly wanted: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<FinishedProof[]> {
  const finished: FinishedProof[] = [];
  for (const theorem of wanted) {
    const found = await calls.call('rocq_theorem', { file, theorem }, signal).catch(() => undefined);
    const proof = found?.proof ?? null;
    const item = original.statements.find(({ name }) => name === theorem);
    if (proof === null || item === undefined) continue;
    const alone = replaced(original.text, [splice(original, item, proof)]);
    finished.push({ theorem, proof, item, alone });
  }
  return finished;
}

/** One judgement of proofs, in the file as it is now: those that it has, or others that are put into their places. */
async function judgeTogether(
  file: string,
  theorems: readonly string[],
  proofs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<JointJudgement> {
  const target = await readSourceFile(file);
  const outline = outlineOf(target.text);
  const items = theorems.map((theorem) => {
    const item = outline.statements.find(({ name }) => name === theorem);
    if (item === undefined) throw noSuchTheorem(theorem, [], file);
    return item;
  });
  const text = replaced(
    target.text,
    items.flatMap((item) => {
      const proof = item.name === undefined ? undefined : proofs.get(item.name);
      return proof === undefined ? [] : [splice(outline, item, proof)];
    }),
  );
  const statements = items.map(({ sentence }) => sentence);
  const verdict = await judgeProof({ target, text, statements }, { signal });
  const open = verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, items) : [];
  return {
    verdict: verdict.kind,
    findings: [...findingsOf(verdict), ...warningsOf(verdict)],
    restsOnOpen: Object.fromEntries(open.map((names, index) => [defined(theorems[index]), names])),
  };
}

/** For lists that were made one from the other. @throws QuodError `internal`. */
function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new QuodError('internal', 'A theorem was lost between two lists.');
  return value;
}

function findingsOf(verdict: Verdict): string[] {
  switch (verdict.kind) {
    case 'rejected':
      return verdict.findings.map(({ kind, message }) => `${kind}: ${message}`);
    case 'unknown':
      return [`${verdict.reason}: ${verdict.message}`];
    case 'accepted':
      return [];
  }
}

/** What a verdict that accepts says against itself. */
function warningsOf(verdict: Verdict): string[] {
  if (verdict.kind !== 'accepted') return [];
  return (verdict.restsOn.warnings ?? []).map(({ kind, message }) => `${kind}: ${message}`);
}

async function isOwnWork(
  calls: OperationCalls,
  file: string,
  proofs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<boolean> {
  const words = (text: string): string => text.replace(/\b(?:Proof|Qed|Defined)\s*\.|\s+/gu, '');
  for (const [theorem, proof] of proofs) {
    const found = await calls.call('rocq_theorem', { file, theorem }, signal);
    if (found.proof !== null && words(found.proof) === words(proof)) return true;
  }
  return false;
}

interface Opened {
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly sources: () => Promise<RocqSources>;
  readonly open: (file: string, theorem: string, signal: AbortSignal) => Promise<Target>;
}

const PREMISES = 16;

class RocqTarget implements Target {
  readonly prover = 'rocq';
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  readonly tools: readonly TargetTool[] = [...TOOLS, ...READING_TOOLS].map(({ listing }) => listing);
  readonly #calls: OperationCalls;
  readonly #sources: () => Promise<RocqSources>;
  readonly #path: string;
  readonly helpers: Helpers;
  /** Shared by the targets of a file: one's write must not make the others think that somebody else changed it. */
  readonly #versions: Set<string>;
  /**
   * The latest proof that the gate accepted, the version of the file that it was judged in, and the one that was
   * judged.
   */
  #accepted: { readonly proof: string; readonly hash: string; readonly newHash: string } | undefined;

  constructor(calls: OperationCalls, opened: Opened, versions: Set<string>) {
    const { theorem, statement, file, path, sources, open } = opened;
    this.#sources = sources;
    this.#path = path;
    this.helpers = rocqHelpers({
      ...{ original: this, path, sources, open },
      judge: async (proof, signal, before) => (await this.#withHelpers(proof, before, signal)).judgement,
    });
    this.theorem = theorem;
    this.statement = statement;
    this.file = file;
    this.#calls = calls;
    this.#versions = versions;
  }

  async openToolSession(signal: AbortSignal): Promise<ToolSession> {
    const { file, theorem } = this;
    const opened = await this.#calls.call('rocq_open', { file, theorem }, signal);
    return new RocqToolSession(this.#calls, this, opened.session_id, operations.rocq_open.render(opened));
  }

  async context(signal: AbortSignal): Promise<readonly ContextPiece[]> {
    const place = { file: this.file, theorem: this.theorem };
    return rocqContext(await this.#sources(), this.theorem, {
      signature: async (name) => {
        try {
          const { results } = await this.#calls.call(
            'rocq_check_term',
            { ...place, term: `@${name}` },
            signal,
          );
          const said = results.join('\n').replace(/^@/u, '').trim();
          return said === '' ? undefined : said;
        } catch (error) {
          if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
          // Rocq has no such name: it is bound in the statement.
          return undefined;
        }
      },
      premises: async () => {
        try {
          const { premises } = await this.#calls.call('rocq_premises', { ...place, limit: PREMISES }, signal);
          return premises.filter(({ name }) => name !== this.theorem);
        } catch (error) {
          if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
          return [];
        }
      },
    });
  }

  /** The answer of a reading tool; undefined for other tools. @throws QuodError. */
  async read(tool: string, input: unknown): Promise<string | undefined> {
    const reading = READING_TOOLS.find(({ listing }) => listing.name === tool);
    return reading?.answer(await this.#sources(), input);
  }

  async similarProofs(
    goal: string | undefined,
    { limit, ranker }: ProofsWanted,
    signal: AbortSignal,
  ): Promise<readonly SimilarProof[]> {
    const { file, theorem } = this;
    const input = {
      ...{ file, theorem, limit },
      ...(goal !== undefined && { goal }),
      ...(ranker !== null && { ranker }),
    };
    const { proofs } = await this.#calls.call('rocq_similar_proofs', input, signal);
    return proofs;
  }

  async search(
    seconds: number,
    seed: number,
    signal: AbortSignal,
  ): Promise<{ readonly proof: string | null; readonly message: string }> {
    const { file, theorem } = this;
    const input = { file, theorems: [theorem], budget: seconds, seed };
    const { results } = await this.#calls.call('proof_search', input, signal);
    const [result] = results;
    return { proof: result?.proof ?? null, message: orNothing(result?.message) };
  }

  async refute(seconds: number, signal: AbortSignal): Promise<Refutation> {
    const { file, theorem } = this;
    const input = { file, theorems: [theorem], budget: seconds };
    const result = await this.#calls.call('proof_refute', input, signal).then(
      ({ results }) => results[0],
      (error: unknown) => {
        if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
        // What cannot be tried is not refuted; whether it can be proved is seen elsewhere.
        return {
          outcome: 'not-tried',
          counterexample: null,
          negation: null,
          message: error.toString(),
        } as const;
      },
    );
    return {
      refuted: result?.outcome === 'refuted',
      counterexample: orNothing(result?.counterexample),
      negation: result?.negation ?? null,
      message: result?.message ?? 'nothing was found',
    };
  }

  async judge(proof: string, signal: AbortSignal, before?: string): Promise<Judgement> {
    if (before !== undefined && before !== '')
      return (await this.#withHelpers(proof, before, signal)).judgement;
    const answer = await this.#fill(proof, { dry_run: true }, signal);
    const { verdict, findings, warnings, rests_on_open, file_hash, new_file_hash } = answer;
    if (verdict === 'not-asked') throw new QuodError('internal', 'The gate was not asked for a judgement.');
    if (verdict === 'accepted' && new_file_hash !== null)
      this.#accepted = { proof, hash: file_hash, newHash: new_file_hash };
    return { verdict, findings: [...findings, ...warnings], restsOnOpen: rests_on_open };
  }

  /** The gate's word on the file with helper lemmas before the statement and the proof in its place. */
  async #withHelpers(proof: string, before: string, signal: AbortSignal) {
    const source = await readSourceFile(this.#path);
    if (!this.#versions.has(source.hash)) throw fileChanged(this.file, 'while the agent worked on it');
    const outline = outlineOf(source.text);
    const item = defined(outline.statements.find(({ name }) => name === this.theorem));
    const text = applyReplacements(source, [
      insertion(source.text, this.theorem, [before]),
      splice(outline, item, proof),
    ]);
    const { path } = source;
    // As a whole file, since a changed proof alone may add nothing to it.
    const settings = { policy: { theorems: [this.theorem] }, signal };
    const verdict = await verify({ path, text: source.text }, { path, text }, settings);
    const restsOnOpen =
      verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, [item]).flat() : [];
    const judgement: Judgement = { verdict: verdict.kind, findings: findingsOf(verdict), restsOnOpen };
    return { source, text, judgement };
  }

  async #writeWithHelpers(proof: string, before: string, signal: AbortSignal) {
    const { source, text, judgement } = await this.#withHelpers(proof, before, signal);
    if (judgement.verdict !== 'accepted') {
      const findings = judgement.findings.join('; ');
      throw new QuodError('not-verified', `The proof of ${this.theorem} was not written: ${findings}.`, {
        place: { file: this.file },
        remedy: '`quod show` prints it.',
      });
    }
    const bytes = encode(source, text);
    await replaceFile(source, bytes);
    const fileHash = sha256(bytes);
    this.#versions.add(fileHash);
    return { fileHash };
  }

  async write(proof: string, signal: AbortSignal, before?: string): Promise<{ readonly fileHash: string }> {
    if (before !== undefined && before !== '') return this.#writeWithHelpers(proof, before, signal);
    const { written, file_hash: fileHash, findings } = await this.#fill(proof, {}, signal);
    if (!written) {
      throw new QuodError(
        'not-verified',
        `The proof of ${this.theorem} was not written: ${findings.join('; ')}.`,
        {
          place: { file: this.file },
          remedy: '`quod show` prints it.',
        },
      );
    }
    this.#versions.add(fileHash);
    return { fileHash };
  }

  async #fill(
    proof: string,
    how: { readonly dry_run?: boolean },
    signal: AbortSignal,
  ): Promise<OutputOf<'rocq_fill'>> {
    const { file, theorem } = this;
    const now = await this.#calls.call('rocq_outline', { file, limit: 1 }, signal);
    const { file_hash: hash } = now;
    if (!this.#versions.has(hash)) {
      throw fileChanged(file, 'while the agent worked on it');
    }
    // The gate accepted these very bytes a moment ago: nothing else may be written without asking it again.
    const accepted = this.#accepted;
    const known = how.dry_run !== true && accepted?.proof === proof && accepted.hash === hash;
    const input = {
      ...{ file, theorem, proof, file_hash: hash },
      ...(known && { unjudged: true, expected_hash: accepted.newHash }),
      ...how,
    };
    return this.#calls.call('rocq_fill', input, signal);
  }
}

class RocqToolSession implements ToolSession {
  readonly state: string;
  readonly #calls: OperationCalls;
  readonly #target: RocqTarget;
  readonly #session: string;

  constructor(calls: OperationCalls, target: RocqTarget, session: string, state: string) {
    // Without the session's name, which is another one in a run that is resumed.
    this.state = state.replace(/^Session \S+, state/u, 'State');
    this.#calls = calls;
    this.#target = target;
    this.#session = session;
  }

  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    try {
      const read = await this.#target.read(tool, input);
      if (read !== undefined) return { text: read, check: null };
      const called = toolNamed(TOOLS, tool);
      const answer = await called.call(this.#calls, input, this.#place(called.operation, input), signal);
      const proof = await this.#wholeProof(answer.closings, signal);
      if (proof === undefined) return { text: answer.text, check: answer.check };
      return {
        text: `${answer.text}\n\nNo goal is left: this is the whole proof.\n${proof}`,
        check: { outcome: 'proved', proof, goal: null },
      };
    } catch (error) {
      if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
      const check = { outcome: error.reason, proof: null, goal: null };
      return { text: `Error [${error.reason}]: ${error.toString()}`, check };
    }
  }

  /** Automation first, then the search, on the goals in focus; what was accepted before them stays. */
  async repair(from: string, seconds: number, signal: AbortSignal): Promise<Repair> {
    try {
      return await this.#searched(from, seconds, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
      return {
        proof: null,
        closing: null,
        text: `Nothing could be tried without you from state ${from}: ${error.message}`,
      };
    }
  }

  async sketch(script: string, signal: AbortSignal): Promise<Sketched> {
    try {
      return await runSketch(this.#calls, this.#session, script, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
      return {
        kind: 'refused',
        text: `Error [${error.reason}]: ${error.toString()}`,
        goal: null,
        state: null,
      };
    }
  }

  async #searched(from: string, seconds: number, signal: AbortSignal): Promise<Repair> {
    const place = { session_id: this.#session, from };
    const limits = { sentence_timeout: Math.min(2, seconds) };
    const tried = await this.#calls.call(
      'rocq_try',
      { ...place, alternatives: AUTOMATION, ...limits },
      signal,
    );
    const closing = tried.results.find(({ accepted, goals_total }) => accepted && goals_total === 0);
    if (closing?.state != null) return this.#closed(from, closing.script, closing.state, signal);
    const { results, closed } = await this.#calls.call('proof_search', { ...place, budget: seconds }, signal);
    if (closed !== null) return this.#closed(from, closed.script, closed.state, signal);
    const [result] = results;
    const nearest = tried.results
      .filter(({ accepted }) => accepted)
      .toSorted((one, other) => one.goals_left - other.goals_left)
      .slice(0, 2)
      .map(({ script, goals_left, first_goal, state }) => {
        const goal = first_goal === null ? '' : `, first ${first_goal.conclusion}`;
        return `- ${script} leaves ${goals_left} (state ${orNothing(state)})${goal}`;
      });
    const best = result?.goals_left == null ? '' : `, at best ${result.goals_left} goals left`;
    return {
      ...{ proof: null, closing: null },
      text: [
        `Tried without you from state ${from}: automation, and a search of ${seconds} s (${orZero(result?.nodes)} nodes${best}). Neither closes the goal.`,
        ...(nearest.length === 0 ? [] : ['Nearest:', ...nearest]),
      ].join('\n'),
    };
  }

  async #closed(from: string, script: string, state: string, signal: AbortSignal): Promise<Repair> {
    const proof = (await this.#wholeProof([{ from, script }], signal)) ?? null;
    const rest = proof === null ? `Go on from state ${state}.` : `This is the whole proof:\n${proof}`;
    return {
      proof,
      closing: script,
      text: `From state ${from} the goal is closed without you by:\n${script}\n${rest}`,
    };
  }

  /** The proof from its beginning, where a script that was run left no goal; undefined where no closing is accepted. */
  async #wholeProof(closings: readonly Closing[], signal: AbortSignal): Promise<string | undefined> {
    for (const { from, script } of closings) {
      const place = { session_id: this.#session, ...(from !== undefined && { from }) };
      const { proof } = await this.#calls.call('rocq_check_proof', { ...place, proof: script }, signal);
      if (proof !== null) return proof;
    }
    return undefined;
  }

  async close(): Promise<void> {
    try {
      await this.#calls.call('rocq_close', { session_id: this.#session }, new AbortController().signal);
    } catch (error) {
      // It ends with the process at the latest.
      if (!(error instanceof Error)) throw new Error(errorText(error), { cause: error });
    }
  }

  #place({ name, input }: AnyOperation, said: unknown): Record<string, unknown> {
    // From the start the whole file is searched for what helps; from a state the session goes on.
    const isFromState = typeof said === 'object' && said !== null && 'from' in said && said.from !== 's0';
    if (name === 'proof_search' && !isFromState)
      return { file: this.#target.file, theorems: [this.#target.theorem] };
    return 'session_id' in input.shape ? { session_id: this.#session } : {};
  }
}
