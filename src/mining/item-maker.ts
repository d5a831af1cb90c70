/**
 * Makes items of the goals of a source's proofs, not yet checked. Each name and each pair of statement and proof is
 * given out once.
 */
import { createHash } from 'node:crypto';
import { entryAt, orNothing, orZero } from '../core/entry.ts';
import { LineIndex } from '../core/position.ts';
import type { Hypothesis } from '../core/proof-state.ts';
import type { ProverIdentity } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { THEOREM_WORDS } from '../provers/rocq/syntax/statement-head.ts';
import type { Failure, Item, SplitName } from './item.ts';
import { namesInTactic } from './premises.ts';
import { isCommand, withoutTiming } from './proof-commands.ts';
import { assembleProof, withoutDot, type AssembledProof, type ProofNode } from './proof-tree.ts';
import { closeGoal, variablesIn } from './statement.ts';
import type { WalkedProof } from './walk-proof.ts';

export interface SourceToMine {
  readonly library: string;
  /** As items say it. */
  readonly file: string;
  readonly outline: FileOutline;
  readonly split: SplitName;
}

export interface Candidate {
  readonly node: ProofNode;
  readonly item: Item;
  readonly variables: ReadonlySet<string>;
  /** What its steps took when they were run. */
  readonly cost: number;
  /** The run of the file has checked it. */
  readonly verified: boolean;
}

export class ItemMaker {
  readonly #source: SourceToMine;
  readonly #after: number | undefined;
  readonly #lines: LineIndex;
  readonly #names = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #context;
  /** Sentences that the hash of the context has. */
  #hashed = 0;

  constructor(source: SourceToMine, { prover, version }: ProverIdentity, after: number | undefined) {
    this.#source = source;
    this.#after = after;
    this.#lines = new LineIndex(source.outline.text);
    this.#context = createHash('sha256').update(JSON.stringify([prover, version, source.library]));
    for (const { name } of source.outline.statements) if (name !== undefined) this.#names.add(name);
  }

  /** What a goal would be as an item, or why it cannot be one; undefined for a goal that is not asked for. */
  candidate(
    theorem: TheoremItem,
    walked: WalkedProof,
    node: ProofNode,
    section: readonly Hypothesis[],
  ): Candidate | Failure | undefined {
    if (node.instantiated) return undefined;
    const isBetweenSentences = node.origin !== 'chain';
    if (this.#after !== undefined && !(isBetweenSentences && node.stepsBefore === this.#after))
      return undefined;
    const isRoot = node === walked.root;
    const original = isRoot ? this.#original(theorem) : undefined;
    const variables = variablesIn(node.goal, section);
    const closed = closeGoal(node.goal, variables);
    const assembled = assembleProof(node, this.#source.outline.sentences);
    const proof = original?.proof ?? assembled;
    if (original === undefined) {
      if (closed.kind === 'open') return closed.why;
      if (walked.hasCommands && !isRoot) return 'command';
    }
    if (proof === undefined || proof.tactics.length === 0) return 'joint';
    const statement = original?.statement ?? (closed.kind === 'closed' ? closed.text : '');
    const key = `${statement}\0${proof.text}`;
    if (this.#seen.has(key)) return 'duplicate';
    this.#seen.add(key);
    const item = this.#item(theorem, node, { statement, proof, variables, isRoot });
    return { node, item, variables, cost: orZero(assembled?.elapsedMs), verified: original !== undefined };
  }

  /** The theorem as its author wrote it, when the text alone says what it is: the run of the file is its check. */
  #original(
    theorem: TheoremItem,
  ): { readonly statement: string; readonly proof: AssembledProof } | undefined {
    const { keyword, prefixes, attributes, otherNames, closingWord, body, binders, statement } = theorem;
    const { outline } = this.#source;
    const sentences = outline.sentences.slice(body.first, body.end);
    const [first] = sentences;
    const last = sentences.at(-1);
    const isPlain =
      THEOREM_WORDS.has(keyword) &&
      closingWord === 'Qed' &&
      prefixes.length + attributes.length + otherNames.length === 0 &&
      statement !== '' &&
      !sentences.some(({ text }) => text.endsWith('...'));
    if (!isPlain || first === undefined || last === undefined) return undefined;
    const tactics = sentences
      .filter(({ role, text }) => role === 'command' && !isCommand(withoutTiming(text)))
      .map(({ text }) => withoutDot(withoutTiming(text)));
    if (tactics.length === 0) return undefined;
    return {
      statement: `${binders.trim()} : ${statement.trim()}`.trim(),
      proof: { tactics, text: outline.text.slice(first.span.start, last.span.end), elapsedMs: 0 },
    };
  }

  #item(
    theorem: TheoremItem,
    node: ProofNode,
    content: {
      readonly statement: string;
      readonly proof: AssembledProof;
      readonly variables: ReadonlySet<string>;
      readonly isRoot: boolean;
    },
  ): Item {
    const { outline, library, file, split } = this.#source;
    const { statement, proof, variables, isRoot } = content;
    const place = isRoot ? theorem.sentence : node.sentence;
    const { line, column } = this.#lines.printedAt(entryAt(outline.sentences, place, 'sentence').span.start);
    return {
      name: this.#freshName(theorem, node, isRoot),
      theorem: orNothing(theorem.name),
      library,
      file,
      line,
      column,
      path: [...theorem.path],
      context: this.#contextOf(theorem),
      statement,
      hypotheses: node.goal.hypotheses.map((hypothesis) => ({
        ...hypothesis,
        ...(variables.has(hypothesis.name) && { section: true }),
      })),
      goal: node.goal.conclusion,
      tactics: [...proof.tactics],
      proof: proof.text,
      ...(node.inner !== undefined && { first: node.inner.tactic }),
      names: namesInTactic(entryAt(proof.tactics, 0, 'tactic'), node.goal),
      depth: node.depth,
      step: node.stepsBefore,
      origin: node.origin,
      isOriginal: isRoot,
      printing: 'usual',
      split,
    };
  }

  #freshName(theorem: TheoremItem, node: ProofNode, isRoot: boolean): string {
    const { start } = entryAt(this.#source.outline.sentences, theorem.sentence, 'sentence').span;
    const base = theorem.name ?? `unnamed_${this.#lines.printedAt(start).line}`;
    const wanted = isRoot ? `${base}_whole` : `${base}_at_${node.stepsBefore}`;
    for (let number = 0; ; number += 1) {
      const name = number === 0 ? wanted : `${wanted}_${number}`;
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
  }

  #contextOf(theorem: TheoremItem): string {
    for (; this.#hashed < theorem.sentence; this.#hashed += 1)
      this.#context
        .update('\0')
        .update(entryAt(this.#source.outline.sentences, this.#hashed, 'sentence').text);
    return this.#context.copy().digest('hex').slice(0, 32);
  }
}
