/**
 * Reads the data file of an HOL4 theory (`fooTheory.dat`) without running any code: names, statements as terms,
 * tags, parents. Loading the theory in HOL4 instead would run `fooTheory.sml`, which a script could replace. Nobody
 * but the reader of the hashes notices an edited file: `fooTheory.sml` and each theory built on `foo` name the
 * SHA-1 that the file should have.
 *
 * The file is an S-expression of tables (strings, identifiers, types, atoms of terms) and theorems, whose terms are
 * operations on a stack: `%i` an atom, `$i` a bound variable, `|` an abstraction of the two on top, `@n` that many
 * applications; `Ui`, `ui` apply an atom or bound variable to the top, `Bi`, `bi` to the two on top.
 */
import { createHash } from 'node:crypto';
import { Hypotheses } from '../kernel/hypotheses.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Signature, type ConstantId } from '../kernel/signature.ts';
import { encodeStatement, type Language, printStatement, type StatementText } from '../kernel/statement.ts';
import { FREE, type TermId } from '../kernel/term.ts';
import { Terms } from '../kernel/terms.ts';
import { type TypeId, Types } from '../kernel/types.ts';
import type { ParentTheory, ReplayedTheory } from '../replay/replayed-theories.ts';
import { readableText } from '../trace/trace-reader.ts';
import {
  entry,
  type Expression,
  firstOf,
  integer,
  isTagged,
  listOf,
  malformedTheory,
  parseExpression,
  restOf,
  tagged,
  stringOf,
} from './data-expressions.ts';
import { UncheckedTerms } from '../trace/unchecked-terms.ts';

export interface StoredTheorem {
  readonly statement: StatementText;
  readonly kind: 'theorem' | 'definition' | 'axiom';
  /** Tags of oracles, without the one that every theorem read from disk has. */
  readonly oracles: readonly string[];
  readonly hasHypotheses: boolean;
}

export interface TheoryData {
  readonly name: string;
  /** Of the file, as HOL4 names it in what is built on the theory. */
  readonly sha1: string;
  readonly parents: readonly ParentTheory[];
  readonly theorems: ReadonlyMap<string, StoredTheorem>;
}

/** @throws MalformedTrace when the file is not such data. */
export function readTheoryData(bytes: Uint8Array): TheoryData {
  const top = parseExpression(Buffer.from(bytes).toString('utf8'));
  const [heading, ...sections] = listOf(tagged(top, 'theory'), 'theory');
  const [name, ...parents] = listOf(heading, 'heading');
  const core = sections.find((section) => isTagged(section, 'core-data'));
  const [tables, exports] = coreParts(core);
  return {
    name: stringOf(name),
    sha1: createHash('sha1').update(bytes).digest('hex'),
    parents: parents.map((parent) => ({ name: stringOf(firstOf(parent)), hash: stringOf(restOf(parent)) })),
    theorems: wellTyped(() => readTheorems(tables, exports)),
  };
}

function wellTyped<A>(read: () => A): A {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) throw malformedTheory(error.message);
    throw error;
  }
}

/** The SHA-1 that a generated `fooTheory.sml` expects of its data; undefined when it names none or several. */
export function expectedSha1(generated: string): string | undefined {
  const found = [...generated.matchAll(/\bhash\s*=\s*"([0-9a-f]{40})"/g)];
  return found.length === 1 ? found[0]?.[1] : undefined;
}

export interface DataDifference {
  readonly code: 'missing' | 'export-changed' | 'parents-disagree' | 'oracle-tag';
  readonly subject: string;
  readonly message: string;
}

/** What a built theory says in its data against what its proofs gave. */
export function compareWithData(data: TheoryData, replayed: ReplayedTheory): readonly DataDifference[] {
  const differences: DataDifference[] = [];
  const say = (code: DataDifference['code'], subject: string, message: string): void => {
    differences.push({ code, subject, message });
  };
  if (data.name !== replayed.name) {
    say('missing', data.name, `The data is of ${data.name}, the trace of ${replayed.name}.`);
  }
  const hashes = (parents: readonly ParentTheory[]): string =>
    [...parents.map(({ name, hash }) => `${name} ${hash}`)].sort().join(', ');
  if (hashes(data.parents) !== hashes(replayed.parents)) {
    say(
      'parents-disagree',
      data.name,
      'The data names other parents, or other builds of them, than the trace.',
    );
  }
  for (const [name, { statement, oracles }] of data.theorems) {
    const proved = replayed.theorems.get(name)?.statement;
    if (proved === undefined) say('missing', name, 'The data has a theorem that the trace does not export.');
    else if (proved !== statement) {
      say(
        'export-changed',
        name,
        `The data says ${printStatement(statement)}, its proof gives ${printStatement(proved)}.`,
      );
    }
    if (oracles.length > 0) say('oracle-tag', name, `It rests on the oracle ${oracles.join(', ')}.`);
  }
  return differences;
}

function coreParts(core: Expression | undefined): readonly [Expression, Expression] {
  const body = tagged(core, 'core-data');
  return [tagged(firstOf(body), 'tables'), tagged(restOf(body), 'exports')];
}

const KINDS = ['axiom', 'definition', 'theorem'] as const;

