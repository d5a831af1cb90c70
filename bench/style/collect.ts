/**
 * Searches proofs to look at how they are written: `node bench/style/collect.ts SOURCE…`, each a path in this
 * repository or below what `coqc -where` prints. `--most` proofs of each, evenly chosen, are taken out and searched.
 * What is found goes into bench/records/style-found.jsonl as it was before it was rewritten for people; nothing is
 * judged.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { replaced } from '../../src/core/replacement.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { proveFile } from '../../src/search/prove-file.ts';
import { everyProofCounts } from '../search/every-proof-counts.ts';
import { findRocq } from '../../src/sessions/find-rocq.ts';
import { positive } from '../positive.ts';
import { coqFolder } from '../search/coqc.ts';
import { recordFoundProofs, type FoundProof } from './found-proof.ts';

const program = new Command('collect')
  .argument('<source...>')
  .option('--most <n>', 'proofs of a file that are taken out', positive, 20)
  .option('--nodes <n>', 'of each search', positive, 150)
  .parse();
const options = program.opts<{ most: number; nodes: number }>();

/** Holes, and proofs whose name no other has and that say nothing of variables. */
function chosen(outline: FileOutline): TheoremItem[] {
  const { statements } = outline;
  const asked = statements.filter(
    (item) =>
      item.using === undefined &&
      /^(?:Lemma|Theorem|Corollary|Proposition|Fact|Remark)$/u.test(item.keyword) &&
      item.closing !== undefined &&
      statements.filter(({ name }) => name === item.name).length === 1,
  );
  const step = Math.max(1, asked.length / options.most);
  return asked.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function withoutProofs(outline: FileOutline, items: readonly TheoremItem[]): string {
  const { sentences, text } = outline;
  return replaced(
    text,
    items.flatMap((item) => {
      const first = sentences[item.sentence + 1];
      const last = item.closing === undefined ? undefined : sentences[item.closing];
      if (first === undefined || last === undefined) return [];
      const span = { start: first.span.start, end: last.span.end };
      return [{ span, text: 'Proof.\nAdmitted.' }];
    }),
  );
}

async function foundIn(source: string): Promise<FoundProof[]> {
  const file = existsSync(source) ? resolve(source) : join(coqFolder(), source);
  const outline = outlineOf(await readFile(file, 'utf8'));
  const found: FoundProof[] = [];
  await proveFile(
    {
      file,
      text: withoutProofs(outline, chosen(outline)),
      theorems: 'all-holes',
      nodes: options.nodes,
      jobs: 1,
      seed: 1,
      prover: await findRocq('auto'),
      judge: everyProofCounts,
      signal: new AbortController().signal,
    },
    (event) => {
      if (event.kind === 'written') found.push({ source, theorem: event.theorem, script: event.found });
      if (event.kind === 'file-error') console.error(`${source}: ${event.error.message}`);
    },
  );
  return found;
}

for (const source of program.args) {
  const found = await foundIn(source).catch((error: unknown) => {
    console.error(`${source}: ${String(error)}`);
    return [];
  });
  recordFoundProofs([source], found);
  console.log(`${source}: ${found.length} found`);
}
