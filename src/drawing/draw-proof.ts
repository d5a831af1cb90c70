/**
 * Runs a proof as it stands in a file, whole or not, and makes it data to be drawn. A proof that stops at a
 * sentence that does not work is drawn up to there. Nothing is changed: neither the file nor a state that others hold.
 */
import type { Diagnostic } from '../core/diagnostic.ts';
import { orZero } from '../core/entry.ts';
import { LineIndex } from '../core/position.ts';
import type { Goal, ProofState } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import { appendAll } from '../core/lists/many.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../provers/rocq/syntax/theorem-text.ts';
import type { ProofNode } from '../mining/proof-tree.ts';
import { SideBudget } from '../mining/side-budget.ts';
import { ProofWalk } from '../mining/walk-proof.ts';
import {
  GoalTables,
  type DrawnNode,
  type DrawnProof,
  type DrawnSentence,
  type NodeStatus,
  type ProofOutcome,
  type WrittenGoal,
} from './drawn-proof.ts';

export interface ProofToDraw {
  /** As errors and headings call it. */
  readonly file: string;
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
}

export interface DrawOptions {
  readonly signal: AbortSignal;
  /** Longest text of a type, a value or a conclusion, in UTF-16 units; what is longer is cut and says so. */
  readonly characters: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Told the state behind a closing sentence that the prover has accepted. */
  readonly onClosed?: (session: ProverSession, state: StateId) => Promise<void>;
}

const CLOSING_TIMEOUT_MS = 120_000;
/** Milliseconds of taking chains apart for each that the proof itself takes. */
const SHARE_FOR_CHAINS = 2;

/**
 * @param opened The state behind the statement. @throws QuodError `interrupted`, `prover-crashed` and what else a
 * session throws.
 */
export async function drawProof(
  session: ProverSession,
  opened: StateId,
  source: ProofToDraw,
  options: DrawOptions,
): Promise<DrawnProof> {
  const { outline, theorem } = source;
  const proof = await session.goals(opened);
  const tables = new GoalTables();
  const sentences = new SentenceList(source, tables, options.characters);
  if (proof === null) {
    sentences.add(theorem.sentence, NOTHING, 0);
    return drawn(source, { outcome: outcomeOf(theorem, false), error: null, nodes: [], tables, sentences });
  }
  sentences.add(theorem.sentence, proof, 0);
  const end = theorem.closing ?? endOfProof(theorem);
  const total = end - theorem.sentence;
  const walk = new ProofWalk(
    session,
    outline,
    { state: opened, proof },
    {
      budget: new SideBudget(SHARE_FOR_CHAINS),
      signal: options.signal,
      explicit: false,
      repeated: false,
      onSentence: (sentence, after, elapsedMs) => {
        sentences.add(sentence, after, elapsedMs);
        options.onProgress?.(sentence - theorem.sentence, total);
      },
    },
  );
  const ran = await walk.run(theorem, end);
  const refused =
    'error' in ran
      ? { at: ran.sentence, error: ran.error }
      : await closed(session, ran.state, source, options);
  const { nodes, state } = walk.walked;
  const here = (await session.goals(state))?.goals ?? [];
  const background = (await session.background(state)) ?? { unfocused: [], shelved: [], givenUp: [] };
  const statusOf = statusIn({
    open: new Set([...here, ...background.unfocused.flat(), ...background.shelved].map(({ id }) => id)),
    givenUp: new Set(background.givenUp.map(({ id }) => id)),
    broken: 'error' in ran ? here[0]?.id : undefined,
  });
  return drawn(source, {
    outcome: outcomeOf(theorem, refused !== undefined),
    error: refused === undefined ? null : placed(source, refused.at, refused.error),
    nodes: nodesOf(nodes, { tables, statusOf, first: theorem.sentence, characters: options.characters }),
    tables,
    sentences,
  });
}

const NOTHING: ProofState = { goals: [], unfocused: [], shelved: 0, givenUp: 0 };

/** Runs the closing sentence where it is one that the prover checks the proof with; what was refused of it. */
async function closed(
  session: ProverSession,
  at: StateId,
  { outline, theorem }: ProofToDraw,
  { signal, onClosed }: DrawOptions,
): Promise<{ readonly at: number; readonly error: Diagnostic } | undefined> {
  const sentence = theorem.closing === undefined ? undefined : outline.sentences[theorem.closing];
  if (theorem.closing === undefined || sentence === undefined) return undefined;
  const result = await session.run(at, sentence, { timeoutMs: CLOSING_TIMEOUT_MS, signal });
  if (result.status === 'done') {
    await onClosed?.(session, result.state);
    return undefined;
  }
  return {
    at: theorem.closing,
    error: result.status === 'failed' ? result.error : { severity: 'error', message: result.message },
  };
}

function outcomeOf({ closing, closingWord }: TheoremItem, isRefused: boolean): ProofOutcome {
  if (isRefused) return 'refused';
  if (closing === undefined) return 'unfinished';
  return closingWord === 'Admitted' || closingWord === 'Abort' ? 'admitted' : 'finished';
}

