/**
 * Sentences that assume something: all the names that one of them declares (`Axioms a b : P`, `Parameters (a : A) (b : B)`,
 * `` Context {A : Type} `{x : C A} ``, `Declare Module M : T`).
 */
import { orNothing } from '../../../core/entry.ts';
import { HeadTokens } from './head-tokens.ts';
import { bracketChange } from './lexer.ts';

export interface AssumptionHead {
  readonly keyword: string;
  /** In the order of the text. What is generalised without a name is not among them. */
  readonly names: readonly string[];
  /** Whether it is a variable of the section that it stands in; in none, it is an axiom like the others. */
  readonly isOfSection: boolean;
}

const GLOBAL_WORDS = new Set(['Axiom', 'Axioms', 'Parameter', 'Parameters', 'Conjecture', 'Conjectures']);
const SECTION_WORDS = new Set(['Hypothesis', 'Hypotheses', 'Variable', 'Variables', 'Context']);

/** Undefined for a sentence that assumes nothing, and for one that is only tried (`Fail`). */
export function assumptionHead(text: string): AssumptionHead | undefined {
  const tokens = new HeadTokens(text);
  if (!tokens.skipPrefixes()) return undefined;
  const keyword = tokens.peek();
  if (keyword === 'Declare' && tokens.peek(1) === 'Module') {
    const ahead = ['Import', 'Export'].includes(tokens.peek(2)) ? 3 : 2;
    return { keyword: 'Declare Module', names: [tokens.peek(ahead)], isOfSection: false };
  }
  const isOfSection = SECTION_WORDS.has(keyword);
  if (!isOfSection && !GLOBAL_WORDS.has(keyword)) return undefined;
  const rest = tokens.all.slice(tokens.place + 1, tokens.last).map(({ text }) => text);
  const names = keyword === 'Context' ? contextNames(rest) : assumedNames(rest);
  return { keyword, names, isOfSection };
}

/** What stands behind `Axiom` and its kin declares. */
export function assumedNames(behindKeyword: readonly string[]): readonly string[] {
  const tokens = withoutInline(behindKeyword);
  return tokens[0] === '('
    ? groupsOf(tokens).flatMap(({ inside }) => identifiersIn(beforeColon(inside) ?? inside))
    : identifiersIn(beforeColon(tokens) ?? tokens);
}

/** `Inline`, `Inline(10)`; a name when a colon follows it. */
function withoutInline(tokens: readonly string[]): readonly string[] {
  const [first, second] = tokens;
  if (first !== 'Inline' || second === undefined || isColon(second)) return tokens;
  const hasNumber = second === '(' && /^\d/u.test(orNothing(tokens[2])) && tokens[3] === ')';
  return tokens.slice(hasNumber ? 4 : 1);
}

function contextNames(tokens: readonly string[]): readonly string[] {
  return groupsOf(tokens).flatMap(({ inside, isGeneralised }) => {
    const named = beforeColon(inside);
    // `{C A}` behind a backquote has no name of its own.
    if (named === undefined) return isGeneralised ? [] : identifiersIn(inside);
    return identifiersIn(named);
  });
}

interface Group {
  readonly inside: readonly string[];
  /** Behind a backquote. */
  readonly isGeneralised: boolean;
}

/** What stands in brackets, and each token that stands in none. */
function groupsOf(tokens: readonly string[]): readonly Group[] {
  const groups: Group[] = [];
  let depth = 0;
  let start = 0;
  let isGeneralised = false;
  for (const [index, token] of tokens.entries()) {
    const change = bracketChange(token);
    if (depth === 0 && change > 0) {
      start = index + 1;
      isGeneralised = tokens[index - 1] === '`';
    }
    if (depth === 0 && change === 0) groups.push({ inside: [token], isGeneralised: false });
    depth += change;
    if (depth === 0 && change < 0) groups.push({ inside: tokens.slice(start, index), isGeneralised });
  }
  return groups;
}

/** Undefined where there is no colon at the top level. */
function beforeColon(tokens: readonly string[]): readonly string[] | undefined {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += bracketChange(token);
    if (depth === 0 && isColon(token)) return tokens.slice(0, index);
  }
  return undefined;
}

function isColon(token: string): boolean {
  return token === ':' || token === ':>' || token === ':=';
}

/** Those that stand in no brackets: universes (`a@{u}`) are none. */
function identifiersIn(tokens: readonly string[]): readonly string[] {
  let depth = 0;
  return tokens.filter((token) => {
    depth += bracketChange(token);
    return depth === 0 && /^[\p{L}\p{Nl}_]/u.test(token) && token !== '_';
  });
}
