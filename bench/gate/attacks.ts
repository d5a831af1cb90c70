/**
 * Every attack of `src/gate/rocq/testing/attacks` and every honest submission beside them, judged by `coqc` or by the
 * Rocq inside Node; prints what is not as the files say, and counts by class.
 *
 *   npx node bench/gate/attacks.ts [--embedded] [--only TEXT] [--recheck] [--innocents-only]
 */
import { parseArgs } from 'node:util';
import { orNothing } from '../../src/core/entry.ts';
import { EmbeddedJudge } from '../../src/gate/rocq/backends/embedded-judge.ts';
import type { JudgeBackend } from '../../src/gate/rocq/backends/judge-backend.ts';
import { type GateCase, readAttacks, readInnocents } from '../../src/gate/rocq/testing/attack-files.ts';
import { answersOf, judgeCheat, judgeInnocent, lackingFor } from '../../src/gate/rocq/testing/judged-case.ts';
import type { Verdict } from '../../src/gate/verdict.ts';

const { values } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    recheck: { type: 'boolean', default: false },
    'innocents-only': { type: 'boolean', default: false },
  },
});
const backend: JudgeBackend | undefined = values.embedded ? new EmbeddedJudge() : undefined;
const chosen = (one: Pick<GateCase, 'group' | 'name' | 'embedded'>): boolean =>
  `${one.group}/${one.name}`.includes(values.only) && !(values.embedded && one.embedded === 'never');

interface Count {
  attacks: number;
  refused: number;
  otherwiseRefused: number;
  twins: number;
  accepted: number;
  untried: number;
}
const counts = new Map<string, Count>();
let wrong = 0;

for (const attack of values['innocents-only'] ? [] : readAttacks().filter(chosen)) {
  const count = countOf(attack.group);
  if (lackingFor(attack).length > 0) {
    count.untried += 1;
    continue;
  }
  count.attacks += 1;
  const cheat = await judgeCheat(rechecked(attack), backend);
  if (cheat.kind === 'accepted')
    report(
      attack,
      attack.open === undefined ? 'THE CHEAT IS ACCEPTED' : `a known hole: ${attack.open}`,
      cheat,
    );
  else {
    count.refused += 1;
    if (!answersOf(cheat).some((answer) => attack.expectation.includes(answer))) {
      count.otherwiseRefused += 1;
      report(attack, `the cheat is not ${attack.expectation.join(' or ')}`, cheat);
    }
  }
  await countInnocent(attack, count, ['accepted']);
}
for (const innocent of readInnocents().filter(chosen)) {
  const count = countOf(`honest: ${innocent.group}`);
  if (lackingFor(innocent).length > 0) count.untried += 1;
  else await countInnocent(innocent, count, innocent.expectation ?? ['accepted']);
}
console.table(Object.fromEntries(counts));
process.exitCode = wrong === 0 ? 0 : 1;

async function countInnocent(one: GateCase, count: Count, expected: readonly string[]): Promise<void> {
  count.twins += 1;
  const verdict = await judgeInnocent(rechecked(one), backend);
  if (verdict.kind === 'accepted') count.accepted += 1;
  if (!answersOf(verdict).some((answer) => expected.includes(answer)))
    report(one, `the innocent is not ${expected.join(' or ')}`, verdict);
}

function rechecked<One extends GateCase>(one: One): One {
  return values.recheck ? { ...one, policy: { ...one.policy, recheck: 'if-possible' as const } } : one;
}

function report(one: GateCase, what: string, verdict: Verdict): void {
  wrong += 1;
  const said =
    verdict.kind === 'rejected'
      ? verdict.findings
          .map(({ kind, subject, message }) => `${kind} ${orNothing(subject)}: ${message}`)
          .join(' | ')
      : verdict.kind === 'unknown'
        ? `unknown ${verdict.reason}: ${verdict.message}`
        : 'accepted';
  console.log(`${one.group}/${one.name}: ${what}: ${said}`);
}

function countOf(group: string): Count {
  let count = counts.get(group);
  if (count === undefined) {
    count = { attacks: 0, refused: 0, otherwiseRefused: 0, twins: 0, accepted: 0, untried: 0 };
    counts.set(group, count);
  }
  return count;
}
