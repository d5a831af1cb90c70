/** What target and submission take in, as the report has it, and what comes of it where it changes meanwhile. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../core/sha256.ts';
import { findRocqProject } from '../../provers/rocq/project/project.ts';
import type { Verdict } from '../verdict.ts';
import { JudgedInputs } from './judged-inputs.ts';

let all: string;
beforeAll(() => {
  all = mkdtempSync(join(tmpdir(), 'quod-inputs-'));
});
afterAll(() => rmSync(all, { recursive: true }));
beforeEach(() => {
  rmSync(join(all, 'P'), { recursive: true, force: true });
  mkdirSync(join(all, 'P/sub'), { recursive: true });
  file('_CoqProject', '-R . P\n');
});

function file(name: string, text = `(* ${name} *)`): void {
  writeFileSync(join(all, 'P', name), text);
}

const VERDICT: Verdict = {
  kind: 'rejected',
  findings: [],
  restsOn: {
    ...{ prover: 'rocq', backend: 'coqc', targetSha256: '', submissionSha256: '' },
    ...{ pinnedBy: [], elapsedMs: 0 },
  },
};

async function judged(target: string, submission = '', meanwhile: () => void = () => undefined) {
  const source = (name: string, text: string) => ({ path: join(all, 'P', name), text });
  const { path } = source('T.v', target);
  const libraryPlaces = () => Promise.resolve({ folders: [], loadable: [], suffixes: [], variables: {} });
  const project = await findRocqProject(path);
  const inputs = new JudgedInputs({ path, text: target }, { project, backend: { libraryPlaces } });
  return inputs.judged(source('S.v', submission), () => {
    meanwhile();
    return Promise.resolve(VERDICT);
  });
}

const taken = (by: string, path: string, text = `(* ${path} *)`) => ({ by, path, sha256: sha256(text) });

it('tells what is taken in by what is taken in, wherever on the load path, and the plugins of the project', async () => {
  file('sub/A.v', 'Load "sub/B".');
  file('sub/B.v');
  file('unnamed.v');
  file('sub/some_plugin.cmxs');
  symlinkSync(join(all, 'P/sub/B.v'), join(all, 'P/C.v'));
  expect(await judged('Load A.', 'Load C.')).toMatchObject({
    restsOn: {
      project: { loadPath: [{ flag: '-R', folder: '.', name: 'P' }] },
      takenIn: [
        taken('target', 'sub/A.v', 'Load "sub/B".'),
        taken('target', 'sub/B.v'),
        taken('submission', 'C.v', '(* sub/B.v *)'),
        taken('project', 'sub/some_plugin.cmxs'),
      ],
    },
  });
});

it('says nothing of what lies elsewhere, not even whether it is there', async () => {
  writeFileSync(join(all, 'secret.v'), 'secret');
  const [there, away] = await Promise.all(
    ['secret', 'absent'].map((name) => judged(`Load "${all}/${name}". Add LoadPath "${all}". Load ${name}.`)),
  );
  const told = JSON.stringify(there);
  expect(told).toContain('which is not looked at');
  expect(told).not.toContain(sha256('secret'));
  expect(told.replaceAll('secret', 'absent')).toBe(JSON.stringify(away));
});

it('follows no link that leads out', async () => {
  writeFileSync(join(all, 'secret.v'), 'secret');
  symlinkSync(join(all, 'secret.v'), join(all, 'P/A.v'));
  symlinkSync(all, join(all, 'P/out'));
  const told = JSON.stringify(await judged('Load A. Load secret.'));
  expect(told).not.toContain(sha256('secret'));
  expect(told).toContain('A.v, which cannot be read, or leads out');
});

it.each(['target', 'submission'])('is unknown where it changes while the %s is judged', async (by) => {
  file('A.v');
  const texts = by === 'target' ? ['Load A.'] : ['', 'Load A.'];
  expect(await judged(texts[0] ?? '', texts[1], () => file('A.v', 'other'))).toMatchObject({
    ...{ kind: 'unknown', reason: 'file-changed' },
    message: expect.stringContaining('A.v') as unknown,
  });
});
