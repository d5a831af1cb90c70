/**
 * Compiles a sample of the items of a data set with plain `coqc`: for each source drawn, a fresh file with its text
 * up to the last item drawn and the items as lemmas where their theorems stand. Of Quod it uses the place of the
 * theorems, the load path and nothing that has to do with mining.
 *
 *     node bench/mine/recheck.ts DATASET SOURCES... [--items 1000] [--per-source 20] [--seed 1]
 *
 * SOURCES are what was mined: where an item says `a/b.v`, one of the folders has it, or it is one of the files.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { entryAt } from '../../src/core/entry.ts';
import { LineIndex } from '../../src/core/position.ts';
import { randomNumbers } from '../../src/core/random.ts';
import { itemSchema, type Item } from '../../src/mining/item.ts';
import { coqArguments, findRocqProject } from '../../src/provers/rocq/project/project.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    items: { type: 'string', default: '1000' },
    'per-source': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const [dataset = '.', ...places] = positionals;
const wanted = Number(values.items);
const perSource = Number(values['per-source']);

const random = randomNumbers(Number(values.seed));

function shuffled<Value>(list: readonly Value[]): Value[] {
  return list
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

/** Where the source of an item is. */
function sourceOf({ file, library }: Item): string | undefined {
  const ending = `.${library.replace(/^Coq\./u, '')}.v`;
  return places
    .flatMap((place) => {
      if (!place.endsWith('.v')) return [resolve(place, file)];
      return resolve(place).replaceAll('/', '.').endsWith(ending) ? [resolve(place)] : [];
    })
    .find((path) => existsSync(path));
}

function theoremAround(outline: FileOutline, item: Item): TheoremItem | undefined {
  const offset = new LineIndex(outline.text).offsetOfPrinted(item);
  return outline.statements.findLast(
    ({ sentence }) => (outline.sentences[sentence]?.span.start ?? Infinity) <= (offset ?? -1),
  );
}

interface Placed {
  readonly item: Item;
  readonly theorem: TheoremItem;
}

/** The source up to the last item, and the item that begins at each line of it that has one. */
function fileOf(
  outline: FileOutline,
  placed: readonly Placed[],
): { text: string; starts: Map<number, Item> } {
  let text = '';
  let done = 0;
  const starts = new Map<number, Item>();
  for (const { item, theorem } of placed) {
    const at = entryAt(outline.sentences, theorem.sentence, 'sentence').span.start;
    text += outline.text.slice(done, at);
    done = at;
    if (!text.endsWith('\n')) text += '\n';
    starts.set(text.split('\n').length, item);
    text += `Lemma ${item.name} ${item.statement}.\n${item.proof}\nQed.\n`;
  }
  const path = placed.at(-1)?.theorem.path ?? [];
  // A module that is cut off may lack what its type asks for, and a program its obligations.
  const inModule = outline.scopes.some(({ kind, name }) => kind !== 'section' && path.includes(name));
  if (inModule || /\bObligations?\b/u.test(outline.text))
    return { text: text + outline.text.slice(done), starts };
  return {
    text:
      text +
      path
        .toReversed()
        .map((name) => `End ${name}.\n`)
        .join(''),
    starts,
  };
}

async function compile(file: string, programArguments: readonly string[]): Promise<string | undefined> {
  const child = spawn('coqc', ['-q', '-w', 'none', ...programArguments, file]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return code === 0 ? undefined : printed;
}

const libraries = (await readdir(dataset)).filter((name) => name.endsWith('.jsonl'));
const folder = await mkdtemp(join(tmpdir(), 'quod-recheck-'));
let checked = 0;
let sources = 0;
/** Drawn, but without a source or a theorem around them; others are drawn in their place. */
let left = 0;
const failures: string[] = [];
try {
  for (const name of shuffled(libraries)) {
    if (checked >= wanted) break;
    const lines = (await readFile(join(dataset, name), 'utf8')).split('\n').slice(0, -1);
    const drawn = shuffled(lines)
      .slice(0, Math.min(perSource, wanted - checked))
      .map((line) => itemSchema.parse(JSON.parse(line)));
    const [first] = drawn;
    const source = first && sourceOf(first);
    if (source === undefined) {
      left += drawn.length;
      continue;
    }
    const outline = outlineOf(await readFile(source, 'utf8'));
    let placed = drawn
      .flatMap((item) => {
        const theorem = theoremAround(outline, item);
        return theorem === undefined ? [] : [{ item, theorem }];
      })
      .sort((one, other) => one.theorem.sentence - other.theorem.sentence);
    const programArguments = coqArguments(await findRocqProject(source));
    sources += 1;
    checked += placed.length;
    left += drawn.length - placed.length;
    while (placed.length > 0) {
      const { text, starts } = fileOf(outline, placed);
      const file = join(folder, basename(source));
      await writeFile(file, text);
      const printed = await compile(file, programArguments);
      if (printed === undefined) break;
      const [, place = '0'] = /line (\d+), characters/u.exec(printed) ?? [];
      const line = Number(place);
      const item = [...starts].findLast(([start]) => start <= line)?.[1];
      failures.push(
        `${name} ${item?.name ?? `line ${line}`}: ${printed.slice(0, 400).replaceAll('\n', ' ')}`,
      );
      if (item === undefined) break;
      placed = placed.filter((other) => other.item !== item);
    }
    console.error(`${checked}/${wanted} ${name}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
console.log(
  `${checked} items of ${sources} sources compiled with coqc: ${failures.length} failed, ${left} others not found`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
