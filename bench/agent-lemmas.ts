/**
 * Five theorems whose induction fails without a helper lemma, with a scripted model that knows the lemma: stated as
 * one, or as a hole of a sketch. Each is tried with lemmas and with `lemmas=0`, without the search before the
 * model. Stop it and call it again: it goes on.
 *   npx node bench/agent-lemmas.ts
 * The outcomes go to bench/records/agent-lemmas.jsonl.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  startModelServer,
  type ChatRequest,
  type Reply,
} from '../src/agent/testing/scripted-model-server.ts';

const DEFINITIONS = `Require Import List Arith. Import ListNotations.
Fixpoint revonto (l m : list nat) : list nat := match l with [] => m | x :: l => revonto l (x :: m) end.
Fixpoint sumonto (l : list nat) (n : nat) : nat := match l with [] => n | x :: l => sumonto l (x + n) end.
Fixpoint sum (l : list nat) : nat := match l with [] => 0 | x :: l => x + sum l end.
Fixpoint snoc (l : list nat) (x : nat) : list nat := match l with [] => [x] | y :: l => y :: snoc l x end.
Fixpoint mirror (l : list nat) : list nat := match l with [] => [] | x :: l => snoc (mirror l) x end.
Fixpoint countonto (n k : nat) : nat := match n with 0 => k | S n => countonto n (S k) end.
`;

interface Case {
  readonly name: string;
  readonly claim: string;
  /** What a model does, call by call. */
  readonly calls: readonly (readonly [tool: string, input: object])[];
}

const proof = (script: string) => ['rocq_check_proof', { proof: `Proof. ${script} Qed.` }] as const;
const lemma = (statement: string, script: string) => ['lemma_prove', { statement, proof: script }] as const;

const CASES: readonly Case[] = [
  {
    name: 'revonto_length',
    claim: 'forall l, length (revonto l []) = length l',
    calls: [
      proof(
        'intros l. assert (G : forall k m, length (revonto k m) = length k + length m). { admit. } rewrite G. symmetry. apply plus_n_O.',
      ),
    ],
  },
  {
    name: 'sumonto_sum',
    claim: 'forall l, sumonto l 0 = sum l',
    calls: [
      lemma(
        'Lemma sumonto_plus : forall l n, sumonto l n = sum l + n.',
        'induction l as [|x l IH]; intros n. reflexivity. simpl. rewrite IH. rewrite Nat.add_assoc, (Nat.add_comm (sum l) x). reflexivity.',
      ),
      proof('intros l. rewrite sumonto_plus. symmetry. apply plus_n_O.'),
    ],
  },
  {
    name: 'mirror_mirror',
    claim: 'forall l, mirror (mirror l) = l',
    calls: [
      lemma(
        'Lemma mirror_snoc : forall l x, mirror (snoc l x) = x :: mirror l.',
        'induction l as [|y l IH]; intros x. reflexivity. simpl. rewrite IH. reflexivity.',
      ),
      proof('induction l as [|x l IH]. reflexivity. simpl. rewrite mirror_snoc, IH. reflexivity.'),
    ],
  },
  {
    name: 'mirror_length',
    claim: 'forall l, length (mirror l) = length l',
    calls: [
      proof(
        'induction l as [|x l IH]. reflexivity. simpl. assert (G : forall k y, length (snoc k y) = S (length k)). { admit. } rewrite G, IH. reflexivity.',
      ),
    ],
  },
  {
    name: 'countonto_zero',
    claim: 'forall n, countonto n 0 = n',
    calls: [
      lemma(
        'Lemma countonto_plus : forall n k, countonto n k = n + k.',
        'induction n as [|n IH]; intros k. reflexivity. simpl. rewrite IH. symmetry. apply plus_n_Sm.',
      ),
      proof('intros n. rewrite countonto_plus. symmetry. apply plus_n_O.'),
    ],
  },
];

/** Plans anything; where a call cannot be made again it says nothing more. */
function answer({ calls }: Case, { messages, tools }: ChatRequest): Reply {
  if (tools === undefined) return { text: '{"score": 5, "winner": "pro", "plan": "as it comes"}' };
  const call = calls[messages.filter(({ role }) => role === 'tool').length];
  return call === undefined ? {} : { calls: [{ name: call[0], arguments: JSON.stringify(call[1]) }] };
}

const ended = z.object({
  event: z.object({ kind: z.literal('theorem-ended'), outcome: z.string(), reason: z.string() }),
});

async function outcomeOf(one: Case, lemmas: number): Promise<{ outcome: string; seconds: number }> {
  const server = await startModelServer((request) => answer(one, request));
  const folder = mkdtempSync(join(tmpdir(), 'quod-lemmas-'));
  try {
    writeFileSync(
      join(folder, 'a.v'),
      `${DEFINITIONS}Lemma ${one.name} : ${one.claim}.\nProof.\nAdmitted.\n`,
    );
    const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
    const settings = [
      `providers=${providers}`,
      'planning=direct',
      'plans=1',
      'plansExecuted=1',
      `lemmas=${lemmas}`,
    ];
    const child = spawn(
      process.execPath,
      [
        ...[join(import.meta.dirname, '..', 'src', 'faces', 'cli', 'start.ts'), 'agent', 'a.v', '--json'],
        ...['--model', 'scripted/rocq', '--no-search-first', '--set', ...settings, 'repairSeconds=0'],
      ],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const begun = performance.now();
    let output = '';
    for await (const piece of child.stdout) output += String(piece);
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const found = output.split('\n').flatMap((line) => {
      const { success, data } = ended.safeParse(line.startsWith('{') ? JSON.parse(line) : undefined);
      return success ? [data.event.outcome] : [];
    });
    return { outcome: found.at(-1) ?? 'did not end', seconds };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

const record = join(import.meta.dirname, 'records', 'agent-lemmas.jsonl');
const known = existsSync(record) ? readFileSync(record, 'utf8') : '';
for (const one of CASES) {
  const how = one.calls.some(([tool]) => tool === 'lemma_prove') ? 'lemma' : 'sketch';
  for (const lemmas of [6, 0]) {
    const cell = { theorem: one.name, how, lemmas };
    if (known.includes(JSON.stringify(cell).slice(0, -1))) continue;
    const line = JSON.stringify({ ...cell, ...(await outcomeOf(one, lemmas)) });
    console.log(line);
    appendFileSync(record, `${line}\n`);
  }
}
