/** What tests of the file view share: a file with a proof and a hole, and how one waits until Rocq has checked it. */
import type { Page } from 'playwright-core';

export const SWAP = `Lemma swap (p q : Prop) : p /\\ q -> q /\\ p.
Proof.
  intros [hp hq].
  split.
  - exact hq.
  - exact hp.
Qed.

Lemma add_zero (n : nat) : n + 0 = n.
Proof.
Admitted.
`;

/** Fermat's: no search ends with a proof of it or a counterexample. */
export const HARD = `Require Import PeanoNat.
Lemma hard (a b c n : nat) :
  S a ^ (n + 3) + S b ^ (n + 3) <> S c ^ (n + 3).
Proof.
Admitted.
`;

export function at(name: string, line: number): string {
  return `/ui/file/${name}?line=${line}`;
}

export async function checked(page: Page): Promise<void> {
  await page.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
}

/** The conclusions of the goals at the cursor. */
export function goals(page: Page): Promise<string[]> {
  return page.locator('.goals .conclusion').allInnerTexts();
}
