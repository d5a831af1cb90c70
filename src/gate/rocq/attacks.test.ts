/** Every attack against a real prover: it is found to be what it is, and its innocent twin is accepted. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../process/sandbox.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';
import type { GatePolicy } from '../policy.ts';
import type { Verdict } from '../verdict.ts';
import { verify } from '../verify.ts';
import { ATTACKED, type Attack, type Need } from './testing/attack.ts';
import { ATTACKS, PASS_ROCQ_MCP } from './testing/attacks.ts';
import { coqc, installedLibrary } from './testing/installed-rocq.ts';

const NO_PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

const AVAILABLE: Record<Need, boolean> = {
  elpi: existsSync(join(installedLibrary, 'user-contrib/elpi')),
  // The interface that Rocq's generated code is compiled against; a package of its own in Debian.
  'native compiler': ['coq-core', 'rocq-runtime'].some((runtime) =>
    existsSync(join(installedLibrary, '..', runtime, 'kernel/nativevalues.cmi')),
  ),
  sandbox: (await findSandbox()) !== undefined,
};

function judge({ target, policy }: Attack, text: string, limits: GatePolicy['limits']): Promise<Verdict> {
  const under: GatePolicy = { recheck: 'never', ...policy, ...(limits && { limits }) };
  return verify(
    { path: 'Target.v', text: target },
    { path: 'Submission.v', text },
    { project: NO_PROJECT, policy: under },
  );
}

function answers(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'accepted':
      return ['accepted'];
    case 'rejected':
      return verdict.findings.map(({ kind }) => kind);
    case 'unknown':
      return [verdict.reason];
  }
}

describe.each(ATTACKED)('on %s', (attacked) => {
  for (const attack of ATTACKS.filter((each) => each.attacked === attacked)) {
    const lacking = (attack.needs ?? []).filter((need) => !AVAILABLE[need]);
    const title = lacking.length === 0 ? attack.name : `${attack.name} (needs ${lacking.join(' and ')})`;
    it.skipIf(coqc === undefined || lacking.length > 0)(title, async () => {
      expect(answers(await judge(attack, attack.cheat, attack.limits))).toContain(attack.expected);
      expect(answers(await judge(attack, attack.innocent, undefined))).toEqual(['accepted']);
    });
  }
});

it('attacks have names of their own, and those that pass another judge are among them', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...PASS_ROCQ_MCP].filter((name) => !names.includes(name))).toEqual([]);
});
