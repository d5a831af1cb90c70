/**
 * Every attack on the judge of HOL4 and on its replay is found to be what it is, and its innocent twin is accepted.
 * The scripts are judged by the layers behind the scan of the text, which is blinded.
 */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { scanScript } from './judge/script-scan.ts';
import { readScriptAttacks, readTraceAttacks } from './testing/attack-files.ts';
import { ScriptJudging, TraceJudging } from './testing/judged-attack.ts';

const SCRIPTS = readScriptAttacks();
const TRACES = readTraceAttacks();
const scripts = new ScriptJudging();
const traces = new TraceJudging();
afterAll(() => {
  for (const { folder } of [scripts, traces]) rmSync(folder, { recursive: true });
});

const SLOW = 300_000;

const groupsOf = (attacks: readonly { readonly group: string }[]): string[] => [
  ...new Set(attacks.map(({ group }) => group)),
];

/** The answers themselves when one of them is expected. */
function expectedOf(expectation: readonly string[], answers: readonly string[]): readonly string[] {
  return answers.some((answer) => expectation.includes(answer)) ? answers : expectation;
}

describe.each(groupsOf(SCRIPTS))('scripts: %s', (group) => {
  it.each(SCRIPTS.filter((attack) => attack.group === group))(
    '$name',
    async (attack) => {
      const innocent = await scripts.judgeInnocent(attack);
      expect(innocent.kind, JSON.stringify(innocent)).toBe('accepted');
      if (innocent.kind === 'accepted') expect(innocent.restsOn.warnings).toBeUndefined();

      const verdict = await scripts.judgeCheat(attack);
      const answers =
        verdict.kind === 'rejected'
          ? verdict.findings.map(({ kind }) => kind)
          : [verdict.kind === 'unknown' ? verdict.reason : verdict.kind];
      expect(answers, JSON.stringify(verdict)).toEqual(expectedOf(attack.expectation, answers));

      const unreplayed = await scripts.judgeWithoutReplay(attack);
      expect(unreplayed.kind).not.toBe('accepted');

      const scanned = scanScript({ path: 'mineScript.sml', text: attack.cheat }).map(({ kind }) => kind);
      if (attack.scanned === undefined) expect(scanned).toEqual([]);
      else expect(scanned).toContain(attack.scanned);
    },
    SLOW,
  );
});

describe.each(groupsOf(TRACES))('traces: %s', (group) => {
  it.each(TRACES.filter((attack) => attack.group === group))('$name', async (attack) => {
    const innocent = await traces.judgeInnocent(attack);
    expect(innocent.kind, JSON.stringify(innocent)).toBe('accepted');

    const verdict = await traces.judgeCheat(attack);
    const answers =
      verdict.kind === 'rejected'
        ? verdict.findings.map(({ code }) => code)
        : [verdict.kind === 'unknown' ? verdict.reason : verdict.kind];
    expect(answers, JSON.stringify(verdict)).toEqual(expectedOf(attack.expectation, answers));
  });
});

it('attacks have names of their own, and differ from their twins', () => {
  for (const attacks of [SCRIPTS, TRACES]) {
    const names = attacks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
  expect(SCRIPTS.filter(({ cheat, innocent }) => cheat === innocent)).toEqual([]);
  expect(TRACES.filter((one) => one.cheat === one.innocent && !('innocent below' in one))).toEqual([]);
});

it('docs/judge/gate-hol4.md counts them as they are', () => {
  const page = readFileSync(new URL('../../../docs/judge/gate-hol4.md', import.meta.url), 'utf8');
  for (const [kind, attacks] of [
    ['scripts', SCRIPTS],
    ['traces', TRACES],
  ] as const) {
    for (const group of groupsOf(attacks)) {
      const { length } = attacks.filter((attack) => attack.group === group);
      expect(page).toMatch(
        new RegExp(`^\\| ${kind} \\| ${group.replaceAll('-', ' ')} \\|.*\\| ${length} \\|$`, 'm'),
      );
    }
    expect(page).toContain(`${attacks.length} ${kind}`);
  }
});
