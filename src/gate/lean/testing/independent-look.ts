/**
 * What an export says of a theorem, found without the readers and the kernel: from the JSON of its lines alone. For
 * tests that ask whether an accepted file was rightly accepted.
 */
import { createHash } from 'node:crypto';

type Json = Readonly<Record<string, unknown>>;

export interface Look {
  /** A hash of the statement with everything that it speaks of; undefined when there is no such theorem. */
  readonly meaning: string | undefined;
  /** The axioms that the theorem rests on, to the end. */
  readonly axioms: ReadonlySet<string>;
}

export function lookAt(text: string, theorem: string): Look {
  return new Looking(text).at(theorem);
}

const BEHIND_STRINGS = [
  'String',
  'String.ofList',
  'String.mk',
  'List',
  'List.nil',
  'List.cons',
  'Char',
  'Char.ofNat',
];

class Looking {
  readonly #names = new Map<number, string>([[0, '']]);
  readonly #levels = new Map<number, string>([[0, '0']]);
  readonly #terms = new Map<number, { readonly hash: string; readonly uses: ReadonlySet<string> }>();
  /** For each constant its kind, the hash of what is to be read about it, and what its meaning and its proof use. */
  readonly #constants = new Map<
    string,
    { kind: string; own: string; speaksOf: Set<string>; uses: Set<string> }
  >();

  constructor(text: string) {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#line(JSON.parse(line) as Json);
  }

  at(theorem: string): Look {
    const found = this.#constants.get(theorem);
    if (found?.kind !== 'thm') return { meaning: undefined, axioms: new Set() };
    const spoken = this.#closure([theorem], 'speaksOf');
    const meaning = digest([...spoken].sort().map((name) => [name, this.#constants.get(name)?.own]));
    const used = this.#closure([theorem], 'uses');
    return {
      meaning,
      axioms: new Set([...used].filter((name) => this.#constants.get(name)?.kind === 'axiom')),
    };
  }

  #closure(roots: readonly string[], by: 'speaksOf' | 'uses'): Set<string> {
    const seen = new Set(roots);
    for (const name of seen) {
      // Recursors follow from their types; a file may leave them out.
      const [, type] = /^(.*)\."rec(?:_\d+)?"$/.exec(name) ?? [];
      if (type !== undefined && !this.#constants.has(name)) seen.add(type);
      for (const next of this.#constants.get(name)?.[by] ?? []) seen.add(next);
    }
    return seen;
  }

  #line(line: Json): void {
    if ('in' in line) this.#names.set(number(line['in']), this.#nameOf(line));
    else if ('il' in line) this.#levels.set(number(line['il']), this.#levelOf(line));
    else if ('ie' in line) this.#terms.set(number(line['ie']), this.#termOf(line));
    else if (!('meta' in line)) this.#declaration(line);
  }

  #nameOf({ str, num }: Json): string {
    const { pre, str: text, i } = (str ?? num) as { pre: number; str?: string; i?: number };
    return `${this.#name(pre)}.${text === undefined ? String(i) : JSON.stringify(text)}`;
  }

  #levelOf(line: Json): string {
    if ('succ' in line) return `S(${this.#level(line['succ'])})`;
    if ('param' in line) return `P(${this.#name(line['param'])})`;
    const [kind, pair] = 'max' in line ? ['max', line['max']] : ['imax', line['imax']];
    return `${kind}(${(pair as number[]).map((one) => this.#level(one)).join()})`;
  }

  #termOf(line: Json): { hash: string; uses: ReadonlySet<string> } {
    const [kind] = Object.keys(line).filter((key) => key !== 'ie');
    if (kind === undefined) throw new Error('a term without a kind');
    const content = line[kind] as Json;
    if (kind === 'mdata') return this.#term(content['expr']);
    const uses = new Set<string>();
    const part = (value: unknown): string => {
      const term = this.#term(value);
      for (const name of term.uses) uses.add(name);
      return term.hash;
    };
    const parts = (): readonly unknown[] => {
      switch (kind) {
        case 'app':
          return [part(content['fn']), part(content['arg'])];
        case 'lam':
        case 'forallE':
          return [part(content['type']), part(content['body'])];
        case 'letE':
          return [part(content['type']), part(content['value']), part(content['body'])];
        case 'proj':
          uses.add(this.#name(content['typeName']));
          return [this.#name(content['typeName']), content['idx'], part(content['struct'])];
        case 'const':
          uses.add(this.#name(content['name']));
          return [this.#name(content['name']), (content['us'] as number[]).map((one) => this.#level(one))];
        case 'sort':
          return [this.#level(content)];
        case 'strVal':
          for (const name of BEHIND_STRINGS)
            uses.add(name.replace(/[^.]+/g, (component) => JSON.stringify(component)).replace(/^/, '.'));
          return [content];
        default:
          return [content];
      }
    };
    return { hash: digest([kind, parts()]), uses };
  }

  #declaration(line: Json): void {
    const [kind] = Object.keys(line);
    if (kind === undefined) return;
    const content = line[kind];
    if (kind !== 'inductive') {
      for (const one of (Array.isArray(content) ? content : [content]) as Json[]) this.#constant(kind, one);
      return;
    }
    const { types, ctors } = content as { types: Json[]; ctors: Json[] };
    // The order that counts is that of the list of names in each type.
    const members = [...types, ...ctors].map(({ name }) => this.#name(name)).sort();
    for (const one of types) this.#constant('type', one, members);
    for (const one of ctors) this.#constant('ctor', one, members);
  }

  #constant(kind: string, content: Json, members: readonly string[] = []): void {
    const type = this.#term(content['type']);
    const value = 'value' in content ? this.#term(content['value']) : undefined;
    const levels = (content['levelParams'] as number[]).map((one) => this.#name(one));
    const spoken = kind === 'thm' ? undefined : value;
    this.#constants.set(this.#name(content['name']), {
      kind,
      own: digest([
        kind,
        levels,
        type.hash,
        spoken?.hash,
        content['numParams'],
        members,
        this.#listed(content),
      ]),
      speaksOf: new Set([...type.uses, ...(spoken?.uses ?? []), ...members]),
      uses: new Set([...type.uses, ...(value?.uses ?? []), ...members]),
    });
  }

  #listed({ ctors }: Json): readonly string[] {
    return Array.isArray(ctors) ? ctors.map((one) => this.#name(one)) : [];
  }

  #name(value: unknown): string {
    return known(this.#names, value);
  }

  #level(value: unknown): string {
    return known(this.#levels, value);
  }

  #term(value: unknown): { readonly hash: string; readonly uses: ReadonlySet<string> } {
    return known(this.#terms, value);
  }
}

/** As the names of `Looking`: `["Nat", "add"]` is `."Nat"."add"`. */
export function lookedUpName(components: readonly string[]): string {
  return components.map((component) => `.${JSON.stringify(component)}`).join('');
}

function known<Value>(table: ReadonlyMap<number, Value>, value: unknown): Value {
  const found = table.get(number(value));
  if (found === undefined) throw new Error(`nothing has the number ${String(value)}`);
  return found;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new Error('no number');
  return value;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
