/**
 * Whole proofs at once: the nearest proofs of the file are shown, several samples are taken, each is checked in a
 * session and, where that finds it complete, by the gate. The first that is accepted wins. Further rounds show a
 * sample its error.
 */
import { orNothing } from '../../core/entry.ts';
import type { Message } from '../models/conversation.ts';
import type { Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import type { EventOf } from '../runs/events.ts';
import { CONVENTIONS, scriptIn } from '../prover-conventions.ts';
import { tailOf } from '../context/briefing.ts';
import { brief, judge, similarProofs, together, userWords, judgedText } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

export async function proveByExamples(
  run: RunContextWithModels,
  target: Target,
): Promise<EventOf<'judged'> | undefined> {
  const toolSession = new RecordedToolSession(run, target);
  try {
    return await sample(run, target, toolSession);
  } finally {
    await toolSession.close();
  }
}

async function sample(
  run: RunContextWithModels,
  target: Target,
  toolSession: RecordedToolSession,
): Promise<EventOf<'judged'> | undefined> {
  const { roleModels, prompts, settings } = run;
  const key = `${target.theorem}/few-shot`;
  const briefing = await brief(run, target, await toolSession.start(target.theorem));
  const examples = await similarProofs(run, target, { key, limit: settings.examples });
  const said = userWords(run, `${key}/round-1/sample-0`);
  const question = briefing.question((left) =>
    prompts.fill('few-shot', { examples: tailOf(examples, left), said }),
  );
  let open = Array.from({ length: settings.samples }, (_, number) => ({
    number,
    answers: [] as readonly Message[],
  }));
  for (let round = 1; round <= settings.rounds && open.length > 0; round++) {
    const answers = await together(
      open.map(({ number, answers: before }) => async () => {
        const { text } = await roleModels.ask({
          role: 'few-shot',
          key: `${key}/round-${round}/sample-${number}`,
          messages: (room) => [...question(room), ...before],
          temperature: settings.sampleTemperature,
        });
        return { number, before, text, script: scriptIn(text, target.prover) };
      }),
    );
    const checked = new Map<string, string>();
    for (const { number, script } of answers) {
      if (checked.has(script)) continue;
      const found = await check(run, target, toolSession, {
        key: `${key}/round-${round}/sample-${number}`,
        script,
      });
      if ('judged' in found) return found.judged;
      checked.set(script, found.error);
    }
    open = answers.map(({ number, before, text, script }) => ({
      number,
      answers: [
        ...before,
        { role: 'assistant', text: text || '(nothing)', calls: [] },
        { role: 'user', text: prompts.fill('few-shot-again', { error: orNothing(checked.get(script)) }) },
      ],
    }));
  }
  return undefined;
}

async function check(
  run: RunContextWithModels,
  target: Target,
  toolSession: RecordedToolSession,
  { key, script }: { readonly key: string; readonly script: string },
): Promise<{ readonly judged: EventOf<'judged'> } | { readonly error: string }> {
  if (script === '') return { error: 'There was no proof in the answer.' };
  const input = JSON.stringify({ proof: script });
  const answer = await toolSession.call(key, { id: key, name: CONVENTIONS[target.prover].checkTool, input });
  if (answer.proof === null) return { error: answer.text };
  const judged = await judge(run, target, key, answer.proof);
  return judged.verdict === 'accepted' ? { judged } : { error: judgedText(judged) };
}
