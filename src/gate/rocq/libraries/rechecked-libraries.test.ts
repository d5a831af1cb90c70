/** What the separate checker refuses of a target, or of its libraries, although no flag of a compiled file says anything. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import { verify } from '../../verify.ts';
import type { JudgeSettings } from '../judgement.ts';
import {
  type CompiledUnit,
  type JudgeBackend,
  type LibrariesToCheck,
  type RecheckAnswer,
  unknownAnswer,
} from '../backends/judge-backend.ts';
import { NativeJudge } from '../backends/native-judge.ts';
import { ReferenceCache } from '../reference-cache.ts';
import { coqc } from '../testing/installed-rocq.ts';
import { recheckedLibraries } from './rechecked-libraries.ts';

const hasTools = findExecutable(['coqchk', 'rocqchk']) !== undefined && (await findSandbox()) !== undefined;

let folder: string;
let cacheDirectory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-rechecked-test-'));
  cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-rechecked-cache-'));
});
afterEach(() => {
  for (const path of [folder, cacheDirectory]) rmSync(path, { recursive: true });
});

function compile(name: string, text: string, ...options: string[]): void {
  const path = join(folder, `${name}.v`);
  writeFileSync(path, text);
  execFileSync('coqc', ['-q', ...options, '-Q', folder, 'P', path]);
}

class CountingJudge extends NativeJudge {
  readonly asked: (readonly string[])[] = [];

  override recheckLibraries(request: LibrariesToCheck): Promise<RecheckAnswer> {
    this.asked.push(request.names);
    return super.recheckLibraries(request);
  }
}

interface Judged {
  readonly policy?: GatePolicy;
  readonly options?: readonly string[];
  readonly backend?: JudgeBackend;
}

async function judge(target: string, proof: string, { policy, options = [], backend }: Judged = {}) {
  const project: RocqProject = {
    ...{ root: folder, source: undefined, ocamlPath: [], arguments: options },
    loadPath: [{ flag: '-Q', physical: folder, logical: 'P' }],
  };
  const verdict = await verify(
    { path: join(folder, 'T.v'), text: target },
    { path: join(folder, 'S.v'), text: target.replace('Admitted.', `Proof. ${proof} Qed.`) },
    {
      ...{ project, policy: { recheck: 'always', ...policy }, cacheDirectory },
      ...(backend !== undefined && { backend }),
    },
  );
  switch (verdict.kind) {
    case 'accepted':
      return {
        assumptions: verdict.statements.flatMap(({ assumptions }) => assumptions),
        warnings: (verdict.restsOn.warnings ?? []).map(({ kind, message }) => `${kind}: ${message}`),
      };
    case 'rejected':
      return verdict.findings.map(({ kind }) => kind);
    case 'unknown':
      return verdict;
  }
}

/** A module type with a function that does not end; no flag says so. */
const UNGUARDED = `Module Type S. Parameter f : nat -> False. End S.
Unset Guard Checking.
Module Type S2 := S with Definition f := (fix loop (n : nat) : False := loop n).
Set Guard Checking.
`;
const BAD = `${UNGUARDED}Declare Module M : S2.\nTheorem bad : False. Proof. exact (M.f 0). Qed.\n`;
const BESIDES = 'Definition one := 1.\n';
const FALSE = 'From P Require Import Lib.\nTheorem t : False.\nAdmitted.\n';
const REFUSED =
  'P.Lib is refused by the separate checker (Type error: IllFormedRecBody): compile it with all checks on, and with the options of the project.';

