/** Sentences that define something and ask for no proof: the names that one of them gives. */
import { orNothing } from '../../../core/entry.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { HeadTokens } from './head-tokens.ts';
import { mutualNames } from './statement-head.ts';

export interface DefinedNames {
  /** `Fixpoint`, `Inductive`, `Ltac`, `Tactic Notation`, …, without prefixes and attributes. */
  readonly kind: string;
  /** In the order of the text, those behind `with` too. */
  readonly names: readonly string[];
}

const MUTUAL = new Set([
  ...['Fixpoint', 'CoFixpoint', 'Inductive', 'CoInductive', 'Variant', 'Record', 'Structure', 'Class'],
]);
const DEFINES = new Set([
  ...MUTUAL,
  ...['Definition', 'Example', 'Let', 'Instance', 'Function', 'Equations', 'Canonical', 'Coercion'],
  ...['Ltac', 'Ltac2', 'Notation', 'Tactic'],
]);
/** Words between the keyword and the name. */
const BEFORE_NAME = new Set(['Fixpoint', 'CoFixpoint', 'Structure', 'Notation', 'mutable', 'rec']);
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{N}_']*$/u;

/**
 * What a sentence defines that asks for no proof, tactics and abbreviations with it; undefined for one that defines
 * nothing that has a name, and for one that is only tried.
 */
export function definedIn(text: string): DefinedNames | undefined {
  const tokens = new HeadTokens(text);
  if (!tokens.skipPrefixes()) return undefined;
  const kind = tokens.peek();
  if (!DEFINES.has(kind)) return undefined;
  let at = tokens.place + 1;
  while (BEFORE_NAME.has(orNothing(tokens.all[at]?.text))) at += 1;
  if (kind === 'Tactic') {
    const first = tokens.all
      .find((token) => token.kind === 'string')
      ?.text.slice(1, -1)
      .trim();
    return first !== undefined && NAME.test(first) ? { kind: 'Tactic Notation', names: [first] } : undefined;
  }
  // `Equations(noind) f`, `Inductive > T`, `Let (f)`.
  if (kind === 'Equations' && tokens.all[at]?.text === '(')
    at = tokens.find(at + 1, (token) => token.text === ')') + 1;
  while (['(', '>'].includes(orNothing(tokens.all[at]?.text))) at += 1;
  const name = tokens.all[at];
  if (name?.kind !== 'identifier') return undefined;
  // `Coercion f : A >-> B.` makes one of what is there.
  if (kind === 'Coercion' && tokens.bodySign(at) < 0) return undefined;
  const others = MUTUAL.has(kind)
    ? mutualNames(tokens, at + 1, tokens.last)
    : tacticsBehindWith(kind, tokens);
  return { kind, names: [lastPart(name.text), ...others] };
}

/**
 * `Ltac a := b with b x := idtac.`: the `with` of a tactic (`auto with core`) is followed by no `:=`, that of a match
 * (`match goal with H := _ |- _ => …`) belongs to it.
 */
function tacticsBehindWith(kind: string, { all }: HeadTokens): readonly string[] {
  if (kind !== 'Ltac' && kind !== 'Ltac2') return [];
  let matches = 0;
  return all.flatMap(({ text }, index) => {
    if (/^(?:lazy_?|multi_?)?match$/u.test(text)) matches += 1;
    if (text !== 'with') return [];
    const isOfMatch = matches > 0;
    if (isOfMatch) matches -= 1;
    const name = all[index + 1];
    if (isOfMatch || name?.kind !== 'identifier') return [];
    const behind = all.slice(index + 2).find((token) => token.kind !== 'identifier' || token.text === 'with');
    return behind?.text === ':=' ? [name.text] : [];
  });
}
