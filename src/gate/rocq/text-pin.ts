/**
 * Decides from the texts alone whether a submission is the target with nothing changed but proofs.
 *
 * Promise: when `pinned`, the submission is the target's sentences in their order, except that the proofs of the given
 * statements are others, made of tactics only, and that plain statements and definitions were added whose names occur
 * nowhere in the target. Such additions change neither what is parsed nor what a name means, so every statement of the
 * target is elaborated in the environment in which the target elaborates it. No prover takes part in this.
 */
import { classify } from './commands.ts';
import type { Script, Statement } from './script.ts';

export type TextPin =
  | {
      readonly pinned: true;
      /** The sentences with which the submission declares something of its own. */
      readonly additions: readonly number[];
    }
  | {
      readonly pinned: false;
      /** The sentence of the submission that is not one of the target; its length when one is missing. */
      readonly at: number;
      readonly message: string;
    };

/** Whose proofs must stay opaque: a transparent one could be unfolded by what follows. */
const STATEMENT_WORDS = new Set([
  'Theorem',
  'Lemma',
  'Fact',
  'Remark',
  'Corollary',
  'Proposition',
  'Property',
]);

export function pinText(
  target: Script,
  submission: Script,
  provable: (statement: Statement) => boolean,
): TextPin {
  const tactics = tacticWords(target);
  // Where the target switches kernel checks off, an addition could profit from that.
  const checked = !target.mentions('Checking') && !target.mentions('bypass_check');
  const refuse = (at: number, message: string): TextPin => ({ pinned: false, at, message });

  const additions: number[] = [];
  let here = 0;
  let there = 0;
  while (there < submission.length) {
    const addition = submission.statementAt(there);
    if (here < target.length && target.key(here) === submission.key(there)) {
      const statement = target.statementAt(here);
      if (statement === undefined || addition === undefined || !provable(statement)) {
        here += 1;
        there += 1;
        continue;
      }
      if (statement.item.using !== undefined && !sameUsing(statement, addition)) {
        return refuse(there, 'Its Proof using clause is not the one of the target.');
      }
      const strange = strangeInProof(submission, addition, tactics);
      if (strange !== undefined) return strange;
      here = statement.after;
      there = addition.after;
      continue;
    }
    const { kind } = classify(submission.tokens(there), { inProof: false, inSection: false }, NO_TACTICS);
    const name = submission.tokens(there)[1] ?? '';
    // `where` would declare a notation.
    const plain = kind === 'plain-declaration' && checked && !submission.tokens(there).includes('where');
    if (!plain || !/^[\p{L}_][\p{L}\p{N}_']*$/u.test(name) || target.mentions(name)) {
      return refuse(there, 'It is not a sentence of the target.');
    }
    if (addition === undefined) {
      // A definition with its body; a mutual one could bring names that are not looked at here.
      if (submission.tokens(there).includes('with') || !submission.tokens(there).includes(':=')) {
        return refuse(there, 'It is not a sentence of the target.');
      }
      additions.push(there);
      there += 1;
      continue;
    }
    if (addition.item.otherNames.length > 0) return refuse(there, 'It is not a sentence of the target.');
    const strange = strangeInProof(submission, addition, tactics);
    if (strange !== undefined) return strange;
    additions.push(there);
    there = addition.after;
  }
  return here >= target.length && submission.outline.unterminated === undefined
    ? { pinned: true, additions }
    : refuse(submission.length, 'A sentence of the target is missing.');
}

const NO_TACTICS: ReadonlySet<string> = new Set();

/** Capitalised words that begin sentences inside the target's own proofs: tactics with such names. */
export function tacticWords(target: Script): Set<string> {
  const words = new Set<string>();
  for (const { item } of target.statements) {
    for (let index = item.body.first; index < item.body.end; index += 1) {
      const word = target.tokens(index)[0] ?? '';
      const { kind } = classify(target.tokens(index), { inProof: false, inSection: false }, NO_TACTICS);
      if (kind === 'forbidden' && !NOT_TACTICS.has(word)) words.add(word);
    }
  }
  return words;
}

/** Commands that may stand inside a proof of the target and are not thereby tactics. */
const NOT_TACTICS = new Set(
  (
    'Redirect Extraction Recursive Separate Extract Load Cd Pwd Declare Drop Quit Print Register Primitive Module ' +
    'Include Universe Universes Constraint Inspect Debug Test Add Remove Reset Back BackTo Undo Restart Admit Elpi ' +
    'MetaCoq Comments Type Inductive Write Restore Profile Optimize Attributes Number String Numeral Derive'
  ).split(' '),
);

function sameUsing(target: Statement, submission: Statement): boolean {
  const words = (clause: string | undefined) => (clause ?? '').trim().split(/\s+/).join(' ');
  return words(target.item.using) === words(submission.item.using);
}

const LONGEST_EXCERPT = 80;

function excerpt(script: Script, index: number): string {
  const text = (script.outline.sentences[index]?.text ?? '').replace(/\s+/g, ' ');
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

function strangeInProof(
  script: Script,
  statement: Statement,
  tactics: ReadonlySet<string>,
): (TextPin & { readonly pinned: false }) | undefined {
  const { item } = statement;
  // From the statement on: something could stand between it and `Proof`.
  for (let index = item.sentence + 1; index < (item.closing ?? item.body.end); index += 1) {
    if (script.outline.sentences[index]?.role !== 'command') continue;
    const tokens = script.tokens(index);
    if (index === item.proofSentence && tokens[0] === 'Proof') continue;
    if (classify(tokens, { inProof: true, inSection: false }, tactics).kind !== 'tactic') {
      return { pinned: false, at: index, message: `It is not a tactic: ${excerpt(script, index)}` };
    }
  }
  const closing = item.closing === undefined ? [] : script.tokens(item.closing);
  const closed =
    closing.length === 2 &&
    (closing[0] === 'Qed' || (closing[0] === 'Defined' && !STATEMENT_WORDS.has(item.keyword)));
  return closed
    ? undefined
    : {
        pinned: false,
        at: Math.max(item.sentence, statement.after - 1),
        message: 'The proof does not end with Qed.',
      };
}
