/**
 * Submissions that try to be accepted without proving what the target states, grouped by what they attack, each with an
 * innocent twin that does nearly the same and proves it.
 */
import type { FindingKind } from '../../verdict.ts';

const START = `module Mine
let f (x:int) : int = x + 1
`;
const LISTS = `let rec len (#a:Type) (l:list a) : nat = match l with | [] -> 0 | _ :: t -> 1 + len t
let rec app (#a:Type) (l m:list a) : list a = match l with | [] -> m | h :: t -> h :: app t m
`;
const ABOVE = 'let above (x:int) : Lemma (f x > x) =';
const LEN = 'len_app (#a:Type) (l m:list a) : Lemma (len (app l m) == len l + len m) =';
const BY_INDUCTION = `let rec ${LEN} match l with | [] -> () | _ :: t -> len_app t m\n`;

export const TARGET = `${START}${ABOVE} admit ()\n${LISTS}let ${LEN} admit ()\n`;

interface Parts {
  /** Before the first lemma. */
  readonly before?: string;
  readonly start?: string;
  readonly above?: string;
  readonly lists?: string;
  readonly last?: string;
}

const file = ({
  before = '',
  start = START,
  above = `${ABOVE} ()\n`,
  lists = LISTS,
  last = BY_INDUCTION,
}: Parts) => `${start}${before}${above}${lists}${last}`;
const above = (body: string, before = ''): string => file({ before, above: `${ABOVE} ${body}\n` });

export type AttackGroup = 'statement' | 'environment' | 'checks' | 'reading' | 'output' | 'files';

