/**
 * The agent's port to theorems of an HOL4 script, filled with the cursor's operations. A model works on a copy of the
 * script's folder; the gate judges the bytes that `write` would put into the script, against the script as it is.
 * Without a HOL4 that exports its proofs it says `unknown`, unless the user settles for Holmake. Only `write`
 * changes the script.
 */
import { orNothing, underName } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { appendAll } from '../../core/lists/many.ts';
import { nothingBehindText } from '../../core/sentence.ts';
import type {
  Comparison,
  Judgement,
  ProofsWanted,
  SimilarProof,
  Target,
  TargetFile,
  TargetTool,
} from '../../agent/target.ts';
import type { GatePolicy } from '../../gate/policy.ts';
import { notTogetherText } from '../../agent/workflow/ask-together.ts';
import { judgeScript, type ScriptJudgement } from '../../operations/hol4/judge-script.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import { holTokens } from '../../provers/hol4/syntax/lexer.ts';
import type { ScriptTheorem } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { spliceProof } from '../../provers/hol4/syntax/splice.ts';
import { fillableTheorems } from '../../sessions/hol4/cursor.ts';
import type { TargetHost } from '../target-host.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import { hol4Context } from './hol4-context.ts';
import { hol4Dependencies } from './hol4-dependencies.ts';
import { addsOnlyScriptProofs, isScriptChangedElsewhere, otherScriptProofs } from './hol4-own-change.ts';
import { isOpenIn, proofText, scriptProofs, withScriptProof } from './hol4-proofs.ts';
import { Hol4ToolSession, HOL4_TOOLS } from './hol4-tool-session.ts';
import { isOwnWork } from '../own-work.ts';
import { misleadingFinding } from '../misleading-proof.ts';
import { writeJudged } from '../judged-write.ts';
import { OperationCalls, noSuchTheorem } from '../operation-calls.ts';
import { RunFile, fileChangedDuringRun } from '../run-file.ts';
import { leftToOthers, ownProofsOf, statingText } from '../target-choice.ts';
import type { TargetChoice } from '../target-choice.ts';
import { encode, readUnlinkedBytes, readUnlinkedSource } from '../../operations/files/source-file.ts';

/** @throws QuodError `not-found`, `file-changed` when the file is none of the known versions. */
export async function openHol4Targets(
  host: TargetHost,
  choice: TargetChoice,
  signal: AbortSignal,
): Promise<TargetFile> {
  const file = await host.workspace.resolve(choice.file);
  const { text, hash, lineEnd } = await readUnlinkedSource(file);
  const script = parseScript(text);
  const dependencies = hol4Dependencies(file);
  const { runFiles } = choice;
  const own = ownProofsOf(choice, text, { proofsIn: scriptProofs, withProof: withScriptProof });
  const runFile = await RunFile.open({ path: file, name: file, hash, dependencies, runFiles, own });
  // A name is all that the gate is asked by: one that several theorems have says nothing of any of them.
  const isOfSeveral = (theorem: string, of = script): boolean =>
    of.theorems.filter(({ name }) => name === theorem).length > 1;
  const fillable = fillableTheorems(script);
  const holes = fillable
    .map(({ name }) => name)
    .filter((name) => choice.theorems !== undefined || !isOfSeveral(name));
  const leftOut = fillable
    .filter(({ name }) => choice.theorems === undefined && isOfSeveral(name))
    .map(
      ({ name, position }) =>
        `${name} at line ${position.line} is left out: the script states several theorems ${name}. Give one of them another name.`,
    );
  const finished = script.theorems.flatMap(({ name, proof }) => (proof === undefined ? [] : [name]));
  const wanted = wantedOf(choice, holes, new Set(finished));
  const calls = new OperationCalls(host);
  const policy = choice.policy ?? {};
  const compare = (original: string, stop: AbortSignal): Promise<Comparison> =>
    runFile.compared((source) => compareScripts({ source, original, wanted }, policy, stop));
  const original = statingText(choice);
  if (choice.known !== undefined && original === undefined) {
    const isOwn = await isOwnWork(choice.known, {
      hash,
      text,
      withProof: withScriptProof,
      proves: async (original) => (await compare(original, signal)).clean,
    });
    if (!isOwn) throw fileChangedDuringRun(file, 'since the run');
  }
  const stating = original ?? text;
  const stated = original === undefined ? script : parseScript(original);
  const others = leftToOthers(choice, own, { text, hash }, wanted);
  const worked = wanted.filter((theorem) => !others.includes(theorem));
  const targets = worked.map((theorem) => {
    if (isOfSeveral(theorem, stated))
      throw new QuodError('invalid-input', `The script states several theorems ${theorem}.`, {
        place: { file },
        remedy: 'Give one of them another name.',
      });
    const found = stated.theorems.find(({ name, proof }) => name === theorem && proof !== undefined);
    if (found === undefined) {
      const names = stated.theorems.map(({ name }) => name);
      throw noSuchTheorem(theorem, names, file);
    }
    return new Hol4Target(
      calls,
      { theorem, statement: statementText(stating, found), file },
      runFile,
      policy,
    );
  });
  return {
    file,
    fileHash: hash,
    text,
    targets,
    leftOut: [...(choice.leftOut ?? leftOut), ...(wanted.length === 0 ? unreadOf(text) : [])],
    usersOwn: others.map((theorem) => ({ theorem, isFinished: !isOpenIn(script, theorem) })),
    bytes: () => readUnlinkedBytes(file),
    addsOnlyProofs: (from, to, proofs) => addsOnlyScriptProofs(lineEnd, wanted, { from, to, proofs }),
    otherProofs: (from, to, proofs) => otherScriptProofs(wanted, { from, to, proofs }),
    openNow: async (names) => {
      const now = parseScript((await readUnlinkedSource(file)).text);
      return names.filter((name) => isOpenIn(now, name));
    },
    compare,
    requireDependencies: () => runFile.requireDependencies(),
    recheck: (theorems, stop) =>
      runFile.judged((now) => judgeScript({ file, original: text, text: now.text, theorems }, policy, stop)),
  };
}

