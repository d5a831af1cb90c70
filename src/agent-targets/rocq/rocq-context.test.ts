/**
 * A file of 5,000 lines and a model that takes 8,000 tokens: what the theorem rests on is there, and what is left
 * out is named.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Briefing } from '../../agent/context/briefing.ts';
import { estimateTokens } from '../../agent/models/prices.ts';
import { Prompts } from '../../agent/prompt-files.ts';
import { mergeSettings } from '../../agent/settings.ts';
import { toyTarget } from '../../agent/testing/toy-target.ts';
import { rocqContext } from './rocq-context.ts';
import { RocqSources } from './rocq-sources.ts';

const CONTEXT_TOKENS = 8000;

/** The target rests on two definitions that stand 5,000 lines before it. */
function longFile(): string {
  const theory = Array.from({ length: 1000 }, (_, number) => [
    `Definition filler_${number} (n : nat) : nat := n + ${number}.`,
    `Lemma filler_${number}_is : forall n, filler_${number} n = n + ${number}.`,
    'Proof.',
    `  intros n. unfold filler_${number}. reflexivity.`,
    'Qed.',
  ]).flat();
  return [
    '(** Twice, as the first page has it. *)',
    'Definition twice (n : nat) : nat := n + n.',
    'Definition is_even (n : nat) : Prop := exists half, n = twice half.',
    ...theory,
    'Lemma four_times : forall n, is_even (twice (twice n)).',
    'Proof.',
    'Admitted.',
    '',
  ].join('\n');
}

test('of 5,000 lines a model with 8,000 tokens sees what the theorem rests on, and what is left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-long-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = longFile();
  expect(text.split('\n').length).toBeGreaterThan(5000);
  const pieces = await rocqContext(await RocqSources.read(join(folder, 'long.v'), text), 'four_times', {
    signature: () => Promise.resolve(undefined),
    premises: () => Promise.resolve([]),
  });
  const briefing = new Briefing(
    { prompts: Prompts.read(null).in('rocq'), settings: mergeSettings({ contextTokens: CONTEXT_TOKENS }) },
    { ...toyTarget('four_times'), statement: 'Lemma four_times : forall n, is_even (twice (twice n)).' },
    'forall n, is_even (twice (twice n))',
    pieces,
  );
  const { text: told } = briefing.message(CONTEXT_TOKENS);
  expect(estimateTokens(told)).toBeLessThan(CONTEXT_TOKENS / 2);
  expect(told).toContain('Twice, as the first page has it.');
  expect(told).toContain('Definition twice (n : nat) : nat := n + n.');
  expect(told).toContain('Definition is_even');
  // The nearest neighbour with its proof; of the far ones it is said that they are not there.
  expect(told).toContain('unfold filler_999');
  expect(told).not.toContain('unfold filler_500');
  expect(told).toMatch(
    /Lines 1 to 4\d\d\d are not shown; the reading tools show them\. Of 1\d\d\d that they declare/u,
  );
});

test('of a project nothing is read that is no file or that a link finds elsewhere; what it says it has elsewhere is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  for (const name of ['project', 'private', 'library']) mkdirSync(join(folder, name));
  write('project/_CoqProject', '-R . Here\n-R ../library There\n');
  write('private/Secret.v', 'Definition secret := 0.');
  symlinkSync('../private/Secret.v', join(folder, 'project/Linked.v'));
  symlinkSync('../private', join(folder, 'project/Folder'));
  symlinkSync('.', join(folder, 'project/Round'));
  execFileSync('mkfifo', [join(folder, 'project/Pipe.v')]);
  write('project/Own.v', 'Definition own := 0.');
  write('library/Shared.v', 'Definition shared := 0.');
  const text = 'Require Import Linked Folder.Secret Pipe Own Shared.\n';
  const { required } = await RocqSources.read(join(folder, 'project/task.v'), text);
  expect(required.map(({ path }) => basename(path)).sort()).toEqual(['Own.v', 'Shared.v']);
});
