/**
 * Equality of kernel values up to names that nobody chose: universe levels and bound modules are numbered by the prover
 * as it goes, so two runs are compared up to a one-to-one renaming of those of the judged library, kept over the whole
 * comparison.
 *
 * A value that does not have its shape is a `MalformedValue`: then the layout is not the one described and nothing may
 * be concluded.
 */
import { orNothing } from '../../../core/entry.ts';
import { field, hasTag, misfit, type Shape, nameText } from '../compiled/kernel-shape.ts';
import { Block, Opaque, type OcamlValue } from '../compiled/ocaml-values.ts';
import type { ComparisonWork } from './comparison-work.ts';
import { applied, headAndArguments, isApplied, type Terms } from './substitution.ts';
import { inside, logicalName, modulePath } from '../compiled/module-paths.ts';
import { TERM, type TermLayout } from '../compiled/term-layout.ts';

/** How many terms deep a comparison goes by itself; what is deeper is compared afterwards. */
const DEEPEST = 200;

/** @param constant of the right. @param count how many arguments the term takes. */
type StandsFor = (constant: Block, count: number) => OcamlValue | undefined;

export class KernelEquality {
  readonly #forward = new Map<string, string>();
  readonly #backward = new Map<string, string>();
  /** Levels of the right that others of the left may stand for, too; undefined: none. */
  #merged: Set<string> | undefined;
  /** What universe variables on the left stand for; undefined: for themselves. */
  #variables: Map<number, number> | undefined;
  /** Pairs already found equal: terms share subterms heavily. */
  readonly #equal = new Map<Shape, Map<Block, Set<Block>>>();
  /** What stands for constants of the left. */
  readonly #standsFor = new Map<string, StandsFor>();
  /** Constants that are those of the right already. */
  readonly #replaced = new WeakSet<Block>();
  /** Pairs too deep for the stack, which have to be equal, too. */
  #later: (readonly [shape: Shape, left: OcamlValue, right: OcamlValue])[] = [];
  #depth = 0;
  #asWritten = false;
  #asNamed = false;
  readonly #judged: string;
  readonly #library: string;
  readonly #work: ComparisonWork;
  /** Undefined where terms are compared as they stand. */
  readonly #terms: Terms | undefined;

  /**
   * @param judged the library's own name (a directory path): only its generated names may differ.
   * @param layout of terms, which are then compared up to functions that are applied (beta) and casts: Program declares the same
   * thing in both forms, depending on how its obligations were proved.
   */
  constructor(judged: OcamlValue, work: ComparisonWork, layout?: TermLayout) {
    this.#judged = generatedName(judged);
    this.#library = logicalName(judged);
    this.#work = work;
    this.#terms = layout && { layout, work };
  }

