import { describe, expect, it } from 'vitest';
import { recordedFrames } from '../testing/recordings.ts';
import { readReply } from './reply.ts';

function recorded(command: string): ReturnType<typeof readReply> {
  const frame = recordedFrames().find((other) => other.command === command);
  if (frame === undefined) throw new Error(`No recording of ${command}.`);
  return readReply(frame.answer.toString('utf8'));
}

describe('the free text of HOL is understood', () => {
  it.each([
    ['1+1;', 'ok', ''],
    ['   ', 'ok', ''],
    ['1 +', 'parse-error', 'expected an expression'],
    ['1 + "a";', 'static-error', 'Type error in function application.'],
    ['v;', 'static-error', 'Value or constructor (v) has not been declared Found near v'],
    ['hd [];', 'exception', ''],
    ['raise Fail "boo";', 'exception', '"boo"'],
    ['raise mk_HOL_ERR "A" "b" "c";', 'exception', 'c'],
    ['“p /\\ (q”;', 'exception', 'at line 1, character 8:'],
    ['“p:bool + 1”;', 'exception', 'at line 1, character 12: No numerals currently allowed'],
    ['print "no newline";', 'ok', ''],
  ])('%s', (command, status, message) => {
    const reply = recorded(command);
    expect(reply.status).toBe(status);
    expect(reply.error?.message ?? '').toContain(message);
  });

  it('with the place that raised an error', () => {
    expect(recorded('raise mk_HOL_ERR "A" "b" "c";').error?.origin).toBe('A.b');
    expect(recorded('“p /\\ (q”;').error?.origin).toBe('Absyn.Absyn');
    expect(recorded('hd [];').error?.origin).toBe('Empty');
    expect(recorded('1 +').error).toMatchObject({ line: 1, column: 4 });
    const nested =
      'Exception-\n   HOL_ERR\n     (at Q.store_thm:\n        at boolLib.store_thm_at:\n        at Tactical.TAC_PROOF: Failed to prove theorem "bar":\nunsolved goals)\n   raised\n';
    expect(readReply(nested).error).toEqual({
      origin: 'Tactical.TAC_PROOF',
      message: 'Failed to prove theorem "bar":\nunsolved goals',
    });
  });

  it('with what may have been declared before the error', () => {
    expect(recorded('val z = 1; val w = z + true; val v = 5;').mayHaveActed).toBe(true);
    expect(recorded('v;').mayHaveActed).toBe(false);
    const saved = "parse error at 4:8: expected 'QED'\nval noq = ⊢ T: thm\n";
    expect(readReply(saved)).toMatchObject({ status: 'parse-error', mayHaveActed: true });
  });

  it('and a command that reached its end is not taken for a failed one', () => {
    const printed = 'Exception- Fail "boo" raised\n';
    expect(readReply(printed).status).toBe('exception');
    expect(readReply(printed, true).status).toBe('ok');
    expect(readReply('Static Errors\n', true).status).toBe('ok');
    expect(readReply('', false).status).toBe('interrupted');
  });

  it('and interrupts are told apart, whatever they look like', () => {
    expect(readReply('val loop = fn\nException- Interrupt raised\n').status).toBe('interrupted');
    // Inside of metis an interrupt becomes an error of HOL: only who sent it can know.
    const inside =
      'metis: r[+0+5]Exception- HOL_ERR (at folTools.FOL_SOLVER: Time exception raised) raised\n';
    expect(readReply(inside)).toMatchObject({
      status: 'exception',
      error: { origin: 'folTools.FOL_SOLVER' },
    });
  });

  it('with warnings', () => {
    expect(recorded('“p:bool + 1”;').warnings).toEqual([
      'parse_term.parse_term: at line 1, character 12 : No numerals currently allowed',
    ]);
  });
});
