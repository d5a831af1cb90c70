/**
 * The gate over F*: every attack is rejected, every innocent twin accepted; on a real F*, else on a recording of
 * one.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { QuodError } from '../../core/errors.ts';
import type { GatePolicy } from '../policy.ts';
import type { Verdict } from '../verdict.ts';
import { ATTACKS, TARGET } from './testing/attacks.ts';
import { NotRecorded, trustedFstarUnderTest } from './testing/fstar-under-test.ts';
import type { FstarRun, TrustedFstar } from './trusted-fstar.ts';
import { prepareFstar, verifyFstar } from './verify-fstar.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-verify-fstar-'));
const fstar = await trustedFstarUnderTest();
beforeAll(() => writeFileSync(join(folder, 'Mine.fst'), TARGET));
afterAll(() => rmSync(folder, { recursive: true }));

const SLOW = 300_000;

/** Where there is no F*, what was not recorded is skipped, and says so. */
async function verify({ skip }: TestContext, submission: string, policy: GatePolicy = {}): Promise<Verdict> {
  try {
    return await verifyFstar(
      { path: join(folder, 'Mine.fst'), text: TARGET },
      { path: join(folder, 'submission', 'Mine.fst'), text: submission },
      { fstar, policy },
    );
  } catch (error) {
    if (error instanceof NotRecorded) skip('It was not recorded: set QUOD_FSTAR to a real F*.');
    throw error;
  }
}

const kinds = (verdict: Verdict): readonly string[] =>
  verdict.kind === 'rejected' ? verdict.findings.map(({ kind }) => kind) : [verdict.kind];

describe.each(ATTACKS)('$group: $name', ({ submission, expected, blind, twin }) => {
  it(
    'is rejected',
    async (context) => {
      const verdict = await verify(context, submission);
      expect(kinds(verdict), JSON.stringify(verdict)).toContain(expected);
    },
    SLOW,
  );

  it.skipIf(blind === undefined)(
    'is rejected by its effect when the policy lets the text pass (skipped where no policy does)',
    async (context) => {
      const verdict = await verify(context, submission, { commands: [...(blind?.commands ?? [])] });
      expect(kinds(verdict), JSON.stringify(verdict)).toEqual([blind?.expected]);
    },
    SLOW,
  );

  it(
    'has an innocent twin that is accepted',
    async (context) => {
      const verdict = await verify(context, twin);
      expect(kinds(verdict), JSON.stringify(verdict)).toEqual(['accepted']);
      if (verdict.kind !== 'accepted') return;
      expect(verdict.statements.map(({ name }) => name)).toEqual(['above', 'len_app']);
      expect(verdict.restsOn.warnings?.map(({ kind }) => kind)).toEqual(['no-kernel', 'statements-by-text']);
      for (const { asked, proved } of verdict.restsOn.solverQueries ?? []) expect(proved).toBe(asked);
      expect(verdict.restsOn.solverQueries?.map(({ asked }) => asked > 0)).toContain(true);
    },
    SLOW,
  );
});

