/**
 * The agent's port to theorems of an HOL4 script, filled with the cursor's operations. A model works on a copy of the
 * script's folder; the gate judges the bytes that `write` would put into the script, against the script as it is. Without a
 * HOL4 that exports its proofs it says `unknown`, unless the user settles for Holmake. Only `write` changes the script.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type {
  Comparison,
  ToolSession,
  Judgement,
  ProofsWanted,
  SimilarProof,
  Target,
  TargetFile,
  TargetTool,
  ToolAnswer,
} from '../../agent/target.ts';
import type { GatePolicy } from '../../gate/policy.ts';
import { operations } from '../../operations/catalogue.ts';
import { judgeScript, type ScriptJudgement } from '../../operations/hol4/judge-script.ts';
import { replaceFile } from '../../operations/files/replace-file.ts';
import { encode, hashOf, readSourceFile } from '../../operations/files/source-file.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import type { ScriptTheorem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { spliceProof } from '../../provers/hol4/syntax/splice.ts';
import { holesOf } from '../../sessions/hol4/cursor.ts';
import type { Host } from '../host.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import { agentTool, toolNamed, type AgentTool } from './agent-tools.ts';
import { hol4Context } from './hol4-context.ts';
import { OperationCalls, fileChanged, noSuchTheorem } from './operation-calls.ts';
import type { TargetChoice } from './target-choice.ts';

/** Filled in, or not for a model to choose. */
const HIDDEN = new Set([
  ...['session', 'workdir', 'file', 'theorem', 'line', 'column'],
  ...['timeout', 'item_timeout', 'tactic_timeout', 'max_output', 'unjudged', 'policy'],
]);

const LOOKS = { leavesState: false, hidden: HIDDEN };
const TRIES = { leavesState: true, hidden: HIDDEN };

const TOOLS: readonly AgentTool[] = [
  agentTool(operations.hol_send, {
    ...TRIES,
    check: ({ status, proof }) => ({
      outcome: status === 'ok' ? 'incomplete' : 'failed',
      proof: null,
      goal: proof?.goals[0]?.conclusion ?? null,
    }),
  }),
  agentTool(operations.hol_try, LOOKS),
  agentTool(operations.hol_proof_state, LOOKS),
  agentTool(operations.hol_search, LOOKS),
  agentTool(operations.hol_tags, LOOKS),
  agentTool(operations.hol_cursor_complete, {
    ...TRIES,
    check: ({ proof }) => ({ outcome: 'proved', proof, goal: null }),
  }),
];

const CHANGED = 'while the agent worked on it, or since';

/** What a copy of a folder goes without. */
const LEFT_OUT = new Set(['.git', '.quod', 'node_modules']);

/** @throws QuodError `not-found`, `file-changed` when the file is none of the known versions. */
export async function openHol4Targets(host: Host, choice: TargetChoice): Promise<TargetFile> {
  const file = await host.workspace.resolve(choice.file);
  const { text, hash } = await readSourceFile(file);
  const script = parseScript(text);
  const versions = new Set(choice.versions ?? [hash]);
  if (!versions.has(hash)) {
    const written = [...(choice.perhapsWritten ?? [])].some(([theorem, proof]) => {
      const found = script.theorems.find(({ name }) => name === theorem);
      return found !== undefined && words(proofText(text, found)) === words(proof);
    });
    if (!written) throw fileChanged(file, CHANGED);
    versions.add(hash);
  }
  const wanted = choice.theorems ?? holesOf(script).map(({ name }) => name);
  const calls = new OperationCalls(host);
  const policy = choice.policy ?? {};
  const targets = wanted.map((theorem) => {
    const found = script.theorems.find(({ name, proof }) => name === theorem && proof !== undefined);
    if (found === undefined) {
      const names = script.theorems.map(({ name }) => name);
      throw noSuchTheorem(theorem, names, file);
    }
    return new Hol4Target(calls, { theorem, statement: statementText(text, found), file }, versions, policy);
  });
  return {
    file,
    fileHash: hash,
    text,
    targets,
    compare: (original, signal) => compareScripts({ file, original, wanted }, policy, signal),
    recheck: async (theorems, signal) => {
      const now = await readSourceFile(file);
      return await judgeScript({ file, original: text, text: now.text, theorems }, policy, signal);
    },
  };
}

