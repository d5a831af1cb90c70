/**
 * The same tests over a server that replays what a real one answered, and over a real one when there is one. The
 * recording is made by these tests too: src/provers/rocq/petanque/testing/record.ts.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { createPetanque, findPetanque } from '../../provers/rocq/petanque/adapter.ts';
import { SERVER_KINDS } from '../../provers/rocq/petanque/launch.ts';
import { replayedProver } from '../replayed-prover.ts';
import { describeRocqPort } from './rocq-port.ts';

/** What is drawn by chance in the recording. */
const SEED = 20;

const testing = new URL('../../provers/rocq/petanque/testing/', import.meta.url);
const server = fileURLToPath(new URL('scripted-server.ts', testing));
const recording = fileURLToPath(new URL('fixtures/conformance-8.20.1.jsonl', testing));
const folder = mkdtempSync(join(tmpdir(), 'quod-scripted-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

program('coqc', 'echo 8.20.1 5.3.0');
for (const kind of SERVER_KINDS) {
  const executable = program(
    kind,
    `[ "$1" = --version ] && exec echo 0.2.4\nexec '${process.execPath}' '${server}' '${recording}' "$@"`,
  );
  describeRocqPort(`a recorded ${kind}`, {
    open: async () => replayedProver(await createPetanque({ executable })),
    seed: SEED,
  });
}

const real = findPetanque();
if (real !== undefined) {
  const seed = process.env['RECORDING'] === undefined ? {} : { seed: SEED };
  describeRocqPort(`petanque (${real})`, {
    open: async () => replayedProver(await createPetanque({ executable: real })),
    ...seed,
  });
}
