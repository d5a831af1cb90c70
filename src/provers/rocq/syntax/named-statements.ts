/**
 * Which statement of a Rocq file a name means: `lemma`, or `Module.lemma` with sections and modules around it. The same
 * name may be stated in several modules, and again where it was given up: whoever keeps a statement by a name keeps one
 * that means this statement and no other.
 */
import { QuodError } from '../../../core/errors.ts';
import { lastPart, qualified } from '../../../core/qualified-name.ts';
import { moduleAround, type FileOutline, type TheoremItem } from './outline.ts';

export type Meant =
  | { readonly kind: 'one'; readonly item: TheoremItem }
  | { readonly kind: 'none' }
  /** It is short for several. `names` are theirs, which tell them apart. */
  | { readonly kind: 'several'; readonly names: readonly string[] };

export type HoleMeant =
  | Meant
  /** What it means has proofs already. */
  | { readonly kind: 'finished'; readonly items: readonly TheoremItem[] };

type Outline = Pick<FileOutline, 'statements'>;

/** The statement that has just this name, else the only one with such an end. */
export function statementMeant(outline: Outline, name: string): Meant {
  return meantAmong(statementsNamed(outline, name), name);
}

/** Of a name that is short for several. @param file as it is told. */
export function severalMeant(name: string, names: readonly string[], file: string): QuodError {
  return new QuodError('invalid-input', `The file states several theorems ${name}.`, {
    place: { file },
    remedy: `Say which: ${names.join(', ')}.`,
  });
}

/** What a name means where holes are asked for: of the statements that have it, those that are open. */
export function holeMeant(outline: Outline, name: string): HoleMeant {
  const named = statementsNamed(outline, name);
  const standing = Object.values(Object.groupBy(named, ({ path }) => path.join('.'))).flatMap(
    (inPlace = []) => lasting(inPlace) ?? [],
  );
  const open = standing.filter(({ hole }) => hole !== undefined);
  return named.length > 0 && open.length === 0
    ? { kind: 'finished', items: standing }
    : meantAmong(open, name);
}

function statementsNamed({ statements }: Outline, name: string): TheoremItem[] {
  return statements.filter((item) => qualifiedNames(item).includes(name));
}

function meantAmong(named: readonly TheoremItem[], name: string): Meant {
  const places = new Set(named.map(({ path }) => path.join('.')));
  const depth = name.split('.').length - 1;
  const item = lasting(places.size > 1 ? named.filter(({ path }) => path.length === depth) : named);
  if (item !== undefined) return { kind: 'one', item };
  if (named.length === 0) return { kind: 'none' };
  return { kind: 'several', names: [...places].map((place) => qualified(place, lastPart(name))) };
}

/** The same where only one may be meant. */
export function statementNamed(outline: Outline, name: string): TheoremItem | undefined {
  const meant = statementMeant(outline, name);
  return meant.kind === 'one' ? meant.item : undefined;
}

/** The shortest name that means this statement; undefined where none does. */
export function tellingName(outline: Outline, item: TheoremItem): string | undefined {
  const { name, path } = item;
  if (name === undefined) return undefined;
  return [name, qualified(path.join('.'), name)].find((one) => statementNamed(outline, one) === item);
}

/** As {@link titleOf}, for who tells many statements of one file. */
export function titlesOf({ statements }: Outline): (item: TheoremItem) => string {
  const byName = Map.groupBy(statements, ({ name }) => name);
  const told = new Map<TheoremItem, string>();
  return (item) => {
    const namesakes = byName.get(item.name) ?? [];
    const title = told.get(item) ?? titleAmong(namesakes, item);
    told.set(item, title);
    return title;
  };
}

/** As it is told: by its name, with the modules and sections around it where others have that name; else by its keyword. */
export function titleOf(outline: Outline, item: TheoremItem): string {
  return titlesOf(outline)(item);
}

/** @param namesakes Those that have its name, it among them. */
function titleAmong(namesakes: readonly TheoremItem[], item: TheoremItem): string {
  const { name = item.keyword } = item;
  return namesakes.length === 1 ? name : (tellingName({ statements: namesakes }, item) ?? name);
}

/** The statement of the same name in the same sections and modules of another version of the text. */
export function sameStatementIn({ statements }: Outline, item: TheoremItem): TheoremItem | undefined {
  if (item.name === undefined) return undefined;
  return lasting(statements.filter((one) => isSameName(one, item)));
}

/** As the prover calls it from outside of the file: by the modules around it, without the sections. */
export function nameInModules(
  outline: Pick<FileOutline, 'scopes'>,
  { name, sentence }: TheoremItem,
): string | undefined {
  return name === undefined ? undefined : qualified(moduleAround(outline, sentence), name);
}

/** What is given up and stated again was an attempt: a proof of it would take the name from the other. @returns the other. */
export function statedAgain({ statements }: Outline, item: TheoremItem): TheoremItem | undefined {
  if (item.hole !== 'aborted' || item.name === undefined) return undefined;
  return statements.find((other) => other.sentence > item.sentence && isSameName(other, item));
}

function isSameName(one: TheoremItem, other: TheoremItem): boolean {
  return one.name === other.name && one.path.join('.') === other.path.join('.');
}

/** Of what is given up and stated again only the last counts. */
function lasting(items: readonly TheoremItem[]): TheoremItem | undefined {
  return items.find(({ hole }) => hole !== 'aborted') ?? items.at(-1);
}

/** `lemma`, and `Module.lemma` when it stands in a module. */
function qualifiedNames({ name, otherNames, path }: TheoremItem): string[] {
  return [...(name === undefined ? [] : [name]), ...otherNames].flatMap((one) => [
    one,
    ...path.map((_, index) => [...path.slice(index), one].join('.')),
  ]);
}
