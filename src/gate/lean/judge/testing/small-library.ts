/**
 * A small `Init` for tests: the logical constants, natural numbers with their operations, lists, strings, quotients and
 * the axioms, as Lean declares them but for what nobody needs here. The kernel accepts it.
 */
import { ModuleBuilder } from './module-builder.ts';

export function smallLibrary(): ModuleBuilder {
  const library = new ModuleBuilder();
  declareLibrary(library);
  return library;
}

/** Into a module of its own, so that modules without imports can have their copy. */
export function declareLibrary(library: ModuleBuilder): void {
  library
    .inductive({ name: 'True', type: 'Prop', constructors: { intro: 'True' } })
    .inductive({ name: 'False', type: 'Prop' })
    .definition('Not', 'Prop → Prop', 'fun (a : Prop) => a → False')
    .inductive(
      { name: 'And', type: 'Prop → Prop → Prop', constructors: { intro: '∀ (a b : Prop), a → b → And a b' } },
      { parameters: 2 },
    )
    .inductive(
      {
        name: 'Or',
        type: 'Prop → Prop → Prop',
        constructors: { inl: '∀ (a b : Prop), a → Or a b', inr: '∀ (a b : Prop), b → Or a b' },
      },
      { parameters: 2 },
    )
    .inductive(
      {
        name: 'Iff',
        type: 'Prop → Prop → Prop',
        constructors: { intro: '∀ (a b : Prop), (a → b) → (b → a) → Iff a b' },
      },
      { parameters: 2 },
    )
    .inductive(
      {
        name: 'Eq',
        type: '∀ {A : Sort u}, A → A → Prop',
        constructors: { refl: '∀ {A : Sort u} (a : A), Eq.{u} A a a' },
      },
      { levels: 'u', parameters: 2 },
    )
    .definition('Ne', '∀ {A : Sort u}, A → A → Prop', 'fun (A : Sort u) (a b : A) => Not (Eq.{u} A a b)', {
      levels: 'u',
    })
    .inductive(
      {
        name: 'Exists',
        type: '∀ {A : Sort u}, (A → Prop) → Prop',
        constructors: { intro: '∀ {A : Sort u} (p : A → Prop) (w : A), p w → Exists.{u} A p' },
      },
      { levels: 'u', parameters: 2 },
    )
    .inductive(
      {
        name: 'Nonempty',
        type: 'Sort u → Prop',
        constructors: { intro: '∀ (A : Sort u), A → Nonempty.{u} A' },
      },
      { levels: 'u', parameters: 1 },
    )
    .inductive({ name: 'Bool', type: 'Type', constructors: { false: 'Bool', true: 'Bool' } })
    .inductive(
      {
        name: 'Prod',
        type: 'Type u → Type v → Type (max u v)',
        constructors: { mk: '∀ {A : Type u} {B : Type v}, A → B → Prod.{u, v} A B' },
      },
      { levels: 'u v', parameters: 2 },
    )
    .inductive({ name: 'Nat', type: 'Type', constructors: { zero: 'Nat', succ: 'Nat → Nat' } })
    .definition('Nat.add', 'Nat → Nat → Nat', recursion('n', 'Nat.succ r'))
    .definition('Nat.mul', 'Nat → Nat → Nat', recursion('Nat.zero', 'Nat.add r n'))
    .inductive(
      {
        name: 'List',
        type: 'Type u → Type u',
        constructors: {
          nil: '∀ {A : Type u}, List.{u} A',
          cons: '∀ {A : Type u}, A → List.{u} A → List.{u} A',
        },
      },
      { levels: 'u', parameters: 1 },
    )
    .inductive({ name: 'Char', type: 'Type', constructors: { mk: 'Nat → Char' } })
    .definition('Char.ofNat', 'Nat → Char', 'fun (n : Nat) => Char.mk n')
    .inductive({ name: 'String', type: 'Type', constructors: { mk: 'List.{0} Char → String' } })
    .add(
      ...(
        [
          ['Quot', 'type', 'u', '∀ {A : Sort u}, (A → A → Prop) → Sort u'],
          ['Quot.mk', 'constructor', 'u', '∀ {A : Sort u} (r : A → A → Prop), A → Quot.{u} A r'],
          [
            'Quot.lift',
            'lift',
            'u v',
            '∀ {A : Sort u} {r : A → A → Prop} {B : Sort v} (f : A → B), (∀ (a b : A), r a b → Eq.{v} B (f a) (f b)) → Quot.{u} A r → B',
          ],
          [
            'Quot.ind',
            'induction',
            'u',
            '∀ {A : Sort u} {r : A → A → Prop} {B : Quot.{u} A r → Prop}, (∀ (a : A), B (Quot.mk.{u} A r a)) → ∀ (q : Quot.{u} A r), B q',
          ],
        ] as const
      ).map(([name, role, levels, type]) => ({
        kind: 'quotient' as const,
        name: library.name(name),
        levelParameters: levels.split(' ').map((level) => library.name(level)),
        type: library.term(type),
        role,
      })),
    )
    .axiom('propext', '∀ {a b : Prop}, Iff a b → Eq.{1} Prop a b')
    .axiom(
      'Quot.sound',
      '∀ {A : Sort u} {r : A → A → Prop} {a b : A}, r a b → Eq.{u} (Quot.{u} A r) (Quot.mk.{u} A r a) (Quot.mk.{u} A r b)',
      'u',
    )
    .axiom('Classical.choice', '∀ {A : Sort u}, Nonempty.{u} A → A', 'u')
    .axiom('sorryAx', '∀ (A : Sort u) (synthetic : Bool), A', 'u')
    .opaque('Lean.reduceBool', 'Bool → Bool', 'fun (b : Bool) => b')
    .axiom('Lean.ofReduceBool', '∀ (a b : Bool), Eq.{1} Bool (Lean.reduceBool a) b → Eq.{1} Bool a b')
    .axiom('Lean.trustCompiler', 'True');
}

/** A function of two numbers by recursion over the second: `n` is the first and `r` the value for the number before. */
function recursion(zero: string, successor: string): string {
  return `fun (n m : Nat) => Nat.rec.{1} (fun (k : Nat) => Nat) (${zero}) (fun (k r : Nat) => ${successor}) m`;
}
