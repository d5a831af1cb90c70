/**
 * Parses every script of a HOL4 source tree and compares with what HOL itself exports: `node
 * bench/hol4/parse-scripts.ts FOLDER [--exports]`. FOLDER is HOL's; with --exports each theory that is built there
 * is loaded (QUOD_HOL4 or PATH), and for each the theorems that the parser found and the theory lacks, and those
 * that stand in the script by HOL's own record but were not found, are counted and listed.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { countOf, entryAt } from '../../src/core/entry.ts';
import { requireHol4 } from '../../src/provers/hol4/discovery.ts';
import { HolProcess } from '../../src/provers/hol4/session/process.ts';
import { mlString } from '../../src/provers/hol4/session/step-code.ts';
import { holTokens } from '../../src/provers/hol4/syntax/lexer.ts';
import type { Script } from '../../src/provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../src/provers/hol4/syntax/script.ts';
import { tacticSteps } from '../../src/provers/hol4/syntax/tactic.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { exports: { type: 'boolean' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder of HOL4.');
const root: string = folder;

function* scriptsIn(place: string): Generator<string> {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const path = join(place, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* scriptsIn(path);
    else if (entry.isFile() && entry.name.endsWith('Script.sml')) yield path;
  }
}

interface Parsed {
  readonly path: string;
  readonly theory: string;
  readonly script: Script;
}

let hol: HolProcess | undefined;
const parsed: Parsed[] = [];
const forms = new Map<string, number>();
let bytes = 0;
let lossy = 0;
let steps = 0;
let atoms = 0;
const began = performance.now();
for (const part of ['src', 'examples']) {
  for (const path of scriptsIn(join(folder, part))) {
    const text = readFileSync(path, 'utf8');
    const script = parseScript(text);
    bytes += statSync(path).size;
    if (
      holTokens(text)
        .map(({ span }) => text.slice(span.start, span.end))
        .join('') !== text
    )
      lossy += 1;
    for (const { form, proof } of script.theorems) {
      forms.set(form, countOf(forms, form) + 1);
      if (proof === undefined) continue;
      const count = tacticSteps(text, proof).length;
      steps += count;
      if (count === 1) atoms += 1;
    }
    parsed.push({ path, theory: basename(path, 'Script.sml'), script });
  }
}
const seconds = (performance.now() - began) / 1000;
const theorems = parsed.reduce((sum, { script }) => sum + script.theorems.length, 0);
const problems = parsed.filter(({ script }) => script.problems.length > 0);
const cheats = parsed.reduce(
  (sum, { script }) => sum + script.cheats.filter(({ kind }) => kind === 'cheat').length,
  0,
);
console.log(`files ${parsed.length}, megabytes ${(bytes / 1e6).toFixed(1)}, seconds ${seconds.toFixed(1)}`);
console.log(`theorems ${theorems}: ${[...forms].map(([form, count]) => `${form} ${count}`).join(', ')}`);
console.log(`proof steps ${steps}, proofs of one step ${atoms}, uses of cheat in code ${cheats}`);
console.log(`files that lose a character ${lossy}, files with problems ${problems.length}`);
for (const { path, script } of problems)
  console.log(`  ${relative(folder, path)}: ${entryAt(script.problems, 0, 'problem').message}`);

if (values.exports === true) await compareWithExports();

async function compareWithExports(): Promise<void> {
  let theories = 0;
  let common = 0;
  const lacking: string[] = [];
  const unseen: string[] = [];
  for (const { path, theory, script } of parsed) {
    const objects = [join(dirname(path), '.hol', 'objs'), dirname(path)];
    const data = objects.map((place) => join(place, `${theory}Theory.dat`));
    if (!data.some((file) => exists(file))) continue;
    const exported = await exportsOf(theory);
    if (exported === undefined) continue;
    theories += 1;
    const names = new Set(exported.map(({ name }) => name));
    const found = new Set(script.theorems.filter((theorem) => theorem.exported).map(({ name }) => name));
    for (const name of found) {
      if (names.has(name)) common += 1;
      else lacking.push(`${theory}.${name}`);
    }
    for (const { name, kind, line } of exported) {
      if (found.has(name) || kind !== 'theorem' || line === null) continue;
      // HOL records the line of the call; what a declaration of another kind makes besides is no disagreement.
      const at =
        script.text
          .split('\n')
          .slice(0, line - 1)
          .join('\n').length + 1;
      const item = script.items.find(({ span }) => span.start <= at + 1 && at <= span.end);
      if (item?.kind === 'theorem') unseen.push(`${theory}.${name} (line ${line})`);
    }
  }
  console.log(`built theories ${theories}, theorems in both ${common}`);
  console.log(`found by the parser, not exported ${lacking.length}: ${lacking.slice(0, 40).join(', ')}`);
  console.log(
    `exported from a theorem's line, not found ${unseen.length}: ${unseen.slice(0, 40).join(', ')}`,
  );
}

function exists(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

interface Exported {
  readonly name: string;
  readonly kind: string;
  readonly line: number | null;
}

async function exportsOf(theory: string): Promise<readonly Exported[] | undefined> {
  hol ??= await HolProcess.start({ executable: requireHol4().hol, folder: root });
  const code = `val () = (Meta.load ${mlString(`${theory}Theory`)};
    Quod_Port.tell (Quod_Port.arr (map (fn ((_, n), (_, {class, loc, private, ...} : DB.thminfo)) =>
      Quod_Port.obj [("name", Quod_Port.str n), ("kind", Quod_Port.str (if private then "private" else Quod_Port.kindOf class)),
        ("line", case loc of DB.Located {linenum, exact = true, ...} => Quod_Port.num linenum | _ => "null")])
      (DB.thy ${mlString(theory)}))))`;
  const answer = await hol.execute(code, { timeoutMs: 120_000 });
  if (answer.status === 'lost') {
    hol = undefined;
    return undefined;
  }
  const [told] = answer.values;
  return Array.isArray(told) ? (told as Exported[]) : undefined;
}

await hol?.kill();
