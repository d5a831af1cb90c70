/**
 * What a text trace says, found without the kernel and its readers: from its lines alone. For tests that ask
 * whether an accepted trace was rightly accepted. Whether steps follow is not looked at: what is proved in an
 * accepted trace is compared with what was proved in the one that it was made from.
 */
import { createHash } from 'node:crypto';

export interface TraceLook {
  /** For each name that is exported, its conclusion and hypotheses up to names of bound variables. */
  readonly exports: ReadonlyMap<string, string>;
  /** What is asserted without proof below what is exported under a name, as statements. */
  readonly asserted: ReadonlySet<string>;
  /** How the theory's own names came to be of which the exported statements speak, directly or through definitions. */
  readonly introduced: ReadonlyMap<string, string>;
}

/**
 * Which fields of a step are theorems, after docs/judge/hol4-replay.md: m is a term, y a type, t a theorem, w a
 * word; the last repeats.
 */
const FIELDS: Readonly<Record<string, string>> = {
  ...fields('m', 'REFL ASSUME BETA_CONV'),
  ...fields('mm', 'ALPHA'),
  ...fields('t', 'Beta SYM NOT_INTRO NOT_ELIM CONJUNCT1 CONJUNCT2 EQ_IMP_RULE1 EQ_IMP_RULE2'),
  ...fields('mt', 'ABS AP_TERM AP_THM DISCH CCONTR DISJ1 DISJ2 GEN SPEC Specialize'),
  ...fields('tt', 'MK_COMB TRANS EQ_MP MP CONJ deductAntisym'),
  ...fields('ttt', 'Mk_comb DISJ_CASES'),
  ...fields('mtt', 'Mk_abs CHOOSE'),
  ...fields('mmt', 'EXISTS'),
  ...fields('tm', 'GENL GEN_ABS INST'),
  ...fields('ty', 'INST_TYPE'),
  ...fields('mw', 'DEF_CONST'),
  ...fields('tw', 'DEF_SPEC DEF_CONST_LIST'),
  ...fields('twy', 'DEF_TYOP'),
};

function fields(sorts: string, rules: string): Record<string, string> {
  return Object.fromEntries(rules.split(' ').map((rule) => [rule, sorts]));
}

export function lookAtTrace(text: string): TraceLook {
  return new Looking(text).look();
}

/** What is defined need not be declared: its definition says all. */
interface Introduction {
  declared: string | undefined;
  defined: string | undefined;
  readonly names: Set<string>;
}

