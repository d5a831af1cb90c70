/** Attacks through imports, axioms, and what modules store for the compiler. */
import type { ObjectWriter, Word } from '../../olean/testing/olean-writer.ts';
import { type Attack, type Build, PROOF, STATEMENT, all, openStatement, proved } from './attack.ts';
import type { ModuleBuilder } from './module-builder.ts';

const FLT: Build = (m) =>
  m.definition('FermatLastTheorem', 'Prop', '∀ (n : Nat), Eq.{1} Nat (Nat.add n 0) n');
const SECOND: Build = (m) => m.definition('two', 'Nat', '2');
const FROM_FALSE = (proof: string): string => `False.rec.{0} (fun (h : False) => ${STATEMENT}) ${proof}`;

/** An entry of an extension that begins with the name of the declaration. */
function entry(
  extension: string,
  write: (writer: ObjectWriter, name: (text: string) => Word) => Word,
): Build {
  return (m: ModuleBuilder) => {
    const named = (writer: ObjectWriter) => (text: string) => writer.name(m.name(text));
    m.entries.push({ extension: m.name(extension), write: (writer) => [write(writer, named(writer))] });
  };
}

const f: Build = (m) => m.definition('f', 'Nat → Nat', 'fun (n : Nat) => n');
const g: Build = (m) => m.definition('g', 'Nat → Nat', 'fun (n : Nat) => 0');

function attribute(name: 'implemented_by' | 'extern' | 'noncomputable' | 'csimp', bad: Build): Attack {
  return {
    name: `a definition that is ${name}, where the policy forbids it`,
    expect: 'forbidden-attribute',
    policy: { disallowedAttributes: [name] },
    target: all(f, g, openStatement),
    good: all(
      f,
      g,
      proved,
      entry('Lean.protectedExt', (_, named) => named('f')),
    ),
    bad: all(f, g, proved, bad),
  };
}

