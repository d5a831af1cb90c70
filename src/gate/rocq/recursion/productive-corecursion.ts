/**
 * Whether every corecursive call of a function stands under a constructor of what the function makes.
 *
 * What a body makes is then known one constructor deeper than what its calls make, and so to every depth. Between the body and the
 * call there may be constructors, also of types in which the one that is made is nested (`Some`, `pair`, `cons`), functions, and a
 * `match`: its branches make the whole or a part each by itself, and all of one type, or an equation between types could pass
 * one off as a value of another.
 */
import type { Computation } from './computation.ts';
import { mentions, type Recursion, spineOf, type Term, type TypeName } from './kernel-terms.ts';
import { argumentsOf, type Tree } from './recursive-types.ts';
import { UnchangingTypes } from './unchanging-types.ts';

export function isProductive(recursion: Recursion, computation: Computation): boolean {
  const check = new ProductivityCheck(recursion, computation);
  if (!check.makesWhatGoesOn()) return false;
  const depth = recursion.bodies.length;
  return recursion.bodies.every((body) => check.makes(body, depth, undefined));
}

class ProductivityCheck {
  readonly #functions: number;
  readonly #computation: Computation;
  readonly #types: UnchangingTypes;
  /** Of each function what it makes; undefined where that is not known. */
  readonly #made: readonly (TypeName | undefined)[];

  constructor({ types, bodies }: Recursion, computation: Computation) {
    this.#functions = bodies.length;
    this.#computation = computation;
    this.#made = types.map((type) => this.#result(type));
    const blocks = new Set(this.#made.map((one) => one?.block));
    const [block] = blocks;
    this.#types = new UnchangingTypes(computation, blocks.size === 1 ? block : undefined);
  }

  /** Whether each function makes values that may go on for ever: those of an inductive type are finite, whatever constructor a call stands under. */
  makesWhatGoesOn(): boolean {
    return this.#made.every((type) => type && this.#computation.known.isCoinductive(type) === true);
  }

  /** The type that functions of a type make. */
  #result(type: Term): TypeName | undefined {
    const { head, arguments: given } = spineOf(type);
    if (head.kind === 'product') return this.#result(head.body);
    if (head.kind === 'type') return head.type;
    const next = this.#computation.typeReduced(head, given);
    return next && this.#result(next);
  }

  /**
   * @param depth how many variables are bound around the term, the functions among them.
   * @param part what the term is of what is made; undefined where it is the whole.
   */
  makes(term: Term, depth: number, part: Tree | undefined): boolean {
    this.#computation.step();
    const first = depth - this.#functions + 1;
    const hasCalls = (one: Term): boolean => mentions(one, first, this.#functions);
    if (!hasCalls(term)) return true;
    const { head, arguments: own } = spineOf(term);
    const next = this.#computation.headReduced(head, own);
    if (next !== undefined) return this.makes(next, depth, part);
    switch (head.kind) {
      case 'variable':
        return part !== undefined && !own.some(hasCalls);
      case 'function':
        return !hasCalls(head.domain) && this.makes(head.body, depth + 1, part);
      case 'constructor': {
        const tree = part ?? this.#computation.known.tree(head.type);
        const parameters = this.#computation.known.parameters(head.type)?.all;
        const parts = tree && argumentsOf(tree, this.#computation.known.own.layout)[head.place];
        if (parts === undefined || parameters === undefined || own.length !== parameters + parts.length)
          return false;
        return own.every((one, place) => {
          const inside = parts[place - parameters];
          return inside === undefined ? !hasCalls(one) : this.makes(one, depth, inside);
        });
      }
      case 'match': {
        // What is of another type in a branch is no part of what is made here.
        const { bound, body: type } = head.returns;
        const isOne =
          this.#types.hasOneType(head.returns, own.length) && !mentions(type, first + bound, this.#functions);
        if (!isOne || [head.scrutinee, ...head.parts, ...own].some(hasCalls)) return false;
        return head.branches.every(({ body, bound }) => this.makes(body, depth + bound, part));
      }
      case 'cofix':
        // It is looked at by itself, too: here, that what it makes stays a part.
        if (head.types.some(hasCalls) || own.some(hasCalls)) return false;
        return head.bodies.every((body) => this.makes(body, depth + head.bodies.length, part));
      default:
        return false;
    }
  }
}
