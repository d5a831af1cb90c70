/**
 * Checks a text several times, each time with another seed of the solver and, when wanted, other fuel: a proof that
 * passes only sometimes will fail on the next machine.
 */
import type { Launch } from '../session/connection.ts';
import { type DeclarationRun, runDeclarations } from './run-declarations.ts';

export interface Variation {
  readonly seed: number;
  readonly fuel: number | null;
}

export interface DeclarationRecord {
  readonly names: readonly string[];
  readonly start: number;
  /** One for each variation, in their order. */
  readonly runs: readonly { readonly status: DeclarationRun['status']; readonly elapsedMs: number }[];
}

/** Seeds 1, 2, …; the first run has the file's own fuel, the others, when fuel varies, 0, 1, 2, 4, 8 in turn. */
export function variations(count: number, varyFuel: boolean): readonly Variation[] {
  const fuels = [0, 1, 2, 4, 8];
  return Array.from({ length: count }, (_, index) => ({
    seed: index + 1,
    fuel: varyFuel && index > 0 ? (fuels[(index - 1) % fuels.length] ?? null) : null,
  }));
}

export function optionsOf({ seed, fuel }: Variation): readonly string[] {
  const fuelOptions =
    fuel === null ? [] : ['--initial_fuel', String(fuel), '--max_fuel', String(Math.max(fuel, 8))];
  return ['--z3seed', String(seed), ...fuelOptions];
}

/** @throws QuodError as {@link runDeclarations}. */
export async function quake(
  launch: Launch,
  text: string,
  varied: readonly Variation[],
  options: {
    readonly signal: AbortSignal;
    readonly timeoutMs?: number;
    readonly onRun?: (done: number, total: number) => void;
  },
): Promise<readonly DeclarationRecord[]> {
  const records: { names: readonly string[]; start: number; runs: DeclarationRecord['runs'][number][] }[] =
    [];
  for (const [index, variation] of varied.entries()) {
    options.onRun?.(index, varied.length);
    const arguments_ = [...launch.arguments, ...optionsOf(variation)];
    const runs = await runDeclarations({ ...launch, arguments: arguments_ }, text, options);
    for (const [at, { declaration, status, elapsedMs }] of runs.entries()) {
      records[at] ??= { names: declaration.names, start: declaration.start, runs: [] };
      records[at].runs.push({ status, elapsedMs });
    }
  }
  return records;
}

/** How often a declaration passed tells what it is. */
export function judgeRecord({ runs }: DeclarationRecord): 'stable' | 'flaky' | 'failing' {
  const passed = runs.filter(({ status }) => status === 'ok').length;
  return passed === runs.length ? 'stable' : passed === 0 ? 'failing' : 'flaky';
}
