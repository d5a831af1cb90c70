/**
 * What the steps of a text trace are about: its types and terms, by the numbers that its lines give them, and the
 * arguments of a step, read in the order in which they stand.
 */
import type { HypothesesId } from '../kernel/hypotheses.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Refusal } from '../kernel/refusal.ts';
import { unescapeName } from '../kernel/statement.ts';
import type { TermId } from '../kernel/term.ts';
import type { TheoremId } from '../kernel/theorems.ts';
import type { TypeId } from '../kernel/types.ts';
import { MalformedTrace, type TraceReader } from '../trace/trace-reader.ts';
import { UncheckedTerms } from '../trace/unchecked-terms.ts';

/** A trace has about one term for so many bytes. */
const BYTES_FOR_A_TERM = 20;

/** For how many terms to make room for a trace. */
export function expectedTerms({ size }: TraceReader): number {
  return Math.floor(size / BYTES_FOR_A_TERM);
}

export class TraceArguments {
  readonly kernel: Kernel;
  protected readonly reader: TraceReader;
  readonly #types: TypeId[] = [];
  readonly #terms: UncheckedTerms;

  constructor(kernel: Kernel, reader: TraceReader) {
    this.kernel = kernel;
    this.reader = reader;
    this.#terms = new UncheckedTerms(kernel.terms, expectedTerms(reader));
  }

  protected get typeCount(): number {
    return this.#types.length;
  }

  protected get termCount(): number {
    return this.#terms.count;
  }

  term(): TermId {
    return this.#terms.check(this.reader.natural());
  }

  optionalTerm(): TermId | undefined {
    const term = this.reader.optionalNatural();
    return term === undefined ? undefined : this.#terms.check(term);
  }

  terms(): TermId[] {
    return this.many(() => this.term());
  }

  type(): TypeId {
    const type = this.#types[this.reader.natural()];
    if (type === undefined) throw new MalformedTrace('A type is used before it is given.');
    return type;
  }

  typeList(): TypeId[] {
    return this.many(() => this.type());
  }

  theorem(): TheoremId {
    const number = this.reader.natural();
    const theorem = this.kernel.theoremAt(number);
    if (theorem === undefined) throw new MalformedTrace(`The theorem ${number} is used before it is proved.`);
    return theorem;
  }

  pairs<A, B>(read: () => readonly [A, B]): (readonly [A, B])[] {
    return this.many(read);
  }

  name(): string {
    return unescapeName(this.reader.word());
  }

  names(): string[] {
    return this.many(() => this.name());
  }

  /** What a line says that introduces a type. */
  protected typeLine(): void {
    const { types, signature } = this.kernel;
    const letter = this.reader.letter();
    const name = this.name();
    if (letter === 'v') this.#types.push(types.variable(name));
    else if (letter === 'o') {
      const args = this.typeList();
      this.#types.push(types.apply(signature.operator(name, args.length), args));
    } else throw new MalformedTrace('An unknown kind of type.');
  }

  /** What a line says that introduces a term. */
  protected termLine(): void {
    const { terms, signature } = this.kernel;
    const reader = this.reader;
    switch (reader.letter()) {
      case 'a':
        this.#terms.addApplication(reader.natural(), reader.natural());
        break;
      case 'l':
        this.#terms.addAbstraction(this.type(), reader.natural());
        break;
      case 'b':
        this.#terms.addBound(reader.natural());
        break;
      case 'f':
        this.#terms.addAtom(terms.free(this.name(), this.type()));
        break;
      case 'c': {
        const constant = signature.constant(this.name());
        const type = this.type();
        signature.checkInstance(constant, type);
        this.#terms.addAtom(terms.constant(constant, type));
        break;
      }
      default:
        throw new MalformedTrace('An unknown kind of term.');
    }
  }

  /** CONCL HYP… */
  protected sequent(): { readonly conclusion: TermId; readonly hypotheses: HypothesesId } {
    const conclusion = this.term();
    const rest = this.terms();
    const { terms, types } = this.kernel;
    if ([conclusion, ...rest].some((term) => terms.typeOf(term) !== types.bool))
      throw new Refusal('ill-typed', 'A statement is no proposition.');
    return { conclusion, hypotheses: this.kernel.hypotheses.of(rest) };
  }

  protected many<A>(read: () => A): A[] {
    const result: A[] = [];
    while (this.reader.hasField()) result.push(read());
    return result;
  }
}