/** Everything but the proofs of the targets has to be what it was; then the gate judges the script as it is. */
async function compareScripts(
  { file, original, wanted }: { file: string; original: string; wanted: readonly string[] },
  policy: GatePolicy,
  signal: AbortSignal,
): Promise<Comparison> {
  const { text } = await readSourceFile(file);
  const before = parseScript(original);
  const now = parseScript(text);
  let rebuilt = original;
  const proofs: { theorem: string; proof: string }[] = [];
  for (const theorem of wanted) {
    const found = now.theorems.find(({ name }) => name === theorem);
    const own = before.theorems.find(({ name }) => name === theorem);
    if (found?.proof === undefined || own?.proof === undefined) continue;
    const proof = proofText(text, found);
    if (found.cheats.length > 0 || proof === proofText(original, own)) continue;
    const script = parseScript(rebuilt);
    const place = script.theorems.find(({ name }) => name === theorem);
    if (place !== undefined) rebuilt = spliceProof(script, place, proof);
    proofs.push({ theorem, proof });
  }
  const clean = words(rebuilt) === words(text);
  const findings = clean ? [] : ['forbidden: more than the proofs of the targets was changed'];
  if (proofs.length === 0) return { clean, accepted: [], unjudged: [], findings };
  const judge = async (theorems: readonly string[]): Promise<ScriptJudgement> =>
    await judgeScript({ file, original, text, theorems }, policy, signal);
  const together = await judge(proofs.map(({ theorem }) => theorem));
  const accepted: { theorem: string; proof: string; restsOnOpen: readonly string[] }[] = [];
  const unjudged: { theorem: string; proof: string; message: string }[] = [];
  if (together.verdict === 'accepted') findings.push(...together.findings);
  for (const found of proofs) {
    const isKnown = together.verdict === 'accepted' || proofs.length === 1;
    const judged = isKnown ? together : await judge([found.theorem]);
    if (judged.verdict === 'accepted')
      accepted.push({ ...found, restsOnOpen: judged.restsOnOpen[found.theorem] ?? [] });
    else findings.push(...judged.findings.map((finding) => `${found.theorem}: ${finding}`));
    if (judged.verdict === 'unknown') unjudged.push({ ...found, message: judged.findings.join('; ') });
  }
  return { clean, accepted, unjudged, findings };
}

function words(text: string): string {
  return text.replace(/\s+/gu, '');
}

function proofText(text: string, { proof }: ScriptTheorem): string {
  return proof === undefined ? '' : text.slice(proof.start, proof.end).trim();
}

function statementText(text: string, { name, statement }: ScriptTheorem): string {
  return `Theorem ${name}:\n  ${statement === undefined ? '' : text.slice(statement.start, statement.end).trim()}`;
}

interface Named {
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
}

/** What is tried where no model is asked, before what the file defines is added. */
const SIMPLE_TACTICS = ['simp[', 'rw[', 'gvs[', 'metis_tac['];
const FIRST_TACTICS = ['', 'Induct >> ', 'Cases >> ', 'rpt strip_tac >> ', 'Induct_on `n` >> '];

class Hol4Target implements Target {
  readonly prover = 'hol4';
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  readonly tools: readonly TargetTool[] = TOOLS.map(({ listing }) => listing);
  readonly #calls: OperationCalls;
  readonly #versions: Set<string>;
  readonly #policy: GatePolicy;
  /** The last text that the gate accepted, and against which. */
  #accepted: { readonly original: string; readonly text: string; readonly judgement: Judgement } | undefined;

  constructor(
    calls: OperationCalls,
    { theorem, statement, file }: Named,
    versions: Set<string>,
    policy: GatePolicy,
  ) {
    this.theorem = theorem;
    this.statement = statement;
    this.file = file;
    this.#calls = calls;
    this.#versions = versions;
    this.#policy = policy;
  }

