/**
 * What a file declares without a proof, asked of the prover: at its end, and before the end of each module that hides
 * what stands in it. A functor declares nothing that a search at the end would find, and behind a signature what is
 * proved and what is assumed look alike.
 */
import { orNothing } from '../../../core/entry.ts';
import { errorText } from '../../../core/errors.ts';
import type { StateId } from '../../../core/prover.ts';
import { HeadTokens } from '../../../provers/rocq/syntax/head-tokens.ts';
import type { FileOutline, Scope } from '../../../provers/rocq/syntax/outline.ts';
import type { Sentence } from '../../../provers/rocq/syntax/sentences.ts';
import type { Asked } from './asked.ts';

export interface WithoutProofs {
  /** Left open: admitted or conjectures. */
  readonly admitted: readonly string[];
  /** For good: axioms, parameters, variables outside of sections. */
  readonly assumed: readonly string[];
}

/** Names are those behind the file's own: `F.G.a`. */
export interface InsideModule extends WithoutProofs, HidingModule {
  /** Why the prover could not be asked. */
  readonly unknown?: string;
}

/** No file has a section or a module of this name. */
export const NAME = 'quod_end_of_file';

export interface HidingModule {
  /** `F.G`. */
  readonly module: string;
  readonly isFunctor: boolean;
}

/** The modules that hide what stands in them, by the sentence that ends them: functors, and those behind a signature. */
export function hidingModules({ scopes, sentences }: FileOutline): ReadonlyMap<number, HidingModule> {
  const isIn = (inner: Scope, outer: Scope): boolean =>
    outer.opened < inner.opened && inner.opened < (outer.closed ?? Infinity);
  return new Map(
    scopes.flatMap((scope) => {
      const { kind, name, path, opened, closed } = scope;
      const sign = signBehind(name, orNothing(sentences[opened]?.text));
      if (kind !== 'module' || closed === undefined || (sign !== '(' && sign !== ':')) return [];
      // Nothing of a module type is declared before something is said to have the type.
      if (scopes.some((outer) => outer.kind === 'module-type' && isIn(scope, outer))) return [];
      return [[closed, { module: [...path, name].join('.'), isFunctor: sign === '(' }]];
    }),
  );
}

/** `(` of `Module F (X : T)`, `:` of `Module Q : S`; what `<: S` says of a module hides nothing of it. */
function signBehind(name: string, text: string): string | undefined {
  const { all } = new HeadTokens(text);
  const word = all.findIndex((token) => token.text === 'Module');
  const at = all.findIndex((token, index) => index > word && token.text === name);
  return all[at + 1]?.text;
}

/** The sentence that makes the module in which a name stands; undefined where none does. */
export function moduleSentence(name: string, { sentences }: FileOutline): Sentence | undefined {
  const outermost = name.split('.').slice(0, -1)[0];
  if (outermost === undefined) return undefined;
  return sentences.findLast(({ text }) => {
    const tokens = new HeadTokens(text);
    if (!tokens.skipPrefixes() || tokens.peek() !== 'Module') return false;
    const isImported = tokens.peek(1) === 'Import' || tokens.peek(1) === 'Export';
    return tokens.peek(isImported ? 2 : 1) === outermost;
  });
}

/**
 * @param at Before the `End` of the module.
 * @param deeper What was found inside the modules before it.
 */
export async function insideModule(
  asked: Asked,
  at: StateId,
  hiding: HidingModule,
  deeper: readonly InsideModule[],
): Promise<InsideModule> {
  const { module } = hiding;
  try {
    const { admitted, assumed } = await declaredHere(asked, at, `${module}.`, deeper);
    const named = (one: OwnName): string => `${module}.${one.relative}`;
    return { ...hiding, admitted: admitted.map(named), assumed: assumed.map(named) };
  } catch (error) {
    return { ...hiding, admitted: [], assumed: [], unknown: errorText(error) };
  }
}

/** @param inside What was found inside the modules that hide it. */
export async function withoutProofs(
  asked: Asked,
  end: StateId,
  inside: readonly InsideModule[],
): Promise<WithoutProofs> {
  const { admitted, assumed } = await declaredHere(asked, end, '', inside);
  const open = [...inside.flatMap((told) => told.admitted), ...admitted.map(({ written }) => written)];
  return {
    admitted: open.filter((one) => !inside.some((told) => isInstance(one, told))),
    assumed: [...assumed.map(({ written }) => written), ...inside.flatMap((told) => told.assumed)],
  };
}

