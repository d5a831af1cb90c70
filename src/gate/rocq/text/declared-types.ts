/** Inductive types and records as they are written: which are declared together, and what each of them is made of. */
import { orZero } from '../../../core/entry.ts';
import { definedIn } from '../../../provers/rocq/syntax/defined-names.ts';
import { HeadTokens } from '../../../provers/rocq/syntax/head-tokens.ts';
import { bracketChange } from '../../../provers/rocq/syntax/lexer.ts';
import { mutualParts } from '../../../provers/rocq/syntax/statement-head.ts';

const TYPE_KINDS = new Set(['Inductive', 'CoInductive', 'Variant', 'Record', 'Structure', 'Class']);

/** The names of the types that a sentence declares, in its order; undefined for one that declares none. */
function typesIn(sentence: string): readonly string[] | undefined {
  const defined = definedIn(sentence);
  return defined !== undefined && TYPE_KINDS.has(defined.kind) ? defined.names : undefined;
}

/** What two sentences that declare a type have in another order; empty where it is not that, or not that alone. */
export function otherOrder(wanted: string, found: string): string {
  const [here, there] = [typesIn(wanted), typesIn(found)];
  if (here === undefined || there === undefined) return '';
  if (here.join() !== there.join())
    return ` The target declares ${together(here)}, the submission ${together(there)}.`;
  const [ours, theirs] = [membersIn(wanted), membersIn(found)];
  const moved = here.filter((_, index) => isReordered(ours[index]?.texts, theirs[index]?.texts));
  const [first] = moved;
  const what = ours[here.findIndex((name) => name === first)]?.what;
  return first === undefined || what === undefined
    ? ''
    : ` The ${what} of ${moved.join(', ')} stand in another order than in the target.`;
}

function together(names: readonly string[]): string {
  return names.length === 1 ? `${names.join('')} alone` : `${names.join(', ')} together in this order`;
}

function isReordered(ours: readonly string[] = [], theirs: readonly string[] = []): boolean {
  const inOrder = (texts: readonly string[]): string => JSON.stringify([...texts].sort());
  return JSON.stringify(ours) !== JSON.stringify(theirs) && inOrder(ours) === inOrder(theirs);
}

interface Members {
  readonly what: 'constructors' | 'fields';
  /** Without the width of blanks. */
  readonly texts: readonly string[];
}

/** Of each type of the sentence. */
function membersIn(sentence: string): readonly Members[] {
  const tokens = new HeadTokens(sentence);
  tokens.skipPrefixes();
  const borders = [tokens.place, ...mutualParts(tokens, tokens.place, tokens.last), tokens.last];
  return borders.slice(0, -1).map((from, index) => {
    const end = orZero(borders[index + 1]);
    const sign = tokens.bodySign(from);
    return membersOf(sign < 0 ? [] : tokens.all.slice(sign + 1, end).map(({ text }) => text));
  });
}

/** @param body the tokens behind `:=`. The bars of a `match` are no borders: with one of these, nothing is read. */
function membersOf(body: readonly string[]): Members {
  const brace = body[0] === '{' ? 0 : body[1] === '{' ? 1 : -1;
  const what = brace < 0 ? 'constructors' : 'fields';
  if (body.includes('match')) return { what, texts: [] };
  const members: string[][] = [[]];
  let depth = 0;
  for (const token of body.slice(brace + 1)) {
    depth += bracketChange(token);
    // Behind it stands a notation for the type.
    if (depth < 0 || (depth === 0 && token === 'where')) break;
    if (depth === 0 && token === (brace < 0 ? '|' : ';')) members.push([]);
    else members.at(-1)?.push(token);
  }
  return { what, texts: members.map((member) => member.join(' ')).filter((text) => text !== '') };
}
