/**
 * Options of F* that are known to start no program, by what each takes. Callers over MCP and REST are often models, and
 * an option of F* can start a program (`--smt`), load code (`--load_cmxs`), have the solver write a file (`--z3smtopt`)
 * or read outside of the folder (`--include`). So a caller may give what stands in this closed list; anything else, such
 * as an option of a newer F*, is for the settings of the project, where the user has to allow it.
 */
import { QuodError } from '../../core/errors.ts';
import { entryAt, orNothing } from '../../core/entry.ts';

type Takes = 'nothing' | 'number' | 'boolean' | 'word' | 'count' | 'path';

/**
 * `path`: it has to lie in the workspace. A word has no slash: it is never a path. What an option takes is as F* reads it:
 * a value too many would be taken for a file.
 */
const TAKES: Readonly<Record<string, Takes>> = {
  ...all('nothing', [
    '--lax',
    '--query_stats',
    '--z3refresh',
    '--silent',
    '--cache_checked_modules',
    '--timing',
  ]),
  ...all('nothing', ['--print_full_names', '--print_implicits', '--print_universes', '--print_effect_args']),
  ...all('nothing', [
    '--print_bound_var_types',
    '--print_z3_statistics',
    '--hint_info',
    '--use_hints',
    '--ugly',
  ]),
  ...all('nothing', ['--record_hints', '--no_smt', '--no_tactics', '--tactic_raw_binders', '--tactic_trace']),
  ...all('nothing', ['--cmi', '--MLish', '--expose_interfaces', '--detail_errors', '--detail_hint_replay']),
  ...all('nothing', ['--cache_off', '--eager_subtyping', '--unthrottle_inductives', '--proof_recovery']),
  ...all('number', ['--z3rlimit', '--z3rlimit_factor', '--z3seed', '--fuel', '--ifuel', '--initial_fuel']),
  ...all('number', ['--max_fuel', '--initial_ifuel', '--max_ifuel', '--tactic_trace_d', '--retry']),
  ...all('boolean', ['--admit_smt_queries', '--error_contexts', '--smtencoding.elim_box']),
  ...all('boolean', ['--smtencoding.valid_intro', '--smtencoding.valid_elim']),
  ...all('word', ['--split_queries', '--warn_error', '--z3version', '--debug', '--ext', '--already_cached']),
  ...all('word', ['--using_facts_from', '--smtencoding.nl_arith_repr', '--smtencoding.l_arith_repr']),
  ...all('count', ['--quake']),
  ...all('path', ['--include', '--cache_dir', '--hint_dir', '--hint_file']),
};

function all(takes: Takes, names: readonly string[]): Record<string, Takes> {
  return Object.fromEntries(names.map((name) => [name, takes]));
}

const VALUE: Readonly<Record<Exclude<Takes, 'nothing' | 'path'>, RegExp>> = {
  number: /^\d{1,9}$/u,
  boolean: /^(?:true|false)$/u,
  word: /^(?!--|@)[\w.,:;*+=@ -]+$/u,
  count: /^\d{1,4}(?:\/\d{1,4})?(?:\/k)?$/u,
};

/** An option of the table with what it is given; undefined where it needs a value and none is there. */
interface Given {
  readonly option: string;
  readonly takes: Takes | undefined;
  readonly value: string | undefined;
  /** Whether it is of the table, and takes that value. */
  readonly isKnown: boolean;
}

function* readOptions(given: readonly string[]): Generator<Given> {
  for (let index = 0; index < given.length; index += 1) {
    const [option = '', inline] = entryAt(given, index, 'option').split(/=(.*)/su, 2);
    const takes = Object.hasOwn(TAKES, option) ? TAKES[option] : undefined;
    const next = given[index + 1];
    // What an option that is not known takes is what looks like a value.
    const takesNext = takes === undefined ? next?.startsWith('--') === false : takes !== 'nothing';
    const value = inline ?? (takesNext ? given[(index += 1)] : undefined);
    yield { option, takes, value, isKnown: takes !== undefined && isValue(takes, value) };
  }
}

function isValue(takes: Takes, value: string | undefined): boolean {
  if (takes === 'nothing') return value === undefined;
  // F* reads more options from a file behind an at sign.
  return value !== undefined && (takes === 'path' ? !/^(?:--|@)/u.test(value) : VALUE[takes].test(value));
}

/**
 * @param resolvePath Of a path that the caller named; throws where it leads out of the workspace.
 * @returns the options as F* gets them: whatever is a path is absolute.
 * @throws QuodError `not-allowed`, `invalid-input`, and as `resolvePath`.
 */
export async function callerOptions(
  given: readonly string[],
  resolvePath: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const checked: string[] = [];
  for (const { option, takes, value, isKnown } of readOptions(given)) {
    if (takes === undefined) throw notForCallers(option);
    if (!isKnown) throw wrongValue(option, orNothing(value), takes);
    checked.push(option);
    if (value !== undefined) checked.push(takes === 'path' ? await resolvePath(value) : value);
  }
  return checked;
}

/** What options of a project's settings name that could be a program: whatever is not known to be none. */
export function possiblePrograms(given: readonly string[]): readonly string[] {
  return [...readOptions(given)].flatMap(({ option, value, isKnown }) => (isKnown ? [] : [value ?? option]));
}

function notForCallers(option: string): QuodError {
  return new QuodError(
    'not-allowed',
    `${option} is none of the options of F* that a caller may give: it may start a program, load code, or read or write outside of the folder.`,
    {
      remedy:
        'Put it into the settings of the project (`NAME.fst.config.json`), where the user has to allow what runs programs.',
    },
  );
}

function wrongValue(option: string, value: string, takes: Takes): QuodError {
  return new QuodError('invalid-input', `${option} takes ${SAID[takes]}, not ${JSON.stringify(value)}.`, {
    remedy: 'Write the option and what it takes as two entries, such as "--z3rlimit", "20".',
  });
}

const SAID: Readonly<Record<Takes, string>> = {
  nothing: 'no value',
  number: 'a number',
  boolean: 'true or false',
  word: 'a word that is no path',
  count: 'a number of times, such as 10 or 5/10',
  path: 'a path in the workspace',
};
