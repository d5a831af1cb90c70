/** A build that its time ends: what it did not come to has not failed, and costs no other file. */
import { expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { operationNamed } from '../catalogue.ts';
import { openCaller } from '../testing/caller.ts';

/** It takes minutes. */
const SLOW = 'Lemma slow : True.\nProof. do 2000000000 idtac. exact I. Qed.\n';

test.skipIf(findExecutable(['coqc', 'rocq']) === undefined)(
  'of what a stopped build did not compile nothing is said but that (skipped without Rocq)',
  async () => {
    const caller = await openCaller({
      _CoqProject: '-Q . Shop\n',
      'Base.v': SLOW,
      'Lists.v': 'From Shop Require Import Base.\n',
      'Sum.v': 'From Shop Require Import Lists.\n',
    });
    const answer = await caller.call('proof_build', { timeout: 4 });
    await caller.close();
    expect(answer).toMatchObject({ complete: false, stopped: 'timeout' });
    expect(answer['steps']).toMatchObject(
      ['Shop.Base', 'Shop.Lists', 'Shop.Sum'].map((library) => ({ kind: 'stopped', library, message: null })),
    );
    const read = operationNamed('proof_build')?.readAnswer(answer);
    expect(read?.holds()).toBeUndefined();
    expect(read?.text()).toMatch(/0 failed, 0 left out, 3 not compiled yet in .*\[timeout\]$/u);
  },
);

test.skipIf(findExecutable(['make']) === undefined)(
  'nor is a build by make that is stopped said to be done (skipped without make)',
  async () => {
    const caller = await openCaller({
      _CoqProject: '-Q . Shop\n',
      'Base.v': 'Definition one := 1.\n',
      Makefile: 'all Base.vo:\n\tsleep 600\n',
    });
    const answer = await caller.call('proof_build', { timeout: 4 });
    await caller.close();
    expect(answer).toMatchObject({ complete: false, stopped: 'timeout', steps: [{ kind: 'tool' }] });
    expect(operationNamed('proof_build')?.readAnswer(answer).text()).toMatch(/not built to the end/u);
  },
);
