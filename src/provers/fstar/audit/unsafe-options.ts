/** Which of F*'s options let something false pass or hide that it did, and what an option text sets. */
import { orNothing } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { shellWords } from '../project.ts';

export interface OptionEscape {
  readonly kind: 'option' | 'silenced-warning';
  /** The option as it stands there. */
  readonly option: string;
  readonly severity: 'unsound' | 'suspicious';
  readonly explanation: string;
  /** What it sets, so that a later `false` or reset is known to end it. */
  readonly name: string;
}

/** Options that are unsafe whenever they stand there. */
const UNSAFE: Readonly<Record<string, string>> = {
  '--lax': 'Proof obligations are admitted.',
  '--admit_except': 'All proof obligations but one are admitted.',
  '--__no_positivity': 'Inductive types are not checked for positivity.',
  '--no_positivity': 'Inductive types are not checked for positivity.',
  '--unsafe_tactic_exec': 'Tactics may start programs.',
  '--load': 'Native code is loaded into F*.',
  '--load_cmxs': 'Native code is loaded into F*.',
  '--smt': 'Another program takes the place of the solver.',
  '--z3cliopt': 'The solver is started with options of the file.',
  '--z3smtopt': 'Text of the file is sent to the solver, which believes it.',
  '--already_cached': 'Modules are taken from the cache without being checked.',
  '--MLish': 'Definitions may have every effect by default.',
  '--MLish_effect': 'Definitions may have every effect by default.',
  '--lang_extensions': 'Native code is loaded into F*.',
  '--hint_hook': 'Hints come from elsewhere.',
};

const ADMIT = '--admit_smt_queries';

/** Errors that, made silent, let a failed proof pass, and warnings that are the only sign of an escape. */
const TELLING: Readonly<
  Record<number, { readonly severity: 'unsound' | 'suspicious'; readonly what: string }>
> = {
  19: { severity: 'unsound', what: 'the solver could not prove it' },
  72: { severity: 'suspicious', what: 'an identifier is not found' },
  189: { severity: 'unsound', what: 'an expression has another type' },
  240: { severity: 'suspicious', what: 'a `val` has no definition' },
  241: { severity: 'suspicious', what: 'a dependency was not checked' },
  247: { severity: 'suspicious', what: 'a checked file was not written' },
  271: { severity: 'suspicious', what: 'a pattern of a quantifier is bad' },
  274: { severity: 'suspicious', what: 'a module shadows another' },
  296: { severity: 'suspicious', what: 'a tactic admitted a goal' },
  321: { severity: 'suspicious', what: 'a checked file is stale' },
  334: { severity: 'suspicious', what: 'an assumption was made' },
};

/** Boolean options that end an escape: `--admit_smt_queries false`. */
export function optionsSwitchedOff(options: string): readonly string[] {
  const words = shellWords(options);
  return words.filter((word, index) => word === ADMIT && words[index + 1] === 'false');
}

export function unsafeOptions(words: readonly string[]): readonly OptionEscape[] {
  const escapes: OptionEscape[] = [];
  for (const [index, word] of words.entries()) {
    const [name, inline] = splitOnce(word);
    const value = orNothing(inline ?? words[index + 1]);
    if (name === ADMIT) {
      if (value === 'false') continue;
      const option = `${ADMIT} ${value}`.trim();
      const explanation = 'Proof obligations are admitted.';
      escapes.push({ kind: 'option', option, severity: 'unsound', explanation, name });
    } else if (name === '--warn_error') {
      appendAll(escapes, silenced(value));
    } else {
      const explanation = UNSAFE[name];
      if (explanation !== undefined) {
        escapes.push({ kind: 'option', option: word, severity: 'unsound', explanation, name });
      }
    }
  }
  return escapes;
}

function splitOnce(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** `-19`, `-271-296`, `-200..300`: what a `--warn_error` makes silent. `+` and `@` make nothing weaker. */
function silenced(setting: string): readonly OptionEscape[] {
  const escapes: OptionEscape[] = [];
  for (const [text, sign, first = '', last] of setting.matchAll(/([-+@])(\d+)(?:\.\.(\d+))?/g)) {
    if (sign === '@') continue;
    const from = Number(first);
    const to = Number(last ?? first);
    const telling = Object.entries(TELLING).filter(
      ([number]) => from <= Number(number) && Number(number) <= to,
    );
    // `+19` turns an error into a warning: the proof fails and passes all the same.
    const weakened = telling.filter(([, { severity }]) => sign === '-' || severity === 'unsound');
    if (sign === '+' && weakened.length === 0) continue;
    const what = weakened.map(([number, { what: said }]) => `${number} (${said})`).join(', ');
    escapes.push({
      kind: 'silenced-warning',
      option: `--warn_error ${text}`,
      severity: weakened.some(([, { severity }]) => severity === 'unsound') ? 'unsound' : 'suspicious',
      explanation: what === '' ? 'Messages are silenced.' : `Silences or weakens ${what}.`,
      name: '--warn_error',
    });
  }
  return escapes;
}