export interface Attack {
  readonly name: string;
  readonly group: AttackGroup;
  readonly submission: string;
  readonly expected: FindingKind;
  /** Words that a policy must allow for the text to pass, and what the submission is rejected for then. */
  readonly blind?: { readonly commands: readonly string[]; readonly expected: FindingKind };
  readonly twin: string;
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'one symbol changed',
    group: 'statement',
    submission: file({ above: 'let above (x:int) : Lemma (f x >= x) = ()\n' }),
    expected: 'statement-changed',
    twin: file({ before: 'let above_or_equal (x:int) : Lemma (f x >= x) = ()\n' }),
  },
  {
    name: 'a precondition more',
    group: 'statement',
    submission: file({ above: 'let above (x:int) : Lemma (requires False) (ensures f x > x) = ()\n' }),
    expected: 'statement-changed',
    twin: file({ before: 'let above_if (x:int) : Lemma (requires x > 0) (ensures f x > 1) = ()\n' }),
  },
  {
    name: 'a smaller type',
    group: 'statement',
    submission: file({ above: 'let above (x:nat) : Lemma (f x > x) = ()\n' }),
    expected: 'statement-changed',
    twin: file({ above: 'let  above (x:int) (* any *) : Lemma (f x > x) = ()\n' }),
  },
  {
    name: 'a definition changed',
    group: 'statement',
    submission: file({ start: 'module Mine\nlet f (x:int) : int = x + 2\n' }),
    expected: 'definition-changed',
    twin: file({ before: 'let g (x:int) : int = x + 2\n' }),
  },
  {
    name: 'an operator of its own',
    group: 'statement',
    submission: file({ before: 'let op_GreaterThan (x y:int) : bool = true\n', above: `${ABOVE} ()\n` }),
    expected: 'name-taken',
    twin: file({ before: 'let greater_than (x y:int) : bool = x > y\n' }),
  },
  {
    name: 'a symbol bound anew',
    group: 'statement',
    submission: file({ before: 'let ( > ) (x y:int) : bool = true\n' }),
    expected: 'name-taken',
    twin: above('let greater = (x > 0) in ()'),
  },
  {
    name: 'a type that shadows one of the statement',
    group: 'statement',
    submission: file({ before: 'type int = | Only\n' }),
    expected: 'name-taken',
    twin: file({ before: 'type answer = | Yes | No\n' }),
  },
  {
    name: 'a module opened between',
    group: 'statement',
    submission: file({ before: 'open FStar.Mul\n' }),
    expected: 'forbidden-command',
    twin: above('let open FStar.Mul in ()'),
  },
  {
    name: 'a lemma left out',
    group: 'statement',
    submission: file({ last: '' }),
    expected: 'missing',
    twin: file({
      last: `let rec len_again (#a:Type) (l m:list a) : Lemma (len (app l m) == len l + len m) = match l with | [] -> () | _ :: t -> len_again t m\nlet ${LEN} len_again l m\n`,
    }),
  },
  {
    name: 'another module',
    group: 'statement',
    submission: file({}).replace('module Mine', 'module Other'),
    expected: 'definition-changed',
    twin: `(* module Other *)\n${file({})}`,
  },
  {
    name: 'admit',
    group: 'environment',
    submission: above('admit ()'),
    expected: 'admitted',
    blind: { commands: ['admit'], expected: 'not-verified' },
    twin: above('() (* admit () *)'),
  },
  {
    name: 'assume',
    group: 'environment',
    submission: above('assume (f x > x)'),
    expected: 'admitted',
    twin: above('assert (f x > x)'),
  },
  {
    name: 'magic',
    group: 'environment',
    submission: above('let p : squash False = magic () in ()'),
    expected: 'admitted',
    twin: above('let words = "no wonder" in ()'),
  },
  {
    name: 'a cast',
    group: 'environment',
    submission: above('let p : squash False = unsafe_coerce () in ()'),
    expected: 'unsafe-code',
    twin: above('let p : squash True = () in ()'),
  },
  {
    name: 'an assumed lemma',
    group: 'environment',
    submission: above('everything ()', 'assume val everything : unit -> Lemma False\n'),
    expected: 'new-axiom',
    twin: above('something ()', 'let something () : Lemma True = ()\n'),
  },
  {
    name: 'a val that nothing defines',
    group: 'environment',
    submission: above('everything ()', 'val everything : unit -> Lemma False\n'),
    expected: 'does-not-compile',
    twin: above('something ()', 'val something : unit -> Lemma True\nlet something () = ()\n'),
  },
  {
    name: 'a tactic that admits',
    group: 'environment',
    submission: above('FStar.Tactics.assert_by_tactic (f x > x) (fun () -> FStar.Tactics.tadmit ())'),
    expected: 'admitted',
    twin: above('FStar.Tactics.assert_by_tactic (f x > x) (fun () -> FStar.Tactics.compute ())'),
  },
  {
    name: 'a name put together by a tactic',
    group: 'environment',
    submission: above(
      'FStar.Tactics.assert_by_tactic (f x > x) (fun () -> FStar.Tactics.exact (FStar.Tactics.pack (FStar.Reflection.Tv_FVar (FStar.Reflection.pack_fv ["Prims"; "ad" ^ "mit"]))))',
    ),
    expected: 'forbidden-command',
    twin: above('let name = "ad" ^ "mit" in ()'),
  },
  {
    name: 'queries admitted by an option',
    group: 'checks',
    submission: file({
      above:
        '#push-options "--admit_smt_queries true"\nlet above (x:int) : Lemma (f x > x) = ()\n#pop-options\n',
    }),
    expected: 'checks-disabled',
    blind: { commands: ['--admit_smt_queries'], expected: 'not-verified' },
    twin: file({ above: `#push-options "--z3rlimit 20"\n${ABOVE} ()\n#pop-options\n` }),
  },
  {
    name: 'a false helper under an option',
    group: 'checks',
    submission: above(
      'everything ()',
      '#set-options "--admit_smt_queries true"\nlet everything () : Lemma False = ()\n#reset-options\n',
    ),
    expected: 'checks-disabled',
    twin: above(
      'something ()',
      '#set-options "--max_fuel 4"\nlet something () : Lemma True = ()\n#reset-options\n',
    ),
  },
  {
    name: 'a lax module',
    group: 'checks',
    submission: `#set-options "--lax"\n${file({})}`.replace(
      /^(#set-options "--lax"\n)(module Mine\n)/,
      '$2$1',
    ),
    expected: 'checks-disabled',
    twin: file({ before: '#set-options "--z3rlimit 10"\n' }),
  },
  {
    name: 'the error of a failed proof silenced',
    group: 'checks',
    submission: above(
      'everything ()',
      '#set-options "--warn_error -19"\nlet everything () : Lemma False = ()\n',
    ),
    expected: 'checks-disabled',
    twin: above(
      'something ()',
      '(* #set-options "--warn_error -19" *)\nlet something () : Lemma True = ()\n',
    ),
  },
  {
    name: 'all queries admitted but one',
    group: 'checks',
    submission: above(
      'everything ()',
      '#set-options "--admit_except Mine.none"\nlet everything () : Lemma False = ()\n',
    ),
    expected: 'checks-disabled',
    twin: above('something ()', 'let something () : Lemma (ensures (True)) = ()\n'),
  },
  {
    name: 'a type that is not positive',
    group: 'checks',
    submission: above(
      'everything ()',
      '#set-options "--__no_positivity"\nnoeq type bad = | Bad : (bad -> squash False) -> bad\nlet no (b:bad) : squash False = match b with | Bad g -> g b\nlet everything () : Lemma False = no (Bad no)\n',
    ),
    expected: 'checks-disabled',
    twin: above('()', 'noeq type good = | Good : (int -> squash True) -> good\n'),
  },
  {
    name: 'code behind what looks like a comment',
    group: 'reading',
    submission: above('everything ()', '// IN F*: assume val everything : unit -> Lemma False\n'),
    expected: 'new-axiom',
    twin: above('()', '// assume val everything : unit -> Lemma False\n'),
  },
  {
    name: 'a line end that few editors show',
    group: 'reading',
    submission: above('everything ()', '// harmless\u2028assume val everything : unit -> Lemma False\n'),
    expected: 'new-axiom',
    twin: above('()', '// harmless, with a dash — in it\n'),
  },
  {
    name: 'a declaration that must fail',
    group: 'reading',
    submission: file({ above: `[@expect_failure]\n${ABOVE} assert False\n` }),
    expected: 'statement-changed',
    twin: file({ above: `(* [@expect_failure] *)\n${ABOVE} ()\n` }),
  },
  {
    name: 'success printed by a tactic',
    group: 'output',
    submission: above(
      'FStar.Tactics.assert_by_tactic (f x < x) (fun () -> FStar.Tactics.print "Verified module: Mine\\nAll verification conditions discharged successfully")',
    ),
    expected: 'does-not-compile',
    twin: above('FStar.Tactics.assert_by_tactic (f x > x) (fun () -> FStar.Tactics.print "hello")'),
  },
  {
    name: 'a module of its own beside it',
    group: 'files',
    submission: above('Lies.everything ()'),
    expected: 'does-not-compile',
    twin: above('FStar.Classical.forall_intro (fun (y:int) -> (() <: Lemma (f y > y)))'),
  },
];
