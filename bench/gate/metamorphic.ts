/**
 * Changes that keep the meaning of a submission leave it accepted; changes of what the target states leave it rejected.
 * Over real theorems of Debian's libraries, each file cut after the theorem.
 *
 *   npx node bench/gate/metamorphic.ts [--kept 300] [--changed 300] [--slice 1/10] [--max-bytes 12000] [--out FILE]
 */
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { entryAt } from '../../src/core/entry.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { verify, verifyMany } from '../../src/gate/verify.ts';
import { compile } from '../search/coqc.ts';
import { shuffled } from '../search/draw.ts';
import { type Change, changesThatKeep, changesThatMatter } from './changes.ts';
import { optionsOf, sampleTheorems, samplingOf, type SampledTheorem } from './sample.ts';

const options = optionsOf(process.argv.slice(2));
const sampling = { ...samplingOf(options, 300), largestBytes: Number(options.get('max-bytes') ?? 12_000) };
/** How many changes of each theorem. */
const PER_THEOREM = 3;
const wanted = {
  kept: Math.ceil(Number(options.get('kept') ?? 300) / sampling.slice.of),
  changed: Math.ceil(Number(options.get('changed') ?? 300) / sampling.slice.of),
};
/** The separate checker says the same about all of them. */
const policy = { recheck: 'never' as const };
const CHANGED: ReadonlySet<string> = new Set(['statement-changed', 'definition-changed', 'missing']);
const done = { kept: 0, changed: 0, noStatement: 0, noFile: 0 };
const wrong: string[] = [];

for (const theorem of sampleTheorems(sampling)) {
  if (done.kept >= wanted.kept && done.changed >= wanted.changed) break;
  const seed = `${sampling.seed}/${theorem.source}/${theorem.name}`;
  if (done.kept < wanted.kept) await judgeKept(theorem, seed);
  if (done.changed < wanted.changed) await judgeChanged(theorem, seed);
}
console.log(
  `\n${done.kept} changes that keep the meaning, ${done.changed} that do not; ${wrong.length} judged wrongly`,
);
console.log(`${done.noStatement} more changed targets were no statements`);
console.log(`${done.noFile} more submissions are no files that coqc compiles`);
for (const line of wrong) console.log(line);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function judgeKept(theorem: SampledTheorem, seed: string): Promise<void> {
  const changes = shuffled(changesThatKeep(theorem.outline, theorem.item), seed).slice(0, PER_THEOREM);
  const path = basename(theorem.source);
  const target = { path, text: entryAt(changes, 0, 'change').target };
  const submissions = changes.map(({ submission }) => ({ path, text: submission }));
  let at = 0;
  for await (const { verdict } of verifyMany(target, submissions, { project: theorem.project, policy })) {
    const change = changes[at];
    at += 1;
    if (change === undefined) break;
    if (await isNoFile(theorem, change, verdict)) continue;
    done.kept += 1;
    note(theorem, change, verdict, verdict.kind === 'accepted');
  }
}

async function judgeChanged(theorem: SampledTheorem, seed: string): Promise<void> {
  let judged = 0;
  for (const change of shuffled(changesThatMatter(theorem.outline, theorem.item), seed)) {
    if (judged >= PER_THEOREM) break;
    const path = basename(theorem.source);
    const verdict = await verify(
      { path, text: change.target },
      { path, text: change.submission },
      { project: theorem.project, policy },
    );
    if (verdict.kind === 'unknown' && verdict.reason === 'does-not-compile') {
      done.noStatement += 1;
      continue;
    }
    judged += 1;
    if (await isNoFile(theorem, change, verdict)) continue;
    done.changed += 1;
    // Refused for what it is, and not for something that the submission does.
    const findings = verdict.kind === 'rejected' ? verdict.findings.map(({ kind }) => kind) : [];
    note(
      theorem,
      change,
      verdict,
      findings.some((kind) => CHANGED.has(kind)),
    );
  }
}

/**
 * What the gate refuses to compile is no fault of its when coqc alone refuses it, too: the cut of a functor, for
 * instance.
 */
async function isNoFile(
  { source, project }: SampledTheorem,
  change: Change,
  verdict: Verdict,
): Promise<boolean> {
  const compiles =
    verdict.kind !== 'rejected' || verdict.findings.every(({ kind }) => kind !== 'does-not-compile');
  if (compiles) return false;
  const loadPath = project.loadPath.flatMap(({ flag, physical, logical }) => [flag, physical, logical]);
  const { exitCode } = await compile(change.submission, { source, loadPath, timeoutSeconds: 600 });
  if (exitCode !== 0) done.noFile += 1;
  return exitCode !== 0;
}

function note({ source, name }: SampledTheorem, change: Change, verdict: Verdict, right: boolean): void {
  const answer =
    verdict.kind === 'rejected'
      ? verdict.findings.map(({ kind }) => kind).join(', ')
      : verdict.kind === 'unknown'
        ? `${verdict.reason}: ${verdict.message.slice(0, 200)}`
        : verdict.kind;
  const line = `${right ? 'right' : 'WRONG'} ${source} ${name}: ${change.name}: ${answer}`;
  if (!right) wrong.push(line);
  console.log(line);
  const out = options.get('out');
  if (out !== undefined)
    appendFileSync(out, `${JSON.stringify({ source, name, change: change.name, answer, right })}\n`);
}
