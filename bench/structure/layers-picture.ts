/**
 * The picture of the layers on the first page of the documentation: the order is the one that the dependency linter
 * enforces, the arrows are the imports that there are. Arrows that follow from others are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { importsBetween, ROOT, type SourceFile } from './source-tree.ts';

/** From the bottom up, as the dependency linter reads them too. */
const layersSchema = z.array(z.array(z.string()));
const PAGE = join(ROOT, 'docs', 'README.md');
const BLOCK = /(<!-- layers:begin[^>]*-->\n)([^]*?)(<!-- layers:end -->)/u;

/** What a layer is, in a few words. */
const WORDS: Readonly<Record<string, string>> = {
  faces: 'command line, MCP, REST, browser',
  'agent-targets': 'provers as the agent sees them',
  operations: 'what Quod can be asked',
  agent: 'a language model at work',
  search: 'the offline prover',
  refute: 'counterexamples',
  retrieval: 'similar proofs',
  mining: 'proofs as data',
  drawing: 'proofs as trees',
  gate: 'the judges',
  sessions: 'live sessions',
  provers: 'Rocq, Lean, F*, HOL4',
  process: 'child processes',
  core: 'the vocabulary',
};

export function layersPicture(files: readonly SourceFile[]): string {
  const rows = layersSchema.parse(JSON.parse(readFileSync(join(ROOT, 'lint', 'layers.json'), 'utf8')));
  const names = rows.flat();
  const layerOf = (path: string): string => path.split('/')[1] ?? path;
  const arrows = importsBetween(files, layerOf).filter(
    ({ from, to }) => names.includes(from) && names.includes(to),
  );
  const below = new Map(
    names.map((name) => [name, arrows.filter(({ from }) => from === name).map(({ to }) => to)]),
  );
  const reaches = (from: string, to: string): boolean =>
    (below.get(from) ?? []).some((next) => next === to || reaches(next, to));
  const shown = arrows.filter(
    ({ from, to }) => !(below.get(from) ?? []).some((next) => next !== to && reaches(next, to)),
  );
  const byPlace = (one: string, other: string): number => names.indexOf(other) - names.indexOf(one);
  return [
    '```mermaid',
    'flowchart TD',
    ...names.toReversed().map((name) => `  ${name}["<b>${name}</b><br/>${WORDS[name] ?? name}"]`),
    ...shown
      .toSorted((one, other) => byPlace(one.from, other.from) || byPlace(one.to, other.to))
      .map(({ from, to }) => `  ${from} --> ${to}`),
    '```',
    '',
  ].join('\n');
}

export function picturedPage(): string {
  return readFileSync(PAGE, 'utf8');
}

export function pictureIn(page: string): string | undefined {
  return BLOCK.exec(page)?.[2];
}

export function writePicture(files: readonly SourceFile[]): void {
  const picture = layersPicture(files);
  writeFileSync(
    PAGE,
    picturedPage().replace(BLOCK, (_, begin: string, _old, end: string) => begin + picture + end),
  );
}
