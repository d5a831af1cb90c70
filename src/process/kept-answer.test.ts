import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptAnswer } from './kept-answer.ts';

describe('what a program answered about itself', () => {
  let folder: string;
  let program: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quod-test-'));
    program = join(folder, 'program');
    copyFileSync('/bin/true', program);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const about = (...question: string[]): KeptAnswer => new KeptAnswer(program, question, folder);

  it('is known from then on, each question for itself', async () => {
    expect(about('-version').known).toBeUndefined();
    await about('-version').keep('1.0');
    expect(about('-version').known).toBe('1.0');
    expect(about('-where').known).toBeUndefined();
  });

  it('is asked again when its end was lost', async () => {
    await about('-version').keep('1.0');
    const [name = ''] = readdirSync(join(folder, 'programs-2'));
    const path = join(folder, 'programs-2', name);
    const kept = readFileSync(path, 'utf8');
    for (let length = 0; length < kept.length; length += 1) {
      writeFileSync(path, kept.slice(0, length));
      expect(about('-version').known).toBeUndefined();
    }
    writeFileSync(path, kept);
    expect(about('-version').known).toBe('1.0');
  });

  it('is asked again when the program is another file, were it as large and as old', async () => {
    await about('-version').keep('1.0');
    rmSync(program);
    copyFileSync('/bin/true', program);
    utimesSync(program, 0, 0);
    expect(about('-version').known).toBeUndefined();
  });

  it('is not kept of a script, which may start another program tomorrow', async () => {
    writeFileSync(program, '#!/bin/sh\nexec other\n');
    await about('-version').keep('1.0');
    expect(about('-version').known).toBeUndefined();
  });

  it('is not kept where it cannot be, and that is no error', async () => {
    rmSync(program);
    await about('-version').keep('1.0');
    expect(about('-version').known).toBeUndefined();
  });
});
