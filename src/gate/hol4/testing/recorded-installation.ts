/**
 * A HOL4 on disk whose Holmake leaves what a real one left when the attacks were recorded. It is a shell script, so
 * that the sandbox runs it as it runs a real one. A script that is not in the recording is refused.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { keyOfScript, readRecording, recordedTraceOf } from './hol-under-test.ts';

const HOLMAKE = `#!/bin/sh
folder=@folder@
script=$(ls *Script.sml | head -n 1)
build="$folder/recorded/$(sha256sum "$script" | cut -d ' ' -f 1)"
if [ ! -d "$build" ]; then echo "The recorded Holmake does not know this $script."; exit 3; fi
mkdir -p .hol/objs
[ -d "$build/objs" ] && cp "$build"/objs/* .hol/objs/
cat "$build/said"
exit "$(cat "$build/code")"
`;

export interface RecordedInstallation {
  /** For QUOD_HOL4 or QUOD_HOL4_TRACING. */
  readonly folder: string;
  remove(): void;
}

/**
 * @param exportsProofs Whether it is one with the tracing kernel.
 * @param scripts Those that its Holmake is to know, of the theory `mine`.
 */
export function recordedInstallation(
  exportsProofs: boolean,
  scripts: readonly string[],
): RecordedInstallation {
  const { data, builds } = readRecording();
  const folder = mkdtempSync(join(tmpdir(), 'quod-recorded-hol4-'));
  for (const part of ['bin', 'sigobj', 'theories', 'recorded']) mkdirSync(join(folder, part));
  for (const [theory, bytes] of Object.entries(data)) {
    const base = join(folder, 'theories', `${theory}Theory`);
    writeFileSync(`${base}.dat`, bytes);
    writeFileSync(`${base}.uo`, '');
    symlinkSync(`${base}.uo`, join(folder, 'sigobj', `${theory}Theory.uo`));
    const trace = exportsProofs ? recordedTraceOf(theory) : undefined;
    if (trace !== undefined) writeFileSync(`${base}.prf`, gunzipSync(readFileSync(trace)));
  }
  for (const script of scripts) {
    const recorded = builds[keyOfScript(script)];
    if (recorded === undefined) throw new Error('A script is not in the recording.');
    const { code, said, theories } = recorded;
    const build = join(folder, 'recorded', createHash('sha256').update(script).digest('hex'));
    mkdirSync(join(build, 'objs'), { recursive: true });
    writeFileSync(join(build, 'said'), said);
    writeFileSync(join(build, 'code'), String(code ?? 1));
    for (const [name, { data: own, module, proof }] of Object.entries(theories)) {
      const base = join(build, 'objs', `${name}Theory`);
      writeFileSync(`${base}.dat`, own);
      writeFileSync(`${base}.sml`, module);
      if (exportsProofs && proof !== undefined) writeFileSync(`${base}.prf`, proof);
    }
  }
  for (const [name, text] of [
    ['hol', '#!/bin/sh\nexit 3\n'],
    ['Holmake', HOLMAKE.replace('@folder@', `'${folder}'`)],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), text);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
