/**
 * What a built theory contains, asked of a fresh HOL that loads it: each theorem with its oracles, axioms and
 * hypotheses, and the axioms in everything it rests on. Printed words of the build are not evidence: a script can
 * silence them.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../../core/errors.ts';
import {
  LARGEST_WRITTEN_BYTES,
  readRegularFile,
  readRegularText,
} from '../../../process/foreign-folder/regular-file.ts';
import { HolProcess, type HolProgram } from '../session/process.ts';
import { readHolVersion } from '../session/version.ts';
import { mlString } from '../session/step-code.ts';

const inspectedSchema = z.object({
  theory: z.string(),
  theorems: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['theorem', 'axiom', 'definition']),
      theorem: z.object({
        conclusion: z.string(),
        hypotheses: z.array(z.string()),
        oracles: z.array(z.string()),
        axioms: z.array(z.string()),
      }),
    }),
  ),
  /** `theory$name` of every axiom in the theory and its ancestors. */
  axioms: z.array(z.string()),
});

export type InspectedTheory = z.output<typeof inspectedSchema>;

export type Inspection =
  | { readonly status: 'inspected'; readonly theory: InspectedTheory }
  | { readonly status: 'unknown'; readonly message: string };

export interface Inspections {
  /** Of the HOL that looked. */
  readonly version: string;
  readonly found: ReadonlyMap<string, Inspection>;
}

/** The axioms on which all of HOL rests. */
export const STOCK_AXIOMS: ReadonlySet<string> = new Set([
  'bool$BOOL_CASES_AX',
  'bool$ETA_AX',
  'bool$SELECT_AX',
  'bool$INFINITY_AX',
]);

const INSPECT = String.raw`
structure Quod_Inspect = struct
  open Quod_Port
  fun entry ((_, name), (th, {class, ...} : DB.thminfo)) =
    obj [("name", str name), ("kind", str (kindOf class)), ("theorem", theorem th)]
  fun visible (_, (_, {private, ...} : DB.thminfo)) = not private
  fun axiomsOf thy = map (fn (n, _) => thy ^ "$" ^ n) (DB.axioms thy)
  fun theory thy =
    let
      val below = thy :: Theory.ancestry thy
      val entries = List.filter visible (DB.thy thy)
    in tell (obj [("theory", str thy), ("theorems", arr (map entry entries)),
                  ("axioms", arr (map str (List.concat (map axiomsOf below))))])
    end
end;
`;

/** Loads each theory in turn. @throws QuodError when HOL cannot be started. */
export async function inspectTheories(
  program: HolProgram,
  folder: string,
  theories: readonly string[],
  signal?: AbortSignal,
): Promise<Inspections> {
  const found = new Map<string, Inspection>();
  const hol = await HolProcess.start({ ...program, folder, ...(signal !== undefined && { signal }) });
  try {
    const prepared = await hol.execute(INSPECT, { timeoutMs: LOAD_LIMIT_MS, signal });
    if (prepared.status === 'lost' || prepared.reply.status !== 'ok') {
      const said = prepared.status === 'lost' ? prepared.message : prepared.reply.output;
      throw new QuodError('protocol-error', `HOL does not take Quod's functions: ${said.slice(-500)}`);
    }
    for (const theory of theories) found.set(theory, await inspect(hol, theory, signal));
    return { version: readHolVersion(hol.banner), found };
  } finally {
    await hol.kill();
  }
}

const LOAD_LIMIT_MS = 300_000;

async function inspect(
  hol: HolProcess,
  theory: string,
  signal: AbortSignal | undefined,
): Promise<Inspection> {
  const limits = { timeoutMs: LOAD_LIMIT_MS, signal };
  const code = `val () = (Meta.load ${mlString(`${theory}Theory`)}; Quod_Inspect.theory ${mlString(theory)})`;
  const answer = await hol.execute(code, limits);
  if (answer.status === 'lost') return { status: 'unknown', message: answer.message };
  const parsed = inspectedSchema.safeParse(answer.values[0]);
  if (parsed.success) return { status: 'inspected', theory: parsed.data };
  return { status: 'unknown', message: answer.reply.error?.message ?? answer.reply.output.slice(-500) };
}

/** Whether the theory's data file is the one that was exported with its module; undefined when that cannot be told. */
export async function isDataUntouched(folder: string, theory: string): Promise<boolean | undefined> {
  for (const objects of [join(folder, '.hol', 'objs'), folder]) {
    try {
      const module = await readRegularText(join(objects, `${theory}Theory.sml`), LARGEST_WRITTEN_BYTES);
      const recorded = /\bhash\s*=\s*"([0-9a-f]{40})"/.exec(module)?.[1];
      const data = await readRegularFile(join(objects, `${theory}Theory.dat`), LARGEST_WRITTEN_BYTES);
      if (recorded !== undefined) return createHash('sha1').update(data).digest('hex') === recorded;
    } catch {
      // Not there: older versions keep the files beside the script.
    }
  }
  return undefined;
}
