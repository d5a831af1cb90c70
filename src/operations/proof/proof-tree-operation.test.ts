/**
 * Proofs of a real file as trees, with the real Rocq: finished, partial, broken, and with names that look like
 * markup.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { goalAt, type DrawnProof } from '../../drawing/drawn-proof.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import { Workspace } from '../definition/workspace.ts';
import { proofExport, proofTree } from './proof-tree-operation.ts';

const FILE = `Lemma whole : forall n m : nat, n + S m = S (n + m).
Proof.
  intros n m. induction n as [|n IH].
  - reflexivity.
  - simpl. rewrite IH. reflexivity.
Qed.

Lemma chain (P Q R : Prop) : P -> Q -> R -> P /\\ Q /\\ R.
Proof.
  intros; split; [ assumption | split; assumption ].
Qed.

Lemma partial (P Q : Prop) : P -> Q -> P /\\ (Q /\\ P).
Proof.
  intros p q. split.
  - exact p.
  - split.
    + admit.
    +
Admitted.

Lemma joint : True /\\ True.
Proof.
  split.
  all: exact I.
Qed.

Notation "'<img' 'src=x' 'onerror=alert(1)>' n" := (n = n) (at level 70).

Lemma marked : <img src=x onerror=alert(1)> 1.
Proof. reflexivity. Qed.

Lemma broken : forall n : nat, n = n /\\ True.
Proof.
  intro n. split.
  - reflexivity.
  - nonsense.
Qed.

Lemma not_closed : True /\\ True.
Proof.
  split. exact I.
Qed.
`;

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'a.v': FILE });
});
afterAll(() => caller.close());

type Tree = z.output<typeof proofTree.output>;

const treeOf = (theorem: string): Promise<Tree> => proofTree.call({ file: 'a.v', theorem }, caller.context());

/** The tree as nested lists: conclusion, what was run, status, children. */
function shapeOf(proof: DrawnProof): unknown[] {
  const shape = (place: number): unknown => {
    const node = proof.nodes[place];
    if (node === undefined) return undefined;
    const { goal, tactic, status, children } = node;
    return [goalAt(proof, goal)?.conclusion, tactic ?? status, ...children.map(shape)];
  };
  return proof.nodes.flatMap(({ parent }, place) => (parent === null ? [shape(place)] : []));
}

