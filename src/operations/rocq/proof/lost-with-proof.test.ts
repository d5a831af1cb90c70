/** A proof is put in the place of another only where nothing but that one is lost. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

const NESTED = 'Set Nested Proofs Allowed. Theorem t : 1 = 1.\n';
const INNER = 'Theorem h : 2 = 2. Proof. (* took a week *) reflexivity. Qed.\n';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({});
});
afterAll(() => caller.close());

const fill = (more = {}) =>
  caller.call('rocq_fill', { file: 'lost.v', theorem: 't', proof: 'reflexivity.', ...more });

it.each([
  ['a finished theorem', `${NESTED}${INNER}Admitted.\n`, 'Theorem h'],
  ['a definition', `${NESTED}Definition h : nat. exact 5. Defined.\nAdmitted.\n`, 'Definition h'],
  ['an instance', `${NESTED}Instance h : C. exact 5. Defined.\nAdmitted.\n`, 'Instance h'],
  ['an open statement', `${NESTED}Theorem h : 2 = 2. Admitted.\nAdmitted.\n`, 'Theorem h'],
  ['a theorem in a proof without an end', `${NESTED}${INNER}`, 'Theorem h'],
  ['a theorem in a proof that is given up', `${NESTED}${INNER}reflexivity. Abort.\n`, 'Theorem h'],
  ['a theorem in a finished proof', `${NESTED}${INNER}reflexivity. Qed.\n`, 'Theorem h'],
  ['a notation', `Theorem t : 1 = 1. Proof.\nNotation "'ZZ'" := 1. Admitted.\n`, 'Notation'],
  ['a tactic', 'Theorem t : 1 = 1. Proof.\nTime Ltac foo := idtac. Admitted.\n', 'Time Ltac'],
  [
    'a hint',
    'Theorem t : 1 = 1. Proof.\nidtac. #[export] Hint Resolve eq_refl : core. Admitted.\n',
    '#[export]',
  ],
  ['a definition behind a proof without an end', 'Theorem t : 1 = 1.\nDefinition x := 5.\n', 'Definition x'],
])('%s is not deleted by filling the proof around it', async (_what, text, at) => {
  const path = await caller.write('lost.v', text);
  const column = text.slice(text.indexOf('\n') + 1).indexOf(at);
  for (const more of [{}, { unjudged: true }, { dry_run: true }])
    expect(await fill(more)).toMatchObject({
      written: false,
      verdict: 'rejected',
      findings: [
        expect.stringMatching(/^would-be-lost: The proof of t in the file has more than tactics in it/u),
      ],
      new_file_hash: null,
    });
  const [finding] = (await fill())['findings'] as string[];
  expect(finding).toContain(`, from 2:${column} on: ${at}`);
  expect(await readFile(path, 'utf8')).toBe(text);
});

describe.skipIf(findExecutable(['coqc']) === undefined)('what leaves no trace', () => {
  it('keeps no proof from being filled', async () => {
    await caller.write(
      'lost.v',
      'Theorem t : 1 = 1. Proof using.\n{ Time idtac. Check 1. Show. Fail Definition x := y. } - admit.\nAdmitted.\n',
    );
    expect(await fill()).toMatchObject({ written: true, verdict: 'accepted' });
  }, 60_000);
});
