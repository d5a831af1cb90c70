/**
 * Writes compiled modules as Lean does: objects in post-order, children before parents, shared subterms once. For tests
 * and benches only: attacks are built with it at the level of declarations (`writeModule`) and of objects and bytes
 * (`ObjectWriter`). Cached hashes are written as 0, because the reader must not look at them.
 */
import type { ConstantDeclaration, ReducibilityHints } from '../../declaration.ts';
import { type Expression, forEachSubterm } from '../../expression.ts';
import type { Level } from '../../level.ts';
import type { Name } from '../../name.ts';

/** A 64-bit word of the file: a boxed scalar or an absolute address. */
export type Word = bigint;

export interface WriterSettings {
  readonly layout?: 0 | 1 | 2;
  readonly leanVersion?: string;
  readonly base?: bigint;
  readonly bigNumbers?: 'gmp' | 'native';
}

const BINDER_INFOS = { default: 0, implicit: 1, strictImplicit: 2, instImplicit: 3 } as const;
const SAFETIES = { unsafe: 0, safe: 1, partial: 2 } as const;
const ROLES = { type: 0, constructor: 1, lift: 2, induction: 3 } as const;
const HEADER_SIZES = { 0: 32, 1: 64, 2: 96 } as const;

export class ObjectWriter {
  readonly #settings: Required<WriterSettings>;
  #bytes = Buffer.alloc(4096);
  #size: number;
  readonly #names = new Map<Name, Word>();
  readonly #levels = new Map<Level, Word>();
  readonly #terms = new Map<Expression, Word>();

