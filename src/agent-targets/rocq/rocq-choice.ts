/**
 * Which statements of a Rocq file a run works on, each under a name that means it and no other. What cannot be named so is
 * refused where somebody asked for it, and told where nobody did.
 */
import { counted } from '../../core/counted.ts';
import { entryAt } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { lostWithProof } from '../../gate/rocq/text/lost-with-proof.ts';
import type { Script } from '../../gate/rocq/text/script.ts';
import { attemptsIn } from '../../provers/rocq/syntax/attempts.ts';
import { mayBeFinished } from '../../provers/rocq/syntax/holes.ts';
import {
  severalMeant,
  statedAgain,
  statementMeant,
  tellingName,
} from '../../provers/rocq/syntax/named-statements.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { unreadRest } from '../../provers/rocq/syntax/unread-rest.ts';
import { admittedObligations } from '../../operations/rocq/check/holes-of-file.ts';
import { noSuchTheorem } from '../operation-calls.ts';
import type { TargetChoice } from '../target-choice.ts';

export interface ChosenStatement {
  /** Means this statement in the text and in those with proofs of the run in it. */
  readonly theorem: string;
  readonly item: TheoremItem;
}

export interface Chosen {
  readonly statements: readonly ChosenStatement[];
  /** Holes that nobody asked for by a name and that no run can work on, and why; as sentences. */
  readonly leftOut: readonly string[];
}

/**
 * @throws QuodError `not-found`; `invalid-input` when a name may mean several, or two mean the same; `unsupported` when
 * more than a proof would be lost.
 */
export function chosenStatements(script: Script, choice: TargetChoice): Chosen {
  const { outline } = script;
  const { theorems, leavesFinished = false } = choice;
  if (theorems === undefined) return everyHole(script);
  const statements = theorems
    .map((theorem) => ({ theorem, item: itemMeant(outline, theorem, choice) }))
    .filter(({ item }) => !leavesFinished || item.hole !== undefined);
  for (const [index, { theorem, item }] of statements.entries()) {
    if (isLocalValue(item))
      throw new QuodError('unsupported', `${theorem} is declared by ${item.keyword}: ${LOCAL_VALUE}.`, {
        place: { file: choice.file },
        remedy: 'State it as a Lemma.',
      });
    const lost = lostWithProof(script, item);
    if (lost !== undefined)
      throw new QuodError('unsupported', lost.message, {
        place: { file: choice.file, position: lost.position },
      });
    const same = statements.slice(0, index).find((other) => other.item === item);
    if (same !== undefined)
      throw new QuodError('invalid-input', `${same.theorem} and ${theorem} are the same theorem.`, {
        place: { file: choice.file },
        remedy: 'Name it once.',
      });
  }
  return { statements, leftOut: choice.leftOut ?? [] };
}

function everyHole(script: Script): Chosen {
  const { outline } = script;
  const attempts = attemptsIn(outline);
  const statements: ChosenStatement[] = [];
  const nameless: TheoremItem[] = [];
  const leftOut: string[] = [];
  const lineOf = linesOf(outline);
  for (const item of outline.statements) {
    if (item.hole === undefined || attempts.has(item)) continue;
    const { name } = item;
    const again = statedAgain(outline, item);
    const theorem = tellingName(outline, item);
    // What states no goal itself, as an instance, may leave nothing to prove: Rocq alone can tell.
    const mayBeNone = item.hole === 'empty' && item.keyword !== 'Goal' && mayBeFinished(item);
    if (name === undefined && mayBeNone) continue;
    const lost = lostWithProof(script, item);
    if (name !== undefined && again !== undefined)
      leftOut.push(
        `${name} at line ${lineOf(item)} is left out: it is given up, and line ${lineOf(again)} states another ${name}, so that a proof of it would take the name. Give one of them another name.`,
      );
    else if (name !== undefined && theorem === undefined)
      leftOut.push(
        `${name} at line ${lineOf(item)} is left out: another statement has its name. Give one of them another name.`,
      );
    else if (isLocalValue(item))
      leftOut.push(
        `${name ?? item.keyword} at line ${lineOf(item)} is left out: ${LOCAL_VALUE}. State it as a Lemma.`,
      );
    else if (lost !== undefined)
      leftOut.push(`${name ?? item.keyword} at line ${lineOf(item)} is left out. ${lost.message}`);
    else if (theorem === undefined) nameless.push(item);
    else statements.push({ theorem, item });
  }
  if (nameless.length > 0) {
    const places = nameless.map((item) => `${item.keyword} at line ${lineOf(item)}`).join(', ');
    const are = nameless.length === 1 ? 'is' : 'are';
    leftOut.push(`${counted(nameless.length, 'hole')} without a name ${are} left out: ${places}.`);
  }
  const lines = new LineIndex(outline.text);
  for (const { theorem, span } of admittedObligations(outline)) {
    const { line } = lines.printedAt(span.start);
    leftOut.push(
      `The ${theorem} that line ${line} admits, if any is open there, are left out: no text states them. Give each a proof of its own.`,
    );
  }
  return { statements, leftOut };
}

/** Why no run works on what a section declares by `Let`: the gate says of none that it is proved. */
const LOCAL_VALUE =
  'what `Let` declares becomes part of what follows, so that the gate cannot judge it by itself';

function isLocalValue({ keyword }: TheoremItem): boolean {
  return keyword.startsWith('Let');
}

function itemMeant(outline: FileOutline, theorem: string, { file, known }: TargetChoice): TheoremItem {
  const meant = statementMeant(outline, theorem);
  if (meant.kind === 'several') throw severalMeant(theorem, meant.names, file);
  if (meant.kind === 'none' || meant.item.name !== lastPart(theorem)) {
    const names = outline.statements.flatMap((item) => tellingName(outline, item) ?? []);
    throw noSuchTheorem(theorem, names, file, unreadRest(outline));
  }
  // A run that goes on says which it began with.
  if (known === undefined && meant.item.hole === undefined)
    requireNoOpenNamesake(outline, theorem, { item: meant.item, file });
  return meant.item;
}

/**
 * A finished proof is replaced only where it is certain that this one is meant: what is open under the same short name, or
 * given up, is another. @throws QuodError `invalid-input`.
 */
function requireNoOpenNamesake(
  outline: FileOutline,
  theorem: string,
  { item, file }: { readonly item: TheoremItem; readonly file: string },
): void {
  if (theorem !== item.name) return;
  const attempts = attemptsIn(outline);
  const open = outline.statements.filter(
    (other) => other.name === item.name && other.hole !== undefined && !attempts.has(other),
  );
  const [first] = open;
  if (first === undefined) return;
  const lineOf = linesOf(outline);
  const names = open.flatMap((other) => tellingName(outline, other) ?? []);
  throw new QuodError(
    'invalid-input',
    `The file states several theorems ${theorem}: the one at line ${lineOf(item)} is finished, the one at line ${lineOf(first)} is open.`,
    {
      place: { file },
      remedy:
        names.length === 0
          ? 'Give one of them another name.'
          : `The open ${names.length === 1 ? 'one is' : 'ones are'} called ${names.join(', ')}.`,
    },
  );
}

function linesOf({ text, sentences }: FileOutline): (item: TheoremItem) => number {
  const lines = new LineIndex(text);
  return ({ sentence }) => lines.printedAt(entryAt(sentences, sentence, 'sentence').span.start).line;
}
