/** The gate over HOL4: every attack is rejected by the layers behind the scan of the text, every innocent twin accepted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatePolicy } from '../policy.ts';
import type { SourceText, Verdict } from '../verdict.ts';
import { scanScript } from './script-scan.ts';
import { ALLOWED_FOR_THE_SCAN, ATTACKS, TARGET } from './testing/attacks.ts';
import { tracingHolUnderTest } from './testing/hol-under-test.ts';
import { Hol4Judge } from './hol4-judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-verify-hol4-'));
const tracingHol = tracingHolUnderTest();
beforeAll(() => writeFileSync(join(folder, 'mineScript.sml'), TARGET));
afterAll(() => rmSync(folder, { recursive: true }));

const SLOW = 300_000;

function verify(submission: string, policy: GatePolicy = {}, target = TARGET): Promise<Verdict> {
  return judge(
    { path: join(folder, 'mineScript.sml'), text: target },
    { path: join(folder, 'submission', 'mineScript.sml'), text: submission },
    policy,
  );
}

async function judge(target: SourceText, submission: SourceText, policy: GatePolicy = {}): Promise<Verdict> {
  const hols = { ordinary: undefined, tracing: tracingHol };
  const prepared = await new Hol4Judge({ hols, replayCache: folder }).prepare(target, { policy });
  return prepared.judge(submission);
}

const kinds = (verdict: Verdict): readonly string[] =>
  verdict.kind === 'rejected' ? verdict.findings.map(({ kind }) => kind) : [verdict.kind];

describe.each(ATTACKS)('$group: $name', ({ submission, expected, scanned, twin }) => {
  it(
    'is rejected, also when the scan of the text sees nothing',
    async () => {
      const verdict = await verify(submission, { commands: [...ALLOWED_FOR_THE_SCAN] });
      if (expected === 'unknown') expect(verdict.kind).toBe('unknown');
      else {
        expect(verdict.kind).toBe('rejected');
        expect(
          kinds(verdict).filter((kind) => expected.some((one) => one === kind)),
          JSON.stringify(verdict),
        ).not.toEqual([]);
      }
    },
    SLOW,
  );

  it('is told by the scan of the text, where it names what it uses', () => {
    const found = scanScript({ path: 'mineScript.sml', text: submission }).map(({ kind }) => kind);
    if (scanned === undefined) expect(found).toEqual([]);
    else expect(found).toContain(scanned);
  });

  it(
    'has an innocent twin that is accepted',
    async () => {
      const verdict = await verify(twin);
      expect(kinds(verdict), JSON.stringify(verdict)).toEqual(['accepted']);
      if (verdict.kind !== 'accepted') return;
      expect(verdict.statements.map(({ name }) => name)).toEqual(['swap', 'safe_only']);
      expect(verdict.restsOn.warnings).toBeUndefined();
    },
    SLOW,
  );
});

describe('bad input', () => {
  const judged = (target: string, text: string, submission = target): Promise<Verdict> =>
    judge({ path: join(folder, target), text }, { path: join(folder, submission), text });

  it.each([
    ['a library', 'mine.sml', 'val x = 1\n', /no HOL4 script/],
    ['a script of another theory', 'otherScript.sml', TARGET, /script of mine/],
    ['no name of a theory', '1Script.sml', TARGET, /no name of a theory/],
    ['bytes that are no text', 'mineScript.sml', `${TARGET}(* \uFFFD *)`, /not UTF-8/],
    ['a proof without an end', 'mineScript.sml', TARGET.replaceAll('QED', ''), /cannot be read/],
  ])('%s is no target, and says why', async (_, name, text, message) => {
    const verdict = await judged(name, text);
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(message);
  });

  it('a policy that names what the target does not have is none', async () => {
    expect(await verify(TARGET, { theorems: ['nothing'] })).toMatchObject({
      kind: 'unknown',
      reason: 'invalid-input',
    });
  });
});