  async openToolSession(signal: AbortSignal): Promise<Hol4ToolSession> {
    const copy = await copyFolder(this.file);
    const toolSession = new Hol4ToolSession(this.#calls, this.theorem, copy);
    try {
      await toolSession.begin(signal);
      return toolSession;
    } catch (error) {
      await toolSession.close();
      throw error;
    }
  }

  async context(): Promise<readonly ContextPiece[]> {
    const { text } = await readSourceFile(this.file);
    return hol4Context(text, this.theorem, this.statement);
  }

  async similarProofs(
    goal: string | undefined,
    { limit, ranker }: ProofsWanted,
  ): Promise<readonly SimilarProof[]> {
    if (ranker !== null && ranker !== 'jaccard')
      throw new QuodError('unsupported', `No ranker ${ranker} for HOL4 files.`, {
        remedy: 'Leave the setting out, or take jaccard.',
      });
    const { text } = await readSourceFile(this.file);
    const wanted = tokensOf(goal ?? this.statement);
    return parseScript(text)
      .theorems.flatMap((theorem) => {
        const { name, proof, cheats } = theorem;
        if (name === this.theorem || proof === undefined || cheats.length > 0) return [];
        const statement = statementText(text, theorem);
        return [
          { name, statement, proof: proofText(text, theorem), like: likeness(wanted, tokensOf(statement)) },
        ];
      })
      .toSorted((one, other) => other.like - one.like)
      .slice(0, limit);
  }

  /** There is no search for HOL4 beyond a few usual tactics with what the file defines. */
  async search(
    seconds: number,
    _seed: number,
    signal: AbortSignal,
  ): Promise<{ readonly proof: string | null; readonly message: string }> {
    const { text } = await readSourceFile(this.file);
    const definitions = [...text.matchAll(/^Definition\s+([A-Za-z0-9_']+)/gmu)].map((match) =>
      orNothing(match[1]),
    );
    const tactics = FIRST_TACTICS.flatMap((first) =>
      SIMPLE_TACTICS.map((simple) => `${first}${simple}${definitions.join(', ')}]`),
    );
    const toolSession = await this.openToolSession(signal);
    try {
      const deadline = performance.now() + seconds * 1000;
      for (const tactic of tactics) {
        const left = (deadline - performance.now()) / 1000;
        if (left <= 0) break;
        const input = { session: toolSession.session, tactics: [tactic], tactic_timeout: Math.min(left, 5) };
        const { attempts } = await this.#calls.call('hol_try', input, signal);
        const [attempt] = attempts;
        if (attempt?.status === 'solved' && attempt.oracles.length === 0)
          return { proof: tactic, message: 'one of the usual tactics' };
      }
      return { proof: null, message: 'none of the usual tactics proves it' };
    } finally {
      await toolSession.close();
    }
  }

  async judge(proof: string, signal: AbortSignal): Promise<Judgement> {
    const spliced = await this.#spliced(proof);
    return await this.#judgeText(spliced, signal);
  }

  async write(proof: string, signal: AbortSignal): Promise<{ readonly fileHash: string }> {
    const spliced = await this.#spliced(proof);
    const { source, text } = spliced;
    const { verdict, findings } = await this.#judgeText(spliced, signal);
    if (text === undefined || verdict !== 'accepted') {
      throw new QuodError(
        'not-verified',
        `The proof of ${this.theorem} was not written: ${findings.join('; ')}.`,
        {
          place: { file: this.file },
          remedy: '`quod show` prints it.',
        },
      );
    }
    const bytes = encode(source, text);
    await replaceFile(source, bytes);
    const fileHash = hashOf(bytes);
    this.#versions.add(fileHash);
    return { fileHash };
  }

  /** The script as it is now with the proof in its place. @throws QuodError `file-changed`. */
  async #spliced(proof: string): Promise<Spliced> {
    const source = await readSourceFile(this.file);
    if (!this.#versions.has(source.hash)) throw fileChanged(this.file, CHANGED);
    const script = parseScript(source.text);
    const found = script.theorems.find(({ name }) => name === this.theorem);
    if (found === undefined) throw fileChanged(this.file, CHANGED);
    try {
      return { source, text: spliceProof(script, found, proof, source.lineEnd) };
    } catch (error) {
      if (!(error instanceof QuodError) || error.reason !== 'invalid-input') throw error;
      // A proof that does not fit into the file is no proof of the theorem.
      return { source, text: undefined };
    }
  }

  async #judgeText({ source, text }: Spliced, signal: AbortSignal): Promise<Judgement> {
    if (text === undefined)
      return {
        verdict: 'rejected',
        findings: ['forbidden: it would change the rest of the file'],
        restsOnOpen: [],
      };
    const original = source.text;
    if (this.#accepted?.text === text && this.#accepted.original === original)
      return this.#accepted.judgement;
    const judged = await judgeScript(
      { file: this.file, original, text, theorems: [this.theorem] },
      this.#policy,
      signal,
    );
    const judgement = { ...judged, restsOnOpen: judged.restsOnOpen[this.theorem] ?? [] };
    if (judgement.verdict === 'accepted') this.#accepted = { original, text, judgement };
    return judgement;
  }
}

/** The script as it is, and as it would be; undefined when the proof does not fit into it. */
interface Spliced {
  readonly source: SourceFile;
  readonly text: string | undefined;
}

interface FolderCopy {
  readonly folder: string;
  readonly file: string;
  remove(): Promise<void>;
}

async function copyFolder(file: string): Promise<FolderCopy> {
  const from = dirname(file);
  const beside = await refersToNeighbours(from);
  const folder = beside ? await mkdtemp(join(dirname(from), '.quod-copy-')) : makeScratchFolder('hol4');
  await cp(from, folder, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(basename(path)) && !basename(path).startsWith('.quod-copy-'),
  });
  return {
    folder,
    file: join(folder, basename(file)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Includes such as `../lib` have to mean the same from the copy. */
async function refersToNeighbours(folder: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, 'Holmakefile'), 'utf8')).includes('..');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

function tokensOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z0-9_']+|[^\sA-Za-z0-9_']+/gu) ?? []);
}

