import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchEntry, judgeBatch, readPairs } from './batch.ts';
import { ModuleBuilder } from './testing/module-builder.ts';
import { openStatement, proved } from './testing/attack.ts';
import { smallLibrary } from './testing/small-library.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-batch-'));
  const library = smallLibrary();
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'lib', 'Init.olean'), library.bytes());
  mkdirSync(join(folder, 'one'));
  const write = (name: string, build: (module: ModuleBuilder) => unknown): void => {
    const module = new ModuleBuilder(['Init'], [library]);
    build(module);
    writeFileSync(join(folder, 'one', `${name}.olean`), module.bytes());
  };
  write('Target', openStatement);
  write('Good', proved);
  write('Open', openStatement);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(): Promise<{ readonly kinds: Record<string, string>; readonly fromLog: number }> {
  const kinds: Record<string, string> = {};
  let fromLog = 0;
  const told = ({ submission, verdict }: BatchEntry, isFromLog: boolean): void => {
    kinds[submission.slice(folder.length)] = verdict.kind;
    if (isFromLog) fromLog++;
  };
  const policy = { searchPath: [join(folder, 'lib')] };
  await judgeBatch(readPairs(folder), { policy, jobs: 2, log: join(folder, 'log.ndjson') }, told);
  return { kinds, fromLog };
}

const EXPECTED = { '/one/Good.olean': 'accepted', '/one/Open.olean': 'rejected' };

it('judges every pair of a folder, and does not do it again', async () => {
  expect(await run()).toEqual({ kinds: EXPECTED, fromLog: 0 });
  expect(await run()).toEqual({ kinds: EXPECTED, fromLog: 2 });
});

it('goes on after it was stopped in the middle of a line, and judges changed files again', async () => {
  await run();
  const log = join(folder, 'log.ndjson');
  const [first = ''] = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, `${first}\n`);
  appendFileSync(log, '{"target":"');
  expect(await run()).toEqual({ kinds: EXPECTED, fromLog: 1 });
  writeFileSync(join(folder, 'one', 'Good.olean'), 'no module any more');
  expect((await run()).kinds).toEqual({ ...EXPECTED, '/one/Good.olean': 'unknown' });
});

it('reads pairs from a file, relative to it', () => {
  const list = join(folder, 'pairs.txt');
  writeFileSync(
    list,
    '# comment\none/Target.olean one/Good.olean\n{"target":"one/Target.olean","submission":"a b.olean"}\n',
  );
  expect(readPairs(list)).toEqual([
    { target: join(folder, 'one/Target.olean'), submission: join(folder, 'one/Good.olean') },
    { target: join(folder, 'one/Target.olean'), submission: join(folder, 'a b.olean') },
  ]);
  writeFileSync(list, 'one/Target.olean\n');
  expect(() => readPairs(list)).toThrow(/does not name/);
});
