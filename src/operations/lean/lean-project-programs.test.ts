/** A Lean project is data: its lakefile is a program, and neither it nor a tool that would run it is started unasked. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CATALOGUE } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;

beforeEach(async () => {
  caller = await openCaller({
    'A.lean': 'theorem a : True := by sorry\n',
    'lakefile.lean': 'import Lake\nopen Lake DSL\n#eval IO.FS.writeFile "ran" "lakefile"\npackage p\n',
    'lean-toolchain': '../../bin',
  });
  const bin = join(caller.folder, 'bin');
  await mkdir(bin);
  for (const name of ['lake', 'lean', 'elan', 'leanc']) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${join(caller.folder, 'ran')}'\n`);
    await chmod(join(bin, name), 0o755);
  }
  vi.stubEnv('PATH', `${bin}:${String(process.env['PATH'])}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await caller.close();
});

it('no operation on a Lean file runs the project or its tools', async () => {
  const file = 'A.lean';
  const asked = [
    ...['proof_check', 'proof_refute', 'proof_search', 'lean_check', 'lean_show'].map(
      (name) => [name, { file }] as const,
    ),
    ...['proof_status', 'proof_statements'].map((name) => [name, { paths: ['.'] }] as const),
    ...['gate_verify', 'lean_verify'].map((name) => [name, { target: file, submission: file }] as const),
  ];
  expect(CATALOGUE.map(({ name }) => name)).toEqual(expect.arrayContaining(asked.map(([name]) => name)));
  for (const [name, input] of asked) {
    const told = await caller.call(name, input).then((answer) => JSON.stringify(answer), String);
    expect(told, name).not.toMatch(/What it takes/u);
  }
  await expect(readFile(join(caller.folder, 'ran'), 'utf8')).rejects.toThrow('ENOENT');
}, 120_000);
