/**
 * The text that is compiled as the reference: the target with its holes admitted, so that it compiles and declares all
 * that it will declare. The target is trusted, and so is what is read from its text here; of a submission nothing is.
 */
import { entryAt } from '../../../core/entry.ts';
import { greatestOf } from '../../../core/lists/many.ts';
import { replaced, type Replacement } from '../../../core/replacement.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { isLemma } from '../../../provers/rocq/syntax/statement-head.ts';
import { classify, goesBack } from './commands.ts';
import type { Script } from './script.ts';

/** What the proof of a statement in a section may use of the section: the words behind `Proof using`; none for its default. */
export type Using = (item: TheoremItem) => string | undefined;

export interface ReferenceText {
  readonly text: string;
  /** What makes it of the target's text. */
  readonly replacements: readonly Replacement[];
}

export interface LeftOut {
  /** The statements whose proofs are left out. */
  readonly isAdmitted: (item: TheoremItem) => boolean;
  /** For those of them that do not say so themselves. */
  readonly using: Using;
  /** Whether what such a proof says besides tactics stays: what it imports or opens holds for what follows, too. */
  readonly keepsCommands: boolean;
}

export function referenceText(script: Script, leftOut: LeftOut): ReferenceText {
  const replacements = replacementsIn(script, leftOut);
  return { text: replaced(script.outline.text, replacements), replacements };
}

/** @param before what is put before the statements. */
function replacementsIn(
  script: Script,
  { isAdmitted, using, keepsCommands }: LeftOut,
  before: (item: TheoremItem) => string = () => '',
): readonly Replacement[] {
  const { outline } = script;
  const replacements: Replacement[] = [];
  let from = 0;
  for (const item of outline.statements) {
    if (!isAdmitted(item)) continue;
    const { start, end } = proofSpan(outline, item);
    // A proof inside another that is left out is gone with it.
    if (start < from) continue;
    const stated = Math.max(from, outline.sentences[item.sentence]?.span.start ?? start);
    const prefix = before(item);
    if (prefix !== '') replacements.push({ span: { start: stated, end: stated }, text: prefix });
    const kept = keepsCommands ? commandsIn(script, item).join('') : '';
    replacements.push({ span: { start, end }, text: `${beginning(outline, item, using)}${kept} Admitted.` });
    from = end;
  }
  return replacements;
}

/** What a proof says that is no tactic, as far as the text shows; nothing where it states something itself. */
function commandsIn(script: Script, item: TheoremItem): readonly string[] {
  const { sentences, heads } = script.outline;
  const indexes = saidIn(script.outline, item);
  if (indexes.some((index) => heads[index]?.kind === 'statement')) return [];
  return indexes.flatMap((index) => {
    const tokens = script.tokens(index);
    const { kind } = classify(tokens, IN_PROOF, NO_NAMES);
    return kind === 'tactic' || goesBack(tokens) ? [] : [` ${entryAt(sentences, index, 'sentence').text}`];
  });
}

/** The sentences between a statement and the end of its proof, `Proof` left out, before which others can stand. */
function saidIn({ heads }: Script['outline'], { sentence, body }: TheoremItem): readonly number[] {
  const indexes = Array.from({ length: body.end - sentence - 1 }, (_, index) => sentence + 1 + index);
  return indexes.filter((index) => heads[index]?.kind !== 'proof');
}

const IN_PROOF = { inProof: true, inSection: true } as const;
const NO_NAMES: ReadonlySet<string> = new Set();

/** Whether a proof says more than how it begins and ends. */
export function hasScript({ outline }: Script, item: TheoremItem): boolean {
  return saidIn(outline, item).length > 0;
}

/** How the target is read as it stands. */
export interface StandingParts {
  readonly isAdmitted: (item: TheoremItem) => boolean;
  /** Where such a proof ends instead, as it does not go on: offsets. */
  readonly cuts: ReadonlyMap<TheoremItem, number>;
  /** For those of them in sections that do not say so themselves. */
  readonly using: Using;
}