describe.skipIf(coqc === undefined || !hasTools)('a library of the project that the checker refuses', () => {
  it('is named as what a proof rests on, with what to do', async () => {
    compile('Lib', BAD);
    const named = { assumptions: [REFUSED], warnings: [`unchecked: ${REFUSED}`] };
    expect(await judge(FALSE, 'exact bad.')).toEqual(named);
    expect(await judge(FALSE, 'exact bad.', { policy: { axioms: [] } })).toEqual(['checks-disabled']);
    expect(await judge(FALSE, 'exact bad.', { policy: { recheck: 'never' } })).toMatchObject({
      assumptions: [],
    });
  });

  it('is named where another library requires it; one that is right is not', async () => {
    compile('Lib', BAD);
    compile('Middle', `From P Require Export Lib.\n${BESIDES}`);
    const target = 'From P Require Import Middle.\nTheorem t : False.\nAdmitted.\n';
    expect(await judge(target, 'exact bad.')).toMatchObject({ assumptions: [REFUSED] });
    compile('Alone', BESIDES);
    const alone = 'From P Require Import Alone.\nTheorem t : one = 1.\nAdmitted.\n';
    expect(await judge(alone, 'reflexivity.')).toEqual({ assumptions: [], warnings: [] });
  });

  it('is one that was compiled without -indices-matter where the project has it', async () => {
    compile('Lib', 'Inductive J : Type -> Set := j : J nat.\n');
    const target = 'From P Require Import Lib.\nTheorem t : 1 = 1.\nAdmitted.\n';
    const judged = (options: readonly string[]) => judge(target, 'reflexivity.', { options });
    expect(await judged([])).toEqual({ assumptions: [], warnings: [] });
    const named = expect.stringMatching(
      /^P\.Lib is refused .*with the options of the project\.$/u,
    ) as unknown;
    expect(await judged(['-indices-matter'])).toMatchObject({ assumptions: [named] });
  });

  it('is none in which Set is impredicative, as its flags say', async () => {
    compile('Lib', 'Inductive some : Set := mk (A : Set) (a : A).\n', '-impredicative-set');
    const target = 'From P Require Import Lib.\nTheorem t : 1 = 1.\nAdmitted.\n';
    expect(await judge(target, 'reflexivity.')).toEqual({ assumptions: [], warnings: [] });
  });

  it('is looked at once: then only what was compiled otherwise', async () => {
    compile('Lib', BESIDES);
    compile('Middle', 'From P Require Export Lib.\nDefinition two := one + one.\n');
    compile('Other', 'Definition other := 1.\n');
    const backend = new CountingJudge(coqc ?? '');
    const target = 'From P Require Import Middle Other.\nTheorem t : two = 2.\nAdmitted.\n';
    const judged = () => judge(target, 'reflexivity.', { backend });
    expect(await judged()).toEqual({ assumptions: [], warnings: [] });
    expect(backend.asked.flat().toSorted()).toEqual(['P.Lib', 'P.Middle', 'P.Other']);
    backend.asked.length = 0;
    expect(await judged()).toEqual({ assumptions: [], warnings: [] });
    expect(backend.asked).toEqual([]);
    compile('Lib', `${BESIDES}Definition three := 3.\n`);
    compile('Middle', 'From P Require Export Lib.\nDefinition two := one + one.\n');
    expect(await judged()).toEqual({ assumptions: [], warnings: [] });
    expect(backend.asked.flat().toSorted()).toEqual(['P.Lib', 'P.Middle']);
  });
});

it.skipIf(coqc === undefined || !hasTools)(
  'a library that the checker did not finish is told, and nothing rests on it where a check is always asked for',
  async () => {
    compile('Lib', BESIDES);
    class SlowJudge extends NativeJudge {
      override recheckLibraries(): Promise<RecheckAnswer> {
        return Promise.resolve(unknownAnswer('timeout', 'It took too long.'));
      }
    }
    const target = 'From P Require Import Lib.\nTheorem t : one = 1.\nAdmitted.\n';
    const judged = (policy: GatePolicy) =>
      judge(target, 'reflexivity.', { policy, backend: new SlowJudge(coqc ?? '') });
    const told = expect.stringContaining('did not check P.Lib, ') as unknown;
    expect(await judged({})).toMatchObject({ kind: 'unknown', reason: 'timeout', message: told });
    expect(await judged({ recheck: undefined })).toEqual({ assumptions: [], warnings: [told] });
  },
);

describe.skipIf(coqc === undefined || !hasTools)('a target that the checker refuses itself', () => {
  const target = `${UNGUARDED}Theorem t : 1 = 1.\nAdmitted.\n`;

  it('is what the verdict tells, and not the submission', async () => {
    expect(await judge(target, 'reflexivity.')).toMatchObject({
      ...{ kind: 'unknown', reason: 'unsupported' },
      message: expect.stringContaining('refuses the target itself') as unknown,
    });
  });

  it('is named where a second check is made only if possible', async () => {
    const judged = (policy: GatePolicy) =>
      judge(target, 'reflexivity.', { policy: { ...policy, recheck: 'if-possible' } });
    expect(await judged({})).toMatchObject({
      assumptions: [expect.stringMatching(/^The target is refused .*IllFormedRecBody/u)],
      warnings: [
        expect.stringMatching(/^not-rechecked: /u),
        expect.stringMatching(/^unconfirmed: Something without a name/u),
        expect.stringMatching(/^unconfirmed: .*f recurs/u),
        expect.stringMatching(/^unchecked: /u),
      ],
    });
    expect(await judged({ axioms: [] })).toEqual(['checks-disabled']);
  });

  it('is perhaps one that the checker did not finish: nobody knows whose fault a refusal is', async () => {
    class LateJudge extends NativeJudge {
      override async unitOf(...of: Parameters<NativeJudge['unitOf']>): Promise<CompiledUnit> {
        const unit = await super.unitOf(...of);
        const isSubmission = of[0].text.includes('Qed.');
        if (isSubmission) return unit;
        return { ...unit, recheck: () => Promise.resolve(unknownAnswer('timeout', 'It took too long.')) };
      }
    }
    for (const recheck of ['always', 'if-possible'] as const)
      expect(
        await judge(target, 'reflexivity.', { policy: { recheck }, backend: new LateJudge(coqc ?? '') }),
      ).toMatchObject({
        ...{ kind: 'unknown', reason: 'timeout' },
        message: expect.stringMatching(/refuses the submission, and did not finish .* too long/u) as unknown,
      });
  });
});