class Looking {
  readonly #text: string;
  #theory = '';
  readonly #types: { readonly hash: string; readonly names: ReadonlySet<string> }[] = [];
  readonly #terms: { readonly hash: string; readonly names: ReadonlySet<string> }[] = [];
  /** Of each theorem the theorems that it was made from, and what it asserts. */
  readonly #theorems: { readonly from: readonly number[]; readonly asserts: string | undefined }[] = [];
  readonly #introduced = new Map<string, Introduction>();
  readonly #exports = new Map<string, { readonly theorem: number; readonly statement: string }>();
  readonly #spoken = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  look(): TraceLook {
    for (const line of this.#text.split('\n')) this.#line(line.split(' ').filter((field) => field !== ''));
    const asserted = new Set<string>();
    const seen = new Set<number>();
    const pending = [...this.#exports.values()].map(({ theorem }) => theorem);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const { from, asserts } = entry(this.#theorems, next);
      if (asserts !== undefined) asserted.add(asserts);
      pending.push(...from);
    }
    const introduced = new Map<string, string>();
    for (const name of this.#spoken) {
      const found = this.#introduced.get(name);
      introduced.set(name, found === undefined ? 'not at all' : String(found.defined ?? found.declared));
      for (const further of found?.names ?? []) this.#spoken.add(further);
    }
    return {
      exports: new Map([...this.#exports].map(([name, { statement }]) => [name, statement])),
      asserted,
      introduced,
    };
  }

  #line([kind = '', ...rest]: readonly string[]): void {
    switch (kind) {
      case 'theory':
        this.#theory = word(rest, 0);
        break;
      case 'y':
        this.#types.push(this.#node(rest, rest[0] === 'o' ? { types: rest.slice(2), name: rest[1] } : {}));
        break;
      case 'm':
        this.#terms.push(this.#term(rest));
        break;
      case 'const': {
        const { hash, names } = this.#type(rest[1]);
        this.#declare(`${this.#theory}$${word(rest, 0)}`, hash, names);
        break;
      }
      case 'type':
        this.#declare(`${this.#theory}$${word(rest, 0)}`, `of arity ${word(rest, 1)}`, new Set());
        break;
      case 't':
        this.#step(rest);
        break;
      case 'named': {
        const [name = '', , theorem, , , ...terms] = rest;
        for (const term of terms) for (const one of this.#termAt(term).names) this.#spoken.add(one);
        this.#exports.set(name, { theorem: Number(theorem), statement: this.#statement(terms) });
        break;
      }
    }
  }

  #term(rest: readonly string[]): { readonly hash: string; readonly names: ReadonlySet<string> } {
    switch (rest[0]) {
      case 'f':
        return this.#node(rest, { types: rest.slice(2) });
      case 'c':
        return this.#node(rest, { types: rest.slice(2), name: rest[1] });
      case 'a':
        return this.#node(rest, { terms: rest.slice(1) });
      case 'l':
        return this.#node(rest, { types: rest.slice(1, 2), terms: rest.slice(2) });
      default:
        return this.#node(rest, {});
    }
  }

  /** Its own words, with the parts in place of their numbers. */
  #node(
    rest: readonly string[],
    parts: { types?: readonly string[]; terms?: readonly string[]; name?: string | undefined },
  ): { readonly hash: string; readonly names: ReadonlySet<string> } {
    const { types = [], terms = [], name } = parts;
    const inner = [...types.map((one) => this.#type(one)), ...terms.map((one) => this.#termAt(one))];
    const names = new Set(inner.flatMap((part) => [...part.names]));
    if (name !== undefined) names.add(name);
    const own = rest.slice(0, rest.length - types.length - terms.length);
    return { hash: digest([own, inner.map(({ hash }) => hash)]), names };
  }

  #step([rule = '', ...rest]: readonly string[]): void {
    if (rule === 'AXIOM' || rule === 'DELETED' || rule === 'EXPORTED') {
      this.#theorems.push({ from: [], asserts: this.#statement(rest) });
      return;
    }
    if (rule === 'DISK') {
      this.#theorems.push({ from: [], asserts: undefined });
      return;
    }
    if (rule === 'SUBST' || rule === 'COMPUTE') {
      // SUBST m t (m t)…, COMPUTE m n t… (NAME t)…
      const codes = rule === 'COMPUTE' ? Number(rest[1]) : 0;
      const isTheorem = (at: number): boolean =>
        rule === 'SUBST' ? at % 2 === 1 : at >= 2 && (at < 2 + codes || (at - 2 - codes) % 2 === 1);
      const from = rest.flatMap((field, at) => (isTheorem(at) ? [Number(field)] : []));
      this.#theorems.push({ from, asserts: undefined });
      return;
    }
    const sorts = FIELDS[rule];
    if (sorts === undefined) throw new Error(`The rule ${rule} is not known.`);
    const from: number[] = [];
    const told: string[] = [];
    const mentioned = new Set<string>();
    for (const [at, field] of rest.entries()) {
      const sort = sorts[Math.min(at, sorts.length - 1)];
      if (sort === 't') from.push(Number(field));
      if (sort === 'm' && rule === 'DEF_CONST') {
        told.push(this.#termAt(field).hash);
        for (const name of this.#termAt(field).names) mentioned.add(name);
      }
    }
    const [, ...names] = rest;
    if (rule === 'DEF_TYOP') names.splice(1);
    // Of what a premise states the kernel alone knows; a definition is exported, and compared as a statement.
    if (rule.startsWith('DEF_'))
      for (const name of names) this.#define(name, digest([rule, names, told]), mentioned);
    this.#theorems.push({ from, asserts: undefined });
  }

  #declare(name: string, how: string, names: ReadonlySet<string>): void {
    const known = this.#introductionOf(name);
    known.declared = `${known.declared ?? ''}${how}; `;
    for (const one of names) known.names.add(one);
  }

  #define(name: string, how: string, names: ReadonlySet<string>): void {
    const known = this.#introductionOf(name);
    known.defined = `${known.defined ?? ''}${how}; `;
    for (const one of names) known.names.add(one);
  }

  #introductionOf(name: string): Introduction {
    const known = this.#introduced.get(name) ?? { declared: undefined, defined: undefined, names: new Set() };
    this.#introduced.set(name, known);
    return known;
  }

  #statement([conclusion, ...hypotheses]: readonly string[]): string {
    const members = new Set(hypotheses.map((one) => this.#termAt(one).hash));
    return digest([this.#termAt(conclusion).hash, [...members].sort()]);
  }

  #type(field: string | undefined): { readonly hash: string; readonly names: ReadonlySet<string> } {
    return entry(this.#types, Number(field));
  }

  #termAt(field: string | undefined): { readonly hash: string; readonly names: ReadonlySet<string> } {
    return entry(this.#terms, Number(field));
  }
}

/**
 * Why a trace that was accepted in the place of another one should not have been; undefined when nothing speaks
 * against it.
 */
export function faultOf(original: TraceLook, changed: TraceLook): string | undefined {
  for (const [name, statement] of original.exports)
    if (changed.exports.get(name) !== statement) return `${name} states something else`;
  for (const statement of changed.asserted)
    if (!original.asserted.has(statement)) return 'it rests on another assertion';
  for (const [name, told] of original.introduced)
    if (changed.introduced.get(name) !== told) return `${name} came to be in another way`;
  return undefined;
}

function word(words: readonly string[], at: number): string {
  const found = words[at];
  if (found === undefined) throw new Error('A line is too short.');
  return found;
}

function entry<Value>(table: readonly Value[], at: number): Value {
  const found = table[at];
  if (found === undefined) throw new Error(`Nothing has the number ${at}.`);
  return found;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