/** With nothing to prove, nobody else comes to tell that the script is none that is finished. */
function unreadOf(text: string): readonly string[] {
  const open = holTokens(text).find(({ closed }) => !closed);
  return open === undefined ? [] : [nothingBehindText(text, { inside: open.kind, start: open.span.start })];
}

/** @returns the names of the targets, those included that the script does not have. */
function wantedOf(
  { theorems, leavesFinished = false }: TargetChoice,
  holes: readonly string[],
  finished: ReadonlySet<string>,
): readonly string[] {
  if (theorems === undefined) return holes;
  return leavesFinished ? theorems.filter((name) => holes.includes(name) || !finished.has(name)) : theorems;
}

/** Everything but the proofs of the targets has to be what it was; then the gate judges the script as it is. */
async function compareScripts(
  { source, original, wanted }: { source: SourceFile; original: string; wanted: readonly string[] },
  policy: GatePolicy,
  signal: AbortSignal,
): Promise<Comparison> {
  const { path: file, text } = source;
  const bytes = encode(source, text);
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
  const elsewhere = isScriptChangedElsewhere(now, before, wanted);
  if (proofs.length === 0) return { clean, elsewhere, accepted: [], unjudged: [], findings, bytes };
  const judge = async (theorems: readonly string[]): Promise<ScriptJudgement> =>
    await judgeScript({ file, original, text, theorems }, policy, signal);
  const together = await judge(proofs.map(({ theorem }) => theorem));
  const accepted: Comparison['accepted'][number][] = [];
  const unjudged: { theorem: string; proof: string; message: string }[] = [];
  if (together.verdict === 'accepted') appendAll(findings, together.findings);
  for (const found of proofs) {
    const isKnown = together.verdict === 'accepted' || proofs.length === 1;
    const judged = isKnown ? together : await judge([found.theorem]);
    if (judged.verdict === 'accepted') accepted.push({ ...found, ...restsUnder(judged, found.theorem) });
    else
      appendAll(
        findings,
        judged.findings.map((finding) => `${found.theorem}: ${finding}`),
      );
    if (judged.verdict === 'unknown') unjudged.push({ ...found, message: judged.findings.join('; ') });
  }
  const names = accepted.map(({ theorem }) => theorem);
  const joint = names.length < 2 || names.length === proofs.length ? together : await judge(names);
  if (names.length < 2 || joint.verdict === 'accepted')
    return { clean, elsewhere, accepted, unjudged, findings, bytes };
  const finding = notTogetherText(joint);
  const apart = { theorems: names, finding };
  return { clean, elsewhere, accepted, unjudged, findings: [...findings, finding], apart, bytes };
}