/** Whether a hole is that of a functor, in a module that was made with it. */
function isInstance(name: string, { module, isFunctor, admitted }: InsideModule): boolean {
  return (
    isFunctor && !admitted.includes(name) && admitted.some((one) => name.endsWith(one.slice(module.length)))
  );
}

interface Declared {
  readonly admitted: readonly OwnName[];
  readonly assumed: readonly OwnName[];
}

/**
 * What is declared in the file or, where one is open, in its module, and was not told before.
 * @param around The modules that are open, with a dot behind each.
 */
async function declaredHere(
  asked: Asked,
  at: StateId,
  around: string,
  before: readonly InsideModule[],
): Promise<Declared> {
  const { state, admitted, assumed } = await found(asked, at);
  const own = await namesUnder(asked, state, [...admitted, ...assumed]);
  const told = new Set(before.flatMap((one) => [...one.admitted, ...one.assumed]));
  const newOf = (names: readonly string[]): OwnName[] =>
    names.flatMap((name) => {
      const known = own.get(name);
      return known === undefined || known.isCopy || told.has(`${around}${known.relative}`) ? [] : [known];
    });
  const forGood: OwnName[] = [];
  for (const one of newOf(assumed)) if (await isAssumed(asked, state, one.written)) forGood.push(one);
  return { admitted: newOf(admitted), assumed: forGood };
}

/** What is said to be admitted or assumed anywhere, with the place where names alone are printed. */
async function found(asked: Asked, at: StateId): Promise<WithoutProofs & { readonly state: StateId }> {
  const hidden = orNothing((await asked.answer(at, 'Print Table Search Blacklist.')).split(':').at(-1));
  const words = hidden
    .replace(/\.\s*$/u, '')
    .split(/\s+/u)
    .filter(Boolean);
  let state = await asked.next(at, 'Set Search Output Name Only.');
  if (words.length > 0)
    state = await asked.next(state, `Remove Search Blacklist ${words.map((word) => `"${word}"`).join(' ')}.`);
  const namesOf = async (kinds: string): Promise<string[]> =>
    (await asked.answer(state, `Search ${kinds}.`)).split(/\s+/u).filter(Boolean);
  return {
    state,
    admitted: await namesOf('is:Conjecture'),
    assumed: await namesOf('[ is:Axiom | is:Parameter | is:Context | is:Primitive ]'),
  };
}

interface OwnName {
  /** As short as it may be written. */
  readonly written: string;
  /** Behind the name of the file and of the modules that are open. */
  readonly relative: string;
  /** Another name of something else (`Module K := M.`, `Include M.`). */
  readonly isCopy: boolean;
}

/** Of names as they may be written at a place, those of what stands in the file, or in the module that is open there. */
async function namesUnder(
  asked: Asked,
  at: StateId,
  names: readonly string[],
): Promise<ReadonlyMap<string, OwnName>> {
  const own = new Map<string, OwnName>();
  if (names.length === 0) return own;
  const inside = await asked.next(await asked.next(at, `Module ${NAME}.`), `End ${NAME}.`);
  const around = placeOf(await asked.answer(inside, `Locate Module ${NAME}.`)).slice(0, -NAME.length);
  for (const name of names) {
    const located = await asked.answer(at, `Locate Term ${name}.`);
    const place = placeOf(located);
    if (!place.startsWith(around)) continue;
    own.set(name, {
      written: name,
      relative: place.slice(around.length),
      isCopy: /^\s*Constant\s+\S+ \(alias of /u.test(located),
    });
  }
  return own;
}

/** `Constant Library.name (shorter name to refer to it …)`: the full name that is meant by the one that was asked about. */
function placeOf(located: string): string {
  return orNothing(/^\s*(?:Constant|Module)\s+(\S+)/u.exec(located)?.[1]);
}

/** Behind a signature nothing else tells what is proved from what is assumed. */
async function isAssumed(asked: Asked, at: StateId, name: string): Promise<boolean> {
  if (!name.includes('.')) return true;
  const grounds = await asked.answerIfKnown(at, `Print Assumptions ${name}.`);
  return grounds === '' || grounds.split('\n').some((line) => line.split(/\s/u)[0] === name);
}
