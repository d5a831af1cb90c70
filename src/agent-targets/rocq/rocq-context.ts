/**
 * What a prover of a theorem would want to read of a Rocq file and its project: what is in force, the definitions
 * that the statement rests on, what stands before and after, each with a value. A later step packs what fits.
 */
import { lastPart } from '../../core/qualified-name.ts';
import type { ContextPiece } from '../../agent/context/pack.ts';
import { significantTokens } from '../../provers/rocq/syntax/lexer.ts';
import { statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { namesUsed, notationSymbols, type Unit } from './rocq-declarations.ts';
import type { ReadSource, RocqSources } from './rocq-sources.ts';

/** What can only be asked of Rocq. */
export interface AskedOfRocq {
  /** The type of a name, where there is such a name. */
  readonly signature: (name: string) => Promise<string | undefined>;
  /** Lemmas in scope that are most like the goal. */
  readonly premises: () => Promise<readonly { readonly name: string; readonly statement: string }[]>;
}

const DEEPEST = 5;
const MOST_DEFINITIONS = 60;
const MOST_SIGNATURES = 24;
const UNITS_BEFORE = 60;
const UNITS_AFTER = 30;
const FIRST_LINES = 6;
/** Names that are told of what stands far above, where there is no room for all. */
const LAST_NAMES = 60;

interface Found {
  readonly unit: Unit;
  readonly source: ReadSource;
  readonly depth: number;
}

export async function rocqContext(
  sources: RocqSources,
  theorem: string,
  ask: AskedOfRocq,
): Promise<readonly ContextPiece[]> {
  const { own } = sources;
  const item = statementNamed(own.outline, theorem);
  const at = own.units.findIndex(({ kind, sentence }) => kind === 'statement' && sentence === item?.sentence);
  const target = own.units[at];
  if (target === undefined) return [];
  const before = own.units.slice(0, at).filter((unit) => isVisible(unit, target));
  const after = own.units.slice(at + 1);
  const found = restsOn(target, before, sources);
  const shown = new Set(found.map(({ unit }) => unit));
  const known = new Set([...sources.all.flatMap(({ units }) => units)].flatMap(({ names }) => names));
  return [
    ...inForce(before),
    ...variablesOf(before, target),
    ...found.map((one) => definitionPiece(one, own)),
    ...(await signatures(target, found, known, ask)),
    ...(await premisePieces(ask, shown)),
    ...beforePieces(before.filter((unit) => isText(unit) && !shown.has(unit))),
    ...afterPieces(after, theorem),
    ...outlinePieces(sources),
  ];
}

/** What a closed section assumed, and local things of a closed section, are gone. */
function isVisible(unit: Unit, target: Unit): boolean {
  const isInside = unit.path.every((name, index) => target.path[index] === name);
  if (isInside) return true;
  return (
    unit.kind !== 'variable' && unit.kind !== 'command' && !/^\s*(?:#\[local\]|Local)\b/u.test(unit.head)
  );
}

function isText({ kind }: Unit): boolean {
  return kind === 'definition' || kind === 'statement';
}

function inForce(before: readonly Unit[]): readonly ContextPiece[] {
  const commands = before.filter(({ kind }) => kind === 'command');
  const requires = commands.filter(({ keyword }) => keyword === 'Require' || keyword === 'From');
  const others = commands.filter((unit) => !requires.includes(unit));
  const piece = (name: string, units: readonly Unit[], value: number): ContextPiece[] => {
    const texts = [...new Set(units.map(({ head }) => head))];
    if (texts.length === 0) return [];
    return [
      { section: 'In force', name, text: texts.join('\n'), shorter: texts.slice(-8).join('\n'), value },
    ];
  };
  return [...piece('what is required', requires, 68), ...piece('scopes and settings', others, 64)];
}

function variablesOf(before: readonly Unit[], target: Unit): readonly ContextPiece[] {
  if (target.path.length === 0) return [];
  return before
    .filter(({ kind }) => kind === 'variable')
    .map(({ head, names }) => ({
      section: 'Variables of the section',
      name: names.join(' '),
      ...{ text: head, shorter: null, value: 93 },
    }));
}

/** The definitions that a statement rests on, transitively, and the notations in it; the nearest first. */
function restsOn(target: Unit, before: readonly Unit[], sources: RocqSources): readonly Found[] {
  const { own, required } = sources;
  const places: readonly { readonly source: ReadSource; readonly units: readonly Unit[] }[] = [
    { source: own, units: before },
    ...required.map((source) => ({ source, units: source.units })),
  ];
  const byName = new Map<string, { readonly unit: Unit; readonly source: ReadSource }>();
  // The latest in the nearest file is meant.
  for (const { source, units } of places.toReversed())
    for (const unit of units)
      if (unit.kind === 'definition' || unit.kind === 'notation')
        for (const name of unit.names) byName.set(name, { unit, source });
  const notations = places.flatMap(({ source, units }) =>
    units.flatMap((unit) => {
      const symbols = unit.kind === 'notation' && unit.keyword !== 'Reserved' ? notationSymbols(unit) : [];
      return symbols.length === 0 ? [] : [{ unit, source, symbols }];
    }),
  );
  const found = new Map<Unit, Found>();
  let frontier = [target.head];
  for (let depth = 0; depth <= DEEPEST && frontier.length > 0; depth++) {
    const next: string[] = [];
    const add = (unit: Unit, source: ReadSource): void => {
      if (found.has(unit) || unit === target || found.size >= MOST_DEFINITIONS) return;
      found.set(unit, { unit, source, depth });
      next.push(unit.head);
    };
    for (const text of frontier) {
      const symbols = new Set(significantTokens(text).map((token) => token.text));
      for (const notation of notations)
        if (notation.symbols.every((symbol) => symbols.has(symbol) || text.includes(` ${symbol} `)))
          add(notation.unit, notation.source);
      for (const name of namesUsed(text)) {
        const declared = byName.get(name);
        if (declared !== undefined) add(declared.unit, declared.source);
      }
    }
    frontier = next;
  }
  return [...found.values()];
}

function definitionPiece({ unit, source, depth }: Found, own: ReadSource): ContextPiece {
  const where = source === own ? `line ${unit.lines.first}` : `${source.name}:${unit.lines.first}`;
  const name = unit.names[0] ?? firstLines(unit.head, 1);
  return {
    section: 'What the statement rests on',
    name,
    text: `(* ${where} *)\n${unit.text}`,
    shorter: `(* ${where} *)\n${firstLines(unit.head, FIRST_LINES)}`,
    value: Math.max(62, 96 - 7 * depth),
  };
}

/** By signature: what the libraries define. */
async function signatures(
  target: Unit,
  found: readonly Found[],
  known: ReadonlySet<string>,
  ask: AskedOfRocq,
): Promise<readonly ContextPiece[]> {
  const asked = new Map<string, number>();
  const texts = [
    { text: target.head, value: 74 },
    ...found.map(({ unit }) => ({ text: unit.head, value: 60 })),
  ];
  for (const { text, value } of texts) {
    const bound = boundNames(text);
    for (const { kind, text: name } of significantTokens(text)) {
      if (kind !== 'identifier' || GALLINA.has(name) || known.has(lastPart(name)) || bound.has(name))
        continue;
      if (!asked.has(name) && asked.size < MOST_SIGNATURES) asked.set(name, value);
    }
  }
  const pieces: ContextPiece[] = [];
  for (const [name, value] of asked) {
    const text = await ask.signature(name);
    if (text !== undefined)
      pieces.push({ section: 'Of the libraries', name, text, shorter: firstLines(text, 3), value });
  }
  return pieces;
}

const GALLINA = new Set(
  (
    'forall exists fun let in match with end return if then else fix cofix struct as where by Type Prop Set SProp ' +
    'Definition Fixpoint CoFixpoint Inductive CoInductive Variant Record Structure Class Instance Lemma Theorem Fact Remark ' +
    'Corollary Proposition Example Notation Infix Let Program Local Global Axiom Parameter level associativity at'
  ).split(' '),
);

/** Names that a binder brings in; a rough reading is enough, since Rocq knows none of them. */
function boundNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, binders = ''] of text.matchAll(/\b(?:forall|exists|fun)\s+([^,=]*?)(?:,|=>)/gu))
    for (const name of binders.replace(/:[^)]*/gu, ' ').match(/[\p{L}_][\p{L}\p{N}_']*/gu) ?? [])
      names.add(name);
  for (const [, binders = ''] of text.matchAll(/[({]([\p{L}\p{N}_' ]+):/gu))
    for (const name of binders.split(/\s+/u)) if (name !== '') names.add(name);
  return names;
}

async function premisePieces(ask: AskedOfRocq, shown: ReadonlySet<Unit>): Promise<readonly ContextPiece[]> {
  const names = new Set([...shown].flatMap((unit) => unit.names));
  return (await ask.premises())
    .filter(({ name }) => !names.has(name))
    .map(({ name, statement }, index) => ({
      section: 'Lemmas in scope that share most with the goal',
      ...{ name, text: `${name} : ${statement}`, shorter: null, value: 57 - index },
    }));
}

/** The nearest in full, comments and proofs too; of the others their heads; of those far off the names. */
function beforePieces(before: readonly Unit[]): readonly ContextPiece[] {
  const near = before.slice(-UNITS_BEFORE);
  const far = before.slice(0, before.length - near.length);
  const section = 'What stands before it';
  return [
    ...farPieces(far),
    ...near.map((unit, index) => ({
      section,
      name: unitName(unit),
      text: unit.text,
      shorter: firstLines(unit.head, FIRST_LINES),
      value: Math.max(20, 58 - 2 * (near.length - 1 - index)),
    })),
  ];
}

/** What stands far above is told by its names, and that its text is not here. */
function farPieces(far: readonly Unit[]): readonly ContextPiece[] {
  const last = far.at(-1);
  if (last === undefined) return [];
  const names = far.flatMap((unit) => unit.names.slice(0, 1));
  const lines = `Lines 1 to ${last.lines.last}`;
  const told = (some: readonly string[], of: string): string =>
    `${lines} are not shown; the reading tools show them. ${of}: ${some.join(' ')}`;
  const text = told(names, 'They declare');
  const few = names.slice(-LAST_NAMES);
  return [
    {
      ...{ section: 'Names declared further up', name: lines.toLowerCase(), text, value: 14 },
      shorter: few.length < names.length ? told(few, `Of ${names.length} that they declare, the last`) : null,
    },
  ];
}

function afterPieces(after: readonly Unit[], theorem: string): readonly ContextPiece[] {
  return after
    .filter(isText)
    .map((unit, index) => ({ unit, index, uses: namesUsed(unit.text).has(lastPart(theorem)) }))
    .filter(({ index, uses }) => uses || index < UNITS_AFTER)
    .map(({ unit, index, uses }) => ({
      section: uses ? 'What uses it' : 'What stands after it (not in scope)',
      name: unitName(unit),
      text: uses ? unit.text : unit.head,
      shorter: firstLines(unit.head, FIRST_LINES),
      value: Math.max(10, (uses ? 50 : 36) - 2 * index),
    }));
}

function outlinePieces(sources: RocqSources): readonly ContextPiece[] {
  return sources.required.map((source, index) => {
    const names = source.units.flatMap((unit) => (isText(unit) ? unit.names.slice(0, 1) : []));
    const text = `${source.name}: ${names.join(' ')}`;
    return {
      section: 'Files of the project that it requires',
      ...{ name: source.name, text, shorter: text.length > 400 ? `${text.slice(0, 400)} …` : null },
      value: Math.max(8, 24 - index),
    };
  });
}

function unitName({ names, keyword, lines }: Unit): string {
  return names[0] ?? `${keyword} in line ${lines.first}`;
}

export function firstLines(text: string, count: number): string {
  const lines = text.split('\n');
  return lines.length <= count
    ? text
    : `${lines.slice(0, count).join('\n')}\n  … (${lines.length - count} more lines)`;
}