/** What the acceptance of one theorem rests on. */
function restsUnder({ restsOnOpen, grounds }: ScriptJudgement, theorem: string) {
  return {
    restsOnOpen: underName(restsOnOpen, theorem) ?? [],
    grounds: underName(grounds ?? {}, theorem),
  };
}

function words(text: string): string {
  return text.replace(/\s+/gu, '');
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
  readonly tools: readonly TargetTool[] = HOL4_TOOLS.map(({ listing }) => listing);
  readonly #calls: OperationCalls;
  readonly #source: RunFile;
  readonly #policy: GatePolicy;
  /** The last text that the gate accepted, and against which. */
  #accepted: { readonly original: string; readonly text: string; readonly judgement: Judgement } | undefined;

  constructor(
    calls: OperationCalls,
    { theorem, statement, file }: Named,
    source: RunFile,
    policy: GatePolicy,
  ) {
    this.theorem = theorem;
    this.statement = statement;
    this.file = file;
    this.#calls = calls;
    this.#source = source;
    this.#policy = policy;
  }

  async openToolSession(signal: AbortSignal): Promise<Hol4ToolSession> {
    return await Hol4ToolSession.open(this.#calls, this.theorem, this.#source, signal);
  }

  async context(): Promise<readonly ContextPiece[]> {
    const { text } = await this.#source.read();
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
    const { text } = await this.#source.read();
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
    const { text } = await this.#source.read();
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
    return (await this.#judged(proof, signal)).judgement;
  }

  async write(proof: string, signal: AbortSignal): Promise<{ readonly fileHash: string }> {
    this.#source.found({ theorem: this.theorem, proof });
    return writeJudged(await this.#judged(proof, signal), this, this.#source);
  }

  async #judged(proof: string, signal: AbortSignal): Promise<Spliced & { readonly judgement: Judgement }> {
    return await this.#source.judged(
      async (source) => {
        const spliced = this.#spliced(source, proof);
        return { ...spliced, judgement: await this.#judgeText(spliced, signal) };
      },
      ({ judgement }) => judgement.verdict === 'accepted',
    );
  }

  /** The script with the proof in its place. */
  #spliced(source: SourceFile, proof: string): Spliced {
    const script = parseScript(source.text);
    const found = script.theorems.find(({ name }) => name === this.theorem);
    if (found === undefined) {
      const names = script.theorems.map(({ name }) => name);
      throw noSuchTheorem(this.theorem, names, this.file);
    }
    const misleading = misleadingFinding({ proof });
    if (misleading !== undefined) return { source, text: undefined, refused: misleading };
    try {
      return { source, text: spliceProof(script, found, proof, source.lineEnd) };
    } catch (error) {
      if (!(error instanceof QuodError) || error.reason !== 'invalid-input') throw error;
      // A proof that does not fit into the file is no proof of the theorem.
      return { source, text: undefined, refused: 'forbidden: it would change the rest of the file' };
    }
  }

  async #judgeText(spliced: Spliced, signal: AbortSignal): Promise<Judgement> {
    if (spliced.text === undefined)
      return { verdict: 'rejected', findings: [spliced.refused], restsOnOpen: [] };
    const { source, text } = spliced;
    const original = source.text;
    if (this.#accepted?.text === text && this.#accepted.original === original)
      return this.#accepted.judgement;
    const judged = await judgeScript(
      { file: this.file, original, text, theorems: [this.theorem] },
      this.#policy,
      signal,
    );
    const judgement = { ...judged, ...restsUnder(judged, this.theorem) };
    if (judgement.verdict === 'accepted') this.#accepted = { original, text, judgement };
    return judgement;
  }
}

/** The script as it is, and as it would be; undefined when the proof may not be put into it, with why as a finding. */
type Spliced = { readonly source: SourceFile } & (
  { readonly text: string } | { readonly text: undefined; readonly refused: string }
);

function tokensOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z0-9_']+|[^\sA-Za-z0-9_']+/gu) ?? []);
}

/** Jaccard's index. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((token) => other.has(token)).length;
  return both / Math.max(1, one.size + other.size - both);
}
