/** `quod report` with the files at hand: what a verdict rests on besides them is compared with what the disk has now. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../core/sha256.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-report-'));
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', at('judge.pem')]);
  execFileSync('openssl', ['pkey', '-in', at('judge.pem'), '-pubout', '-out', at('judge.pub')]);
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const file = (name: string, text: string): void => writeFileSync(at(name), text);
const quod = (...words: string[]) => runQuod(words, folder);

const DEFINITION = 'Definition n := 1.\n';
const STATEMENT = 'Theorem t : n = k.\n';
const [TARGET, SUBMISSION] = ['P/T.v', 'P/S.v'];

/** A target that takes in a file and requires a library. */
function project(): void {
  mkdirSync(at('P'));
  file('P/_CoqProject', '-Q . P\n-arg -w -arg none\n');
  file('P/Defs.v', DEFINITION);
  library(1);
  const required = 'From P Require Import Lib.\n';
  file(TARGET, `${required}Load Defs.\n${STATEMENT}Admitted.\n`);
  file(SUBMISSION, `${required}${DEFINITION}${STATEMENT}Proof. reflexivity. Qed.\n`);
}

function library(value: number): void {
  file('P/Lib.v', `Definition k := ${value}.\n`);
  execFileSync('coqc', ['-Q', '.', 'P', 'Lib.v'], { cwd: at('P') });
}

async function report(...words: string[]) {
  const run = await quod('report', 'v.json.dsse.json', '--key', 'judge.pub', '--json', ...words);
  return { code: run.exitCode, ...(JSON.parse(run.stdout) as Record<string, unknown>) };
}

const both = () => report('--target', TARGET, '--submission', SUBMISSION);
const nothing = { code: 0, genuine: true, verdict: 'accepted', changed: [], not_compared: [] };

describe.skipIf(findExecutable(['coqc']) === undefined)('of an accepted submission', () => {
  beforeEach(async () => {
    project();
    const judged = await quod('verify', TARGET, SUBMISSION, '--report', 'v.json', '--attest', 'judge.pem');
    expect(judged).toMatchObject({ exitCode: 0 });
  });

  test('what the target takes in, the options and the libraries are in the report, and others are told', async () => {
    const { restsOn } = JSON.parse(readFileSync(at('v.json'), 'utf8')) as Record<string, unknown>;
    expect(restsOn).toMatchObject({
      takenIn: [{ path: 'Defs.v', sha256: sha256(DEFINITION), by: 'target' }],
      project: {
        file: '_CoqProject',
        loadPath: [{ flag: '-Q', folder: '.', name: 'P' }],
        arguments: ['-w', 'none'],
      },
    });
    expect(await both()).toMatchObject(nothing);

    file('P/Defs.v', 'Definition n := 2.\n');
    expect(await both()).toMatchObject({
      ...{ code: 1, genuine: true, verdict: 'accepted', not_compared: [] },
      changed: [{ name: 'Defs.v', why: 'It is another one now.' }],
    });
    const { stdout } = await quod(
      ...['report', 'v.json.dsse.json', '--key', 'judge.pub', '--target', TARGET, '--submission', SUBMISSION],
    );
    expect(stdout).toMatch(/^accepted, of what is another one now: Defs\.v\n/u);
    file('P/Defs.v', DEFINITION);

    // Which of two Rocq takes is not guessed.
    mkdirSync(at('P/inner'));
    file('P/inner/Defs.v', 'Definition n := 3.\n');
    expect(await both()).toMatchObject({ code: 1, changed: [{ name: 'inner/Defs.v' }] });
    rmSync(at('P/inner'), { recursive: true });

    library(2);
    expect(await both()).toMatchObject({ code: 1, changed: [{ name: 'P.Lib' }], not_compared: [] });
    library(1);

    file('P/_CoqProject', '-Q . P\n-arg -w -arg none -arg -type-in-type\n');
    expect(await both()).toMatchObject({ code: 1, changed: [{ name: '_CoqProject' }] });
  });

  test('what is not there is not compared, and that is told', async () => {
    rmSync(at('P/Defs.v'));
    const gone = { name: 'Defs.v', why: 'It is not there.' };
    expect(await both()).toMatchObject({ ...nothing, not_compared: [gone] });
    // Elsewhere there is neither the project nor what it has.
    mkdirSync(at('elsewhere'));
    copyFileSync(at(TARGET), at('elsewhere/T.v'));
    expect(await report('--target', 'elsewhere/T.v')).toMatchObject({
      ...nothing,
      not_compared: [{ name: '_CoqProject' }, gone, { name: 'P.Lib', why: 'It is not there.' }],
    });
    const { not_compared: [all] = [] } = (await report()) as { not_compared?: { why: string }[] };
    expect(all?.why).toContain('No target was given');
  });
});