describe('bad input', () => {
  it.each([
    ['another file', 'Mine.v', TARGET, 'Mine.fst', /no F\* file/],
    ['an interface as the submission', 'Mine.fst', TARGET, 'Mine.fsti', /no implementation/],
    ['a module of another name', 'Other.fst', TARGET, 'Other.fst', /does not begin with `module Other`/],
    ['bytes that are no text', 'Mine.fst', `${TARGET}(* \uFFFD *)`, 'Mine.fst', /not UTF-8/],
    [
      'nothing to be proved',
      'Mine.fst',
      'module Mine\nlet f (x:int) : int = x\n',
      'Mine.fst',
      /nothing open/,
    ],
    ['an interface that states nothing', 'Mine.fsti', 'module Mine\n', 'Mine.fst', /states nothing/],
  ])('%s is not judged, and says why', async (...[, target, text, submission, message]) => {
    const verdict = await verifyFstar(
      { path: join(folder, target), text },
      { path: join(folder, submission), text },
      { fstar },
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(message);
  });
});

const HONEST = ATTACKS[0]?.twin ?? '';
const target = { path: join(folder, 'Mine.fst'), text: TARGET };
const submitted = (text: string) => ({ path: 'submission/Mine.fst', text });

/** An F* that ends as it is told. */
function ending(run: Partial<FstarRun>): TrustedFstar {
  const ended = {
    isolation: 'bubblewrap',
    stopped: undefined,
    incidents: [],
    code: 0,
    said: '',
    logs: [],
  } as const;
  return {
    ...{ version: '0.9.7.0', solver: 'Z3' },
    run: () => Promise.resolve({ ...ended, ...run }),
    solve: () => Promise.resolve({ stopped: undefined, output: '' }),
  };
}

describe('what could not be looked at', () => {
  it.each([
    ['a killed F*', { code: 137 }, 'timeout', /processor time/],
    ['an F* that crashed', { code: 139 }, 'prover-crashed', /exit code 139/],
    ['an F* that was not heard of again', { code: undefined }, 'prover-crashed', /exit code unknown/],
    ['an F* that took too long', { stopped: 'timeout' as const }, 'timeout', /longer than the policy/],
    [
      'an F* that waits',
      { stopped: 'timeout' as const, stalled: 'nothing ran for 60 s: fstar (stopped)' },
      'timeout',
      /was stopped, or waited .*fstar \(stopped\)/,
    ],
    ['answers that are missing', { logs: ['(check-sat)'] }, 'protocol-error', /does not answer/],
  ])('%s gives no verdict on the submission', async (_, run, reason, message) => {
    const verdict = await verifyFstar(target, submitted(HONEST), { fstar: ending(run) });
    expect(verdict).toMatchObject({ kind: 'unknown', reason });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(message);
  });

  it.each<readonly [GatePolicy, RegExp]>([
    [{ theorems: ['len_app', 'len_ap'] }, /names len_ap; the target has no such .*Nearest: len_app/u],
    [{ definitionsMayChange: ['nothing_like_it'] }, /names nothing_like_it; the target has no such/u],
  ])('a policy that names what the target does not have (%j) is none', async (policy, message) => {
    const verdict = await verifyFstar(target, submitted(HONEST), { fstar: ending({}), policy });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(message);
  });

  it('a folder that cannot be read is no folder without modules', async () => {
    const nowhere = { path: join(folder, 'nowhere', 'Mine.fst'), text: TARGET };
    const verdict = await verifyFstar(nowhere, submitted(HONEST), { fstar: ending({}) });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'file-unreadable' });
  });

  it('a module that cannot be read is not left out', async () => {
    mkdirSync(join(folder, 'Broken.fst'));
    const text = `${HONEST}let other = Broken.x\n`;
    const verdict = await verifyFstar(target, submitted(text), { fstar: ending({}) });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'file-unreadable' });
  });
});

describe('several submissions', () => {
  it('each get a verdict, whatever becomes of the others', async () => {
    let runs = 0;
    const fstar = ending({});
    const prepared = prepareFstar(target, {
      fstar: {
        ...fstar,
        run: (request) => {
          runs += 1;
          if (runs === 1) return Promise.reject(new QuodError('no-sandbox', 'There is no sandbox.'));
          return fstar.run(request);
        },
      },
    });
    const texts = [HONEST, '', '(* nothing *)', HONEST];
    const verdicts = [];
    for (const text of texts) verdicts.push(await prepared.judge(submitted(text)));
    expect(verdicts.map((verdict) => (verdict.kind === 'unknown' ? verdict.reason : verdict.kind))).toEqual([
      'no-sandbox',
      'rejected',
      'rejected',
      'accepted',
    ]);
    expect(verdicts[1]).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ kind: 'missing' })]) as unknown,
    });
  });
});