describe('answers about libraries', () => {
  const NAMES = ['P.A', 'P.B', 'P.C', 'P.D', 'P.E', 'P.F', 'P.G'];
  const foreign = new Map(NAMES.map((name) => [name, Buffer.from(name)]));
  const TOO_LONG = unknownAnswer('timeout', 'It took too long.');

  /** @param answers of single libraries that are not accepted. */
  async function recheck(
    answers: ReadonlyMap<string, RecheckAnswer>,
    { isolation = 'bubblewrap', time = 600_000 }: { isolation?: 'bubblewrap' | 'none'; time?: number } = {},
  ) {
    const asked: (readonly string[])[] = [];
    const backend = {
      name: 'coqc',
      version: () => Promise.resolve('8.16.1'),
      isolation: () => Promise.resolve(isolation),
      recheckLibraries: ({ names }: LibrariesToCheck): Promise<RecheckAnswer> => {
        asked.push(names);
        const [first] = names.flatMap((name) => answers.get(name) ?? []);
        return Promise.resolve(first ?? { status: 'accepted', by: 'coqchk 8.16.1' });
      },
    } as unknown as JudgeBackend;
    const settings: JudgeSettings = {
      backend,
      project: { root: folder, source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
      policy: { limits: { time } },
      references: new ReferenceCache(cacheDirectory, backend),
    };
    const room = vi.spyOn(ReferenceCache.prototype, 'makeRoom');
    const { unchecked, warnings, reason } = await recheckedLibraries(
      { foreign: () => Promise.resolve(foreign) },
      settings,
    );
    // All that is kept is looked at for what must go: not for each library.
    expect(room.mock.calls.length).toBe(asked.length === 0 ? 0 : 1);
    room.mockRestore();
    const warned = warnings.map(({ kind, message }) => `${kind}: ${message}`);
    return { asked, unchecked, warned, ...(reason !== undefined && { reason }) };
  }

  it('come from few runs where all are right, and name what is not, alone', async () => {
    expect(await recheck(new Map())).toEqual({
      asked: [['P.A'], ['P.B', 'P.C'], ['P.D', 'P.E', 'P.F', 'P.G']],
      ...{ unchecked: [], warned: [] },
    });
  });

  it('that refuse are kept like those that accept', async () => {
    const wrong = new Map([['P.E', { status: 'refused', message: 'Type error: no' } as const]]);
    const first = await recheck(wrong);
    expect(first.unchecked).toEqual([expect.stringMatching(/^P\.E is refused .*\(Type error: no\)/u)]);
    expect(await recheck(new Map())).toEqual({ ...first, asked: [] });
  });

  it('that took too long are never taken for accepted, and asked for again with more time', async () => {
    const slow = new Map([['P.A', TOO_LONG]]);
    const warned = [expect.stringMatching(/^not-rechecked: .*P\.A, .*too long/u)];
    expect(await recheck(slow)).toMatchObject({ unchecked: [], warned, reason: 'timeout' });
    expect(await recheck(slow)).toMatchObject({ asked: [], unchecked: [], warned, reason: 'timeout' });
    expect(await recheck(new Map(), { time: 1_200_000 })).toMatchObject({ asked: [['P.A']], warned: [] });
  });

  it('that took too long are asked for again after an hour: the machine may have been busy', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await recheck(new Map([['P.A', TOO_LONG]]));
      expect(await recheck(new Map())).toMatchObject({ asked: [], reason: 'timeout' });
      vi.advanceTimersByTime(3_600_001);
      expect(await recheck(new Map())).toEqual({ asked: [['P.A']], unchecked: [], warned: [] });
    } finally {
      vi.useRealTimers();
    }
  });

  it('are not kept where they had less than all of the time', async () => {
    const slow = new Map([['P.C', TOO_LONG]]);
    const warned = [expect.stringContaining('P.C')];
    expect(await recheck(slow)).toMatchObject({ warned });
    expect(await recheck(new Map())).toMatchObject({ asked: [['P.C']], warned: [] });
  });

  it('that are missing are told together', async () => {
    const warned = [expect.stringMatching(/^not-rechecked: .* P\.A, P\.B, P\.C, P\.D, P\.E and 2 others, /u)];
    const crashed: RecheckAnswer = unknownAnswer('prover-crashed', 'It died.');
    expect(await recheck(new Map(NAMES.map((name) => [name, crashed])))).toMatchObject({ warned });
  });

  it('are neither kept nor taken where there is no sandbox', async () => {
    await recheck(new Map());
    const again = await recheck(new Map(), { isolation: 'none' });
    expect(again.asked.flat()).toEqual(NAMES);
  });
});
