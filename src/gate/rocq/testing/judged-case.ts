/** What the gate says of a case, and whether this machine can try it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import type { Verdict } from '../../verdict.ts';
import { verify } from '../../verify.ts';
import type { JudgeBackend } from '../backends/judge-backend.ts';
import type { Attack, GateCase, Need } from './attack-files.ts';
import { installedLibrary, installedRelease } from './installed-rocq.ts';

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
  coqchk: findExecutable(['coqchk', 'rocqchk']) !== undefined,
  'Rocq 9.2': installedRelease >= 902,
};

export function lackingFor({ needs }: Pick<GateCase, 'needs'>): readonly Need[] {
  return needs.filter((need) => !AVAILABLE[need]);
}

/** @param backend default: the installed compiler. */
export function judgeCheat(attack: Attack, backend?: JudgeBackend): Promise<Verdict> {
  const { target, cheat, limits, library } = attack;
  return judge(attack, { target, text: cheat, library, limits, backend });
}

export function judgeInnocent(one: GateCase, backend?: JudgeBackend): Promise<Verdict> {
  const { target, 'innocent target': ownTarget = target, 'innocent library': library, innocent } = one;
  return judge(one, { target: ownTarget, text: innocent, library, backend });
}

interface Sent {
  readonly target: string;
  readonly text: string;
  readonly library: string | undefined;
  readonly limits?: GatePolicy['limits'];
  readonly backend: JudgeBackend | undefined;
}

async function judge({ policy }: GateCase, sent: Sent): Promise<Verdict> {
  const { target, text, library, limits, backend } = sent;
  const under: GatePolicy = { recheck: 'never', ...policy, ...(limits && { limits }) };
  const folder = library === undefined ? undefined : compiledLibrary(library);
  const project = folder === undefined ? NO_PROJECT : projectIn(folder);
  try {
    return await verify(
      { path: 'Target.v', text: target },
      { path: 'Submission.v', text },
      { project, policy: under, ...(backend && { backend }) },
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

/** The folder in which it is compiled as `P.Lib`. */
function compiledLibrary(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'quod-attack-'));
  const path = join(folder, 'Lib.v');
  writeFileSync(path, text);
  execFileSync('coqc', ['-q', '-Q', folder, 'P', path]);
  return folder;
}

function projectIn(folder: string): RocqProject {
  return { ...NO_PROJECT, root: folder, loadPath: [{ flag: '-Q', physical: folder, logical: 'P' }] };
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
