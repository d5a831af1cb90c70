/**
 * Names, levels and terms of a compiled module, decoded into a term store. Objects that are shared in the file are
 * decoded once; nothing recurses, so depth does not matter. Hashes, depths and ranges that the file caches are not
 * looked at, `mdata` is dropped, and variables of an elaborator's context (`fvar`, `mvar`) are refused.
 */
import type { BinderInfo, Expression } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import { namesBehindStrings } from '../behind-strings.ts';
import type { TermStore } from '../term-store.ts';
import type { ObjectAddress, ObjectGraph, Slot } from './object-graph.ts';

/** Numbers that index or count something must be below this; larger ones cannot mean anything. */
const COUNT_LIMIT = 2 ** 31;

const BINDER_INFOS = [
  'default',
  'implicit',
  'strictImplicit',
  'instImplicit',
] as const satisfies BinderInfo[];

/** What the constructors of `Expr` are, by tag: pointer fields, bytes, and which fields are subterms. */
const EXPRESSIONS = [
  { what: 'a bound variable', fields: 1, size: 24, subterms: [] },
  { what: 'a free variable', fields: 1, size: 24, subterms: [] },
  { what: 'a metavariable', fields: 1, size: 24, subterms: [] },
  { what: 'a sort', fields: 1, size: 24, subterms: [] },
  { what: 'a constant', fields: 2, size: 32, subterms: [] },
  { what: 'an application', fields: 2, size: 32, subterms: [0, 1] },
  { what: 'a lambda', fields: 3, size: 48, subterms: [1, 2] },
  { what: 'a pi type', fields: 3, size: 48, subterms: [1, 2] },
  { what: 'a let', fields: 4, size: 56, subterms: [1, 2, 3] },
  { what: 'a literal', fields: 1, size: 24, subterms: [] },
  { what: 'annotated data', fields: 2, size: 32, subterms: [1] },
  { what: 'a projection', fields: 3, size: 40, subterms: [2] },
] as const;

const CONSTANT = 4;
const LITERAL = 9;
const PROJECTION = 11;

export class TermReader {
  readonly graph: ObjectGraph;
  readonly store: TermStore;
  readonly #names = new Map<ObjectAddress, Name>();
  readonly #levels = new Map<ObjectAddress, Level>();
  readonly #terms = new Map<ObjectAddress, Expression>();

  constructor(graph: ObjectGraph, store: TermStore) {
    this.graph = graph;
    this.store = store;
  }

  /** The name in a slot of the object at `below`. */
  name(slot: Slot, below: ObjectAddress): Name {
    const { graph } = this;
    const pending: ObjectAddress[] = [];
    let name: Name | undefined;
    for (let at = slot, owner = below; name === undefined;) {
      if (graph.isBoxed(at)) {
        graph.smallScalar(at, 0, 'a name');
        name = this.store.names.anonymous;
        break;
      }
      const object = graph.pointer(at, owner, 'a name');
      name = this.#names.get(object);
      if (name !== undefined) break;
      const tag = graph.tag(object);
      graph.constructorOf(object, tag === 2 ? 2 : 1, 2, 32, 'a name');
      pending.push(object);
      at = graph.field(object, 0);
      owner = object;
    }
    for (const object of pending.reverse()) {
      const slotOfComponent = graph.field(object, 1);
      name = name.child(
        graph.tag(object) === 1
          ? graph.string(
              graph.pointer(slotOfComponent, object, 'a component of a name'),
              'a component of a name',
            )
          : graph.natural(slotOfComponent, object, 'a component of a name'),
      );
      this.#names.set(object, name);
    }
    return name;
  }

  level(slot: Slot, below: ObjectAddress): Level {
    const { graph } = this;
    const known = this.#leafLevel(slot, below);
    if (typeof known !== 'number') return known;
    const pending = [known];
    for (let object = pending.at(-1); object !== undefined; object = pending.at(-1)) {
      if (this.#levels.has(object)) {
        pending.pop();
        continue;
      }
      const tag = graph.tag(object);
      if (tag < 1 || tag > 5)
        throw graph.error(object, `an object of tag ${tag} where a universe level should be.`);
      if (tag === 5) throw graph.error(object, 'a metavariable of a universe level.');
      const two = tag === 2 || tag === 3;
      graph.constructorOf(object, tag, two ? 2 : 1, two ? 32 : 24, 'a universe level');
      if (tag === 4) {
        this.#levels.set(object, this.store.levels.parameter(this.name(graph.field(object, 0), object)));
        continue;
      }
      const left = this.#leafLevel(graph.field(object, 0), object);
      const right = two ? this.#leafLevel(graph.field(object, 1), object) : left;
      if (typeof left === 'number') pending.push(left);
      if (typeof right === 'number' && right !== left) pending.push(right);
      if (typeof left === 'number' || typeof right === 'number') continue;
      const { levels } = this.store;
      const level =
        tag === 1 ? levels.successor(left) : tag === 2 ? levels.max(left, right) : levels.imax(left, right);
      this.#levels.set(object, level);
    }
    const level = this.#levels.get(known);
    if (level === undefined) throw graph.error(known, 'a universe level that was not decoded.');
    return level;
  }

  term(slot: Slot, below: ObjectAddress): Expression {
    const { graph } = this;
    const root = graph.pointer(slot, below, 'a term');
    const pending = [root];
    for (let object = pending.at(-1); object !== undefined; object = pending.at(-1)) {
      if (this.#terms.has(object)) {
        pending.pop();
        continue;
      }
      const tag = graph.tag(object);
      const shape = EXPRESSIONS[tag];
      if (shape === undefined) throw graph.error(object, `an object of tag ${tag} where a term should be.`);
      graph.constructorOf(object, tag, shape.fields, shape.size, shape.what);
      let complete = true;
      for (const index of shape.subterms) {
        const subterm = graph.pointer(graph.field(object, index), object, 'a term');
        if (!this.#terms.has(subterm)) {
          pending.push(subterm);
          complete = false;
        }
      }
      if (complete) this.#terms.set(object, this.#make(object, tag));
    }
    return this.#subterm(root);
  }

