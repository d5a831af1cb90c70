/**
 * The text that is compiled as the reference: the target with its holes admitted, so that it compiles and declares all
 * that it will declare. The target is trusted, and so is what is read from its text here; of a submission nothing is.
 */
import { entryAt } from '../../../core/entry.ts';
import { replaced, type Replacement } from '../../../core/replacement.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { Script } from './script.ts';

/** What the proof of a statement in a section may use of the section: the words behind `Proof using`; none for its default. */
export type Using = (item: TheoremItem) => string | undefined;

export interface ReferenceText {
  readonly text: string;
  /** What makes it of the target's text. */
  readonly replacements: readonly Replacement[];
}

/**
 * @param isAdmitted the statements whose proofs are left out.
 * @param using for those of them that do not say so themselves.
 */
export function referenceText(
  script: Script,
  isAdmitted: (item: TheoremItem) => boolean,
  using: Using,
): ReferenceText {
  const replacements = replacementsIn(script, isAdmitted, using);
  return { text: replaced(script.outline.text, replacements), replacements };
}

/** @param before what is put before the statements. */
function replacementsIn(
  { outline }: Script,
  isAdmitted: (item: TheoremItem) => boolean,
  using: Using,
  before: (item: TheoremItem) => string = () => '',
): readonly Replacement[] {
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
    replacements.push({ span: { start, end }, text: `${beginning(outline, item, using)} Admitted.` });
    from = end;
  }
  return replacements;
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
  isAdmitted: (item: TheoremItem) => boolean,
  items: readonly TheoremItem[],
): ReferenceText {
  const probes = (item: TheoremItem): string => {
    const index = items.indexOf(item);
    if (index < 0) return '';
    const [byDefault, all] = [probeName(index, 'default'), probeName(index, 'all')];
    return `Lemma ${byDefault} : Set. Proof. Admitted. Lemma ${all} : Set. Proof using All. Admitted. `;
  };
  const end = Math.max(0, ...items.map((item) => proofSpan(script.outline, item).end));
  return upTo(
    script,
    replacementsIn(script, isAdmitted, () => undefined, probes),
    end,
  );
}

/** The reference's text up to an offset of the target's that is in no proof which it leaves out. */
export function textUpTo(
  script: Script,
  isAdmitted: (item: TheoremItem) => boolean,
  using: Using,
  end: number,
): ReferenceText {
  return upTo(script, replacementsIn(script, isAdmitted, using), end);
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

const OPAQUE_WORDS = new Set(['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property']);

/** Whether a proof can be left out without what follows noticing: for a first look at the statements alone. */
export function isOpaqueLemma(item: TheoremItem): boolean {
  return isLemma(item) && item.closingWord === 'Qed';
}

/** Whether it is stated by a word for what is to be proved, and not to be defined. */
export function isLemma({ keyword, prefixes, attributes }: TheoremItem): boolean {
  const isProgram =
    prefixes.includes('Program') || attributes.some((attribute) => /\bprogram\b/.test(attribute));
  return !isProgram && OPAQUE_WORDS.has(keyword);
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
