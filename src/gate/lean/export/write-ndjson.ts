/**
 * Writes declarations as lean4export's NDJSON, version 3.1. Names, levels and terms are written once, right before
 * what needs them, so that the lines can be read, and written, as a stream. Uses no recursion on terms.
 */
import { appendAll } from '../../../core/lists/many.ts';
import type { ConstantDeclaration, Declaration, ReducibilityHints } from '../declaration.ts';
import type { Expression } from '../expression.ts';
import { directSubterms } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';

/** What the first line says: who exported, and from which Lean. */
export interface ExportMeta {
  readonly exporter: { readonly name: string; readonly version: string };
  readonly lean: { readonly version: string; readonly githash: string };
}

const QUOTIENT_KINDS = { type: 'type', constructor: 'ctor', lift: 'lift', induction: 'ind' } as const;

export class NdjsonWriter {
  readonly #write: (line: string) => void;
  readonly #names = new Map<Name, number>();
  readonly #levels = new Map<Level, number>();
  readonly #terms = new Map<Expression, number>();

  /** `write` gets the lines without their ends, the first one at once. */
  constructor(meta: ExportMeta, write: (line: string) => void) {
    this.#write = write;
    write(JSON.stringify({ meta: { ...meta, format: { version: '3.1.0' } } }));
  }

  /** All declarations must be of one store. */
  add(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'axiom':
        this.#line({ axiom: { ...this.#constant(declaration), isUnsafe: declaration.isUnsafe } });
        break;
      case 'definition':
        this.#line({
          def: {
            ...this.#constant(declaration),
            all: this.#nameList(declaration.all),
            hints: hints(declaration.hints),
            safety: declaration.safety,
            value: this.#term(declaration.value),
          },
        });
        break;
      case 'theorem':
        this.#line({
          thm: {
            ...this.#constant(declaration),
            all: this.#nameList(declaration.all),
            value: this.#term(declaration.value),
          },
        });
        break;
      case 'opaque':
        this.#line({
          opaque: {
            ...this.#constant(declaration),
            all: this.#nameList(declaration.all),
            isUnsafe: declaration.isUnsafe,
            value: this.#term(declaration.value),
          },
        });
        break;
      case 'quotient':
        this.#line({
          quot: { ...this.#constant(declaration), kind: QUOTIENT_KINDS[declaration.role] },
        });
        break;
      case 'inductive-block': {
        const types = declaration.types.map((type) => ({
          ...this.#constant(type),
          all: this.#nameList(type.all),
          ctors: this.#nameList(type.constructors),
          isRec: type.isRecursive,
          isReflexive: type.isReflexive,
          isUnsafe: type.isUnsafe,
          numIndices: type.indexCount,
          numNested: type.nestedCount,
          numParams: type.parameterCount,
        }));
        const ctors = declaration.constructors.map((constructor) => ({
          ...this.#constant(constructor),
          cidx: constructor.index,
          induct: this.#name(constructor.inductive),
          isUnsafe: constructor.isUnsafe,
          numFields: constructor.fieldCount,
          numParams: constructor.parameterCount,
        }));
        const recs = declaration.recursors.map((recursor) => ({
          ...this.#constant(recursor),
          all: this.#nameList(recursor.all),
          isUnsafe: recursor.isUnsafe,
          k: recursor.isK,
          numIndices: recursor.indexCount,
          numMinors: recursor.minorCount,
          numMotives: recursor.motiveCount,
          numParams: recursor.parameterCount,
          rules: recursor.rules.map((rule) => ({
            ctor: this.#name(rule.constructor),
            nfields: rule.fieldCount,
            rhs: this.#term(rule.value),
          })),
        }));
        this.#line({ inductive: { types, ctors, recs } });
        break;
      }
    }
  }

  #constant({ name, levelParameters, type }: ConstantDeclaration) {
    return {
      name: this.#name(name),
      levelParams: this.#nameList(levelParameters),
      type: this.#term(type),
    };
  }

  #nameList(names: readonly Name[]): number[] {
    return names.map((name) => this.#name(name));
  }

  #name(name: Name): number {
    const { prefix, component } = name;
    if (prefix === undefined) return 0;
    let number = this.#names.get(name);
    if (number === undefined) {
      const pre = this.#name(prefix);
      number = this.#names.size + 1;
      this.#names.set(name, number);
      // JSON numbers have as many digits as they need; JSON.stringify does not take big ones.
      const what =
        typeof component === 'bigint'
          ? `"num":{"i":${component},"pre":${pre}}`
          : `"str":${JSON.stringify({ pre, str: component })}`;
      this.#write(`{"in":${number},${what}}`);
    }
    return number;
  }

  #level(level: Level): number {
    if (level.kind === 'zero') return 0;
    const known = this.#levels.get(level);
    if (known !== undefined) return known;
    const content = this.#levelContent(level);
    const number = this.#levels.size + 1;
    this.#levels.set(level, number);
    this.#line({ il: number, ...content });
    return number;
  }

  #levelContent(level: Exclude<Level, { kind: 'zero' }>): object {
    switch (level.kind) {
      case 'successor':
        return { succ: this.#level(level.of) };
      case 'max':
      case 'imax':
        return { [level.kind]: [this.#level(level.left), this.#level(level.right)] };
      case 'parameter':
        return { param: this.#name(level.name) };
    }
  }

  #term(root: Expression): number {
    const pending = [root];
    for (let term = pending.at(-1); term !== undefined; term = pending.at(-1)) {
      const missing = this.#terms.has(term)
        ? []
        : directSubterms(term).filter((part) => !this.#terms.has(part));
      if (missing.length > 0) {
        appendAll(pending, missing.reverse());
        continue;
      }
      pending.pop();
      if (this.#terms.has(term)) continue;
      const content = this.#content(term);
      const number = this.#terms.size;
      this.#terms.set(term, number);
      this.#line({ ...content, ie: number });
    }
    return this.#number(root);
  }

  #content(term: Expression): object {
    switch (term.kind) {
      case 'bound':
        return { bvar: term.index };
      case 'free':
        throw new RangeError('A free variable is no part of a declaration.');
      case 'sort':
        return { sort: this.#level(term.level) };
      case 'constant':
        return {
          const: { name: this.#name(term.name), us: term.levels.map((level) => this.#level(level)) },
        };
      case 'application':
        return { app: { arg: this.#number(term.argument), fn: this.#number(term.fn) } };
      case 'lambda':
      case 'pi': {
        const binder = {
          binderInfo: term.info,
          body: this.#number(term.body),
          name: this.#name(term.name),
          type: this.#number(term.type),
        };
        return term.kind === 'lambda' ? { lam: binder } : { forallE: binder };
      }
      case 'let':
        return {
          letE: {
            body: this.#number(term.body),
            name: this.#name(term.name),
            nondep: term.nondep,
            type: this.#number(term.type),
            value: this.#number(term.value),
          },
        };
      case 'natural':
        return { natVal: term.natural.toString() };
      case 'string':
        return { strVal: term.text };
      case 'projection':
        return {
          proj: { idx: term.index, struct: this.#number(term.subject), typeName: this.#name(term.name) },
        };
    }
  }

  #number(term: Expression): number {
    const number = this.#terms.get(term);
    if (number === undefined) throw new RangeError('A term is written after what needs it.');
    return number;
  }

  #line(value: object): void {
    this.#write(JSON.stringify(value));
  }
}

function hints(value: ReducibilityHints): unknown {
  switch (value.kind) {
    case 'opaque':
      return 'opaque';
    case 'abbreviation':
      return 'abbrev';
    case 'regular':
      return { regular: value.height };
  }
}
