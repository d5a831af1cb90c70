/**
 * What the files of a project state and define, and which of it each mentions, read from the texts alone. A name
 * means what stands before it in its file, else what the files state that it requires. A proof by a database of
 * hints mentions nothing, so what is found here explains and never proves: the prover's own word is `Print
 * Assumptions`.
 */
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { orNothing } from '../../core/entry.ts';
import { assumptionHead } from '../../provers/rocq/syntax/assumption-head.ts';
import { significantTokens, withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline } from '../../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../../provers/rocq/syntax/theorem-text.ts';
import { LineIndex } from '../../core/position.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { declaredIn } from './declared.ts';
import type { SourceLanguage } from '../files/source-language.ts';
import { visibleHoles } from './visible-holes.ts';

export interface Stated {
  /** Absolute. */
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** `Lemma`, `Fixpoint`, `Axiom`, …; `hole` for one that stands in nothing that has a name. */
  readonly kind: string;
  readonly statement: string;
  readonly state: 'proved' | 'open' | 'assumed' | 'defined';
  /** Every name in it and in its proof. */
  readonly mentions: ReadonlySet<string>;
}

const DEFINED =
  /^(?:(?:#\[[^\]]*\]|Local|Global|Program|Polymorphic|Monomorphic|Cumulative|Private)\s+)*(Definition|Fixpoint|CoFixpoint|Function|Let|Instance|Example|Inductive|CoInductive|Variant|Record|Structure|Class|Equations)\s+\(?([\p{L}_][\p{L}\p{N}_']*)/u;

const LONGEST_STATEMENT = 2000;

export async function statedIn(path: string, language: SourceLanguage): Promise<Stated[]> {
  const text = await readRegularText(path);
  if (language === 'rocq') return statedInRocq(path, outlineOf(text));
  return statedElsewhere(path, language, text);
}

/** Of HOL4, F* and Lean: what the text declares, and holes that stand in nothing that has a name. */
function statedElsewhere(path: string, language: Exclude<SourceLanguage, 'rocq'>, text: string): Stated[] {
  const lines = new LineIndex(text);
  const holes = visibleHoles(language, text);
  const declared = declaredIn(language, text);
  const names = new Set(declared.map(({ name }) => name));
  const open = new Set(holes.map(({ theorem }) => theorem));
  const stated = declared.map(({ name, kind, span, statement, isTheorem }): Stated => {
    const closed = isTheorem ? 'proved' : 'defined';
    return {
      path,
      line: lines.printedAt(span.start).line,
      ...{ name, kind, state: open.has(name) ? 'open' : closed },
      statement: text.slice(statement.start, statement.end).trim().slice(0, LONGEST_STATEMENT),
      mentions: wordsIn(text.slice(span.start, span.end)),
    };
  });
  const nameless = holes
    .filter(({ theorem }) => !names.has(theorem))
    .map(({ theorem, span }): Stated => {
      const { line } = lines.printedAt(span.start);
      return { path, line, name: theorem, kind: 'hole', statement: '', state: 'open', mentions: new Set() };
    });
  return [...stated, ...nameless].toSorted((one, other) => one.line - other.line);
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_'!?]*/gu) ?? []);
}

function statedInRocq(path: string, outline: FileOutline): Stated[] {
  const lines = new LineIndex(outline.text);
  const stated: Stated[] = [];
  const inTheorem = new Set<number>();
  for (const theorem of outline.statements) {
    const sentence = outline.sentences[theorem.sentence];
    const end = endOfProof(theorem);
    for (let index = theorem.sentence; index < end; index += 1) inTheorem.add(index);
    if (sentence === undefined) continue;
    const texts = outline.sentences.slice(theorem.sentence, end).map(({ text }) => text);
    stated.push({
      path,
      line: lines.printedAt(sentence.span.start).line,
      name: theorem.name ?? theorem.keyword,
      kind: theorem.keyword,
      statement: sentence.text.slice(0, LONGEST_STATEMENT),
      state: theorem.hole === undefined ? 'proved' : 'open',
      mentions: namesIn(texts),
    });
  }
  outline.sentences.forEach((sentence, index) => {
    if (inTheorem.has(index) || outline.heads[index]?.kind !== 'other') return;
    const { line } = lines.printedAt(sentence.span.start);
    const statement = sentence.text.slice(0, LONGEST_STATEMENT);
    const assumption = assumptionHead(sentence.text);
    for (const name of assumption?.names ?? []) {
      const isVariable = assumption?.isOfSection === true && isInSection(outline, index);
      stated.push({
        ...{ path, line, name, kind: orNothing(assumption?.keyword), statement },
        state: isVariable ? 'defined' : 'assumed',
        mentions: namesIn([sentence.text]),
      });
    }
    const [, kind, name] = DEFINED.exec(withoutComments(sentence.text)) ?? [];
    if (kind === undefined || name === undefined) return;
    const mentions = namesIn([sentence.text]);
    stated.push({ path, line, name, kind, statement, state: 'defined', mentions });
  });
  return stated.sort((one, other) => one.line - other.line);
}

function isInSection({ scopes }: FileOutline, sentence: number): boolean {
  return scopes.some(
    ({ kind, opened, closed = Infinity }) => kind === 'section' && opened < sentence && sentence < closed,
  );
}

/** The last part of each name: `Lists.rev_snoc` mentions `rev_snoc`. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of texts)
    for (const token of significantTokens(text))
      if (token.kind === 'identifier') names.add(lastPart(token.text));
  return names;
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
    const inFile = named.filter((one) => one.path === user.path && one.line < user.line).at(-1);
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

/** What each rests on, through whatever it mentions, that is open or assumed. */
export function openBelow(
  uses: ReadonlyMap<Stated, readonly Stated[]>,
): ReadonlyMap<Stated, readonly Stated[]> {
  const below = new Map<Stated, readonly Stated[]>();
  for (const stated of uses.keys()) {
    const seen = new Set<Stated>([stated]);
    const pending = [...(uses.get(stated) ?? [])];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(...(uses.get(next) ?? []));
    }
    seen.delete(stated);
    below.set(
      stated,
      [...seen].filter(({ state }) => state === 'open' || state === 'assumed'),
    );
  }
  return below;
}
