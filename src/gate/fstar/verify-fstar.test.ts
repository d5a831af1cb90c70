/** The gate over F*: every attack is rejected, every innocent twin accepted; on a real F*, else on a recording of one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { GatePolicy } from '../policy.ts';
import type { Verdict } from '../verdict.ts';
import { ATTACKS, TARGET } from './testing/attacks.ts';
import { NotRecorded, trustedFstarUnderTest } from './testing/fstar-under-test.ts';
import { verifyFstar } from './verify-fstar.ts';

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
  ])('%s is not judged, and says why', async (_, target, text, submission, message) => {
    const verdict = await verifyFstar(
      { path: join(folder, target), text },
      { path: join(folder, submission), text },
      { fstar },
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(message);
  });
});
