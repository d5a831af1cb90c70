/**
 * What the files of a project state and define, and which of it each mentions, read from the texts alone. A name
 * means what stands before it in its file, else what the files state that it requires. A proof by a database of
 * hints mentions nothing; where a file is compiled as it is now, `compiled-grounds.ts` knows better. Either explains and
 * never proves: the prover's own word is `Print Assumptions`.
 */
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { entryAt, present } from '../../../core/entry.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { LineIndex, type Span } from '../../../core/position.ts';
import { declaredIn, linesOf, LONGEST_STATEMENT, type Stated } from './declared.ts';
import type { SourceLanguage } from '../../files/source-language.ts';
import { statedInRocq } from './stated-in-rocq.ts';
import { visibleHoles } from '../visible-holes.ts';

/** @param compiles Whether a Rocq file is compiled as it is now. */
export async function statedIn(path: string, language: SourceLanguage, compiles: boolean): Promise<Stated[]> {
  const text = await readRegularText(path);
  if (language === 'rocq') return statedInRocq(path, outlineOf(text), compiles);
  return statedElsewhere(path, language, text);
}

/** Of HOL4, F* and Lean: what the text declares, and holes that stand in nothing that has a name. */
function statedElsewhere(path: string, language: Exclude<SourceLanguage, 'rocq'>, text: string): Stated[] {
  const lines = new LineIndex(text);
  const holes = visibleHoles(language, text);
  const declared = declaredIn(language, text);
  const names = new Set(declared.map(({ name }) => name));
  const kinds = new Map(holes.map((hole) => [hole.theorem, hole.kind]));
  const stated = declared.map(({ name, kind, span, statement, isTheorem }): Stated => {
    const closed = isTheorem ? 'proved' : 'defined';
    return {
      path,
      ...linesOf(lines, span),
      span,
      module: '',
      ...{ name, kind, state: kinds.has(name) ? 'open' : closed, hole: kinds.get(name) },
      statement: text.slice(statement.start, statement.end).trim().slice(0, LONGEST_STATEMENT),
      mentions: wordsIn(text.slice(span.start, span.end)),
    };
  });
  const nameless = holes
    .filter(({ theorem }) => !names.has(theorem))
    .map(({ theorem, kind, span }): Stated => {
      return {
        ...{ path, ...linesOf(lines, span), span, name: theorem, module: '', kind: 'hole', statement: '' },
        ...{ state: 'open', hole: kind, mentions: new Set() },
      };
    });
  return [...stated, ...nameless].toSorted((one, other) => one.span.start - other.span.start);
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_'!?]*/gu) ?? []);
}

/**
 * For each of `all`, those of `all` that it mentions. @param reachable The files that a file requires, itself left
 * out.
 */
export function usesOf(
  all: readonly Stated[],
  reachable: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<Stated, readonly Stated[]> {
  const byName = Map.groupBy(all, ({ name }) => name);
  const meant = (user: Stated, name: string): Stated | undefined => {
    const named = byName.get(name) ?? [];
    const inFile = named.filter((one) => one.path === user.path && isKnownIn(one.span, user.span)).at(-1);
    return inFile ?? named.find((one) => reachable.get(user.path)?.has(one.path) === true);
  };
  return new Map(
    all.map((user) => [
      user,
      [...user.mentions].flatMap((name) => {
        const used = meant(user, name);
        return used === undefined || used === user ? [] : [used];
      }),
    ]),
  );
}

/** Whether one stands before the end of the other, so also in its proof; those of one sentence do not know each other. */
function isKnownIn(one: Span, user: Span): boolean {
  return one.start !== user.start && one.start < user.end;
}

/** What something rests on. */
export type Ground = Pick<Stated, 'path' | 'name'>;

/**
 * What each rests on, through whatever it mentions, that is open or assumed. @param compiled What a compiled file says of
 * one, which counts in the place of its text; undefined where none does.
 */
export function openBelow(
  uses: ReadonlyMap<Stated, readonly Stated[]>,
  compiled: (stated: Stated) => readonly Ground[] | undefined,
): ReadonlyMap<Stated, readonly Ground[]> {
  const all = [...uses.keys()];
  const places = new Map(all.map((stated, place) => [stated, place]));
  const used = all.map((stated) =>
    present(uses.get(stated), stated.name).map((one) => present(places.get(one), `place of ${one.name}`)),
  );
  const known = all.map(compiled);
  /** By which each was met last: of ten thousand each may rest on thousands. */
  const metBy = new Int32Array(all.length).fill(-1);
  const below = new Map<Stated, readonly Ground[]>();
  for (const [place, stated] of all.entries()) {
    const own = known[place];
    const grounds = new Set<Ground>(own);
    metBy[place] = place;
    const pending = own === undefined ? [...entryAt(used, place, 'uses')] : [];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (metBy[next] === place) continue;
      metBy[next] = place;
      const one = entryAt(all, next, 'statement');
      if (one.state === 'open' || one.state === 'assumed') grounds.add(one);
      const itsGrounds = known[next];
      if (itsGrounds !== undefined) for (const ground of itsGrounds) grounds.add(ground);
      else for (const further of entryAt(used, next, 'uses')) pending.push(further);
    }
    below.set(stated, [...grounds]);
  }
  return below;
}
