/**
 * What the proofs rest on may speak of a chosen value in many ways. Each way stands in the target twice: there of the value
 * that the submission chooses, and here of one that is the target's. The verdict has to name the first and no other.
 */
import { describe, expect, it } from 'vitest';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import type { GatePolicy } from '../../policy.ts';
import { verify } from '../../verify.ts';
import { coqc } from '../testing/installed-rocq.ts';
import {
  FORMS,
  OF_SOMETHING_ELSE,
  OPAQUE_VALUES,
  PLACES,
  SIGNATURES,
  type Written,
} from '../testing/spoken-values.ts';

const PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

interface Way {
  readonly title: string;
  /** Of a value, under a name of its own: declarations, and what the value that speaks of it is called. */
  readonly written: Written;
}

/** @param chosen declares `d`. */
function targetOf(chosen: string, ways: readonly Way[]): string {
  const each = ways.flatMap(({ written }, index) =>
    (['there', 'here'] as const).map((which) => {
      const name = `${which}_${index}`;
      const [text, path] = written(which === 'there' ? 'd' : 'own', `M_${name}`);
      return `${text}\nAxiom ax_${name} : ${path} = 9. Lemma cj_${name} : ${path} = 9. Admitted.`;
    }),
  );
  return `${SIGNATURES}${chosen} Definition own := 1.\n${each.join('\n')}\nTheorem t : True. Admitted.\n`;
}

/** Of which ways the verdict warns, when a proof rests on what is said in each. */
async function warnedOf(ways: readonly Way[], [chosen, value]: [string, string], policy: GatePolicy) {
  const target = targetOf(chosen, ways);
  const said = ways.flatMap((_, index) =>
    ['ax_there', 'ax_here', 'cj_there', 'cj_here'].map((which) => `pose proof ${which}_${index}.`),
  );
  const submission = target
    .replace(chosen, value)
    .replace('t : True. Admitted.', `t : True. Proof. ${said.join(' ')} exact I. Qed.`);
  const verdict = await verify(
    { path: 'T.v', text: target },
    { path: 'S.v', text: submission },
    { project: PROJECT, policy: { recheck: 'never', ...policy } },
  );
  if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
  const [warning] = verdict.restsOn.warnings?.filter(({ kind }) => kind === 'values-chosen') ?? [];
  const those = warning?.message.replace(/^.*may be false: (.*)\.$/su, '$1').split('; ') ?? [];
  return those
    .map((one) => one.replace(/_(\d+)/u, (_, index) => ` ${String(ways[Number(index)]?.title)}`))
    .sort();
}

const allOf = (ways: readonly Way[]): readonly string[] =>
  ways.flatMap(({ title }) => [`ax_there ${title} (of d)`, `cj_there ${title} (of d)`]).sort();

const HOLE: [string, string] = ['Definition d : nat. Admitted.', 'Definition d : nat. exact 7. Defined.'];
const VALUE: [string, string] = ['Definition d := 1.', 'Definition d := 7.'];
const mayChange = { definitionsMayChange: ['d'], theorems: ['t'] };
const asked = { theorems: ['d', 't'] };

function inModules(place: string, signature: string): readonly Way[] {
  return Object.entries(FORMS).map(([title, form]) => ({
    title,
    written: (x, name) => PLACES[place]?.(form(x, signature), name) ?? ['', ''],
  }));
}

const waysOf = (written: Record<string, Written>): readonly Way[] =>
  Object.entries(written).map(([title, each]) => ({ title, written: each }));

describe.skipIf(coqc === undefined)('an axiom and an open statement that speak of a chosen value', () => {
  it.each([
    [': P', 'two deep'],
    ['<: P', 'two deep'],
    ['', 'two deep'],
    ['', 'behind a signature'],
    ['', 'behind the signature of an alias'],
    [': P', 'in a functor'],
  ])('are found by way of modules of every kind: %j, %s', async (signature, place) => {
    const ways = inModules(place, signature);
    expect(await warnedOf(ways, HOLE, asked)).toEqual(allOf(ways));
  });

  it('are found where the value may change', async () => {
    const ways = inModules('two deep', ': P');
    expect(await warnedOf(ways, VALUE, mayChange)).toEqual(allOf(ways));
  });

  it('are found by way of values that nobody can look into, and those of something else are not', async () => {
    const ways = waysOf(OPAQUE_VALUES);
    const all = [...ways, ...waysOf(OF_SOMETHING_ELSE)];
    expect(await warnedOf(all, HOLE, asked)).toEqual(allOf(ways));
    expect(await warnedOf(all, VALUE, mayChange)).toEqual(allOf(ways));
  });

  it.each([
    ['B.v', 'Module B. Definition v : nat. Admitted. End B. Module A : P := B.'],
    ['B.v', 'Module B : P. Definition v : nat. Admitted. End B. Module C := B. Module A : P := C.'],
    ['G.v', 'Module G (X : Empty). Definition v : nat. Admitted. End G. Module A : P := G Nothing.'],
    ['G.v', 'Module G (X : Empty) : P. Definition v : nat. Admitted. End G. Module A := G Nothing.'],
  ])('are found where the hole %s stands behind a signature: %s', async (hole, modules) => {
    const chosen = `${modules} Definition d := A.v.`;
    const ways: readonly Way[] = [{ title: 'it', written: (x) => ['', x] }];
    for (const end of ['Qed', 'Defined']) {
      const filled: [string, string] = [chosen, chosen.replace('Admitted', `exact 0. ${end}`)];
      expect(await warnedOf(ways, filled, { theorems: [hole, 't'] })).toEqual([
        `ax_there it (of ${hole})`,
        `cj_there it (of ${hole})`,
      ]);
    }
  });
});
