/**
 * `npm run bench:retrieval -- similarity|feedback|solved|distance|vectors`: what the rankers, the distance and the
 * index are worth, on libraries that no model was trained on. Results are printed as Markdown; `--json FILE` keeps
 * them.
 */
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { Encoder } from '../../src/retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../src/retrieval/model/model-format.ts';
import { VectorStore } from '../../src/retrieval/model/vector-store.ts';
import { rankerNamed } from '../../src/retrieval/rankers/catalogue.ts';
import { FEEDBACK, feedbackRanker, type FeedbackParameters } from '../../src/retrieval/rankers/feedback.ts';
import type { VectorSource } from '../../src/retrieval/model/vector-source.ts';
import { RANKER_NAMES, type Ranker, type RankerName } from '../../src/retrieval/rankers/ranker.ts';
import { errorText } from '../../src/core/errors.ts';
import { positive } from '../positive.ts';
import { coqFolder } from '../search/coqc.ts';
import { HELD_OUT } from './held-out.ts';
import { distancesOf, measureSimilarity, type SimilarityFigures } from './similarity.ts';
import { measureSolved } from './solved.ts';
import { statementsOf } from './statements.ts';
import { drawnFrom, filesOf, validationLibraries } from './validation.ts';
import { measureVectors } from './vectors.ts';

function rankers(text: string): RankerName[] {
  return text.split(',').map((name) => {
    const known = RANKER_NAMES.find((candidate) => candidate === name);
    if (known === undefined) throw new InvalidArgumentError(`Rankers are ${RANKER_NAMES.join(', ')}.`);
    return known;
  });
}

function names(text: string): string[] {
  return text.split(',');
}

async function openVectors(): Promise<VectorSource> {
  return new VectorStore(await Encoder.open(rankerModelFolder()), undefined);
}

/** The rankers that were asked for, and feedback on those it is to be compared on. */
function measuredRankers({ rankers, feedbackOn }: SimilarityOptions): Map<string, Ranker> {
  const named = rankers.map((name): [string, Ranker] => [name, rankerNamed(name, openVectors)]);
  const fedBack = feedbackOn.map((name): [string, Ranker] => [
    `feedback on ${name}`,
    feedbackRanker('feedback', rankerNamed(name, openVectors)),
  ]);
  return new Map([...named, ...fedBack]);
}

interface SimilarityOptions {
  readonly libraries?: readonly string[];
  readonly rankers: readonly RankerName[];
  readonly feedbackOn: readonly RankerName[];
  readonly limit?: number;
  readonly json?: string;
}