describe('a proof as a tree', () => {
  it('has each goal below the tactic that left it, and the goals behind each sentence', async () => {
    const tree = await treeOf('whole');
    expect(tree).toMatchObject({
      outcome: 'finished',
      error: null,
      rests_on: { file: 'a.v', prover: 'rocq' },
    });
    expect(shapeOf(tree)).toEqual([
      [
        'forall n m : nat, n + S m = S (n + m)',
        'intros n m',
        [
          'n + S m = S (n + m)',
          'induction n as [|n IH]',
          ['0 + S m = S (0 + m)', 'reflexivity'],
          [
            'S n + S m = S (S n + m)',
            'simpl',
            ['S (n + S m) = S (S (n + m))', 'rewrite IH', ['S (S (n + m)) = S (S (n + m))', 'reflexivity']],
          ],
        ],
      ],
    ]);
    expect(
      tree.sentences.map(({ text, goals, elsewhere, line }) => [text, goals.length, elsewhere, line]),
    ).toEqual([
      ['Lemma whole : forall n m : nat, n + S m = S (n + m).', 1, 0, 1],
      ['Proof.', 1, 0, 2],
      ['intros n m.', 1, 0, 3],
      ['induction n as [|n IH].', 2, 0, 3],
      ['-', 1, 1, 4],
      ['reflexivity.', 0, 1, 4],
      ['-', 1, 0, 5],
      ['simpl.', 1, 0, 5],
      ['rewrite IH.', 1, 0, 5],
      ['reflexivity.', 0, 0, 5],
    ]);
    const step = tree.nodes.find(({ tactic }) => tactic === 'rewrite IH');
    expect(tree.sentences[step?.sentence ?? -1]?.text).toBe('rewrite IH.');
    expect(goalAt(tree, step?.goal ?? -1)?.hypotheses.map(({ name }) => name)).toEqual(['n', 'm', 'IH']);
  });

  it('takes chains apart', async () => {
    const shape = JSON.stringify(shapeOf(await treeOf('chain')));
    expect(shape).toContain('"intros"');
    expect(shape).toContain('["Q /\\\\ R","split",["Q","assumption"],["R","assumption"]]');
  });

  it('shows of a partial proof what is open and what was given up', async () => {
    const tree = await treeOf('partial');
    expect(tree.outcome).toBe('admitted');
    const leaves = tree.nodes.filter(({ children }) => children.length === 0);
    expect(leaves.map(({ goal, status }) => [goalAt(tree, goal)?.conclusion, status])).toEqual([
      ['P', 'closed'],
      ['Q', 'given-up'],
      ['P', 'open'],
    ]);
    expect(tree.nodes.filter(({ parent }) => parent === null)).toHaveLength(1);
  });

  it('draws a broken proof up to the sentence that is refused, and says why', async () => {
    const tree = await treeOf('broken');
    expect(tree.outcome).toBe('refused');
    expect(tree.error).toMatch(/^a\.v:\d+:4: .*nonsense/u);
    expect(tree.nodes.map(({ status }) => status)).toEqual(['closed', 'closed', 'closed', 'broken']);
    // The file cannot be run up to this one without passing over the one before.
    const early = await treeOf('not_closed');
    expect(early).toMatchObject({
      outcome: 'refused',
      errors_before: [expect.stringMatching(/a\.v:\d+:4/u)],
    });
    expect(early.nodes.map(({ status }) => status)).toEqual(['closed', 'closed', 'open']);
  });

  it('tells a sentence for all goals apart', async () => {
    const tree = await treeOf('joint');
    expect(shapeOf(tree)).toEqual([['True /\\ True', 'split', ['True', 'exact I'], ['True', 'exact I']]]);
  });

  it('is refused for other files and unknown names with what to do', async () => {
    expect((await caller.failure('proof_tree', { file: 'a.v', theorem: 'whol' })).text).toMatch(
      /Did you mean.*whole/u,
    );
    await caller.write('aScript.sml', '');
    expect(await caller.failure('proof_tree', { file: 'aScript.sml', theorem: 'x' })).toMatchObject({
      reason: 'unsupported',
      text: expect.stringContaining('`proof_statements` lists the statements') as string,
    });
  });
});

