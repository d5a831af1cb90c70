/** Which theorems of a script the agent works on. Nothing of it asks a HOL4. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import type { TargetHost } from '../target-host.ts';
import { hostOf } from '../testing/caller-host.ts';
import { choicesOfRun, openTargets } from '../open-targets.ts';
import { openHol4Targets } from './hol4-targets.ts';

const theorem = (name: string, proof: string): string =>
  `Theorem ${name}:\n  p ==> p\nProof\n  ${proof}\nQED\n\n`;
const FILE = 'aScript.sml';

const { signal } = new AbortController();
let caller: Caller;
let host: TargetHost;
beforeAll(async () => {
  const text = theorem('it', 'simp[]') + theorem('it', 'cheat') + theorem('other', 'cheat');
  caller = await openCaller({ [FILE]: `Theory a\n\n${text}` });
  host = await hostOf(caller);
});
afterAll(() => caller.close());

it('a hole of the name of another theorem is no target: it is told, or refused where it is asked for', async () => {
  const { targets, leftOut } = await openHol4Targets(host, { file: FILE }, signal);
  expect(targets.map((one) => one.theorem)).toEqual(['other']);
  expect(leftOut).toEqual([
    'it at line 9 is left out: the script states several theorems it. Give one of them another name.',
  ]);
  for (const leavesFinished of [true, false])
    await expect(
      openHol4Targets(host, { file: FILE, theorems: ['it'], leavesFinished }, signal),
    ).rejects.toThrow('The script states several theorems it.');
});

it('a proof that looks like another one is refused before anybody judges it, and not written', async () => {
  const [target] = (await openHol4Targets(host, { file: FILE }, signal)).targets;
  const proof = 'simp[] (* \u001b[2K *)';
  expect(await target?.judge(proof, signal)).toEqual({
    verdict: 'rejected',
    findings: [expect.stringMatching(/^forbidden: a control character \(U\+001B\) stands in the proof/u)],
    restsOnOpen: [],
  });
  await expect(target?.write(proof, signal)).rejects.toThrow('a control character (U+001B)');
});

it.each<[string, (text: string) => string, boolean]>([
  ['nothing', (text) => text, false],
  ['every line end', (text) => text.replace(/\n/gu, '\r\n'), true],
  ['a comment', (text) => text.replace('Theory d\n', 'Theory d\n(* mine *)\n'), true],
  ['an open proof', (text) => text.replace('  cheat\n', '  (* later *)\r\n  cheat\n'), false],
])('a script in which %s was changed is told to be changed elsewhere, or not', async (_, change, isTold) => {
  const text = `Theory d\n\n${theorem('t', 'cheat')}`;
  await caller.write('dScript.sml', text);
  const opened = await openHol4Targets(host, { file: 'dScript.sml' }, signal);
  await caller.write('dScript.sml', change(text));
  expect((await opened.compare(text, signal)).elsewhere).toBe(isTold);
});

it('what the run itself writes is no change, through whatever links its files are named', async () => {
  await caller.write('bScript.sml', 'Theory b\n');
  await symlink('.', join(caller.folder, 'link'));
  const files = [FILE, 'bScript.sml'].map((name) => ({ file: join('link', name) }));
  const [opened] = await Promise.all(
    (await choicesOfRun(host, files)).map((choice) => openTargets(host, choice, signal)),
  );
  await caller.write('bScript.sml', 'Theory b\n\nTheorem x = TRUTH\n');
  await opened?.requireDependencies?.();
  await caller.write('cScript.sml', 'Theory c\n');
  await expect(opened?.requireDependencies?.()).rejects.toThrow(
    'A dependency changed while the agent worked on the file: cScript.sml.',
  );
});
