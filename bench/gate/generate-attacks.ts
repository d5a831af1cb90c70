/**
 * Thousands of generated submissions against small targets. An acceptance is right only when an independent look
 * agrees.
 *
 *   npx node bench/gate/generate-attacks.ts [--count 3000] [--seed 1] [--from 0] [--out FILE]
 *
 * Each answer is a line of FILE; what is there already is not done again. The last line of the output is the summary.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { orZero } from '../../src/core/entry.ts';
import type { GatePolicy } from '../../src/gate/policy.ts';
import type { Verdict } from '../../src/gate/verdict.ts';
import { verifyMany } from '../../src/gate/verify.ts';
import { type GeneratedAttack, generatedAttack, GENERATED_POLICY } from './generated-attacks.ts';
import { IndependentLook } from '../../src/gate/rocq/testing/independent-look.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/records/gate-generated-attacks.jsonl' },
  },
});
const answerSchema = z.object({
  number: z.int(),
  target: z.string(),
  answer: z.string(),
  /** What the independent look says against an acceptance. */
  objection: z.string().optional(),
});
type Answer = z.infer<typeof answerSchema>;

const policy: GatePolicy = GENERATED_POLICY;
const project = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const answers = new Map<number, Answer>();
if (existsSync(values.out))
  for (const line of readFileSync(values.out, 'utf8').split('\n').filter(Boolean)) {
    const answer = answerSchema.parse(JSON.parse(line));
    answers.set(answer.number, answer);
  }
const look = new IndependentLook();
const [from, count] = [Number(values.from), Number(values.count)];
const wanted = Array.from({ length: count }, (_, place) => from + place)
  .filter((number) => !answers.has(number))
  .map((number) => ({ number, ...generatedAttack(values.seed, number) }));
// A target is compiled once for all its submissions.
for (const attacks of Map.groupBy(wanted, ({ target }) => target.id).values()) {
  const [first] = attacks;
  if (first === undefined) continue;
  const submissions = attacks.map(({ text }) => ({ path: 'Target.v', text }));
  let place = 0;
  for await (const { verdict } of verifyMany({ path: 'Target.v', text: first.targetText }, submissions, {
    project,
    policy,
  })) {
    const attack = attacks[place];
    place += 1;
    if (attack !== undefined) note(attack, verdict);
  }
}
look.close();
const counted = Map.groupBy(answers.values(), ({ answer }) => answer);
for (const [answer, those] of [...counted].toSorted(([, one], [, other]) => other.length - one.length))
  console.log(`${String(those.length).padStart(6)} ${answer}`);
const wrong = [...answers.values()].filter(({ objection }) => objection !== undefined);
console.log(
  `${answers.size} submissions, ${orZero(counted.get('accepted')?.length)} accepted, ${wrong.length} of them wrongly`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;

function note(
  { number, target, targetText, text }: GeneratedAttack & { readonly number: number },
  verdict: Verdict,
): void {
  const answer: Answer = { number, target: target.id, answer: answerOf(verdict) };
  if (verdict.kind === 'accepted') {
    const objection = look.at(target, targetText, text);
    if (objection !== undefined) {
      answer.objection = objection;
      console.log(`${number} ${target.id}: ACCEPTED, BUT ${objection}\n${text}`);
    }
  }
  answers.set(number, answer);
  appendFileSync(values.out, `${JSON.stringify(answer)}\n`);
}

function answerOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return verdict.findings[0]?.kind ?? 'rejected';
    case 'unknown':
      return `unknown: ${verdict.reason}`;
  }
}
