/** Libraries and modules that are spelt nearly like one that is there, with the real Rocq. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

describe.skipIf(findExecutable(['coqidetop.opt', 'coqidetop']) === undefined)('what is misspelt', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller({ _CoqProject: '-R . Own\n', 'Groups.v': 'Definition g := 1.\n' });
  });
  afterAll(() => caller.close());

  const remediesOf = async (text: string): Promise<readonly unknown[]> => {
    await caller.write('a.v', text);
    const { errors } = await caller.call('proof_check', { file: 'a.v' });
    return (errors as { remedy: string | null }[]).map(
      ({ remedy }) => /^Did you mean [^?]*\?/u.exec(String(remedy))?.[0],
    );
  };

  it.each([
    ['Require Import List Lai.', 'Did you mean Lia?'],
    ['From Coq Require Import Litt.', 'Did you mean List?'],
    ['Require Import Coq.Lists.Lists.', 'Did you mean Coq.Lists.List?'],
    ['Require Import Gruops.', 'Did you mean Groups?'],
    ['From Own Require Import groups.', 'Did you mean Groups?'],
    // What is there and not compiled, and what is like nothing, is not misspelt.
    ['Require Import Groups.', undefined],
    ['Require Import Nothing_like_this.', undefined],
    ['Require Import Coq.Lai.', undefined],
    ['From Nowhere Require Import List.', undefined],
  ])('a library: %s', async (text, meant) => {
    expect(await remediesOf(`${text}\n`)).toEqual([meant]);
  });

  it('is never the file itself', async () => {
    await caller.write('Grops.v', 'Require Import Gropz.\n');
    const { errors } = await caller.call('proof_check', { file: 'Grops.v' });
    const remedy = String((errors as { remedy: string | null }[])[0]?.remedy);
    expect(remedy).not.toContain('Did you mean Grops?');
  });

  it.each([
    ['Require Import List.\nImport ListNotation.', 'Did you mean ListNotations?'],
    ['Import Nta.', 'Did you mean Nat?'],
    ['Module Inner. End Inner.\nImport Iner.', 'Did you mean Inner?'],
    ['Import Iner.\nModule Inner. End Inner.', undefined],
    ['Import ListNotation.', undefined],
  ])('a module that is there at that place: %s', async (text, meant) => {
    expect(await remediesOf(`${text}\n`)).toEqual([meant]);
  });

  it('is told by a search, too', async () => {
    await caller.write('b.v', 'Require Import Lai.\nLemma a : 1 = 1.\nAdmitted.\n');
    const { reason, text } = await caller.failure('proof_search', { file: 'b.v' });
    expect(reason).toBe('library-missing');
    expect(text).toContain('Did you mean Lia?');
  });
});
