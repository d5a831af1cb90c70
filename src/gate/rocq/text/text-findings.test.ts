/** What a finding says that a policy has to have is what lets the text through. */
import { expect, it } from 'vitest';
import { parsePolicy, type GatePolicy } from '../../policy.ts';
import { Script } from './script.ts';
import { textFindings } from './text-findings.ts';

const STATEMENT = 'Theorem t : 1 = 1.\n';

function found(sentence: string, policy: GatePolicy = {}) {
  const script = (text: string) => new Script({ path: 'T.v', text });
  const nothing = { named: () => false, nameless: false };
  return textFindings(
    script(`${STATEMENT}Admitted.\n`),
    script(`${sentence}\n${STATEMENT}Proof. reflexivity. Qed.\n`),
    nothing,
    policy,
  );
}

function foundInProof(steps: string, before = '') {
  const script = (text: string) => new Script({ path: 'T.v', text });
  const nothing = { named: () => false, nameless: false };
  const proved = script(`${STATEMENT}${before}Proof. ${steps} reflexivity. Qed.\n`);
  return textFindings(script(`${STATEMENT}Admitted.\n`), proved, nothing, {});
}

it('a proof may go back in itself, and nothing else may', () => {
  for (const steps of ['idtac. Restart.', 'idtac. Undo.', 'idtac. idtac. Undo 2.'])
    expect(foundInProof(steps)).toEqual([]);
  for (const steps of ['Undo To 3.', 'Back 2.', 'Reset t.', 'Time Undo.'])
    expect(foundInProof(steps)[0]?.remedy).toContain('Take it out, and what it takes back.');
  expect(found('Undo.')[0]?.remedy).toContain('Take it out, and what it takes back.');
});

it('tactics may stand before the word Proof', () => {
  expect(foundInProof('', 'symmetry. Undo. Restart. ')).toEqual([]);
  expect(foundInProof('', 'Axiom a : False. ').map(({ kind }) => kind)).toEqual(['new-axiom']);
});

it('what is known to be a command is not told how a tactic is known', () => {
  expect(foundInProof('Redirect "f" Show.')[0]?.remedy).toBe(
    'Take out the word and the name of the file: what stands behind them prints its answer.',
  );
  expect(foundInProof('Cd "/".')[0]?.remedy).not.toContain('tactic');
  expect(foundInProof('Unheard.')[0]?.remedy).toContain('A tactic is known by its qualified name');
});

it.each([
  ['Set Cumulative StrictProp.', 'the option, by its name, without `Set` and `Unset` (`commands ='],
  ['Unset Cumulative StrictProp.', 'the option, by its name, without `Set` and `Unset` (`commands ='],
  ['Declare ML Module "some.plugin".', 'it (`plugins ='],
  ['Elpi Query lp:{{ true }}.', 'it (`commands ='],
  ['#[strange] Lemma l : True.', 'it (`commands ='],
])('%s', (sentence, told) => {
  const [finding] = found(sentence);
  expect(finding?.remedy).toContain(told);
  const entry = /\(`(?<entry>\w+ = \[".*"\])`\)/u.exec(String(finding?.remedy))?.groups?.['entry'];
  expect(found(sentence, parsePolicy(String(entry), 'policy.toml'))).toEqual([]);
});
