import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROVIDERS } from './models/providers.ts';
import { settingsTable } from './settings-table.ts';
import {
  ROLES,
  SETTING_NAMES,
  flagOf,
  mergeSettings,
  settingOfText,
  settingsOfEnvironment,
  settingsWritten,
  variableOf,
} from './settings.ts';

test('the numbers that the workflow was published with are the defaults', () => {
  expect(mergeSettings()).toMatchObject({
    planning: 'direct',
    debateRounds: 2,
    plans: 4,
    plansExecuted: 2,
    toolCallsPerPlan: 20,
    failuresBeforeCritic: null,
    examples: 7,
    samples: 12,
    searchFirst: true,
  });
});

test('file, environment and command line, the last one that says something winning', () => {
  const environment = settingsOfEnvironment({
    QUOD_AGENT_PLANS: '3',
    QUOD_AGENT_MODEL: 'ollama/a',
    OTHER: '1',
  });
  const settings = mergeSettings({ plans: 2, samples: 5 }, environment, {
    model: 'ollama/b',
    plans: undefined,
  });
  expect(settings).toMatchObject({ plans: 3, samples: 5, model: 'ollama/b' });
});

test('every setting can be written on the command line, in the environment and, as the table names it, in a file', () => {
  for (const name of SETTING_NAMES) {
    expect(settingOfText(`${flagOf(name)}=1`)).toEqual({ [name]: 1 });
    expect(settingsOfEnvironment({ [variableOf(name)]: 'text' })).toEqual({ [name]: 'text' });
    for (const spelling of [name, flagOf(name)])
      expect(settingsWritten({ [spelling]: 'text' })).toEqual({ [name]: 'text' });
  }
});

test.each([{ plans: 0 }, { plans: 'many' }, { nonsense: 1 }, { models: { cook: 'a/b' } }, { maxCost: -1 }])(
  'what makes no sense is refused and named: %j',
  (wrong) => {
    expect(() => mergeSettings(wrong)).toThrow(/settings of the agent are wrong/u);
  },
);

test.each(['plans', '=3', 'plan=3'])('%j is no setting', (text) => {
  expect(() => settingOfText(text)).toThrow(/no setting/u);
});

test.each([
  ['alowOpen', 'allow-open'],
  ['driver-comand', 'driver-command'],
])('%s is refused with the nearest one that there is', (written, nearest) => {
  const refusal = `There is no setting "${written}" (did you mean ${nearest}?).`;
  expect(() => settingsWritten({ [written]: 1 })).toThrow(refusal);
  expect(() => settingOfText(`${written}=1`)).toThrow(refusal);
});

const guide = readFileSync(new URL('../../docs/agents/agent.md', import.meta.url), 'utf8');

test('docs/agents/agent.md has the table of settings as it is', () => {
  expect(/<!-- settings -->\n([\s\S]*)\n<!-- \/settings -->/u.exec(guide)?.[1]).toBe(settingsTable());
  expect(settingsTable()).not.toMatch(/\| {2}\|$/mu);
});

test('docs/agents/agent.md names every provider and where its key is', () => {
  for (const { name, keyVariable } of PROVIDERS) {
    const row = guide.split('\n').find((line) => line.startsWith('| `') && line.includes(`\`${name}/…\``));
    expect(row, name).toBeDefined();
    if (keyVariable !== null) expect(row).toContain(keyVariable);
  }
});

test.each(['jobs', 'plans', 'samples', 'retries', 'debateRounds'])(
  'of %s there are no more than a machine can begin at once',
  (name) => {
    expect(() => mergeSettings({ [name]: 4_000_000_000 })).toThrow(name);
    expect(mergeSettings({ [name]: 100 })).toMatchObject({ [name]: 100 });
  },
);

test('what the pages on the agent set can be set, and they list the roles', () => {
  const page = readFileSync(new URL('../../docs/agents/agent.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/--set (?:'([^']+)'|([\w-]+=[^\s`).,]+))/gu)];
  const shown = examples.map(([, quoted, plain]) => (quoted ?? plain ?? '').replace(/=N$/u, '=3'));
  expect(shown.length).toBeGreaterThan(4);
  for (const text of shown) expect(() => mergeSettings(settingOfText(text)), text).not.toThrow();
  for (const role of ROLES) expect(page).toContain(`\`${role}\``);
});