  /**
   * Adds the names on which the term in a slot rests, without making terms: for following axioms through libraries
   * that nobody asked to decode. `seen` says whether an object was met before.
   */
  collectNames(
    slot: Slot,
    below: ObjectAddress,
    seen: (object: ObjectAddress) => boolean,
    names: Set<Name>,
  ): void {
    const { graph } = this;
    const pending = [graph.pointer(slot, below, 'a term')];
    for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
      if (seen(object)) continue;
      const tag = graph.tag(object);
      const shape = EXPRESSIONS[tag];
      if (shape === undefined) throw graph.error(object, `an object of tag ${tag} where a term should be.`);
      graph.constructorOf(object, tag, shape.fields, shape.size, shape.what);
      if (tag === CONSTANT || tag === PROJECTION) names.add(this.name(graph.field(object, 0), object));
      if (tag === LITERAL && graph.tag(graph.pointer(graph.field(object, 0), object, 'a literal')) === 1)
        for (const name of namesBehindStrings(this.store)) names.add(name);
      for (const index of shape.subterms) {
        pending.push(graph.pointer(graph.field(object, index), object, 'a term'));
      }
    }
  }

  list<Item>(
    slot: Slot,
    below: ObjectAddress,
    what: string,
    item: (slot: Slot, below: ObjectAddress) => Item,
  ): Item[] {
    const { graph } = this;
    const items: Item[] = [];
    let at = slot;
    let owner = below;
    while (!graph.isBoxed(at)) {
      const cell = graph.pointer(at, owner, what);
      graph.constructorOf(cell, 1, 2, 24, what);
      items.push(item(graph.field(cell, 0), cell));
      at = graph.field(cell, 1);
      owner = cell;
    }
    graph.smallScalar(at, 0, what);
    return items;
  }

  names(slot: Slot, below: ObjectAddress): Name[] {
    return this.list(slot, below, 'a list of names', (at, cell) => this.name(at, cell));
  }

  /** A natural number that indexes or counts something. */
  count(slot: Slot, below: ObjectAddress, what: string): number {
    const value = this.graph.natural(slot, below, what);
    if (value >= COUNT_LIMIT) throw this.graph.error(slot, `${value} is too large for ${what}.`);
    return Number(value);
  }

  flag(object: ObjectAddress, fields: number, index: number, what: string): boolean {
    const byte = this.graph.scalarByte(object, fields, index);
    if (byte > 1)
      throw this.graph.error(object + 8 + 8 * fields + index, `${what} is neither true nor false.`);
    return byte === 1;
  }

  /** The level in a slot if it can be told at once, else the address of its object. */
  #leafLevel(slot: Slot, below: ObjectAddress): Level | ObjectAddress {
    if (this.graph.isBoxed(slot)) {
      this.graph.smallScalar(slot, 0, 'a universe level');
      return this.store.levels.zero;
    }
    const object = this.graph.pointer(slot, below, 'a universe level');
    return this.#levels.get(object) ?? object;
  }

  /** Makes a term whose subterms are known. */
  #make(object: ObjectAddress, tag: number): Expression {
    const { graph, store } = this;
    const at = (index: number): Slot => graph.field(object, index);
    const child = (index: number): Expression => this.#subterm(graph.pointer(at(index), object, 'a term'));
    switch (tag) {
      case 0:
        return store.bound(this.count(at(0), object, 'a bound variable'));
      case 3:
        return store.sort(this.level(at(0), object));
      case CONSTANT: {
        const levels = this.list(at(1), object, 'a list of levels', (slot, cell) => this.level(slot, cell));
        return store.constant(this.name(at(0), object), levels);
      }
      case 5:
        return store.apply(child(0), child(1));
      case 6:
      case 7: {
        const byte = graph.scalarByte(object, 3, 8);
        const info = BINDER_INFOS[byte];
        if (info === undefined) throw graph.error(object + 40, `unknown binder info ${byte}.`);
        const name = this.name(at(0), object);
        return tag === 6
          ? store.lambda(name, child(1), child(2), info)
          : store.pi(name, child(1), child(2), info);
      }
      case 8:
        return store.let(
          this.name(at(0), object),
          child(1),
          child(2),
          child(3),
          this.flag(object, 4, 8, 'the mark of a let'),
        );
      case 9:
        return this.#literal(graph.pointer(at(0), object, 'a literal'));
      case 10:
        return child(1);
      case PROJECTION:
        return store.projection(
          this.name(at(0), object),
          this.count(at(1), object, 'the index of a projection'),
          child(2),
        );
      default:
        throw graph.error(
          object,
          `${EXPRESSIONS[tag]?.what ?? 'an unknown term'}, which no finished declaration has.`,
        );
    }
  }

  #literal(object: ObjectAddress): Expression {
    const { graph } = this;
    const tag = graph.tag(object);
    graph.constructorOf(object, tag === 1 ? 1 : 0, 1, 16, 'the value of a literal');
    const slot = graph.field(object, 0);
    if (tag === 0) return this.store.natural(graph.natural(slot, object, 'a natural literal'));
    return this.store.string(
      graph.string(graph.pointer(slot, object, 'a string literal'), 'a string literal'),
    );
  }

  #subterm(object: ObjectAddress): Expression {
    const term = this.#terms.get(object);
    if (term === undefined) throw this.graph.error(object, 'a term that was not decoded.');
    return term;
  }
}
