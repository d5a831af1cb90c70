/**
 * No Lean can be had here: a shell script stands in for it, in a folder that looks like a toolchain. The sandbox is real,
 * where the machine has one.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileLean } from './compile-lean.ts';
import { judgePair } from './lean/judge/judge.ts';
import { openStatement, proved } from './lean/judge/testing/attack.ts';
import { ModuleBuilder } from './lean/judge/testing/module-builder.ts';
import { smallLibrary } from './lean/judge/testing/small-library.ts';

const hasSandbox = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let folder: string;
beforeEach(() => {
  // Not in /tmp, which the sandbox hides anyway: what must stay unwritten has to be in sight.
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
afterEach(() => rmSync(folder, { recursive: true }));

/** A `lean` that does this. In it, `$2` is the module to write and `$3` the source. */
function lean(script: string): void {
  writeFileSync(join(folder, 'bin', 'lean'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', 'lean'), 0o755);
}

function source(name: string, text = `-- ${name}\n`): string {
  const path = join(folder, `${name}.lean`);
  writeFileSync(path, text);
  return path;
}

const settings = (): { environment: NodeJS.ProcessEnv } => ({
  environment: { PATH: '/usr/bin:/bin', LEAN_SYSROOT: folder },
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
    const target = await compileLean(source('target'), settings());
    const submission = await compileLean(source('submission'), settings());
    const policy = { searchPath: [join(folder, 'lib', 'lean')] };
    expect(judgePair({ target: target.path, submission: submission.path }, policy).verdict.kind).toBe(
      'accepted',
    );
    expect(judgePair({ target: target.path, submission: target.path }, policy).verdict.kind).toBe('rejected');
    target.remove();
    submission.remove();
    expect(existsSync(target.path)).toBe(false);
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

  it('what Lean says is told', async () => {
    lean('echo "Main.lean:1:0: error: no such tactic"; exit 1');
    await expect(compileLean(source('submission'), settings())).rejects.toMatchObject({
      reason: 'does-not-compile',
      message: expect.stringContaining('no such tactic') as unknown,
    });
  });

  it('a source that never ends is stopped', async () => {
    lean('sleep 1000');
    await expect(compileLean(source('submission'), { ...settings(), timeoutMs: 300 })).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('the source is not changed', async () => {
    lean(`echo changed >"$3"; ${choose()}`);
    const path = source('submission', 'theorem t\n');
    (await compileLean(path, settings())).remove();
    expect(readFileSync(path, 'utf8')).toBe('theorem t\n');
  });
});
