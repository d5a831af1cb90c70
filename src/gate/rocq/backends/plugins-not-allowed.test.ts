/** A submission loads the plugins that it has a right to and no others, in a sandbox and without one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../../process/sandbox.ts';
import { coqc, installedLibrary } from '../testing/installed-rocq.ts';
import type { CompileResult } from './judge-backend.ts';
import { NativeJudge } from './native-judge.ts';

const has = (library: string): boolean =>
  coqc !== undefined &&
  installedLibrary !== '' &&
  existsSync(join(installedLibrary, 'user-contrib', library));

const SANDBOXES = await Promise.all(
  (['bubblewrap', 'unshare'] as const).map(async (name) => ({ name, sandbox: await findSandbox([name]) })),
);

describe.each([...SANDBOXES, { name: 'no sandbox', sandbox: 'none' as const }])('$name', ({ sandbox }) => {
  const compile = (text: string, plugins?: readonly string[]): Promise<CompileResult> =>
    new NativeJudge(coqc ?? 'coqc', sandbox).compile({
      ...{ path: 'Plugins.v', moduleName: 'Plugins', text },
      project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
      limits: { timeoutMs: 120_000, memoryLimit: 4 * 1024 ** 3 },
      ...(plugins && { plugins }),
    });
  const withElpi = 'From elpi Require Import elpi.\n';

  it.skipIf(sandbox === undefined || !has('elpi'))(
    'Elpi, where it is allowed and where it is not',
    async () => {
      expect(await compile(withElpi)).toMatchObject({ status: 'compiled' });
      expect(await compile(withElpi, ['coq-elpi.elpi'])).toMatchObject({ status: 'compiled' });
      const refused = { status: 'failed', lacksPlugin: 'coq-elpi' };
      expect(await compile(withElpi, [])).toMatchObject(refused);
      expect(await compile(`Require Import Lia.\n${withElpi}`, ['coq-core'])).toMatchObject(refused);
    },
  );

  it.skipIf(sandbox === undefined || coqc === undefined)(
    'what the prover itself brings is always there',
    async () => {
      const text =
        'Require Import Lia Extraction Ltac2.Ltac2 ssreflect.\nLemma t : 1 = 1. Proof. reflexivity. Qed.\n';
      expect(await compile(text, [])).toMatchObject({ status: 'compiled' });
    },
  );
});
