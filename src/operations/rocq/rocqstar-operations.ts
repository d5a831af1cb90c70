/**
 * The tools of the RocqStar server under their own names and parameters (`quod mcp --compat rocqstar`), so that an
 * agent that was written for it works unchanged: the twelve of the paper's appendix D, and the longer names that
 * its server uses for four of them. Each is one of Quod's operations seen through that server's words; a proof
 * version is a state. https://arxiv.org/abs/2505.22846
 */
import { z } from 'zod';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import {
  defineOperation,
  type AnyOperation,
  type Operation,
  type OperationContext,
} from '../definition/operation.ts';
import {
  rocqAbout,
  rocqCheckTerm,
  rocqObjects,
  rocqPrint,
  rocqSearch,
} from './environment/environment-operations.ts';
import { rocqFiles, rocqTheorem, rocqTheoremNames } from './file/file-operations.ts';
import { workbenchOf } from './session/place.ts';
import { rocqCheckProof } from './proof/check-proof-operation.ts';
import { rocqGoals, rocqProofTree } from './step/goal-operations.ts';
import { rocqClose, rocqOpen } from './session/session-operations.ts';
import { rocqSimilarProofs } from './environment/similar-proofs-operation.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
const CHANGES = { ...READS, readOnly: false, idempotent: false } as const;

const coqSessionId = z
  .string()
  .optional()
  .describe('From start_session; may be left out while you have one session only.');
const proofVersionHash = z
  .string()
  .optional()
  .describe(
    'The proof version to start from, from start_session or check_proof; default: the start of the proof.',
  );
const filePath = z.string().describe('Path from the root of the project.');
/** That agent gives the session and the version to every tool, whether it takes them or not. */
const everywhere = { coqSessionId, proofVersionHash };

interface ToolDefinition<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  readonly fields: Fields;
  readonly answer: Answer;
  readonly changes?: boolean;
  readonly run: (
    input: z.output<z.ZodObject<Fields>>,
    context: OperationContext,
  ) => Promise<z.output<z.ZodObject<Answer>>>;
}

function tool<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape>(
  definition: ToolDefinition<Fields, Answer>,
): Operation<string, Fields, Answer> {
  return defineOperation({
    name: definition.name,
    area: 'rocq',
    title: definition.name,
    summary: definition.summary,
    input: z.object(definition.fields),
    output: z.object(definition.answer),
    annotations: definition.changes === true ? CHANGES : READS,
    // The limit of that server for a check.
    defaultTimeout: 150,
    run: definition.run,
  });
}

/** The session that is meant. @throws QuodError `not-found` when none is named and there is not exactly one. */
function sessionOf(named: string | undefined, context: OperationContext): string {
  if (named !== undefined) return named;
  const [only, another] = workbenchOf(context).sessions.of(context.client);
  if (only !== undefined && another === undefined) return only.id;
  throw new QuodError(
    'not-found',
    only === undefined ? 'You have no session.' : 'You have several sessions.',
    {
      remedy: 'Call start_session, and give its `coqSessionId`.',
    },
  );
}

const lines = { message: z.string(), result: z.array(z.string()) };

/** One of the questions about the environment of a session. */
function question(
  name: string,
  summary: string,
  {
    parameter,
    field,
    ask,
  }: {
    readonly parameter: 'term' | 'pattern';
    readonly field: z.ZodString;
    readonly ask: (
      asked: string,
      place: { readonly session_id: string; readonly limit: number },
      context: OperationContext,
    ) => Promise<{ readonly results: string[] }>;
  },
): AnyOperation {
  const answer = async (asked: string, session: string | undefined, context: OperationContext) => {
    const place = { session_id: sessionOf(session, context), limit: 1000 };
    const { results } = await ask(asked, place, context);
    return { message: `${name} was asked.`, result: results };
  };
  switch (parameter) {
    case 'term':
      return tool({
        ...{ name, summary, answer: lines },
        fields: { ...everywhere, term: field },
        run: ({ term, coqSessionId: session }, context) => answer(term, session, context),
      });
    case 'pattern':
      return tool({
        ...{ name, summary, answer: lines },
        fields: { ...everywhere, pattern: field },
        run: ({ pattern, coqSessionId: session }, context) => answer(pattern, session, context),
      });
  }
}