describe('the exports', () => {
  const exported = async (input: Record<string, unknown>): Promise<string> =>
    String((await caller.call('proof_export', { file: 'a.v', ...input }))['text']);

  it('say that what they tell of is older than the sources', async () => {
    await caller.write('_CoqProject', '-Q . P\n');
    await caller.write('under.v', 'Lemma under : 1 = 1. Proof. reflexivity. Qed.\n');
    await caller.write(
      'over.v',
      'From P Require Import under.\nLemma over : 1 = 1. Proof. exact under. Qed.\n',
    );
    execFileSync('coqc', ['-q', '-Q', '.', 'P', 'under.v'], { cwd: caller.folder, stdio: 'ignore' });
    const page = () => exported({ file: 'over.v', theorem: 'over' });
    expect(await page()).not.toContain('This tells of older files');
    await caller.write('under.v', 'Lemma under : 1 = 1. Admitted.\n');
    expect(await page()).toContain('This tells of older files: since it was compiled, under.v has changed');
    await rm(join(caller.folder, '_CoqProject'));
  });

  it('of a file in another folder say its name, and not where on this machine it lies', async () => {
    await caller.write('elsewhere.v', `Lemma wrong : nowhere.\nProof. exact I. Qed.\n${FILE}`);
    const beside = await mkdtemp(join(tmpdir(), 'quod-beside-'));
    onTestFinished(() => rm(beside, { recursive: true }));
    const here = { ...caller.context(), workspace: await Workspace.openFrom(beside) };
    const file = join(caller.folder, 'elsewhere.v');
    for (const format of ['html', 'svg', 'text'] as const)
      for (const theorem of ['whole', 'broken']) {
        const { text } = await proofExport.call({ file, theorem, format }, here);
        expect(text).not.toContain(caller.folder);
        if (format === 'html') expect(text).toContain('<p class="about">elsewhere.v · ');
        expect(text).toContain('Before it the file has 1 error, passed over; the first: elsewhere.v:1:');
      }
  });

  it('are a page, a picture and a text; a notation that looks like markup is text in all', async () => {
    const page = await exported({ theorem: 'marked' });
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; 1');
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<script');
    expect(page).toContain("default-src 'none'");
    const picture = await exported({ theorem: 'marked', format: 'svg' });
    expect(picture).toMatch(/^<svg [^>]*>/u);
    expect(picture).not.toContain('<img');
    expect(await exported({ theorem: 'whole', format: 'text' })).toContain('▸ induction n as [|n IH]');
  });

  it('two proofs stand beside each other', async () => {
    const page = await exported({ theorem: 'whole', beside: 'chain' });
    expect(page.match(/<article>/gu)).toHaveLength(2);
    expect(await exported({ theorem: 'whole', beside: 'a.v#joint' })).toContain('id="p1-0"');
  });

  it.each(['html', 'text', 'svg'])(
    'say what they are and what the proof rests on, and at no goal that it is proved: %s',
    async (format) => {
      const file = 'unsafe.v';
      const text = `Axiom bad : False.
Lemma open : False. Admitted.
Lemma by_axiom : False. Proof. exact bad. Qed.
Lemma by_open : False /\\ True. Proof. split. - exact open. - exact I. Qed.
Lemma inside : False. Proof. Axiom q : False. exact q. Qed.
Lemma good : True. Proof. exact I. Qed.
Lemma refused : False. Proof. exact_no_check I. Qed.
Lemma unguarded : False.
Proof.
  Unset Guard Checking.
  exact ((fix f (n : nat) : False := f n) 0).
Qed.
`;
      await caller.write(file, text);
      const said: Record<string, RegExp> = {
        by_axiom: /rests on what the prover lists.*bad : False/u,
        by_open: /rests on what the prover lists.*open : False/u,
        inside: /rests on what the prover lists.*q : False/u,
        good: /rests on no axiom and no open statement/u,
        refused: /The prover refused the proof/u,
        unguarded: /rests on what the prover lists.*unguarded/u,
      };
      for (const [theorem, rests] of Object.entries(said)) {
        const page = await exported({ file, theorem, format });
        const words = page
          .replace(/<style.*?<\/style>/gsu, '')
          .replace(/<[^>]+>|\s+/gu, ' ')
          .replace(/ +/gu, ' ');
        expect(words.replaceAll('judgement that the theorem is proved', '')).not.toMatch(/proved|finished/u);
        expect(words).toContain('no judgement');
        expect(words).toMatch(rests);
        if (theorem === 'unguarded') expect(words).toContain('Unset Guard Checking.');
        if (theorem === 'inside') expect(words).toContain('Axiom q : False.');
      }
      const lines = (await exported({ file, theorem: 'unguarded', format: 'text' })).split('\n');
      expect(lines[1]).toBe('▸ Unset Guard Checking.  (no step of one goal)');
      expect(lines[2]).toContain('⊢ False');
    },
  );

  it('leave out of the text what only focuses', async () => {
    expect(await exported({ theorem: 'whole', format: 'text' })).not.toContain('no step of one goal');
    expect(await exported({ theorem: 'partial', format: 'text' })).not.toContain('no step of one goal');
  });
});
