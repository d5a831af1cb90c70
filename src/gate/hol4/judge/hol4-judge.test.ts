/**
 * The gate over HOL4, but for the attacks (../attacks.test.ts): bad input, no replay, nothing to look at, the
 * sandbox.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { GatePolicy } from '../../policy.ts';
import type { SourceText, Verdict } from '../../verdict.ts';
import { readScriptAttacks } from '../testing/attack-files.ts';
import { ALLOWED_FOR_THE_SCAN } from '../testing/judged-attack.ts';
import { recordedHol, tracingHolUnderTest } from '../testing/hol-under-test.ts';
import { recordedInstallation } from '../testing/recorded-installation.ts';
import type { BuildRequest } from '../theory/theory-build.ts';
import { Hol4Judge } from './hol4-judge.ts';
import { MOST_FILES } from '../theory/project-files.ts';
import { verify as verifyFiles } from '../../verify.ts';

const attackNamed = (name: string) => {
  const found = readScriptAttacks().find((attack) => attack.name === name);
  if (found === undefined) throw new Error(`There is no attack ${name}.`);
  return found;
};
const { target: TARGET, innocent: HONEST } = attackNamed('a-hypothesis-more-in-the-statement');
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

  it.each([{ theorems: ['nothing'] }, { definitionsMayChange: ['nothing'] }])(
    'a policy that names what the target does not have (%j) is none',
    async (policy) => {
      expect(await verify(TARGET, policy)).toMatchObject({
        ...{ kind: 'unknown', reason: 'invalid-input' },
        message: expect.stringContaining('The policy names nothing; the target has no such') as unknown,
      });
    },
  );
});

describe('without a HOL4 that exports its proofs', () => {
  const { cheat: cheated } = attackNamed('an-oracle-with-a-harmless-name');
  const byHolmake = async (submission: string, policy: GatePolicy = {}): Promise<Verdict> => {
    const hols = { ordinary: recordedHol(), tracing: undefined };
    const target = { path: join(folder, 'mineScript.sml'), text: TARGET };
    const prepared = await new Hol4Judge({ hols }).prepare(target, { policy });
    return prepared.judge({ path: join(folder, 'submission', 'mineScript.sml'), text: submission });
  };

  it('what Holmake is content with is not accepted, and the remedies are told', async () => {
    const verdict = await byHolmake(HONEST);
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'not-replayed' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(/QUOD_HOL4_TRACING.*settleFor/);
  });

  it('what it is not content with is rejected', async () => {
    const commands = [...ALLOWED_FOR_THE_SCAN];
    expect(kinds(await byHolmake(cheated, { commands }))).toContain('admitted');
    expect(kinds(await byHolmake(cheated, { commands, settleFor: ['holmake'] }))).toContain('admitted');
  });

  it('a policy may settle for Holmake, and the verdict says so', async () => {
    const verdict = await byHolmake(HONEST, { settleFor: ['holmake'] });
    expect(verdict).toMatchObject({
      kind: 'accepted',
      restsOn: { backend: 'holmake', warnings: [{ kind: 'not-independently-replayed' }] },
    });
  });

  it('a policy that asks for the replay does not settle', async () => {
    const verdict = await byHolmake(HONEST, { settleFor: ['holmake'], recheck: 'always' });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'not-replayed' });
  });

  it('a policy that asks for no replay gets no acceptance for it', async () => {
    expect(await verify(HONEST, { recheck: 'never' })).toMatchObject({
      kind: 'unknown',
      reason: 'prover-missing',
    });
    expect(await byHolmake(HONEST, { recheck: 'never' })).toMatchObject({
      kind: 'unknown',
      reason: 'not-replayed',
    });
  });
});

describe('a judge that cannot look says unknown', () => {
  const judgeIn = async (target: string, hol = tracingHol): Promise<Verdict> => {
    const hols = { ordinary: undefined, tracing: hol };
    const prepared = await new Hol4Judge({ hols }).prepare({ path: target, text: TARGET }, {});
    return prepared.judge({
      path: join(folder, 'submission', 'mineScript.sml'),
      text: HONEST,
    });
  };

  it('a folder that is not there', async () => {
    expect(await judgeIn(join(folder, 'nowhere', 'mineScript.sml'))).toMatchObject({
      kind: 'unknown',
      reason: 'file-unreadable',
    });
  });

  it('a neighbour that cannot be read', async () => {
    const beside = mkdtempSync(join(folder, 'dangling-'));
    symlinkSync(join(beside, 'gone.sml'), join(beside, 'helperLib.sml'));
    expect(await judgeIn(join(beside, 'mineScript.sml'))).toMatchObject({
      kind: 'unknown',
      reason: 'file-unreadable',
    });
  });

  it('more neighbours than it looks at', async () => {
    const beside = mkdtempSync(join(folder, 'many-'));
    for (let at = 0; at <= MOST_FILES; at += 1) writeFileSync(join(beside, `l${at}.sml`), '');
    expect(await judgeIn(join(beside, 'mineScript.sml'))).toMatchObject({
      kind: 'unknown',
      reason: 'too-large',
    });
  });

  it('a Holmake that was killed', async () => {
    const killed = {
      ...tracingHol,
      build: async (request: BuildRequest) => ({
        ...(await tracingHol.build(request)),
        ...(request.files.get('mineScript.sml') !== TARGET && { code: undefined, theories: new Map() }),
      }),
    };
    expect(await judgeIn(join(folder, 'mineScript.sml'), killed)).toMatchObject({
      kind: 'unknown',
      reason: 'prover-crashed',
    });
  });

  it('data of the target that are none', async () => {
    const damaged = {
      ...tracingHol,
      build: async (request: BuildRequest) => {
        const build = await tracingHol.build(request);
        const files = build.theories.get('mine');
        if (files === undefined) throw new Error('The recording has no theory.');
        return { ...build, theories: new Map([['mine', { ...files, data: Buffer.from('(theory') }]]) };
      },
    };
    expect(await judgeIn(join(folder, 'mineScript.sml'), damaged)).toMatchObject({
      kind: 'unknown',
      reason: 'protocol-error',
    });
  });
});

describe('through the command line’s own way, in the sandbox', () => {
  const judged = async (exportsProofs: boolean, policy: GatePolicy = {}): Promise<Verdict> => {
    const installation = recordedInstallation(exportsProofs, [TARGET, HONEST]);
    vi.stubEnv('QUOD_HOL4', installation.folder);
    vi.stubEnv('QUOD_HOL4_TRACING', exportsProofs ? installation.folder : '');
    try {
      return await verifyFiles(
        { path: join(folder, 'mineScript.sml'), text: TARGET },
        { path: join(folder, 'submission', 'mineScript.sml'), text: HONEST },
        { policy },
      );
    } finally {
      vi.unstubAllEnvs();
      installation.remove();
    }
  };

  it(
    'accepts what it replayed',
    async () => {
      const verdict = await judged(true);
      expect(kinds(verdict), JSON.stringify(verdict)).toEqual(['accepted']);
      expect(verdict.kind === 'accepted' && verdict.restsOn.backend).toBe('holmake, replayed');
    },
    SLOW,
  );

  it(
    'does not accept what nobody replayed, unless the policy settles',
    async () => {
      expect(await judged(false)).toMatchObject({ kind: 'unknown', reason: 'not-replayed' });
      expect(kinds(await judged(false, { settleFor: ['holmake'] }))).toEqual(['accepted']);
    },
    SLOW,
  );
});
