/** What the gate says of a case, and whether this machine can try it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findSandbox } from '../../../process/sandbox.ts';
import type { RocqProject } from '../../../provers/rocq/project.ts';
import type { GatePolicy } from '../../policy.ts';
import type { Verdict } from '../../verdict.ts';
import { verify } from '../../verify.ts';
import type { JudgeBackend } from '../provers/judge-backend.ts';
import type { Attack, GateCase, Need } from './attack-files.ts';
import { installedLibrary } from './installed-rocq.ts';

const NO_PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

const contributed = (folder: string): boolean =>
  installedLibrary !== '' && existsSync(join(installedLibrary, 'user-contrib', folder));

const AVAILABLE: Record<Need, boolean> = {
  elpi: contributed('elpi'),
  equations: contributed('Equations'),
  ssreflect: contributed('mathcomp/ssreflect'),
  stdpp: contributed('stdpp'),
  'ext-lib': contributed('ExtLib'),
  mtac2: contributed('Mtac2'),
  // The interface that Rocq's generated code is compiled against; a package of its own in Debian.
  'native compiler': ['coq-core', 'rocq-runtime'].some((runtime) =>
    existsSync(join(installedLibrary, '..', runtime, 'kernel/nativevalues.cmi')),
  ),
  sandbox: (await findSandbox()) !== undefined,
};

export function lackingFor({ needs }: Pick<GateCase, 'needs'>): readonly Need[] {
  return needs.filter((need) => !AVAILABLE[need]);
}

/** @param backend default: the installed compiler. */
export function judgeCheat(attack: Attack, backend?: JudgeBackend): Promise<Verdict> {
  return judge(attack, { target: attack.target, text: attack.cheat, limits: attack.limits, backend });
}

export function judgeInnocent(one: GateCase, backend?: JudgeBackend): Promise<Verdict> {
  return judge(one, { target: one['innocent target'] ?? one.target, text: one.innocent, backend });
}

function judge(
  { policy }: GateCase,
  {
    target,
    text,
    limits,
    backend,
  }: {
    readonly target: string;
    readonly text: string;
    readonly limits?: GatePolicy['limits'];
    readonly backend: JudgeBackend | undefined;
  },
): Promise<Verdict> {
  const under: GatePolicy = { recheck: 'never', ...policy, ...(limits && { limits }) };
  return verify(
    { path: 'Target.v', text: target },
    { path: 'Submission.v', text },
    { project: NO_PROJECT, policy: under, ...(backend && { backend }) },
  );
}

/** In words in which a case states its expectation. */
export function answersOf(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'accepted':
      return ['accepted'];
    case 'rejected':
      return verdict.findings.map(({ kind }) => kind);
    case 'unknown':
      return [verdict.reason];
  }
}
