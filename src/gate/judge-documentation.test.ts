/** What the pages say that lists are closed is compared with the lists. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AXIOM_SETS, meaningOf } from './axiom-sets.ts';
import { KERNEL_FLAGS, parsePolicy, policySchema } from './policy.ts';
import { readAttacks } from './rocq/testing/attack-files.ts';
import { FORMS, OPAQUE_VALUES, PLACES } from './rocq/testing/spoken-values.ts';
import { FINDING_KINDS, WARNING_KINDS } from './verdict.ts';

const page = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const gate = page('docs/judge/gate.md');

/** The first cells of the table below a heading, without backticks. */
function codesBelow(heading: string): string[] {
  const section = gate.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([a-z-]+)` \| \S/gm)].map(([, code]) => code ?? '');
}

it('docs/judge/gate.md has every finding and every warning with an example, and no others', () => {
  expect(codesBelow('Findings').sort()).toEqual(Object.keys(FINDING_KINDS).sort());
  expect(codesBelow('Warnings').sort()).toEqual(Object.keys(WARNING_KINDS).sort());
});

it('docs/judge/gate.md names every set of axioms and every flag; its example policy has every entry and is read', () => {
  for (const name of Object.keys(KERNEL_FLAGS)) expect(gate).toContain(`\`${name}\``);
  for (const name of AXIOM_SETS) expect(gate).toContain(`| \`${name}\` | ${meaningOf(name)} |`);
  const example = /```toml\n([^]*?)```/.exec(gate)?.[1] ?? '';
  expect(Object.keys(parsePolicy(example, 'policy.toml')).sort()).toEqual(
    Object.keys(policySchema.shape).sort(),
  );
});

it('the policy of the example for judges is read', () => {
  expect(parsePolicy(page('examples/judge/policy.toml'), 'policy.toml').requireSandbox).toBe(true);
});

it('docs/judge/threat-model.md counts the attacks as they are', () => {
  const model = page('docs/judge/threat-model.md');
  const all = readAttacks();
  expect(model).toContain(`${all.length} on Rocq`);
  for (const group of new Set(all.map((attack) => attack.group))) {
    const attacks = all.filter((attack) => attack.group === group);
    const passing = attacks.filter(({ passes }) => passes.includes('rocq-mcp'));
    expect(model).toMatch(
      new RegExp(
        `^\\| ${group.replaceAll('-', ' ')} \\|.*\\| ${attacks.length} \\| ${passing.length} \\|$`,
        'm',
      ),
    );
  }
});

it('docs/judge/threat-model.md counts the ways to speak of a chosen value as they are', () => {
  const [forms, places, values] = [FORMS, PLACES, OPAQUE_VALUES].map((each) => Object.keys(each).length);
  expect(page('docs/judge/threat-model.md').replaceAll(/\s+/gu, ' ')).toContain(
    `${forms} forms of modules in ${places} places and ${values} values that nobody can look into`,
  );
});
