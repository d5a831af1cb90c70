/**
 * How the target and the submission write what they declare, for whoever is told that it is not the same. Names are
 * found by the text alone: of a name that several sentences declare, and of what commands make, nothing is shown.
 */
import { listIn } from '../../../core/lists/list-in.ts';
import { cutMiddle } from '../../../core/foreign-text.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { PrintedPosition } from '../../../core/position.ts';
import { qualified } from '../../../core/qualified-name.ts';
import { assumptionHead } from '../../../provers/rocq/syntax/assumption-head.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import { otherOrder } from './declared-types.ts';
import type { Script } from './script.ts';

const SAME_TEXT =
  '\nIt is written as in the target: something else gives it another meaning, such as a notation, a scope, an import or a variable of a section before it.';

const SAME_STATEMENT = ' It is stated as in the target.';

const OTHER_LEVELS =
  '\nIt is written as in the target: its proof demands something else of the universe levels, or something before it gives it another meaning.';

export class DeclaredTexts {
  readonly target: Script;
  readonly submission: Script;
  readonly #declarations: Readonly<Record<'target' | 'submission', () => Declarations>>;

  constructor(target: Script, submission: Script) {
    this.target = target;
    this.submission = submission;
    this.#declarations = {
      target: lazyConstant(() => declarationsOf(target)),
      submission: lazyConstant(() => declarationsOf(submission)),
    };
  }

  /** Where the submission declares the name. */
  place(name: string): PrintedPosition | undefined {
    const declared = this.#declaredAs('submission', name);
    return declared && this.submission.positionOf(declared.sentence);
  }

  /**
   * Both texts below each other, and what stands in another order; empty where one of them is not found.
   * @param differs `whole`: a proof is part of it.
   */
  both(name: string, differs: 'whole' | 'type' | 'universes'): string {
    const [here, there] = [this.#declaredAs('target', name), this.#declaredAs('submission', name)];
    if (here === undefined || there === undefined) return '';
    const wanted = this.target.key(here.sentence);
    const found = this.submission.key(there.sentence);
    if (wanted !== found) return `${otherOrder(wanted, found)}${shown(wanted, found)}`;
    const [ours, theirs] = [wholeText(this.target, here), wholeText(this.submission, there)];
    if (ours === theirs) return SAME_TEXT;
    if (differs === 'whole') return `${SAME_STATEMENT}${shown(ours, theirs)}`;
    const using = this.#otherUsing(name);
    if (using !== undefined) return `${SAME_STATEMENT} ${using}`;
    return differs === 'universes' ? OTHER_LEVELS : SAME_TEXT;
  }

  /** What proofs say that they use of their section, where the target says it and the submission says something else. */
  #otherUsing(name: string): string | undefined {
    const [wanted, found] = [this.target, this.submission].map((script) => {
      const using = script.statementNamed(name)?.item.using;
      return using?.split(/\s+/u).toSorted().join(' ').trim();
    });
    if (wanted === undefined || wanted === found) return undefined;
    const clause = (using: string) => (using === '' ? '`Proof using`' : `\`Proof using ${using}\``);
    const instead =
      found === undefined ? 'the submission says nothing of it' : `the submission ${clause(found)}`;
    return `It is about the variables of its section that its proof may use: the target says ${clause(wanted)}, ${instead}.`;
  }

  /** Why a type that the submission declares is not found in it: the kernel has all types of a sentence under the first. */
  otherwise(name: string): string {
    const [here, there] = [this.#declaredAs('target', name), this.#declaredAs('submission', name)];
    if (here === undefined || there === undefined) return '';
    const order = otherOrder(this.target.key(here.sentence), this.submission.key(there.sentence));
    return order === '' ? '' : ` A type of this name is there, but not declared so.${order}`;
  }

  /** The one sentence that declares the name. */
  #declaredAs(text: 'target' | 'submission', name: string): Declared | undefined {
    const namesakes = this.#declarations[text]().get(name) ?? [];
    const kept = namesakes.length > 1 ? namesakes.filter(({ isAborted }) => !isAborted) : namesakes;
    return kept.length === 1 ? kept[0] : undefined;
  }
}

interface Declared {
  readonly sentence: number;
  /** The first sentence behind its proof. */
  readonly after: number;
  /** Rocq forgets it, unless it is a hole that is filled. */
  readonly isAborted: boolean;
}

/** By names as in the kernel. */
type Declarations = ReadonlyMap<string, readonly Declared[]>;

/** Of all names together. In a file with longer ones, none is looked for. */
const LONGEST_NAMES = 20_000_000;

function declarationsOf(script: Script): Declarations {
  const found = new Map<string, Declared[]>();
  let length = 0;
  const add = (name: string, declared: Declared): void => {
    length += name.length;
    listIn(found, name).push(declared);
  };
  const { outline } = script;
  for (const { item, names, after } of script.statements)
    for (const name of names)
      add(name, { sentence: item.sentence, after, isAborted: item.closingWord === 'Abort' });
  for (const [sentence, { text }] of outline.sentences.entries()) {
    if (outline.heads[sentence]?.kind !== 'other') continue;
    const names = namesDeclared(text, script.isInside(sentence, 'section'));
    if (names.length === 0) continue;
    const module = script.placeOf({ sentence }).modules.join('.');
    for (const name of names)
      add(qualified(module, name), { sentence, after: sentence + 1, isAborted: false });
    if (length > LONGEST_NAMES) return new Map();
  }
  return found;
}

/** In a section, what is assumed or let there is no declaration of the file. */
function namesDeclared(sentence: string, inSection: boolean): readonly string[] {
  const assumed = assumptionHead(sentence);
  if (assumed !== undefined) return inSection && assumed.isOfSection ? [] : assumed.names;
  const defined = definedIn(sentence);
  if (defined === undefined || NO_DECLARATIONS.has(defined.kind)) return [];
  return inSection && defined.kind === 'Let' ? [] : defined.names;
}

/** They have names of their own, beside those that the kernel has. */
const NO_DECLARATIONS = new Set(['Ltac', 'Ltac2', 'Notation', 'Tactic Notation']);

/** With its proof. */
function wholeText(script: Script, { sentence, after }: Declared): string {
  const keys: string[] = [];
  for (let index = sentence; index < after; index += 1) keys.push(script.key(index));
  return keys.join(' ');
}

const LONGEST_SHOWN = 400;
/** What is kept in front of the first difference of long texts. */
const KEPT_BEFORE = 100;

function shown(wanted: string, found: string): string {
  const isLong = Math.max(wanted.length, found.length) > LONGEST_SHOWN;
  const from = isLong ? beforeDifference(wanted, found) : 0;
  const cut = (text: string): string =>
    `${from === 0 ? '' : '… '}${cutMiddle(text.slice(from), LONGEST_SHOWN).text}`;
  return `\ntarget: ${cut(wanted)}\nsubmission: ${cut(found)}`;
}

/** Behind a blank that stands before what the two have otherwise. */
function beforeDifference(wanted: string, found: string): number {
  let same = 0;
  while (same < wanted.length && wanted[same] === found[same]) same += 1;
  return same <= KEPT_BEFORE ? 0 : wanted.lastIndexOf(' ', same - KEPT_BEFORE) + 1;
}
