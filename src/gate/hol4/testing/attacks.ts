/**
 * Submissions that try to be accepted without proving what the target states, grouped by what they attack, each with an
 * innocent twin that does nearly the same and proves it. They run on a HOL4 with only its first theories and no bossLib.
 */
import type { FindingKind } from '../../verdict.ts';

const HEADER = `Theory mine[bare]
Ancestors combin
Libs HolKernel boolLib Parse
`;

export const TARGET = `${HEADER}
val open_goal : tactic = fn goal => ([], fn _ => mk_oracle_thm "cheat" goal)

val safe_def = new_definition ("safe_def", “safe x = (x = T)”)

Theorem swap:
  !p q. p /\\ q ==> q /\\ p
Proof
  open_goal
QED

Theorem safe_only:
  !x. safe x ==> x
Proof
  open_goal
QED
`;

const SAFE = 'val safe_def = new_definition ("safe_def", “safe x = (x = T)”)';
const proof = (tactic: string): string => `Theorem swap:
  !p q. p /\\ q ==> q /\\ p
Proof
  ${tactic}
QED
`;
const SWAP = proof('REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []');
const ONLY = `Theorem safe_only:
  !x. safe x ==> x
Proof
  REWRITE_TAC [safe_def] THEN REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []
QED
`;

export type AttackGroup = 'statement' | 'environment' | 'kernel' | 'output' | 'files' | 'process';

export interface Attack {
  readonly name: string;
  readonly group: AttackGroup;
  readonly submission: string;
  /** What it is rejected for when the scan of the text is blind to it; `unknown` when nothing is concluded. */
  readonly expected: readonly FindingKind[] | 'unknown';
  /** What the scan of the text says. */
  readonly scanned?: FindingKind;
  readonly twin: string;
}

const script = (...parts: readonly string[]): string => `${HEADER}\n${parts.join('\n\n')}\n`;
/** With the honest rest of the theory. */
const withSwap = (...parts: readonly string[]): string => script(SAFE, ...parts, ONLY);
const honest = (...parts: readonly string[]): string => script(SAFE, ...parts, SWAP, ONLY);

