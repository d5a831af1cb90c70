import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAllLoadedKnown, readsUnknownFiles } from './loaded-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-loaded-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a text that reads files, of which nobody knows which', () => {
  it.each([
    'Elpi Command C.\nElpi Accumulate File "f.elpi" From M.',
    '#[local] Elpi Accumulate File f.',
    'From M Extra Dependency "f.elpi" as f.',
    'Elpi Accumulate lp:{{ accumulate "f". }}.',
    'Elpi Accumulate lp:{{ main _ :- open_in "f" S, input_line S L. }}.',
    'Cd "elsewhere".',
    'Time Cd "elsewhere".',
  ])('%j', (text) => {
    expect(readsUnknownFiles(`${text}\n`)).toBe(true);
  });

  it.each([
    'Require Import List.\nDefinition File := 1.',
    '(* Elpi Accumulate File "f.elpi". *) Definition a := 1.',
    'From elpi Require Import elpi.\nElpi Command C.\nElpi Accumulate lp:{{ main _ :- coq.say "x". }}.\nElpi C.',
    'Definition s := "Cd".\nFail Elpi Accumulate File "f".',
    'Load "f".',
  ])('is none of these: %j', (text) => {
    expect(readsUnknownFiles(`${text}\n`)).toBe(false);
  });

  it('is told by what it loads, too: their times say nothing then', async () => {
    const path = join(folder, 'A.v');
    const where = { root: folder, files: [] };
    writeFileSync(path, 'Load "b".\n');
    writeFileSync(join(folder, 'b.v'), 'Definition b := 1.\n');
    expect(await isAllLoadedKnown(path, where)).toBe(true);
    writeFileSync(join(folder, 'b.v'), 'Elpi Accumulate File "f.elpi" From M.\n');
    expect(await isAllLoadedKnown(path, where)).toBe(false);
  });
});
