/**
 * The agent's port to a theorem of a Rocq file, filled with operations as MCP and REST are: which file, theorem and
 * session they mean is not for a model to say.
 */
import { basename } from 'node:path';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import type {
  Claim,
  Helpers,
  Judgement,
  ProofsWanted,
  Refutation,
  SimilarProof,
  Target,
  TargetTool,
  ToolSession,
} from '../../agent/target.ts';
import { operations, type OutputOf } from '../../operations/catalogue.ts';
import { notWritten, writeJudged } from '../judged-write.ts';
import { goesOnAfter, type OperationCalls } from '../operation-calls.ts';
import type { RunFile } from '../run-file.ts';
import { claimOfSession } from './rocq-claim.ts';
import { rocqContext } from './rocq-context.ts';
import { rocqHelpers } from './rocq-helpers.ts';
import { judgeWithLemmas } from './rocq-judgement.ts';
import { READING_TOOLS } from './rocq-reading.ts';
import { refutationIn, type RefuteAsBegun } from './rocq-refutation.ts';
import type { RocqSources } from './rocq-sources.ts';
import { RocqToolSession } from './rocq-tool-session.ts';
import { TOOLS } from './rocq-tools.ts';

export interface Opened {
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  readonly sources: () => Promise<RocqSources>;
  readonly open: (file: string, theorem: string, signal: AbortSignal) => Promise<Target>;
  readonly refuteAsBegun: RefuteAsBegun;
}

const PREMISES = 16;

export class RocqTarget implements Target {
  readonly prover = 'rocq';
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  readonly tools: readonly TargetTool[] = [...TOOLS, ...READING_TOOLS].map(({ listing }) => listing);
  readonly #calls: OperationCalls;
  readonly #sources: () => Promise<RocqSources>;
  readonly #refuteAsBegun: RefuteAsBegun;
  readonly helpers: Helpers;
  /** Shared by the targets of a file: one's write must not make the others think that somebody else changed it. */
  readonly #source: RunFile;
  /**
   * The latest proof that the gate accepted, the version of the file that it was judged in, and the one that was
   * judged.
   */
  #accepted: { readonly proof: string; readonly hash: string; readonly newHash: string } | undefined;

  constructor(calls: OperationCalls, opened: Opened, source: RunFile) {
    const { theorem, statement, file, sources, open, refuteAsBegun } = opened;
    const { path } = source;
    this.#sources = sources;
    this.#refuteAsBegun = refuteAsBegun;
    this.helpers = rocqHelpers({
      ...{ original: this, path, sources, open },
      judge: async (proof, signal, before) => (await this.#withHelpers(proof, before, signal)).judgement,
    });
    this.theorem = theorem;
    this.statement = statement;
    this.file = file;
    this.#calls = calls;
    this.#source = source;
  }

  async openToolSession(signal: AbortSignal): Promise<ToolSession> {
    const { file, theorem } = this;
    await this.#source.read();
    const opened = await this.#calls.call('rocq_open', { file, theorem }, signal);
    const state = operations.rocq_open.render(opened);
    const toolSession = new RocqToolSession(this.#calls, this, opened.session_id, state);
    try {
      await this.#source.requireDependencies();
      return toolSession;
    } catch (error) {
      await toolSession.close();
      throw error;
    }
  }

  async claim(signal: AbortSignal): Promise<Claim | undefined> {
    const { file, theorem } = this;
    const { session_id: session } = await this.#calls.call('rocq_open', { file, theorem }, signal);
    try {
      return await claimOfSession(this.#calls, session, basename(this.#source.path, '.v'), signal);
    } finally {
      await this.#calls.call('rocq_close', { session_id: session }, new AbortController().signal);
    }
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
          if (!goesOnAfter(error, signal)) throw error;
          // Rocq has no such name: it is bound in the statement.
          return undefined;
        }
      },
      premises: async () => {
        try {
          const { premises } = await this.#calls.call('rocq_premises', { ...place, limit: PREMISES }, signal);
          return premises.filter(({ name }) => name !== this.theorem);
        } catch (error) {
          if (!goesOnAfter(error, signal)) throw error;
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
    const found = await refutationIn(this.#calls, { file, theorem, seconds }, signal);
    if (!found.refuted) return found;
    // It is told of the statement as it stands in the file.
    const { text } = await this.#source.read();
    return await this.#refuteAsBegun(found, text, { seconds, signal });
  }

  async judge(proof: string, signal: AbortSignal, before?: string): Promise<Judgement> {
    if (before !== undefined && before !== '')
      return (await this.#withHelpers(proof, before, signal)).judgement;
    const answer = await this.#source.judged(
      (source) => this.#fill({ proof, hash: source.hash, dry_run: true }, signal),
      (one) => one.verdict === 'accepted',
    );
    const { verdict, findings, warnings, axioms, rests_on_open, file_hash, new_file_hash } = answer;
    if (verdict === 'not-asked') throw new QuodError('internal', 'The gate was not asked for a judgement.');
    if (verdict === 'accepted' && new_file_hash !== null)
      this.#accepted = { proof, hash: file_hash, newHash: new_file_hash };
    const judgement = { verdict, findings: [...findings, ...warnings], restsOnOpen: rests_on_open };
    return verdict === 'accepted' ? { ...judgement, grounds: { axioms, warnings } } : judgement;
  }

  /** The gate's word on the file with helper lemmas before the statement and the proof in its place. */
  async #withHelpers(proof: string, before: string, signal: AbortSignal) {
    return await this.#source.judged(
      async (source) => ({
        source,
        ...(await judgeWithLemmas(source, this.theorem, { proof, before }, signal)),
      }),
      ({ judgement }) => judgement.verdict === 'accepted',
    );
  }

  async #writeWithHelpers(proof: string, before: string, signal: AbortSignal) {
    return writeJudged(await this.#withHelpers(proof, before, signal), this, this.#source);
  }

  async write(proof: string, signal: AbortSignal, before?: string): Promise<{ readonly fileHash: string }> {
    this.#source.found({ theorem: this.theorem, proof });
    if (before !== undefined && before !== '') return this.#writeWithHelpers(proof, before, signal);
    const source = await this.#source.read();
    this.#source.requireOwnProof(source, this.theorem);
    const { hash } = source;
    const { written, file_hash: fileHash, findings } = await this.#fill({ proof, hash }, signal);
    if (!written) throw notWritten(this, findings);
    this.#source.wrote(fileHash);
    return { fileHash };
  }

  async #fill(
    { proof, hash, ...how }: { readonly proof: string; readonly hash: string; readonly dry_run?: true },
    signal: AbortSignal,
  ): Promise<OutputOf<'rocq_fill'>> {
    const { file, theorem } = this;
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
