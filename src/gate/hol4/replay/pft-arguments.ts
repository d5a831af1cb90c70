/** The arguments of one command, looked up in the spaces that they belong to. */
import type { TermId } from '../kernel/term.ts';
import type { TheoremId } from '../kernel/theorems.ts';
import type { TypeId } from '../kernel/types.ts';
import type { PftCommand, PftValue } from '../trace/pft-reader.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

export class PftArguments {
  readonly #command: PftCommand;
  readonly #types: ReadonlyMap<number, TypeId>;
  readonly #terms: ReadonlyMap<number, TermId>;
  readonly #theorems: ReadonlyMap<number, TheoremId>;

  constructor(
    command: PftCommand,
    types: ReadonlyMap<number, TypeId>,
    terms: ReadonlyMap<number, TermId>,
    theorems: ReadonlyMap<number, TheoremId>,
  ) {
    this.#command = command;
    this.#types = types;
    this.#terms = terms;
    this.#theorems = theorems;
  }

  number(key: string): number {
    const value = this.#value(key);
    if (typeof value !== 'number') throw this.#wrong(key);
    return value;
  }

  text(key: string): string {
    const value = this.#value(key);
    if (typeof value !== 'string') throw this.#wrong(key);
    return value;
  }

  type(key: string): TypeId {
    return this.lookUp(this.#types, this.number(key));
  }

  term(key: string): TermId {
    return this.lookUp(this.#terms, this.number(key));
  }

  theorem(key: string): TheoremId {
    return this.lookUp(this.#theorems, this.number(key));
  }

  types(key: string): TypeId[] {
    return this.#numbers(key).map((number) => this.lookUp(this.#types, number));
  }

  terms(key: string): TermId[] {
    return this.#numbers(key).map((number) => this.lookUp(this.#terms, number));
  }

  theorems(key: string): TheoremId[] {
    return this.#numbers(key).map((number) => this.lookUp(this.#theorems, number));
  }

  names(key: string): string[] {
    return this.#list(key).map((name) => {
      if (typeof name !== 'string') throw this.#wrong(key);
      return name;
    });
  }

  pairs<Left, Right>(
    key: string,
    left: ReadonlyMap<number, Left>,
    right: ReadonlyMap<number, Right>,
  ): (readonly [Left, Right])[] {
    return this.#list(key).map((pair) => {
      if (typeof pair !== 'object' || typeof pair[0] !== 'number') throw this.#wrong(key);
      return [this.lookUp(left, pair[0]), this.lookUp(right, pair[1])] as const;
    });
  }

  named(key: string): (readonly [string, number])[] {
    return this.#list(key).map((pair) => {
      if (typeof pair !== 'object' || typeof pair[0] !== 'string') throw this.#wrong(key);
      return [pair[0], pair[1]] as const;
    });
  }

  lookUp<Id>(space: ReadonlyMap<number, Id>, number: number): Id {
    const found = space.get(number);
    if (found === undefined) throw new MalformedTrace(`The object ${number} is used before it is given.`);
    return found;
  }

  #numbers(key: string): number[] {
    return this.#list(key).map((number) => {
      if (typeof number !== 'number') throw this.#wrong(key);
      return number;
    });
  }

  #list(key: string): readonly (number | string | readonly [number, number] | readonly [string, number])[] {
    const value = this.#value(key);
    if (typeof value !== 'object') throw this.#wrong(key);
    return value;
  }

  #value(key: string): PftValue | undefined {
    return this.#command.arguments[key];
  }

  #wrong(key: string): MalformedTrace {
    return new MalformedTrace(`The argument ${key} of ${this.#command.name} is missing or of another sort.`);
  }
}
