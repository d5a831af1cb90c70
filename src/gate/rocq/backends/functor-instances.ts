/**
 * Statements inside functors and module types cannot be named from outside, so nothing can be asked about them. Here the
 * functor is applied to modules that are declared for the purpose, with the types that its parameters have: what the
 * instance of a statement rests on is what the statement rests on, whatever the arguments are; their own constants, which
 * are part of what the statement is about, are told apart by where they are declared.
 */
import { onOneLine } from '../../../core/sentence.ts';
import { entryAt, orZero } from '../../../core/entry.ts';

/** Asks one command behind declarations; undefined when Rocq refuses any of it. */
export type AskBehind = (declarations: readonly string[], command: string) => Promise<string | undefined>;

export interface Instance {
  /** What makes it, one module that holds everything. */
  readonly declarations: readonly string[];
  /** How the modules of the file are called in it, outermost first; what is declared there is called by it. */
  readonly modules: readonly { readonly inFile: string; readonly here: string }[];
}

interface Parameter {
  readonly name: string;
  readonly type: string;
}

/**
 * An instance in which the inside of `path`, a module of a library with functors or module types on the way, has a name.
 * `wrapper` is a module name that nothing else has.
 */
export async function instanceOf(
  library: string,
  path: readonly string[],
  wrapper: string,
  ask: AskBehind,
): Promise<Instance | undefined> {
  const inside: string[] = [];
  const modules: { inFile: string; here: string }[] = [];
  const around = (): string[] =>
    inside.length === 0 ? [] : [`Module ${wrapper}.`, ...inside, `End ${wrapper}.`];
  let here = library;
  for (const [depth, segment] of path.entries()) {
    const outer = `${here}.${segment}`;
    const printed = await printedModule(outer, around(), ask);
    const parameters = printed && parametersOf(printed);
    if (!printed || !parameters) return undefined;
    const isType = /^\s*Module\s+Type\b/.test(printed);
    if (!isType && parameters.length === 0) here = outer;
    else {
      const own = `Instance${depth}`;
      const applied = [outer, ...parameters.map(({ name }) => name)].join(' ');
      for (const { name, type } of parameters) inside.push(`Declare Module ${name} : ${type}.`);
      inside.push(isType ? `Declare Module ${own} : ${applied}.` : `Module ${own} := ${applied}.`);
      here = `${wrapper}.${own}`;
    }
    modules.push({ inFile: path.slice(0, depth + 1).join('.'), here });
  }
  return { declarations: around(), modules };
}

async function printedModule(
  name: string,
  behind: readonly string[],
  ask: AskBehind,
): Promise<string | undefined> {
  // Rocq 8.16 cannot print all that stands in some of them; shortened, the types of parameters can lack a part.
  for (const settings of [[], ['Set Short Module Printing.']]) {
    for (const kind of ['Module', 'Module Type']) {
      const printed = await ask([...behind, ...settings], `Print ${kind} ${name}.`);
      // Of a module that it is asked for as a module type Rocq prints no more than the name.
      if (printed !== undefined && parametersOf(printed) !== undefined) return printed;
    }
  }
  return undefined;
}

/** By what something of the file is called behind the instances. */
export function subjectOf(library: string, name: string, instances: readonly Instance[]): string {
  const dot = name.lastIndexOf('.');
  const path = name.slice(0, Math.max(dot, 0));
  const module = instances.flatMap(({ modules }) => modules).find(({ inFile }) => inFile === path);
  return module === undefined ? `${library}.${name}` : `${module.here}.${name.slice(dot + 1)}`;
}

/** The name in the file of what an instance has; undefined for what belongs to the arguments of the instance. */
export function nameInFile(name: string, instances: readonly Instance[]): string | undefined {
  const [module] = instances
    .flatMap(({ modules }) => modules)
    .filter(({ here }) => name.startsWith(`${here}.`))
    .toSorted((one, other) => other.here.length - one.here.length);
  return module && `${module.inFile}${name.slice(module.here.length)}`;
}

/** The parameters in the answer of `Print Module` or `Print Module Type`, outermost first. */
export function parametersOf(printed: string): Parameter[] | undefined {
  const head = /^\s*Module(?:\s+Type)?\s+\S+\s*(?::=|:|=)\s*/.exec(printed);
  if (head === null) return undefined;
  const parameters: Parameter[] = [];
  let at = head[0].length;
  for (;;) {
    const functor = /^(?:Functor|Funsig)\s*\(([^\s:()]+)\s*:/.exec(printed.slice(at));
    if (functor === null)
      return parameters.map(({ name, type }) => ({ name, type: named(type, parameters) }));
    const start = at + functor[0].length;
    const end = closingParenthesis(printed, start);
    if (end === undefined) return undefined;
    parameters.push({
      name: entryAt(functor, 1, 'name of the functor'),
      type: onOneLine(printed.slice(start, end)),
    });
    at = end + 1 + orZero(/^\s*/.exec(printed.slice(end + 1))?.[0].length);
  }
}

/**
 * Rocq 8.16 prints a parameter in the type of a later one as `FAKETOP` and its place among the parameters, counted from 0;
 * the first goes by its name. A guess that were wrong would be an instance that Rocq refuses.
 */
function named(type: string, parameters: readonly Parameter[]): string {
  return type.replace(
    /\bFAKETOP(\d+)\b/g,
    (written, place: string) => parameters[Number(place)]?.name ?? written,
  );
}

function closingParenthesis(text: string, from: number): number | undefined {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') open += 1;
    else if (text[at] === ')') open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}
