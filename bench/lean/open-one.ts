/**
 * Opens one declaration among many modules: `node bench/lean/open-one.ts [--modules 5000] [--constants 40]`.
 * Generates the modules, each importing four earlier ones, and prints how long `quod lean show` takes, start of
 * Node included, for a declaration of the last module with and without its axioms, and how much was read.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ModuleBuilder } from '../../src/gate/lean/judge/testing/module-builder.ts';
import { smallLibrary } from '../../src/gate/lean/judge/testing/small-library.ts';

const { values } = parseArgs({
  options: {
    modules: { type: 'string', default: '5000' },
    constants: { type: 'string', default: '40' },
    runs: { type: 'string', default: '5' },
  },
});
const count = Number(values.modules);
const size = Number(values.constants);
const folder = mkdtempSync(join(tmpdir(), 'quod-bench-modules-'));
try {
  const library = smallLibrary();
  let bytes = 0;
  const write = (name: string, file: Uint8Array): void => {
    bytes += file.length;
    writeFileSync(join(folder, `${name}.olean`), file);
  };
  write('Init', library.bytes());
  for (let number = 0; number < count; number++) {
    const earlier = [1, 7, 50, 400].map((step) => number - step).filter((other) => other >= 0);
    const module = new ModuleBuilder(['Init', ...earlier.map((other) => `M${other}`)], [library]);
    for (let index = 0; index < size; index++) {
      const below = index === 0 ? earlier.map((other) => `M${other}.c0`)[0] : `M${number}.c${index - 1}`;
      module.definition(`M${number}.c${index}`, 'Nat', below === undefined ? '1' : `Nat.add ${below} 1`);
    }
    write(`M${number}`, module.bytes());
  }
  const last = `M${count - 1}`;
  const show = (...options: readonly string[]): number => {
    const start = fileURLToPath(new URL('../../src/faces/cli/start.ts', import.meta.url));
    const before = performance.now();
    execFileSync(process.execPath, [
      start,
      'lean',
      'show',
      join(folder, `${last}.olean`),
      `${last}.c${size - 1}`,
      '--search-path',
      folder,
      ...options,
    ]);
    return Math.round(performance.now() - before);
  };
  const times = (...options: readonly string[]): number[] =>
    Array.from({ length: Number(values.runs) }, () => show(...options)).sort((left, right) => left - right);
  console.log(
    JSON.stringify({
      modules: count,
      megabytes: Math.round(bytes / 1e6),
      showMs: times('--no-axioms'),
      showWithAxiomsMs: times(),
      startOfNodeMs: (() => {
        const before = performance.now();
        execFileSync(process.execPath, ['-e', '0']);
        return Math.round(performance.now() - before);
      })(),
    }),
  );
} finally {
  rmSync(folder, { recursive: true });
}
