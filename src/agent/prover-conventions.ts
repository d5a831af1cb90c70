/** How the agent speaks of each prover and reads what a model writes for it. */
import { z } from 'zod';
import { orNothing, orZero } from '../core/entry.ts';
import { holTokens, inColumnZero } from '../provers/hol4/syntax/lexer.ts';
import { significantTokens, tokenise } from '../provers/rocq/syntax/lexer.ts';
import { sentenceHead } from '../provers/rocq/syntax/sentence-head.ts';
import { splitSentences } from '../provers/rocq/syntax/sentences.ts';
import { jsonOf } from './models/conversation.ts';

export interface ProverConventions {
  readonly name: string;
  /** The tool that checks a whole proof, given as `proof`. */
  readonly checkTool: string;
  /** The tool that shows the live state, called without arguments. */
  readonly stateTool: string;
  /** The shape of a proof, as a model is told. */
  readonly script: string;
  readonly forbidden: string;
  /** The prompt that tells how the tools of the prover are used. */
  readonly toolUsePrompt: 'rocq-tool-use' | 'hol4-tool-use';
  /** The first word of a proof and the one that closes it. */
  readonly opening: RegExp;
  readonly closing: RegExp;
  /** The proof in a text that may have more before and behind it. */
  readonly cut: (script: string) => string;
  /** A sentence that stands for a part of a proof which is left out; null where a proof with holes is no plan. */
  readonly hole: RegExp | null;
  /** Whether a call goes on from what the one before it left, so that the same call can get another answer. */
  readonly movesOn: boolean;
}

export type ProverName = 'rocq' | 'hol4';

export const CONVENTIONS: Readonly<Record<ProverName, ProverConventions>> = {
  rocq: {
    name: 'Rocq',
    checkTool: 'rocq_check_proof',
    stateTool: 'rocq_goals',
    script: 'from "Proof." to "Qed."',
    forbidden: 'admit, Admitted or a new axiom',
    toolUsePrompt: 'rocq-tool-use',
    opening: /\bProof\b/u,
    closing: /\b(?:Qed|Defined|Admitted|Abort)\s*\./u,
    cut: rocqProof,
    hole: /(?:^|[\s{}.])(?:admit|give_up|sorry|\?)\s*\.(?=\s|$)/u,
    movesOn: false,
  },
  hol4: {
    name: 'HOL4',
    checkTool: 'hol_cursor_complete',
    stateTool: 'hol_proof_state',
    script: 'the tactic that stands between "Proof" and "QED"',
    forbidden: 'cheat or a new axiom',
    toolUsePrompt: 'hol4-tool-use',
    opening: /^Proof\b.*$/mu,
    closing: /^QED\b/mu,
    cut: hol4Proof,
    hole: null,
    movesOn: true,
  },
};

/** Without what reasoning models that are served plainly write between tags before they answer. */
export function withoutThoughts(text: string): string {
  return text.replace(/<think>[\s\S]*?(?:<\/think>|$)/gu, '').trim();
}

/**
 * A whole proof that is written in a text: fenced, or opened and closed by its words. Undefined where there is
 * none.
 */
export function proofIn(text: string, prover: ProverName): string | undefined {
  const { opening, closing } = CONVENTIONS[prover];
  const isFenced = /```[a-z0-9]*\n/iu.test(text);
  const isWhole = opening.test(text) && closing.test(text);
  if (!isFenced && !isWhole) return undefined;
  const script = scriptIn(text, prover);
  return script === '' ? undefined : script;
}

/** Whether a proof leaves parts out, to be filled in. What stands in comments and strings leaves nothing out. */
export function hasHoles(proof: string, prover: ProverName): boolean {
  const { hole } = CONVENTIONS[prover];
  if (hole === null) return false;
  const code = significantTokens(proof).filter(({ kind }) => kind !== 'string');
  return hole.test(code.map(({ text }) => text).join(' '));
}

/** What is fenced where all of a text is; else the text as it is. */
export function withoutFence(text: string): string {
  return /^\s*```[a-z0-9]*\n([\s\S]*?)\n?```\s*$/iu.exec(text)?.[1] ?? text;
}

const wholeProof = z.object({ proof: z.string(), from: z.literal('s0').optional() });

/** What a tool that checks proofs is given as a whole one; undefined for what goes on from a state. */
export function wholeProofOf(input: string): string | undefined {
  const { success, data } = wholeProof.safeParse(jsonOf(input));
  return success ? withoutFence(data.proof) : undefined;
}

/**
 * The proof script in a model's answer: what is fenced, between the words that open and close a proof where they
 * stand.
 */
export function scriptIn(text: string, prover: ProverName): string {
  const { opening, cut } = CONVENTIONS[prover];
  const spoken = withoutThoughts(text);
  const fenced = [...spoken.matchAll(/```[a-z0-9]*\n([\s\S]*?)(?:```|$)/giu)].map((match) =>
    orNothing(match[1]),
  );
  const script = fenced.find((one) => opening.test(one)) ?? fenced[0] ?? spoken;
  return cut(script).trim();
}

/** With the words that open and close it. Words in comments and strings are none of them. */
function rocqProof(script: string): string {
  const { opening, closing } = CONVENTIONS.rocq;
  const word = tokenise(script).find(({ kind, text }) => kind === 'identifier' && opening.test(text));
  const whole = script.slice(word?.start ?? opening.exec(script)?.index);
  const last = splitSentences(whole).sentences.find((one) => sentenceHead(one).kind === 'close');
  // Behind the last dot prose goes on, if only with a sign.
  const close = closing.exec(last?.text ?? whole);
  if (close === null) return whole.slice(0, last?.span.end);
  return whole.slice(0, orZero(last?.span.start) + close.index + close[0].length);
}

/** Without them: they are the script's. In comments, strings and quotations they are none of them. */
function hol4Proof(script: string): string {
  const { opening, closing } = CONVENTIONS.hol4;
  const from = placeOf(script, opening);
  const whole = from === undefined ? script : script.slice(from).replace(opening, '');
  return whole.slice(0, placeOf(whole, closing));
}

/** Of a word in column zero; a text in which something is left open is no script, and is read by its words alone. */
function placeOf(script: string, word: RegExp): number | undefined {
  const tokens = holTokens(script);
  const found = tokens.find(
    ({ kind, span }) =>
      kind === 'word' && inColumnZero(script, span.start) && word.test(script.slice(span.start, span.end)),
  );
  if (found !== undefined || tokens.every(({ closed }) => closed)) return found?.span.start;
  return word.exec(script)?.index;
}
