/**
 * The tools of the RocqStar server under their own names and parameters (`quod mcp --compat rocqstar`), so that an
 * agent that was written for it works unchanged: the twelve of the paper's appendix D, and the longer names that
 * its server uses for four of them. Each is one of Quod's operations seen through that server's words; a proof
 * version is a state. https://arxiv.org/abs/2505.22846
 */
import type { AnyOperation } from '../../definition/operation.ts';
import {
  THEOREM_NAME_TOOLS,
  THEOREM_TOOLS,
  getProjectRoot,
  getSimilarProofs,
  listCoqFiles,
} from './file-tools.ts';
import {
  TARGET_STATE_TOOLS,
  checkProofTool,
  finishSession,
  proofHistory,
  startSession,
} from './proof-tools.ts';
import { QUESTION_TOOLS, getObjects } from './question-tools.ts';

export const ROCQSTAR_OPERATIONS: readonly AnyOperation[] = [
  startSession,
  finishSession,
  getProjectRoot,
  listCoqFiles,
  ...THEOREM_NAME_TOOLS,
  ...TARGET_STATE_TOOLS,
  ...THEOREM_TOOLS,
  checkProofTool,
  getSimilarProofs,
  getObjects,
  ...QUESTION_TOOLS,
  proofHistory,
];
