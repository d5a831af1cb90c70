/**
 * A live HOL on a theorem, in a copy of its script's folder. Whatever closes the proof there goes to the gate: the
 * cursor's own completion, a tactic that was sent, and one that was only tried.
 */
import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Check, ToolSession, ToolAnswer } from '../../agent/target.ts';
import { QuodError } from '../../core/errors.ts';
import { operations } from '../../operations/catalogue.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { agentTool, toolNamed, type AgentTool, type CalledTool } from '../agent-tools.ts';
import { readSourceFile } from '../../operations/files/source-file.ts';
import { goesOnAfter, type OperationCalls } from '../operation-calls.ts';
import type { RunFile } from '../run-file.ts';

/** Filled in, or not for a model to choose. */
const HIDDEN = new Set([
  ...['session', 'workdir', 'file', 'theorem', 'line', 'column'],
  ...['timeout', 'item_timeout', 'tactic_timeout', 'max_output', 'unjudged', 'policy'],
]);

const LOOKS = { leavesState: false, hidden: HIDDEN };
const TRIES = { leavesState: true, hidden: HIDDEN };

export const HOL4_TOOLS: readonly AgentTool[] = [
  agentTool(operations.hol_send, {
    ...TRIES,
    check: ({ status, proof }) => ({
      outcome: status === 'ok' ? 'incomplete' : 'failed',
      proof: null,
      goal: proof?.goals[0]?.conclusion ?? null,
    }),
    // It stands in the goal tree.
    closed: ({ proof }) => (proof?.proved === true ? [''] : []),
  }),
  agentTool(operations.hol_try, {
    ...LOOKS,
    closed: ({ attempts }) =>
      attempts.flatMap(({ status, oracles, tactic }) =>
        status === 'solved' && oracles.length === 0 ? [tactic] : [],
      ),
  }),
  agentTool(operations.hol_proof_state, LOOKS),
  agentTool(operations.hol_search, LOOKS),
  agentTool(operations.hol_tags, LOOKS),
  agentTool(operations.hol_cursor_complete, {
    ...TRIES,
    check: ({ proof }) => ({ outcome: 'proved', proof, goal: null }),
  }),
];

/** What a copy of a folder goes without. */
const LEFT_OUT = new Set(['.git', '.quod', 'node_modules']);

export class Hol4ToolSession implements ToolSession {
  readonly session = `agent-${randomUUID()}`;
  state = '';
  readonly #calls: OperationCalls;
  readonly #theorem: string;
  readonly #copy: FolderCopy;
  #original = '';
  /** The proof was completed in the copy, and the judge did not accept it. */
  #behind = false;

  private constructor(calls: OperationCalls, theorem: string, copy: FolderCopy) {
    this.#calls = calls;
    this.#theorem = theorem;
    this.#copy = copy;
  }

  static async open(
    calls: OperationCalls,
    theorem: string,
    source: RunFile,
    signal: AbortSignal,
  ): Promise<Hol4ToolSession> {
    const toolSession = new Hol4ToolSession(calls, theorem, await copyFolder(source.path));
    try {
      await source.require((await readSourceFile(toolSession.#copy.file)).hash);
      await source.requireDependencies();
      await toolSession.#begin(signal);
      return toolSession;
    } catch (error) {
      await toolSession.close();
      throw error;
    }
  }

  async #begin(signal: AbortSignal): Promise<void> {
    this.#original = await readRegularText(this.#copy.file);
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
      const isBegunAnew = this.#behind;
      if (isBegunAnew) {
        this.#behind = false;
        await writeFile(this.#copy.file, this.#original);
        await this.#openProof(signal);
      }
      const answer = await this.#answer(tool, input, signal);
      const begun = isBegunAnew
        ? 'The last proof was not accepted: its goals were opened anew first.\n\n'
        : '';
      return { ...answer, text: `${begun}${answer.text}` };
    } catch (error) {
      if (!goesOnAfter(error, signal)) throw error;
      const check = { outcome: error.reason, proof: null, goal: null };
      return { text: `Error [${error.reason}]: ${error.toString()}`, check };
    }
  }

  async #answer(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { session } = this;
    // Into the copy; the gate judges it in the place of the script's own proof.
    const filledIn = tool === COMPLETE ? { session, unjudged: true } : { session };
    const answer = await toolNamed(HOL4_TOOLS, tool).call(this.#calls, input, filledIn, signal);
    const { check } = answer;
    if (check !== null && check.proof !== null) return this.#taken(check.proof, '');
    const closed = await this.#closed(tool, answer, signal);
    if ('proof' in closed) return this.#taken(closed.proof, `${answer.text}\n\n`);
    return { ...answer, text: [answer.text, closed.why].filter((text) => text !== '').join('\n\n') };
  }

  #taken(proof: string, before: string): ToolAnswer {
    this.#behind = true;
    const check: Check = { outcome: 'proved', proof, goal: null };
    return { text: `${before}HOL took the proof of ${this.#theorem}:\n${proof}`, check };
  }

  /** What came of it where what was sent or tried left no goal: the whole proof, or why there is none. */
  async #closed(tool: string, { closings }: CalledTool, signal: AbortSignal): Promise<Completion> {
    let last: Completion = { why: '' };
    for (const { script } of closings) {
      last = tool === TRY ? await this.#completedBy(script, signal) : await this.#completed(signal);
      if ('proof' in last) return last;
    }
    return last;
  }

  /** What was only tried leaves the goals as they were, unless it is the end of the proof. */
  async #completedBy(tactic: string, signal: AbortSignal): Promise<Completion> {
    const { status, proof } = await this.#send(`e (${tactic})`, signal);
    if (status !== 'ok') return { why: '' };
    const whole = proof?.proved === true ? await this.#completed(signal) : { why: '' };
    if (!('proof' in whole)) await this.#send('b ()', signal);
    return whole;
  }

  #send(command: string, signal: AbortSignal) {
    return this.#calls.call('hol_send', { session: this.session, command }, signal);
  }

  async #completed(signal: AbortSignal): Promise<Completion> {
    try {
      const input = { session: this.session, unjudged: true };
      return { proof: (await this.#calls.call(COMPLETE, input, signal)).proof };
    } catch (error) {
      if (!goesOnAfter(error, signal)) throw error;
      return { why: `No goal is left, but this is no proof yet: ${error.toString()}` };
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

/** The text of the whole proof, as HOL takes it, or what to tell the model instead. */
type Completion = { readonly proof: string } | { readonly why: string };

const COMPLETE = 'hol_cursor_complete';
const TRY = 'hol_try';

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
    filter: async (path) =>
      !LEFT_OUT.has(basename(path)) && !basename(path).startsWith('.quod-copy-') && (await isCopied(path)),
  });
  return {
    folder,
    file: join(folder, basename(file)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A pipe would be waited for, and nothing is proved in a device. */
async function isCopied(path: string): Promise<boolean> {
  const status = await lstat(path);
  return status.isFile() || status.isDirectory() || status.isSymbolicLink();
}

/** Includes such as `../lib` have to mean the same from the copy. */
async function refersToNeighbours(folder: string): Promise<boolean> {
  try {
    return (await readRegularText(join(folder, 'Holmakefile'))).includes('..');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
