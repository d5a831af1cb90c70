/**
 * Every attack on filling and checking, and its innocent twin, over the operations as clients call them. What
 * was refused for its text is put to the gate besides, with nobody reading it before: there it is refused for what
 * was compiled.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';
import { readSourceFile } from '../../files/source-file.ts';
import { fillIn, judgeFilled } from './judge-in-file.ts';
import { RocqFile } from '../session/rocq-file.ts';
import { fileText, readProofAttacks, type ProofAttack } from '../testing/proof-attacks.ts';

const ATTACKS = readProofAttacks();
const never = new AbortController().signal;
let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({});
});
afterAll(() => caller.close());

let files = 0;
async function write(text: string): Promise<{ name: string; path: string }> {
  const name = `f${(files += 1)}.v`;
  return { name, path: await caller.write(name, text) };
}

async function check(file: string, theorem: string, proof: string) {
  const { session_id } = await caller.call('rocq_open', { file, theorem });
  try {
    return await caller.call('rocq_check_proof', { session_id, proof, final: true });
  } finally {
    await caller.call('rocq_close', { session_id });
  }
}

async function gateAlone(path: string, theorem: string, proof: string) {
  const source = await readSourceFile(path);
  const file = new RocqFile(source, basename(path), { file: path, libraries: '' });
  return judgeFilled(fillIn(file, file.theorem(theorem).sentence, proof), never);
}

async function attacked({ theorem, attack }: ProofAttack): Promise<void> {
  const text = fileText(attack);
  const { name, path } = await write(text);
  const checked = await check(name, theorem, attack.proof);
  const filled = await caller.call('rocq_fill', { file: name, theorem, proof: attack.proof });
  if (attack.expect === 'proved-but') {
    expect(checked).toMatchObject({ outcome: 'proved-but', rests_on_open: attack.restsOnOpen });
    expect(filled).toMatchObject({ written: true, rests_on_open: attack.restsOnOpen });
    return;
  }
  expect(['proved', 'proved-but']).not.toContain(checked['outcome']);
  expect(filled).toMatchObject({ written: false });
  expect(filled['verdict']).not.toBe('accepted');
  expect(filled['findings']).not.toEqual([]);
  expect(await readFile(path, 'utf8')).toBe(text);
  const [finding] = filled['findings'] as string[];
  // Otherwise it was the gate that refused it.
  if (!/^(?:not-one-proof|forbidden-command: The proof has)/u.test(finding ?? '')) return;
  const { verdict } = await gateAlone(path, theorem, attack.proof);
  expect(verdict === 'accepted').toBe(attack.gate === 'sound');
}

describe.skipIf(findExecutable(['coqc']) === undefined)('attacks on filling and checking', () => {
  it('are at least forty, and no two have the same name', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  });

  it.each(ATTACKS.map((attack) => [attack.class, attack.name, attack] as const))(
    '%s: %s',
    async (_class, _name, attack) => {
      await attacked(attack);
    },
    120_000,
  );

  it.each(ATTACKS.map((attack) => [attack.class, attack.name, attack] as const))(
    '%s: the twin of %s is accepted',
    async (_class, _name, { theorem, twin }) => {
      const text = fileText(twin);
      const { name, path } = await write(text);
      expect(await check(name, theorem, twin.proof)).toMatchObject({ outcome: 'proved', rests_on_open: [] });
      expect(await caller.call('rocq_fill', { file: name, theorem, proof: twin.proof })).toMatchObject({
        written: true,
        verdict: 'accepted',
        rests_on_open: [],
      });
      expect(await readFile(path, 'utf8')).not.toBe(text);
    },
    120_000,
  );

  it('left nothing behind: no file was written but those of the theorems', async () => {
    expect((await readdir(caller.folder)).filter((name) => !/^f\d+\.v$/u.test(name))).toEqual([]);
  });
});
