/** How many rankings of lemmas are kept: each has its own copy of what the libraries state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';
import { rocqWorkbenchOf } from '../session/place.ts';
import { libraryLemmas, type LemmasHere } from './library-lemmas.ts';

const hasRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

describe.skipIf(!hasRocq)('the lemmas at the places of a file', () => {
  let caller: Caller;
  beforeAll(async () => {
    const lemmas = Array.from({ length: 6 }, (_, at) => `Lemma here_${at} : True.\nProof. exact I. Qed.\n`);
    caller = await openCaller({ 'a.v': lemmas.join('') });
  });
  afterAll(() => caller.close());

  it('are kept for the places that were asked for last, however many there are', async () => {
    const context = caller.context();
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, 'a.v');
    const at = (upTo: number): Promise<LemmasHere> =>
      context.services.get(libraryLemmas).withOwn({ file, upTo, workbench, signal: context.signal });
    const places = [4, 8, 12, 16, 20];
    const first: LemmasHere[] = [];
    for (const place of places) first.push(await at(place));
    expect(first.map(({ memory }) => memory.own.length)).toEqual([1, 2, 3, 4, 5]);
    expect(await at(20)).toBe(first[4]);
    expect(await at(4)).not.toBe(first[0]);
    expect((await at(4)).memory.own.map(({ name }) => name)).toEqual(['here_0']);
  });
});