async function similarity(options: SimilarityOptions): Promise<void> {
  const coq = coqFolder();
  const measured: (SimilarityFigures & { library: string; theorems: number; ranker: string })[] = [];
  console.log('| library | ranker | pairs | Pearson | Spearman | recall@7 | MRR | ms a query |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const library of HELD_OUT.filter(({ name }) => options.libraries?.includes(name) ?? true)) {
    const all = statementsOf(library, coq);
    const statements = all.slice(0, options.limit ?? all.length);
    const distances = distancesOf(statements);
    console.error(
      `${library.name}: ${statements.length} theorems, ${distances.pairs.length} pairs, ` +
        `${Math.round(distances.pairs.length / distances.seconds)} distances a processor second`,
    );
    for (const [name, ranker] of measuredRankers(options)) {
      try {
        const figures = await measureSimilarity(ranker, statements, distances);
        measured.push({ library: library.name, theorems: statements.length, ranker: name, ...figures });
        const cells = [figures.pearson, figures.spearman, figures.recall, figures.meanReciprocalRank];
        console.log(
          `| ${library.name} | ${name} | ${figures.pairs} | ${cells.map((value) => value.toFixed(3)).join(' | ')} | ` +
            `${(figures.querySeconds * 1000).toFixed(2)} |`,
        );
      } catch (error) {
        console.log(`| ${library.name} | ${name} | did not run: ${errorText(error)} |`);
      }
    }
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(measured, undefined, 1)}\n`);
}

/**
 * Each parameter of feedback varied alone, and the ranker that it goes by, on files that the shipped model was not
 * trained on.
 */
async function feedback(options: { readonly limit: number; readonly first: RankerName }): Promise<void> {
  const first = rankerNamed(options.first, openVectors);
  const variants: Partial<FeedbackParameters>[] = [
    {},
    ...[4, 16].map((neighbours) => ({ neighbours })),
    ...[0.6, 2.5].map((sharpness) => ({ sharpness })),
    ...[0.05, 0.2, 1].map((softness) => ({ softness })),
    ...[0, 0.02, 0.1].map((direct) => ({ direct })),
  ];
  const rankers = new Map([
    [options.first, first],
    ...variants.map((changed): [string, Ranker] => [
      `feedback ${JSON.stringify(changed)}`,
      feedbackRanker('feedback', first, { ...FEEDBACK, ...changed }),
    ]),
  ]);
  console.log('| pools | ranker | Spearman | recall@7 | MRR |');
  console.log('|---|---|---|---|---|');
  const libraries = validationLibraries(coqFolder());
  for (const [kind, pools] of [
    ['libraries', libraries.map((library) => drawnFrom(library, options.limit))],
    ['files', libraries.flatMap(filesOf)],
  ] as const) {
    const measured = new Map([...rankers.keys()].map((name) => [name, [] as SimilarityFigures[]]));
    for (const { statements } of pools) {
      const distances = distancesOf(statements);
      for (const [name, ranker] of rankers)
        measured.get(name)?.push(await measureSimilarity(ranker, statements, distances));
    }
    for (const [name, figures] of measured) {
      const mean = (of: (one: SimilarityFigures) => number): string => {
        // NaN where all proofs are equally far, or none is near another.
        const values = figures.map(of).filter((value) => !Number.isNaN(value));
        return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
      };
      const cells = [mean((one) => one.spearman), mean((one) => one.recall)];
      console.log(
        `| ${pools.length} ${kind} | ${name} | ${cells.join(' | ')} | ${mean((one) => one.meanReciprocalRank)} |`,
      );
    }
  }
}

function distance(options: { readonly limit: number }): void {
  console.log('| library | proofs | mean tactics | pairs | pairs a processor second |');
  console.log('|---|---|---|---|---|');
  const coq = coqFolder();
  for (const library of HELD_OUT) {
    const statements = statementsOf(library, coq).slice(0, options.limit);
    const mean = statements.reduce((sum, { tactics }) => sum + tactics.length, 0) / statements.length;
    const { pairs, seconds } = distancesOf(statements);
    console.log(
      `| ${library.name} | ${statements.length} | ${mean.toFixed(1)} | ${pairs.length} | ${Math.round(pairs.length / seconds)} |`,
    );
  }
}

const program = new Command('bench:retrieval');
program
  .command('similarity')
  .description('scores against the distance of the proofs, over all pairs of each held-out library')
  .option('--libraries <names>', 'comma-separated', names)
  .option('--rankers <names>', RANKER_NAMES.join(','), rankers, [...RANKER_NAMES])
  .option('--feedback-on <names>', 'also measure feedback that goes by these instead of blend', rankers, [])
  .option('--limit <n>', 'theorems of each library', positive)
  .option('--json <file>')
  .action(similarity);
program
  .command('feedback')
  .description('parameters of feedback, on the files that the shipped model was not trained on')
  .option('--first <ranker>', 'that it goes by', (text) => rankers(text)[0], 'blend')
  .option('--limit <n>', 'theorems of each library', positive, 300)
  .action(feedback);
program
  .command('solved')
  .description('theorems that the search proves when it may learn from k proofs of the same file')
  .option('--rankers <names>', 'the first is what the others are compared with', rankers, [
    'jaccard',
    'blend',
  ])
  .option('--libraries <names>', 'comma-separated', names)
  .option('--tasks <n>', 'of each group of lengths', positive, 50)
  .option('--nodes <n>', 'of one search', positive, 400)
  .option('--premises <k>', 'proofs to learn from', positive, 7)
  .option('--jobs <n>', 'tasks side by side', positive, 1)
  .option('--json <file>', 'goes on where a run that wrote it was stopped')
  .action(async (options: Parameters<typeof measureSolved>[0]) => {
    await measureSolved(options, openVectors);
  });
program
  .command('distance')
  .description('pairs of proofs compared in a processor second')
  .option('--limit <n>', 'proofs of each library', positive, 2000)
  .action(distance);
program
  .command('vectors')
  .description('the index: build time, memory, time of a query, recall against exact search')
  .option('--count <n>', 'vectors', positive, 100_000)
  .option('--queries <n>', '', positive, 200)
  .option('--threads <n>', 'of building files', positive, 1)
  .option('--postgres <url>', 'measure a PostgreSQL with pgvector too; its tables stay')
  .action(measureVectors);
await program.parseAsync();
