/** The tools of the RocqStar server that prove: a session on a theorem, its state, its checks and their history. */
import { z } from 'zod';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { AnyOperation } from '../../definition/operation.ts';
import { rocqWorkbenchOf } from '../session/place.ts';
import { rocqCheckProof } from '../proof/check-proof-operation.ts';
import { rocqGoals, rocqProofTree } from '../step/goal-operations.ts';
import { rocqClose, rocqOpen } from '../session/session-operations.ts';
import { everywhere, filePath, sessionOf, tool } from './rocqstar-tool.ts';

export const startSession = tool({
  name: 'start_session',
  summary: 'Starts a session on a theorem of a file.',
  fields: { ...everywhere, filePath, theoremName: z.string() },
  answer: { sessionId: z.string(), proofVersionHash: z.string() },
  changes: true,
  run: async (input, context) => {
    const opened = await rocqOpen.call({ file: input.filePath, theorem: input.theoremName }, context);
    return { sessionId: opened.session_id, proofVersionHash: opened.state };
  },
});

export const finishSession = tool({
  name: 'finish_session',
  summary: 'Ends a session.',
  fields: everywhere,
  answer: { success: z.boolean(), message: z.string() },
  changes: true,
  run: async (input, context) => {
    await rocqClose.call({ session_id: sessionOf(input.coqSessionId, context) }, context);
    return { success: true, message: 'The session is finished.' };
  },
});

function targetState(name: string): AnyOperation {
  return tool({
    name,
    summary: 'Shows the statement of the session’s target and how far its proof is.',
    fields: everywhere,
    answer: {
      theoremStatement: z.string(),
      theoremProof: z.string(),
      isIncomplete: z.boolean(),
      goals: z.array(z.string()),
      sessionId: z.string(),
    },
    run: async (input, context) => {
      const session_id = sessionOf(input.coqSessionId, context);
      const goals = await rocqGoals.call({ session_id, from: input.proofVersionHash }, context);
      const { state } = goals;
      if (state === null) throw new QuodError('internal', `Session ${session_id} named no state.`);
      const statement = await rocqWorkbenchOf(context).sessions.use(context.client, session_id, (session) => {
        const { file, target } = session;
        const proof = session.scriptTo(session.stateNamed(state));
        return Promise.resolve({
          text: orNothing(target && file?.outline.sentences[target.item.sentence]?.text),
          proof: ['Proof.', ...proof].join('\n'),
        });
      });
      return {
        theoremStatement: statement.text,
        theoremProof: statement.proof,
        isIncomplete: goals.in_proof,
        goals: goals.in_proof ? [goals.text] : [],
        sessionId: session_id,
      };
    },
  });
}

export const TARGET_STATE_TOOLS: readonly AnyOperation[] = [
  targetState('get_current_target_state'),
  targetState('get_current_target_theorem_state'),
];

interface ShownGoal {
  readonly hypotheses: readonly { readonly name: string; readonly type: string }[];
  readonly conclusion: string;
}

function goalLine({ hypotheses, conclusion }: ShownGoal): string {
  return [...hypotheses.map(({ name, type }) => `${name} : ${type}`), `⊢ ${conclusion}`].join('\n');
}

/** The gate is not asked about each attempt of an agent. */
const NOT_LOOKED_AT =
  'What it rests on was not looked at: it may be an axiom, or a statement that is open. `gate_verify` judges the file.';

export const checkProofTool = tool({
  name: 'check_proof',
  summary: 'Checks a whole proof, or a part of one, in a session.',
  fields: { ...everywhere, proof: z.string() },
  answer: {
    success: z.boolean(),
    message: z.string(),
    proof: z.string().nullable(),
    goals: z.array(z.string()),
    validPrefix: z.string().nullable(),
    attemptedProof: z.string().nullable(),
    proofVersionHash: z.string().nullable(),
    restsOn: z.string().nullable().describe('Of a complete proof.'),
  },
  run: async (input, context) => {
    // That server checks whole proofs: the version only says which history the attempt belongs to.
    const checked = await rocqCheckProof.call(
      { session_id: sessionOf(input.coqSessionId, context), proof: withoutOuterFence(input.proof) },
      context,
    );
    const answer = {
      proof: input.proof,
      goals: checked.goals.map(goalLine),
      validPrefix: null,
      attemptedProof: null,
      proofVersionHash: checked.state,
      restsOn: null,
    };
    switch (checked.outcome) {
      case 'proved':
        // That agent compares the message with these very words.
        return {
          ...answer,
          success: true,
          message: 'Proof complete and valid',
          restsOn: NOT_LOOKED_AT,
          goals: [],
        };
      case 'incomplete':
        return { ...answer, success: true, message: 'Proof is incomplete but valid so far' };
      case 'branch-closed':
        return {
          ...answer,
          success: true,
          message: `Your proof is incomplete but valid so far. It has the following goal at the depth ${checked.depth}:`,
          goals: checked.elsewhere.map(goalLine),
        };
      default:
        return {
          ...answer,
          success: false,
          message:
            checked.error === null
              ? checked.message
              : `Proof contains errors: ${checked.error.message} at L${checked.error.line}`,
          proof: null,
          validPrefix: checked.valid_prefix,
          attemptedProof: input.proof,
        };
    }
  },
});

/** Models wrap proofs in Markdown fences; that server takes them off. */
function withoutOuterFence(proof: string): string {
  return proof.replace(/^\s*```\w*\n/u, '').replace(/\n?```\s*$/u, '');
}

export const proofHistory = tool({
  name: 'proof_history',
  summary: 'Lists the proof versions of a session, each with the one that it goes on from.',
  fields: everywhere,
  answer: {
    success: z.boolean(),
    versions: z.array(z.object({ hash: z.string(), parent: z.string().nullable(), steps: z.string() })),
  },
  run: async (input, context) => {
    const { states } = await rocqProofTree.call(
      { session_id: sessionOf(input.coqSessionId, context) },
      context,
    );
    return {
      success: true,
      versions: states.map(({ state, parent, script }) => ({ hash: state, parent, steps: script })),
    };
  },
});