export const ATTACKS: readonly Attack[] = [
  {
    name: 'a hypothesis more in the statement',
    group: 'statement',
    submission: withSwap('Theorem swap:\n  !p q. F ==> p /\\ q ==> q /\\ p\nProof\n  REWRITE_TAC []\nQED'),
    expected: ['statement-changed'],
    twin: withSwap(
      'Theorem swap:\n  !first second. first /\\ second ==> second /\\ first\nProof\n  REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []\nQED',
    ),
  },
  {
    name: 'one symbol changed',
    group: 'statement',
    submission: withSwap(
      'Theorem swap:\n  !p q. p /\\ q ==> q \\/ p\nProof\n  REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []\nQED',
    ),
    expected: ['statement-changed'],
    twin: honest(
      'Theorem weaker:\n  !p q. p /\\ q ==> q \\/ p\nProof\n  REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []\nQED',
    ),
  },
  {
    name: 'the statement assumed as a hypothesis of itself',
    group: 'statement',
    submission: withSwap('val swap = save_thm ("swap", ASSUME “!p q. p /\\ q ==> q /\\ p”)'),
    expected: ['statement-changed'],
    twin: withSwap(
      'val swap = save_thm ("swap", prove (“!p q. p /\\ q ==> q /\\ p”, REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []))',
    ),
  },
  {
    name: 'an implication overloaded with something true',
    group: 'statement',
    submission: withSwap(
      'Overload "==>" = “\\(a:bool) (b:bool). a = a”',
      'Theorem swap:\n  !p q. p /\\ q ==> q /\\ p\nProof\n  REWRITE_TAC []\nQED',
      'val _ = clear_overloads_on "==>"; val _ = overload_on ("==>", mk_const ("==>", “:bool -> bool -> bool”))',
    ),
    expected: ['statement-changed', 'does-not-compile'],
    twin: honest('Overload both = “\\(a:bool) (b:bool). a /\\ b”'),
  },
  {
    name: 'a quantifier that is a constant of its own',
    group: 'statement',
    submission: withSwap(
      'val every_def = new_definition ("every_def", “every (P:bool -> bool) = T”)',
      'val swap = save_thm ("swap", prove (“every (\\p. every (\\q. p /\\ q ==> q /\\ p))”, REWRITE_TAC [every_def]))',
    ),
    expected: ['statement-changed'],
    twin: honest('val every_def = new_definition ("every_def", “every (P:bool -> bool) = T”)'),
  },
  {
    name: 'a definition made trivial',
    group: 'statement',
    submission: script('val safe_def = new_definition ("safe_def", “safe (x:bool) = F”)', SWAP, ONLY),
    expected: ['definition-changed'],
    twin: script('val safe_def = new_definition ("safe_def", “safe y = (y = T)”)', SWAP, ONLY),
  },
  {
    name: 'the definition is now only a theorem',
    group: 'statement',
    submission: script(
      'val hidden_def = new_definition ("hidden_def", “safe x = (T = x)”)',
      'val safe_def = save_thm ("safe_def", prove (“!x. safe x = (x = T)”, REWRITE_TAC [hidden_def]))',
      SWAP,
      ONLY,
    ),
    expected: ['definition-changed'],
    twin: honest('val other_def = new_definition ("other_def", “other x = (T = x)”)'),
  },
  {
    name: 'another name for the theorem',
    group: 'statement',
    submission: script(SAFE, SWAP.replace('swap', 'swapped'), ONLY),
    expected: ['missing'],
    twin: honest(SWAP.replace('swap', 'swapped')),
  },
  {
    name: 'the theorem is local',
    group: 'statement',
    submission: script(SAFE, SWAP.replace('Theorem swap', 'Theorem swap[local]'), ONLY),
    expected: ['missing'],
    twin: honest(SWAP.replace('Theorem swap', 'Theorem helper[local]')),
  },
  {
    name: 'an axiom',
    group: 'environment',
    submission: withSwap('val swap = new_axiom ("swap", “!p q. p /\\ q ==> q /\\ p”)'),
    expected: ['statement-changed', 'new-axiom', 'admitted'],
    scanned: 'new-axiom',
    twin: honest('(* no new_axiom is needed *)'),
  },
  {
    name: 'an axiom below the theorem',
    group: 'environment',
    submission: withSwap(
      'val false_ax = new_axiom ("false_ax", “F”)',
      proof('MATCH_ACCEPT_TAC (CONTR “!p q. p /\\ q ==> q /\\ p” false_ax)'),
    ),
    expected: ['new-axiom', 'admitted'],
    scanned: 'new-axiom',
    twin: withSwap(proof('MP_TAC TRUTH THEN REWRITE_TAC [] THEN REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []')),
  },
  {
    name: 'a cheat',
    group: 'environment',
    submission: withSwap(
      'val open_goal : tactic = fn goal => ([], fn _ => mk_oracle_thm "cheat" goal)',
      proof('open_goal'),
    ),
    expected: ['admitted'],
    scanned: 'forbidden-command',
    twin: withSwap(
      'val closed_goal : tactic = REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []',
      proof('closed_goal'),
    ),
  },
  {
    name: 'an oracle with a harmless name',
    group: 'environment',
    submission: withSwap(
      'val swap = save_thm ("swap", mk_oracle_thm "METIS" ([], “!p q. p /\\ q ==> q /\\ p”))',
    ),
    expected: ['admitted'],
    scanned: 'forbidden-command',
    twin: withSwap(
      'val swap = save_thm ("swap", TAC_PROOF (([], “!p q. p /\\ q ==> q /\\ p”), REPEAT STRIP_TAC THEN ASM_REWRITE_TAC []))',
    ),
  },
  {
    name: 'mk_thm',
    group: 'kernel',
    submission: withSwap('val swap = save_thm ("swap", mk_thm ([], “!p q. p /\\ q ==> q /\\ p”))'),
    expected: ['admitted'],
    scanned: 'forbidden-command',
    twin: honest('val words = "mk_thm"'),
  },
  {
    name: 'mk_thm in an antiquotation',
    group: 'kernel',
    submission: withSwap(
      'val swap = save_thm ("swap", ASSUME “!p q. p /\\ q ==> q /\\ p” |> DISCH_ALL |> C MP (let val _ = “^(concl (mk_thm ([], “T”)))” in mk_thm ([], “!p q. p /\\ q ==> q /\\ p”) end))',
    ),
    expected: ['admitted', 'statement-changed'],
    scanned: 'forbidden-command',
    twin: honest('val both = “T /\\ ^(concl TRUTH)”'),
  },
  {
    name: 'a theorem that says that it was read from disk',
    group: 'kernel',
    submission: withSwap(
      'val swap = save_thm ("swap", Thm.disk_thm ("combin", Thm.SavedName "I_THM") (((("combin", 0), []), []), [“!p q. p /\\ q ==> q /\\ p”]))',
    ),
    expected: ['does-not-compile', 'kernel-rejected'],
    scanned: 'forbidden-command',
    twin: honest('val from_disk = combinTheory.I_THM'),
  },
  {
    name: 'a cast of another theorem',
    group: 'kernel',
    submission: withSwap(
      'datatype fake = FAKE of Tag.tag * term HOLset.set * term * unit ref',
      'val FAKE (tag, hyps, _, proof) = RunCall.unsafeCast (prove (“T”, REWRITE_TAC [])) : fake',
      'val swap = save_thm ("swap", RunCall.unsafeCast (FAKE (tag, hyps, “!p q. p /\\ q ==> q /\\ p”, proof)) : thm)',
    ),
    expected: ['kernel-rejected'],
    scanned: 'forbidden-command',
    twin: honest('datatype honest = HONEST of thm', 'val HONEST th = HONEST TRUTH'),
  },
  {
    name: 'another prover behind prove',
    group: 'kernel',
    submission: withSwap(
      'val _ = Tactical.set_prover (fn ((hyps, goal), _) => mk_oracle_thm "T" (hyps, goal))',
      proof('ALL_TAC'),
      'val _ = Tactical.restore_prover ()',
    ),
    expected: ['admitted'],
    scanned: 'forbidden-command',
    twin: honest('val _ = Tactical.restore_prover ()'),
  },
  {
    name: 'the proof of a forged theorem is deleted',
    group: 'kernel',
    submission: withSwap(
      'val forged = mk_thm ([], “!p q. p /\\ q ==> q /\\ p”)',
      'val _ = Thm.delete_proof forged',
      'val swap = save_thm ("swap", forged)',
    ),
    expected: ['does-not-compile', 'admitted', 'kernel-rejected'],
    scanned: 'forbidden-command',
    twin: honest('val delete_proofs = ()'),
  },
  {
    name: 'code that is compiled while it runs',
    group: 'kernel',
    submission: withSwap(
      'val _ = let val left = ref (String.explode "val swap = save_thm (\\"swap\\", mk" ^ String.explode "") in () end handle _ => ()',
      'fun run text = let val left = ref (String.explode text) fun next () = case !left of [] => NONE | c :: rest => (left := rest; SOME c) in while not (List.null (!left)) do PolyML.compiler (next, []) () end',
      'val _ = run ("val swap = boolLib.save_thm (\\"swap\\", Thm.mk" ^ "_thm ([], Parse.Term [QUOTE \\"!p q. p /\\\\\\\\ q ==> q /\\\\\\\\ p\\"]));")',
    ),
    expected: ['does-not-compile', 'admitted', 'missing'],
    scanned: 'forbidden-command',
    twin: honest('val text = "val swap = mk" ^ "_thm"'),
  },
  {
    name: 'the script ends before the theorem',
    group: 'process',
    submission: script(
      SAFE,
      'val _ = Theory.export_theory ()',
      'val _ = OS.Process.exit OS.Process.success : unit',
      SWAP,
      ONLY,
    ),
    expected: ['missing', 'does-not-compile'],
    scanned: 'forbidden-command',
    twin: honest('val success = ()'),
  },
  {
    name: 'a script of another theory',
    group: 'process',
    submission: honest().replace('Theory mine', 'Theory other'),
    expected: ['does-not-compile', 'missing'],
    twin: honest('(* Theory other *)'),
  },
  {
    name: 'the cheat is not reported',
    group: 'output',
    submission: withSwap(
      'val _ = Feedback.set_trace "Theory.save_thm_reporting" 0',
      'val _ = print "mineTheory   (0s)   [1/1]     OK\\n"',
      'val swap = save_thm ("swap", mk_oracle_thm "cheat" ([], “!p q. p /\\ q ==> q /\\ p”))',
    ),
    expected: ['admitted'],
    scanned: 'forbidden-command',
    twin: honest('val _ = Feedback.set_trace "Theory.save_thm_reporting" 0', 'val _ = print "OK\\n"'),
  },
  {
    name: 'data and module of the theory written by the script',
    group: 'files',
    submission: script(
      SAFE,
      SWAP,
      ONLY,
      `fun write (name, text) = let val out = TextIO.openOut name in TextIO.output (out, text); TextIO.closeOut out end
val _ = Theory.export_theory ()
val _ = write (".hol/objs/mineTheory.dat", "(theory (\\"mine\\"))")
val _ = OS.Process.exit OS.Process.success : unit`,
    ),
    expected: ['result-tampered', 'does-not-compile'],
    scanned: 'forbidden-command',
    twin: honest('fun write text = print text', 'val _ = write "done\\n"'),
  },
  {
    name: "HOL's own files changed",
    group: 'files',
    submission: honest(
      'val _ = let val out = TextIO.openAppend (OS.Path.concat (Systeml.HOLDIR, "sigobj/combinTheory.sig")) in TextIO.output (out, "x"); TextIO.closeOut out end',
    ),
    expected: ['does-not-compile'],
    scanned: 'forbidden-command',
    twin: honest('val _ = print Systeml.HOLDIR'),
  },
];

/** What makes the scan of the text blind to the attacks, so that the layers behind it are seen to hold. */
export const ALLOWED_FOR_THE_SCAN: readonly string[] = [
  ...['mk_thm', 'mk_oracle_thm', 'disk_thm', 'set_prover', 'delete_proof', 'unsafeCast', 'RunCall', 'PolyML'],
  ...['new_axiom', 'OS', 'exit', 'Process', 'openOut', 'openAppend', 'load', 'use', 'compile'],
];