/** The target as it stands, up to an offset: of the proofs that the reference leaves out all stays, and they end with `Admitted`. */
export function standingText(
  script: Script,
  { isAdmitted, cuts, using }: StandingParts,
  end = script.outline.text.length,
): ReferenceText {
  const { outline } = script;
  const clauses = outline.statements.flatMap((item): Replacement[] => {
    const clause = isAdmitted(item) && item.using === undefined ? beginning(outline, item, using) : '';
    const { start } = proofSpan(outline, item);
    return clause === '' ? [] : [{ span: { start, end: start }, text: clause }];
  });
  const endings = outline.statements.flatMap((item): Replacement[] => {
    if (!isAdmitted(item)) return [];
    const proof = proofSpan(outline, item);
    const cut = cuts.get(item);
    if (cut !== undefined) return [{ span: { start: cut, end: proof.end }, text: ' Admitted.' }];
    if (item.closingWord === 'Admitted') return [];
    const closing = item.closing === undefined ? undefined : outline.sentences[item.closing];
    const span = closing?.span ?? { start: proof.end, end: proof.end };
    return [{ span, text: ' Admitted.' }];
  });
  const replacements: Replacement[] = [];
  let from = 0;
  for (const one of [...clauses, ...endings].toSorted((left, right) => left.span.start - right.span.start)) {
    // A proof inside another that is cut off before is gone with it.
    if (one.span.start < from || one.span.end > end) continue;
    replacements.push(one);
    from = one.span.end;
  }
  // The whole of it is closed, or does not compile.
  return end === outline.text.length
    ? { text: replaced(outline.text, replacements), replacements }
    : upTo(script, replacements, end);
}

/** What the target says itself of the variables that a proof may use stands as it is written, to the letter. */
function beginning({ sentences, heads }: Script['outline'], item: TheoremItem, using: Using): string {
  const own = heads.findIndex(
    (head, index) =>
      item.sentence < index && index < item.body.end && head.kind === 'proof' && head.using === item.using,
  );
  if (item.using !== undefined && own >= 0) return ` ${entryAt(sentences, own, 'sentence').text}`;
  const clause = usingIsAttribute(item) ? undefined : using(item);
  if (clause === undefined) return '';
  // A default for what proofs use holds for those that begin with `Proof`.
  return clause === '' ? ' Proof.' : ` Proof using ${clause}.`;
}

/**
 * The reference's text, up to the last of some statements, with two statements of nothing before each of them: one that leaves
 * it to a default what it uses of its section, and one that uses all. Where they come out different, a default is in force
 * there. What follows cannot change that, and may not compile while the statements are open.
 */
export function textWithProbes(
  script: Script,
  { isAdmitted, keepsCommands }: Omit<LeftOut, 'using'>,
  items: readonly TheoremItem[],
): ReferenceText {
  const probes = (item: TheoremItem): string => {
    const index = items.indexOf(item);
    if (index < 0) return '';
    const [byDefault, all] = [probeName(index, 'default'), probeName(index, 'all')];
    return `Lemma ${byDefault} : Set. Proof. Admitted. Lemma ${all} : Set. Proof using All. Admitted. `;
  };
  const end = greatestOf([0, ...items.map((item) => proofSpan(script.outline, item).end)]);
  return upTo(
    script,
    replacementsIn(script, { isAdmitted, using: () => undefined, keepsCommands }, probes),
    end,
  );
}

function upTo(script: Script, all: readonly Replacement[], end: number): ReferenceText {
  const replacements = all.filter(({ span }) => span.end <= end);
  const text = replaced(script.outline.text.slice(0, end), replacements) + closingWhatIsOpen(script, end);
  return { text, replacements };
}

export function probeName(index: number, which: 'default' | 'all'): string {
  return `quod_probe_${index}_${which}`;
}

/** From the end of the statement to the end of its proof. */
export function proofSpan(
  { sentences, text }: Script['outline'],
  item: TheoremItem,
): { readonly start: number; readonly end: number } {
  const start = sentences[item.sentence]?.span.end ?? text.length;
  const last = sentences[item.closing ?? item.body.end - 1];
  return { start, end: Math.max(start, last?.span.end ?? start) };
}

/** Ends the sections and modules that are open at an offset. */
export function closingWhatIsOpen({ outline }: Script, offset: number): string {
  const startOf = (sentence: number | undefined): number =>
    outline.sentences[sentence ?? outline.sentences.length]?.span.start ?? Number.POSITIVE_INFINITY;
  return outline.scopes
    .filter(({ opened, closed }) => startOf(opened) < offset && startOf(closed) >= offset)
    .reverse()
    .map(({ name }) => `\nEnd ${name}.`)
    .concat('\n')
    .join('');
}

/** Whether a proof can be left out without what follows noticing: for a first look at the statements alone. */
export function isOpaqueLemma(item: TheoremItem): boolean {
  return isLemma(item) && item.closingWord === 'Qed';
}

/** Whether it is an obligation, which `Program` gives its name. */
export function isOfProgram({ keyword }: TheoremItem): boolean {
  return keyword.includes('Obligation');
}

/** Whether it is stated without a name: the prover gives it one. */
export function isGoal({ keyword }: TheoremItem): boolean {
  return keyword === 'Goal';
}

export function saysProof({ outline }: Script, { sentence, body }: TheoremItem): boolean {
  return outline.heads.some(({ kind }, index) => kind === 'proof' && sentence < index && index < body.end);
}

function usingIsAttribute(item: TheoremItem): boolean {
  return item.attributes.some((attribute) => /^using\b/.test(attribute));
}
