/** The recorded traces of testing/fixtures, and what they rest on. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import type { ReplayPace } from '../replay/replay-finding.ts';
import { replayTrace } from '../replay/replay-trace.ts';
import { ReplayedTheories } from '../replay/replayed-theories.ts';

export const unhurried: ReplayPace = { tick: () => undefined, termLimit: 2_000_000 };

export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}.prf.zst`, import.meta.url));

export function recordedTrace(name: string): Buffer {
  return zstdDecompressSync(readFileSync(fixturePath(name)));
}

/** After a replay of the named traces, in this order. */
export function theoriesAfter(...names: readonly string[]): ReplayedTheories {
  const known = new ReplayedTheories();
  for (const name of names) {
    const { theory, findings } = replayTrace(recordedTrace(name), name, known, unhurried);
    if (findings.length > 0) throw new Error(`The recorded ${name} was refused: ${JSON.stringify(findings)}`);
    known.add(theory);
  }
  return known;
}

/** What a replay of the base found, as far as `mini` and the cheats need it. */
export function recordedBase(): ReplayedTheories {
  const file = new URL('fixtures/statements-of-the-base.json.zst', import.meta.url);
  const entries = JSON.parse(zstdDecompressSync(readFileSync(file)).toString('utf8')) as {
    readonly name: string;
    readonly sha256: string;
    readonly constants: [string, { readonly type: string }][];
    readonly operators: [string, { readonly arity: number }][];
    readonly theorems: [string, { readonly statement: string; readonly kind: 'theorem' }][];
    readonly unnamed: string[];
    readonly axioms: string[];
    readonly steps: number;
  }[];
  const known = new ReplayedTheories();
  for (const { constants, operators, theorems, unnamed, ...rest } of entries) {
    known.add({
      ...rest,
      parents: [],
      uses: new Map(),
      constants: new Map(constants),
      operators: new Map(operators),
      // The recording does not say which axioms each of them rests on.
      theorems: new Map(theorems.map(([name, theorem]) => [name, { ...theorem, restsOn: [] }])),
      unnamed: unnamed.map((statement) => ({ statement, restsOn: [] })),
      asserted: [],
      unproved: [],
    });
  }
  return known;
}