function readTheorems(tables: Expression, exports: Expression): Map<string, StoredTheorem> {
  const [strings, identifiers, types, atoms] = listOf(tables, 'tables');
  const table = listOf(tagged(strings, 'string-table'), 'strings').map(stringOf);
  const string = (index: Expression): string => readableText(entry(table, integer(index)));
  const names = listOf(tagged(identifiers, 'id-table'), 'identifiers').map(
    (pair) => `${string(firstOf(pair))}$${string(restOf(pair))}`,
  );
  const reader = new TermReader(
    names,
    listOf(tagged(types, 'type-table'), 'types'),
    listOf(tagged(atoms, 'term-table'), 'terms'),
  );
  const theorems = new Map<string, StoredTheorem>();
  const [, , stored] = listOf(exports, 'exports');
  for (const theorem of listOf(stored, 'theorems')) {
    const [name, dependencies, about, terms] = listOf(theorem, 'a theorem');
    const kind = KINDS[integer(listOf(about, 'what a theorem is')[0])];
    const [conclusion, ...hypotheses] = listOf(terms, 'its terms').map(stringOf);
    if (name === undefined || kind === undefined || conclusion === undefined)
      throw malformedTheory('a theorem is incomplete');
    if (theorems.has(string(name))) throw malformedTheory(`it has two theorems called ${string(name)}`);
    theorems.set(string(name), {
      statement: reader.statement(conclusion, hypotheses),
      kind,
      oracles: listOf(restOf(dependencies), 'its tags')
        .map(stringOf)
        .filter((oracle) => oracle !== 'DISK_THM'),
      hasHypotheses: hypotheses.length > 0,
    });
  }
  return theorems;
}

/** Terms of a file in a language of its own, in which every name is declared as it is used. */
class TermReader {
  readonly #language: Language;
  readonly #terms: UncheckedTerms;
  readonly #types: TypeId[] = [];
  readonly #atoms: TermId[] = [];
  readonly #constants = new Map<string, ConstantId>();

  constructor(names: readonly string[], types: readonly Expression[], atoms: readonly Expression[]) {
    let arity = 0;
    const store = new Types();
    const terms = new Terms(store, 10_000_000, 1024);
    const signature = new Signature(store, '', { arity: () => arity, typeOf: () => undefined });
    this.#language = { types: store, terms, signature, hypotheses: new Hypotheses(terms) };
    this.#terms = new UncheckedTerms(terms);
    for (const type of types) {
      if (type.kind === 'string') {
        this.#types.push(store.variable(readableText(type.text)));
        continue;
      }
      const [name, ...args] = listOf(type, 'a type').map(integer);
      arity = args.length;
      const operator = signature.operator(entry(names, name), arity);
      this.#types.push(
        store.apply(
          operator,
          args.map((argument) => entry(this.#types, argument)),
        ),
      );
    }
    for (const atom of atoms) {
      const [name, type] = listOf(atom, 'an atom');
      const typeId = entry(this.#types, integer(type));
      if (name?.kind === 'string') this.#atoms.push(terms.free(readableText(name.text), typeId));
      else this.#atoms.push(terms.constant(this.#constant(entry(names, integer(name)), typeId), typeId));
    }
  }

  statement(conclusion: string, hypotheses: readonly string[]): StatementText {
    const term = (raw: string): TermId => this.#terms.check(this.#read(raw));
    return encodeStatement(
      this.#language,
      term(conclusion),
      this.#language.hypotheses.of(hypotheses.map(term)),
    );
  }

  #constant(name: string, type: TypeId): ConstantId {
    let constant = this.#constants.get(name);
    if (constant === undefined) {
      constant = this.#language.signature.addLogical(name, type);
      this.#constants.set(name, constant);
    }
    return constant;
  }

  #read(raw: string): number {
    const stack: number[] = [];
    const pop = (): number => {
      const top = stack.pop();
      if (top === undefined) throw malformedTheory('a term takes more from its stack than there is');
      return top;
    };
    const push = (add: () => void): void => {
      add();
      stack.push(this.#terms.count - 1);
    };
    const apply = (fun: number, argument: number): void =>
      push(() => this.#terms.addApplication(fun, argument));
    const head = (letter: string, index: number): number => {
      if (letter === 'u' || letter === 'b') this.#terms.addBound(index);
      else this.#terms.addAtom(entry(this.#atoms, index));
      return this.#terms.count - 1;
    };
    let read = 0;
    for (const { 0: whole, 1: letter = '', 2: digits = '', index } of raw.matchAll(/([%$|@UuBb])(\d*)/g)) {
      if (index !== read) break;
      read += whole.length;
      const number = Number(digits);
      switch (letter) {
        case '%':
          push(() => this.#terms.addAtom(entry(this.#atoms, number)));
          break;
        case '$':
          push(() => this.#terms.addBound(number));
          break;
        case '|': {
          const body = pop();
          const binder = this.#terms.check(pop());
          if (this.#language.terms.kind(binder) !== FREE)
            throw malformedTheory('an abstraction binds no variable');
          push(() => this.#terms.addAbstraction(this.#language.terms.typeOf(binder), body));
          break;
        }
        case '@': {
          // Applications that follow each other: the last one is the outermost.
          const times = digits === '' ? 1 : number;
          if (times > stack.length) throw malformedTheory('a term takes more from its stack than there is');
          for (let time = 0; time < times; time += 1) {
            const argument = pop();
            apply(pop(), argument);
          }
          break;
        }
        case 'U':
        case 'u': {
          const argument = pop();
          apply(head(letter, number), argument);
          break;
        }
        default: {
          const second = pop();
          const firstArgument = pop();
          apply(head(letter, number), firstArgument);
          apply(pop(), second);
        }
      }
    }
    if (read !== raw.length || stack.length !== 1) throw malformedTheory('a term is damaged');
    return pop();
  }
}
