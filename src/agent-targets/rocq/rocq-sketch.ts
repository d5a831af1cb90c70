/**
 * Proofs with holes. A hole is a sentence of its own (`admit.`, `give_up.`, `sorry.`, `?.`) in the place of the
 * proof of one goal. The rest is executed with the goals of the holes set aside; each of them is named by a state
 * in which it alone is open, and stated as a lemma that closes it.
 */
import type { SketchHole, Sketched } from '../../agent/target.ts';
import { splitSentences } from '../../provers/rocq/syntax/sentences.ts';
import type { OperationCalls } from '../operation-calls.ts';

const HOLE = /^(?:admit|give_up|sorry|\?)\s*\.$/u;
const OPENING = /^Proof\b/u;
const CLOSING = /^(?:Qed|Defined|Admitted|Abort|Save)\b/u;

/** The texts between the holes of a script, one more than there are holes, without the words that open and close it. */
export function textsBetweenHoles(script: string): readonly string[] {
  const texts: string[][] = [[]];
  for (const { text } of splitSentences(script).sentences) {
    if (CLOSING.test(text)) break;
    if (OPENING.test(text)) continue;
    if (HOLE.test(text)) texts.push([]);
    else texts.at(-1)?.push(text);
  }
  return texts.map((sentences) => sentences.join('\n'));
}

interface Place {
  readonly session_id: string;
  readonly from?: string;
}

type Goal = Awaited<ReturnType<typeof step>>['goals'][number];

/** Executes a sketch from the start of a session. @throws QuodError, whatever the session threw. */
export async function runSketch(
  calls: OperationCalls,
  session: string,
  script: string,
  signal: AbortSignal,
): Promise<Sketched> {
  const texts = textsBetweenHoles(script);
  const start = await calls.call('rocq_goals', { session_id: session, from: 's0' }, signal);
  // What stands in the context before the first sentence belongs to the section: a lemma stands in it, too.
  const ofSection = new Set(start.goals.flatMap(({ hypotheses }) => hypotheses.map(({ name }) => name)));
  let place: Place = { session_id: session };
  const run = async (sentences: string) => {
    const after = await step(calls, place, sentences, signal);
    if (after.error === null) place = { session_id: session, from: after.state };
    return after;
  };
  const holes: SketchHole[] = [];
  for (const [index, text] of texts.entries()) {
    if (text !== '') {
      const after = await run(text);
      if (after.error !== null) {
        const goals = after.goals.map(goalText).join('\n\n');
        return {
          ...{ kind: 'refused', goal: after.goals[0]?.conclusion ?? null, state: after.state },
          text: `The sketch fails behind\n${after.valid_prefix}\n(state ${after.state}): ${after.error.message}\n\n${goals}`,
        };
      }
    }
    if (index === texts.length - 1) break;
    const alone = await step(calls, place, '{', signal);
    const [goal] = alone.goals;
    const aside = await run('shelve.');
    if (alone.error !== null || goal === undefined || aside.error !== null)
      return {
        kind: 'refused',
        goal: null,
        state: null,
        text: `Hole ${index + 1} stands where no goal is open.`,
      };
    holes.push({
      state: alone.state,
      goal: goalText(goal),
      lemma: alone.goals_cut ? null : lemmaOf(goal, ofSection),
    });
  }
  const end = await calls.call('rocq_goals', place, signal);
  const left = end.goals_total + end.unfocused.reduce((sum, count) => sum + count, 0);
  if (left === 0) return { kind: 'sketched', texts, holes };
  const goals = end.goals.map(goalText).join('\n\n');
  return {
    ...{ kind: 'refused', goal: end.goals[0]?.conclusion ?? null, state: null },
    text: `The sketch ends with open goals (${left}). Prove them, or leave each out by \`admit.\`.\n\n${goals}`,
  };
}

function step(calls: OperationCalls, place: Place, script: string, signal: AbortSignal) {
  return calls.call('rocq_step', { ...place, script }, signal);
}

function goalText({ hypotheses, conclusion }: Goal): string {
  const lines = hypotheses.map(
    ({ name, type, body }) => `${name}${body === null ? '' : ` := ${body}`} : ${type}`,
  );
  return [...lines, `⊢ ${conclusion}`].join('\n');
}

/** The goal for all that stands in its context, and what is given to it there. */
function lemmaOf({ hypotheses, conclusion }: Goal, ofSection: ReadonlySet<string>): SketchHole['lemma'] {
  const own = hypotheses.filter(({ name }) => !ofSection.has(name));
  const binders = own.map(({ name, type, body }) =>
    body === null ? `forall (${name} : ${type}),` : `let ${name} : ${type} := ${body} in`,
  );
  return {
    statement: [...binders, conclusion].join('\n  '),
    given: own.flatMap(({ name, body }) => (body === null ? [name] : [])),
  };
}
