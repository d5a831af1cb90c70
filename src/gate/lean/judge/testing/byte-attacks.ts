/** Attacks below the level of declarations: what `unsafeCast` and a hexadecimal editor can do to a file. */
import { type Attack, type Build, PROOF, STATEMENT, all, openStatement, proved } from './attack.ts';
import type { ModuleBuilder } from './module-builder.ts';

/** Replaces the only place in the file that has these bytes. */
function replaced(from: Uint8Array, to: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const buffer = Buffer.from(bytes);
    const at = buffer.indexOf(from);
    if (at < 0 || buffer.indexOf(from, at + 1) >= 0) throw new Error('not exactly one place');
    buffer.set(to, at);
    return Uint8Array.from(buffer);
  };
}

function word(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
}

const MARKED = (0xabcdefn << 64n) + 12345n;
const marked: Build = (m) => m.definition('big', 'Nat', String(MARKED));
const inPair: Build = (m) =>
  m.definition('pair', 'Prod.{0, 0} Nat Nat', `Prod.mk.{0, 0} Nat Nat ${MARKED} 1`);
/** The header of the big number's digits: allocated and used, the latter with the sign. */
const SIZES = Uint8Array.of(2, 0, 0, 0, 2, 0, 0, 0);
const NEGATIVE = Uint8Array.of(2, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff);

export const BYTE_ATTACKS: readonly Attack[] = [
  {
    name: 'a negative natural number (unsafeCast of an integer)',
    expect: 'unreadable',
    target: openStatement,
    good: all(marked, proved),
    bad: all(marked, proved),
    spoil: replaced(SIZES, NEGATIVE),
  },
  {
    name: 'a negative natural number inside a pair',
    expect: 'unreadable',
    target: openStatement,
    good: all(inPair, proved),
    bad: all(inPair, proved),
    spoil: replaced(SIZES, NEGATIVE),
  },
  {
    name: 'a big number that is small: two objects for one number',
    expect: 'unreadable',
    target: openStatement,
    good: all(marked, proved),
    bad: all(marked, proved),
    spoil: (bytes) => replaced(word(MARKED >> 64n), word(0n))(bytes),
  },
  {
    name: 'a string where a universe level should be (unsafeCast of a level)',
    expect: 'unreadable',
    target: openStatement,
    good: proved,
    bad: proved,
    spoil: (bytes) => pointLevelAtString(bytes),
  },
  {
    name: 'the name in the list of names is not that of the constant',
    expect: 'unreadable',
    target: openStatement,
    good: all(proved, (m) => m.theorem('s', 'True', 'True.intro')),
    bad: all(
      (m) => m.theorem('s', STATEMENT, PROOF),
      (m) => m.theorem('r', 'True', 'True.intro'),
      (m: ModuleBuilder) => {
        m.claimedNames = [m.name('t'), m.name('r')];
      },
    ),
  },
  {
    name: 'two constants of the same name, the second the false one',
    expect: 'unreadable',
    target: openStatement,
    good: all(proved, (m) => m.theorem('s', 'True', 'True.intro')),
    bad: all(proved, (m) => m.theorem('t', 'False', 'True.intro')),
  },
  {
    name: 'more names than constants',
    expect: 'unreadable',
    target: openStatement,
    good: proved,
    bad: all(proved, (m: ModuleBuilder) => {
      m.claimedNames = [m.name('t'), m.name('s')];
    }),
  },
  {
    name: 'the exported part of a module instead of the module: theorems without their proofs',
    expect: 'unreadable',
    target: openStatement,
    good: proved,
    bad: all(proved, (m: ModuleBuilder) => {
      m.isModule = true;
    }),
  },
  {
    name: 'a term that contains itself',
    expect: 'unreadable',
    target: openStatement,
    good: all((m) => m.definition('loop', 'Prop', 'True → True'), proved),
    bad: all((m) => m.definition('loop', 'Prop', 'True → True'), proved),
    spoil: (bytes) => closeCycle(bytes),
  },
  {
    name: 'a file that ends early',
    expect: 'unreadable',
    target: openStatement,
    good: proved,
    bad: proved,
    spoil: (bytes) => bytes.slice(0, bytes.length - 8),
  },
  {
    name: 'a free variable of the elaborator',
    expect: 'unreadable',
    target: openStatement,
    good: all((m) => m.definition('v', 'Nat → Nat', 'fun (n : Nat) => n'), proved),
    bad: all((m) => {
      const type = m.term('Nat');
      m.definition('v', 'Nat → Nat', 'fun (n : Nat) => n');
      m.change('v', 'definition', { value: m.store.lambda(m.name('n'), type, m.store.free(0, type)) });
    }, proved),
  },
];

/** Where objects of a tag with so many fields begin. */
function objectsOf(bytes: Uint8Array, tag: number, fields: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: number[] = [];
  for (let at = 96; at + 8 <= bytes.length;) {
    const [objectTag, other, size] = [
      view.getUint8(at + 7),
      view.getUint8(at + 6),
      view.getUint16(at + 4, true),
    ];
    if (objectTag === tag && other === fields) found.push(at);
    if (objectTag === 246) at += 24 + 8 * Number(view.getBigUint64(at + 8, true));
    else if (objectTag === 249) at += 32 + Math.ceil(Number(view.getBigUint64(at + 8, true)) / 8) * 8;
    else at += size;
  }
  return found;
}

/** `succ` of a string. */
function pointLevelAtString(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  const [string] = objectsOf(copy, 249, 0);
  // `succ zero` is the first object with one field, tag 1 and 24 bytes.
  const level = objectsOf(copy, 1, 1).find((at) => view.getUint16(at + 4, true) === 24);
  if (string === undefined || level === undefined) throw new Error('no level or string');
  view.setBigUint64(level + 8, view.getBigUint64(80, true) + BigInt(string), true);
  return copy;
}

/** Makes the body of the last pi type the pi type itself. */
function closeCycle(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  const pi = objectsOf(copy, 7, 3).at(-1);
  if (pi === undefined) throw new Error('no pi type');
  view.setBigUint64(pi + 24, view.getBigUint64(80, true) + BigInt(pi), true);
  return copy;
}