function placed({ file, outline }: ProofToDraw, sentence: number, error: Diagnostic): string {
  const start = (outline.sentences[sentence]?.span.start ?? outline.text.length) + orZero(error.span?.start);
  const { line, column } = new LineIndex(outline.text).printedAt(start);
  return `${file}:${line}:${column}: ${error.message.trim()}`;
}

function drawn(
  { file, outline, theorem }: ProofToDraw,
  made: {
    readonly outcome: ProofOutcome;
    readonly error: string | null;
    readonly nodes: readonly DrawnNode[];
    readonly tables: GoalTables;
    readonly sentences: SentenceList;
  },
): DrawnProof {
  const statement = outline.sentences[theorem.sentence]?.text ?? theorem.statement;
  const { hypotheses, goals } = made.tables;
  return {
    ...{
      file,
      theorem: theorem.name ?? theorem.keyword,
      statement,
      outcome: made.outcome,
      error: made.error,
    },
    ...{ hypotheses, goals, nodes: made.nodes, sentences: made.sentences.all },
  };
}

class SentenceList {
  readonly all: DrawnSentence[] = [];
  readonly #outline: FileOutline;
  readonly #lines: LineIndex;
  readonly #tables: GoalTables;
  readonly #characters: number;

  constructor({ outline }: ProofToDraw, tables: GoalTables, characters: number) {
    this.#outline = outline;
    this.#lines = new LineIndex(outline.text);
    this.#tables = tables;
    this.#characters = characters;
  }

  add(index: number, { goals, unfocused, shelved, givenUp }: ProofState, elapsedMs: number): void {
    const sentence = this.#outline.sentences[index];
    if (sentence === undefined) return;
    this.all.push({
      text: sentence.text,
      ...this.#lines.printedAt(sentence.span.start),
      goals: goals.map((goal) => this.#tables.placeOf(written(goal, this.#characters))),
      elsewhere: unfocused.reduce((sum, count) => sum + count, 0),
      ...{ shelved, given_up: givenUp, seconds: elapsedMs / 1000 },
    });
  }
}

function written({ hypotheses, conclusion }: Goal, characters: number): WrittenGoal {
  const short = (text: string): string =>
    text.length <= characters ? text : `${text.slice(0, characters)}… (${text.length} characters)`;
  return {
    conclusion: short(conclusion),
    hypotheses: hypotheses.map(({ name, type, body }) => ({
      name,
      type: short(type),
      body: body === undefined ? null : short(body),
    })),
  };
}

interface FinalGoals {
  readonly open: ReadonlySet<string>;
  readonly givenUp: ReadonlySet<string>;
  /** The goal that the refused sentence was for. */
  readonly broken: string | undefined;
}

function statusIn({ open, givenUp, broken }: FinalGoals): (node: ProofNode) => NodeStatus {
  return (node) => {
    const { id } = node.goal;
    // A goal that a step only changed has the name of what it became.
    if (givenUp.has(id) && (node.step?.children ?? []).length === 0) return 'given-up';
    if (node.step !== undefined) return 'closed';
    if (id === broken) return 'broken';
    if (open.has(id)) return 'open';
    return node.instantiated ? 'elsewhere' : 'together';
  };
}

interface NodeMaking {
  readonly tables: GoalTables;
  readonly statusOf: (node: ProofNode) => NodeStatus;
  /** Index in the outline of the first sentence that is drawn. */
  readonly first: number;
  readonly characters: number;
}

/** Parents before children, children in their order; roots in the order in which they were met. */
function nodesOf(met: readonly ProofNode[], making: NodeMaking): DrawnNode[] {
  const childrenOf = (node: ProofNode): readonly ProofNode[] => (node.inner ?? node.step)?.children ?? [];
  const isChild = new Set(met.flatMap(childrenOf));
  const placeOf = new Map<ProofNode, number>();
  const ordered: { readonly node: ProofNode; readonly parent: ProofNode | undefined }[] = [];
  // Children are put on the stack from the last to the first, so that the first is taken first.
  const stack = met
    .filter((node) => !isChild.has(node))
    .map((node) => ({ node, parent: undefined as ProofNode | undefined }))
    .toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (placeOf.has(next.node)) continue;
    placeOf.set(next.node, ordered.push(next) - 1);
    const { node } = next;
    appendAll(
      stack,
      childrenOf(node)
        .map((child) => ({ node: child, parent: node }))
        .toReversed(),
    );
  }
  const children = ordered.map((): number[] => []);
  for (const [place, { parent }] of ordered.entries()) {
    const at = parent === undefined ? undefined : placeOf.get(parent);
    if (at !== undefined) children[at]?.push(place);
  }
  return ordered.map(({ node, parent }, place) => {
    const step = node.inner ?? node.step;
    return {
      goal: making.tables.placeOf(written(node.goal, making.characters)),
      parent: parent === undefined ? null : (placeOf.get(parent) ?? null),
      children: children[place] ?? [],
      status: making.statusOf(node),
      tactic: step?.tactic ?? null,
      sentence: step === undefined || node.sentence < 0 ? null : node.sentence - making.first,
      seconds: step === undefined ? null : step.elapsedMs / 1000,
    };
  });
}
