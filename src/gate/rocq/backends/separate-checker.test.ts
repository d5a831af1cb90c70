/** A file may have any name that the prover takes for one, also one that reads like a file, an option or a word of the gate's own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { findSandbox } from '../../../process/sandbox.ts';
import { findEmbeddedRocq } from '../../../provers/rocq/embedded/adapter.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import { verify } from '../../verify.ts';
import { EmbeddedJudge } from './embedded-judge.ts';
import type { JudgeBackend } from './judge-backend.ts';

const HAS_CHECKER = findExecutable(['coqchk', 'rocqchk']) !== undefined;
const CANNOT = findExecutable(['coqc']) === undefined || !HAS_CHECKER || (await findSandbox()) === undefined;

const LIKE_A_FILE = ['vo', 'vos', 'v', 'o'];
const LIKE_ANYTHING_ELSE = ['norec', 'R', 'fun', 'Type', '_', 'judged', 'libraries', 'QuodJudged', "x'", 'α'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-names-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function judged(name: string, words = '', backend?: JudgeBackend) {
  const target = `${words}Axiom a : 1 = 1. Theorem t : 1 = 1. Admitted.\nTheorem u : t = t. Admitted.\n`;
  const text = target.replaceAll('Admitted.', 'Proof. (exact a || reflexivity). Defined.');
  const loadPath: RocqProject['loadPath'] = [{ flag: '-Q', physical: folder, logical: 'P' }];
  const project = { root: folder, source: undefined, loadPath, ocamlPath: [], arguments: [] };
  const settings = { project, ...(backend ? { backend } : { policy: { recheck: 'always' as const } }) };
  return verify({ path: join(folder, `${name}.v`), text: target }, { path: 'S.v', text }, settings);
}

describe.skipIf(CANNOT)('the separate checker', () => {
  it.each([...LIKE_A_FILE, ...LIKE_ANYTHING_ELSE])('looks at a file with the name %s', async (name) => {
    const verdict = await judged(name);
    expect(verdict, JSON.stringify(verdict)).toMatchObject({
      kind: 'accepted',
      restsOn: { recheckedBy: expect.stringContaining('chk') as unknown },
    });
    expect(verdict.kind === 'accepted' && verdict.restsOn.warnings).toBeUndefined();
  });

  it('looks at libraries with such names', async () => {
    const libraries = [...LIKE_A_FILE, 'vo/vo'];
    for (const library of libraries) {
      const path = join(folder, `${library}.v`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `Definition k := 1.\n`);
      execFileSync('coqc', ['-q', '-Q', folder, 'P', path]);
    }
    const names = libraries.map((library) => `P.${library.replace('/', '.')}`).join(' ');
    const verdict = await judged('T', `Require ${names}.\n`);
    expect(verdict.kind, JSON.stringify(verdict)).toBe('accepted');
    expect(verdict.kind === 'accepted' && verdict.restsOn.warnings).toBeUndefined();
  });
});

it.skipIf(!findEmbeddedRocq())('the Rocq inside Node looks at files with such names', async () => {
  const embedded = new EmbeddedJudge();
  for (const name of ['vo', 'fun', '_', 'judged', 'QuodJudged', 'α'])
    expect(await judged(name, '', embedded), name).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: ['a'] }, {}],
    });
});
