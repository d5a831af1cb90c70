/**
 * What option pragmas may say in a submission: how hard the solver tries, nothing about what counts. The list is of
 * what is allowed, since every version of F* has other options that weaken it; all else is told, and taken out of
 * the text.
 */
import { entryAt } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import { shellWords } from '../../provers/fstar/project.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { pragmaOptions } from '../../provers/fstar/syntax/declaration-parts.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';

/** How many values each takes. */
const HARMLESS: ReadonlyMap<string, number> = new Map([
  ...['z3rlimit', 'z3rlimit_factor', 'z3seed', 'fuel', 'ifuel', 'initial_fuel', 'max_fuel'].map(one),
  ...['initial_ifuel', 'max_ifuel', 'split_queries', 'retry', 'quake'].map(one),
  ...['smtencoding.nl_arith_repr', 'smtencoding.l_arith_repr', 'smtencoding.elim_box'].map(one),
  ...['query_stats', 'z3refresh', 'detail_errors', 'print_implicits', 'print_full_names'].map(none),
]);

function one(name: string): [string, number] {
  return [`--${name}`, 1];
}

function none(name: string): [string, number] {
  return [`--${name}`, 0];
}

export interface RefusedOption {
  /** The option with its value. */
  readonly text: string;
  /** By which the policy allows it: `--lax`. */
  readonly name: string;
  readonly offset: number;
}

export interface CleanedText {
  /** As long in lines as the text it was made of, so that places stay what they were. */
  readonly text: string;
  readonly refused: readonly RefusedOption[];
}

/** The text with every option taken out that is neither harmless nor allowed by name. */
export function withHarmlessOptions(
  text: string,
  dialect: Dialect,
  allowed: ReadonlySet<string>,
): CleanedText {
  const refused: RefusedOption[] = [];
  let changed = '';
  let copied = 0;
  for (const declaration of parseDeclarations(text, dialect)) {
    const options = pragmaOptions(declaration);
    const argument = declaration.tokens[1];
    if (options === undefined || argument === undefined) continue;
    const { kept, dropped } = sorted(shellWords(options), allowed);
    if (dropped.length === 0) continue;
    appendAll(
      refused,
      dropped.map((option) => ({ ...option, offset: argument.start })),
    );
    // F* accepts no empty option text.
    const lines = '\n'.repeat(argument.text.split('\n').length - 1);
    changed += `${text.slice(copied, argument.start)}"${kept.length === 0 ? '--query_stats' : kept.join(' ')}"${lines}`;
    copied = argument.start + argument.text.length;
  }
  return { text: changed + text.slice(copied), refused };
}

function sorted(
  words: readonly string[],
  allowed: ReadonlySet<string>,
): { readonly kept: readonly string[]; readonly dropped: readonly { text: string; name: string }[] } {
  const kept: string[] = [];
  const dropped: { text: string; name: string }[] = [];
  for (let at = 0; at < words.length;) {
    const word = entryAt(words, at, 'word');
    const next = words.findIndex((other, index) => index > at && other.startsWith('--'));
    const end = next < 0 ? words.length : next;
    const own = words.slice(at, end);
    const name = word.split('=')[0] ?? word;
    if (allowed.has(name) || HARMLESS.get(name) === own.length - 1) appendAll(kept, own);
    else dropped.push({ text: own.join(' '), name });
    at = end;
  }
  return { kept, dropped };
}
