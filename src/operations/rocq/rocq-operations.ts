/** The operations on Rocq, in the order in which one meets them. */
import { rocqCompile } from './file/compile-operation.ts';
import {
  rocqAbout,
  rocqAssumptions,
  rocqCheckTerm,
  rocqLocate,
  rocqObjects,
  rocqPrint,
  rocqSearch,
} from './environment/environment-operations.ts';
import {
  rocqFiles,
  rocqNotations,
  rocqOutline,
  rocqTheorem,
  rocqTheoremNames,
} from './file/file-operations.ts';
import { rocqFill } from './proof/fill-operation.ts';
import { rocqCheckProof } from './proof/check-proof-operation.ts';
import { rocqGoals, rocqProofTree } from './step/goal-operations.ts';
import { rocqStep, rocqTry } from './step/step-operations.ts';
import { rocqClose, rocqOpen, rocqSessions } from './session/session-operations.ts';
import { rocqTextCheck, rocqTextGoals } from './checked-text/text-operations.ts';
import { rocqPremises } from './environment/premises-operation.ts';
import { rocqSimilarProofs } from './environment/similar-proofs-operation.ts';
import { rocqDiagnose, rocqHealth, rocqToolchain } from './environment/toolchain-operations.ts';

export const ROCQ_OPERATIONS = [
  rocqHealth,
  rocqToolchain,
  rocqDiagnose,
  rocqFiles,
  rocqOutline,
  rocqTheorem,
  rocqTheoremNames,
  rocqNotations,
  rocqOpen,
  rocqSessions,
  rocqClose,
  rocqCheckProof,
  rocqStep,
  rocqTry,
  rocqGoals,
  rocqProofTree,
  rocqTextCheck,
  rocqTextGoals,
  rocqAbout,
  rocqCheckTerm,
  rocqPrint,
  rocqSearch,
  rocqLocate,
  rocqObjects,
  rocqAssumptions,
  rocqPremises,
  rocqSimilarProofs,
  rocqCompile,
  rocqFill,
] as const;
