/**
 * Half a minute of the workbench for the README, from the real page at work on the real Rocq: `npm run
 * bench:page-recording`. Pictures are taken while a hole is proved as a person would do it; one that shows what
 * the one before shows is not taken twice. Whether the file plays the browser itself says at the end.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { Workbench } from '../../web/test/workbench.ts';
import { animatedWebp } from './animated-webp.ts';
import type { StillPicture } from './animated-webp.ts';

const TARGET = fileURLToPath(new URL('../../docs/recording/workbench.webp', import.meta.url));
const CANVAS = { width: 960, height: 600 };
const QUALITY = 45;
/** Pictures of the search while it works, however long that takes. */
const SEARCH_PICTURES = 10;
const SHOWN_MS = 1400;
const SHORT_MS = 250;
const END_MS = 2400;

const FILES = {
  _CoqProject: '-Q . Lists\nreverse.v\nuse.v\n',
  'reverse.v': `From Coq Require Import List.
Import ListNotations.

Fixpoint rev_onto {A : Type} (l acc : list A) : list A :=
  match l with
  | [] => acc
  | x :: l' => rev_onto l' (x :: acc)
  end.

Lemma rev_onto_app {A : Type} (l acc : list A) :
  rev_onto l acc = rev l ++ acc.
Proof.
Admitted.

Theorem rev_onto_rev {A : Type} (l : list A) : rev_onto l [] = rev l.
Proof.
  rewrite rev_onto_app.
  apply app_nil_r.
Qed.
`,
  'use.v': `From Coq Require Import List.
From Lists Require Import reverse.

Theorem twice {A : Type} (l : list A) : rev_onto (rev_onto l nil) nil = l.
Proof.
  rewrite !rev_onto_rev.
  apply rev_involutive.
Qed.
`,
};

class Recording {
  readonly pictures: StillPicture[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Keeps so many of the pictures from one on, evenly. */
  thin(from: number, kept: number): void {
    const late = this.pictures.splice(from);
    const step = Math.max(1, Math.ceil(late.length / kept));
    this.pictures.push(...late.filter((_, index) => index % step === 0));
  }

  async show(durationMs = SHOWN_MS): Promise<void> {
    const devtools = await this.#page.context().newCDPSession(this.#page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await devtools.detach();
    const bytes = Buffer.from(data, 'base64');
    const before = this.pictures.at(-1);
    if (before?.bytes.equals(bytes) === true)
      this.pictures[this.pictures.length - 1] = { bytes, durationMs: before.durationMs + durationMs };
    else this.pictures.push({ bytes, durationMs });
  }
}

async function typed(page: Page, recording: Recording, text: string): Promise<void> {
  for (const part of text.match(/.{1,3}/gsu) ?? []) {
    await page.keyboard.type(part);
    await recording.show(SHORT_MS);
  }
}

async function prove(page: Page, recording: Recording): Promise<void> {
  await page.locator('.statements .virtual-row').first().waitFor();
  await recording.show();
  await page.keyboard.press('/');
  await typed(page, recording, 'twice');
  await page.locator('.statements .virtual-row', { hasText: 'twice' }).click();
  await page.locator('.ways a', { hasText: 'rev_onto_app' }).waitFor();
  await recording.show(END_MS);
  await page.locator('.ways a', { hasText: 'rev_onto_app' }).click();
  await page.getByRole('link', { name: 'Prove it' }).waitFor();
  await recording.show(END_MS);
  await page.getByRole('link', { name: 'Prove it' }).click();
  await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
  await recording.show();
  await page.getByRole('button', { name: 'Prove rev_onto_app' }).click();
  const found = page.getByRole('button', { name: 'Accept the change' });
  const begun = recording.pictures.length;
  while (!(await found.isVisible())) await recording.show(2 * SHORT_MS);
  recording.thin(begun, SEARCH_PICTURES);
  await recording.show(END_MS);
  await found.click();
  await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
  await recording.show();
  await page.keyboard.press('Control+s');
  await page.locator('.toast.good').waitFor();
  await recording.show();
  await page.locator('#tab-goals').click();
  await page.locator('.cm-line', { hasText: 'Proof.' }).first().click();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Alt+ArrowDown');
    await page.locator('.goals').waitFor();
    await recording.show(700);
  }
  await page.goto(new URL('/ui/proof/reverse.v?theorem=rev_onto_app', page.url()).href);
  await page.locator('.proof-shown .tree-frame').waitFor();
  await recording.show(END_MS);
}

const bench = new Workbench(FILES);
try {
  await bench.start();
  const page = await bench.open('/ui/project', { viewport: CANVAS, colorScheme: 'light' });
  const recording = new Recording(page);
  await prove(page, recording);
  const file = animatedWebp(CANVAS, recording.pictures);
  const seen: unknown = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${file.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data: bytes, type: 'image/webp' });
    await decoder.tracks.ready;
    return decoder.tracks.selectedTrack.frameCount;
  })()`);
  if (seen !== recording.pictures.length)
    throw new Error(`The browser sees ${String(seen)} of ${recording.pictures.length} pictures.`);
  writeFileSync(TARGET, file);
  const seconds = recording.pictures.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  console.log(
    `${TARGET}: ${recording.pictures.length} pictures, ${seconds.toFixed(0)} s, ${(file.length / 1024).toFixed(0)} KB`,
  );
} finally {
  await bench.close();
}