function theoremNames(name: string, withTarget: boolean): AnyOperation {
  return tool({
    name,
    summary: `Lists the names of the theorems of a file, the target of the session ${withTarget ? 'included' : 'left out'}.`,
    fields: { ...everywhere, filePath },
    answer: { message: z.string(), theoremNames: z.array(z.string()), isSessionBased: z.boolean() },
    run: async (input, context) => {
      const sessions = workbenchOf(context).sessions.of(context.client);
      const session_id = input.coqSessionId ?? (sessions.length === 1 ? sessions[0]?.id : undefined);
      const { names } = await rocqTheoremNames.call(
        { file: input.filePath, session_id, with_target: withTarget },
        context,
      );
      return {
        message: 'These are the theorems.',
        theoremNames: names,
        isSessionBased: session_id !== undefined,
      };
    },
  });
}

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
      const statement = await workbenchOf(context).sessions.use(context.client, session_id, (session) => {
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

function theoremWithProof(name: string): AnyOperation {
  return tool({
    name,
    summary: 'Shows a theorem with its proof; of the target of a session only what you have proved of it.',
    fields: { ...everywhere, filePath, theoremName: z.string() },
    answer: {
      theoremStatement: z.string(),
      theoremProof: z.string(),
      isIncomplete: z.boolean(),
      isFromOriginalFile: z.boolean(),
    },
    run: async (input, context) => {
      const found = await rocqTheorem.call({ file: input.filePath, theorem: input.theoremName }, context);
      return {
        theoremStatement: found.statement,
        theoremProof: found.withheld ? 'Proof.' : orNothing(found.proof),
        isIncomplete: found.withheld || !found.proved,
        isFromOriginalFile: !found.withheld,
      };
    },
  });
}

interface ShownGoal {
  readonly hypotheses: readonly { readonly name: string; readonly type: string }[];
  readonly conclusion: string;
}

function goalLine({ hypotheses, conclusion }: ShownGoal): string {
  return [...hypotheses.map(({ name, type }) => `${name} : ${type}`), `⊢ ${conclusion}`].join('\n');
}

const checkProof = tool({
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
  },
  run: async (input, context) => {
    // That server checks whole proofs: the version only says which history the attempt belongs to.
    const checked = await rocqCheckProof.call(
      { session_id: sessionOf(input.coqSessionId, context), proof: withoutFences(input.proof) },
      context,
    );
    const answer = {
      proof: input.proof,
      goals: checked.goals.map(goalLine),
      validPrefix: null,
      attemptedProof: null,
      proofVersionHash: checked.state,
    };
    switch (checked.outcome) {
      case 'proved':
        return { ...answer, success: true, message: 'Proof complete and valid', goals: [] };
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
function withoutFences(proof: string): string {
  return proof.replace(/^\s*```\w*\n/u, '').replace(/\n?```\s*$/u, '');
}

/** A statement, or that server's goal as JSON: `{"hypothesis": […], "conclusion": "…"}`. */
function conclusionIn(goal: string): string {
  try {
    const { conclusion } = z.object({ conclusion: z.string() }).parse(JSON.parse(goal));
    return conclusion;
  } catch {
    return goal;
  }
}

const proofHistory = tool({
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

export const ROCQSTAR_OPERATIONS: readonly AnyOperation[] = [
  tool({
    name: 'start_session',
    summary: 'Starts a session on a theorem of a file.',
    fields: { ...everywhere, filePath, theoremName: z.string() },
    answer: { sessionId: z.string(), proofVersionHash: z.string() },
    changes: true,
    run: async (input, context) => {
      const opened = await rocqOpen.call({ file: input.filePath, theorem: input.theoremName }, context);
      return { sessionId: opened.session_id, proofVersionHash: opened.state };
    },
  }),
  tool({
    name: 'finish_session',
    summary: 'Ends a session.',
    fields: everywhere,
    answer: { success: z.boolean(), message: z.string() },
    changes: true,
    run: async (input, context) => {
      await rocqClose.call({ session_id: sessionOf(input.coqSessionId, context) }, context);
      return { success: true, message: 'The session is finished.' };
    },
  }),
  tool({
    name: 'get_project_root',
    summary: 'Says where the project is.',
    fields: everywhere,
    answer: { message: z.string(), projectRoot: z.string() },
    run: (_input, { workspace }) =>
      Promise.resolve({ message: 'This is the root of the project.', projectRoot: workspace.root }),
  }),
  tool({
    name: 'list_coq_files',
    summary: 'Lists all Rocq files of the project.',
    fields: everywhere,
    answer: { coqFiles: z.array(z.object({ name: z.string(), pathFromRoot: z.string() })) },
    run: async (_input, context) => {
      const { files } = await rocqFiles.call({ limit: 10_000 }, context);
      return {
        coqFiles: files.map((path) => ({
          name: path.slice(path.lastIndexOf('/') + 1),
          pathFromRoot: path,
        })),
      };
    },
  }),
  theoremNames('get_theorem_names', true),
  theoremNames('get_theorem_names_from_file_with_target_theorem', true),
  theoremNames('get_theorem_names_excl', false),
  theoremNames('get_theorem_names_from_file_without_target_theorem', false),
  targetState('get_current_target_state'),
  targetState('get_current_target_theorem_state'),
  theoremWithProof('get_theorem_with_proof'),
  theoremWithProof('get_specific_theorem_with_proof_by_name'),
  checkProof,
  tool({
    name: 'get_similar_proofs',
    summary: 'Finds the theorems of a file that are most similar to a goal or statement, with their proofs.',
    fields: {
      ...everywhere,
      goal: z.string(),
      filePath: filePath.optional(),
      maxNumberOfPremises: z.int().positive().max(200).default(15),
    },
    answer: {
      premises: z.array(z.string()),
      proofs: z.array(
        z.object({ name: z.string(), statement: z.string(), proof: z.string(), score: z.number() }),
      ),
    },
    run: async (input, context) => {
      const { proofs } = await rocqSimilarProofs.call(
        {
          session_id: sessionOf(input.coqSessionId, context),
          goal: conclusionIn(input.goal),
          search_in: input.filePath,
          limit: input.maxNumberOfPremises,
        },
        context,
      );
      return {
        premises: proofs.map(({ name }) => name),
        proofs: proofs.map(({ name, statement, proof, score }) => ({ name, statement, proof, score })),
      };
    },
  }),
  tool({
    name: 'get_objects',
    summary: 'Lists all that is defined in the file above the target (`Print All`).',
    fields: everywhere,
    answer: { message: z.string(), objects: z.array(z.string()) },
    run: async (input, context) => {
      const { results } = await rocqObjects.call(
        { session_id: sessionOf(input.coqSessionId, context), limit: 1000 },
        context,
      );
      return { message: 'These are the objects.', objects: results };
    },
  }),
  question('about_term', 'Says what a name is (`About`).', {
    parameter: 'term',
    field: rocqAbout.fields.shape.name,
    ask: (name, place, context) => rocqAbout.call({ ...place, name }, context),
  }),
  question('search_pattern', 'Finds lemmas by a pattern (`Search`).', {
    parameter: 'pattern',
    field: rocqSearch.fields.shape.pattern,
    ask: (pattern, place, context) => rocqSearch.call({ ...place, pattern }, context),
  }),
  question('print_term', 'Prints the definition behind a name (`Print`).', {
    parameter: 'term',
    field: rocqPrint.fields.shape.name,
    ask: (name, place, context) => rocqPrint.call({ ...place, name }, context),
  }),
  question('check_term', 'Says the type of a term (`Check`).', {
    parameter: 'term',
    field: rocqCheckTerm.fields.shape.term,
    ask: (term, place, context) => rocqCheckTerm.call({ ...place, term }, context),
  }),
  proofHistory,
];
