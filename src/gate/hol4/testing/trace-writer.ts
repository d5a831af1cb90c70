/** Writes text traces for tests: terms with named variables, steps by rule, everything numbered as the format wants. */
import { escapeName } from '../kernel/statement.ts';

export type Type =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'operator'; readonly name: string; readonly args: readonly Type[] };

export type Term =
  | { readonly kind: 'free'; readonly name: string; readonly type: Type }
  | { readonly kind: 'constant'; readonly name: string; readonly type: Type }
  | { readonly kind: 'apply'; readonly fun: Term; readonly argument: Term }
  | { readonly kind: 'lambda'; readonly variable: Term; readonly body: Term }
  /** As it will stand in the trace, for terms that are none. */
  | { readonly kind: 'bound'; readonly index: number };

export interface Theorem {
  readonly kind: 'theorem';
  readonly number: number;
}

export const tyvar = (name: string): Type => ({ kind: 'variable', name });
export const operator = (name: string, ...args: Type[]): Type => ({ kind: 'operator', name, args });
export const bool = operator('min$bool');
export const ind = operator('min$ind');
export const fun = (...types: Type[]): Type =>
  types.reduceRight((range, domain) => operator('min$fun', domain, range));

export const free = (name: string, type: Type = bool): Term => ({ kind: 'free', name, type });
export const constant = (name: string, type: Type): Term => ({ kind: 'constant', name, type });
export const apply = (head: Term, ...args: Term[]): Term =>
  args.reduce<Term>((sofar, argument) => ({ kind: 'apply', fun: sofar, argument }), head);
export const lambda = (variable: Term, body: Term): Term => ({ kind: 'lambda', variable, body });
export const bound = (index: number): Term => ({ kind: 'bound', index });

export const T = constant('bool$T', bool);
export const F = constant('bool$F', bool);
export const equal = (left: Term, right: Term, type: Type = bool): Term =>
  apply(constant('min$=', fun(type, type, bool)), left, right);
export const implies = (left: Term, right: Term): Term =>
  apply(constant('min$==>', fun(bool, bool, bool)), left, right);
export const and = (left: Term, right: Term): Term =>
  apply(constant('bool$/\\', fun(bool, bool, bool)), left, right);
export const or = (left: Term, right: Term): Term =>
  apply(constant('bool$\\/', fun(bool, bool, bool)), left, right);
export const not = (term: Term): Term => apply(constant('bool$~', fun(bool, bool)), term);
const quantifier =
  (name: string) =>
  (variable: Term, body: Term): Term =>
    apply(constant(name, fun(fun(typeOfVariable(variable), bool), bool)), lambda(variable, body));
export const forall = quantifier('bool$!');
export const exists = quantifier('bool$?');

function typeOfVariable(variable: Term): Type {
  if (variable.kind !== 'free') throw new Error('A quantifier binds a variable.');
  return variable.type;
}

export interface WriterSettings {
  readonly parents?: readonly (readonly [string, string])[];
}

export class TraceWriter {
  readonly #lines: string[] = [];
  readonly #numbers: Readonly<Record<'type' | 'term', Numbers>> = {
    type: { of: new Map(), count: 0 },
    term: { of: new Map(), count: 0 },
  };
  #theorems = 0;
  #hasEnd = false;

  constructor(theory: string, { parents = [['bool', 'hash of bool']] }: WriterSettings = {}) {
    this.#lines.push(`theory ${theory}`, ...parents.map(([name, hash]) => `parent ${name} ${hash}`));
  }

  /** As it stands; whatever it numbers is counted. */
  line(text: string): this {
    this.#lines.push(text);
    const [sort] = text.split(' ');
    if (sort === 't') this.#theorems += 1;
    else if (sort === 'end') this.#hasEnd = true;
    else if (sort === 'y') this.#count(this.#numbers.type, text);
    else if (sort === 'm') this.#count(this.#numbers.term, text);
    return this;
  }

  /** The theorem that the next step makes. */
  get next(): Theorem {
    return { kind: 'theorem', number: this.#theorems };
  }

  declareConstant(name: string, type: Type): this {
    return this.line(`const ${name} ${this.type(type)}`);
  }

  declareType(name: string, arity: number): this {
    return this.line(`type ${name} ${arity}`);
  }

  /** Numbers stand for themselves, strings for names. */
  step(rule: string, ...args: (Term | Type | Theorem | number | string)[]): Theorem {
    const fields = args.map((argument) => this.#argument(argument));
    const made = this.next;
    this.line(['t', rule, ...fields].join(' '));
    return made;
  }

  export(
    name: string,
    theorem: Theorem,
    conclusion: Term,
    {
      hypotheses = [],
      tags = '[] []',
    }: { readonly hypotheses?: readonly Term[]; readonly tags?: string } = {},
  ): this {
    const terms = [conclusion, ...hypotheses].map((term) => this.term(term));
    return this.line(`named ${name} T ${theorem.number} ${tags} ${terms.join(' ')}`);
  }

  text(): string {
    const { type, term } = this.#numbers;
    const end = this.#hasEnd ? [] : [`end ${type.count} ${term.count} ${this.#theorems}`];
    return `${[...this.#lines, ...end].join('\n')}\n`;
  }

  bytes(): Buffer {
    return Buffer.from(this.text());
  }

  type(type: Type): number {
    return this.#number(
      'type',
      type.kind === 'variable'
        ? `y v ${type.name}`
        : ['y o', type.name, ...type.args.map((argument) => this.type(argument))].join(' '),
    );
  }

  term(term: Term, binders: readonly string[] = []): number {
    switch (term.kind) {
      case 'free': {
        const index = binders.indexOf(JSON.stringify(term));
        return this.#number(
          'term',
          index >= 0 ? `m b ${index}` : `m f ${escapeName(term.name)} ${this.type(term.type)}`,
        );
      }
      case 'constant':
        return this.#number('term', `m c ${escapeName(term.name)} ${this.type(term.type)}`);
      case 'bound':
        return this.#number('term', `m b ${term.index}`);
      case 'apply':
        return this.#number(
          'term',
          `m a ${this.term(term.fun, binders)} ${this.term(term.argument, binders)}`,
        );
      case 'lambda': {
        const type = this.type(typeOfVariable(term.variable));
        return this.#number(
          'term',
          `m l ${type} ${this.term(term.body, [JSON.stringify(term.variable), ...binders])}`,
        );
      }
    }
  }

  #argument(argument: Term | Type | Theorem | number | string): string {
    if (typeof argument === 'string') return argument;
    if (typeof argument === 'number') return String(argument);
    switch (argument.kind) {
      case 'theorem':
        return String(argument.number);
      case 'variable':
      case 'operator':
        return String(this.type(argument));
      default:
        return String(this.term(argument));
    }
  }

  #number(sort: 'type' | 'term', line: string): number {
    const known = this.#numbers[sort].of.get(line);
    if (known !== undefined) return known;
    this.line(line);
    return this.#numbers[sort].count - 1;
  }

  #count(numbers: Numbers, line: string): void {
    if (!numbers.of.has(line)) numbers.of.set(line, numbers.count);
    numbers.count += 1;
  }
}

/** The first number of each line, and how many there are. */
interface Numbers {
  readonly of: Map<string, number>;
  count: number;
}