/** Jaccard's index. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((token) => other.has(token)).length;
  return both / Math.max(1, one.size + other.size - both);
}

class Hol4ToolSession implements ToolSession {
  readonly session = `agent-${randomUUID()}`;
  state = '';
  readonly #calls: OperationCalls;
  readonly #theorem: string;
  readonly #copy: FolderCopy;
  #original = '';
  /** The proof was completed in the copy, and the judge did not accept it. */
  #behind = false;

  constructor(calls: OperationCalls, theorem: string, copy: FolderCopy) {
    this.#calls = calls;
    this.#theorem = theorem;
    this.#copy = copy;
  }

  async begin(signal: AbortSignal): Promise<void> {
    this.#original = await readFile(this.#copy.file, 'utf8');
    await this.#calls.call('hol_start', { workdir: this.#copy.folder, name: this.session }, signal);
    await this.#openProof(signal);
  }

  async #openProof(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const place = { session, file: this.#copy.file, theorem: this.#theorem };
    await this.#calls.call('hol_cursor_init', place, signal);
    const started = await this.#calls.call('hol_cursor_start', { session }, signal);
    this.state = operations.hol_cursor_start.render(started);
  }

  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    try {
      if (this.#behind) {
        this.#behind = false;
        await writeFile(this.#copy.file, this.#original);
        await this.#openProof(signal);
      }
      const filledIn = {
        session: this.session,
        // Into the copy; the gate judges it in the place of the script's own proof.
        ...(tool === 'hol_cursor_complete' && { unjudged: true }),
      };
      const answer = await toolNamed(TOOLS, tool).call(this.#calls, input, filledIn, signal);
      const { check } = answer;
      if (check === null || check.proof === null) return answer;
      this.#behind = true;
      return { text: `HOL took the proof of ${this.#theorem}:\n${check.proof}`, check };
    } catch (error) {
      if (signal.aborted || !(error instanceof QuodError) || error.reason === 'internal') throw error;
      const check = { outcome: error.reason, proof: null, goal: null };
      return { text: `Error [${error.reason}]: ${error.toString()}`, check };
    }
  }

  async close(): Promise<void> {
    try {
      await this.#calls.call('hol_stop', { session: this.session }, new AbortController().signal);
    } catch (error) {
      // It never started; a session that did ends with the process at the latest.
      if (!(error instanceof QuodError)) throw error;
    } finally {
      await this.#copy.remove();
    }
  }
}