  /** What stands on the right for a generated name of the left; undefined for one of the judged library that did not occur. */
  counterpartOf(name: string): string | undefined {
    return name.includes(this.#judged) ? this.#forward.get(name) : name;
  }

  /**
   * From now on something else stands on the left for a constant of the judged library, made of the constant of the right.
   * @param name qualified by the modules inside the library.
   */
  replace(name: string, by: StandsFor): void {
    this.#standsFor.set(inside(this.#library, name), by);
    this.#equal.clear();
  }

  /** Runs a comparison; when it fails, the renamings that it made are taken back. */
  attempt(compare: () => boolean): boolean {
    const before = this.#forward.size;
    const variables = this.#variables && new Map(this.#variables);
    if (this.#settled(compare)) return true;
    this.#variables = variables;
    for (const [from, to] of [...this.#forward].slice(before)) {
      this.#forward.delete(from);
      if (this.#backward.get(to) === from) this.#backward.delete(to);
    }
    this.#equal.clear();
    return false;
  }

  /** Attempts a comparison in which no function is applied. */
  asWritten(compare: () => boolean): boolean {
    const outer = this.#asWritten;
    this.#asWritten = true;
    const same = this.attempt(compare);
    this.#asWritten = outer;
    return same;
  }

  /**
   * Runs a comparison in which several levels may stand for one of the right, all of them met for the first time: as if each
   * were demanded to be at most the others.
   */
  merging(compare: () => boolean): boolean {
    this.#merged = new Set();
    const same = this.attempt(compare);
    this.#merged = undefined;
    return same;
  }

  /** Runs a comparison in which each universe variable on the left may stand for any one on the right. */
  specialising(compare: () => boolean): boolean {
    this.#variables = new Map();
    this.#equal.clear();
    const same = compare();
    this.#variables = undefined;
    this.#equal.clear();
    return same;
  }

  /** Runs a comparison in which nothing stands for a constant of the left. */
  asNamed(compare: () => boolean): boolean {
    this.#asNamed = true;
    this.#equal.clear();
    const same = compare();
    this.#asNamed = false;
    this.#equal.clear();
    return same;
  }

  same(shape: Shape, left: OcamlValue, right: OcamlValue): boolean {
    return this.#settled(() => this.#same(shape, left, right));
  }

  /** Compares also what was put off meanwhile. */
  #settled(compare: () => boolean): boolean {
    const outer = this.#later;
    this.#later = [];
    let same = compare();
    const wasPutOff = this.#later.length > 0;
    for (let next = this.#later.pop(); same && next !== undefined; next = this.#later.pop())
      same = this.#remembered(...next);
    // What was put off was taken for equal.
    if (!same && wasPutOff) this.#equal.clear();
    this.#later = outer;
    return same;
  }

  #same(shape: Shape, left: OcamlValue, right: OcamlValue): boolean {
    this.#work.spend(1);
    switch (shape.kind) {
      case 'ignored':
        return true;
      case 'anything':
        return this.#identical(left, right);
      case 'integer':
        if (typeof left !== 'number' && typeof left !== 'bigint') throw misfit('a number');
        return left === right;
      case 'variable':
        return this.#sameVariable(left, right);
      case 'string':
        if (typeof left !== 'string') throw misfit('a string');
        return left === right;
      case 'again':
        return this.#deeper(shape.shape(), left, right);
      case 'generated':
        return this.#renamed(left, right);
      case 'alias':
        return this.#same(shape.of, lastName(left), lastName(right));
      case 'tuple':
        return this.#fields(shape.fields, left, right);
      case 'array':
        return this.#array(shape.of, left, right);
      case 'option':
        if (left === 0 || right === 0) return left === right;
        return this.#fields([shape.of], left, right);
      case 'list':
        return this.#list(shape.of, left, right);
      case 'sum': {
        if (typeof left === 'number') {
          if (left < 0 || left >= shape.constants) throw misfit('a constant constructor');
          return left === right;
        }
        const terms = this.#terms;
        if (shape === terms?.layout.term) {
          const standsFor = this.#replacementOf(left);
          if (standsFor !== undefined) return this.#sameReplaced(terms, standsFor, left, right);
          const mayApply = !this.#asWritten && (isApplied(left) || isApplied(right));
          if (mayApply) return this.#sameApplied(terms, left, right);
          // What a term is said to be of does not change what it is.
          if (hasTag(left, TERM.cast) !== hasTag(right, TERM.cast))
            return this.#same(shape, withoutCast(left), withoutCast(right));
        }
        const variant = left instanceof Block ? shape.variants[left.tag] : undefined;
        if (variant === undefined) throw misfit('a constructor');
        if (!(right instanceof Block) || !(left instanceof Block) || right.tag !== left.tag) return false;
        return this.#fields(variant, left, right);
      }
    }
  }

  /**
   * Equality of values whose shape is not described: exact, up to generated names of the judged library wherever they
   * are recognised, and the hash values beside them.
   */
  sameButGenerated(left: OcamlValue, right: OcamlValue): boolean {
    this.#work.spend(1);
    if (!(left instanceof Block) || !(right instanceof Block)) return this.#identical(left, right);
    if (left.tag !== right.tag || left.fields.length !== right.fields.length) return false;
    if (this.#isGenerated(left)) return this.#isGenerated(right) && this.#renamed(left, right);
    const [first, second] = left.fields;
    const hashed =
      left.fields.length === 2 &&
      typeof first === 'number' &&
      second instanceof Block &&
      this.#isGenerated(second.fields[0]);
    return left.fields.every((value, index) =>
      hashed && index === 0
        ? typeof right.fields[0] === 'number'
        : this.sameButGenerated(value, field(right, index)),
    );
  }

  /** A level or a bound module of the judged library: its path, a word and a number in some order. */
  #isGenerated(value: OcamlValue | undefined): boolean {
    if (!(value instanceof Block) || value.fields.length !== 3) return false;
    const paths = value.fields.filter((part) => part instanceof Block);
    const others = value.fields.map((part) => typeof part);
    const [path] = paths;
    return (
      paths.length === 1 &&
      path !== undefined &&
      others.includes('number') &&
      others.includes('string') &&
      isPlain(path) &&
      generatedName(path) === this.#judged
    );
  }

  #sameApplied(terms: Terms, left: OcamlValue, right: OcamlValue): boolean {
    if (isApplied(left) && isApplied(right)) {
      const variant = terms.layout.applicationParts;
      // Else each function inside would be tried both ways, and those inside of it, each time again.
      if (this.asWritten(() => this.#fields(variant, left, right))) return true;
    }
    const reduced = (term: OcamlValue): OcamlValue => (isApplied(term) ? applied(terms, term) : term);
    return this.#deeper(terms.layout.term, reduced(left), reduced(right));
  }

  /** For a constant for which something else stands, or its application. */
  #replacementOf(term: OcamlValue): StandsFor | undefined {
    if (this.#standsFor.size === 0 || this.#asNamed) return undefined;
    const { head } = headAndArguments(term);
    if (!hasTag(head, TERM.constant) || this.#replaced.has(head)) return undefined;
    const name = lastName(field(field(head, 0), 0));
    return this.#standsFor.get(inside(orNothing(modulePath(field(name, 0))), nameText(field(name, 1))));
  }

  /** As a function of as many arguments as it has, or takes on the right. */
  #sameReplaced(terms: Terms, standsFor: StandsFor, left: OcamlValue, right: OcamlValue): boolean {
    const theirs = isApplied(right) ? applied(terms, right) : right;
    const { head, given } = headAndArguments(left);
    let count = given.length;
    for (let rest = theirs; hasTag(rest, TERM.lambda); rest = field(rest, 2)) count += 1;
    const constant = new Block(TERM.constant, [field(head, 0)]);
    this.#replaced.add(constant);
    const replacement = standsFor(constant, count);
    if (replacement === undefined) return false;
    const ours = new Block(TERM.application, [replacement, new Block(0, [...given])]);
    return this.#same(terms.layout.term, given.length === 0 ? replacement : applied(terms, ours), theirs);
  }

  #deeper(shape: Shape, left: OcamlValue, right: OcamlValue): boolean {
    if (this.#depth >= DEEPEST) {
      this.#later.push([shape, left, right]);
      return true;
    }
    this.#depth += 1;
    const same = this.#remembered(shape, left, right);
    this.#depth -= 1;
    return same;
  }

  #remembered(shape: Shape, left: OcamlValue, right: OcamlValue): boolean {
    if (!(left instanceof Block) || !(right instanceof Block)) return this.#same(shape, left, right);
    let ofShape = this.#equal.get(shape);
    if (ofShape === undefined) this.#equal.set(shape, (ofShape = new Map<Block, Set<Block>>()));
    let partners = ofShape.get(left);
    if (partners?.has(right) === true) return true;
    if (!this.#same(shape, left, right)) return false;
    if (partners === undefined) ofShape.set(left, (partners = new Set()));
    partners.add(right);
    return true;
  }

  #fields(shapes: readonly Shape[], left: OcamlValue, right: OcamlValue): boolean {
    if (!(left instanceof Block) || left.fields.length !== shapes.length) throw misfit('a tuple');
    if (!(right instanceof Block) || right.fields.length !== shapes.length) return false;
    return shapes.every((shape, index) => this.#same(shape, field(left, index), field(right, index)));
  }

  #array(of: Shape, left: OcamlValue, right: OcamlValue): boolean {
    if (!(left instanceof Block)) throw misfit('an array');
    if (!(right instanceof Block) || right.fields.length !== left.fields.length) return false;
    return left.fields.every((value, index) => this.#same(of, value, field(right, index)));
  }

  #list(of: Shape, left: OcamlValue, right: OcamlValue): boolean {
    let [here, there] = [left, right];
    for (; here instanceof Block; here = field(here, 1)) {
      if (here.fields.length !== 2) throw misfit('a list');
      if (!(there instanceof Block) || !this.#same(of, field(here, 0), field(there, 0))) return false;
      there = field(there, 1);
    }
    if (here !== 0) throw misfit('a list');
    return there === 0;
  }

  #sameVariable(left: OcamlValue, right: OcamlValue): boolean {
    if (typeof left !== 'number') throw misfit('a universe variable');
    if (this.#variables === undefined || typeof right !== 'number') return left === right;
    const known = this.#variables.get(left);
    if (known === undefined) this.#variables.set(left, right);
    return known === undefined || known === right;
  }

  #renamed(left: OcamlValue, right: OcamlValue): boolean {
    const [from, to] = [generatedName(left), generatedName(right)];
    if (!from.includes(this.#judged)) return from === to;
    const known = this.#forward.get(from);
    if (known !== undefined) return known === to;
    const isMet = this.#backward.has(to);
    if (isMet && this.#merged?.has(to) !== true) return false;
    this.#forward.set(from, to);
    if (!isMet) this.#backward.set(to, from);
    this.#merged?.add(to);
    return true;
  }

  #identical(left: OcamlValue, right: OcamlValue): boolean {
    this.#work.spend(1);
    if (left instanceof Opaque) return right instanceof Opaque && left.bytes === right.bytes;
    if (!(left instanceof Block)) return left === right;
    if (!(right instanceof Block) || left.tag !== right.tag || left.fields.length !== right.fields.length)
      return false;
    return left.fields.every((value, index) => this.#identical(value, field(right, index)));
  }
}

/** True when there is nothing in it but numbers, strings and blocks of these. */
function isPlain(value: OcamlValue): boolean {
  if (value instanceof Block) return value.fields.every(isPlain);
  return typeof value === 'string' || typeof value === 'number';
}

function withoutCast(term: OcamlValue): OcamlValue {
  return hasTag(term, TERM.cast) ? field(term, 0) : term;
}

/** What a name stands for: of a pair the second. */
function lastName(value: OcamlValue): OcamlValue {
  const place = value instanceof Block ? value.fields.length - 1 : Number.NaN;
  if (!(value instanceof Block) || value.tag !== place || place > 1) throw misfit('a name');
  return field(value, place);
}

/** Equal for equal names. @throws MalformedValue */
export function generatedName(value: OcamlValue): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!(value instanceof Block)) throw misfit('a generated name');
  return `(${value.fields.map(generatedName).join('|')})`;
}