  constructor(settings: WriterSettings = {}) {
    this.#settings = {
      layout: 2,
      leanVersion: '4.29.1',
      base: 0x5a1e_f573_0000n,
      bigNumbers: 'gmp',
      ...settings,
    };
    this.#size = HEADER_SIZES[this.#settings.layout];
  }

  boxed(value: number | bigint): Word {
    return (BigInt(value) << 1n) | 1n;
  }

  /** A constructor with pointer fields and a scalar area. */
  object(tag: number, fields: readonly Word[], scalars: Uint8Array = new Uint8Array()): Word {
    const size = 8 + 8 * fields.length + Math.ceil(scalars.length / 8) * 8;
    const object = this.#allocate(size, { size, other: fields.length, tag });
    fields.forEach((field, index) => this.#bytes.writeBigUInt64LE(field, object + 8 + 8 * index));
    this.#bytes.set(scalars, object + 8 + 8 * fields.length);
    return this.#address(object);
  }

  array(elements: readonly Word[]): Word {
    const object = this.#allocate(24 + 8 * elements.length, { size: 1, other: 0, tag: 246 });
    this.#bytes.writeBigUInt64LE(BigInt(elements.length), object + 8);
    this.#bytes.writeBigUInt64LE(BigInt(elements.length), object + 16);
    elements.forEach((element, index) => this.#bytes.writeBigUInt64LE(element, object + 24 + 8 * index));
    return this.#address(object);
  }

  string(text: string): Word {
    const utf8 = Buffer.from(text, 'utf8');
    const object = this.#allocate(32 + utf8.length + 1, { size: 1, other: 0, tag: 249 });
    this.#bytes.writeBigUInt64LE(BigInt(utf8.length + 1), object + 8);
    this.#bytes.writeBigUInt64LE(BigInt(utf8.length + 1), object + 16);
    this.#bytes.writeBigUInt64LE(BigInt(Array.from(text).length), object + 24);
    this.#bytes.set(utf8, object + 32);
    return this.#address(object);
  }

  natural(value: bigint): Word {
    return value < 1n << 63n ? this.boxed(value) : this.bigNumber(value);
  }

  /** A number as an object, whether it needs to be one or not; a negative one is malformed on purpose. */
  bigNumber(value: bigint): Word {
    const magnitude = value < 0n ? -value : value;
    const native = this.#settings.bigNumbers === 'native';
    const digitBits = native ? 32n : 64n;
    const digits: bigint[] = [];
    for (let rest = magnitude; rest > 0n; rest >>= digitBits)
      digits.push(BigInt.asUintN(Number(digitBits), rest));
    const start = native ? 32 : 24;
    const size = start + digits.length * (native ? 4 : 8);
    const object = this.#allocate(size, { size, other: 0, tag: 250 });
    const bytes = this.#bytes;
    bytes.writeBigUInt64LE(this.#address(object) + BigInt(start), object + start - 8);
    if (native) {
      bytes.writeUInt8(value < 0n ? 1 : 0, object + 8);
      bytes.writeBigUInt64LE(BigInt(digits.length), object + 16);
      digits.forEach((digit, index) => bytes.writeUInt32LE(Number(digit), object + start + 4 * index));
    } else {
      bytes.writeInt32LE(digits.length, object + 8);
      bytes.writeInt32LE(value < 0n ? -digits.length : digits.length, object + 12);
      digits.forEach((digit, index) => bytes.writeBigUInt64LE(digit, object + start + 8 * index));
    }
    return this.#address(object);
  }

  name(name: Name): Word {
    if (name.prefix === undefined || name.component === undefined) return this.boxed(0);
    let word = this.#names.get(name);
    if (word === undefined) {
      const fields = [
        this.name(name.prefix),
        typeof name.component === 'string' ? this.string(name.component) : this.natural(name.component),
      ];
      word = this.object(typeof name.component === 'string' ? 1 : 2, fields, new Uint8Array(8));
      this.#names.set(name, word);
    }
    return word;
  }

  list(items: readonly Word[]): Word {
    return items.reduceRight((tail, head) => this.object(1, [head, tail]), this.boxed(0));
  }

  names(names: readonly Name[]): Word {
    return this.list(names.map((name) => this.name(name)));
  }

  level(level: Level): Word {
    if (level.kind === 'zero') return this.boxed(0);
    let word = this.#levels.get(level);
    if (word === undefined) {
      const cached = new Uint8Array(8);
      switch (level.kind) {
        case 'successor':
          word = this.object(1, [this.level(level.of)], cached);
          break;
        case 'max':
        case 'imax':
          word = this.object(
            level.kind === 'max' ? 2 : 3,
            [this.level(level.left), this.level(level.right)],
            cached,
          );
          break;
        case 'parameter':
          word = this.object(4, [this.name(level.name)], cached);
      }
      this.#levels.set(level, word);
    }
    return word;
  }

  term(term: Expression): Word {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const missing: Expression[] = [];
    forEachSubterm([term], (subterm) => missing.push(subterm));
    // Terms are numbered in order of creation: children first.
    for (const subterm of missing.sort((left, right) => left.id - right.id)) {
      if (!this.#terms.has(subterm)) this.#terms.set(subterm, this.#term(subterm));
    }
    return this.#written(term);
  }

  constant(constant: ConstantDeclaration): Word {
    const base = this.object(0, [
      this.name(constant.name),
      this.names(constant.levelParameters),
      this.term(constant.type),
    ]);
    const [tag, value] = this.#constantValue(constant, base);
    return this.object(tag, [value]);
  }

  /** The file, with `root` as its root object. */
  finish(root: Word): Uint8Array {
    const { layout, leanVersion, base, bigNumbers } = this.#settings;
    const bytes = this.#bytes.subarray(0, this.#size);
    if (layout === 0) {
      bytes.write('oleanfile!!!!!!!', 0, 'latin1');
    } else {
      bytes.write('olean', 0, 'latin1');
      bytes.writeUInt8(layout, 5);
      if (layout === 2) {
        bytes.writeUInt8(bigNumbers === 'gmp' ? 1 : 0, 6);
        bytes.write(leanVersion, 7, 'latin1');
      }
    }
    const rootSlot = HEADER_SIZES[layout] - 8;
    bytes.writeBigUInt64LE(base, rootSlot - 8);
    bytes.writeBigUInt64LE(root, rootSlot);
    return Uint8Array.from(bytes);
  }

  #term(term: Expression): Word {
    const cached = new Uint8Array(8);
    switch (term.kind) {
      case 'bound':
        return this.object(0, [this.natural(BigInt(term.index))], cached);
      case 'free':
        return this.object(1, [this.boxed(0)], cached);
      case 'sort':
        return this.object(3, [this.level(term.level)], cached);
      case 'constant': {
        const levels = this.list(term.levels.map((level) => this.level(level)));
        return this.object(4, [this.name(term.name), levels], cached);
      }
      case 'application':
        return this.object(5, [this.#written(term.fn), this.#written(term.argument)], cached);
      case 'lambda':
      case 'pi':
        return this.object(
          term.kind === 'lambda' ? 6 : 7,
          [this.name(term.name), this.#written(term.type), this.#written(term.body)],
          Uint8Array.of(...cached, BINDER_INFOS[term.info]),
        );
      case 'let':
        return this.object(
          8,
          [
            this.name(term.name),
            this.#written(term.type),
            this.#written(term.value),
            this.#written(term.body),
          ],
          Uint8Array.of(...cached, term.nondep ? 1 : 0),
        );
      case 'natural':
        return this.object(9, [this.object(0, [this.natural(term.natural)])], cached);
      case 'string':
        return this.object(9, [this.object(1, [this.string(term.text)])], cached);
      case 'projection':
        return this.object(
          11,
          [this.name(term.name), this.natural(BigInt(term.index)), this.#written(term.subject)],
          cached,
        );
    }
  }

  #constantValue(constant: ConstantDeclaration, base: Word): [tag: number, value: Word] {
    const count = (value: number): Word => this.natural(BigInt(value));
    const flags = (...values: boolean[]): Uint8Array => Uint8Array.from(values, Number);
    switch (constant.kind) {
      case 'axiom':
        return [0, this.object(0, [base], flags(constant.isUnsafe))];
      case 'definition': {
        const { value, hints, all, safety } = constant;
        const fields = [base, this.term(value), this.#hints(hints), this.names(all)];
        return [1, this.object(0, fields, Uint8Array.of(SAFETIES[safety]))];
      }
      case 'theorem':
        return [2, this.object(0, [base, this.term(constant.value), this.names(constant.all)])];
      case 'opaque': {
        const fields = [base, this.term(constant.value), this.names(constant.all)];
        return [3, this.object(0, fields, flags(constant.isUnsafe))];
      }
      case 'quotient':
        return [4, this.object(0, [base], Uint8Array.of(ROLES[constant.role]))];
      case 'inductive': {
        const fields = [
          base,
          count(constant.parameterCount),
          count(constant.indexCount),
          this.names(constant.all),
          this.names(constant.constructors),
          count(constant.nestedCount),
        ];
        const { isRecursive, isUnsafe, isReflexive } = constant;
        return [5, this.object(0, fields, flags(isRecursive, isUnsafe, isReflexive))];
      }
      case 'constructor': {
        const fields = [
          base,
          this.name(constant.inductive),
          count(constant.index),
          count(constant.parameterCount),
          count(constant.fieldCount),
        ];
        return [6, this.object(0, fields, flags(constant.isUnsafe))];
      }
      case 'recursor': {
        const rules = constant.rules.map((rule) =>
          this.object(0, [this.name(rule.constructor), count(rule.fieldCount), this.term(rule.value)]),
        );
        const fields = [
          base,
          this.names(constant.all),
          count(constant.parameterCount),
          count(constant.indexCount),
          count(constant.motiveCount),
          count(constant.minorCount),
          this.list(rules),
        ];
        return [7, this.object(0, fields, flags(constant.isK, constant.isUnsafe))];
      }
    }
  }

  #hints(hints: ReducibilityHints): Word {
    if (hints.kind !== 'regular') return this.boxed(hints.kind === 'opaque' ? 0 : 1);
    const height = Buffer.alloc(8);
    height.writeUInt32LE(hints.height, 0);
    return this.object(2, [], height);
  }

  #written(term: Expression): Word {
    const word = this.#terms.get(term);
    if (word === undefined) throw new RangeError('a term is written before its subterms');
    return word;
  }

  #address(object: number): Word {
    return this.#settings.base + BigInt(object);
  }

  #allocate(
    size: number,
    header: { readonly size: number; readonly other: number; readonly tag: number },
  ): number {
    const object = this.#size;
    this.#size += Math.ceil(size / 8) * 8;
    while (this.#size > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.writeUInt16LE(header.size & 0xffff, object + 4);
    this.#bytes.writeUInt8(header.other, object + 6);
    this.#bytes.writeUInt8(header.tag, object + 7);
    return object;
  }
}

export interface ModuleToWrite {
  readonly imports?: readonly Name[];
  readonly constants: readonly ConstantDeclaration[];
  /** What extensions store: each makes its entries with the writer. */
  readonly entries?: readonly {
    readonly extension: Name;
    readonly write: (writer: ObjectWriter) => readonly Word[];
  }[];
  /** Whether the module says that it is one of several parts. */
  readonly isModule?: boolean;
  /** Names for the list of names, when they are to differ from those of the constants. */
  readonly claimedNames?: readonly Name[];
}

export function writeModule(module: ModuleToWrite, settings: WriterSettings = {}): Uint8Array {
  const writer = new ObjectWriter(settings);
  const imports = (module.imports ?? []).map((name) =>
    writer.object(0, [writer.name(name)], Uint8Array.of(0, 1, 0)),
  );
  const names = module.claimedNames ?? module.constants.map((constant) => constant.name);
  const root = writer.object(
    0,
    [
      writer.array(imports),
      writer.array(names.map((name) => writer.name(name))),
      writer.array(module.constants.map((constant) => writer.constant(constant))),
      writer.array([]),
      writer.array(
        (module.entries ?? []).map(({ extension, write }) =>
          writer.object(0, [writer.name(extension), writer.array(write(writer))]),
        ),
      ),
    ],
    Uint8Array.of(module.isModule === true ? 1 : 0),
  );
  return writer.finish(root);
}
