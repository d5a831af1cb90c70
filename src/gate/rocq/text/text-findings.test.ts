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
