/** The commands of the recording, each with what must be understood of its answer. */
import type { ReplyStatus } from '../session/reply.ts';

export interface RecordedCommand {
  readonly text: string;
  readonly status: ReplyStatus;
  readonly output?: string;
  readonly error?: string;
  /** Interrupted after so many milliseconds. */
  readonly timeoutMs?: number;
}

export const SECRET = 'recorded';

export const RECORDED_COMMANDS: readonly RecordedCommand[] = [
  { text: '1+1', status: 'ok', output: 'val it = 2: int' },
  { text: '', status: 'ok', output: '' },
  {
    text: 'val z = 1; val w = z + true; val v = 5;',
    status: 'static-error',
    error: 'Type error in function application',
  },
  { text: 'z', status: 'ok', output: 'val it = 1: int' },
  { text: 'v', status: 'static-error', error: 'Value or constructor (v) has not been declared' },
  { text: '1 +', status: 'parse-error', error: 'expected an expression' },
  { text: '(* never closed', status: 'parse-error', error: 'unclosed comment' },
  { text: 'hd []', status: 'exception', error: 'Empty' },
  { text: 'raise Fail "boo"', status: 'exception', error: '"boo"' },
  { text: 'raise mk_HOL_ERR "A" "b" "c"', status: 'exception', error: 'c' },
  { text: '“p /\\ q ==> 𝔸 ∧ é”', status: 'ok', output: 'val it = “p ∧ q ⇒ 𝔸 ∧ é”: term' },
  { text: 'print "a\\000b\\000"', status: 'ok' },
  { text: 'print "Exception- Fail raised\\n"', status: 'ok' },
  { text: 'print "@recorded:finished:3@\\n"', status: 'ok' },
  { text: 'Theorem noq:\n  T\nProof\n simp[]', status: 'parse-error', error: "expected 'QED'" },
  { text: 'noq', status: 'ok', output: 'val it = ⊢ T: thm' },
  {
    text: 'Theorem bad:\n  p ==> q\nProof\n strip_tac \\\\ simp[]\nQED',
    status: 'exception',
    error: 'unsolved goals',
  },
  { text: 'g `!p q. p /\\ q ==> q /\\ p`', status: 'ok' },
  { text: 'e (rpt strip_tac)', status: 'ok' },
  { text: 'e (FAIL_TAC "nope")', status: 'exception', error: 'nope' },
  { text: 'fun loop () = loop (); loop ()', status: 'interrupted', timeoutMs: 1500 },
  { text: '"alive"', status: 'ok', output: 'val it = "alive": string' },
  { text: 'val () = Quod_Port.tell (Quod_Port.manager ())', status: 'ok', output: '' },
];
