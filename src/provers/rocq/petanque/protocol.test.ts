import { describe, expect, it } from 'vitest';
import { proofStateOf } from '../../../core/proof-state.ts';
import { refusalDiagnostic, readPetanqueGoals, readIncoming, readState } from './protocol.ts';

const goal = (evar: number, ty: string) => ({ info: { evar: ['Ser_Evar', evar], name: null }, hyps: [], ty });

function refusalOf(text: string) {
  const incoming = readIncoming(text);
  if (incoming.kind !== 'reply' || incoming.reply.status !== 'refused') throw new Error('no refusal');
  return incoming.reply.refusal;
}

describe('messages of petanque', () => {
  it('are replies, also empty ones, or notifications', () => {
    expect(readIncoming('{"jsonrpc":"2.0","id":1,"result":null}\n')).toEqual({
      kind: 'reply',
      id: 1,
      reply: { status: 'answered', result: null },
    });
    expect(readIncoming('{"jsonrpc":"2.0","method":"$/logTrace","params":{"message":"m"}}')).toEqual({
      kind: 'notification',
      method: '$/logTrace',
      params: { message: 'm' },
    });
  });

  it('refuse with what was said before, whatever the shape of the data', () => {
    const refusal = refusalOf(
      '{"jsonrpc":"2.0","id":34,"error":{"code":-32003,"message":"Coq: Tactic failure: boom.","data":[{"range":null,"level":4,"text":"hi"}]}}',
    );
    expect(refusalDiagnostic(refusal)).toEqual({ severity: 'error', message: 'Tactic failure: boom.' });
    expect(refusal.messages).toEqual([{ severity: 'info', message: 'hi' }]);
    expect(
      refusalOf('{"id":1,"error":{"code":-32004,"message":"Anomaly: a","data":{"other":1}}}').messages,
    ).toEqual([]);
  });

  it('say what can be done where a session could not start a program', () => {
    const denied = 'Uncaught exception Unix.Unix_error(Unix.EPERM, "fork", "").';
    const data = [{ range: null, level: 1, text: denied }];
    const refusal = refusalOf(
      JSON.stringify({ id: 1, error: { code: -32003, message: `Coq: ${denied}`, data } }),
    );
    const remedy = 'quod run allow --program rocq';
    expect(refusalDiagnostic(refusal).message).toContain(remedy);
    expect(refusal.messages).toMatchObject([
      { severity: 'error', message: expect.stringContaining(remedy) as string },
    ]);
  });

  it.each(['{}', '[]', '{"id":"1","result":null}', '{"id":1}', 'Segmentation fault'])(
    'that are none are errors: %s',
    (text) => {
      expect(() => readIncoming(text)).toThrow();
    },
  );
});

describe('results of petanque', () => {
  it('are states with messages, without what the server says of itself', () => {
    const feedback = [
      [2, 'Serlib plugin: coq-lsp.serlib.ring is not available.'],
      [3, 'Nat.add_comm\n     : forall n m : nat, n + m = m + n'],
      [2, 'old'],
    ];
    expect(readState({ st: 11, hash: 622992260, proof_finished: false, feedback })).toEqual({
      id: 11,
      messages: [
        { severity: 'notice', message: 'Nat.add_comm\n     : forall n m : nat, n + m = m + n' },
        { severity: 'warning', message: 'old' },
      ],
    });
    expect(() => readState({ proof_finished: true })).toThrow('unexpected');
  });

  it('have goals with one hypothesis a name, and those around the focus in order', () => {
    const hyps = [
      { names: ['n', 'm'], def: null, ty: 'nat' },
      { names: ['p'], def: 'n + m', ty: 'nat' },
    ];
    const goals = readPetanqueGoals({
      goals: [{ ...goal(7, 'n = m'), hyps }],
      stack: [[[goal(3, 'C'), goal(2, 'B')], [goal(5, 'D')]]],
      bullet: null,
      shelf: [goal(8, 'S')],
      given_up: [],
    });
    expect(goals?.focused).toEqual([
      {
        id: '7',
        hypotheses: [
          { name: 'n', type: 'nat' },
          { name: 'm', type: 'nat' },
          { name: 'p', type: 'nat', body: 'n + m' },
        ],
        conclusion: 'n = m',
      },
    ]);
    expect(goals?.unfocused.map((level) => level.map(({ conclusion }) => conclusion))).toEqual([
      ['B', 'C', 'D'],
    ]);
    expect(goals && proofStateOf(goals)).toMatchObject({ unfocused: [3], shelved: 1, givenUp: 0 });
    expect(readPetanqueGoals(null)).toBeNull();
    expect(() => readPetanqueGoals({ goals: [] })).toThrow('unexpected');
  });
});
