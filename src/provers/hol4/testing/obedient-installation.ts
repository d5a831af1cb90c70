/** A HOL4 installation whose `hol` is obedient-hol.ts. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ObedientInstallation {
  /** For QUOD_HOL4. */
  readonly folder: string;
  remove(): void;
}

export function obedientHol(): ObedientInstallation {
  const folder = mkdtempSync(join(tmpdir(), 'quod-obedient-hol4-'));
  const player = fileURLToPath(new URL('obedient-hol.ts', import.meta.url));
  mkdirSync(join(folder, 'bin'));
  for (const [name, text] of [
    ['hol', `#!/bin/sh\nexec '${process.execPath}' '${player}'\n`],
    ['Holmake', '#!/bin/sh\nexit 3\n'],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), text);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
