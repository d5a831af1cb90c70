import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { verifyMany } from '../verify.ts';
import { installedLibrary } from './testing/installed-rocq.ts';

const TARGET = { path: 'T.v', text: 'Theorem t : 1 = 1. Admitted.\n' };
const PROVED = 'Theorem t : 1 = 1. Proof. reflexivity. Qed.\n';
const withPlugin = {
  path: 'E.v',
  text: `From Equations Require Import Equations.\n${PROVED}`,
};
/** The compiler to native code is another program. */
const native = { path: 'S.v', text: `Definition x := Eval native_compute in 1 + 1.\n${PROVED}` };

const areThere =
  findExecutable(['coqnative']) !== undefined && existsSync(join(installedLibrary, 'user-contrib/Equations'));

test.skipIf(!areThere)(
  'what a submission is answered does not depend on those before it',
  async () => {
    for (const submissions of [
      [withPlugin, native],
      [native, withPlugin],
    ]) {
      const kinds = new Map<string, string>();
      for await (const { submission, verdict } of verifyMany(TARGET, submissions))
        kinds.set(submission.path, verdict.kind);
      expect(kinds).toEqual(
        new Map([
          ['E.v', 'rejected'],
          ['S.v', 'accepted'],
        ]),
      );
    }
  },
  300_000,
);
