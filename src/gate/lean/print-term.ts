/**
 * Terms as people read them, close to Lean's own syntax and without notation: `∀ (n : Nat), Eq.{1} Nat n n`. Output is
 * bounded: what is deeper or longer than the limits is written `⋯`, since a term of a few bytes may unfold to more text
 * than any disk holds.
 */
import { foreignName } from '../../core/foreign-text.ts';
import {
  type Binder,
  type BinderInfo,
  type Constant,
  type Expression,
  argumentsOf,
  applicationHead,
} from './expression.ts';
import type { Level } from './level.ts';

export interface PrintLimits {
  /** How many nodes of the term to write. Default 2,000. */
  readonly nodes?: number;
  /** How deep to go. Default 100. */
  readonly depth?: number;
}

export function printTerm(term: Expression, limits: PrintLimits = {}): string {
  return new TermPrinter(limits.nodes ?? 2000, limits.depth ?? 100).print(term, [], LOWEST, 0);
}

/** How tightly the place binds in which a term is written. */
const LOWEST = 0;
const ARROW_LEFT = 1;
const ARGUMENT = 2;

const BRACKETS: Record<BinderInfo, readonly [string, string]> = {
  default: ['(', ')'],
  implicit: ['{', '}'],
  strictImplicit: ['⦃', '⦄'],
  instImplicit: ['[', ']'],
};

class TermPrinter {
  #nodesLeft: number;
  /** For the nodes of levels, which may unfold without bound, too. */
  #levelNodesLeft: number;
  readonly #depth: number;

  constructor(nodes: number, depth: number) {
    this.#nodesLeft = nodes;
    this.#levelNodesLeft = nodes;
    this.#depth = depth;
  }

  /** `names` are those of the binders around the term, the innermost last. */
  print(term: Expression, names: readonly string[], place: number, depth: number): string {
    if (--this.#nodesLeft < 0 || depth > this.#depth) return '⋯';
    switch (term.kind) {
      case 'bound':
        return names[names.length - 1 - term.index] ?? `#${term.index}`;
      case 'free':
        return `$${term.index}`;
      case 'sort':
        return bracketed(this.#sort(term.level), place === ARGUMENT);
      case 'constant':
        return this.#constant(term);
      case 'natural':
        return shortNatural(term.natural);
      case 'string':
        return foreignName(JSON.stringify(term.text));
      case 'application': {
        const parts = [applicationHead(term), ...argumentsOf(term)];
        const text = parts.map((part) => this.print(part, names, ARGUMENT, depth + 1)).join(' ');
        return bracketed(text, place === ARGUMENT);
      }
      case 'projection':
        return `${this.print(term.subject, names, ARGUMENT, depth + 1)}.${term.index + 1}`;
      case 'lambda':
      case 'pi':
        return bracketed(this.#binders(term, names, depth), place !== LOWEST);
      case 'let': {
        const name = unusedName(term.name.toString(), names);
        const type = this.print(term.type, names, LOWEST, depth + 1);
        const value = this.print(term.value, names, LOWEST, depth + 1);
        const body = this.print(term.body, [...names, name], LOWEST, depth + 1);
        return bracketed(`let ${name} : ${type} := ${value}; ${body}`, place !== LOWEST);
      }
    }
  }

  #binders(first: Binder, outer: readonly string[], depth: number): string {
    const names = [...outer];
    const written: string[] = [];
    const continues = (part: Expression): part is Binder => part.kind === first.kind;
    let term: Expression = first;
    while (continues(term) && this.#nodesLeft > 0) {
      if (term.kind === 'pi' && isArrow(term)) break;
      const type = this.print(term.type, names, LOWEST, depth + 1);
      const name = unusedName(term.name.toString(), names);
      const [open, close] = BRACKETS[term.info];
      written.push(`${open}${name} : ${type}${close}`);
      names.push(name);
      term = term.body;
    }
    if (written.length === 0 && term.kind === 'pi') {
      const left = this.print(term.type, names, ARROW_LEFT, depth + 1);
      return `${left} → ${this.print(term.body, [...names, '_'], LOWEST, depth + 1)}`;
    }
    const body = this.print(term, names, LOWEST, depth + 1);
    return first.kind === 'pi' ? `∀ ${written.join(' ')}, ${body}` : `fun ${written.join(' ')} => ${body}`;
  }

  #constant({ name, levels }: Constant): string {
    if (levels.length === 0) return name.toString();
    return `${name.toString()}.{${levels.map((level) => this.#level(level, 0)).join(', ')}}`;
  }

  #sort(level: Level): string {
    if (level.kind === 'zero') return 'Prop';
    if (level.kind !== 'successor') return `Sort ${this.#level(level, 1)}`;
    return level.of.kind === 'zero' ? 'Type' : `Type ${this.#level(level.of, 1)}`;
  }

  #level(level: Level, depth: number): string {
    if (depth > LEVEL_DEPTH || --this.#levelNodesLeft < 0) return '⋯';
    let successors = 0;
    let base = level;
    for (; base.kind === 'successor'; base = base.of) successors++;
    if (base.kind === 'zero') return String(successors);
    const text =
      base.kind === 'parameter'
        ? base.name.toString()
        : `${base.kind} ${this.#level(base.left, depth + 1)} ${this.#level(base.right, depth + 1)}`;
    if (successors > 0) return `(${base.kind === 'parameter' ? text : `(${text})`}+${successors})`;
    return bracketed(text, base.kind !== 'parameter' && depth > 0);
  }
}

/** An explicit binder whose variable is not used; the index of every loose variable of the body would be above 0. */
function isArrow(term: Binder): boolean {
  return term.info === 'default' && !mentions(term.body, 0);
}

/** Whether the variable bound so many binders out occurs; gives up with "yes" on large terms. */
function mentions(term: Expression, index: number): boolean {
  let visits = 0;
  const pending: [Expression, number][] = [[term, index]];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const [part, wanted] = entry;
    if (part.looseBound <= wanted) continue;
    if (++visits > 500) return true;
    switch (part.kind) {
      case 'bound':
        if (part.index === wanted) return true;
        break;
      case 'application':
        pending.push([part.fn, wanted], [part.argument, wanted]);
        break;
      case 'lambda':
      case 'pi':
        pending.push([part.type, wanted], [part.body, wanted + 1]);
        break;
      case 'let':
        pending.push([part.type, wanted], [part.value, wanted], [part.body, wanted + 1]);
        break;
      case 'projection':
        pending.push([part.subject, wanted]);
        break;
      case 'free':
      case 'sort':
      case 'constant':
      case 'natural':
      case 'string':
        break;
    }
  }
  return false;
}

function unusedName(name: string, taken: readonly string[]): string {
  const base = name === '[anonymous]' ? 'x' : name;
  let fresh = base;
  for (let number = 1; taken.includes(fresh); number++) fresh = `${base}_${number}`;
  return fresh;
}

/** The deepest level that is written. */
const LEVEL_DEPTH = 50;

function shortNatural(natural: bigint): string {
  // Writing a number in decimal takes quadratic time; hexadecimal does not.
  if (natural < 1n << 512n) return String(natural);
  const digits = natural.toString(16);
  return `0x${digits.slice(0, 40)}⋯(${digits.length} digits)`;
}

function bracketed(text: string, brackets: boolean): string {
  return brackets ? `(${text})` : text;
}
