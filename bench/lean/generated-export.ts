/**
 * Environments of any size: layers over the recorded closure of `Nat.add_comm`. Each layer is an inductive type
 * with parameters, a function by recursion over it, a definition that uses earlier layers, and theorems that need
 * unfolding and arithmetic.
 */
import type { Declaration } from '../../src/gate/lean/declaration.ts';
import { constantsOf } from '../../src/gate/lean/declaration.ts';
import { NdjsonWriter } from '../../src/gate/lean/export/write-ndjson.ts';
import { smallExport, declarationsOf } from '../../src/gate/lean/testing/recorded-exports.ts';
import { WrittenEnvironment } from '../../src/gate/lean/testing/written-environment.ts';

/** The text of an export with at least so many declarations. */
export function generatedExport(size: number): string {
  const env = new WrittenEnvironment();
  const lines: string[] = [];
  const meta = { exporter: { name: 'quod-bench', version: '1' }, lean: { version: '4.30.0', githash: '' } };
  const writer = new NdjsonWriter(meta, (line) => lines.push(line));
  let count = 0;
  const add = (declaration: Declaration): void => {
    writer.add(declaration);
    count++;
  };
  for (const declaration of declarationsOf(smallExport('closure nat-add-comm').text, env.store)) {
    add(declaration);
    for (const constant of constantsOf(declaration)) env.environment.add(constant);
  }
  for (let layer = 0; count < size; layer++) addLayer(env, layer, add);
  return `${lines.join('\n')}\n`;
}

function addLayer(env: WrittenEnvironment, layer: number, add: (declaration: Declaration) => void): void {
  const [type, size, sum] = [`T${layer}`, `size${layer}`, `sum${layer}`];
  add(
    env.block(
      1,
      [
        {
          name: type,
          type: 'Type u → Type u',
          constructors: {
            leaf: `∀ (A : Type u), ${type}.{u} A`,
            node: `∀ (A : Type u), ${type}.{u} A → A → ${type}.{u} A → ${type}.{u} A`,
          },
        },
      ],
      ['u'],
    ),
  );
  add(
    env.definition(
      size,
      `∀ (A : Type u), ${type}.{u} A → Nat`,
      `fun (A : Type u) (t : ${type}.{u} A) => ${type}.rec.{1, u} A (fun (t : ${type}.{u} A) => Nat) Nat.zero (fun (l : ${type}.{u} A) (a : A) (r : ${type}.{u} A) (m : Nat) (n : Nat) => Nat.succ (Nat.add m n)) t`,
      ['u'],
    ),
  );
  // Towers of definitions have a bounded height: unfolding the higher one first goes down all of it.
  const before = layer % 8 === 0 ? 'n' : `sum${layer - 1} n`;
  add(
    env.definition(
      sum,
      'Nat → Nat',
      `fun (n : Nat) => Nat.add (${before}) (${size}.{0} Nat (${type}.leaf.{0} Nat))`,
    ),
  );
  const leaf = `(${type}.leaf.{0} Nat)`;
  const tree = `(${type}.node.{0} Nat (${type}.node.{0} Nat ${leaf} 1 ${leaf}) 2 ${leaf})`;
  const theorem = (text: string, statement: string, value: string): void => {
    const { levelParameters, type, value: proof, all, name } = env.definition(text, statement, value);
    add({ kind: 'theorem', name, levelParameters, type, value: proof, all });
  };
  theorem(`size_tree${layer}`, `Eq.{1} Nat (${size}.{0} Nat ${tree}) 2`, `Eq.refl.{1} Nat 2`);
  theorem(
    `size_node${layer}`,
    `∀ (a : Nat) (t : ${type}.{0} Nat), Eq.{1} Nat (${size}.{0} Nat (${type}.node.{0} Nat ${tree} a t)) (Nat.succ (Nat.add 2 (${size}.{0} Nat t)))`,
    `fun (a : Nat) (t : ${type}.{0} Nat) => Eq.refl.{1} Nat (Nat.succ (Nat.add 2 (${size}.{0} Nat t)))`,
  );
  theorem(
    `sum_step${layer}`,
    `∀ (n : Nat), Eq.{1} Nat (${sum} n) (${before})`,
    `fun (n : Nat) => Eq.refl.{1} Nat (${before})`,
  );
}
