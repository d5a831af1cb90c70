/**
 * `proof_search` at a state of a session: what closes the goals in focus, and the gate's word where that ends the
 * proof.
 */
import { orNothing } from '../../core/entry.ts';
import { openGoalCount } from '../../core/proof-state.ts';
import { statementOf } from '../../provers/rocq/syntax/theorem-text.ts';
import type { OperationContext } from '../definition/operation.ts';
import { checkProof } from '../rocq/proof/check-proof.ts';
import { judgedText, judgeInFile } from '../rocq/proof/judge-in-file.ts';
import { tacticWordsOf } from '../rocq/session/forbidden-in-proof.ts';
import { inSession, placeRestsOn, type Place } from '../rocq/session/place.ts';
import type { RocqSession } from '../rocq/session/rocq-session.ts';
import { runScript } from '../rocq/step/run-script.ts';
import { bestGoalFields } from './best-goals.ts';
import { nothingFound, type SearchResult } from './search-result.ts';
import { searchState, type StateSearch } from './search-state.ts';

interface SessionSearch extends StateSearch {
  readonly session_id: string;
  readonly from?: string | undefined;
}

const SENTENCE_TIMEOUT_MS = 30_000;

export async function searchInSession(input: SessionSearch, context: OperationContext) {
  return inSession(context, { session_id: input.session_id, from: input.from }, async (place) => {
    const begunAt = performance.now();
    const found = await searchState(place, input, context);
    const said =
      found.kind === 'found'
        ? await used(place, found.script, context)
        : {
            closed: null,
            outcome: {
              ...{ message: found.message, goals_left: found.bestGoalCount },
              ...bestGoalFields(found),
            },
          };
    const result: SearchResult = {
      ...nothing(place.session),
      ...said.outcome,
      nodes: found.nodes,
      seconds: Math.round(performance.now() - begunAt) / 1000,
    };
    return {
      results: [result],
      proved: result.outcome === 'proved' ? 1 : 0,
      closed: said.closed,
      partial: context.signal.aborted,
      error_behind: null,
      rests_on: await placeRestsOn(context, place.pool, place.file),
    };
  });
}

interface Used {
  readonly closed: { readonly script: string; readonly state: string; readonly goals_left: number } | null;
  readonly outcome: Partial<SearchResult>;
}

/** Runs what was found; where nothing is left behind it, the whole proof goes to the gate. */
async function used(
  { pool, state, file, session }: Place & { readonly session: RocqSession },
  script: string,
  { signal }: OperationContext,
): Promise<Used> {
  const options = { signal, sentenceTimeoutMs: SENTENCE_TIMEOUT_MS };
  const run = await runScript(pool, state, script, options);
  if (run.failure !== undefined)
    return { closed: null, outcome: { message: 'A proof was found but does not replay.' } };
  const goals_left = run.proof === null ? 0 : openGoalCount(run.proof);
  const closed = { script, state: session.nameOf(run.reached, run.proof), goals_left };
  if (goals_left > 0)
    return { closed, outcome: { message: 'The goals in focus are closed; others are left.', goals_left } };
  const checked = await checkProof(pool, session, {
    from: state,
    script,
    tactics: tacticWordsOf(file),
    options,
  });
  if (checked.outcome.kind !== 'proved' || checked.reached === undefined)
    return { closed, outcome: { message: 'The goals are closed, but the closing command is refused.' } };
  const proof = session.scriptTo(checked.reached).join('\n');
  if (session.target === undefined)
    return {
      closed,
      outcome: { outcome: 'not-judged', proof, message: 'There is no statement of a file to judge.' },
    };
  const judged = await judgeInFile(session, proof, signal);
  const { verdict, findings, rests_on_open, axioms, reason, warnings } = judged;
  switch (verdict) {
    case 'accepted': {
      const outcome = rests_on_open.length === 0 ? 'proved' : 'proved-but';
      const message =
        judged.file_now === 'the-same' ? null : `The gate accepts the proof in ${judgedText(judged)}.`;
      return { closed, outcome: { outcome, proof, rests_on_open, axioms, warnings, message } };
    }
    case 'rejected':
      return { closed, outcome: { refused_proof: proof, message: findings.join(' ') } };
    case 'unknown':
      return { closed, outcome: { outcome: 'not-judged', proof, reason, message: findings.join(' ') } };
  }
}

function nothing({ file, target }: RocqSession): SearchResult {
  const sentence =
    file === undefined || target === undefined ? undefined : statementOf(file.outline, target.item);
  return {
    theorem: target?.item.name ?? 'goal',
    line: sentence === undefined || file === undefined ? 1 : file.positionOf(sentence.span.start).line,
    statement: orNothing(sentence?.text),
    outcome: 'not-proved',
    ...nothingFound(),
    ...{ nodes: 0, seconds: 0, times: [] },
  };
}
