/** Why a result need not be what would come of it now: one sentence for each cause, and none where there is none. */
import { afterEach, describe, expect, it } from 'vitest';
import { connection } from '../server/connection.ts';
import { mayChangeLibraries, whyOld, whyOldFile, whyUnsure, type RestsOn } from './rests-on.ts';

const MADE: RestsOn = { backend: 'petanque', file_hash: 'a', libraries: 'one', stale: [] };
const STALE: RestsOn = { ...MADE, stale: ['base.v'] };

afterEach(() => {
  connection.value = 'asking';
});

describe('whyOld', () => {
  it.each<[string, RestsOn | undefined, RestsOn | undefined, RegExp | undefined]>([
    ['the same', MADE, { ...MADE }, undefined],
    ['another text', MADE, { ...MADE, file_hash: 'b' }, undefined],
    ['made with nobody knows what', undefined, MADE, /^With which libraries .* not known any more: search/u],
    ['not known what it would be made with', MADE, undefined, /not known yet\.$/u],
    ['another Rocq', MADE, { ...MADE, backend: 'embedded' }, /another Rocq \(petanque\) .* \(embedded\)\.$/u],
    [
      'other libraries',
      MADE,
      { ...MADE, libraries: 'two' },
      /^What it requires, or what its project tells Rocq, has changed since: search again\.$/u,
    ],
    [
      'other libraries that are old, too',
      MADE,
      { ...STALE, libraries: 'two' },
      /^What it requires, or what its project tells Rocq, has changed/u,
    ],
    [
      'a source that was changed',
      MADE,
      STALE,
      /^base\.v is not compiled as it is now: build, then search again\.$/u,
    ],
    [
      'two of them',
      MADE,
      { ...MADE, stale: ['a.v', 'b.v'] },
      /^a\.v, b\.v are not compiled as they are now:/u,
    ],
    ['made with what was old, and is not now', STALE, MADE, undefined],
  ])('%s', (_, made, now, why) => {
    const said = whyOld(made, now, 'search again');
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(why);
  });

  it.each(['lost', 'stranger'] as const)('nothing else is said while the server is away: %s', (state) => {
    connection.value = state;
    for (const [made, now] of [
      [MADE, MADE],
      [undefined, MADE],
      [MADE, STALE],
    ])
      expect(whyOld(made, now, 'search again')).toMatch(/^The server does not answer/u);
  });
});

describe('whyOldFile', () => {
  it('is of the whole file, and else says what whyOld says', () => {
    expect(whyOldFile(MADE, { ...STALE, file_hash: 'b' }, 'check again')).toBe(
      'The file has changed since: check again.',
    );
    for (const [made, now] of [
      [MADE, MADE],
      [MADE, STALE],
      [undefined, MADE],
      [MADE, undefined],
    ])
      expect(whyOldFile(made, now, 'check again')).toBe(whyOld(made, now, 'check again'));
  });
});

describe('whyUnsure', () => {
  it('says who is away and what is not compiled, and nothing of what is not known yet', () => {
    expect(whyUnsure(undefined, 'check again')).toBeUndefined();
    expect(whyUnsure(MADE, 'check again')).toBeUndefined();
    expect(whyUnsure(STALE, 'check again')).toMatch(/^base\.v is not compiled .* then check again\.$/u);
    connection.value = 'lost';
    for (const now of [undefined, MADE, STALE])
      expect(whyUnsure(now, 'check again')).toMatch(/^The server does not answer/u);
  });
});

it.each([
  ['sub/a.v', true],
  ['_build/default/a.vo', true],
  ['_CoqProject', true],
  ['sub/_RocqProject', true],
  ['sub/dune', true],
  ['dune-project', true],
  ['Makefile.coq.conf', true],
  ['a.vos', false],
  ['notes.json', false],
  ['dune/notes.md', false],
])('%s may change what results rest on: %s', (path, may) => {
  expect(mayChangeLibraries(path)).toBe(may);
});
