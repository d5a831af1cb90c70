/**
 * What a file's sentences say about its axioms. The kernel has an admitted proof and an axiom in the same form; only the text
 * of a target, which is trusted, tells which of the two was meant. What no sentence calls an axiom is none.
 */
import { orNothing } from '../../core/entry.ts';
import { lastPart, qualifierOf } from '../../core/qualified-name.ts';
import type { Script } from './text/script.ts';

export class AxiomCommands {
  /** The last parts of the names of all axioms. */
  readonly #words: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  /** Modules of which every sentence is there to be read. */
  readonly #plain: ReadonlySet<string>;

  constructor(script: Script) {
    const words = new Set<string>();
    const names = new Set<string>();
    const opened = script.outline.scopes.flatMap(({ kind, name, opened: sentence }) =>
      kind === 'module' ? [[...script.placeOf({ sentence }).modules, name].join('.')] : [],
    );
    const plain = new Set(['', ...opened]);
    for (let sentence = 0; sentence < script.length; sentence += 1) {
      const tokens = script.tokens(sentence);
      const { modules, inSection } = script.placeOf({ sentence });
      const word = commandWord(tokens);
      if (SECTION_WORDS.has(word) && inSection) continue;
      const isInstance = tokens.includes('Declare') && tokens.includes('Instance');
      const declared =
        AXIOM_WORDS.has(word) || SECTION_WORDS.has(word) || isInstance ? [...namesBeforeColons(tokens)] : [];
      for (const name of declared) {
        words.add(name);
        names.add([...modules, name].join('.'));
      }
      // `Context` and instances give names of their own; what is included was said elsewhere.
      if (word === 'Context' || word === 'Include' || isInstance) plain.delete(modules.join('.'));
    }
    this.#words = words;
    this.#names = names;
    this.#plain = plain;
  }

  /** Whether a sentence calls the constant an axiom. Elsewhere than where it is said, it can be a copy. */
  declares(name: string): boolean {
    return this.accountsFor(name) ? this.#names.has(name) : this.#words.has(lastPart(name));
  }

  /** Whether the constant's module is written out, so that an axiom in it is called one by a sentence there. */
  accountsFor(name: string): boolean {
    return this.#plain.has(qualifierOf(name));
  }
}

const AXIOM_WORDS = new Set(['Axiom', 'Axioms', 'Parameter', 'Parameters', 'Conjecture', 'Conjectures']);

/** Axioms outside a section; within, it generalises over them. */
const SECTION_WORDS = new Set(['Variable', 'Variables', 'Hypothesis', 'Hypotheses', 'Context']);

/** What may stand before the word that says what a sentence does. */
const BEFORE_COMMANDS = new Set([
  ...['Time', 'Timeout', 'Succeed', 'Fail', 'Local', 'Global', 'Export'],
  ...['Polymorphic', 'Monomorphic', 'Cumulative', 'NonCumulative', 'Program'],
]);

function commandWord(tokens: readonly string[]): string {
  let at = 0;
  while (tokens[at] === '#' && tokens[at + 1] === '[') at = tokens.indexOf(']', at) + 1 || tokens.length;
  const rest = tokens.slice(at);
  return orNothing(rest.find((token) => /^\p{L}/u.test(token) && !BEFORE_COMMANDS.has(token)));
}

/** In `Axiom a : A`, `Parameters (a b : A) (c : C)`: the names. Words before them, as `Axiom`, are no harm. */
function* namesBeforeColons(tokens: readonly string[]): Generator<string> {
  let depth = 0;
  let isName = true;
  for (const token of tokens) {
    if (token === '(' || token === '{' || token === '[') {
      depth += 1;
      if (depth === 1) isName = true;
    } else if (token === ')' || token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) isName = true;
    } else if (token === ':' || token === ':=') isName = false;
    else if (isName) yield token;
  }
}