export const IMPORT_ATTACKS: readonly Attack[] = [
  {
    name: 'a submission without imports that brings its own world',
    expect: 'imports-changed',
    target: openStatement,
    good: proved,
    bad: all(
      (m) => void m.imports.splice(0),
      (m) => m.axiom('Nat', 'Type'),
    ),
  },
  {
    name: 'a missing import, and what it declares declared anew (FermatLastTheorem := True)',
    expect: 'imports-changed',
    beside: { target: { Fermat: FLT }, good: { Fermat: FLT } },
    target: (m) => m.open('t', 'FermatLastTheorem'),
    good: (m) => m.theorem('t', 'FermatLastTheorem', PROOF),
    bad: all(
      (m) => m.definition('FermatLastTheorem', 'Prop', 'True'),
      (m) => m.theorem('t', 'FermatLastTheorem', 'True.intro'),
    ),
  },
  {
    name: 'the theorem stands in an imported module, and rests on sorry there',
    expect: 'admitted',
    target: openStatement,
    good: (m) => m.definition('own', 'Nat', '0'),
    bad: (m) => m.definition('own', 'Nat', '0'),
    beside: { good: { Proofs: proved }, bad: { Proofs: openStatement } },
  },
  {
    name: 'an imported module replaced by another of the same name',
    expect: 'imports-changed',
    beside: {
      target: { Fermat: FLT },
      good: { Fermat: FLT },
      bad: { Fermat: (m) => m.definition('FermatLastTheorem', 'Prop', 'True') },
    },
    target: (m) => m.open('t', 'FermatLastTheorem'),
    good: (m) => m.theorem('t', 'FermatLastTheorem', PROOF),
    bad: (m) => m.theorem('t', 'FermatLastTheorem', 'True.intro'),
  },
  {
    name: 'an imported module with a definition more, which shadows nothing yet',
    expect: 'imports-changed',
    beside: {
      target: { Two: SECOND },
      good: { Two: SECOND },
      bad: { Two: all(SECOND, (m) => m.axiom('extra', 'False')) },
    },
    target: openStatement,
    good: proved,
    bad: proved,
  },
  {
    name: 'an imported module of other bytes whose theorem is an axiom',
    expect: 'imports-changed',
    beside: {
      target: { Two: (m) => m.theorem('lemma', 'True', 'True.intro') },
      good: { Two: (m) => m.theorem('lemma', 'True', 'True.intro') },
      bad: { Two: (m) => m.axiom('lemma', 'True') },
    },
    target: openStatement,
    good: proved,
    bad: proved,
  },
  {
    name: 'a false theorem in a module that only the submission imports',
    expect: 'kernel-rejected',
    beside: {
      good: { Help: (m) => m.theorem('help', STATEMENT, PROOF) },
      bad: { Help: (m) => m.theorem('help', STATEMENT, 'True.intro') },
    },
    target: openStatement,
    good: (m) => m.theorem('t', STATEMENT, 'help'),
    bad: (m) => m.theorem('t', STATEMENT, 'help'),
  },
  {
    name: 'an axiom in a module that only the submission imports',
    expect: 'new-axiom',
    beside: {
      good: { Help: (m) => m.theorem('help', STATEMENT, PROOF) },
      bad: { Help: (m) => m.axiom('help', STATEMENT) },
    },
    target: openStatement,
    good: (m) => m.theorem('t', STATEMENT, 'help'),
    bad: (m) => m.theorem('t', STATEMENT, 'help'),
  },
  {
    name: 'sorry in a module that only the submission imports',
    expect: 'admitted',
    beside: {
      good: { Help: (m) => m.theorem('help', STATEMENT, PROOF) },
      bad: { Help: (m) => m.open('help', STATEMENT) },
    },
    target: openStatement,
    good: (m) => m.theorem('t', STATEMENT, 'help'),
    bad: (m) => m.theorem('t', STATEMENT, 'help'),
  },
  {
    name: 'a module that only the submission imports and that declares a name of the library',
    expect: 'name-taken',
    beside: {
      good: { Help: (m) => m.definition('Help.Nat.mul', 'Nat → Nat → Nat', 'Nat.add') },
      bad: { Help: (m) => m.definition('Nat.mul', 'Nat → Nat → Nat', 'Nat.add') },
    },
    target: openStatement,
    good: proved,
    bad: proved,
  },
  {
    name: 'an axiom of its own',
    expect: 'new-axiom',
    target: openStatement,
    good: all(
      (m) => m.theorem('helper', STATEMENT, PROOF),
      (m) => m.theorem('t', STATEMENT, 'helper'),
    ),
    bad: all(
      (m) => m.axiom('helper', STATEMENT),
      (m) => m.theorem('t', STATEMENT, 'helper'),
    ),
  },
  {
    name: 'an axiom behind an opaque constant (opaque_value)',
    expect: 'new-axiom',
    target: openStatement,
    good: all(
      (m) => m.opaque('o', STATEMENT, PROOF),
      (m) => m.theorem('t', STATEMENT, 'o'),
    ),
    bad: all(
      (m) => m.axiom('bad', 'False'),
      (m) => m.opaque('o', 'False', 'bad'),
      (m) => m.theorem('t', STATEMENT, FROM_FALSE('o')),
    ),
  },
  {
    name: 'an axiom behind a constructor of an inductive type',
    expect: 'new-axiom',
    target: openStatement,
    good: all(
      (m) => m.inductive({ name: 'P', type: 'Prop', constructors: { mk: 'Eq.{1} Nat 0 0 → P' } }),
      proved,
    ),
    bad: all(
      (m) => m.axiom('n', 'Nat'),
      (m) => {
        m.inductive({ name: 'P', type: 'Prop', constructors: { mk: 'Eq.{1} Nat n 0 → P' } });
        m.theorem('t', STATEMENT, PROOF);
      },
    ),
  },
  {
    name: 'an axiom that only prints like an allowed one',
    expect: 'new-axiom',
    target: openStatement,
    good: all(
      (m) =>
        m.theorem(
          'q',
          '∀ (a b : Prop), Iff a b → Eq.{1} Prop a b',
          'fun (a b : Prop) (h : Iff a b) => propext a b h',
        ),
      proved,
    ),
    bad: all(
      (m) => m.axiom('«Quot.sound»', 'False'),
      (m) => m.theorem('t', STATEMENT, FROM_FALSE('«Quot.sound»')),
    ),
  },
  {
    name: 'a standard axiom of another meaning, where the target does not have it',
    expect: 'new-axiom',
    withoutInit: {},
    target: all((m) => m.remove('propext'), openStatement),
    good: all((m) => m.remove('propext'), proved),
    bad: all(
      (m) => m.change('propext', 'axiom', { type: m.term('False') }),
      (m) => m.theorem('t', STATEMENT, FROM_FALSE('propext')),
    ),
  },
  {
    name: 'a standard axiom of another meaning, where the target has it',
    expect: 'definition-changed',
    withoutInit: { bad: (m) => m.change('propext', 'axiom', { type: m.term('False') }) },
    target: openStatement,
    good: all(
      (m) =>
        m.theorem(
          'q',
          '∀ (a b : Prop), Iff a b → Eq.{1} Prop a b',
          'fun (a b : Prop) (h : Iff a b) => propext a b h',
        ),
      proved,
    ),
    bad: (m) => m.theorem('t', STATEMENT, FROM_FALSE('propext')),
  },
  {
    name: 'native_decide through Lean.ofReduceBool',
    expect: 'native-code',
    target: openStatement,
    good: all((m) => m.theorem('d', 'Eq.{1} Bool Bool.true Bool.true', 'Eq.refl.{1} Bool Bool.true'), proved),
    bad: all(
      (m) =>
        m.theorem(
          'd',
          '∀ (b : Bool), Eq.{1} Bool (Lean.reduceBool b) Bool.true → Eq.{1} Bool b Bool.true',
          'fun (b : Bool) => Lean.ofReduceBool b Bool.true',
        ),
      proved,
    ),
  },
  {
    name: 'native_decide through Lean.trustCompiler',
    expect: 'native-code',
    target: openStatement,
    good: all((m) => m.theorem('d', 'True', 'True.intro'), proved),
    bad: all((m) => m.theorem('d', 'True', 'Lean.trustCompiler'), proved),
  },
  {
    name: 'native_decide as newer versions write it: an axiom for each use',
    expect: 'native-code',
    target: openStatement,
    good: all((m) => m.theorem('d', 'True', 'True.intro'), proved),
    bad: all(
      (m) => m.axiom('t._native.native_decide.ax_1', STATEMENT),
      (m) => m.theorem('t', STATEMENT, 't._native.native_decide.ax_1'),
    ),
  },
  {
    name: 'Lean.reduceBool computed by the kernel',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) =>
        m.theorem(
          'd',
          'Eq.{1} Bool (Lean.reduceBool Bool.true) (Lean.reduceBool Bool.true)',
          'Eq.refl.{1} Bool (Lean.reduceBool Bool.true)',
        ),
      proved,
    ),
    bad: all(
      (m) =>
        m.theorem('d', 'Eq.{1} Bool (Lean.reduceBool Bool.true) Bool.true', 'Eq.refl.{1} Bool Bool.true'),
      proved,
    ),
  },
  {
    name: 'a partial definition, where the policy forbids it',
    expect: 'partial-definition',
    policy: { disallowPartial: true },
    target: openStatement,
    // What structural recursion leaves: a definition with code for the compiler.
    good: all(
      f,
      (m) =>
        m.definition('f._unsafe_rec', 'Nat → Nat', 'fun (n : Nat) => f._unsafe_rec n', { safety: 'partial' }),
      proved,
    ),
    bad: all(
      (m) => m.opaque('f', 'Nat → Nat', 'fun (n : Nat) => n'),
      (m) =>
        m.definition('f._unsafe_rec', 'Nat → Nat', 'fun (n : Nat) => f._unsafe_rec n', { safety: 'partial' }),
      proved,
    ),
  },
  {
    name: 'a definition of partial safety, where the policy forbids it',
    expect: 'partial-definition',
    policy: { disallowPartial: true },
    target: openStatement,
    good: all(f, proved),
    bad: all((m) => m.definition('f', 'Nat → Nat', 'fun (n : Nat) => f n', { safety: 'partial' }), proved),
  },
  attribute(
    'implemented_by',
    entry('Lean.Compiler.implementedByAttr', (writer, named) => writer.object(0, [named('f'), named('g')])),
  ),
  attribute(
    'extern',
    entry('Lean.externAttr', (writer, named) => writer.object(0, [named('f'), writer.boxed(0)])),
  ),
  attribute(
    'noncomputable',
    entry('Lean.noncomputableExt', (_, named) => named('f')),
  ),
  attribute(
    'csimp',
    entry('Lean.Compiler.CSimp.ext', (writer, named) =>
      writer.object(0, [writer.object(0, [named('f'), named('g'), named('t')])]),
    ),
  ),
  {
    name: 'implemented_by under the private name that newer versions use',
    expect: 'forbidden-attribute',
    policy: { disallowedAttributes: ['implemented_by'] },
    target: all(f, g, openStatement),
    good: all(
      f,
      g,
      proved,
      entry('_private.Lean.Namespace.0.Lean.namespacesExt', (_, named) => named('f')),
    ),
    bad: all(
      f,
      g,
      proved,
      entry('_private.Lean.Compiler.ImplementedByAttr.0.Lean.Compiler.implementedByAttr', (writer, named) =>
        writer.object(0, [named('f'), named('g')]),
      ),
    ),
  },
];
