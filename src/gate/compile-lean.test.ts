/**
 * No Lean can be had here: a shell script stands in for it, in a folder that looks like a toolchain. The sandbox is
 * real, where the machine has one.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SandboxLimits, findSandbox } from '../process/sandbox.ts';
import { type CompileSettings, compileLean } from './compile-lean.ts';
import { sha256 } from '../core/sha256.ts';
import type { SourceText } from './verdict.ts';
import { verifyMany } from './verify.ts';
import { LeanTarget } from './lean/lean-judge.ts';
import { openStatement, proved } from './lean/judge/testing/attack.ts';
import { ModuleBuilder } from './lean/judge/testing/module-builder.ts';
import { smallLibrary } from './lean/judge/testing/small-library.ts';

const hasSandbox = (await findSandbox()) !== undefined;

let folder: string;
beforeEach(() => {
  // Not in /tmp, which the sandbox hides anyway.
  folder = mkdtempSync(join(homedir(), '.quod-compile-test-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'lib', 'lean'), { recursive: true });
  const library = smallLibrary();
  writeFileSync(join(folder, 'lib', 'lean', 'Init.olean'), library.bytes());
  for (const [name, build] of [
    ['target', openStatement],
    ['submission', proved],
  ] as const) {
    const module = new ModuleBuilder(['Init'], [library]);
    build(module);
    writeFileSync(join(folder, 'lib', `${name}.bytes`), module.bytes());
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A `lean` that does this. In it, `$2` is the module to write and `$3` the source. */
function lean(script: string): void {
  writeFileSync(join(folder, 'bin', 'lean'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', 'lean'), 0o755);
}

function source(name: string, text = `-- ${name}\n`): SourceText {
  const path = join(folder, `${name}.lean`);
  writeFileSync(path, text);
  return { path, text };
}

const settings = (limits: Partial<SandboxLimits> = {}): CompileSettings => ({
  environment: { PATH: '/usr/bin:/bin', LEAN_SYSROOT: folder },
  limits: { timeoutMs: 60_000, memoryBytes: 1024 ** 3, ...limits },
});

it('says that a toolchain is missing', async () => {
  lean('exit 0');
  await expect(
    compileLean(source('target'), { environment: { PATH: '/usr/bin:/bin', ELAN_HOME: folder } }),
  ).rejects.toMatchObject({ reason: 'prover-missing' });
});

// Without unprivileged user namespaces (some containers) there is no sandbox to try.
describe.runIf(hasSandbox)('in a sandbox', () => {
  const choose = (): string =>
    `case "$(cat "$3")" in *target*) f=target;; *) f=submission;; esac; cp ${folder}/lib/$f.bytes "$2"`;

  it('sources are compiled, and the modules judged', async () => {
    lean(choose());
    vi.stubEnv('LEAN_SYSROOT', folder);
    const target = source('target');
    const judge = new LeanTarget(target);
    const accepted = await judge.judge(source('submission'));
    expect(accepted).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 't', printed: '∀ (n : Nat), Eq.{1} Nat n n', assumptions: [] }],
      restsOn: {
        isolation: 'bubblewrap',
        targetSha256: sha256(target.text),
        files: [{ path: target.path }, { path: join(folder, 'submission.lean') }],
      },
    });
    expect(await judge.judge(target)).toMatchObject({ kind: 'rejected', findings: [{ kind: 'admitted' }] });
  });

  it('each submission gets its verdict, whatever happens to the others', async () => {
    lean(`case "$(cat "$3")" in *broken*) echo no >&2; exit 1;; *wild*) sleep 50 & ;; esac; ${choose()}`);
    vi.stubEnv('LEAN_SYSROOT', folder);
    const submissions = ['broken', 'wild', 'submission'].map((name) => source(name));
    const missing = { path: join(folder, 'none.olean'), text: '' };
    const kinds: string[] = [];
    for await (const { verdict } of verifyMany(source('target'), [missing, ...submissions]))
      kinds.push(verdict.kind === 'rejected' ? (verdict.findings[0]?.kind ?? 'nothing') : verdict.kind);
    expect(kinds).toEqual(['unknown', 'does-not-compile', 'sandbox-violation', 'accepted']);
  });

  it('code in a source can neither write outside its folder nor reach the network', async () => {
    lean(`
      { echo stolen >${folder}/written; } 2>/dev/null
      { echo stolen >$HOME/../written; } 2>/dev/null
      links=$(cat /proc/net/dev | grep -vc -e '^Inter' -e 'face' -e 'lo:')
      processes=$(ls -d /proc/[0-9]* | wc -l)
      { ${choose()}; }
      printf 'links %s, few processes %s\\n' "$links" "$([ "$processes" -lt 12 ] && echo yes)" >&2
      exit 3`);
    await expect(compileLean(source('submission'), settings())).rejects.toMatchObject({
      reason: 'does-not-compile',
      message: expect.stringContaining('links 0, few processes yes') as unknown,
    });
    expect(existsSync(join(folder, 'written'))).toBe(false);
  });

  it('code in a source reads nothing of a home, and no environment of the caller', async () => {
    writeFileSync(join(folder, 'key'), 'secret');
    lean(`
      cat ${folder}/key; ls ${homedir()} | grep -v quod-compile-test
      tr '\\0' '\\n' </proc/1/environ | grep -a LEAN_SYSROOT
      cat /etc/passwd | head -1
      echo looked; exit 3`);
    // The toolchain lies in the home, for this test: only what it consists of may be seen.
    const inner = join(folder, 'toolchain');
    mkdirSync(inner);
    for (const part of ['bin', 'lib']) renameSync(join(folder, part), join(inner, part));
    const { environment, limits } = settings();
    const failed = compileLean(source('submission'), {
      environment: { ...environment, LEAN_SYSROOT: inner },
      ...(limits && { limits }),
    });
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/^Lean refuses the source: looked\b/) as unknown,
    });
    await expect(failed).rejects.toMatchObject({
      message: expect.not.stringContaining('secret') as unknown,
    });
  });

  it('a module beside the source can be read when it is imported', async () => {
    for (const name of ['Imported', 'Other']) writeFileSync(join(folder, `${name}.olean`), `of ${name}`);
    // Here the folder of the source is no library and no toolchain.
    const inner = join(folder, 'toolchain');
    mkdirSync(inner);
    lean('for at in $(echo $LEAN_PATH | tr : " "); do cat $at/Imported.olean $at/Other.olean; done; exit 3');
    for (const part of ['bin', 'lib']) renameSync(join(folder, part), join(inner, part));
    const { environment } = settings();
    await expect(
      compileLean(source('submission', 'import Imported\n'), {
        ...settings(),
        environment: { ...environment, LEAN_SYSROOT: inner },
      }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/source: of Imported(?!.*of Other)/) as unknown,
    });
  });

  it.each([
    [
      'processes',
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20 & done; wait',
      { processes: 4 },
      'too-large',
    ],
    [
      'memory',
      `head -c 300000000 /dev/zero | tail -c 290000000 >/dev/null; sleep 20`,
      { memoryBytes: 100_000_000 },
      'memory-exceeded',
    ],
  ])('its limit of %s holds', async (_, script, limits, reason) => {
    lean(script);
    await expect(compileLean(source('submission'), settings(limits))).rejects.toMatchObject({ reason });
  });

  it('what the sandbox saw is told', async () => {
    lean(`sleep 1000 & ${choose()}`);
    const compiled = await compileLean(source('submission'), settings());
    expect(compiled.incidents.map(({ kind }) => kind)).toContain('left-process');
    expect([...compiled.files.keys()]).toEqual(['.olean']);
  });

  it('what Lean says is told', async () => {
    lean('echo "Main.lean:1:0: error: no such tactic"; exit 1');
    await expect(compileLean(source('submission'), settings())).rejects.toMatchObject({
      reason: 'does-not-compile',
      message: expect.stringContaining('no such tactic') as unknown,
    });
  });

  it('a source that never ends is stopped', async () => {
    lean('sleep 1000');
    await expect(compileLean(source('submission'), settings({ timeoutMs: 300 }))).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('the source is not changed', async () => {
    lean(`echo changed >"$3"; ${choose()}`);
    const given = source('submission', 'theorem t\n');
    await compileLean(given, settings());
    expect(readFileSync(given.path, 'utf8')).toBe('theorem t\n');
  });
});
