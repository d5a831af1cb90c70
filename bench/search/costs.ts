/**
 * Prints the search's table of costs (`npm run costs`), so that two commits can be compared with `diff`. With `--set
 * NAME=NUMBER` and files it proves their holes with the table as it is and with the change, in runs that can be
 * repeated.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findRocq } from '../../src/sessions/find-rocq.ts';
import { COSTS, costLines, costsWith, type Costs } from '../../src/search/candidates/costs.ts';
import { proveFile } from '../../src/search/prove-file.ts';
import { everyProofCounts } from './every-proof-counts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', multiple: true, default: [] },
    nodes: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});

const changes = Object.fromEntries(
  values.set.map((change): [string, number] => {
    const at = change.lastIndexOf('=');
    return [change.slice(0, at), Number(change.slice(at + 1))];
  }),
);

/** What is found is not judged: the figures are about the search. */
async function found(file: string, costs: Costs): Promise<{ proved: string[]; nodes: number }> {
  const results = await proveFile(
    {
      file: resolve(file),
      text: await readFile(file, 'utf8'),
      theorems: 'all-holes',
      nodes: Number(values.nodes),
      jobs: 2,
      seed: Number(values.seed),
      costs,
      prover: await findRocq('auto'),
      judge: everyProofCounts,
      signal: new AbortController().signal,
    },
    () => {},
  );
  return {
    proved: results.flatMap(({ theorem, outcome }) => (outcome.kind === 'proved' ? [theorem] : [])),
    nodes: results.reduce((sum, { nodes }) => sum + nodes, 0),
  };
}

const changed = costsWith(changes);
if (positionals.length === 0) console.log(costLines(changed).join('\n'));
for (const file of positionals) {
  const before = await found(file, COSTS);
  const after = await found(file, changed);
  const lost = before.proved.filter((name) => !after.proved.includes(name));
  const won = after.proved.filter((name) => !before.proved.includes(name));
  console.log(
    `${file}: ${before.proved.length} -> ${after.proved.length} found, ${before.nodes} -> ${after.nodes} nodes`,
    [...lost.map((name) => `- ${name}`), ...won.map((name) => `+ ${name}`)].join(' '),
  );
}
