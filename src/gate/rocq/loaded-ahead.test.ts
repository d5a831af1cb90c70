/** What was loaded ahead is about the libraries that the submission was compiled with, or it is not taken. */
import { execFile } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orNothing } from '../../core/entry.ts';
import { findExecutable } from '../../process/executable.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { descendantsOf, processorTicks } from '../../process/process-table.ts';
import { findSandbox } from '../../process/sandbox.ts';
import { readCompiledFile } from './compiled/compiled-file.ts';
import { LibrariesAhead } from './loaded-ahead.ts';
import type { AheadRequest, CompiledUnit, CompileRequest, LoadedAhead } from './backends/judge-backend.ts';
import { NativeJudge } from './backends/native-judge.ts';
import { referenceOf, type ReferenceResult } from './reference-result.ts';

const run = promisify(execFile);
const COQC = findExecutable(['coqc']);
const HAS_CHECKER = findExecutable(['coqchk', 'rocqchk']) !== undefined;
const LIMITS = { timeoutMs: 120_000, memoryLimit: 4 * 1024 ** 3 };
const CANNOT = COQC === undefined || !HAS_CHECKER || (await findSandbox()) === undefined;

/** Tells what is loaded, and whether what was loaded is asked. */
class SeenJudge extends NativeJudge {
  readonly loaded: LoadedAhead[] = [];

  override loadAhead(request: AheadRequest): LoadedAhead {
    const ahead = super.loadAhead(request);
    this.loaded.push(ahead);
    return ahead;
  }
}

/** Not opaque: a proof is read from the file when it is looked into. */
const HONEST = 'Definition base : True /\\ True := conj I I.';
const ASSUMED = 'Axiom base : True /\\ True.';
const TEXT = 'Require My.Lib.\nLemma t : True. Proof. exact (proj1 My.Lib.base). Qed.\n';

describe.skipIf(CANNOT)('libraries that are loaded ahead', () => {
  let folder: string;
  let judge: SeenJudge;
  let project: RocqProject;
  let request: CompileRequest;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quod-ahead-test-'));
    judge = new SeenJudge(orNothing(COQC));
    const loadPath = [{ flag: '-Q' as const, physical: folder, logical: 'My' }];
    project = { root: folder, source: undefined, loadPath, ocamlPath: [], arguments: [] };
    request = { path: 'File.v', moduleName: 'File', text: TEXT, project, limits: LIMITS };
    await install(HONEST);
  });
  afterEach(() => {
    for (const ahead of judge.loaded) ahead.end();
    rmSync(folder, { recursive: true });
  });

  async function compiled(text: string): Promise<CompiledUnit> {
    const result = await judge.compile({ ...request, text });
    if (result.status !== 'compiled') throw new Error(`It is ${result.status}.`);
    return result.unit;
  }

  /** Puts another library in the place of the one that is there. Its name in the kernel has to be the project's. */
  async function install(text: string): Promise<void> {
    const built = mkdtempSync(join(tmpdir(), 'quod-ahead-test-'));
    writeFileSync(join(built, 'Lib.v'), `${text}\n`);
    await run(orNothing(COQC), ['-q', '-Q', built, 'My', join(built, 'Lib.v')]);
    renameSync(join(built, 'Lib.vo'), join(folder, 'Lib.vo'));
    rmSync(built, { recursive: true });
  }

  async function ahead(): Promise<LibrariesAhead> {
    const unit = await compiled('Require My.Lib.\nLemma t : True. Admitted.\n');
    const file = readCompiledFile(unit.bytes);
    const target: ReferenceResult = {
      status: 'compiled',
      reference: referenceOf(file, unit),
    };
    const of = new LibrariesAhead(Promise.resolve(target), request, { backend: judge, project });
    await vi.waitFor(() => expect(judge.loaded).toHaveLength(1), { timeout: 60_000 });
    return of;
  }

  const answers = async (unit: CompiledUnit) => ({
    assumptions: await unit.assumptions(['t'], LIMITS),
    recheck: await unit.recheck?.(LIMITS),
  });

  it('compiles what stands before the proof while the proof is looked for', async () => {
    const never = new Promise<string>(() => undefined);
    // It can end only by the error, which is behind a sentence that is to be run first.
    const text = `${TEXT}Goal True. exact nowhere.\n`;
    const result = await judge.compileGrowing({ ...request, text }, never);
    expect(result.status).toBe('stopped');
  });

  it('serve for a submission that has them, whatever stands in their place by then', async () => {
    const of = await ahead();
    const { bytes } = await compiled(TEXT);
    const begun = of.for(readCompiledFile(bytes));
    expect(begun).toBe(judge.loaded[0]);
    const unit = await judge.unitOf(request, bytes, begun);
    // Both have loaded it; without them nobody could be asked any more.
    await loadedBy(judge);
    await install(ASSUMED);
    expect(await answers(unit)).toMatchObject({
      assumptions: { status: 'done', of: new Map([['t', { axioms: [], disabledChecks: [] }]]) },
      recheck: { status: 'accepted' },
    });
    expect((await answers(await judge.unitOf(request, bytes))).assumptions).toMatchObject({
      status: 'unknown',
    });
  });

  it('are not taken for a submission that was compiled with another', async () => {
    const of = await ahead();
    await loadedBy(judge);
    await install(ASSUMED);
    const { bytes } = await compiled(TEXT);
    expect(of.for(readCompiledFile(bytes))).toBeUndefined();
  });

  it('say nothing of such a submission where they are asked all the same', async () => {
    await ahead();
    await loadedBy(judge);
    await install(ASSUMED);
    const { bytes } = await compiled(TEXT);
    // Asked anew, with the library that is there now.
    expect(await answers(await judge.unitOf(request, bytes, judge.loaded[0]))).toMatchObject({
      assumptions: {
        of: new Map([['t', { axioms: [{ name: 'My.Lib.base', type: 'and True True', local: false }] }]]),
      },
      recheck: { status: 'accepted' },
    });
  });

  it('do not let a submission pass whose library is gone', async () => {
    await ahead();
    await loadedBy(judge);
    await install(ASSUMED);
    const { bytes } = await compiled(TEXT);
    await install(HONEST);
    const { assumptions, recheck } = await answers(await judge.unitOf(request, bytes, judge.loaded[0]));
    expect(assumptions).toMatchObject({ status: 'unknown' });
    expect(recheck?.status).not.toBe('accepted');
  });
});

/** Waits until the processes that load libraries do nothing any more. */
async function loadedBy(judge: SeenJudge): Promise<void> {
  expect(judge.loaded).toHaveLength(1);
  let before = -1;
  let same = 0;
  await vi.waitFor(
    () => {
      const ticks = descendantsOf(process.pid).reduce((sum, pid) => sum + processorTicks(pid), 0);
      same = ticks === before ? same + 1 : 0;
      before = ticks;
      expect(same).toBeGreaterThan(20);
    },
    { timeout: 60_000, interval: 100 },
  );
}
