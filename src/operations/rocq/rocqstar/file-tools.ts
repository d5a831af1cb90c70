/** The tools of the RocqStar server that read files: which there are, their theorems, proofs that are similar. */
import { z } from 'zod';
import { orNothing } from '../../../core/entry.ts';
import { parsedJson } from '../../../core/json.ts';
import type { AnyOperation } from '../../definition/operation.ts';
import { rocqFiles, rocqTheorem, rocqTheoremNames } from '../file/file-operations.ts';
import { rocqWorkbenchOf } from '../session/place.ts';
import { rocqSimilarProofs } from '../environment/similar-proofs-operation.ts';
import { everywhere, filePath, sessionOf, tool } from './rocqstar-tool.ts';

export const getProjectRoot = tool({
  name: 'get_project_root',
  summary: 'Says where the project is.',
  fields: everywhere,
  answer: { message: z.string(), projectRoot: z.string() },
  run: (_input, { workspace }) =>
    Promise.resolve({ message: 'This is the root of the project.', projectRoot: workspace.root }),
});

export const listCoqFiles = tool({
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
});

function theoremNames(name: string, withTarget: boolean): AnyOperation {
  return tool({
    name,
    summary: `Lists the names of the theorems of a file, the target of the session ${withTarget ? 'included' : 'left out'}.`,
    fields: { ...everywhere, filePath },
    answer: { message: z.string(), theoremNames: z.array(z.string()), isSessionBased: z.boolean() },
    run: async (input, context) => {
      const sessions = rocqWorkbenchOf(context).sessions.of(context.client);
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

/** A statement, or that server's goal as JSON: `{"hypothesis": […], "conclusion": "…"}`. */
function conclusionIn(goal: string): string {
  const read = z.object({ conclusion: z.string() }).safeParse(parsedJson(goal));
  return read.success ? read.data.conclusion : goal;
}

export const THEOREM_NAME_TOOLS: readonly AnyOperation[] = [
  theoremNames('get_theorem_names', true),
  theoremNames('get_theorem_names_from_file_with_target_theorem', true),
  theoremNames('get_theorem_names_excl', false),
  theoremNames('get_theorem_names_from_file_without_target_theorem', false),
];

export const THEOREM_TOOLS: readonly AnyOperation[] = [
  theoremWithProof('get_theorem_with_proof'),
  theoremWithProof('get_specific_theorem_with_proof_by_name'),
];

export const getSimilarProofs = tool({
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
});
